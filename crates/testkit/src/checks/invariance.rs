use crate::Contract;
use crate::attempt::succeed;
use crate::cases::{Case, rotated, sheet, shuffled};
use crate::contract::Response;
use crate::structure::{distance_gap, reordered};

impl Contract {
    fn responds(
        &self,
        what: &str,
        response: Response,
        factor: f64,
        before: &Case,
        after: &Case,
        order: Option<&[u32]>,
    ) {
        let first = succeed(self, "a plain sheet", before, self.setup());
        let mut second = succeed(self, what, after, self.setup());
        if let Some(order) = order {
            second = reordered(&second, order);
        }
        let factor = match response {
            Response::Unspecified => return,
            Response::Same => 1.0,
            Response::Scaled => factor,
        };
        let gap = distance_gap(&first, &second, factor);
        assert!(
            gap <= self.tolerance,
            "{}: {what}: pairwise distances differ by {gap:e} of the largest; promised {:e}",
            self.name,
            self.tolerance
        );
    }

    /// The data shifted by about thirty times their extent.
    pub fn answers_translation(&self) {
        let case = sheet(120, 1);
        let moved = case.mapped(|r| vec![r[0] + 100.0, r[1] - 80.0, r[2] + 60.0]);
        self.responds("shifted points", self.translation, 1.0, &case, &moved, None);
    }

    /// The data rotated about a skew axis.
    pub fn answers_rotation(&self) {
        let case = sheet(120, 1);
        self.responds("rotated points", self.rotation, 1.0, &case, &case.mapped(rotated), None);
    }

    /// Another order of the same points.
    pub fn answers_permutation(&self) {
        let case = sheet(120, 1);
        let order = shuffled(120, 5);
        let mut back = vec![0; 120];
        order.iter().enumerate().for_each(|(to, &from)| back[from as usize] = to as u32);
        self.responds("shuffled points", self.permutation, 1.0, &case, &case.select(&order), Some(&back));
    }

    /// All coordinates times a million, and divided by a million.
    pub fn answers_scaling(&self) {
        let case = sheet(120, 1);
        for factor in [1e6, 1e-6] {
            let scaled = case.mapped(|r| r.iter().map(|v| factor * v).collect());
            let what = format!("points times {factor:e}");
            self.responds(&what, self.scaling, factor, &case, &scaled, None);
        }
    }
}
