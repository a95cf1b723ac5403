//! The pictures in the documents, made again from scenes: `cargo xtask pictures`. `cargo xtask test` fails when one is
//! stale.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use muslin_record::{Playback, Report, RunFolder};
use muslin_render::{
    BACKGROUND, Camera, Colours, Film, FilmOptions, Picture, Size, StripCell, StripStyle, png_bytes, strip,
};
use muslin_scene::Scene;

use crate::{Outcome, root, target};

/// Width of a picture in the documents [px].
const WIDTH: u32 = 1560;

/// A picture and how it is made.
struct Figure {
    file: &'static str,
    make: fn() -> Result<Picture, String>,
}

const FIGURES: [Figure; 25] = [
    Figure { file: "hang.png", make: || strip_of("hang", &[], Colours::Material, 6) },
    Figure { file: "limits.png", make: limits },
    Figure { file: "flag.png", make: || strip_of("flag", &[], Colours::Material, 6) },
    Figure { file: "none.png", make: || limiter("none", &[]) },
    Figure { file: "provot.png", make: || limiter("provot", &[]) },
    Figure { file: "bridson.png", make: || limiter("bridson", &[]) },
    Figure { file: "impulse.png", make: || limiter("impulse", &["time.step=1/1200"]) },
    Figure { file: "impulse-newton.png", make: || limiter("impulse-newton", &[]) },
    Figure { file: "iterative.png", make: || limiter("iterative", &["limiter.direction=current", "time.step=1/480"]) },
    Figure { file: "sle.png", make: || limiter("sle", &["time.step=1/4800"]) },
    Figure { file: "inequality.png", make: || limiter("inequality", &["time.step=1/60"]) },
    Figure { file: "isotropic.png", make: || limiter("isotropic", &[]) },
    Figure { file: "isotropic-meshes.png", make: meshes },
    Figure { file: "certified.png", make: || limiter("certified", &[]) },
    Figure { file: "bb08-sphere.png", make: || solid("bb08-sphere", &["time.duration=1.0"]) },
    // The ball is through at 0.7 s.
    Figure { file: "ye08-ball.png", make: || solid("ye08-ball", &["time.duration=1.0"]) },
    Figure { file: "drape-table.png", make: || solid("drape-table", &["time.duration=1.0"]) },
    Figure { file: "drape-mesh.png", make: || solid("drape-mesh", &["time.duration=1.0"]) },
    // The twist comes last: no shorter than the scene.
    Figure { file: "spin-sphere.png", make: || solid("spin-sphere", &[]) },
    Figure { file: "walker.png", make: || solid("walker", &[]) },
    Figure { file: "selfdrape.png", make: || solid("selfdrape", &["time.duration=1.0"]) },
    Figure { file: "fold.png", make: || solid("fold", &[]) },
    Figure { file: "dampers.png", make: || strip_of("dampers", &[], Colours::Material, 4) },
    Figure { file: "spring-constants.png", make: || strip_of("spring-constants", &[], Colours::Material, 3) },
    Figure { file: "buckling.png", make: || strip_of("buckling", &[], Colours::Material, 6) },
];

/// Makes all pictures and writes those that have changed.
pub(crate) fn write() -> Outcome {
    for (path, bytes) in made()? {
        if fs::read(&path).ok().as_deref() != Some(&bytes) {
            fs::write(&path, &bytes).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
            eprintln!("wrote {}", path.display());
        }
    }
    Ok(())
}

/// Fails when a picture in the documents is not the one that its scene gives.
pub(crate) fn compare() -> Outcome {
    for (path, bytes) in made()? {
        if fs::read(&path).ok().as_deref() != Some(&bytes) {
            let name = path.file_name().unwrap_or_default();
            let fresh = target().join("pictures").join(name);
            let kept = fs::create_dir_all(target().join("pictures")).and_then(|()| fs::write(&fresh, &bytes));
            let place = kept.map_or_else(|error| error.to_string(), |()| fresh.display().to_string());
            let name = name.to_string_lossy();
            return Err(format!("docs/pictures/{name} is stale (new: {place}): run `cargo xtask pictures`"));
        }
    }
    Ok(())
}

fn made() -> Result<Vec<(PathBuf, Vec<u8>)>, String> {
    let make = |figure: &Figure| {
        let picture = (figure.make)().map_err(|problem| format!("{}: {problem}", figure.file))?;
        let bytes = png_bytes(&picture).map_err(|error| error.to_string())?;
        Ok((root().join("docs/pictures").join(figure.file), bytes))
    };
    FIGURES.iter().map(make).collect()
}

/// A scene, some frames from start to end.
fn strip_of(scene: &str, sets: &[&str], colours: Colours, frames: u32) -> Result<Picture, String> {
    let (_, mut film) = film(scene, sets, colours)?;
    let every: Vec<u64> = (0..=film.last_frame()).collect();
    let (_, aspect) = film.camera(&every, None).map_err(|error| error.to_string())?;
    let width = WIDTH / frames;
    film.strip(frames, Some([width, (width as f32 / aspect) as u32])).map_err(|error| error.to_string())
}

/// A scene with solids by `certified`. Where it is shorter here, what is left out is cloth that hardly moves any more.
fn solid(scene: &str, sets: &[&str]) -> Result<Picture, String> {
    strip_of(scene, sets, Colours::Material, 6)
}

/// The standard comparison by one limiter, on a grid and for a time that keep it cheap. Those that fall apart at the
/// step that muslin chooses are shown at one that they bear; their pages say so.
fn limiter(method: &str, sets: &[&str]) -> Result<Picture, String> {
    let method = format!("limiter.method={method}");
    let common = ["cloth.0.grid.particles=[21,21]", "time.duration=1.0", &method];
    strip_of("bench-hang", &[&common, sets].concat(), Colours::Strain, 4)
}

/// The hanging sheet in a stretchy knit, without a limit, with one that is not kept and with one that is: how much it
/// stretches, where, and the worst of it.
fn limits() -> Result<Picture, String> {
    let methods = [("none", "no limit"), ("bridson", "bridson, 1 %"), ("certified", "certified, 1 %")];
    beside("hang", &["cloth.0.material=\"knit\""], 54, &methods, 0.9)
}

/// One cloth on three meshes, by limits on edges and on triangles.
fn meshes() -> Result<Picture, String> {
    beside("isotropic-meshes", &[], 45, &[("bridson", "bridson, 2 %"), ("isotropic", "isotropic, 2 %")], 0.5)
}

/// A frame of a scene by several limiters, given with their captions, coloured by strain; pictures are so high as a
/// fraction of their width.
fn beside(scene: &str, common: &[&str], frame: u64, methods: &[(&str, &str)], height: f32) -> Result<Picture, String> {
    let width = WIDTH / methods.len() as u32;
    let size: Size = [width, (width as f32 * height) as u32];
    let mut cells = Vec::new();
    let mut camera = None;
    let mut legend = None;
    for (method, name) in methods {
        let method = format!("limiter.method={method}");
        let (report, mut film) = film(scene, &[common, &[&method]].concat(), Colours::Strain)?;
        let failed = |error: muslin_render::FilmError| error.to_string();
        let (own, _) = film.camera(&[frame], Some(size[0] as f32 / size[1] as f32)).map_err(failed)?;
        // All are seen from where the first one is, which hangs lowest.
        let picture = film.picture(frame, *camera.get_or_insert(own), size[0], size[1]).map_err(failed)?;
        legend = film.legend();
        let caption = format!("{name}: worst strain {:.1} %", 100.0 * report.strain.worst);
        cells.push(StripCell { picture, caption });
    }
    strip(&cells, &StripStyle { columns: None, background: BACKGROUND, legend }).map_err(|error| error.to_string())
}

/// Runs a scene, to show it.
fn film(scene: &str, sets: &[&str], colours: Colours) -> Result<(Report, Film), String> {
    let folder = target().join("pictures").join(folder_name(scene, sets));
    simulate(scene, sets, &folder)?;
    open(&folder, colours).map_err(|error| error.to_string())
}

/// Runs a scene into a folder, over what is there, by the command that was built beside this program. A promise that
/// was broken is no failure here: the report says so.
fn simulate(scene: &str, sets: &[&str], folder: &Path) -> Outcome {
    let own = env::current_exe().map_err(|error| format!("cannot find muslin: {error}"))?;
    let mut muslin = Command::new(own.with_file_name(format!("muslin{}", env::consts::EXE_SUFFIX)));
    muslin.args(["run", scene, "--force", "--quiet", "--out"]).arg(folder);
    for set in sets {
        muslin.args(["--set", set]);
    }
    let status = muslin.status().map_err(|error| format!("cannot start muslin: {error}"))?;
    match status.code() {
        Some(0 | 1) => Ok(()),
        _ => Err(format!("muslin run {scene} failed ({status})")),
    }
}

fn open(folder: &Path, colours: Colours) -> Result<(Report, Film), Box<dyn std::error::Error>> {
    let scene = Scene::load(&folder.to_string_lossy(), &[])?;
    let folder = RunFolder::open_recorded(folder)?;
    let report = folder.report()?;
    let playback = Playback::open(&folder, &scene.build()?.model, &report)?;
    // Where the scene has a camera, documents show it as `muslin render` does.
    let camera = scene.camera.map(|plan| Camera {
        eye: plan.eye.as_vec3(),
        target: plan.target.as_vec3(),
        field_of_view: plan.field_of_view as f32,
    });
    let film = Film::new(playback, FilmOptions { colours, camera, ..FilmOptions::default() })?;
    Ok((report, film))
}

/// A folder for every way to run a scene.
fn folder_name(scene: &str, sets: &[&str]) -> String {
    let letter = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '-' };
    std::iter::once(&scene).chain(sets).copied().collect::<Vec<_>>().join("-").chars().map(letter).collect()
}
