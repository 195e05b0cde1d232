//! The hyperbolic plane of curvature −1 in the Poincaré disk, by Möbius addition.
//!
//! With m = (−a) ⊕ b, the vector from a to b has the length 2 artanh |m| and the direction of m, in an
//! orthonormal frame at a; the path from a with the vector u ends at a ⊕ tanh(|u|/2) u/|u|.

use super::{Place, dot, plus, squared_length, times};

/// tanh(10/2), the length of a place at hyperbolic distance 10 from the center. Beyond, single precision
/// has too few places of the disk.
const FARTHEST: f64 = 0.999_909_204_262_595_1;

/// Hyperbolic distance per unit of a start, whose largest magnitude is 5.
const START: f64 = 0.5;

/// Möbius addition.
fn sum(a: &Place, b: &Place) -> Place {
    let (ab, aa, bb) = (dot(a, b), squared_length(a), squared_length(b));
    let divisor = 1.0 + 2.0 * ab + aa * bb;
    plus(&times((1.0 + 2.0 * ab + bb) / divisor, a), &times((1.0 - aa) / divisor, b))
}

pub(super) fn toward(here: &Place, there: &Place) -> Place {
    let between = sum(&times(-1.0, here), there);
    let length = squared_length(&between).sqrt();
    let factor = if length > 0.0 { 2.0 * length.min(1.0 - f64::EPSILON).atanh() / length } else { 0.0 };
    times(factor, &between)
}

pub(super) fn moved(here: &Place, step: &Place) -> Place {
    let length = squared_length(step).sqrt();
    if length == 0.0 {
        return *here;
    }
    onto(&sum(here, &times((0.5 * length).tanh().min(1.0 - f64::EPSILON) / length, step)))
}

/// The place itself, or its nearest within the distance 10.
pub(super) fn onto(place: &Place) -> Place {
    let [x, y, ..] = *place;
    let length = x.hypot(y);
    let factor = if length > FARTHEST { FARTHEST / length } else { 1.0 };
    [factor * x, factor * y, 0.0, 0.0]
}

/// The end of a path from the center.
pub(super) fn started(place: &Place) -> Place {
    moved(&[0.0; 4], &[START * place[0], START * place[1], 0.0, 0.0])
}
