//! Stability over draws and the test of structure, by maps of t-SNE.

use std::fs;
use std::path::Path;

use datasets::synthetic::trefoil;
use embedding::{DynMethod, Error, Input, Method, Model, PointSet, Transform};
use quality::RowSample;
use quality::trust::{Criteria, Stability, Structure, area, choose, pbic, singular_fraction};
use testkit::cases::cloud;
use tsne::{Schedule, Tsne};

fn recipe(perplexity: f64) -> Tsne {
    let schedule = Schedule { early_iterations: 150, iterations: 350, ..Schedule::default() };
    Tsne { perplexity, schedule, ..Tsne::default() }
}

/// A perplexity of 2 breaks a trefoil knot at other places in every draw; a perplexity of 50 does not.
#[test]
fn a_knot_is_stable_at_a_perplexity_that_fits_it() -> Result<(), Error> {
    let knot = trefoil(250, 1)?.points;
    // Measured: 0.68 and 0.87; a perplexity of 2 makes another set of fragments of every draw.
    let score = Stability { draws: 4, ..Stability::default() };
    let of = |perplexity: f64| score.over_draws(&recipe(perplexity), &Input::from(&knot));
    let (small, fitting) = (of(2.0)?, of(50.0)?);
    let (small, fitting) = (small.stability(), fitting.stability());
    assert!(small < 0.75 && fitting > 0.8, "{small} {fitting}");
    let seeds = score.over_seeds(&recipe(50.0), &Input::from(&knot))?.expect("it has a seed");
    assert!(seeds.stability() >= fitting, "{}", seeds.stability());
    Ok(())
}

/// Eight Gaussians: every second point of the data of Liu, Ma and Zhong in `eight_gaussians.csv`, whose source
/// `curvature.rs` states.
fn eight_gaussians() -> Result<PointSet, Error> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/eight_gaussians.csv");
    let text = fs::read_to_string(path).expect("part of the repository");
    let rows = text.lines().skip(1).step_by(2).map(|line| line.split(',').take(2));
    PointSet::new(rows.flatten().map(|cell| cell.parse().expect("a number")).collect(), 2)
}

/// A perplexity of 50 is preferred to 5 by the ranks, the draws and the singular points. pBIC disagrees, since
/// its penalty is large for few points, and the choice reports it.
#[test]
fn a_larger_perplexity_is_chosen_for_eight_gaussians() -> Result<(), Error> {
    let data = eight_gaussians()?;
    let input = Input::from(&data);
    let mut settings = Vec::new();
    for perplexity in [5.0, 50.0] {
        let recipe = recipe(perplexity);
        let fitted = recipe.fit(&data)?;
        let score = Stability { draws: 2, ..Stability::default() };
        settings.push(Criteria {
            area: Some(area(fitted.embedding(), &input, RowSample::All)?),
            stability: Some(score.over_draws(&recipe, &input)?.stability()),
            pbic: Some(pbic(fitted.divergence().value(), perplexity, data.len())),
            singular: fitted.curvatures()?.as_deref().map(singular_fraction),
            reconstruction: None,
        });
    }
    let [small, large] = &settings[..] else { unreachable!("two settings") };
    let choice = choose(&settings).expect("there are criteria");
    assert_eq!(choice.preferred, 1, "{settings:?}");
    assert!(small.singular > large.singular, "{settings:?}");
    assert_eq!(choice.disagreements, [("pbic".to_owned(), 0)]);
    Ok(())
}

/// Columns of noise are independent, so that a permutation of each changes nothing: a map of perplexity 2
/// shows islands, and no structure. A map of the knot shows structure.
#[test]
fn islands_of_noise_are_no_structure() -> Result<(), Error> {
    let test = Structure::default();
    let of = |data: &PointSet, perplexity: f64| {
        let recipe = recipe(perplexity);
        let fitted = recipe.fit(data)?;
        test.test(&recipe as &dyn DynMethod, fitted.embedding(), &Input::from(data))
    };
    let noise = of(&cloud(200, 100, 7).points, 2.0)?;
    assert!(!noise.found(), "{noise:?}");
    assert!(noise.sentence().starts_with("The map shows no structure"), "{}", noise.sentence());
    let knot = of(&trefoil(200, 1)?.points, 30.0)?;
    assert!(knot.found(), "{knot:?}");
    Ok(())
}
