//! The command line as typed.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand};

/// Cloth that does not stretch past its limit, and says so with numbers.
#[derive(Debug, Parser)]
#[command(name = "muslin", version, max_term_width = 100, after_help = EXIT_CODES)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXIT_CODES: &str = "\
Exit codes: 0 done and promises kept; 1 the run ended but a promise was broken (the report says where);
2 bad input, nothing written; 3 stopped early, everything up to the last good frame saved.
Data goes to standard output, progress and messages to standard error.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Simulate a scene and record it: caches, certificate, charts
    Run(RunOptions),
    /// Validate a scene and its meshes; say what it would do and what it would cost
    Check(CheckOptions),
    /// List the built-in scenes
    Scenes(Format),
    /// List integrators and limiters: what they do, where they come from, their parameters
    Methods(Format),
    /// List the material presets with the source of every value
    Materials(Format),
    /// Print the JSON Schema of scene files, for editors
    Schema,
}

#[derive(Debug, ClapArgs)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct RunOptions {
    #[command(flatten)]
    pub(crate) scene: SceneOptions,

    /// The run folder [default: runs/NAME]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Simulate so many frames instead of the scene's duration
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) frames: Option<u32>,

    /// Threads to use [default: all cores]; results are the same for any number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,

    /// Continue an interrupted run from its last frame, to the same bits as if it had never stopped
    #[arg(long, conflicts_with = "force")]
    pub(crate) resume: bool,

    /// Replace the run that is in the folder; files that are not of a run stay
    #[arg(long)]
    pub(crate) force: bool,

    /// No progress and no summary; errors are still told
    #[arg(long, short)]
    pub(crate) quiet: bool,

    /// Print the report as JSON instead of the summary
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct CheckOptions {
    #[command(flatten)]
    pub(crate) scene: SceneOptions,

    /// Print as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct SceneOptions {
    /// A scene file, a run folder, or the name of a built-in scene (see `muslin scenes`)
    #[arg(value_name = "SCENE", default_value = "hang")]
    pub(crate) scene: String,

    /// Set a value of the scene by its dotted path, e.g. --set limiter.stretch=0.001
    /// --set 'cloth.0.grid.particles=[81,81]'
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Format {
    /// Print as JSON
    #[arg(long)]
    pub(crate) json: bool,
}
