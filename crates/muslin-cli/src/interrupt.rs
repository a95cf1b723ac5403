//! Ctrl-C and SIGTERM: the first asks the run to stop at the next step, the second ends it at once.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::exit::Exit;

static ASKED: AtomicBool = AtomicBool::new(false);

/// Starts to listen. Where signals cannot be had, a run goes on without: a kill loses at most a frame anyway.
pub(crate) fn listen() {
    let _ = ctrlc::set_handler(|| {
        if ASKED.swap(true, Ordering::SeqCst) {
            std::process::exit(Exit::Stopped as i32);
        }
    });
}

/// True once the user has asked to stop.
pub(crate) fn asked() -> bool {
    ASKED.load(Ordering::SeqCst)
}
