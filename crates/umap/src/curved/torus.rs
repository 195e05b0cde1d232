//! The flat torus of two periods 2π, as cosines and sines of two angles.

use super::Place;

pub(super) fn toward(here: &Place, there: &Place) -> Place {
    // The angle of the quotient of two complex numbers.
    let between = |c: usize| {
        let (a, b) = ((here[c], here[c + 1]), (there[c], there[c + 1]));
        (a.0 * b.1 - a.1 * b.0).atan2(a.0 * b.0 + a.1 * b.1)
    };
    [between(0), between(2), 0.0, 0.0]
}

pub(super) fn moved(here: &Place, step: &Place) -> Place {
    let turned = |c: usize, angle: f64| {
        let (sine, cosine) = angle.sin_cos();
        [here[c] * cosine - here[c + 1] * sine, here[c] * sine + here[c + 1] * cosine]
    };
    let ([a, b], [c, d]) = (turned(0, step[0]), turned(2, step[1]));
    onto(&[a, b, c, d])
}

pub(super) fn onto(place: &Place) -> Place {
    let unit = |c: usize| {
        let length = place[c].hypot(place[c + 1]);
        if length > 0.0 { [place[c] / length, place[c + 1] / length] } else { [1.0, 0.0] }
    };
    let ([a, b], [c, d]) = (unit(0), unit(2));
    [a, b, c, d]
}
