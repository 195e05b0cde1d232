//! Computations apart from the interpreter: thread pools, progress and interruption.

use std::collections::HashMap;
use std::mem::ManuallyDrop;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use embedding::{Error, Iteration, Observer};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::failure::exception;

/// Time between two looks at signals and progress.
const INTERVAL: Duration = Duration::from_millis(50);

/// Bytes of the stack of a worker, as many as a main thread has.
const STACK: usize = 8 << 20;

/// Receives the events of a computation for the thread that waits for it.
#[derive(Default)]
pub(crate) struct Events {
    cancelled: AtomicBool,
    state: Mutex<State>,
}

#[derive(Clone, Copy, Default, PartialEq)]
struct State {
    stage: &'static str,
    done: usize,
    total: usize,
    iteration: usize,
}

impl Events {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn go_on(&self) -> ControlFlow<()> {
        if self.cancelled.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

impl Observer for Events {
    fn stage(&self, name: &'static str) {
        *self.state() = State { stage: name, ..State::default() };
    }

    fn step(&self, done: usize, total: usize) -> ControlFlow<()> {
        let mut state = self.state();
        (state.done, state.total) = (done, total);
        self.go_on()
    }

    fn iteration(&self, iteration: &Iteration<'_>) -> ControlFlow<()> {
        self.state().iteration = iteration.number;
        self.go_on()
    }
}

/// A process, and its pools by number of threads.
type Pools = (u32, HashMap<usize, Arc<ThreadPool>>);

/// The pools of this process: a forked one has none of the threads of its parent.
static POOLS: Mutex<Option<Pools>> = Mutex::new(None);

/// The pool of that many threads; 0 for as many as processors.
fn pool(threads: usize) -> PyResult<Arc<ThreadPool>> {
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    if let Some(foreign) = pools.take_if(|(owner, _)| *owner != process) {
        // Its threads do not exist here, so that dropping it would wait without end.
        let _ = ManuallyDrop::new(foreign);
    }
    let (_, pools) = pools.get_or_insert_with(|| (process, HashMap::new()));
    if let Some(pool) = pools.get(&threads) {
        return Ok(Arc::clone(pool));
    }
    let pool = ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK).build();
    let pool = Arc::new(pool.map_err(|error| PyRuntimeError::new_err(error.to_string()))?);
    pools.insert(threads, Arc::clone(&pool));
    Ok(pool)
}

/// Runs `work` on a pool of `threads` threads without the interpreter's lock.
///
/// Meanwhile the calling thread looks at signals, which Python handles in the main thread
/// only, and calls `progress(stage, done, total, iteration)` where the state has changed. An
/// exception of either cancels the work, and is raised when it has ended.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    threads: usize,
    progress: Option<&Py<PyAny>>,
    work: impl FnOnce(&Events) -> Result<T, Error> + Send,
) -> PyResult<T> {
    let pool = pool(threads)?;
    let events = Events::default();
    py.detach(|| {
        let (sender, receiver) = channel();
        let mut raised = None;
        let mut shown = State::default();
        let events = &events;
        let result = pool.in_place_scope(|scope| {
            scope.spawn(move |_| {
                // The receiver waits until the end.
                let _ = sender.send(work(events));
            });
            loop {
                match receiver.recv_timeout(INTERVAL) {
                    Ok(result) => return Some(result),
                    Err(RecvTimeoutError::Disconnected) => return None,
                    Err(RecvTimeoutError::Timeout) if raised.is_some() => {}
                    Err(RecvTimeoutError::Timeout) => {
                        if let Err(error) = look(events, &mut shown, progress) {
                            events.cancelled.store(true, Ordering::Relaxed);
                            raised = Some(error);
                        }
                    }
                }
            }
        });
        match (raised, result) {
            (Some(error), _) => Err(error),
            (None, Some(result)) => result.map_err(exception),
            (None, None) => Err(PyRuntimeError::new_err("the computation ended without a result")),
        }
    })
}

/// Handles signals and shows progress.
fn look(events: &Events, shown: &mut State, progress: Option<&Py<PyAny>>) -> PyResult<()> {
    let state = *events.state();
    Python::attach(|py| {
        py.check_signals()?;
        if let Some(progress) = progress.filter(|_| state != *shown) {
            progress.call1(py, (state.stage, state.done, state.total, state.iteration))?;
            *shown = state;
        }
        Ok(())
    })
}
