//! A saved model comes back bit for bit, or not at all.

use embedding::implement::{Validate, require};
use embedding::persist::{FORMAT, decode, encode, kind};
use embedding::{Embedding, Error, PointSet};
use faer::Mat;
use serde::{Deserialize, Serialize};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Model {
    recipe: Recipe,
    points: PointSet,
    #[serde(with = "embedding::implement::matrix")]
    directions: Mat<f64>,
    spectrum: Option<Vec<f64>>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum Recipe {
    Nearest { k: usize },
    Within { radius: f64 },
}

impl Validate for Model {
    fn validate(&self) -> Result<(), Error> {
        require(self.points.len() < 100, "it has a hundred points")
    }
}

fn model() -> Model {
    Model {
        recipe: Recipe::Nearest { k: 12 },
        points: PointSet::new(vec![0.1, -0.0, f64::MIN_POSITIVE, 1e300], 2).expect("finite"),
        directions: Mat::from_fn(3, 2, |i, j| (i as f64 + 0.1).powi(j as i32 + 1) / 3.0),
        spectrum: Some(vec![1.0 / 3.0]),
    }
}

fn saved() -> Vec<u8> {
    encode("test-method", &model()).expect("a model has an encoding")
}

fn problem(bytes: &[u8]) -> String {
    match decode::<Model>("test-method", bytes) {
        Err(Error::Model { problem }) => problem,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_model_comes_back_bit_for_bit() -> Result<(), Error> {
    let bytes = saved();
    assert_eq!(kind(&bytes)?, "test-method");
    let back: Model = decode("test-method", &bytes)?;
    assert_eq!(back, model());
    assert!(back.points.view().row(0)[1].is_sign_negative());
    assert_eq!(encode("test-method", &back)?, bytes);
    Ok(())
}

#[test]
fn every_shortening_is_refused() {
    let bytes = saved();
    for length in 0..bytes.len() {
        let problem = problem(&bytes[..length]);
        assert!(length < 8 || problem.contains("cut short"), "{length}: {problem}");
    }
}

#[test]
fn bytes_after_the_end_are_refused() {
    let mut bytes = saved();
    bytes.push(0);
    assert!(problem(&bytes).contains("damaged"));
}

#[test]
fn every_single_change_of_a_byte_is_refused() {
    let bytes = saved();
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut changed = bytes.clone();
            changed[at] ^= 1 << bit;
            assert!(!problem(&changed).is_empty(), "byte {at}, bit {bit}");
            assert!(kind(&changed).is_err());
        }
    }
}

#[test]
fn foreign_files_are_told_from_damaged_ones() {
    for foreign in [&b""[..], b"x,y\n1,2\n", b"\x93NUMPY\x01\x00v\x00", b"MANIFEST and more"] {
        assert!(problem(foreign).contains("no saved model"));
    }
}

#[test]
fn a_newer_format_names_both_versions() {
    let mut bytes = saved();
    bytes[8..12].copy_from_slice(&(FORMAT + 1).to_le_bytes());
    let problem = problem(&bytes);
    assert!(problem.contains(&(FORMAT + 1).to_string()) && problem.contains("newer"), "{problem}");
}

#[test]
fn a_model_of_another_method_names_both() {
    match decode::<Model>("other-method", &saved()) {
        Err(Error::Model { problem }) => {
            assert!(problem.contains("test-method") && problem.contains("other-method"), "{problem}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_right_name_with_another_content_is_refused() -> Result<(), Error> {
    let words = encode("test-method", &"no model at all")?;
    assert!(problem(&words).contains("no test-method model"));
    let two = encode("test-method", &(model(), 1.0))?;
    assert!(problem(&two).contains("ends before"));
    Ok(())
}

#[test]
fn what_a_type_promises_is_checked_when_it_is_read() -> Result<(), Error> {
    // Values that are not finite are no points; a shape must fit its values.
    let not_finite = encode("m", &(vec![1.0, f64::NAN], 2_usize))?;
    assert!(decode::<PointSet>("m", &not_finite).is_err());
    let embedding = |columns: usize, rows: Option<Vec<u32>>| {
        encode("m", &(vec![1.0, 2.0, 3.0], columns, Vec::<f64>::new(), rows))
    };
    for columns in [0, 2, 4, 1 << 60, usize::MAX] {
        assert!(decode::<Embedding>("m", &embedding(columns, None)?).is_err(), "{columns} columns");
    }
    let one_row_too_many = embedding(3, Some(vec![0, 1]))?;
    assert!(decode::<Embedding>("m", &one_row_too_many).is_err());
    let fits = decode::<Embedding>("m", &embedding(3, Some(vec![7]))?)?;
    assert_eq!((fits.row(0), fits.placed_rows()), (&[1.0, 2.0, 3.0][..], Some(&[7][..])));
    Ok(())
}

#[test]
fn a_promise_of_more_than_the_file_holds_allocates_nothing() -> Result<(), Error> {
    // The length of a vector, as postcard writes it, without the vector.
    let promise = encode("m", &(u64::MAX / 16))?;
    assert!(decode::<PointSet>("m", &promise).is_err());
    Ok(())
}

#[test]
fn a_model_whose_parts_contradict_each_other_is_refused() -> Result<(), Error> {
    let many = Model { points: PointSet::new(vec![0.0; 100], 1)?, ..model() };
    assert_eq!(problem(&encode("test-method", &many)?), "it has a hundred points");
    Ok(())
}

#[test]
fn matrices_without_entries_or_with_nan_are_refused() -> Result<(), Error> {
    #[derive(Debug, Deserialize)]
    struct Matrix(#[serde(with = "embedding::implement::matrix")] Mat<f64>);
    impl Validate for Matrix {
        fn validate(&self) -> Result<(), Error> {
            require(self.0.nrows() == 2, "it does not have two rows")
        }
    }
    let read = |rows: u64, columns: u64, values: &[f64]| {
        decode::<Matrix>("m", &encode("m", &(rows, columns, values))?).map(|_| ())
    };
    assert!(read(2, 1, &[1.0, 2.0]).is_ok());
    assert!(read(2, 1, &[1.0, f64::NAN]).is_err());
    assert!(read(1 << 40, 0, &[]).is_err());
    assert!(read(0, 1 << 40, &[]).is_err());
    Ok(())
}

#[test]
fn names_have_one_to_255_bytes() {
    assert!(encode("", &1).is_err());
    assert!(encode(&"m".repeat(256), &1).is_err());
    assert!(encode(&"m".repeat(255), &1).is_ok());
}
