//! Progress display: bars on a terminal, lines otherwise.

use std::fmt::Display;
use std::io::{IsTerminal, Write, stderr};
use std::ops::ControlFlow;
use std::time::Duration;

use embedding::Observer;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Shows the running stage on standard error, as a bar on a terminal.
pub struct Progress {
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Creates a display, with bars on a terminal and lines otherwise.
    pub fn new() -> Self {
        Self { bar: stderr().is_terminal().then(bar) }
    }

    /// Sets the title of the following stages.
    pub fn begin(&self, task: impl Display) {
        if let Some(bar) = &self.bar {
            bar.set_prefix(task.to_string());
            self.stage("");
        }
    }

    /// Prints a line above the bar.
    pub fn line(&self, sentence: impl Display) {
        match &self.bar {
            Some(bar) => bar.println(sentence.to_string()),
            // A write error on standard error is ignored.
            None => drop(writeln!(stderr(), "{sentence}")),
        }
    }

    /// Removes the bar.
    pub fn end(&self) {
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
        ControlFlow::Continue(())
    }
}

fn bar() -> ProgressBar {
    let style = ProgressStyle::with_template(
        "{prefix:.bold} {msg:<16} {bar:28} {percent:>3}% {elapsed} ({eta} left)",
    )
    .expect("the template is valid")
    .progress_chars("=> ");
    let bar = ProgressBar::with_draw_target(Some(1), ProgressDrawTarget::stderr()).with_style(style);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
