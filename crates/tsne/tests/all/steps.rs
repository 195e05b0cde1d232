//! Single steps of the optimization.

use embedding::{Error, Model, Observer, PointSet, Silent, Status};
use testkit::cases::sheet;
use testkit::observers::{Event, Recorder};
use tsne::{Affinities, FittedTsne, Gradient, LearningRate, Schedule, Start, Tsne};

/// One step after another from a map of integers, whose mean is exactly 0.
fn steps(start: &PointSet, schedule: Schedule, observer: &dyn Observer) -> Result<FittedTsne, Error> {
    let points = sheet(start.len(), 4);
    let affinities = Affinities::of_points(points.view(), 5.0, observer)?;
    let recipe = Tsne { perplexity: 5.0, dim: start.dim(), gradient: Gradient::Exact, ..Tsne::default() };
    let recipe = Tsne { start: Start::Given(start.clone()), schedule, ..recipe };
    recipe.fit_affinities(Some(points.view()), &affinities, observer)
}

/// Twenty points on a grid around 0, times a factor.
fn grid(factor: f64) -> PointSet {
    let place = |i: usize| [(2 * (i % 4)) as f64 - 3.0, (i / 4) as f64 - 2.0];
    PointSet::new((0..20).flat_map(place).map(|v| factor * v).collect(), 2).expect("finite")
}

fn late(iterations: usize, check_every: usize) -> Schedule {
    Schedule { early_iterations: 0, iterations, check_every, ..Schedule::default() }
}

#[test]
fn the_first_step_is_proportional_to_the_learning_rate() -> Result<(), Error> {
    let start = grid(1.0);
    let moved = |rate| -> Result<Vec<f64>, Error> {
        let schedule = Schedule { learning_rate: LearningRate::Fixed(rate), ..late(1, 1) };
        let found = steps(&start, schedule, &Silent)?;
        Ok(found.embedding().values().iter().zip(start.view().values()).map(|(y, x)| y - x).collect())
    };
    let (once, twice) = (moved(1.0)?, moved(2.0)?);
    assert!(once.iter().any(|v| v.abs() > 1e-3), "{once:?}");
    assert!(once.iter().zip(&twice).all(|(a, b)| (2.0 * a - b).abs() < 1e-12), "{once:?} {twice:?}");
    Ok(())
}

/// In any number of dimensions, for more points than a task has.
#[test]
fn a_map_is_centered_in_every_step() -> Result<(), Error> {
    for dim in 1..=4 {
        let place = |e: usize| ((e * e) as f64).sin() + [100.0, -3.0, 7.0, 0.5][e % dim];
        let start = PointSet::new((0..300 * dim).map(place).collect(), dim)?;
        let found = steps(&start, late(1, 1), &Silent)?;
        let y = found.embedding().coordinates();
        for c in 0..dim {
            let mean = y.col(c).iter().sum::<f64>() / 300.0;
            assert!(mean.abs() < 1e-10, "{dim} dimensions, column {c}: {mean:e}");
        }
    }
    Ok(())
}

/// The divergence of a map that does not move does not decrease after it was first computed.
#[test]
fn patience_ends_where_the_divergence_stays() -> Result<(), Error> {
    let still = LearningRate::Fixed(1e-300);
    let schedule = Schedule { learning_rate: still, patience: 50, smallest_gradient: 0.0, ..late(1000, 10) };
    let found = steps(&grid(1.0), schedule, &Silent)?;
    assert_eq!(found.status(), Status::Converged { iterations: 60 });
    Ok(())
}

/// The norm of the gradient of this map is about 0.4, and 1e-9 times as much for the shrunk map.
#[test]
fn a_small_gradient_is_convergence_unless_the_map_is_small() -> Result<(), Error> {
    let status = |factor, smallest_gradient| -> Result<Status, Error> {
        let schedule = Schedule { smallest_gradient, ..late(5, 1) };
        Ok(steps(&grid(factor), schedule, &Silent)?.status())
    };
    assert_eq!(status(1.0, 3.0)?, Status::Converged { iterations: 1 });
    assert_eq!(status(1.0, 1e-7)?, Status::IterationLimit { iterations: 5 });
    assert_eq!(status(1e-9, 1e-7)?, Status::IterationLimit { iterations: 5 });
    Ok(())
}

/// No iteration is done before the first.
#[test]
fn the_progress_is_the_number_of_iterations_that_are_done() -> Result<(), Error> {
    let recorder = Recorder::default();
    steps(&grid(1.0), late(2, 1), &recorder)?;
    let events = recorder.events();
    let begun = events.iter().position(|e| *e == Event::Stage("optimization")).expect("a stage") + 1;
    let step = |done| Event::Step(done, 2);
    let expected = [step(0), Event::Iteration(1), step(1), Event::Iteration(2), step(2)];
    assert_eq!(events[begun..], expected);
    Ok(())
}
