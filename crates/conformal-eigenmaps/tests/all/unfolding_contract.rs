//! The contract of all embedders, and the properties particular to the unfolding.

use crate::common;

use conformal_eigenmaps::settings::BasisSize;
use conformal_eigenmaps::{FittedMaximumVarianceUnfolding, MaximumVarianceUnfolding, Unfolding};
use embedding::{Error, Method, Model, Points, Transform, persist};
use neighbor_graph::{Components, Duplicates, Neighborhood};
use testkit::{Contract, Response, Setup, TransformContract, holds, places_new_points};

fn recipe(setup: Setup) -> MaximumVarianceUnfolding {
    MaximumVarianceUnfolding {
        neighborhood: Neighborhood::Nearest { k: setup.k },
        components: setup.components,
        dim: setup.dim,
        ..MaximumVarianceUnfolding::default()
    }
}

const STAGES: &[&str] =
    &["neighbors", "weights", "alignment", "eigenvectors", "quadratic form", "unfolding", "distortion"];

fn mvu() -> Contract {
    let contract = Contract::graph("mvu", STAGES, Response::Scaled, |setup| Box::new(recipe(setup)));
    // The map is the end of an iteration: it moves by about the root of its
    // relative tolerance.
    Contract { tolerance: 1e-4, ..contract }
}
holds!(unfolding_contract, mvu());

fn placing() -> TransformContract {
    TransformContract::new("mvu", |setup| Box::new(recipe(setup)))
}
places_new_points!(new_points, placing());

fn refused(recipe: MaximumVarianceUnfolding, points: Points<'_>) -> Error {
    recipe.fit(points).err().unwrap_or_else(|| panic!("must be refused: {recipe:?}"))
}

#[test]
fn sizes_that_cannot_be_are_refused() {
    let case = testkit::cases::sheet(16, 1);
    let plain = MaximumVarianceUnfolding::default();
    let vectors = |count| MaximumVarianceUnfolding { basis: BasisSize::Vectors { count }, ..plain };
    for count in [0, 1, 16, 17, usize::MAX] {
        assert!(matches!(refused(vectors(count), case.view()), Error::Parameter { .. }), "m = {count}");
    }
    assert!(vectors(15).fit(case.view()).is_ok(), "m = n − 1");
    assert!(vectors(2).fit(case.view()).is_ok(), "m = d");
    let near = |k| MaximumVarianceUnfolding { neighborhood: Neighborhood::Nearest { k }, ..plain };
    for k in [0, 1, 15, 16, usize::MAX] {
        assert!(matches!(refused(near(k), case.view()), Error::Parameter { name: "k", .. }), "k = {k}");
    }
    assert!(near(14).fit(case.view()).is_ok(), "k = n − 2");
    let with = |unfolding| MaximumVarianceUnfolding { unfolding, ..plain };
    for dim in [0, 16, usize::MAX] {
        let setting = MaximumVarianceUnfolding { dim, ..plain };
        assert!(matches!(refused(setting, case.view()), Error::Parameter { .. }), "d = {dim}");
    }
    for wrong in [0.0, -1.0, f64::NAN, f64::INFINITY, 9e-7, 1e-300] {
        let stiffness = with(Unfolding { stiffness: wrong, ..Unfolding::default() });
        assert!(matches!(refused(stiffness, case.view()), Error::Parameter { name: "stiffness", .. }));
    }
    assert!(with(Unfolding { stiffness: 1e-6, ..Unfolding::default() }).fit(case.view()).is_ok());
    for wrong in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let gap = with(Unfolding { tolerance: wrong, ..Unfolding::default() });
        assert!(matches!(refused(gap, case.view()), Error::Parameter { name: "gap", .. }));
    }
    assert!(matches!(
        refused(plain, testkit::cases::constant(40, 3).view()),
        Error::Degenerate { .. } | Error::Disconnected { .. }
    ));
    assert!(matches!(
        refused(plain, testkit::cases::two_sheets(1).view()),
        Error::Disconnected { components: 2, .. }
    ));
    for n in 1..4 {
        let few = refused(plain, testkit::cases::sheet(n, 1).view());
        assert!(matches!(few, Error::TooFewPoints { needed: 4, .. }), "n = {n}: {few:?}");
    }
}

/// A model that was saved is the model that was fitted: new points land on the
/// same bits.
#[test]
fn a_saved_unfolding_places_points_on_the_same_bits() -> Result<(), Error> {
    let set = datasets::generate("s-curve", 400, 1)?;
    let (train, new): (Vec<u32>, Vec<u32>) = ((0..300).collect(), (300..400).collect());
    let train = set.points.view().select(&train);
    let new = set.points.view().select(&new);
    let fitted = MaximumVarianceUnfolding::default().fit(train.view())?.into_single()?;
    let bytes = persist::encode("mvu", &fitted)?;
    let loaded: FittedMaximumVarianceUnfolding = persist::decode("mvu", &bytes)?;
    assert!(loaded.embedding() == fitted.embedding());
    assert!(loaded.transform(new.view())? == fitted.transform(new.view())?);
    assert_eq!(loaded.transform(train.view())?.values(), fitted.embedding().values());
    assert_eq!(loaded.report().spectrum, fitted.report().spectrum);
    assert_eq!(loaded.report().solution.certificate, fitted.report().solution.certificate);
    assert_eq!(persist::encode("mvu", &loaded)?, bytes, "saved again it is the same file");
    Ok(())
}

#[test]
fn two_sheets_are_unfolded_each_for_itself() -> Result<(), Error> {
    let case = testkit::cases::two_sheets(1);
    let recipe = MaximumVarianceUnfolding {
        neighborhood: Neighborhood::Nearest { k: 8 },
        components: Components::PerComponent,
        ..MaximumVarianceUnfolding::default()
    };
    let pieces = recipe.fit(case.view())?;
    assert_eq!(pieces.components().len(), 2);
    for piece in pieces.components() {
        let report = piece.model.report();
        assert!(report.length_error_after < report.length_error_before);
    }
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
    for duplicates in [Duplicates::Merge, Duplicates::Keep] {
        let recipe = MaximumVarianceUnfolding { duplicates, ..MaximumVarianceUnfolding::default() };
        let fitted = recipe.fit(points.view())?;
        let apart = common::procrustes(fitted.embedding().coordinates(), truth.view())?;
        assert!(apart < 0.01, "{duplicates:?}: {apart}");
    }
    Ok(())
}

#[test]
fn new_points_of_the_roll_land_where_they_belong() -> Result<(), Error> {
    let set = datasets::generate("swiss-roll", 1500, 4)?;
    let (train, new): (Vec<u32>, Vec<u32>) = ((0..1000).collect(), (1000..1500).collect());
    let fitted =
        MaximumVarianceUnfolding::default().fit(set.points.view().select(&train).view())?.into_single()?;
    let placed = fitted.transform(set.points.view().select(&new).view())?;
    let truth = set.truth.as_ref().expect("a generator knows the truth").view().select(&new);
    let apart = common::procrustes(placed.coordinates(), truth.view())?;
    assert!(apart < 2e-3, "{apart}");
    Ok(())
}

/// Twice the data is twice the map, to the bit: nothing in the method has a unit.
#[test]
fn twice_the_data_is_twice_the_map() -> Result<(), Error> {
    let set = datasets::generate("swiss-roll", 500, 1)?;
    let doubled: Vec<f64> = set.points.view().values().iter().map(|v| 2.0 * v).collect();
    let doubled = Points::new(&doubled, 3)?;
    let once = MaximumVarianceUnfolding::default().fit(set.points.view())?.into_single()?;
    let twice = MaximumVarianceUnfolding::default().fit(doubled)?.into_single()?;
    let expected = faer::Scale(2.0) * once.embedding().coordinates();
    assert!(twice.embedding().coordinates() == expected);
    assert_eq!(twice.report().unit, 4.0 * once.report().unit);
    Ok(())
}
