//! Eigenvalues beyond the map's own, for observers that request them.

use std::sync::Mutex;

use swissroll::datasets::{self, Request};
use swissroll::embedding::Observer;
use swissroll::prelude::{Error, Input};

/// Methods whose eigenproblem has a row for every point of the map, so that its first values
/// are, up to a factor, the eigenvalues that the method reports.
const SPECTRAL: [&str; 16] = [
    "pca",
    "kernel-pca",
    "classical-mds",
    "landmark-mds",
    "isomap",
    "landmark-isomap",
    "c-isomap",
    "lle",
    "modified-lle",
    "hessian-lle",
    "ltsa",
    "laplacian-eigenmaps",
    "diffusion-maps",
    "lpp",
    "npe",
    "lltsa",
];

#[derive(Default)]
struct Asking(Mutex<Vec<Vec<f64>>>);

impl Observer for Asking {
    fn further_eigenvalues(&self) -> usize {
        5
    }

    fn spectrum(&self, values: &[f64]) {
        self.0.lock().expect("no test panics while it holds the lock").push(values.to_vec());
    }
}

/// The largest relative difference of the first values of a spectrum from `own`, up to a factor.
fn difference(own: &[f64], spectrum: &[f64]) -> f64 {
    if spectrum.len() <= own.len() {
        return f64::INFINITY;
    }
    let largest = if own[0].abs() > own[1].abs() { 0 } else { 1 };
    let factor = own[largest] / spectrum[largest];
    let differences = own.iter().zip(spectrum).map(|(v, w)| (v - factor * w).abs());
    differences.fold(0.0, f64::max) / own[largest].abs()
}

#[test]
fn every_map_is_the_same_bytes_and_spectral_methods_report_more_than_d_values() -> Result<(), Error> {
    let set = datasets::load("digits", &Request { n: Some(200), ..Request::default() })?;
    let input = || Input::from(&set.points).with_labels(&set.labels[0].values);
    for method in swissroll::methods() {
        let name = method.about().name;
        let asking = Asking::default();
        let with = method.fit_dyn(&input().with_observer(&asking))?;
        let without = method.fit_dyn(&input())?;
        assert_eq!(with.embedding(), without.embedding(), "{name}");
        if SPECTRAL.contains(&name) {
            let (own, spectra) = (with.embedding().spectrum(), asking.0.into_inner().expect("as above"));
            let least = spectra.iter().map(|s| difference(own, s)).fold(f64::INFINITY, f64::min);
            assert!(own.len() == 2 && least < 1e-9, "{name}: {own:?}, {spectra:?}");
        }
    }
    Ok(())
}
