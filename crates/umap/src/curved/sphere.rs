//! The unit sphere: great circles.

use super::{Place, dot, plus, squared_length, times};

/// The part of `there` across `here`, in the direction of the great circle.
fn across(here: &Place, there: &Place) -> Place {
    plus(there, &times(-dot(here, there), here))
}

pub(super) fn distance(here: &Place, there: &Place) -> f64 {
    squared_length(&across(here, there)).sqrt().atan2(dot(here, there))
}

pub(super) fn toward(here: &Place, there: &Place) -> Place {
    let direction = across(here, there);
    let sine = squared_length(&direction).sqrt();
    let factor = if sine > 0.0 { sine.atan2(dot(here, there)) / sine } else { 0.0 };
    times(factor, &direction)
}

pub(super) fn moved(here: &Place, step: &Place) -> Place {
    let angle = squared_length(step).sqrt();
    if angle == 0.0 {
        return *here;
    }
    onto(&plus(&times(angle.cos(), here), &times(angle.sin() / angle, step)))
}

pub(super) fn onto(place: &Place) -> Place {
    let [x, y, z, _] = *place;
    let length = x.hypot(y).hypot(z);
    if length > 0.0 { [x / length, y / length, z / length, 0.0] } else { [1.0, 0.0, 0.0, 0.0] }
}
