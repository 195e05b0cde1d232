use embedding::{MemoryLimit, Silent};

use super::*;
use crate::Tolerance;
use crate::gram_operator::GramOperator;

/// The Laplacian of a ring with chords has the eigenvalues Σ 2 − 2 cos(c θ), c = 1 to 5, and the
/// norm of the residual of a few steps is about a quarter of the largest.
#[test]
fn the_bound_is_above_the_largest_eigenvalue_and_below_the_row_sums() {
    let n = 1000;
    let chords = [1, 2, 3, 4, 5];
    let row = |i: usize| {
        let others = chords.iter().flat_map(|c| [(i + c) % n, (i + n - c) % n]);
        others.map(|j| (j as u32, -1.0)).chain([(i as u32, 10.0)]).collect()
    };
    let matrix = Sparse::from_rows(n, (0..n).map(row).collect()).expect("a matrix");
    let angle = |f: usize| std::f64::consts::TAU * f as f64 / n as f64;
    let value = |f: usize| chords.iter().map(|&c| 2.0 - 2.0 * (c as f64 * angle(f)).cos()).sum::<f64>();
    let largest = (0..n).map(value).fold(0.0, f64::max);
    let (form, null) = (GramOperator::new(&matrix, None), Mat::full(n, 1, (n as f64).sqrt().recip()));
    let problem = Smallest {
        matrix: &matrix,
        factor: None,
        null: &null,
        count: 2,
        tolerance: Tolerance::default(),
        memory_limit: MemoryLimit::default(),
    };
    let setting = Setting { problem, form: &form, norm: matrix.norm_bound() };
    let bound = setting.upper_bound(&mut Progress::new(&Silent).expect("not canceled")).expect("a bound");
    assert!(largest <= bound && bound < 1.3 * largest, "{bound}, {largest}, {}", setting.norm);
}

#[test]
fn levels_distinguish_a_plane_from_many_dimensions() {
    let of = |neighbors: &dyn Fn(usize) -> Vec<usize>| {
        let row = |i| neighbors(i).into_iter().map(|j| (j as u32 % 4096, 1.0)).collect();
        grows_fast(&Sparse::from_rows(4096, (0..4096).map(row).collect()).expect("a matrix"))
    };
    assert!(of(&|i| (0..12).map(|bit| i ^ (1 << bit)).chain([4095 - i]).collect()));
    assert!(!of(&|i| vec![i + 1, i + 4095, i + 64, i + 4032]));
}

/// Legs of `length` steps: all points are within `length` steps of the first one.
#[test]
fn a_graph_grows_fast_within_the_fourth_root_of_its_points() {
    let of = |legs: u32, length: u32| {
        let before = |i: u32| if (i - 1).is_multiple_of(length) { 0 } else { i - 1 };
        let edges = (1..=legs * length).map(|i| vec![(before(i), 1.0), (i, -1.0)]).collect();
        grows_fast(&Sparse::from_rows((legs * length + 1) as usize, edges).expect("a tree").gram())
    };
    // 4,097 and 4,096 points: 8⁴ is 4,096.
    assert!(of(512, 8) && !of(455, 9));
    assert!(of(16, 2) && !of(7, 2));
}

/// In units of an operation of the factorization; an operation of a product takes four units.
#[test]
fn products_take_a_quarter_of_the_time_of_a_factorization() {
    let n = 1000;
    let matrix = Sparse::from_rows(n, vec![vec![(0, 1.0), (5, 1.0), (7, 1.0)]; n]).expect("a matrix");
    let (form, null) = (GramOperator::new(&matrix, None), Mat::zeros(n, 1));
    for count in [2, 9] {
        let problem = Smallest {
            matrix: &matrix,
            factor: None,
            null: &null,
            count,
            tolerance: Tolerance::default(),
            memory_limit: MemoryLimit::default(),
        };
        let setting = Setting { problem, form: &form, norm: 1.0 };
        // Three entries and eight for the rows of a block, each an addition and a multiplication.
        let product = (2 * krylov::widths(count).0 * (3 + 8) * n) as f64;
        for products in [0, 3, 100] {
            let time = 4.0 * 4.0 * product * (products as f64 + 0.5);
            assert_eq!(setting.products_within(time), products);
        }
    }
}

/// The eigenvalues 1 to n.
fn ascending(n: u32) -> Sparse {
    let rows = (0..n).map(|i| vec![(i, f64::from(i + 1))]).collect();
    Sparse::from_rows(n as usize, rows).expect("a diagonal")
}

fn pair_of<'a>(matrix: &'a Sparse, null: &'a Mat<f64>, memory_limit: MemoryLimit) -> Smallest<'a> {
    Smallest { matrix, factor: None, null, count: 2, tolerance: Tolerance::default(), memory_limit }
}

/// A polynomial of a higher degree each round.
#[test]
fn products_are_counted_by_the_degree_of_each_polynomial() {
    let (matrix, null) = (ascending(2000), Mat::zeros(2000, 0));
    let (form, problem) = (GramOperator::new(&matrix, None), pair_of(&matrix, &null, MemoryLimit::default()));
    let setting = Setting { problem, form: &form, norm: matrix.norm_bound() };
    let mut progress = Progress::new(&Silent).expect("not canceled");
    let mut iteration = Filtered::new(&setting, &mut progress).expect("a bound");
    assert_eq!(iteration.products, BOUND);
    assert_eq!(iteration.products + iteration.next(), least(), "the products of the first round");
    let mut highest = 0;
    for _ in 0..4 {
        let (before, degree) = (iteration.products, Filter::degree(iteration.cut, iteration.norm));
        iteration.round(&mut progress).expect("a round");
        let products = iteration.products - before;
        assert!(products.is_multiple_of(degree) && products <= ROUND * degree, "{products} by {degree}");
        highest = highest.max(degree);
    }
    assert!(highest > ROUND, "{highest}");
}

#[test]
fn an_iteration_ends_before_it_could_exceed_its_products() {
    let (matrix, null) = (ascending(2000), Mat::zeros(2000, 0));
    let (form, problem) = (GramOperator::new(&matrix, None), pair_of(&matrix, &null, MemoryLimit::default()));
    let setting = Setting { problem, form: &form, norm: matrix.norm_bound() };
    let mut progress = Progress::new(&Silent).expect("not canceled");
    for most in [least() - 1, least(), 150, 400] {
        let mut iteration = Filtered::new(&setting, &mut progress).expect("a bound");
        iteration.run(most, &mut progress).expect("rounds");
        assert!(iteration.products <= most && !iteration.converged(), "{most}: {}", iteration.products);
        assert_eq!(iteration.products > BOUND, most >= least(), "{most}");
        assert!(iteration.products + iteration.next() > most, "{most}: another round fits");
    }
}

/// An attempt is not made where it does not fit, however long a factorization takes.
#[test]
fn an_attempt_beyond_the_memory_limit_is_not_made() {
    let (matrix, null) = (ascending(2000), Mat::zeros(2000, 0));
    let form = GramOperator::new(&matrix, None);
    let needed = pair_of(&matrix, &null, MemoryLimit::UNLIMITED).products_bytes();
    let problem = pair_of(&matrix, &null, MemoryLimit::new(needed - 1));
    let setting = Setting { problem, form: &form, norm: matrix.norm_bound() };
    let mut progress = Progress::new(&Silent).expect("not canceled");
    let attempt = setting.attempt(1e15, None, &mut progress);
    assert!(matches!(attempt, Ok(None)), "{:?}", attempt.map(|found| found.is_some()));
}
