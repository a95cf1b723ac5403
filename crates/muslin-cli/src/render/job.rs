//! What `muslin render` is to make, and where it goes.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use muslin_record::Report;
use muslin_render::Size;

use crate::args::{Color, FrameChoice, RenderOptions};
use crate::exit::{Exit, Failure};

/// Pixels of a picture by default.
const SIZE: Size = [960, 540];

/// Pictures to make.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Job {
    pub(crate) what: What,
    pub(crate) size: Option<Size>,
    pub(crate) out: PathBuf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    /// One frame.
    Still(u64),
    /// A file for every frame.
    Sequence,
    /// So many frames in one picture.
    Strip(u32),
    Gif,
    Mp4,
}

impl Job {
    pub(crate) fn of(options: &RenderOptions, report: &Report) -> Result<Self, Failure> {
        let what = what(options, report.frames)?;
        let out = options.out.clone().unwrap_or_else(|| options.run.join(file_name(what, options.color)));
        let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            let message = format!("cannot write `{}`: there is no folder `{}`", out.display(), folder.display());
            return Err(Failure::new(Exit::BadInput, message)
                .hint("create the folder first, or choose another with `--out FILE`"));
        }
        if out.is_dir() {
            let message = format!("cannot write `{}`: it is a folder", out.display());
            return Err(Failure::new(Exit::BadInput, message).hint("`--out` names a file, such as pictures/hang.png"));
        }
        Ok(Self { what, size: options.size.map(|size| [size.width, size.height]), out })
    }

    /// Pixels of a picture that is not part of a strip.
    pub(crate) fn size(&self) -> Size {
        self.size.unwrap_or(SIZE)
    }

    /// The file of a frame in a sequence: `run.png` gives `run-0001.png`.
    pub(crate) fn file_of(&self, frame: u64) -> PathBuf {
        let stem = self.out.file_stem().unwrap_or_default().to_string_lossy();
        self.out.with_file_name(format!("{stem}-{frame:04}.png"))
    }
}

fn what(options: &RenderOptions, last: u64) -> Result<What, Failure> {
    let what = match (kind(options)?, options.strip, options.frame) {
        (Kind::Gif, None, None) => What::Gif,
        (Kind::Mp4, None, None) => What::Mp4,
        (Kind::Gif | Kind::Mp4, ..) => {
            let message = "an animation shows all frames and cannot be combined with `--frame` or `--strip`";
            return Err(Failure::new(Exit::BadInput, message).hint("stills and strips are PNG files"));
        }
        (Kind::Png, Some(count), _) => What::Strip(count),
        (Kind::Png, None, Some(FrameChoice::All)) => What::Sequence,
        (Kind::Png, None, Some(FrameChoice::One(frame))) => What::Still(frame),
        (Kind::Png, None, None) => What::Still(last),
    };
    match what {
        What::Still(frame) if frame > last => {
            let message = format!("`{}` has no frame {frame}", options.run.display());
            Err(Failure::new(Exit::BadInput, message).hint(format!("its frames are 0 to {last}")))
        }
        _ => Ok(what),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Png,
    Gif,
    Mp4,
}

/// The kind of file asked for: by a switch, or by how the file's name ends. The two must agree.
fn kind(options: &RenderOptions) -> Result<Kind, Failure> {
    let asked = match (options.png, options.gif, options.mp4) {
        (true, ..) => Some(Kind::Png),
        (_, true, _) => Some(Kind::Gif),
        (.., true) => Some(Kind::Mp4),
        _ => None,
    };
    let Some(out) = &options.out else { return Ok(asked.unwrap_or(Kind::Png)) };
    let named = by_ending(out).ok_or_else(|| {
        let message = format!("`{}` does not end like a picture that muslin can write", out.display());
        Failure::new(Exit::BadInput, message).hint("choose a name that ends in .png, .gif or .mp4")
    })?;
    if asked.is_some_and(|asked| asked != named) {
        let message = format!("the name `{}` and the option ask for different kinds of picture", out.display());
        return Err(Failure::new(Exit::BadInput, message)
            .hint("leave out `--png`, `--gif` or `--mp4`: the end of the name decides"));
    }
    Ok(named)
}

fn by_ending(path: &Path) -> Option<Kind> {
    match path.extension().and_then(OsStr::to_str)?.to_ascii_lowercase().as_str() {
        "png" => Some(Kind::Png),
        "gif" => Some(Kind::Gif),
        "mp4" => Some(Kind::Mp4),
        _ => None,
    }
}

/// The name of a file in the run's folder.
fn file_name(what: What, color: Color) -> String {
    let colour = match color {
        Color::Material => "",
        Color::Strain => "-strain",
        Color::Contact => "-contact",
    };
    match what {
        What::Still(frame) => format!("frame-{frame:04}{colour}.png"),
        What::Sequence => format!("frame{colour}.png"),
        What::Strip(count) => format!("strip-{count}{colour}.png"),
        What::Gif => format!("animation{colour}.gif"),
        What::Mp4 => format!("animation{colour}.mp4"),
    }
}
