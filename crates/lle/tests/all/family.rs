//! Theorems about tangent space alignment, Hessian and modified embeddings.
#![expect(clippy::unwrap_used, reason = "tests")]

use embedding::{Error, Method, Model, PointSet, Silent, Transform};
use faer::Mat;
use lle::steps::{hessian_alignment, modified_alignment, spectral_basis, tangent_alignment};
use lle::{HessianLle, Ltsa, ModifiedLle, Normalization};
use neighbor_graph::Neighborhood;
use spectral::{Sparse, dense};

use crate::common;
use common::{affine_residual, nearest, s_curve, swiss_roll, unit_square};

/// A tilted plane in four dimensions, and its own coordinates.
fn plane(n: usize) -> (PointSet, Mat<f64>) {
    let truth = Mat::from_fn(n, 2, |i, j| if j == 0 { unit_square(i + 1).0 } else { unit_square(i + 1).1 });
    let frame = Mat::from_fn(2, 4, |i, j| [[0.8, 0.6, 0.0, 0.1], [-0.3, 0.4, 0.5, 0.7]][i][j]);
    (PointSet::from_mat((&truth * frame).as_ref()).unwrap(), truth)
}

fn alignments(points: &PointSet, k: usize) -> [Sparse; 3] {
    let (points, lists) = (points.view(), nearest(points.view(), k));
    [
        tangent_alignment(points, &lists, 2, &Silent).unwrap(),
        hessian_alignment(points, &lists, 2, &Silent).unwrap(),
        modified_alignment(points, &lists, 2, 1e-3, &Silent).unwrap(),
    ]
}

#[test]
fn alignments_are_symmetric_semidefinite_and_annihilate_the_constant() {
    for k in [6, 10] {
        for m in alignments(&s_curve(150), k) {
            let dense = m.to_dense();
            assert!((&dense - dense.transpose()).norm_max() < 1e-14);
            assert!((&dense * Mat::full(150, 1, 1.0)).norm_max() < 1e-12);
            let lowest = dense::symmetric_eigen(dense.as_ref()).unwrap().0[0];
            assert!(lowest > -1e-12, "{lowest}");
        }
    }
}

#[test]
fn a_plane_is_flattened_exactly() {
    let (points, truth) = plane(200);
    let ltsa = Ltsa::default().fit(&points).unwrap().into_single().unwrap();
    let hessian = HessianLle::default().fit(&points).unwrap().into_single().unwrap();
    for fitted in [ltsa, hessian] {
        assert!(affine_residual(truth.as_ref(), fitted.embedding().coordinates()) < 1e-18);
        assert!(fitted.reconstruction_error() < 1e-12);
    }
    // Its penalty on large weights bends the modified method a little.
    let modified = ModifiedLle::default().fit(points.view()).unwrap();
    assert!(affine_residual(truth.as_ref(), modified.embedding().coordinates()) < 1e-4);
}

/// A patch of rank r leaves the r + 1 dimensions of the functions that are affine on it: k − r
/// weight vectors, k − d of them in a plane of d dimensions.
#[test]
fn the_modified_method_annihilates_affine_functions_alone() {
    let (n, k) = (9, 8);
    let at = |i: usize| ((i * i) as f64 * 0.37 + i as f64, (i * i * i) as f64 * 0.05 - i as f64);
    for (rank, dim) in [(1, 1), (1, 2), (2, 2), (2, 3), (3, 3)] {
        let place = |i: usize| {
            let (u, v) = at(i);
            let w = ((i * 7) as f64).sin();
            [u, if rank > 1 { v } else { 2.0 * u }, if rank > 2 { 9.0 * w } else { u - 3.0 }]
        };
        let points = PointSet::new((0..n).flat_map(place).collect(), 3).unwrap();
        let lists = nearest(points.view(), k);
        let matrix = modified_alignment(points.view(), &lists, dim, 1e-10, &Silent).unwrap().to_dense();
        let values = dense::symmetric_eigenvalues(matrix.as_ref()).unwrap();
        let null = values.iter().filter(|v| **v < 1e-6 * values[n - 1]).count();
        assert_eq!(null, rank + 1, "rank {rank}, {dim} dimensions: {values:?}");
    }
}

/// A far point is in no neighborhood of k; without its own neighborhood it would be unconstrained.
#[test]
fn an_isolated_point_is_placed_by_its_own_neighborhood() {
    let (points, truth) = plane(200);
    let far = [1.5, 2.0];
    let truth = Mat::from_fn(201, 2, |i, j| if i < 200 { truth[(i, j)] } else { far[j] });
    let row = (0..4).map(|c| far[0] * [0.8, 0.6, 0.0, 0.1][c] + far[1] * [-0.3, 0.4, 0.5, 0.7][c]);
    let points = PointSet::new(points.view().values().iter().copied().chain(row).collect(), 4).unwrap();
    let lists = nearest(points.view(), 10);
    assert!((0..200).all(|i| !lists.indices_of(i).contains(&200)));
    let ltsa = Ltsa::default().fit(&points).unwrap().into_single().unwrap();
    let hessian = HessianLle::default().fit(&points).unwrap().into_single().unwrap();
    for fitted in [ltsa, hessian] {
        assert!(affine_residual(truth.as_ref(), fitted.embedding().coordinates()) < 1e-15);
    }
}

#[test]
fn new_points_of_a_plane_obey_the_map_of_the_training_points() {
    let (all, _) = plane(260);
    let rows = |range: std::ops::Range<u32>| all.view().select(&range.collect::<Vec<_>>());
    let (train, new) = (rows(0..200), rows(200..260));
    let ltsa = Ltsa::default().fit(train.view()).unwrap();
    let hessian = HessianLle::default().fit(train.view()).unwrap();
    for fitted in [ltsa, hessian] {
        let y = fitted.embedding().coordinates();
        let placed = fitted.transform(new.view()).unwrap();
        let both = Mat::from_fn(260, 2, |i, j| if i < 200 { y[(i, j)] } else { placed[(i - 200, j)] });
        assert!(affine_residual(plane(260).1.as_ref(), both.as_ref()) < 1e-18);
        assert_eq!(fitted.transform(train.view()).unwrap().coordinates(), y);
    }
}

#[test]
fn each_alignment_penalizes_the_functions_outside_its_null_space() {
    let (points, truth) = plane(200);
    let [tangent, hessian, _] = alignments(&points, 10);
    let energy = |m: &Sparse, f: &dyn Fn(f64, f64) -> f64| {
        let f = Mat::from_fn(200, 1, |i, _| f(truth[(i, 0)], truth[(i, 1)]));
        let mut mf = Mat::zeros(200, 1);
        m.apply(f.as_ref(), mf.as_mut());
        (f.transpose() * mf)[(0, 0)]
    };
    for m in [&tangent, &hessian] {
        assert!(energy(m, &|x, y| 3.0 * x - 2.0 * y + 1.0).abs() < 1e-12);
        for bent in [|x: f64, _: f64| x * x, |_, y| y * y, |x, y| x * y] {
            assert!(energy(m, &bent) > 1e-6);
        }
    }
    // The tangent alignment counts everything that is not affine, the Hessian
    // alignment only the quadratic part of it.
    let wild = |x: f64, y: f64| (97.0 * x + 31.0 * y).sin();
    assert!(energy(&hessian, &wild) < 0.9 * energy(&tangent, &wild));
}

/// On six points every function is quadratic, so that everything not affine is counted by the Hessian.
#[test]
fn with_six_neighbors_the_hessian_alignment_is_the_tangent_alignment() {
    let [tangent, hessian, _] = alignments(&swiss_roll(200), 6);
    assert!((tangent.to_dense() - hessian.to_dense()).norm_max() < 1e-8);
    let [tangent, hessian, _] = alignments(&swiss_roll(200), 7);
    assert!((tangent.to_dense() - hessian.to_dense()).norm_max() > 1e-2);
}

#[test]
fn the_hessian_method_bears_more_noise_than_tangent_alignment() {
    for seed in 1..=5 {
        let data = datasets::synthetic::swiss_roll(1500, seed).unwrap().with_noise(0.05, seed).unwrap();
        let truth = data.truth.as_ref().unwrap().view().as_mat().to_owned();
        let residual = |y: &dyn Model| affine_residual(truth.as_ref(), y.embedding().coordinates());
        let hessian = residual(&HessianLle::default().fit(data.points.view()).unwrap());
        let ltsa = residual(&Ltsa::default().fit(data.points.view()).unwrap());
        assert!(hessian < ltsa, "seed {seed}: Hessian {hessian:e}, tangent alignment {ltsa:e}");
        assert!(hessian < 1e-3, "seed {seed}: {hessian:e}");
    }
}

/// Three coordinates, two of them bent to arcs: flat inside, curved outside.
#[test]
fn three_dimensions_are_recovered_from_five() {
    let n = 700;
    let truth = Mat::from_fn(n, 3, |i, j| {
        ((i + 1) as f64 * [0.8191725133961645, 0.6710436067037893, 0.5497004779019703][j]).fract()
    });
    let rows = (0..n).flat_map(|i| {
        let [x, y, z] = [0, 1, 2].map(|j| truth[(i, j)]);
        [x.cos(), x.sin(), (2.0 * y).cos() / 2.0, (2.0 * y).sin() / 2.0, z]
    });
    let points = PointSet::new(rows.collect(), 5).unwrap();
    let neighborhood = Neighborhood::Nearest { k: 16 };
    let ltsa = Ltsa { dim: 3, neighborhood, ..Ltsa::default() }.fit(points.view()).unwrap();
    let recipe = HessianLle { dim: 3, neighborhood, ..HessianLle::default() };
    let hessian = recipe.fit(points.view()).unwrap();
    let recipe = ModifiedLle { dim: 3, neighborhood, ..ModifiedLle::default() };
    let modified = recipe.fit(points.view()).unwrap();
    for (name, y) in
        [("ltsa", ltsa.embedding()), ("hessian", hessian.embedding()), ("modified", modified.embedding())]
    {
        let residual = affine_residual(truth.as_ref(), y.coordinates());
        assert!(residual < 1e-3, "{name}: {residual:e}");
    }
}

#[test]
fn any_number_of_eigenvectors_can_be_computed() {
    for m in alignments(&swiss_roll(150), 9) {
        let basis = |count| spectral_basis(&m, None, count, Default::default(), Default::default(), &Silent);
        let all = basis(149).unwrap();
        assert!((all.values.iter().sum::<f64>() - m.trace()).abs() < 1e-9);
        assert!(matches!(basis(150), Err(Error::Parameter { .. })));
    }
}

#[test]
fn ragged_neighborhoods_work_and_short_ones_are_refused() {
    let points = swiss_roll(400);
    let wide = Neighborhood::Within { radius: 8.5 };
    let ltsa = Ltsa { neighborhood: wide, ..Ltsa::default() }.fit(points.view()).unwrap();
    assert_eq!(ltsa.transform(points.view()).unwrap().coordinates(), ltsa.embedding().coordinates());
    HessianLle { neighborhood: wide, ..HessianLle::default() }.fit(points.view()).unwrap();
    ModifiedLle { neighborhood: wide, ..ModifiedLle::default() }.fit(points.view()).unwrap();

    let refused = |result: Result<(), Error>| matches!(result, Err(Error::Degenerate { .. }));
    let points = points.view();
    assert!(refused(tangent_alignment(points, &nearest(points, 3), 2, &Silent).map(drop)));
    assert!(tangent_alignment(points, &nearest(points, 4), 2, &Silent).is_ok());
    assert!(refused(hessian_alignment(points, &nearest(points, 5), 2, &Silent).map(drop)));
    assert!(hessian_alignment(points, &nearest(points, 6), 2, &Silent).is_ok());
    assert!(refused(modified_alignment(points, &nearest(points, 2), 2, 1e-3, &Silent).map(drop)));
    assert!(modified_alignment(points, &nearest(points, 3), 2, 1e-3, &Silent).is_ok());
}

/// Points within 1 % of the extent of a map from its median.
fn concentrated(y: faer::MatRef<'_, f64>) -> usize {
    let n = y.nrows();
    let sorted = |j: usize| {
        let mut column: Vec<f64> = y.col(j).iter().copied().collect();
        column.sort_by(f64::total_cmp);
        column
    };
    let columns = [sorted(0), sorted(1)];
    let extent = columns.iter().map(|c| c[n - 1] - c[0]).fold(0.0, f64::max);
    let close = |i: usize| (0..2).all(|j| (y[(i, j)] - columns[j][n / 2]).abs() <= 0.01 * extent);
    (0..n).filter(|&i| close(i)).count()
}

/// Images do not form a surface: a point in a single neighborhood costs less than any map of the whole, and
/// takes a coordinate for itself. With the diagonal as weight it cannot.
#[test]
fn normalization_undoes_the_collapse_to_points_of_low_degree() {
    let digits = datasets::generate("mnist", 2000, 0).unwrap();
    let points = digits.points.view();
    let plain = Ltsa::default().fit(points).unwrap().into_single().unwrap();
    let weighted = Ltsa { normalization: Normalization::Diagonal, ..Ltsa::default() };
    let weighted = weighted.fit(points).unwrap().into_single().unwrap();
    let (plain, weighted) = (plain.embedding().coordinates(), weighted.embedding().coordinates());
    assert!(concentrated(plain) > 1900, "{}", concentrated(plain));
    assert!(concentrated(weighted) < 1000, "{}", concentrated(weighted));
}

/// The null space of M is the same under every weight: a plane is found exactly, with columns that are
/// centered, orthogonal and of variance one as before.
#[test]
fn normalization_keeps_what_is_exact() {
    let (points, truth) = plane(200);
    let diagonal = Normalization::Diagonal;
    let ltsa =
        Ltsa { normalization: diagonal, ..Ltsa::default() }.fit(&points).unwrap().into_single().unwrap();
    let hessian = HessianLle { normalization: diagonal, ..HessianLle::default() };
    let hessian = hessian.fit(&points).unwrap().into_single().unwrap();
    for y in [ltsa.embedding().coordinates(), hessian.embedding().coordinates()] {
        assert!(affine_residual(truth.as_ref(), y) < 1e-12);
        let covariance = y.transpose() * y * faer::Scale(1.0 / 200.0);
        assert!((covariance - Mat::<f64>::identity(2, 2)).norm_max() < 1e-12);
        assert!((0..2).all(|j| y.col(j).iter().sum::<f64>().abs() < 1e-9));
    }
}

/// On a regular grid on a cylinder most neighborhoods are congruent, so that their ratio is
/// the median itself: the number of weight vectors must not follow rounding.
#[test]
fn rounding_does_not_decide_the_number_of_weights_on_a_grid() {
    let grid = |nudge: f64| {
        let rows = (0..140_u32).flat_map(|i| {
            let (angle, height) = (f64::from(i % 14) * 0.15, f64::from(i / 14) * 0.15);
            let off = |c: u32| 1.0 + nudge * f64::from((i * 7 + c * 3) % 5);
            [angle.cos() * off(0), angle.sin() * off(1), height * off(2)]
        });
        PointSet::new(rows.collect(), 3).unwrap()
    };
    let exact = grid(0.0);
    let lists = nearest(exact.view(), 8);
    let alignment =
        |points: &PointSet| modified_alignment(points.view(), &lists, 2, 1e-3, &Silent).unwrap().to_dense();
    let expected = alignment(&exact);
    for nudge in [1e-15, 3e-15, 1e-14, 1e-13] {
        let gap = (alignment(&grid(nudge)) - &expected).norm_max();
        assert!(gap < 1e-7, "coordinates nudged by {nudge:e}: the alignment moves by {gap:e}");
    }
}

#[test]
fn lists_of_tangent_alignment_have_two_more_neighbors_than_dimensions() {
    for dim in 1..=4 {
        let points = testkit::cases::cloud(60, 5, 2);
        let lists = |k| neighbor_graph::NeighborSearch::nearest(k).find(points.view()).unwrap();
        let aligned = |k| tangent_alignment(points.view(), &lists(k), dim, &Silent).map(drop);
        assert_eq!(aligned(dim + 2), Ok(()), "{dim}");
        assert!(aligned(dim + 1).is_err(), "{dim}");
    }
}

/// Every patch contains all other points, and the products of their tangent coordinates are dependent. The
/// patch penalizes a function by its squared distance from the functions that are affine in the patch's
/// coordinates.
#[test]
fn a_patch_of_dependent_products_penalizes_what_is_not_affine() {
    let plane =
        |i: usize| [(i as f64 * 0.754_877_666).fract() * 3.0, (i as f64 * 0.569_840_291).fract() * 2.0];
    // The third coordinate is 1 or -1, so that its square is 1; or there is none.
    for height in [0.3, 0.0] {
        let row =
            |i: usize| [plane(i / 2)[0], plane(i / 2)[1], if i.is_multiple_of(2) { height } else { -height }];
        let rows: Vec<[f64; 3]> = if height > 0.0 {
            (2..26).map(row).collect()
        } else {
            (1..25).map(|i| [plane(i)[0], plane(i)[1], 0.0]).collect()
        };
        let n = rows.len();
        let points = PointSet::new(rows.concat(), 3).unwrap();
        let neighbors = nearest(points.view(), n - 1);
        let matrix = hessian_alignment(points.view(), &neighbors, 3, &Silent).unwrap().to_dense();
        let columns = if height > 0.0 { 4 } else { 3 };
        let mut expected = Mat::<f64>::zeros(n, n);
        for own in 0..n {
            let members: Vec<usize> = (0..n).filter(|i| *i != own).collect();
            let affine =
                Mat::from_fn(n - 1, columns, |i, j| if j == 0 { 1.0 } else { rows[members[i]][j - 1] });
            let q = dense::thin_q(affine.as_ref());
            let projector = &q * q.transpose();
            for (a, b) in (0..n - 1).flat_map(|a| (0..n - 1).map(move |b| (a, b))) {
                let rest = f64::from(u8::from(a == b)) - projector[(a, b)];
                expected[(members[a], members[b])] += rest;
            }
        }
        assert!((&matrix - &expected).norm_max() < 1e-9, "{height}");
    }
}
