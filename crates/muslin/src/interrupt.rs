//! A way to stop a step that is under way.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::StepError;

/// Asked from anywhere, a signal handler or another thread, it ends the step under way with
/// [`StepError::Interrupted`](crate::StepError), or the next one if none is under way; the state is then as it was
/// before that step. It ends one step; later steps are not affected.
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Asks for it.
    pub fn ask(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Forgets that it was asked for: the step that it ended has said so.
    pub(crate) fn clear(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// An error for the step, counted from 1, once it was asked for.
    pub(crate) fn check(&self, step: u64) -> Result<(), StepError> {
        if self.asked() { Err(StepError::Interrupted { step }) } else { Ok(()) }
    }

    /// True when it was asked for and no step has ended by it yet.
    pub fn asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
