//! Standard output, for the results, and whether it was closed when the program started.
//!
//! Before `main`, the runtime of Rust opens `/dev/null` instead of closed standard streams. The
//! output then vanishes, and no write fails. A function that the loader
//! calls earlier sees the stream as the program received it.

use std::fmt::Display;
use std::io::{ErrorKind, Result as Outcome, Write, stdout};

use embedding::Error;
use figure::controls::escaped;

use crate::Failure;

/// Prints a result; fails where it cannot be written, as to a full disk. A program that has read enough is no
/// failure.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    written(stdout().write_all(escaped(text).as_bytes()))
}

/// Fails where standard output, or its rest, could not be written.
pub(super) fn written(outcome: Outcome<()>) -> Result<(), Failure> {
    let refused = |why: &dyn Display| Error::file("standard output", format!("cannot be written: {why}"));
    if was_closed() {
        return Err(refused(&"it is closed").into());
    }
    match outcome.and_then(|()| stdout().flush()) {
        // The reader has seen enough, as `head` does.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other.map_err(|error| refused(&error))?),
    }
}

/// Whether standard output was closed before the program started; false on systems where that
/// is not known (others than Linux and macOS).
fn was_closed() -> bool {
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    return before_main::CLOSED.load(std::sync::atomic::Ordering::Relaxed);
    #[cfg(not(any(target_os = "linux", target_os = "macos")))]
    return false;
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
#[expect(unsafe_code, reason = "a section of the executable is named")]
mod before_main {
    use std::sync::atomic::{AtomicBool, Ordering};

    pub(in crate::cli) static CLOSED: AtomicBool = AtomicBool::new(false);

    #[used]
    #[cfg_attr(target_os = "linux", unsafe(link_section = ".init_array"))]
    #[cfg_attr(target_os = "macos", unsafe(link_section = "__DATA,__mod_init_func"))]
    static LOOK: extern "C" fn() = look;

    /// Reads the flags of the descriptor, which fails if it is closed.
    extern "C" fn look() {
        let closed = rustix::io::fcntl_getfd(rustix::stdio::stdout()).is_err();
        CLOSED.store(closed, Ordering::Relaxed);
    }
}
