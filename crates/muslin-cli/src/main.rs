//! The `muslin` command: thin. What it does is in the libraries; here it is read, called and told.

mod args;
mod check;
mod exit;
mod interrupt;
mod lists;
mod methods;
mod progress;
mod run;
mod session;
mod summary;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;

use args::{Args, Command};
use exit::{Exit, Failure};

fn main() -> ExitCode {
    let args = Args::parse();
    let done = match &args.command {
        Command::Run(options) => run::run(options),
        Command::Check(options) => check::check(options),
        Command::Scenes(format) => lists::scenes(format),
        Command::Methods(format) => lists::methods(format),
        Command::Materials(format) => lists::materials(format),
        Command::Schema => lists::schema(),
    };
    match done {
        Ok(exit) => exit.into(),
        Err(failure) => {
            failure.tell();
            failure.exit.into()
        }
    }
}

/// Writes data to standard output. A reader that has gone away (`muslin scenes | head -1`) is no error.
fn print(text: &str) -> Result<Exit, Failure> {
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Failure::new(Exit::Stopped, format!("cannot write to standard output: {error}")))
        }
        _ => Ok(Exit::Kept),
    }
}
