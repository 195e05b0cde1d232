//! The promises of a fitted model about new points.

use embedding::{DataKind, DynMethod, DynModel, Embedding, Error, Input, PointSet, Points, TrainingRows};
use neighbor_graph::Components;

use crate::attempt::{check_sentence, guarded};
use crate::cases::{Case, distances, sheet};
use crate::contract::Setup;
use crate::structure::{bits, distance_gap, given_distances, pairwise_distances};
use crate::threads::on_threads;

/// What happens to a training row that is placed again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Training {
    /// It returns its own coordinates, to this fraction of the map's diameter.
    Reproduces {
        /// The fraction.
        tolerance: f64,
    },
    /// The method makes no such promise.
    Unspecified,
}

/// What of a training row that is left out the place of a new row depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LeftOut {
    /// Whether it is a neighbor: far from a new row it changes nothing.
    Neighbor,
    /// Its place in the map too: every row left out changes the place.
    Place,
    /// Nothing: the map is one formula for all rows.
    Nothing,
}

/// The promises of one fitted model; the suite holds it to them.
#[derive(Clone, Copy, Debug)]
pub struct TransformContract {
    /// The method's name on the command line.
    pub name: &'static str,
    /// The recipe for a setup; everything else at its default.
    pub make: fn(Setup) -> Box<dyn DynMethod>,
    /// The neighborhood size that suits 150 points.
    pub k: usize,
    /// What happens to training rows.
    pub training: Training,
    /// What a row that is left out changes.
    pub left_out: LeftOut,
    /// The largest distance, as a fraction of the map's diameter, between the coordinates of a training point
    /// and of a new point at a thousandth of the data's diameter from it.
    pub continuity: f64,
    /// The largest distance between the positions of a new point by the model of distances and by the model
    /// of points, as a fraction of the map's diameter. It applies where the method reads distances; infinite
    /// without such a promise.
    pub by_distances: f64,
}

impl TransformContract {
    /// A contract with k = 8: training rows reproduce to 1e-10, near points land within 5 %, and models of
    /// distances agree to 1e-6.
    pub fn new(name: &'static str, make: fn(Setup) -> Box<dyn DynMethod>) -> Self {
        Self {
            name,
            make,
            k: 8,
            training: Training::Reproduces { tolerance: 1e-10 },
            left_out: LeftOut::Neighbor,
            continuity: 0.05,
            by_distances: 1e-6,
        }
    }

    /// The same with another effect of rows that are left out.
    #[must_use]
    pub fn with_left_out(self, left_out: LeftOut) -> Self {
        Self { left_out, ..self }
    }

    fn fitted(&self, case: &Case) -> Box<dyn DynModel> {
        let setup = Setup { k: self.k, dim: 2, seed: 1, components: Components::Reject };
        let input = Input::from(case.view()).with_labels(&case.labels);
        (self.make)(setup)
            .fit_dyn(&input)
            .unwrap_or_else(|error| panic!("{}: fitting a sheet: {error}", self.name))
    }

    fn placed(&self, model: &dyn DynModel, what: &str, points: Points<'_>) -> Embedding {
        let placed = guarded(self.name, what, || model.transform(points))
            .unwrap_or_else(|error| panic!("{}: {what}: {error}", self.name));
        self.check(what, points.len(), &placed);
        placed
    }

    fn check(&self, what: &str, rows: usize, placed: &Embedding) {
        assert_eq!((placed.len(), placed.dim()), (rows, 2), "{}: {what}: the shape", self.name);
        let finite = (0..rows).all(|i| (0..2).all(|j| placed[(i, j)].is_finite()));
        assert!(finite, "{}: {what}: every coordinate is finite", self.name);
    }

    /// The coordinates of a row depend on this row alone: not on other rows, their order, or the number of
    /// threads.
    pub fn places_each_row_by_itself(&self) {
        let model = self.fitted(&sheet(150, 1));
        let new = sheet(40, 2);
        let all = self.placed(&*model, "40 new points", new.view());
        let some: Vec<u32> = vec![31, 3, 7, 7, 0, 39];
        let part = self.placed(&*model, "six of them", new.select(&some).view());
        let same = bits(&crate::structure::reordered(&all, &some)) == bits(&part);
        assert!(same, "{}: a row's place depends on its company", self.name);
        for threads in [1, 3] {
            let again = on_threads(threads, || self.placed(&*model, "again", new.view()));
            assert!(bits(&again) == bits(&all), "{}: {threads} threads place points elsewhere", self.name);
        }
    }

    /// Training rows return to their coordinates, where that is promised.
    pub fn places_training_rows_as_promised(&self) {
        let Training::Reproduces { tolerance } = self.training else { return };
        let case = sheet(150, 1);
        let model = self.fitted(&case);
        let embedding = model.embedding();
        let placed = self.placed(&*model, "training rows", case.view());
        let diameter = pairwise_distances(embedding).into_iter().fold(0.0, f64::max);
        let gap = (placed.coordinates() - embedding.coordinates()).norm_max();
        assert!(
            gap <= tolerance * diameter,
            "{}: training rows move by {:e} of the diameter; promised {tolerance:e}",
            self.name,
            gap / diameter
        );
    }

    /// A point close to a training point lands close to its coordinates.
    pub fn places_points_near_their_neighbors(&self) {
        let case = sheet(150, 1);
        let model = self.fitted(&case);
        let embedding = model.embedding();
        let near = case.mapped(|r| vec![r[0] + 1e-3, r[1] - 1e-3, r[2] + 5e-4]);
        let placed = self.placed(&*model, "near points", near.view());
        let diameter = pairwise_distances(embedding).into_iter().fold(0.0, f64::max);
        let mut gaps: Vec<f64> = (0..150)
            .map(|i| (placed.coordinates().row(i) - embedding.coordinates().row(i)).norm_l2())
            .collect();
        gaps.sort_by(f64::total_cmp);
        assert!(
            gaps[140] <= self.continuity * diameter,
            "{}: near points land {:e} of the diameter away",
            self.name,
            gaps[140] / diameter
        );
    }

    fn left_out(
        &self,
        model: &dyn DynModel,
        what: &str,
        points: Points<'_>,
        left_out: &[Option<u32>],
    ) -> Embedding {
        let place = || model.place(points.into(), TrainingRows::LeftOut(left_out));
        let placed =
            guarded(self.name, what, place).unwrap_or_else(|error| panic!("{}: {what}: {error}", self.name));
        self.check(what, points.len(), &placed);
        placed
    }

    /// A row is placed without one training row: by itself, elsewhere than with it, and as any other new
    /// row where the training row does not matter.
    pub fn leaves_training_rows_out(&self) {
        let case = sheet(150, 1);
        let model = self.fitted(&case);
        let embedding = model.embedding();
        let own: Vec<Option<u32>> = (0..150).map(Some).collect();
        let placed = self.left_out(&*model, "training rows left out", case.view(), &own);

        let some: Vec<u32> = vec![31, 3, 7, 7, 0, 149];
        let own_of_some: Vec<Option<u32>> = some.iter().copied().map(Some).collect();
        for threads in [1, 3] {
            let rows = case.view().select(&some);
            let part =
                on_threads(threads, || self.left_out(&*model, "six of them", rows.view(), &own_of_some));
            let same = bits(&crate::structure::reordered(&placed, &some)) == bits(&part);
            assert!(same, "{}: the place without a row depends on other rows or threads", self.name);
        }

        let extended = |points: Points<'_>| {
            model
                .transform_ignoring_matches(points)
                .unwrap_or_else(|error| panic!("{}: extended: {error}", self.name))
        };
        let new = sheet(40, 2);
        let nothing = self.left_out(&*model, "nothing left out", new.view(), &[None; 40]);
        assert_eq!(bits(&nothing), bits(&extended(new.view())), "{}: nothing is left out", self.name);
        if self.left_out == LeftOut::Nothing {
            assert_eq!(bits(&placed), bits(&extended(case.view())), "{}: one formula", self.name);
        } else {
            let diameter = pairwise_distances(embedding).into_iter().fold(0.0, f64::max);
            let gap = |i: &usize| {
                (placed.coordinates().row(*i) - embedding.coordinates().row(*i)).norm_l2() > 1e-9 * diameter
            };
            let moved = (0..150).filter(gap).count();
            assert!(moved > 75, "{}: {moved} of 150 rows move without themselves", self.name);
        }
        if self.left_out != LeftOut::Place {
            let far = distances(new.view(), case.view());
            let farthest =
                |row: &[f64]| (0..150).max_by(|&a, &b| row[a].total_cmp(&row[b])).map(|j| j as u32);
            let farthest: Vec<Option<u32>> = far.chunks_exact(150).map(farthest).collect();
            let without = self.left_out(&*model, "the farthest row left out", new.view(), &farthest);
            assert_eq!(bits(&without), bits(&extended(new.view())), "{}: a far row", self.name);
        }
        let refused = model.place(case.view().into(), TrainingRows::LeftOut(&own[1..]));
        assert!(matches!(refused, Err(Error::Parameter { .. })), "{}: 149 of 150: {refused:?}", self.name);
    }

    /// Points of another width are refused with both widths.
    pub fn refuses_another_width(&self) {
        let model = self.fitted(&sheet(150, 1));
        for width in [1, 2, 4] {
            let points = PointSet::new(vec![0.5; 2 * width], width).expect("finite");
            let refused = guarded(self.name, "another width", || model.transform(points.view()));
            assert!(
                matches!(refused, Err(Error::Shape { .. })),
                "{}: {width} columns where 3 were fitted: {refused:?}",
                self.name
            );
        }
    }

    /// Where the method reads distances, a model of distances places points, by their distances to the
    /// training points, at the same positions as the model of the points.
    pub fn places_points_by_their_distances(&self) {
        let setup = Setup { k: self.k, dim: 2, seed: 1, components: Components::Reject };
        let method = (self.make)(setup);
        if !method.about().accepts.contains(&DataKind::Distances) {
            return;
        }
        let (case, new) = (sheet(150, 1), sheet(40, 2));
        let by_points = self.fitted(&case);
        let given = case.distances();
        let by_distances = method
            .fit_dyn(&Input::from(given_distances(&given)).with_labels(&case.labels))
            .unwrap_or_else(|error| panic!("{}: distances of a sheet: {error}", self.name));
        let rows = |points: &Case| {
            PointSet::new(distances(points.view(), case.view()), 150).expect("distances are finite")
        };
        // Training points and new ones, as one map: axes may be reflected.
        let both = |model: &dyn DynModel, new: Points<'_>| {
            let placed = self.placed(model, "new points", new);
            Embedding::from_rows([model.embedding().values(), placed.values()].concat(), 2)
        };
        let gap = distance_gap(&both(&*by_points, new.view()), &both(&*by_distances, rows(&new).view()), 1.0);
        assert!(gap <= self.by_distances, "{}: new points lie {gap:e} of the map elsewhere", self.name);
        let refused = by_distances.transform(new.view());
        assert!(matches!(refused, Err(Error::Shape { .. })), "{}: 3 columns: {refused:?}", self.name);
        let mut negative = rows(&new).into_values();
        negative[151] = -1.0;
        let negative = PointSet::new(negative, 150).expect("finite");
        let refused = by_distances.transform(negative.view());
        assert!(matches!(refused, Err(Error::Parameter { .. })), "{}: a negative distance", self.name);
    }

    /// Far points, huge values and repeated rows: finite numbers or an error.
    pub fn survives_strange_points(&self) {
        let case = sheet(150, 1);
        let model = self.fitted(&case);
        let strange = [
            ("far points", case.mapped(|r| r.iter().map(|v| 1e6 * v + 1e6).collect())),
            ("huge points", case.mapped(|r| r.iter().map(|v| 1e150 * (v + 2.0)).collect())),
            ("equal points", case.mapped(|_| vec![0.1, 0.2, 0.3])),
        ];
        for (what, points) in &strange {
            match guarded(self.name, what, || model.transform(points.view())) {
                Ok(placed) => self.check(what, 150, &placed),
                Err(error) => check_sentence(self.name, what, &error),
            }
        }
    }
}
