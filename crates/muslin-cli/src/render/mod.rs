//! `muslin render`: the folder of a run in, pictures out.

mod job;

use std::io::IsTerminal;
use std::path::Path;

use muslin_record::{Playback, RecordError, Report, RunFolder};
use muslin_render::{
    AnimationWriter, Camera, Colours, EncodeError, Film, FilmError, FilmOptions, GifWriter, Picture, VideoWriter,
    spread, unfinished_path, write_png,
};
use muslin_scene::Scene;
use muslin_scene::plan::CameraPlan;

use crate::args::{Color, RenderOptions};
use crate::console::{log, print};
use crate::exit::{Exit, Failure};
use crate::interrupt;
use crate::progress::{Activity, Counter};
use job::{Job, What};

/// Pictures that the colours of a GIF are chosen from.
const PALETTE_SAMPLES: usize = 8;

pub(crate) fn render(options: &RenderOptions) -> Result<Exit, Failure> {
    interrupt::listen();
    let colours = match options.color {
        Color::Material => Colours::Material,
        Color::Strain => Colours::Strain,
        Color::Contact => Colours::Contact,
    };
    // As the counter of pictures does, it hides where there is no terminal.
    let activity = Activity::start(options.quiet || !std::io::stderr().is_terminal());
    activity.now("reading the run");
    let (report, mut film) = open(&options.run, FilmOptions { colours, subdivide: options.subdivide, camera: None })?;
    let job = Job::of(options, &report)?;
    warn_of_nothing(&mut film, job.what)?;
    activity.now("drawing");
    // Several pictures are counted instead.
    let activity = Some(activity).filter(|_| matches!(job.what, What::Still(_) | What::Strip(_)));
    let done = match job.what {
        What::Still(frame) => save(&film.still(frame, job.size()).map_err(unshown)?, &job.out),
        What::Strip(count) => save(&film.strip(count, job.size).map_err(unshown)?, &job.out),
        What::Sequence => sequence(&mut film, &job, options.quiet),
        What::Gif | What::Mp4 => animation(&mut film, &job, options.quiet),
    };
    drop(activity);
    done
}

/// The run in a folder. Its scene describes what its caches hold, and where to look from unless the options do.
pub(crate) fn open(dir: &Path, options: FilmOptions) -> Result<(Report, Film), Failure> {
    let bad = |error: RecordError| Failure::record(Exit::BadInput, &error);
    let folder = RunFolder::open_recorded(dir).map_err(bad)?;
    let report = folder.report().map_err(bad)?;
    let path = folder.scene_path();
    if !path.is_file() {
        let message = format!("`{}` is missing: it says what the caches hold", path.display());
        return Err(Failure::new(Exit::BadInput, message).hint("put it back, or run the scene again"));
    }
    let scene = Scene::load(&path.to_string_lossy(), &[])?;
    let model = scene.build()?.model;
    let playback = Playback::open(&folder, &model, &report).map_err(bad)?;
    let camera = options.camera.or(scene.camera.map(camera));
    let film = Film::new(playback, FilmOptions { camera, ..options });
    Ok((report, film.map_err(unshown)?))
}

/// Says so when the scene's camera looks at none of what is to be shown.
fn warn_of_nothing(film: &mut Film, what: What) -> Result<(), Failure> {
    let frames = match what {
        What::Still(frame) => vec![frame],
        _ => (0..=film.last_frame()).collect(),
    };
    if !film.is_in_view(&frames).map_err(unshown)? {
        log("note: the camera of the scene looks at no cloth: see `[camera]` in its scene.toml");
    }
    Ok(())
}

fn camera(plan: CameraPlan) -> Camera {
    Camera { eye: plan.eye.as_vec3(), target: plan.target.as_vec3(), field_of_view: plan.field_of_view as f32 }
}

/// A file for every frame; each is named when it is there.
fn sequence(film: &mut Film, job: &Job, quiet: bool) -> Result<Exit, Failure> {
    let frames: Vec<u64> = (0..=film.last_frame()).collect();
    let mut counter = Counter::start(quiet, frames.len());
    let pictures = film.animation(&frames, job.size()).map_err(unshown)?;
    for (frame, picture) in frames.iter().zip(pictures) {
        let stopped = |failure: Failure| if *frame == 0 { failure } else { failure.with_exit(Exit::Stopped) };
        save(&picture.map_err(unshown).map_err(stopped)?, &job.file_of(*frame)).map_err(stopped)?;
        stop_if_asked("the pictures made so far are there")?;
        interrupt::ends_at_once("interrupted; the pictures made so far are there");
        counter.count();
    }
    counter.end();
    Ok(Exit::Kept)
}

fn animation(film: &mut Film, job: &Job, quiet: bool) -> Result<Exit, Failure> {
    let frames: Vec<u64> = (0..=film.last_frame()).collect();
    interrupt::ends_at_once_without(unfinished_path(&job.out), "interrupted; nothing was written");
    let mut writer = writer(film, job)?;
    let mut counter = Counter::start(quiet, frames.len());
    for picture in film.animation(&frames, job.size()).map_err(unshown)? {
        writer.add(&picture.map_err(unshown)?).map_err(unwritten)?;
        counter.count();
    }
    interrupt::ends_when_saved();
    writer.finish().map_err(unwritten)?;
    counter.end();
    print_path(&job.out)
}

fn stop_if_asked(what_is_left: &str) -> Result<(), Failure> {
    if interrupt::asked() {
        return Err(Failure::new(Exit::Stopped, format!("interrupted: {what_is_left}")));
    }
    Ok(())
}

fn writer(film: &mut Film, job: &Job) -> Result<Box<dyn AnimationWriter>, Failure> {
    let frames_per_second = 1.0 / film.frame_length();
    if job.what == What::Mp4 {
        let [width, height] = job.size();
        let writer = VideoWriter::new(&job.out, Path::new("ffmpeg"), frames_per_second, width, height);
        return Ok(Box::new(writer.map_err(unwritten)?));
    }
    let frames = spread(film.last_frame(), PALETTE_SAMPLES);
    let mut samples = Vec::new();
    for picture in film.animation(&frames, job.size()).map_err(unshown)? {
        samples.push(picture.map_err(unshown)?);
    }
    Ok(Box::new(GifWriter::new(&job.out, frames_per_second, &samples).map_err(unwritten)?))
}

/// Writes a picture and says where it is.
fn save(picture: &Picture, path: &Path) -> Result<Exit, Failure> {
    interrupt::ends_when_saved();
    write_png(path, picture).map_err(unwritten)?;
    print_path(path)
}

fn print_path(path: &Path) -> Result<Exit, Failure> {
    print(&format!("{}\n", path.display()))
}

pub(crate) fn unshown(error: FilmError) -> Failure {
    match error {
        FilmError::Record(error) => Failure::record(Exit::BadInput, &error),
        FilmError::Subdivision { .. } => {
            Failure::new(Exit::BadInput, error.to_string()).hint("use a smaller `--subdivide`")
        }
        FilmError::NotFinite { .. } | FilmError::NoSuchFrame { .. } | FilmError::Strip(_) => {
            Failure::new(Exit::BadInput, error.to_string())
        }
    }
}

/// Nothing was written: files appear only when they are whole.
pub(crate) fn unwritten(error: EncodeError) -> Failure {
    match error {
        EncodeError::FfmpegNotFound { .. } => {
            Failure::new(Exit::BadInput, "MP4 files need ffmpeg, which was not found")
                .hint("install ffmpeg and have it on the PATH, or use `--gif`, or `--frame all` for a PNG each")
        }
        EncodeError::Write { .. } => {
            Failure::new(Exit::BadInput, error.to_string()).hint("choose another place with `--out FILE`")
        }
        error => Failure::new(Exit::BadInput, error.to_string()),
    }
}
