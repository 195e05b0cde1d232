//! Progress display: bars on a terminal, lines otherwise.

use std::fmt::Display;
use std::io::{IsTerminal, Write, stderr};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use embedding::Observer;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::failure::INTERRUPTED;
use crate::figure::controls::escaped;
use crate::folder;

/// Shows the running stage on standard error, as a bar on a terminal.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    interrupted: Arc<AtomicBool>,
}

impl Progress {
    /// Creates a display, with bars on a terminal and lines otherwise.
    pub(crate) fn new() -> Self {
        Self { bar: stderr().is_terminal().then(bar), interrupted: Arc::default() }
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
            say(&bar, "interrupted: writing what has finished; press Ctrl-C again to stop at once");
        });
    }

    /// Lets Ctrl-C end the program with a sentence and its own exit status.
    pub(crate) fn stop_on_interrupt(&self) {
        let bar = self.bar.clone();
        self.handle(move || {
            bar.iter().for_each(ProgressBar::finish_and_clear);
            say(&None, "interrupted");
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
        }
    }

    /// Prints a line above the bar.
    pub(crate) fn line(&self, sentence: impl Display) {
        say(&self.bar, &sentence.to_string());
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
        }
    }

    fn step(&self, done: usize, total: usize) -> ControlFlow<()> {
        if let Some(bar) = &self.bar {
            bar.set_length(total as u64);
            bar.set_position(done as u64);
        }
        if self.interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

fn say(bar: &Option<ProgressBar>, sentence: &str) {
    // Names of files are part of sentences.
    let sentence = escaped(sentence);
    match bar {
        Some(bar) => bar.println(sentence),
        // A closed standard error is no reason to stop.
        None => drop(writeln!(stderr(), "{sentence}")),
    }
}

fn bar() -> ProgressBar {
    let style = ProgressStyle::with_template(
        "{prefix:.bold} {msg:<16} {wide_bar} {percent:>3}% {elapsed} ({eta} left)",
    )
    .expect("the template is valid")
    .progress_chars("=> ");
    let bar = ProgressBar::with_draw_target(Some(1), ProgressDrawTarget::stderr()).with_style(style);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
