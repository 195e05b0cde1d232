use embedding::{Error, PointSet, Points};

use crate::attempt::succeed;
use crate::cases::sheet;
use crate::structure::pairwise_distances;
use crate::{Contract, Setup};

impl Contract {
    /// On a plain connected sheet the method succeeds, in 1, 2 and 3
    /// dimensions, spreads its points out, and says its name.
    pub fn embeds_plain_data(&self) {
        let case = sheet(120, 1);
        let setup = self.setup(&case.labels);
        assert_eq!((self.make)(setup).name(), self.name, "the recipe's name");
        for dim in 1..=3 {
            let embedding = succeed(self, "a plain sheet", &case, Setup { dim, ..setup });
            assert!(embedding.rows.is_none(), "{}: every row is placed", self.name);
            let distances = pairwise_distances(&embedding);
            let largest = distances.iter().copied().fold(0.0, f64::max);
            let close = distances.iter().filter(|d| **d < 1e-9 * largest).count();
            assert!(largest > 0.0 && close == 0, "{}: {close} pairs of points fell together", self.name);
        }
    }

    /// A value that is not finite never reaches the method: the door names its
    /// row and column.
    pub fn refuses_values_that_are_not_finite(&self) {
        let case = sheet(20, 1);
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            for (row, column) in [(0, 0), (7, 1), (19, 2)] {
                let mut values = case.view().values().to_vec();
                values[3 * row + column] = bad;
                for refused in [Points::new(&values, 3).err(), PointSet::new(values.clone(), 3).err()] {
                    assert!(
                        matches!(refused, Some(Error::NotFinite { row: r, column: c, .. }) if (r, c) == (row, column)),
                        "{}: {bad} in row {row}, column {column} got through",
                        self.name
                    );
                }
            }
        }
    }
}
