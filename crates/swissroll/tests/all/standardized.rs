//! Models of standardized columns, read as every saved model.

use faer::Mat;
use swissroll::datasets::files::Scaling;
use swissroll::{
    load, method,
    prelude::{Error, Input, PointSet},
    saved::standardized,
};
use testkit::cases::cloud;

/// Columns of different means and spreads, the last one constant.
fn data(rows: usize, seed: u64) -> Result<PointSet, Error> {
    let cloud = cloud(rows, 3, seed).points;
    let row = |row: &[f64]| [50.0 + 9.0 * row[0], 0.01 * row[1] - 3.0, row[0] + 400.0 * row[2], 7.0];
    PointSet::new(cloud.view().rows().flat_map(row).collect(), 4)
}

#[test]
fn a_standardized_model_takes_and_gives_points_in_the_units_of_the_data() -> Result<(), Error> {
    let (training, new) = (data(80, 1)?, data(9, 2)?);
    let scaling = Scaling::of(training.view());
    let scaled = scaling.apply(training.view())?;
    for name in ["pca", "factor-analysis", "isomap", "umap"] {
        let plain = method(name).expect("listed").fit_dyn(&Input::from(&scaled))?;
        let saved = standardized::save(plain.save()?, &scaling)?;
        let (found, model) = load(&saved)?;
        assert_eq!((found.about().name, model.save()?), (name, saved), "{name}");
        assert_eq!(model.embedding().values(), plain.embedding().values());
        let apply = |points: &PointSet| scaling.apply(points.view());
        let expected = plain.transform(apply(&new)?.view())?;
        assert_eq!(model.transform(new.view())?.values(), expected.values(), "{name}");
        let expected = plain.transform_ignoring_matches(apply(&training)?.view())?;
        assert_eq!(model.transform_ignoring_matches(training.view())?.values(), expected.values(), "{name}");
        let other = PointSet::new(vec![1.0, 2.0, 3.0], 3)?;
        let refused = model.transform(other.view()).expect_err("three columns").to_string();
        assert!(refused.contains('4') && refused.contains('3'), "{refused}");
        let places = PointSet::from_mat(expected.coordinates())?;
        let (map, inverse) = (model.linear_map(), model.invert(places.view())?);
        let linear = !matches!(name, "isomap" | "umap");
        assert_eq!((map.is_some(), inverse.is_some()), (linear, linear), "{name}");
        let (Some(map), Some(inverse)) = (map, inverse) else { continue };
        // The map in units of the data gives the same places, of the points and of decoded points.
        let decoded = PointSet::from_mat(inverse.coordinates())?;
        for points in [&training, &decoded] {
            let centered = points.view();
            let centered = Mat::from_fn(80, 4, |i, j| centered.row(i)[j] - map.origin[j]);
            let places = &centered * &map.directions;
            for (i, row) in expected.values().chunks(2).enumerate() {
                assert!((0..2).all(|c| (places[(i, c)] - row[c]).abs() < 1e-9), "{name}, {i}");
            }
        }
    }
    Ok(())
}

/// As a damaged file may say.
#[test]
fn a_scaling_of_other_columns_is_refused_where_it_is_used() -> Result<(), Error> {
    let training = data(80, 1)?;
    let fitted = method("pca").expect("listed").fit_dyn(&Input::from(&training))?;
    for columns in [1, 3, 5] {
        let scaling = Scaling { mean: vec![0.0; columns], deviation: vec![2.0; columns] };
        let (_, model) = load(&standardized::save(fitted.save()?, &scaling)?)?;
        assert!(matches!(model.transform(training.view()), Err(Error::Shape { .. })));
        let places = PointSet::from_mat(fitted.embedding().coordinates())?;
        assert!(matches!(model.invert(places.view()), Err(Error::Shape { .. })));
        assert!(model.linear_map().is_none());
    }
    for (mean, deviation) in
        [(vec![0.0; 4], vec![0.0; 4]), (vec![0.0; 4], vec![1.0; 3]), (vec![f64::NAN; 4], vec![1.0; 4])]
    {
        let saved = standardized::save(fitted.save()?, &Scaling { mean, deviation })?;
        assert!(matches!(load(&saved), Err(Error::Model { .. })));
    }
    Ok(())
}
