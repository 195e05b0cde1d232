//! Data that are one point many times.

use swissroll::prelude::{Error, Input, PointSet};

/// A map of fifty equal points would show where a fit starts.
#[test]
fn layouts_of_equal_points_are_refused() -> Result<(), Error> {
    let points = PointSet::new([0.5, -1.0, 2.0].repeat(50), 3)?;
    for name in ["tsne", "umap", "densmap", "pacmap", "localmap", "trimap", "phate", "laplacian-eigenmaps"] {
        let mut method = swissroll::method(name).expect("a method of this name");
        if name == "tsne" {
            method.set_dyn("perplexity", "10")?;
        }
        let refused = method.fit_dyn(&Input::from(&points)).map(|_| ()).expect_err(name);
        assert!(refused.to_string().contains("all 50 points coincide"), "{name}: {refused}");
    }
    Ok(())
}
