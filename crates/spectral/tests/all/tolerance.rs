//! The legal values of a tolerance.

use embedding::Error;
use embedding::implement::Value;
use spectral::Tolerance;

#[test]
fn only_a_finite_positive_residual_is_accepted() -> Result<(), Error> {
    for residual in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, -1e-10] {
        let refused = Tolerance::new(residual);
        assert!(
            matches!(refused, Err(Error::Parameter { name: "tolerance", .. })),
            "{residual}: {refused:?}"
        );
    }
    for text in ["nan", "inf", "0", "-1e-10", "small"] {
        assert_eq!(Tolerance::read(text), None, "{text}");
    }
    let tolerance = Tolerance::new(1e-8)?;
    assert_eq!(Tolerance::read("1e-8"), Some(tolerance));
    assert_eq!(Tolerance::read(&tolerance.show()), Some(tolerance));
    assert_eq!(tolerance.number(), Some(1e-8));
    Ok(())
}

#[test]
fn a_tolerance_keeps_both_of_its_numbers() -> Result<(), Error> {
    let tolerance = Tolerance::new(1e-6)?.with_applications(7);
    assert_eq!((tolerance.residual(), tolerance.applications()), (1e-6, 7));
    let other = tolerance.with_applications(8);
    assert_eq!((other.residual(), other.applications()), (1e-6, 8));
    Ok(())
}
