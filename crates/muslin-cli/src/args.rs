//! The command line as typed.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

/// Cloth that does not stretch past its limit, and says so with numbers.
#[derive(Debug, Parser)]
#[command(name = "muslin", version, max_term_width = 100, after_help = EXIT_CODES)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The most frames of a run, as in scenes; more is a slip of the keyboard.
const MOST_FRAMES: i64 = 10_000_000;

const EXIT_CODES: &str = "\
Exit codes:
  0  finished, everything kept
  1  finished, but something was not kept: the report says what and where
  2  bad input, nothing written
  3  stopped early, everything up to the last good frame saved

Data goes to standard output, progress and messages to standard error.";

const COMPARE_EXIT_CODES: &str = "\
Exit codes:
  0  every limiter was run; the table says how each ended
  2  bad input, nothing written
  3  interrupted, what was done is saved";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Simulate a scene and record it: caches, certificate, charts
    Run(RunOptions),
    /// Validate a scene and its meshes; say what it would do and what it would cost
    Check(CheckOptions),
    /// Run a scene by several limiters: one table, charts, a strip of pictures each
    Compare(CompareOptions),
    /// Make pictures of a run: a still, a strip of several frames, an animation
    Render(RenderOptions),
    /// List the built-in scenes
    Scenes(Format),
    /// List integrators and limiters: what they do, where they come from, their parameters
    Methods(Format),
    /// List the material presets with the source of every value
    Materials(Format),
    /// Print the JSON Schema of scene files, for editors
    Schema,
    /// Print a script that makes a shell complete commands and options
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the man page, all commands in one
    Man,
}

#[derive(Debug, ClapArgs)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct RunOptions {
    #[command(flatten)]
    pub(crate) scene: SceneOptions,

    /// The run folder [default: runs/NAME]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Simulate so many frames instead of the scene's duration, or of those an interrupted run was to have
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MOST_FRAMES))]
    pub(crate) frames: Option<u32>,

    /// Threads at most [default: all cores]; `certified` uses one for each cloth. Results are the same for any number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,

    /// Continue an interrupted run from its last frame, to the same bits as if it had never stopped
    #[arg(long, conflicts_with = "force")]
    pub(crate) resume: bool,

    /// Replace the run that is in the folder; files that are not of a run stay
    #[arg(long)]
    pub(crate) force: bool,

    /// No progress and no summary; errors are still printed
    #[arg(long, short)]
    pub(crate) quiet: bool,

    /// Print the report as JSON instead of the summary
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = COMPARE_EXIT_CODES)]
pub(crate) struct CompareOptions {
    #[command(flatten)]
    pub(crate) scene: SceneOptions,

    /// The limiters, separated by commas, or `all` (see `muslin methods`); NAME-printed: by the letter of its document
    #[arg(long, value_name = "A,B,…|all", required = true, value_delimiter = ',')]
    pub(crate) limiters: Vec<String>,

    /// The folder of the comparison, with a run folder for each limiter in it [default: runs/NAME-compare]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Simulate so many frames instead of the scene's duration
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MOST_FRAMES))]
    pub(crate) frames: Option<u32>,

    /// Threads at most [default: all cores]; `certified` uses one for each cloth. Results are the same for any number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,

    /// Replace the comparison that is in the folder; files that are not of it stay
    #[arg(long)]
    pub(crate) force: bool,

    /// No progress and no table; errors are still printed
    #[arg(long, short)]
    pub(crate) quiet: bool,

    /// Print compare.json instead of the table
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
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct RenderOptions {
    /// The folder of a run, e.g. runs/hang
    #[arg(value_name = "RUN")]
    pub(crate) run: PathBuf,

    /// The frame to show, or `all` for a file each [default: the last; of an animation, all]
    #[arg(long, value_name = "N|all", allow_negative_numbers = true, value_parser = FrameChoice::parse)]
    pub(crate) frame: Option<FrameChoice>,

    /// So many frames side by side, from the first to the last
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        conflicts_with_all = ["frame", "gif", "mp4"],
        value_parser = clap::value_parser!(u32).range(1..=100)
    )]
    pub(crate) strip: Option<u32>,

    /// PNG: stills, strips (this is the default)
    #[arg(long, conflicts_with_all = ["gif", "mp4"])]
    pub(crate) png: bool,

    /// An animated GIF of the whole run, in real time
    #[arg(long, conflicts_with_all = ["frame", "mp4"])]
    pub(crate) gif: bool,

    /// A video of the whole run, in real time; needs ffmpeg
    #[arg(long, conflicts_with = "frame")]
    pub(crate) mp4: bool,

    /// What colours show
    #[arg(long, value_enum, default_value_t)]
    pub(crate) color: Color,

    /// Levels of Loop subdivision, for a smoother look; each makes four triangles of one
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        allow_negative_numbers = true,
        value_parser = clap::value_parser!(u32).range(0..=6)
    )]
    pub(crate) subdivide: u32,

    /// Pixels of a picture; in a strip, of each frame [default: 960x540; in a strip, as the motion needs]
    #[arg(long, value_name = "WxH", allow_hyphen_values = true, value_parser = Size::parse)]
    pub(crate) size: Option<Size>,

    /// The file to write [default: in the run's folder, named after what it shows]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// No progress; errors are still printed
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// What `--frame` chooses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FrameChoice {
    One(u64),
    All,
}

impl FrameChoice {
    fn parse(text: &str) -> Result<Self, String> {
        match text {
            "all" => Ok(Self::All),
            _ => text.parse().map(Self::One).map_err(|_| "neither a frame's number nor `all`".to_owned()),
        }
    }
}

/// What colours of a picture show.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// The material
    #[default]
    Material,
    /// The strain of the edges, against the limit
    Strain,
    /// The gap to solids, to other cloth, or to itself where it is folded
    Contact,
}

/// Pixels of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) width: u32,
    pub(crate) height: u32,
}

impl Size {
    fn parse(text: &str) -> Result<Self, String> {
        const PIXELS: std::ops::RangeInclusive<u32> = 16..=8192;
        let side = |text: &str| text.parse::<u32>().ok().filter(|side| PIXELS.contains(side));
        let sides = text.split_once('x').and_then(|(width, height)| Some((side(width)?, side(height)?)));
        let wrong = || format!("not a width and a height of {} to {}, such as 1280x720", PIXELS.start(), PIXELS.end());
        sides.map(|(width, height)| Self { width, height }).ok_or_else(wrong)
    }
}

#[derive(Debug, ClapArgs)]
pub(crate) struct SceneOptions {
    /// A scene file, a run folder, or the name of a built-in scene (see `muslin scenes`) [default: hang]
    #[arg(value_name = "SCENE")]
    pub(crate) scene: Option<String>,

    /// Set a value of the scene by its dotted path, e.g. --set limiter.stretch=0.001
    /// --set 'cloth.0.grid.particles=[81,81]'
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
}

impl SceneOptions {
    /// The scene asked for.
    pub(crate) fn name(&self) -> &str {
        self.scene.as_deref().unwrap_or("hang")
    }
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Format {
    /// Print as JSON
    #[arg(long)]
    pub(crate) json: bool,
}
