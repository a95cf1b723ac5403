//! A strip of pictures for each method, all seen from the same place, so that they can be laid side by side.

use muslin_record::{CompareFolder, Trial};
use muslin_render::{Camera, Colours, FilmOptions, Size, png_bytes, spread};

use crate::console::log;
use crate::exit::Failure;
use crate::interrupt;
use crate::progress::Counter;
use crate::render::{open, unshown, unwritten};

/// Frames of a strip, and the width of each [px].
const FRAMES: u32 = 5;
const WIDTH: u32 = 280;

/// Where all strips are seen from, and the size of each frame.
struct View {
    camera: Camera,
    size: Size,
}

/// Takes the pictures of all runs. What cannot be shown has none: figures and charts do not depend on them.
pub(super) fn take(folder: &CompareFolder, trials: &mut [Trial], quiet: bool) {
    let Some(calmest) = calmest(trials) else { return };
    let view = match View::of(folder, calmest) {
        Ok(view) => view,
        Err(failure) => return log(format_args!("note: no pictures: {}", failure.text())),
    };
    let mut counter = Counter::start(quiet, trials.len());
    for trial in trials.iter_mut().filter(|trial| trial.ran().is_some()) {
        if interrupt::asked() {
            break;
        }
        match view.strip(folder, &trial.method) {
            Ok(png) => trial.strip = Some(png),
            Err(failure) => log(format_args!("note: no pictures of `{}`: {}", trial.method, failure.text())),
        }
        counter.count();
    }
    counter.end();
}

/// The method whose cloth stretched least, if possible one that came to its end: from where all of a cloth that blew up
/// is in sight, nothing is seen of the others.
fn calmest(trials: &[Trial]) -> Option<&str> {
    let ran = trials.iter().filter_map(|trial| Some((trial, &trial.ran()?.report)));
    let order = |report: &muslin_record::Report| (!report.completed, report.strain.worst_step);
    let calmest = ran.min_by(|(_, a), (_, b)| {
        let (a, b) = (order(a), order(b));
        a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
    });
    calmest.map(|(trial, _)| trial.method.as_str())
}

impl View {
    /// The scene's own camera, or one from which the motion of a method is in sight.
    fn of(folder: &CompareFolder, method: &str) -> Result<Self, Failure> {
        let (_, mut film) = open(&folder.run_dir(method), options(None))?;
        let frames = spread(film.last_frame(), FRAMES as usize);
        let (camera, aspect) = film.camera(&frames, None).map_err(unshown)?;
        Ok(Self { camera, size: [WIDTH, (WIDTH as f32 / aspect).round() as u32] })
    }

    fn strip(&self, folder: &CompareFolder, method: &str) -> Result<Vec<u8>, Failure> {
        let (_, mut film) = open(&folder.run_dir(method), options(Some(self.camera)))?;
        let picture = film.strip(FRAMES, Some(self.size)).map_err(unshown)?;
        png_bytes(&picture).map_err(unwritten)
    }
}

fn options(camera: Option<Camera>) -> FilmOptions {
    FilmOptions { colours: Colours::Strain, subdivide: 0, camera }
}
