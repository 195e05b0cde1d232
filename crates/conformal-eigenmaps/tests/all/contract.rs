//! The contract of all embedders, and the properties particular to this one.

use crate::common;

use conformal_eigenmaps::settings::BasisSize;
use conformal_eigenmaps::{ConformalEigenmaps, FittedConformalEigenmaps, Refinement};
use embedding::{Error, Method, Model, Points, Transform, persist};
use neighbor_graph::{Components, Duplicates, Neighborhood};
use testkit::{Contract, Response, Setup, TransformContract, holds, places_new_points};

fn recipe(setup: Setup) -> ConformalEigenmaps {
    ConformalEigenmaps {
        neighborhood: Neighborhood::Nearest { k: setup.k },
        components: setup.components,
        dim: setup.dim,
        refinement: Refinement { seed: setup.seed, ..Refinement::default() },
        ..ConformalEigenmaps::default()
    }
}

const STAGES: &[&str] = &[
    "neighbors",
    "weights",
    "alignment",
    "eigenvectors",
    "quadratic form",
    "convex solution",
    "rank refinement",
    "rank profile",
    "local scale",
];

fn conformal() -> Contract {
    let contract =
        Contract::graph("conformal-eigenmaps", STAGES, Response::Scaled, |setup| Box::new(recipe(setup)));
    // The map is the end of an iteration: it moves by about the root of its
    // relative tolerance.
    Contract { tolerance: 1e-4, ..contract }
}
holds!(conformal_contract, conformal());

fn placing() -> TransformContract {
    TransformContract::new("conformal-eigenmaps", |setup| Box::new(recipe(setup)))
}
places_new_points!(new_points, placing());

fn refused(recipe: ConformalEigenmaps, points: Points<'_>) -> Error {
    recipe.fit(points).err().unwrap_or_else(|| panic!("must be refused: {recipe:?}"))
}

#[test]
fn fits_whose_time_explodes_are_refused_or_bounded() {
    let case = testkit::cases::sheet(38, 1);
    let plain = ConformalEigenmaps::default();
    let said = refused(ConformalEigenmaps { dim: 37, ..plain }, case.view()).to_string();
    assert!(said.contains("dim must be 1 to basis (here 1 to 30), but is 37"), "{said}");
    let basis = BasisSize::Vectors { count: 31 };
    let said = refused(ConformalEigenmaps { basis, ..plain }, case.view()).to_string();
    assert!(said.contains("at most 30") && said.contains("is 31"), "{said}");
    assert_eq!(BasisSize::Auto.count(1000, 8, 10), 30);
    let refinement = Refinement { restarts: usize::MAX, ..Refinement::default() };
    let said = refused(ConformalEigenmaps { refinement, ..plain }, case.view()).to_string();
    assert!(said.contains("restarts must be 0 to 1000"), "{said}");
}

#[test]
fn sizes_that_cannot_be_are_refused() {
    let case = testkit::cases::sheet(16, 1);
    let plain = ConformalEigenmaps::default();
    let vectors = |count| ConformalEigenmaps { basis: BasisSize::Vectors { count }, ..plain };
    for count in [0, 1, 16, 17, usize::MAX] {
        assert!(matches!(refused(vectors(count), case.view()), Error::Parameter { .. }), "m = {count}");
    }
    assert!(vectors(15).fit(case.view()).is_ok(), "m = n − 1");
    assert!(vectors(2).fit(case.view()).is_ok(), "m = d");
    let near = |k| ConformalEigenmaps { neighborhood: Neighborhood::Nearest { k }, ..plain };
    for k in [0, 1, 15, 16, usize::MAX] {
        assert!(matches!(refused(near(k), case.view()), Error::Parameter { name: "k", .. }), "k = {k}");
    }
    assert!(near(14).fit(case.view()).is_ok(), "k = n − 2");
    let narrow = ConformalEigenmaps { regularization: 0.0, ..plain };
    assert!(matches!(refused(narrow, case.view()), Error::Parameter { .. }));
    assert!(matches!(
        refused(plain, testkit::cases::constant(40, 3).view()),
        Error::Degenerate { .. } | Error::Disconnected { .. }
    ));
    assert!(matches!(
        refused(plain, testkit::cases::two_sheets(1).view()),
        Error::Disconnected { components: 2, .. }
    ));
}

/// With n = k + 1 every patch holds every point; the method says what would do.
#[test]
fn patches_that_hold_every_point_are_refused() {
    let plain = ConformalEigenmaps::default();
    let eleven = testkit::cases::sheet(11, 1);
    let said = refused(plain, eleven.view()).to_string();
    assert!(said.contains("2 to n - 2") && said.contains("2 to 9") && said.contains("is 10"), "{said}");
    assert!(plain.fit(testkit::cases::sheet(12, 1).view()).is_ok(), "n = k + 2");
    for n in 1..4 {
        let few = refused(plain, testkit::cases::sheet(n, 1).view());
        assert!(matches!(few, Error::TooFewPoints { needed: 4, .. }), "n = {n}: {few:?}");
    }
    // Everything is within reach of everything.
    let wide = ConformalEigenmaps {
        neighborhood: Neighborhood::Within { radius: 100.0 },
        ..ConformalEigenmaps::default()
    };
    assert!(matches!(refused(wide, eleven.view()), Error::Parameter { name: "k", .. }));
}

/// A model that was saved is the model that was fitted: new points land on the
/// same bits, and the loss can be studied further.
#[test]
fn a_saved_model_places_points_on_the_same_bits() -> Result<(), Error> {
    let set = datasets::generate("s-curve", 400, 1)?;
    let (train, new): (Vec<u32>, Vec<u32>) = ((0..300).collect(), (300..400).collect());
    let train = set.points.view().select(&train);
    let new = set.points.view().select(&new);
    let fitted = ConformalEigenmaps::default().fit(train.view())?.into_single()?;
    let bytes = persist::encode("conformal-eigenmaps", &fitted)?;
    let loaded: FittedConformalEigenmaps = persist::decode("conformal-eigenmaps", &bytes)?;
    assert!(loaded.embedding() == fitted.embedding());
    assert!(loaded.transform(new.view())? == fitted.transform(new.view())?);
    assert_eq!(loaded.transform(train.view())?.values(), fitted.embedding().values());
    assert_eq!(loaded.report().local_scale, fitted.report().local_scale);
    let (ours, theirs) = (&fitted.report().quadratic, &loaded.report().quadratic);
    assert!(ours.matrix() == theirs.matrix() && ours.raw_scale() == theirs.raw_scale());
    assert_eq!(persist::encode("conformal-eigenmaps", &loaded)?, bytes, "saved again it is the same file");
    Ok(())
}

/// More vectors than the data have columns.
#[test]
fn the_basis_may_be_wider_than_the_data() -> Result<(), Error> {
    let case = testkit::cases::sheet(120, 2);
    let fitted = ConformalEigenmaps::default().fit(case.view())?.into_single()?;
    assert_eq!(fitted.basis().embedding().dim(), 10);
    assert_eq!(fitted.report().spectrum.len(), 10);
    assert_eq!(BasisSize::Auto.count(1000, 4, 10), 18);
    assert_eq!(BasisSize::Auto.count(8, 2, 10), 7);
    Ok(())
}

#[test]
fn two_sheets_are_embedded_each_for_itself() -> Result<(), Error> {
    let case = testkit::cases::two_sheets(1);
    let recipe = ConformalEigenmaps {
        neighborhood: Neighborhood::Nearest { k: 8 },
        components: Components::PerComponent,
        ..ConformalEigenmaps::default()
    };
    let pieces = recipe.fit(case.view())?;
    assert_eq!(pieces.components().len(), 2);
    for piece in pieces.components() {
        let report = piece.model.report();
        assert!(report.angle_error_after < report.angle_error_before);
    }
    assert_eq!(pieces.embedding().len(), 105);
    assert_eq!(pieces.embedding().input_rows().count(), 105);
    Ok(())
}

/// Copies are harmless: the same number of points again on top of existing ones, and one
/// point with more copies than neighbors.
#[test]
fn copies_do_not_hurt() -> Result<(), Error> {
    let set = datasets::generate("swiss-roll", 900, 0)?;
    let rows: Vec<u32> = (0..900).chain((0..90).map(|i| 10 * i)).chain(std::iter::repeat_n(5, 16)).collect();
    let points = set.points.view().select(&rows);
    let truth = set.truth.as_ref().expect("a generator knows the truth").view().select(&rows);
    let merged = ConformalEigenmaps::default().fit(points.view())?;
    assert_eq!((merged.embedding().len(), merged.copies()), (1006, 106));
    let apart = common::procrustes(merged.embedding().coordinates(), truth.view())?;
    assert!(apart < 0.01, "{apart}");
    let keeping = ConformalEigenmaps { duplicates: Duplicates::Keep, ..ConformalEigenmaps::default() };
    let fitted = keeping.fit(points.view())?.into_single()?;
    let apart = common::procrustes(fitted.embedding().coordinates(), truth.view())?;
    assert!(apart < 0.01, "{apart}");
    assert!(fitted.report().local_scale.iter().any(Option::is_none), "a patch of copies has no scale");
    Ok(())
}

#[test]
fn new_points_of_the_roll_land_where_they_belong() -> Result<(), Error> {
    let set = datasets::generate("swiss-roll", 1500, 4)?;
    let (train, new): (Vec<u32>, Vec<u32>) = ((0..1000).collect(), (1000..1500).collect());
    let fitted = ConformalEigenmaps::default().fit(set.points.view().select(&train).view())?.into_single()?;
    let placed = fitted.transform(set.points.view().select(&new).view())?;
    let truth = set.truth.as_ref().expect("a generator knows the truth").view().select(&new);
    let apart = common::procrustes(placed.coordinates(), truth.view())?;
    assert!(apart < 2e-3, "{apart}");
    Ok(())
}
