use embedding::{DynMethod, DynModel, Error, Input};
use neighbor_graph::NeighborSearch;

use crate::attempt::guarded;
use crate::cases::{Case, copied, sheet};
use crate::contract::{Contract, Kind};
use crate::structure::given_distances;

/// The rows selected from a sheet of 60 points: row 7 k + 4 times, in the middle of the others, row 0 twice,
/// and all others once.
fn rows(k: usize) -> Vec<u32> {
    let many = std::iter::repeat_n(7, k + 3);
    (0..30).chain(many).chain(30..60).chain([0]).collect()
}

impl Contract {
    /// The method with a policy for copies; `None` where it has no such policy, as some global methods.
    fn with_duplicates(&self, policy: &str) -> Option<Box<dyn DynMethod>> {
        let mut method = (self.make)(self.setup());
        let set = method.set_dyn("duplicates", policy);
        assert!(set.is_ok() || self.kind == Kind::Global, "{}: {set:?}", self.name);
        set.ok().map(|()| method)
    }

    /// Copies of rows change nothing: the distinct points have the same map as without copies, to the bit,
    /// and every copy has the position of its point. This holds for points, for distances, and with the lists
    /// of a search of all rows.
    pub fn embeds_copies_once(&self) {
        let Some(method) = self.with_duplicates("merge") else { return };
        let rows = rows(self.k);
        let alone = sheet(60, 9);
        let case = alone.select(&rows);
        let lists = |case: &Case| {
            NeighborSearch::nearest(self.k).find(case.view()).expect("k is below the number of points")
        };
        let (own, neighbors) = (lists(&alone), lists(&case));
        let (few, many) = (alone.distances(), case.distances());
        let searched = Input::from(case.view());
        let pairs = [
            (Input::from(alone.view()), searched),
            (Input::from(alone.view()).with_neighbors(&own), searched.with_neighbors(&neighbors)),
            (Input::from(given_distances(&few)), Input::from(given_distances(&many))),
        ];
        for (single, whole) in
            pairs.into_iter().filter(|(one, _)| method.about().accepts.contains(&one.data().kind()))
        {
            let what = format!("copies of rows ({})", whole.data().kind());
            let fit_by = |method: &dyn DynMethod, input: &Input<'_>| {
                guarded(self.name, &what, || method.fit_dyn(input))
                    .unwrap_or_else(|error| panic!("{}: {what}: {error}", self.name))
            };
            let (one, all) = (fit_by(&*method, &single), fit_by(&*method, &whole));
            let every = all.embedding().placed_rows().is_none();
            assert!(every, "{}: {what}: every row is placed, and no list of rows needed", self.name);
            self.hands_back(&what, &*one, &*all, &rows);
            if self.kind == Kind::Global {
                let kept = self.with_duplicates("keep").map(|method| fit_by(&*method, &whole));
                let other = kept.is_some_and(|kept| kept.embedding() != all.embedding());
                assert!(other, "{}: {what}: kept, they have another map", self.name);
            }
            let again = method.load(&all.save().expect("a model is saved")).expect("and loaded");
            assert_eq!(again.embedding(), all.embedding(), "{}: {what}: saved and loaded", self.name);
            if self.transforms_exactly(&what, &*one, &alone) {
                self.same_places(&what, &*all, &case, whole.distances().is_some().then_some(&many));
            }
        }
    }

    fn hands_back(&self, what: &str, one: &dyn DynModel, all: &dyn DynModel, rows: &[u32]) {
        let (y, whole) = (one.embedding(), all.embedding());
        assert_eq!(whole.len(), rows.len(), "{}: {what}: every row has a place", self.name);
        for (i, &row) in rows.iter().enumerate() {
            assert_eq!(whole.row(i), y.row(row as usize), "{}: {what}: row {i}, point {row}", self.name);
        }
        let (report, before) = (all.report(), one.report());
        assert_eq!(report.facts["copies"], rows.len() - 60, "{}: {what}", self.name);
        assert!(!before.facts.contains_key("copies"), "{}: no copies", self.name);
        assert!(report.notes.iter().any(|note| note.contains("copies of others")), "{:?}", report.notes);
        for (value, single) in report.per_point.iter().zip(&before.per_point) {
            assert_eq!(value.values.len(), rows.len(), "{}: {what}: {}", self.name, value.title);
            for (i, &row) in rows.iter().enumerate() {
                assert_eq!(value.values[i].to_bits(), single.values[row as usize].to_bits());
            }
        }
    }

    /// Whether the model returns the coordinates of training rows.
    fn transforms_exactly(&self, what: &str, one: &dyn DynModel, case: &Case) -> bool {
        let placed = guarded(self.name, what, || one.transform(case.view()));
        placed.is_ok_and(|placed| placed.values() == one.embedding().values())
    }

    fn same_places(&self, what: &str, all: &dyn DynModel, case: &Case, distances: Option<&Vec<f64>>) {
        let new = match distances {
            Some(values) => embedding::Points::new(values, case.len()).expect("a row per point"),
            None => case.view(),
        };
        let placed = all.transform(new).unwrap_or_else(|error| panic!("{}: {what}: {error}", self.name));
        assert_eq!(placed.values(), all.embedding().values(), "{}: {what}: placed again", self.name);
    }

    /// Kept, copies that fill all neighborhoods are components of their own; merged, they are points. Data of
    /// copies of one point alone are refused with this reason.
    pub fn treats_duplicates_as_requested(&self) {
        let (Some(merging), Some(keeping)) = (self.with_duplicates("merge"), self.with_duplicates("keep"))
        else {
            return;
        };
        if self.kind == Kind::Graph {
            let clumps = copied(12, self.k + 1, 10);
            let kept = keeping.fit_dyn(&clumps.view().into()).map(|m| m.report().facts);
            assert!(
                matches!(kept, Err(Error::Disconnected { components: 12, .. })),
                "{}: twelve clumps of copies are twelve components: {kept:?}",
                self.name
            );
        }
        let one = crate::cases::constant(40, 3);
        for (policy, method) in [("merge", &merging), ("keep", &keeping)] {
            let refused = method.fit_dyn(&one.view().into()).map(|m| m.report().facts);
            let says = |error: &Error| error.to_string().contains("all 40 points coincide");
            assert!(refused.as_ref().is_err_and(says), "{}, {policy}: {refused:?}", self.name);
        }
        let few = copied(self.k, 9, 10);
        let refused = merging.fit_dyn(&few.view().into()).map(|m| m.report().facts);
        let says = |error: &Error| error.to_string().contains("number of distinct points");
        assert!(refused.as_ref().is_err_and(says), "{}: {refused:?}", self.name);
    }
}
