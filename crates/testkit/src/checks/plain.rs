use crate::attempt::succeed;
use crate::cases::sheet;
use crate::structure::pairwise_distances;
use crate::{Contract, Setup};

impl Contract {
    /// On a plain connected sheet the method succeeds in 1, 2 and 3 dimensions, spreads its points out, and
    /// reports its name.
    pub fn embeds_plain_data(&self) {
        let case = sheet(120, 1);
        let setup = self.setup();
        assert_eq!((self.make)(setup).about().name, self.name, "the recipe's name");
        for dim in 1..=3 {
            let embedding = succeed(self, "a plain sheet", &case, Setup { dim, ..setup });
            assert!(embedding.placed_rows().is_none(), "{}: every row is placed", self.name);
            let distances = pairwise_distances(&embedding);
            let largest = distances.iter().copied().fold(0.0, f64::max);
            let close = distances.iter().filter(|d| **d < 1e-9 * largest).count();
            assert!(largest > 0.0 && close == 0, "{}: {close} pairs of points coincide", self.name);
        }
    }
}
