use crate::attempt::attempt;
use crate::cases::{Case, collinear, constant, copied, grid, one_repeated};
use crate::{Contract, Setup};

impl Contract {
    fn survives(&self, what: &str, case: &Case) {
        for dim in 1..=2 {
            let setup = Setup { dim, ..self.setup() };
            let _either = attempt(self, &format!("{what}, {dim} dimensions"), case, setup);
        }
    }

    /// All points equal: an error or finite numbers.
    pub fn survives_constant_points(&self) {
        for dim in [1, 3] {
            self.survives("all points equal", &constant(40, dim));
        }
        self.survives("all points zero", &constant(40, 2).mapped(|_| vec![0.0, 0.0]));
    }

    /// All points on a line.
    pub fn survives_collinear_points(&self) {
        self.survives("points on a line", &collinear(60, 3, 6));
        let even = Case::new((0..50).map(|i| vec![f64::from(i), 2.0 * f64::from(i)]).collect());
        self.survives("evenly spaced points on a line", &even);
    }

    /// Pairs of equal points, eight copies of each, and one point with more
    /// copies than k.
    pub fn survives_duplicates(&self) {
        self.survives("every point twice", &copied(60, 2, 7));
        self.survives("every point eight times", &copied(15, 8, 8));
        self.survives("one point with more copies than k", &one_repeated(60, self.k + 3, 9));
        self.survives("k + 1 copies of each point", &copied(12, self.k + 1, 10));
    }

    /// Integer grids, where nearly all distances are tied.
    pub fn survives_ties(&self) {
        self.survives("an integer grid", &grid(8, 9));
        self.survives("a square integer grid", &grid(7, 7));
        self.survives(
            "corners of a cube",
            &Case::new(
                (0..40).map(|i| vec![f64::from(i % 2), f64::from(i / 2 % 2), f64::from(i / 4 % 2)]).collect(),
            ),
        );
    }
}
