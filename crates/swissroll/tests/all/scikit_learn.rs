//! Agreement with scikit-learn's dense solvers on the data of the first
//! comparison, on values recorded by `reference/scikit_learn.py`.

use swissroll::datasets;
use swissroll::embedding::{Embedding, Error, Method, Model, PointSet};
use swissroll::isomap::{Isomap, Precision};
use swissroll::lle::Lle;
use swissroll::neighbor_graph::Neighborhood;
use swissroll::spectral::dense::{product, solve_spd};

use faer::{Mat, MatRef};

type Done = Result<(), Error>;

const AGREEMENT: f64 = 1e-6;

/// Rows of the reference: number, two columns of each method.
struct Reference {
    rows: Vec<usize>,
    values: Mat<f64>,
}

impl Reference {
    fn read(text: &str) -> Self {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let table: Vec<Vec<f64>> = lines
            .map(|line| line.split(',').map(|v| v.parse().expect("a recorded number")).collect())
            .collect();
        assert_eq!(table.len(), 50);
        let rows = table.iter().map(|row| row[0] as usize).collect();
        Self { rows, values: Mat::from_fn(50, 4, |i, j| table[i][j + 1]) }
    }

    fn ours(&self, embedding: &Embedding) -> Mat<f64> {
        Mat::from_fn(self.rows.len(), 2, |i, j| embedding[(self.rows[i], j)])
    }
}

/// The distance of the best affine image of our plane from theirs, relative to its size.
fn subspace_gap(ours: MatRef<'_, f64>, theirs: MatRef<'_, f64>) -> f64 {
    let plane = Mat::from_fn(ours.nrows(), 3, |i, j| if j < 2 { ours[(i, j)] } else { 1.0 });
    let gram = product(plane.transpose(), plane.as_ref());
    let right = product(plane.transpose(), theirs);
    let map = solve_spd(gram.as_ref(), right.as_ref()).expect("a plane and a constant are independent");
    (product(plane.as_ref(), map.as_ref()) - theirs).norm_max() / theirs.norm_max()
}

fn agrees(name: &str, points: PointSet, text: &str) -> Done {
    let reference = Reference::read(text);

    let lle = Lle { neighborhood: Neighborhood::Nearest { k: 12 }, ..Lle::default() };
    let plane = reference.ours(lle.fit(points.view())?.embedding());
    let gap = subspace_gap(plane.as_ref(), reference.values.get(.., 0..2));
    assert!(gap < AGREEMENT, "{name}: the planes of locally linear embedding differ by {gap:e}");

    let neighborhood = Neighborhood::Nearest { k: 10 };
    let isomap = Isomap { neighborhood, precision: Precision::Double, ..Isomap::default() };
    let ours = reference.ours(isomap.fit(points.view())?.embedding());
    let theirs = reference.values.get(.., 2..4);
    for j in 0..2 {
        let sign = (0..50).map(|i| ours[(i, j)] * theirs[(i, j)]).sum::<f64>().signum();
        for i in 0..50 {
            let gap = (sign * ours[(i, j)] - theirs[(i, j)]).abs() / theirs.norm_max();
            assert!(gap < AGREEMENT, "{name}: Isomap differs by {gap:e} in row {}", reference.rows[i]);
        }
    }
    Ok(())
}

#[test]
fn swiss_roll() -> Done {
    agrees(
        "swiss-roll",
        datasets::generate("swiss-roll", 1000, 0)?.points,
        include_str!("../reference/swiss-roll.csv"),
    )
}

#[test]
fn s_curve() -> Done {
    agrees(
        "s-curve",
        datasets::generate("s-curve", 1000, 0)?.points,
        include_str!("../reference/s-curve.csv"),
    )
}

/// Whole numbers have equal distances, which everybody breaks in his own way:
/// the pixels are shifted by less than a thousandth, here and there alike.
#[test]
fn digits() -> Done {
    let data = datasets::generate("digits", 1797, 0)?;
    let shift = |at: usize| 1e-3 * ((at + 1) as f64 * 0.754_877_666_246_692_7).fract();
    let pixels = data.points.view().values().iter().enumerate().map(|(at, v)| v + shift(at)).collect();
    agrees("digits", PointSet::new(pixels, 64)?, include_str!("../reference/digits.csv"))
}
