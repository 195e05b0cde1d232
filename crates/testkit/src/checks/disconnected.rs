use embedding::{Embedding, Error};
use neighbor_graph::Components;

use crate::attempt::{attempt, succeed};
use crate::cases::{second_of_two, two_sheets};
use crate::contract::{Contract, Kind, Setup};
use crate::structure::{bits, pairwise_distances, reordered};

impl Contract {
    /// Two sheets far apart: every policy has its documented effect, and no policy lets a sheet collapse. A
    /// global method ignores policies.
    pub fn keeps_component_policies(&self) {
        let case = two_sheets(1);
        let under = |components| Setup { components, ..self.setup() };
        if self.kind == Kind::Global {
            let reference = succeed(self, "two sheets", &case, under(Components::Reject));
            for policy in [Components::Bridge, Components::Largest, Components::PerComponent] {
                let other = succeed(self, "two sheets", &case, under(policy));
                assert_eq!(bits(&reference), bits(&other), "{}: a policy changed a global method", self.name);
            }
            return;
        }
        let rejected = attempt(self, "two sheets, reject", &case, under(Components::Reject));
        assert!(
            matches!(&rejected, Err(Error::Disconnected { components: 2, sizes }) if sizes == &[60, 45]),
            "{}: two sheets under Reject: {rejected:?}",
            self.name
        );

        let bridged = succeed(self, "two sheets, bridge", &case, under(Components::Bridge));
        assert!(bridged.placed_rows().is_none(), "{}: Bridge places every row", self.name);
        self.sheets_are_spread("bridge", &bridged, 1e-6);

        let largest = succeed(self, "two sheets, largest", &case, under(Components::Largest));
        let first: Vec<u32> = (0..105).filter(|&i| !second_of_two(i as usize)).collect();
        assert_eq!(largest.placed_rows(), Some(first.as_slice()), "{}: Largest keeps 60 rows", self.name);
        self.is_spread("largest", &largest, 1e-2);
        // Rows that were left out have no effect: the same points alone give the same map.
        let alone = case.select(&first);
        let by_itself = succeed(self, "one sheet", &alone, self.setup());
        assert_eq!(bits(&largest), bits(&by_itself), "{}: Largest equals the component alone", self.name);

        let each = succeed(self, "two sheets, per component", &case, under(Components::PerComponent));
        assert!(each.placed_rows().is_none(), "{}: PerComponent places every row", self.name);
        self.sheets_are_spread("per component", &each, 1e-2);
        let extent = |second: bool| {
            let column = (0..105).filter(|&i| second_of_two(i) == second).map(|i| each[(i, 0)]);
            (column.clone().fold(f64::INFINITY, f64::min), column.fold(f64::NEG_INFINITY, f64::max))
        };
        let (a, b) = (extent(false), extent(true));
        assert!(a.1 < b.0 || b.1 < a.0, "{}: the pieces overlap: {a:?} and {b:?}", self.name);
    }

    /// Each of the two sheets keeps an extent of at least `share` of the whole.
    fn sheets_are_spread(&self, policy: &str, embedding: &Embedding, share: f64) {
        let whole = pairwise_distances(embedding).into_iter().fold(0.0, f64::max);
        for second in [false, true] {
            let rows: Vec<u32> = (0..105).filter(|&i| second_of_two(i as usize) == second).collect();
            let part = reordered(embedding, &rows);
            let extent = pairwise_distances(&part).into_iter().fold(0.0, f64::max);
            assert!(
                extent > share * whole,
                "{}: {policy}: a sheet collapsed to {extent:e} of {whole:e}",
                self.name
            );
            self.is_spread(policy, &part, share);
        }
    }

    /// Most pairs are further apart than a rounding error.
    fn is_spread(&self, policy: &str, embedding: &Embedding, share: f64) {
        let mut distances = pairwise_distances(embedding);
        distances.sort_by(f64::total_cmp);
        let (median, largest) = (distances[distances.len() / 2], distances[distances.len() - 1]);
        assert!(
            median > share * largest,
            "{}: {policy}: half of the pairs lie within {median:e} of {largest:e}",
            self.name
        );
    }
}
