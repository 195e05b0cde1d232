use embedding::Error;

use crate::attempt::attempt;
use crate::cases::{cloud, sheet};
use crate::contract::{Kind, Most};
use crate::{Contract, Setup};

impl Contract {
    /// One point, two points, … up to k + 2: a result or an error, and an error wherever there are too few
    /// points for k.
    pub fn survives_few_points(&self) {
        let all = sheet(self.k + 2, 3);
        for n in 1..=self.k + 2 {
            let case = all.first(n);
            for dim in 1..=3 {
                let setup = Setup { dim, ..self.setup() };
                let result = attempt(self, &format!("{n} points in {dim} dimensions"), &case, setup);
                if self.kind == Kind::Graph && self.k >= n {
                    assert!(result.is_err(), "{}: k = {} of {n} points must be refused", self.name, self.k);
                }
            }
        }
    }

    /// k and the target dimension at their limits and beyond.
    pub fn refuses_impossible_parameters(&self) {
        let n = 24;
        let case = sheet(n, 2);
        let base = self.setup();
        for k in [0, 1, 2, 3, n - 2, n - 1, n, n + 1, usize::MAX / 2, usize::MAX] {
            let result = attempt(self, &format!("k = {k} of {n} points"), &case, Setup { k, ..base });
            if self.kind == Kind::Graph && (k == 0 || k >= n) {
                let refused = matches!(result, Err(Error::Parameter { .. } | Error::TooFewPoints { .. }));
                assert!(refused, "{}: k = {k} of {n} points must be refused as a parameter", self.name);
            }
        }
        for dim in [0, 1, 2, 3, 4, 5, n - 2, n - 1, n, n + 1, usize::MAX / 2, usize::MAX] {
            let what = format!("{dim} dimensions from {n} points");
            let result = attempt(self, &what, &case, Setup { dim, ..base });
            let impossible = dim == 0
                || match self.most {
                    Most::PointsMinusOne => dim >= n,
                    Most::Columns => dim > 3,
                    Most::Other => false,
                };
            assert!(!impossible || result.is_err(), "{}: {what} must be refused", self.name);
        }
    }

    /// One column, and more columns than points.
    pub fn survives_extreme_shapes(&self) {
        let narrow = cloud(60, 1, 4);
        for dim in 1..=2 {
            let setup = Setup { dim, ..self.setup() };
            let result = attempt(self, &format!("one column to {dim} dimensions"), &narrow, setup);
            if self.most == Most::Columns && dim == 2 {
                assert!(result.is_err(), "{}: one column has no second dimension", self.name);
            }
        }
        let wide = cloud(30, 200, 5);
        let result = attempt(self, "30 points with 200 columns", &wide, self.setup());
        assert!(result.is_ok(), "{}: more columns than points must work: {:?}", self.name, result.err());
    }
}
