use embedding::Error;

use crate::attempt::{attempt_observed, succeed};
use crate::cases::sheet;
use crate::contract::Contract;
use crate::observers::{Event, Recorder, StopAt, StopEarly};
use crate::structure::bits;
use crate::threads::on_threads;

impl Contract {
    /// Stages come in the documented order, steps reach their total, and
    /// observing changes nothing.
    pub fn tells_its_observer_everything(&self) {
        let case = sheet(120, 1);
        let recorder = Recorder::default();
        let observed = attempt_observed(self, "observed", &case, self.setup(), &recorder)
            .unwrap_or_else(|error| panic!("{}: observed: {error}", self.name));
        let silent = succeed(self, "unobserved", &case, self.setup());
        assert!(bits(&observed) == bits(&silent), "{}: observing changed the result", self.name);

        let events = recorder.events();
        let stages: Vec<&str> = events.iter().filter_map(Event::stage).collect();
        assert_eq!(stages, self.stages, "{}: the stages, in order", self.name);
        assert!(
            matches!(events.first(), Some(Event::Stage(_))),
            "{}: a step was reported before any stage",
            self.name
        );
        let mut stepped = 0;
        for part in events.chunk_by(|_, next| next.stage().is_none()) {
            let stage = part[0].stage().unwrap_or("?");
            let steps: Vec<(usize, usize)> = part.iter().filter_map(Event::step).collect();
            stepped += steps.len();
            for &(done, total) in &steps {
                assert!(done <= total, "{}: {stage}: {done} of {total} steps", self.name);
            }
            let total = steps.iter().map(|s| s.1).max();
            let done = steps.iter().map(|s| s.0).max();
            assert_eq!(done, total, "{}: {stage}: the last step reaches the total", self.name);
        }
        assert!(stepped > 0, "{}: no step is ever reported, so it cannot be canceled", self.name);
    }

    /// Breaking at any step cancels, at once, with [`Error::Cancelled`].
    pub fn cancels_promptly(&self) {
        let case = sheet(100, 1);
        let recorder = Recorder::default();
        let run = |observer: &(dyn embedding::Observer + Sync)| {
            on_threads(1, || attempt_observed(self, "cancelled", &case, self.setup(), observer))
        };
        let full = run(&recorder);
        assert!(full.is_ok(), "{}: an observed run: {:?}", self.name, full.err());
        let calls = recorder.events().iter().filter(|e| e.step().is_some()).count();
        // Every call where there are few; otherwise about fifty, spread over all.
        let stride = calls.div_ceil(50).max(1);
        let last = calls.saturating_sub(1);
        for at in (0..calls).step_by(stride).chain([last]) {
            let stop = StopAt::new(at);
            let result = run(&stop);
            assert_eq!(
                result.err(),
                Some(Error::Cancelled),
                "{}: breaking at step call {at} of {calls} must cancel",
                self.name
            );
            let (steps, stages) = stop.afterwards();
            assert!(
                steps <= 2 && stages == 0,
                "{}: after a break at call {at} came {steps} more steps and {stages} more stages",
                self.name
            );
        }
    }

    /// An iteration that the observer stops leaves a valid result. The check passes for methods that show no
    /// iterations.
    pub fn stops_early_with_a_valid_result(&self) {
        let case = sheet(100, 1);
        let stop = StopEarly::default();
        let result = attempt_observed(self, "stopped early", &case, self.setup(), &stop);
        if let Err(error) = result {
            panic!("{}: stopping early must leave a valid result, but: {error}", self.name);
        }
        assert!(stop.shown() <= 1, "{}: {} iterations after the stop", self.name, stop.shown() - 1);
    }
}
