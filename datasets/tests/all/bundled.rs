//! The bundled files are what they claim to be.

use std::error::Error as StdError;
use std::fs;
use std::path::Path;

use datasets::{Geometry, Request, find, generate, list, load};
use sha2::{Digest, Sha256};

type Outcome = Result<(), Box<dyn StdError>>;

#[test]
fn every_file_has_its_checksum_and_every_checksum_its_file() -> Outcome {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("files");
    let mut listed = 0;
    for line in fs::read_to_string(folder.join("SHA256SUMS"))?.lines() {
        let (sum, name) = line.split_once("  ").ok_or("two spaces part sum and name")?;
        // MNIST is part of the repository, but not of the published crate.
        if name.starts_with("mnist/") && !folder.join("mnist").exists() {
            continue;
        }
        let digest = Sha256::digest(fs::read(folder.join(name))?);
        let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, sum, "{name}");
        listed += 1;
    }
    let count = |folder: &Path| -> Result<usize, std::io::Error> {
        Ok(fs::read_dir(folder)?.filter_map(Result::ok).filter(|entry| entry.path().is_file()).count())
    };
    let mnist = folder.join("mnist");
    let there = count(&folder)? - 1 + if mnist.exists() { count(&mnist)? } else { 0 };
    assert_eq!(listed, there, "files without a checksum");
    Ok(())
}

#[test]
fn every_bundled_set_is_documented() -> Outcome {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md"))?;
    for info in list() {
        assert!(text.contains(&format!("`{}`", info.name)), "README.md lacks {}", info.name);
    }
    Ok(())
}

/// Sums of the values as scikit-learn 1.9.1 gives them (`load_digits().data.sum()`).
#[test]
fn digits_are_those_of_scikit_learn() -> Outcome {
    let digits = load("digits", &Request::default())?;
    assert_eq!((digits.points.len(), digits.points.dim()), (1797, 64));
    assert_eq!(digits.points.view().values().iter().sum::<f64>(), 561_718.0);
    assert_eq!(digits.points.view().row(0)[..8], [0.0, 0.0, 5.0, 13.0, 9.0, 1.0, 0.0, 0.0]);
    assert_eq!(digits.labels[0].counts(), [178, 182, 177, 183, 181, 182, 181, 179, 174, 180]);
    assert_eq!(digits.images.map(|shape| (shape.height, shape.width, shape.white)), Some((8, 8, 16.0)));
    assert_eq!((digits.truth, digits.geometry), (None, Geometry::Unknown));
    Ok(())
}

/// Class counts, mean and standard deviation of the training part as the
/// literature states them (.1307 and .3081 of white).
#[test]
fn mnist_is_whole() -> Outcome {
    let mnist = generate("mnist", 70_000, 0)?;
    assert_eq!((mnist.points.len(), mnist.points.dim()), (70_000, 784));
    let mut counts = [[0; 10]; 2];
    for (row, &digit) in mnist.labels[0].values.iter().enumerate() {
        counts[usize::from(row >= 60_000)][digit as usize] += 1;
    }
    assert_eq!(counts[0], [5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949]);
    assert_eq!(counts[1], [980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009]);
    let train = &mnist.points.view().values()[..60_000 * 784];
    let n = train.len() as f64;
    let mean = train.iter().sum::<f64>() / n;
    let deviation = (train.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / n).sqrt();
    assert!((mean / 255.0 - 0.1307).abs() < 5e-5, "{mean}");
    assert!((deviation / 255.0 - 0.3081).abs() < 5e-5, "{deviation}");
    Ok(())
}

#[test]
fn a_smaller_sample_is_stratified_a_prefix_and_by_seed() -> Outcome {
    let whole = generate("digits", 1797, 0)?;
    let large = generate("digits", 1000, 5)?;
    let small = generate("digits", 137, 5)?;
    assert_eq!(small.points.view().values(), &large.points.view().values()[..137 * 64]);
    for sample in [&small, &large] {
        let share = sample.points.len() as f64 / 1797.0;
        for (got, all) in sample.labels[0].counts().into_iter().zip(whole.labels[0].counts()) {
            assert!((got as f64 - share * all as f64).abs() <= 1.5, "{got} of {all}");
        }
    }
    assert_ne!(small.points, generate("digits", 137, 6)?.points, "the seed is used");
    // Pictures and labels stay together: every picture is found in the whole
    // set with its label.
    for (row, label) in small.points.view().rows().zip(&small.labels[0].values) {
        let at = whole.points.view().rows().position(|other| other == row).ok_or("not in the set")?;
        assert_eq!(whole.labels[0].values[at], *label);
    }
    Ok(())
}

/// Sums over all values as NumPy 2 gives them for the files of the source
/// packages.
#[test]
fn every_table_is_that_of_its_source() -> Outcome {
    let sum = |name: &str| -> Result<f64, embedding::Error> {
        let info = find(name)?;
        let set = load(name, &Request { n: info.largest_n, ..Request::default() })?;
        assert_eq!((Some(set.points.len()), set.points.dim()), (info.largest_n, info.ambient), "{name}");
        assert_eq!((set.geometry, set.truth.is_some()), (info.geometry, info.geometry != Geometry::Unknown));
        Ok(set.points.view().values().iter().sum())
    };
    assert_eq!(sum("fashion")?, 114_533_639.0);
    assert!((sum("pbmc")? + 243.681).abs() < 1e-9);
    assert!((sum("methane")? - 0.597_966_159_857_562_1).abs() < 1e-14);
    assert!((sum("sea-surface")? - 1_822_278.814_799_868).abs() < 1e-6);
    sum("reviews")?;

    let pbmc = load("pbmc", &Request::default())?;
    assert_eq!(pbmc.points.view().row(0)[..3], [-0.326, -0.191, -0.728]);
    assert_eq!(pbmc.labels[0].counts(), [68, 8, 19, 54, 43, 129, 95, 13, 31, 240]);
    assert_eq!(load("fashion", &Request::default())?.labels[0].counts(), [200; 10]);
    assert_eq!(load("methane", &Request::default())?.labels[0].counts(), [81, 81]);
    Ok(())
}

#[test]
fn a_sample_of_the_sea_keeps_its_places() -> Outcome {
    let whole = generate("sea-surface", 7410, 0)?;
    let some = generate("sea-surface", 100, 2)?;
    let (truth, all) = (some.truth.ok_or("known")?, whole.truth.ok_or("known")?);
    for (row, place) in some.points.view().rows().zip(truth.view().rows()) {
        let at = all.view().rows().position(|other| other == place).ok_or("no such place")?;
        assert_eq!(whole.points.view().row(at), row);
        assert!((-90.0..=90.0).contains(&place[0]) && (20.0..380.0).contains(&place[1]));
    }
    Ok(())
}
