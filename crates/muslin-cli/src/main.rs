//! The `muslin` command: thin. What it does is in the libraries; here arguments are read, libraries called and results
//! printed.

// Both panic when nobody reads any more; `console` does not.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod args;
mod check;
mod compare;
mod console;
mod exit;
mod interrupt;
mod lists;
mod progress;
mod render;
mod run;
mod session;
mod shell;
mod summary;
mod task;
mod trouble;

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
            failure.print();
            failure.exit.into()
        }
    }
}
