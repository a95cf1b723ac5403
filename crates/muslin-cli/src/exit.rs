//! Exit codes of the contract, and failures that know theirs.

use std::io::IsTerminal;
use std::process::ExitCode;

use muslin_record::RecordError;
use muslin_scene::{Problem, SceneError};

use crate::console;

/// How the command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Finished, everything kept.
    Kept = 0,
    /// Finished, but something was not kept; the report says what and where.
    Broken = 1,
    /// Bad input; nothing was written.
    BadInput = 2,
    /// Stopped early; everything up to the last good frame is saved.
    Stopped = 3,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}

/// Why the command could not do what it was asked.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) exit: Exit,
    message: Message,
    hint: Option<String>,
}

#[derive(Debug)]
enum Message {
    Plain(String),
    Scene(SceneError),
}

impl Failure {
    pub(crate) fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self { exit, message: Message::Plain(message.into()), hint: None }
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same, with another exit code.
    pub(crate) fn with_exit(self, exit: Exit) -> Self {
        Self { exit, ..self }
    }

    /// A run folder that cannot be written or read, before (`BadInput`) or during a run (`Stopped`).
    pub(crate) fn record(exit: Exit, error: &RecordError) -> Self {
        Self { exit, message: Message::Plain(error.to_string()), hint: error.hint() }
    }

    /// What it says, in a line.
    pub(crate) fn text(&self) -> String {
        match &self.message {
            Message::Plain(text) => text.clone(),
            Message::Scene(error) => error.to_string(),
        }
    }

    /// What is wrong with the scene, when it is the scene's fault.
    pub(crate) fn problems(&self) -> &[Problem] {
        match &self.message {
            Message::Plain(_) => &[],
            Message::Scene(error) => error.problems(),
        }
    }

    /// Prints it to standard error: scene errors with the line quoted, in colour where that can be seen.
    pub(crate) fn print(self: &Failure) {
        match &self.message {
            Message::Plain(text) => console::log(format_args!("error: {text}")),
            Message::Scene(error) if std::io::stderr().is_terminal() => {
                console::log(format_args!("{:?}", miette::Report::new(error.clone())));
            }
            Message::Scene(error) => console::log(plain(error)),
        }
        if let Some(hint) = &self.hint {
            console::log(format_args!("\nhint: {hint}"));
        }
    }
}

/// A scene's errors as text: where colour cannot be seen, `error:` takes the place of miette's mark.
fn plain(error: &SceneError) -> String {
    let rendered = error.render().replace("Error: \n  x ", "error: ");
    let text = rendered.trim();
    format!("error: {}", text.strip_prefix("x ").unwrap_or(text))
}

impl From<SceneError> for Failure {
    fn from(error: SceneError) -> Self {
        Self { exit: Exit::BadInput, message: Message::Scene(error), hint: None }
    }
}
