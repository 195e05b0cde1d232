use embedding::{Error, MemoryLimit};
use faer::Mat;

use super::{Smallest, indistinct};
use crate::krylov::{DISTINCT, widths};
use crate::symbolic::Symbolic;
use crate::{Sparse, Tolerance};

#[test]
fn a_refusal_has_the_residual_in_the_unit_of_its_tolerance() {
    let refused = indistinct(5.0, 7);
    assert!(
        matches!(refused, Error::NoConvergence { residual, tolerance, iterations: 7, .. }
            if residual == 5.0 * tolerance && tolerance == DISTINCT),
        "{refused:?}"
    );
}

/// A further row of B: an offset of it and of its transpose, and twice the images of all vectors.
#[test]
fn the_memory_of_images_counts_twice_and_of_a_factor_once() {
    let matrix = Sparse::from_rows(400, (0..400).map(|i| vec![(i, 1.0)]).collect()).expect("a diagonal");
    let null = Mat::zeros(400, 0);
    let tall = |rows| Sparse::from_rows(400, vec![Vec::new(); rows]).expect("no entries");
    let (fewer, more) = (tall(1000), tall(1001));
    for count in [2, 5] {
        let problem = |factor| Smallest {
            matrix: &matrix,
            factor,
            null: &null,
            count,
            tolerance: Tolerance::default(),
            memory_limit: MemoryLimit::UNLIMITED,
        };
        let difference = problem(Some(&more)).products_bytes() - problem(Some(&fewer)).products_bytes();
        assert_eq!(difference as usize, 2 * 8 + 2 * 8 * (count + widths(count).0));
        let symbolic = Symbolic::new(&matrix).expect("a symbolic").expect("a small factor");
        let alone = problem(None);
        assert_eq!(alone.preconditioned_bytes(&symbolic), symbolic.bytes::<f32>() + alone.products_bytes());
    }
}
