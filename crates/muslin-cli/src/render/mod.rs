//! `muslin render`: the folder of a run in, pictures out.

mod job;

use std::path::Path;

use muslin_record::{Playback, RecordError, Report, RunFolder};
use muslin_render::{Colours, EncodeError, Film, FilmError, FilmOptions, Picture, write_png};
use muslin_scene::Scene;

use crate::args::{Color, RenderOptions};
use crate::console::print;
use crate::exit::{Exit, Failure};
use job::{Job, What};

pub(crate) fn render(options: &RenderOptions) -> Result<Exit, Failure> {
    let (report, mut film) = open(options)?;
    let job = Job::of(options, &report)?;
    match job.what {
        What::Still(frame) => save(&film.still(frame, job.size()).map_err(unshown)?, &job.out),
        What::Strip(count) => save(&film.strip(count, job.size).map_err(unshown)?, &job.out),
        What::Sequence => sequence(&mut film, &job),
        What::Gif | What::Mp4 => Ok(Exit::Kept),
    }
}

/// The run in a folder. Its scene tells what its caches hold.
fn open(options: &RenderOptions) -> Result<(Report, Film), Failure> {
    let bad = |error: RecordError| Failure::record(Exit::BadInput, &error);
    let folder = RunFolder::open_recorded(&options.run).map_err(bad)?;
    let report = folder.report().map_err(bad)?;
    let scene = Scene::load(&folder.scene_path().to_string_lossy(), &[])?;
    let model = scene.build()?.model;
    let playback = Playback::open(&folder, &model, &report).map_err(bad)?;
    let colours = match options.color {
        Color::Material => Colours::Material,
        Color::Strain => Colours::Strain,
        Color::Contact => Colours::Contact,
    };
    let film = Film::new(playback, FilmOptions { colours, subdivide: options.subdivide, camera: None });
    Ok((report, film.map_err(unshown)?))
}

fn sequence(film: &mut Film, job: &Job) -> Result<Exit, Failure> {
    let frames: Vec<u64> = (0..=film.last_frame()).collect();
    let pictures = film.animation(&frames, job.size()).map_err(unshown)?;
    for (frame, picture) in frames.iter().zip(pictures) {
        save(&picture.map_err(unshown)?, &job.file_of(*frame))?;
    }
    Ok(Exit::Kept)
}

/// Writes a picture and says where it is.
fn save(picture: &Picture, path: &Path) -> Result<Exit, Failure> {
    write_png(path, picture).map_err(unwritten)?;
    print(&format!("{}\n", path.display()))
}

fn unshown(error: FilmError) -> Failure {
    match &error {
        FilmError::Record(error) => Failure::record(Exit::BadInput, error),
        FilmError::Subdivision { .. } => {
            Failure::new(Exit::BadInput, error.to_string()).hint("use a smaller `--subdivide`")
        }
        FilmError::NoSuchFrame { .. } | FilmError::Strip(_) => Failure::new(Exit::BadInput, error.to_string()),
    }
}

fn unwritten(error: EncodeError) -> Failure {
    Failure::new(Exit::Stopped, error.to_string())
}
