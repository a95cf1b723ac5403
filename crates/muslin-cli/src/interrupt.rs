//! Ctrl-C and SIGTERM. Where nothing would be lost the first one ends the command at once; where files are being
//! written it asks the step under way to stop, and the command to save and end. The second one always ends it at once.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use muslin::Interrupt;

use crate::console::log;
use crate::exit::Exit;

static ASKED: AtomicBool = AtomicBool::new(false);

/// Held while it is acted upon, so that the command cannot begin to write what would then be cut off.
static ANSWER: Mutex<Answer> = Mutex::new(Answer::WhenSaved(None));

/// What the first signal does.
enum Answer {
    /// Ends the command, with a message; a file that is not finished is removed.
    AtOnce { message: &'static str, unfinished: Option<PathBuf> },
    /// Interrupts the step under way, if there is one; the command polls [`asked`].
    WhenSaved(Option<Interrupt>),
}

/// Starts to listen; until one of the functions below says otherwise, nothing has been written and a signal ends the
/// command at once. Where signals cannot be had, a run goes on without: a kill loses at most a frame anyway.
pub(crate) fn listen() {
    ends_at_once("interrupted; nothing was written");
    let _ = ctrlc::set_handler(|| {
        if ASKED.swap(true, Ordering::SeqCst) {
            std::process::exit(Exit::Stopped as i32);
        }
        match &*ANSWER.lock().unwrap_or_else(PoisonError::into_inner) {
            Answer::AtOnce { message, unfinished } => {
                if let Some(path) = unfinished {
                    // Nothing to be done if even this fails; it may not be there yet.
                    let _ = std::fs::remove_file(path);
                }
                log(format_args!("stopped: {message}"));
                std::process::exit(Exit::Stopped as i32);
            }
            Answer::WhenSaved(step) => {
                if let Some(step) = step {
                    step.ask();
                }
            }
        }
    });
}

/// From here on a signal ends the command at once: there is nothing to save.
pub(crate) fn ends_at_once(message: &'static str) {
    answer(Answer::AtOnce { message, unfinished: None });
}

/// The same, while a file is written that is removed then.
pub(crate) fn ends_at_once_without(unfinished: PathBuf, message: &'static str) {
    answer(Answer::AtOnce { message, unfinished: Some(unfinished) });
}

/// From here on a signal is for the command to poll: something is being written.
pub(crate) fn ends_when_saved() {
    answer(Answer::WhenSaved(None));
}

/// The same, and it interrupts the steps of a stepper.
pub(crate) fn interrupts(step: &Interrupt) {
    answer(Answer::WhenSaved(Some(step.clone())));
    // The signal may have come before there was a step to interrupt.
    if asked() {
        step.ask();
    }
}

fn answer(answer: Answer) {
    *ANSWER.lock().unwrap_or_else(PoisonError::into_inner) = answer;
}

/// True once the user has asked to stop.
pub(crate) fn asked() -> bool {
    ASKED.load(Ordering::SeqCst)
}
