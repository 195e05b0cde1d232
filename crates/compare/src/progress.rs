//! Progress display: bars on a terminal, lines otherwise.

use std::fmt::Display;
use std::io::{IsTerminal, Write, stderr};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use embedding::Observer;
use figure::controls::escaped;
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::failure::INTERRUPTED;
use crate::folder;

/// Shows the running stage on standard error, as a bar on a terminal.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    /// What runs, where there is no terminal.
    running: Mutex<Running>,
    /// When several fits are expected to be ready.
    left: Arc<Mutex<Option<TimeLeft>>>,
    interrupted: Arc<AtomicBool>,
}

/// When several fits are expected to be ready.
#[derive(Clone, Copy)]
pub(crate) struct TimeLeft {
    /// When the running one is.
    pub ready: Instant,
    /// The time of those after it.
    pub after: Duration,
}

/// The time between lines about one stage, where there is no terminal.
const BETWEEN: Duration = Duration::from_secs(60);

/// A stage that may take long.
struct Running {
    task: String,
    stage: &'static str,
    /// When the next line is due.
    due: Instant,
}

impl Progress {
    /// Creates a display, with bars on a terminal and lines otherwise.
    pub(crate) fn new() -> Self {
        let running = Running { task: String::new(), stage: "", due: Instant::now() + BETWEEN };
        let left = Arc::default();
        Self {
            bar: stderr().is_terminal().then(|| bar(&left)),
            running: Mutex::new(running),
            left,
            interrupted: Arc::default(),
        }
    }

    /// Lets Ctrl-C end the running method, so that what has finished can be kept:
    /// see [`Progress::interrupted`]. A second one removes unfinished output and
    /// ends the program.
    pub(crate) fn finish_on_interrupt(&self) {
        let (flag, bar) = (Arc::clone(&self.interrupted), self.bar.clone());
        self.handle(move || {
            if flag.swap(true, Ordering::SeqCst) {
                folder::abandon();
                std::process::exit(INTERRUPTED.into());
            }
            print_line(&bar, "interrupted: writing what has finished; press Ctrl-C again to stop at once");
        });
    }

    /// Lets Ctrl-C end the program with a sentence and its own exit status.
    pub(crate) fn stop_on_interrupt(&self) {
        let bar = self.bar.clone();
        self.handle(move || {
            bar.iter().for_each(ProgressBar::finish_and_clear);
            print_line(&None, "interrupted");
            std::process::exit(INTERRUPTED.into());
        });
    }

    fn handle(&self, handler: impl FnMut() + 'static + Send) {
        if let Err(error) = ctrlc::set_handler(handler) {
            self.line(format!("note: Ctrl-C ends the program at once, as it cannot be handled: {error}"));
        }
    }

    /// Whether the user asked to stop.
    pub(crate) fn interrupted(&self) -> bool {
        self.interrupted.load(Ordering::SeqCst)
    }

    /// What an interruption sets.
    #[cfg(test)]
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.interrupted)
    }

    /// Sets the title of the following stages.
    pub(crate) fn begin(&self, task: impl Display) {
        if let Some(bar) = &self.bar {
            bar.set_prefix(escaped(&task.to_string()).into_owned());
            self.stage("");
        } else if let Ok(mut running) = self.running.lock() {
            *running = Running { task: task.to_string(), stage: "", due: Instant::now() + BETWEEN };
        }
    }

    /// Sets when all fits are expected to be ready, which is shown with the running stage.
    pub(crate) fn expect(&self, left: Option<TimeLeft>) {
        if let Ok(mut shown) = self.left.lock() {
            *shown = left;
        }
    }

    /// Prints a line above the bar.
    pub(crate) fn line(&self, sentence: impl Display) {
        print_line(&self.bar, &sentence.to_string());
    }

    /// Removes the bar.
    pub(crate) fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl Default for Progress {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.end();
    }
}

impl Observer for Progress {
    fn stage(&self, name: &'static str) {
        if let Some(bar) = &self.bar {
            bar.set_message(name);
            bar.set_length(1);
            bar.set_position(0);
            bar.reset_eta();
        } else if let Ok(mut running) = self.running.lock() {
            running.stage = name;
        }
    }

    fn step(&self, done: usize, total: usize) -> ControlFlow<()> {
        if let Some(bar) = &self.bar {
            bar.set_length(total as u64);
            bar.set_position(done as u64);
        } else if let Ok(mut running) = self.running.try_lock()
            && Instant::now() >= running.due
        {
            running.due = Instant::now() + BETWEEN;
            print_line(&None, &(line_of(&running, done, total) + &of_all(&self.left)));
        }
        if self.interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// A task, its stage, and the part of the stage that is done.
fn line_of(running: &Running, done: usize, total: usize) -> String {
    let Running { task, stage, .. } = running;
    let percent = (100 * done).checked_div(total).unwrap_or(0);
    let named =
        |name: &str, sign: &str| if name.is_empty() { String::new() } else { format!("{name}{sign} ") };
    format!("{}{}{percent} %", named(task, ":"), named(stage, ","))
}

/// The time left for all fits, where it is known.
fn of_all(left: &Mutex<Option<TimeLeft>>) -> String {
    let Ok(Some(TimeLeft { ready, after })) = left.lock().map(|left| *left) else { return String::new() };
    let left = ready.saturating_duration_since(Instant::now()) + after;
    format!(", all fits: about {} left", HumanDuration(left))
}

fn print_line(bar: &Option<ProgressBar>, sentence: &str) {
    // Names of files are part of sentences.
    let sentence = escaped(sentence);
    match bar {
        Some(bar) => bar.println(sentence),
        // A closed standard error is no reason to stop.
        None => drop(writeln!(stderr(), "{sentence}")),
    }
}

/// Estimates of the time that is left are shown below it.
const LONGEST: Duration = Duration::from_secs(24 * 3600);

fn bar(left: &Arc<Mutex<Option<TimeLeft>>>) -> ProgressBar {
    let of_fits = Arc::clone(left);
    let template = "{prefix:.bold} {msg:<16} {wide_bar} {percent:>3}% {elapsed}{left}{all}";
    let style = ProgressStyle::with_template(template)
        .expect("the template is valid")
        .with_key("all", move |_: &ProgressState, text: &mut dyn std::fmt::Write| {
            let _ = text.write_str(&of_all(&of_fits));
        })
        .with_key("left", |state: &ProgressState, text: &mut dyn std::fmt::Write| {
            // Of a stage that stands still, the rate says nothing.
            let left = state.eta();
            if left < LONGEST {
                let _ = write!(text, " ({:#} left)", HumanDuration(left));
            }
        })
        .progress_chars("=> ");
    let bar = ProgressBar::with_draw_target(Some(1), ProgressDrawTarget::stderr()).with_style(style);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_names_the_task_its_stage_and_the_part_that_is_done() {
        let mut running = Running { task: "umap".to_owned(), stage: "", due: Instant::now() };
        assert_eq!(line_of(&running, 0, 0), "umap: 0 %");
        running.stage = "neighbors";
        assert_eq!(line_of(&running, 1, 3), "umap: neighbors, 33 %");
        let left =
            TimeLeft { ready: Instant::now() + Duration::from_secs(10), after: Duration::from_secs(590) };
        assert_eq!(of_all(&Mutex::new(Some(left))), ", all fits: about 10 minutes left");
        assert_eq!(of_all(&Mutex::new(None)), "");
        running.task.clear();
        assert_eq!(line_of(&running, 3, 3), "neighbors, 100 %");
    }
}
