//! The `muslin` command: thin. What it does is in the libraries; here it is read, called and told.

// Both panic when nobody reads any more; `console` does not.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod args;
mod check;
mod compare;
mod console;
mod exit;
mod interrupt;
mod lists;
mod methods;
mod progress;
mod render;
mod run;
mod session;
mod shell;
mod summary;
mod task;

use std::process::ExitCode;

use clap::Parser;

use args::{Args, Command};

fn main() -> ExitCode {
    let args = Args::parse();
    let done = match &args.command {
        Command::Run(options) => run::run(options),
        Command::Check(options) => check::check(options),
        Command::Compare(options) => compare::compare(options),
        Command::Render(options) => render::render(options),
        Command::Scenes(format) => lists::scenes(format),
        Command::Methods(format) => lists::methods(format),
        Command::Materials(format) => lists::materials(format),
        Command::Schema => lists::schema(),
        Command::Completions { shell } => shell::completions(*shell),
        Command::Man => shell::man(),
    };
    match done {
        Ok(exit) => exit.into(),
        Err(failure) => {
            failure.tell();
            failure.exit.into()
        }
    }
}
