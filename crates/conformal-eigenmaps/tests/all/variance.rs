//! The convex problem: proofs, and a solver that shares nothing with ours.

use crate::common;

use common::{close, nearest, normal, uv};
use conformal_eigenmaps::settings::PatchPairs;
use conformal_eigenmaps::steps::{LengthLoss, maximize_variance, smat, svec, unfolding_certificate, whiten};
use conformal_eigenmaps::{Outcome, Unfolding, unfold};
use embedding::{Error, MemoryLimit, Model, PointSet, Points, Silent};
use faer::{Mat, MatRef};
use neighbor_graph::Manifold;

fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(a, b)| a * b).sum()
}

fn column(v: &[f64]) -> Mat<f64> {
    Mat::from_fn(v.len(), 1, |i, _| v[i])
}

/// Pairs at random: images apart by normal vectors in m dimensions, and squared
/// lengths that no map of them has.
fn random_problem(m: usize, pairs: usize, seed: u64) -> Result<LengthLoss, Error> {
    let apart = normal(pairs, m, seed);
    let lengths = normal(pairs, 1, seed + 10_000);
    let q = m * (m + 1) / 2;
    let rows: Vec<Vec<f64>> = (0..pairs)
        .map(|e| {
            let y = apart.row(e);
            let mut row = svec((y.transpose() * y).as_ref());
            row.push(y.squared_norm_l2() * (0.2 + lengths[(e, 0)].powi(2)));
            row
        })
        .collect();
    let gram = Mat::from_fn(q + 1, q + 1, |i, j| rows.iter().map(|row| row[i] * row[j]).sum());
    LengthLoss::from_gram(gram.as_ref(), 1.0)
}

fn objective(loss: &LengthLoss, stiffness: f64, p: &[f64]) -> f64 {
    let m = loss.order();
    let trace: f64 = (0..m).map(|a| smat(p, m)[(a, a)]).sum();
    stiffness * (dot(p, &loss.image(p)) - 2.0 * dot(loss.along(), p) + 1.0) - trace
}

fn gradient(loss: &LengthLoss, stiffness: f64, p: &[f64]) -> Vec<f64> {
    let one = svec(Mat::<f64>::identity(loss.order(), loss.order()).as_ref());
    let image = loss.image(p);
    (0..p.len()).map(|i| 2.0 * stiffness * (image[i] - loss.along()[i]) - one[i]).collect()
}

/// The nearest positive semidefinite matrix.
fn projected(p: &[f64], m: usize) -> Result<Vec<f64>, Error> {
    let (values, vectors) = spectral::dense::symmetric_eigen(smat(p, m).as_ref())?;
    let kept = Mat::from_fn(m, m, |i, j| vectors[(i, j)] * values[j].max(0.0));
    Ok(svec((&kept * vectors.transpose()).as_ref()))
}

/// Projected gradient with Nesterov's momentum, from 0, and what theory promises
/// of it: f − f* ≤ 2 Λ |P*|² / (steps + 1)² for a gradient of Lipschitz constant Λ.
fn slow(loss: &LengthLoss, stiffness: f64, steps: usize) -> Result<(Vec<f64>, f64), Error> {
    let m = loss.order();
    let q = m * (m + 1) / 2;
    let steepest = 2.0 * stiffness * spectral::dense::symmetric_eigenvalues(loss.matrix())?[q - 1];
    let (mut p, mut ahead, mut momentum) = (vec![0.0; q], vec![0.0; q], 1.0_f64);
    for _ in 0..steps {
        let g = gradient(loss, stiffness, &ahead);
        let moved: Vec<f64> = ahead.iter().zip(&g).map(|(a, g)| a - g / steepest).collect();
        let next = projected(&moved, m)?;
        let faster = (1.0 + (1.0 + 4.0 * momentum * momentum).sqrt()) / 2.0;
        let carry = (momentum - 1.0) / faster;
        ahead = next.iter().zip(&p).map(|(n, o)| n + carry * (n - o)).collect();
        (p, momentum) = (next, faster);
    }
    Ok((p, 2.0 * steepest / (steps as f64 + 1.0).powi(2)))
}

/// On 120 random problems, among them such whose pairs leave parts of P open, the
/// solution is certified, and projected gradient neither beats the proven bound
/// nor ends above the solution by more than its own theory allows.
#[test]
fn the_proof_holds_against_projected_gradient() -> Result<(), Error> {
    for seed in 0..120 {
        let m = 1 + seed as usize % 5;
        let q = m * (m + 1) / 2;
        let pairs = if seed % 3 == 0 { q.max(m + 1) - q / 4 } else { 3 * q };
        let stiffness = [0.3, 5.0, 40.0, 600.0][seed as usize % 4];
        let loss = random_problem(m, pairs, seed)?;
        let ours = maximize_variance(&loss, stiffness, 1e-9, &Silent)?;
        let case =
            format!("seed {seed}, m = {m}, {pairs} pairs, stiffness {stiffness}: {:?}", ours.certificate);
        assert_eq!(ours.outcome, Outcome::Certified, "{case}");
        let p = svec((ours.factor.transpose() * &ours.factor).as_ref());
        let value = objective(&loss, stiffness, &p);
        let rounding = 1e-13 * (stiffness + ours.certificate.size);
        assert!((value - ours.certificate.value).abs() <= rounding, "{case}: {value}");
        let (theirs, rate) = slow(&loss, stiffness, 4000)?;
        let reached = objective(&loss, stiffness, &theirs);
        assert!(reached >= ours.certificate.lower_bound - rounding, "{case}: {reached} is below the bound");
        assert!(reached <= value + rate * dot(&p, &p) * 1.01 + rounding, "{case}: {reached} above {value}");
        // Kuhn and Tucker: a gradient without negative part, apart from the map.
        let g = gradient(&loss, stiffness, &p);
        let least = spectral::dense::symmetric_eigenvalues(smat(&g, m).as_ref())?[0];
        assert!(
            dot(&g, &p).abs() <= (ours.certificate.value - ours.certificate.lower_bound) + rounding,
            "{case}"
        );
        assert!(least >= -1e-6 * (1.0 + stiffness), "{case}: {least}");
    }
    Ok(())
}

/// Whatever map is asked, of whatever rank, its bound lies below the optimum and
/// its gap is not negative.
#[test]
fn every_map_proves_a_bound() -> Result<(), Error> {
    let mut tight = 0;
    for seed in 0..100 {
        let m = 2 + seed as usize % 4;
        let loss = random_problem(m, m * (m + 1), seed)?;
        let stiffness = [0.5, 20.0, 900.0][seed as usize % 3];
        let best = maximize_variance(&loss, stiffness, 1e-9, &Silent)?;
        for rank in 1..=m {
            for size in [0.01, 0.3, 1.0, 30.0] {
                let factor = faer::Scale(size) * normal(rank, m, seed + 500 + rank as u64);
                let proof = unfolding_certificate(&loss, stiffness, factor.as_ref())?;
                assert!(proof.gap() >= 0.0 && proof.value.is_finite());
                assert!(proof.lower_bound <= best.certificate.value + 1e-12 * best.certificate.size);
                assert!(proof.value >= best.certificate.lower_bound - 1e-12 * best.certificate.size);
                assert!(proof.gap() > 1e-9, "a random map is not the best");
                tight += usize::from(proof.lower_bound > f64::MIN);
            }
        }
    }
    assert!(tight > 100, "some bounds say something: {tight}");
    Ok(())
}

/// A flat sheet in its own coordinates: the optimum is known in closed form,
/// P = P₀ + (2 ν A)⁻¹ I, the truth and a stretch that vanishes with 1/ν; in the
/// mean over squared lengths, weighted by them, it is tr P₀ / (2 ν).
#[test]
fn a_flat_sheet_is_stretched_as_the_formula_says() -> Result<(), Error> {
    let points = PointSet::new((1..=300).flat_map(|i| [3.0 * uv(i).0, uv(i).1]).collect(), 2)?;
    let neighbors = nearest(points.view(), 8)?;
    let white = whiten(points.view().as_mat())?;
    let (pairs, limit) = (PatchPairs::Clique, MemoryLimit::default());
    let loss = LengthLoss::build(points.view(), &neighbors, white.basis.as_ref(), pairs, limit, &Silent)?;
    // x − mean = y T⁻¹, so that P₀ = T⁻¹ T⁻ᵀ = (Tᵀ T)⁻¹, in units of V.
    let identity = Mat::<f64>::identity(2, 2);
    let square = white.transform.transpose() * &white.transform;
    let truth = spectral::dense::solve_spd(square.as_ref(), identity.as_ref()).expect("T is regular");
    let truth = svec((faer::Scale(1.0 / loss.unit()) * truth).as_ref());
    assert!(loss.value(&truth) < 1e-13, "{:e}", loss.value(&truth));
    let one = svec(identity.as_ref());
    let solved = spectral::dense::solve_spd(loss.matrix(), column(&one).as_ref()).expect("pairs fix P");
    let trace = truth[0] + truth[2];
    assert!(close(trace, 1.0, 1e-12), "the variance of the sheet is its unit: {trace}");
    let weakest = spectral::dense::symmetric_eigenvalues(loss.matrix())?[0];
    let mut apart = f64::INFINITY;
    for stiffness in [3e1, 1e3, 1e4, 1e5] {
        let ours = maximize_variance(&loss, stiffness, 1e-9, &Silent)?;
        assert_eq!(ours.outcome, Outcome::Certified, "{stiffness}: {:?}", ours.certificate);
        let p = svec((ours.factor.transpose() * &ours.factor).as_ref());
        let expected: Vec<f64> = (0..3).map(|i| truth[i] + solved[(i, 0)] / (2.0 * stiffness)).collect();
        // f − f* = ν (p − p*)ᵀ A (p − p*) is at most the gap.
        let reach = (((ours.certificate.value - ours.certificate.lower_bound) + 1e-14 * stiffness)
            / (stiffness * weakest))
            .sqrt();
        for i in 0..3 {
            assert!((p[i] - expected[i]).abs() <= reach, "{stiffness}: {p:?} {expected:?} {reach:e}");
        }
        let along = dot(loss.along(), &expected) - dot(loss.along(), &truth);
        assert!(close(along, trace / (2.0 * stiffness), 1e-6), "{along}");
        let now = (0..3).map(|i| (p[i] - truth[i]).abs()).fold(0.0, f64::max);
        assert!(now < apart, "stiffer is nearer to the truth");
        assert!(now > 0.1 / stiffness, "a finite stiffness stretches: {now:e}");
        apart = now;
    }
    // Beyond what floating point can prove, nothing is claimed.
    for stiffness in [1e8, 1e10, 1e13] {
        let beyond = maximize_variance(&loss, stiffness, 1e-8, &Silent)?;
        assert_eq!(beyond.outcome, Outcome::Stalled, "{:?}", beyond.certificate);
        assert!(beyond.certificate.gap() > 1e-8);
    }
    // The map itself: distances, at a stiffness that leaves no stretch to see.
    let settings = Unfolding { stiffness: 1e6, ..Unfolding::default() };
    let map = unfold(Manifold::new(points.view(), &neighbors), points.view().as_mat(), 2, &settings)?;
    let z = &map.embedding().coordinates();
    for (i, j) in [(0, 1), (3, 90), (17, 199), (55, 256)] {
        let (apart, truth) = (
            (z.row(i) - z.row(j)).norm_l2(),
            common::squared(points.view().row(i), points.view().row(j)).sqrt(),
        );
        assert!(close(apart, truth, 1e-5), "{apart} is not {truth}");
    }
    Ok(())
}

/// The map depends on the span of the basis alone, moves with the points, and
/// grows with them.
#[test]
fn the_map_moves_and_grows_with_the_points() -> Result<(), Error> {
    let sheet = common::sheet(150, 6, 1)?;
    let run = |points: Points<'_>, basis: MatRef<'_, f64>| {
        unfold(Manifold::new(points, &nearest(points, 6)?), basis, 2, &Unfolding::default())
    };
    let reference = run(sheet.points.view(), sheet.basis.as_ref())?;
    let spread = reference.embedding().coordinates().norm_max();
    let same = |what: &str, other: MatRef<'_, f64>, size: f64, order: &dyn Fn(usize) -> usize| {
        let z = &reference.embedding().coordinates();
        let row = |i: usize| (other.row(i) - faer::Scale(size) * z.row(order(i))).norm_l2();
        let gap = (0..150).map(row).fold(0.0, f64::max);
        assert!(gap < 1e-6 * spread * size, "{what}: rows move by {gap:e}");
    };
    let own = |i: usize| i;
    let mix = Mat::<f64>::identity(6, 6) + faer::Scale(0.2) * normal(6, 6, 3);
    let mixed = &sheet.basis * &mix;
    let shifted = Mat::from_fn(150, 6, |i, j| mixed[(i, j)] + 5.0);
    same("a mixed basis", run(sheet.points.view(), shifted.as_ref())?.embedding().coordinates(), 1.0, &own);
    let rotation = spectral::dense::thin_q(normal(3, 3, 4).as_ref());
    let moved = faer::Scale(40.0) * (sheet.points.view().as_mat() * &rotation);
    let moved = PointSet::from_mat(Mat::from_fn(150, 3, |i, j| moved[(i, j)] - 7.0).as_ref())?;
    same("similar points", run(moved.view(), sheet.basis.as_ref())?.embedding().coordinates(), 40.0, &own);
    let order: Vec<u32> = (0..150).map(|i| (i * 7 + 3) % 150).collect();
    let shuffled = Mat::from_fn(150, 6, |i, j| sheet.basis[(order[i] as usize, j)]);
    let points = sheet.points.view().select(&order);
    let z = run(points.view(), shuffled.as_ref())?;
    same("another order", z.embedding().coordinates(), 1.0, &|i| order[i] as usize);
    let twice: Vec<f64> = sheet.points.view().values().iter().map(|v| 2.0 * v).collect();
    let twice = run(Points::new(&twice, 3)?, sheet.basis.as_ref())?;
    assert!(twice.embedding().coordinates() == faer::Scale(2.0) * reference.embedding().coordinates());
    Ok(())
}

/// The loss is the sum that it stands for.
#[test]
fn the_loss_is_the_sum_over_pairs() -> Result<(), Error> {
    let sheet = common::sheet(60, 4, 2)?;
    let y = whiten(sheet.basis.as_ref())?.basis;
    for pairs in [PatchPairs::Clique, PatchPairs::Neighbors] {
        let points = sheet.points.view();
        let loss =
            LengthLoss::build(points, &sheet.neighbors, y.as_ref(), pairs, MemoryLimit::default(), &Silent)?;
        let factor = normal(3, 4, 7);
        let z = &y * factor.transpose();
        let (mut wrong, mut total) = (0.0, 0.0);
        for h in 0..60 {
            let near = sheet.neighbors.indices_of(h).iter().map(|&j| j as usize);
            let own = (pairs == PatchPairs::Clique).then_some(h);
            let patch: Vec<usize> = own.into_iter().chain(near).collect();
            for (a, &i) in patch.iter().enumerate() {
                for &j in &patch[a + 1..] {
                    let g = common::squared(points.row(i), points.row(j));
                    wrong += ((z.row(i) - z.row(j)).squared_norm_l2() - g).powi(2);
                    total += g * g;
                }
            }
        }
        let p = svec((faer::Scale(1.0 / loss.unit()) * (factor.transpose() * &factor)).as_ref());
        assert!(close(loss.value(&p), wrong / total, 1e-12), "{} {}", loss.value(&p), wrong / total);
        let (scale, least) = loss.scaled(&p);
        let at = |s: f64| loss.value(&p.iter().map(|v| s * v).collect::<Vec<_>>());
        assert!(close(least, at(scale), 1e-9) && least < at(1.01 * scale) && least < at(0.99 * scale));
    }
    Ok(())
}

#[test]
fn what_cannot_be_unfolded_is_refused() -> Result<(), Error> {
    let sheet = common::sheet(60, 4, 2)?;
    let points = sheet.points.view();
    let settings = Unfolding::default();
    for dim in [0, 5] {
        let wrong = unfold(Manifold::new(points, &sheet.neighbors), sheet.basis.as_ref(), dim, &settings);
        assert!(matches!(wrong, Err(Error::Parameter { name: "dim", .. })));
    }
    let mut basis = sheet.basis.clone();
    basis[(7, 2)] = f64::NAN;
    let wrong = unfold(Manifold::new(points, &sheet.neighbors), basis.as_ref(), 2, &settings);
    assert!(matches!(wrong, Err(Error::NotFinite { row: 7, column: 2, .. })));
    let mut gram = Mat::<f64>::identity(4, 4);
    gram[(3, 3)] = 1e-310;
    assert!(matches!(LengthLoss::from_gram(gram.as_ref(), 1.0), Err(Error::Degenerate { .. })));
    let same = PointSet::new(vec![1.0; 180], 3)?;
    let wrong = unfold(Manifold::new(same.view(), &sheet.neighbors), sheet.basis.as_ref(), 2, &settings);
    assert!(matches!(wrong, Err(Error::Degenerate { .. })));
    let memory_limit = MemoryLimit::new(100);
    let tight = Manifold { memory_limit, ..Manifold::new(points, &sheet.neighbors) };
    assert!(matches!(unfold(tight, sheet.basis.as_ref(), 2, &settings), Err(Error::Memory { .. })));
    let two = testkit::cases::two_sheets(1);
    let apart = nearest(two.view(), 6)?;
    let basis = normal(two.view().len(), 3, 1);
    let wrong = unfold(Manifold::new(two.view(), &apart), basis.as_ref(), 2, &settings);
    assert!(matches!(wrong, Err(Error::Disconnected { .. })));
    Ok(())
}
