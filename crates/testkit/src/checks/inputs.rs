use embedding::{DataKind, Embedding, Error, Input};
use neighbor_graph::{NeighborSearch, Neighborhood, Neighbors};

use crate::Contract;
use crate::attempt::{attempt_input, succeed};
use crate::cases::{collinear, constant, copied, grid, sheet};
use crate::contract::{Kind, Response};
use crate::structure::{bits, distance_gap, given_distances};

impl Contract {
    /// The distances of points give the same result as the points, where the method reads distances and does
    /// not depend on axes; otherwise they are refused.
    pub fn reads_distances_as_points(&self) {
        let case = sheet(120, 1);
        let distances = case.distances();
        let input = Input::from(given_distances(&distances)).with_labels(&case.labels);
        let result = attempt_input(self, "distances", &input, self.setup());
        if !(self.make)(self.setup()).about().accepts.contains(&DataKind::Distances) {
            assert!(result.is_err(), "{}: distances must be refused", self.name);
            return;
        }
        let by_distances = result.unwrap_or_else(|error| panic!("{}: distances: {error}", self.name));
        if self.rotation == Response::Unspecified {
            return;
        }
        let by_points = succeed(self, "points", &case, self.setup());
        let gap = distance_gap(&by_points, &by_distances, 1.0);
        assert!(
            gap <= self.tolerance,
            "{}: points and their distances differ by {gap:e} of the map; promised {:e}",
            self.name,
            self.tolerance
        );
    }

    /// Distances between few points, equal points and points on a grid, and distances near
    /// the limits of floating point: finite coordinates or an error.
    pub fn survives_strange_distances(&self) {
        let few = (1..=self.k + 2).map(|n| sheet(n, 3));
        for case in few.chain([constant(30, 3), copied(12, 4, 1), collinear(40, 3, 1), grid(6, 6)]) {
            let values = case.distances();
            let input = Input::from(given_distances(&values)).with_labels(&case.labels);
            // Any result has been checked.
            let _ = attempt_input(
                self,
                &format!("distances between {} points", case.len()),
                &input,
                self.setup(),
            );
        }
        let case = sheet(60, 1);
        for factor in [1e-200, 1e-150, 1e150, 1e200] {
            let values: Vec<f64> = case.distances().iter().map(|d| factor * d).collect();
            let input = Input::from(given_distances(&values)).with_labels(&case.labels);
            let _ = attempt_input(self, &format!("distances times {factor:e}"), &input, self.setup());
        }
    }

    /// A graph method takes neighbor lists of the caller, with the points or their distances. It takes lists
    /// alone where [`embedding::About::accepts`] names them; otherwise the error names what is missing.
    pub fn takes_given_neighbor_lists(&self) {
        if self.kind == Kind::Global {
            return;
        }
        let case = sheet(120, 1);
        let method = (self.make)(self.setup());
        let accepts = method.about().accepts;
        let lists = |more: usize| -> Neighbors {
            let k = method.neighborhood_dyn(120).and_then(Neighborhood::k).expect("a graph method has a k");
            NeighborSearch::nearest(k + more).find(case.view()).expect("k is below the number of points")
        };
        let fit = |what: &str, input: Input<'_>| -> Result<Embedding, Error> {
            attempt_input(self, what, &input.with_labels(&case.labels), self.setup())
        };
        let must = |what: &str, result: Result<Embedding, Error>| -> Embedding {
            result.unwrap_or_else(|error| panic!("{}: {what}: {error}", self.name))
        };
        let (own, longer) = (lists(0), lists(2));
        let by_points = must("points", fit("points", case.view().into()));
        let with_own = must("own lists", fit("own lists", Input::from(case.view()).with_neighbors(&own)));
        assert!(bits(&with_own) == bits(&by_points), "{}: its own lists change the result", self.name);
        let with_longer =
            must("longer lists", fit("longer lists", Input::from(case.view()).with_neighbors(&longer)));
        assert!(bits(&with_longer) != bits(&by_points), "{}: given lists are not used", self.name);
        if accepts.contains(&DataKind::Distances) {
            let distances = case.distances();
            let given = Input::from(given_distances(&distances)).with_neighbors(&longer);
            let by_distances = must("distances and lists", fit("distances and lists", given));
            let gap = distance_gap(&with_longer, &by_distances, 1.0);
            assert!(gap <= self.tolerance, "{}: distances and lists differ by {gap:e}", self.name);
        }
        let alone = fit("lists alone", Input::from(&longer));
        if accepts.contains(&DataKind::Neighbors) {
            assert!(bits(&must("lists alone", alone)) == bits(&with_longer), "{}: lists alone", self.name);
        } else {
            let refused = alone.err().map(|error| error.to_string()).unwrap_or_default();
            let missing = if accepts.contains(&DataKind::Distances) {
                "distances that neighbor lists alone do not hold"
            } else {
                "must be points"
            };
            assert!(
                refused.contains(missing),
                "{}: lists alone must be refused with what is missing: {refused:?}",
                self.name
            );
        }
    }
}
