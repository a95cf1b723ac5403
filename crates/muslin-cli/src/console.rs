//! Standard output and standard error, whose readers may go away at any moment (`muslin run 2>&1 | head -1`).

use std::fmt::Display;
use std::io::{ErrorKind, Write};

use crate::exit::{Exit, Failure};

/// Writes data to standard output. A reader that has gone away is no error.
pub(crate) fn print(text: &str) -> Result<Exit, Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::new(Exit::Stopped, format!("cannot write to standard output: {error}")))
        }
        _ => Ok(Exit::Kept),
    }
}

/// Writes a line to standard error. A failure to write is ignored: a run does not depend on its reader.
pub(crate) fn log(line: impl Display) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}
