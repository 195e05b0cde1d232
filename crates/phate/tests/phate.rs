//! Properties of the maps.

use datasets::generate;
use embedding::implement::squared_distance;
use embedding::{Input, Method, Model, Observer, PointSet, Points, Status, Transform, persist};
use neighbor_graph::ComponentFits;
use phate::{Error, FittedPhate, Landmarks, Neighborhood, Phate};
use testkit::json;
use testkit::saved::SavedModel;

fn fit(recipe: Phate, points: &PointSet) -> ComponentFits<FittedPhate> {
    recipe.fit(points).expect("a connected set")
}

/// With more neighbors: 20 points on a branch are not connected by 5.
fn denser() -> Phate {
    Phate { neighborhood: Neighborhood::Nearest { k: 10 }, ..Phate::default() }
}

/// Spearman's rank correlation.
fn rank_correlation(a: &[f64], b: &[f64]) -> f64 {
    let ranks = |values: &[f64]| {
        let mut order: Vec<usize> = (0..values.len()).collect();
        order.sort_by(|&i, &j| values[i].total_cmp(&values[j]));
        let mut ranks = vec![0.0; values.len()];
        order.iter().enumerate().for_each(|(rank, &i)| ranks[i] = rank as f64);
        ranks
    };
    let (a, b) = (ranks(a), ranks(b));
    let mean = (a.len() - 1) as f64 / 2.0;
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| (x - mean) * (y - mean)).sum::<f64>();
    product(&a, &b) / (product(&a, &a) * product(&b, &b)).sqrt()
}

/// For each branch the correlation of true and mapped distances between its points, and the mean correlation.
fn order_along_branches(set: &datasets::Dataset, map: &embedding::Embedding) -> f64 {
    let truth = set.truth.as_ref().expect("known").view();
    let branches = set.labels[0].classes.len();
    let of = |b: usize| {
        let rows: Vec<usize> = (0..map.len()).filter(|&i| set.labels[0].values[i] == b as u32).collect();
        let pairs: Vec<(usize, usize)> =
            rows.iter().flat_map(|&i| rows.iter().filter(move |&&j| j < i).map(move |&j| (i, j))).collect();
        let true_ones: Vec<f64> =
            pairs.iter().map(|&(i, j)| (truth.row(i)[1] - truth.row(j)[1]).abs()).collect();
        let mapped: Vec<f64> = pairs.iter().map(|&(i, j)| squared_distance(map.row(i), map.row(j))).collect();
        rank_correlation(&true_ones, &mapped)
    };
    (0..branches).map(of).sum::<f64>() / branches as f64
}

#[test]
fn branches_are_in_order_and_better_than_by_principal_components() -> Result<(), Error> {
    for seed in 0..2 {
        let set = generate("tree", 600, seed)?;
        let map = Phate::default().fit(&set.points)?;
        let plain = linear::Pca::default().fit(&set.points)?;
        let (own, baseline) =
            (order_along_branches(&set, map.embedding()), order_along_branches(&set, plain.embedding()));
        assert!(own > 0.8, "seed {seed}: {own}");
        assert!(own > baseline + 0.1, "seed {seed}: {own} against {baseline}");
        let branches = &set.labels[0].values;
        let vote = |map: &embedding::Embedding| {
            let validation = quality::classes::Validation::default();
            quality::classes::knn_accuracy(Points::new(map.values(), map.dim())?, branches, 10, validation)
        };
        let (own, baseline) = (vote(map.embedding())?, vote(plain.embedding())?);
        assert!(own > baseline, "seed {seed}: branches by vote {own} against {baseline}");
    }
    Ok(())
}

#[test]
fn the_stress_is_that_of_the_potentials_and_never_rises() -> Result<(), Error> {
    let set = generate("tree", 300, 1)?;
    let map = fit(Phate::default(), &set.points).into_single()?;
    let configuration = map.configuration();
    assert!(configuration.history().is_sorted_by(|a, b| a >= b), "{:?}", configuration.history());
    let (first, last) = (configuration.history()[0], configuration.stress().raw);
    assert!(last < first, "majorization improves the classical start: {first} to {last}");
    assert!((last - configuration.history()[configuration.history().len() - 1]).abs() < 1e-9 * last);
    assert!(matches!(configuration.status(), Status::Converged { .. }), "{:?}", configuration.status());
    let few = fit(Phate { max_iterations: 2, ..Phate::default() }, &set.points).into_single()?;
    assert!(matches!(few.configuration().status(), Status::IterationLimit { iterations: 2 }));
    assert!(few.configuration().stress().raw > last);
    Ok(())
}

#[test]
fn landmarks_draw_nearly_the_map_of_all_points() -> Result<(), Error> {
    let set = generate("tree", 800, 2)?;
    let all = Phate::default().fit(&set.points)?;
    let landmarks = Landmarks::Random { count: 400, seed: 0 };
    let some = Phate { landmarks, ..Phate::default() }.fit(&set.points)?;
    assert_eq!(some.single()?.landmarks().map(<[u32]>::len), Some(400));
    assert_eq!(some.embedding().len(), 800);
    let distances = |map: &embedding::Embedding| -> Vec<f64> {
        (0..800)
            .step_by(3)
            .flat_map(|i| (0..i).step_by(5).map(move |j| (i, j)))
            .map(|(i, j)| squared_distance(map.row(i), map.row(j)))
            .collect()
    };
    let agreement = rank_correlation(&distances(all.embedding()), &distances(some.embedding()));
    assert!(agreement > 0.9, "{agreement}");
    // With as many landmarks as points there are no landmarks.
    let landmarks = Landmarks::Random { count: 800, seed: 5 };
    let none = Phate { landmarks, ..Phate::default() }.fit(&set.points)?;
    assert_eq!(none.embedding(), all.embedding());
    assert!(none.single()?.landmarks().is_none());
    Ok(())
}

#[test]
fn every_parameter_changes_the_map() -> Result<(), Error> {
    let set = generate("tree", 200, 0)?;
    let default = denser();
    let usual = default.fit(&set.points)?;
    let others = [
        Phate { neighborhood: Neighborhood::Nearest { k: 12 }, ..default },
        Phate { neighborhood: Neighborhood::Within { radius: 60.0 }, ..default },
        Phate { dim: 3, ..default },
        Phate { decay: 10.0, ..default },
        Phate { threshold: 0.2, ..default },
        Phate { time: Some(3), ..default },
        Phate { gamma: 0.0, ..default },
        Phate { landmarks: Landmarks::Random { count: 100, seed: 0 }, ..default },
        Phate { landmarks: Landmarks::MaxMin { count: 100 }, ..default },
        Phate { tolerance: 1e-2, ..default },
        Phate { max_iterations: 1, ..default },
    ];
    for other in others {
        let map = other.fit(&set.points)?;
        assert_ne!(map.embedding().values(), usual.embedding().values(), "{other:?}");
    }
    Ok(())
}

#[test]
fn a_new_point_is_placed_between_its_neighbors() -> Result<(), Error> {
    let set = generate("tree", 500, 4)?;
    let rows: Vec<u32> = (0..400).collect();
    let held_out: Vec<u32> = (400..500).collect();
    let some = set.points.view().select(&rows);
    for landmarks in [Landmarks::default(), Landmarks::Random { count: 200, seed: 0 }] {
        let model = Phate { landmarks, ..denser() }.fit(&some)?;
        let placed = model.transform(set.points.view().select(&held_out).view())?;
        let anchors = model.single()?.configuration().embedding();
        let largest = |j: usize| anchors.rows().map(|row| row[j].abs()).fold(0.0, f64::max);
        for row in placed.rows() {
            assert!((0..2).all(|j| row[j].abs() <= largest(j)), "a mean of places lies among them: {row:?}");
        }
        // Most of the nearest training points in the map belong to the point's own branch.
        let branch = &set.labels[0].values;
        let right = held_out.iter().zip(placed.rows()).filter(|(i, row)| {
            let near = |a: &usize, b: &usize| {
                let to = |j: usize| squared_distance(model.embedding().row(j), row);
                to(*a).total_cmp(&to(*b))
            };
            (0..400).min_by(near).is_some_and(|j| branch[j] == branch[**i as usize])
        });
        let right = right.count();
        assert!(right > 70, "{right} of 100 on their branch");
    }
    Ok(())
}

#[test]
fn a_diffusion_that_has_ended_is_refused() -> Result<(), Error> {
    let set = generate("tree", 60, 0)?;
    let recipe = Phate { time: Some(usize::MAX), ..Phate::default() };
    let refused = recipe.fit(&set.points).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(refused.contains("the same probabilities") && refused.contains("smaller time"), "{refused}");
    Ok(())
}

#[test]
fn memory_is_refused_before_it_is_taken() -> Result<(), Error> {
    let set = generate("tree", 600, 0)?;
    let refused = |recipe: Phate, bytes: u64| {
        let input = Input::from(&set.points).with_memory_limit(embedding::MemoryLimit::new(bytes));
        match recipe.fit(input) {
            Err(Error::Memory { stage, .. }) => stage,
            other => panic!("{:?}", other.map(|map| map.embedding().len())),
        }
    };
    assert_eq!(refused(Phate::default(), 17 * 600 * 600 + 500 * 600 - 1), "the diffusion");
    let sparse = Phate { landmarks: Landmarks::Random { count: 20, seed: 0 }, ..Phate::default() };
    // The search for the points within reach of a strip, and then its lists.
    assert_eq!(refused(sparse, 30_000), "the kernel");
    assert_eq!(refused(sparse, 330_000), "the kernel");
    // A slow decay reaches all points.
    assert_eq!(refused(Phate { decay: 0.5, ..sparse }, 20_000_000), "the kernel");
    // With many points the lists of some are counted, themselves included, before the lists of all are found.
    let more = generate("tree", 1_500, 0)?;
    let input = Input::from(&more.points).with_memory_limit(embedding::MemoryLimit::new(50_000_000));
    match (Phate { decay: 0.5, ..sparse }).fit(input) {
        Err(Error::Memory { needed, .. }) => assert_eq!(needed, 116 * 1_500 * 1_500),
        other => panic!("{:?}", other.map(|map| map.embedding().len())),
    }
    Ok(())
}

/// With a slow decay the kernel reaches far beyond the k nearest points.
#[test]
fn the_extension_is_continuous_at_training_rows() -> Result<(), Error> {
    let set = generate("tree", 300, 3)?;
    let values = set.points.view().values();
    let beside = PointSet::new(values.iter().map(|v| v + 1e-9).collect(), set.points.dim())?;
    for decay in [1.0, 2.0, 40.0] {
        let model = Phate { decay, ..denser() }.fit(&set.points)?;
        let (at, beside) = (
            model.transform_ignoring_matches(set.points.view())?,
            model.transform_ignoring_matches(beside.view())?,
        );
        let largest = at.values().iter().fold(0.0, |m: f64, v| m.max(v.abs()));
        let gaps = at.values().iter().zip(beside.values()).map(|(a, b)| (a - b).abs());
        let gap = gaps.fold(0.0, f64::max) / largest;
        assert!(gap < 1e-6, "decay {decay}: {gap:e} of the map");
    }
    Ok(())
}

#[test]
fn a_saved_model_places_as_before() -> Result<(), Error> {
    let set = generate("tree", 120, 0)?;
    let landmarks = Landmarks::Random { count: 50, seed: 0 };
    for recipe in [Phate::default(), Phate { landmarks, ..Phate::default() }] {
        let model = recipe.fit(&set.points)?;
        let bytes = persist::encode("phate", &model)?;
        let again: ComponentFits<FittedPhate> = persist::decode("phate", &bytes)?;
        assert_eq!(again.embedding(), model.embedding());
        let new = set.points.view();
        assert_eq!(again.transform(new)?, model.transform(new)?);
    }
    Ok(())
}

#[test]
fn a_damaged_model_is_refused() -> Result<(), Error> {
    let set = generate("tree", 120, 0)?;
    let landmarks = Landmarks::Random { count: 50, seed: 0 };
    let model = Phate { landmarks, ..Phate::default() }.fit(&set.points)?.into_single()?;
    let damages = [
        ("/kernel/decay", json!(0.0)),
        ("/kernel/threshold", json!(0.3)),
        ("/kernel/threshold", json!(0.0)),
        ("/landmarks/rows/49", json!(120)),
        ("/landmarks/rows/0", json!(119)),
        ("/landmarks/rows", json!([0, 1])),
        ("/landmarks/of/7", json!(50)),
        ("/landmarks/of", json!([0])),
        ("/landmarks", json!(null)),
        ("/training/neighborhood/Nearest/k", json!(0)),
        ("/training/training", json!({ "Neighbors": { "count": 119 } })),
    ];
    testkit::refuses_damage(&model, &damages);
    Ok(())
}

#[test]
fn a_model_whose_places_have_no_mean_places_no_points() -> Result<(), Error> {
    let set = generate("tree", 60, 0)?;
    let model = fit(denser(), &set.points);
    let new = set.points.view().select(&[0]);
    let saved = SavedModel { what: "phate".to_owned(), bytes: persist::encode("phate", &model)?, new };
    let mut body = saved.body().to_vec();
    for value in model.embedding().values() {
        let bytes = value.to_le_bytes();
        while let Some(at) = body.windows(8).position(|window| window == bytes) {
            body[at..at + 8].copy_from_slice(&1.5e308_f64.to_le_bytes());
        }
    }
    let damaged: ComponentFits<FittedPhate> = persist::decode("phate", &saved.with_body(&body))?;
    assert!(damaged.embedding().values().iter().all(|v| *v == 1.5e308), "the places were replaced");
    let refused =
        damaged.transform_ignoring_matches(saved.new.view()).expect_err("a sum beyond the range").to_string();
    assert!(refused.starts_with("the place of new point 0 exceeds the range of numbers"), "{refused}");
    Ok(())
}

#[test]
fn a_film_shows_all_points() -> Result<(), Error> {
    struct Frames(std::sync::Mutex<Vec<(usize, f64)>>);
    impl Observer for Frames {
        fn iteration(&self, iteration: &embedding::Iteration<'_>) -> std::ops::ControlFlow<()> {
            let mut frames = self.0.lock().expect("no panic holds it");
            frames.push((iteration.coordinates.nrows(), iteration.objective.expect("the stress")));
            std::ops::ControlFlow::Continue(())
        }
    }
    let set = generate("tree", 200, 0)?;
    for landmarks in [Landmarks::default(), Landmarks::Random { count: 80, seed: 0 }] {
        let frames = Frames(std::sync::Mutex::new(Vec::new()));
        let recipe = Phate { landmarks, ..denser() };
        recipe.fit(Input::from(&set.points).with_observer(&frames))?;
        let frames = frames.0.into_inner().expect("no panic holds it");
        assert!(frames.len() > 3 && frames.iter().all(|frame| frame.0 == 200));
        assert!(frames.is_sorted_by(|a, b| a.1 >= b.1));
    }
    Ok(())
}
