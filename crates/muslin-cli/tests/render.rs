//! `muslin render`: which pictures it makes, and where.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod common;

use std::collections::HashSet;
use std::fs;

use common::{Place, args};

/// Small pictures are made fast.
const TINY: [&str; 2] = ["--size", "96x54"];

/// A folder with a short run in `run`.
fn with_run() -> Place {
    let place = Place::new();
    let small = ["--set", "cloth.0.grid.particles=[9,9]", "--frames", "6", "--quiet"];
    place.muslin(&args(&["run", "hang", "--out", "run"], &small)).exits(0);
    place
}

/// Renders a tiny picture of the run and gives back its pixels, after checking that its path was printed.
#[track_caller]
fn rendered(place: &Place, options: &[&str], file: &str) -> Pixels {
    let done = place.muslin(&args(&args(&["render", "run"], &TINY), options)).exits(0);
    assert_eq!((done.stdout.as_str(), done.stderr.as_str()), (format!("{file}\n").as_str(), ""));
    read(place, file)
}

/// A PNG file, decoded.
#[derive(PartialEq, Eq)]
struct Pixels {
    size: [u32; 2],
    bytes: Vec<u8>,
}

impl Pixels {
    fn colours(&self) -> HashSet<[u8; 3]> {
        self.bytes.as_chunks().0.iter().copied().collect()
    }

    /// Fraction of the pixels that are like the one at the top left, where nothing is.
    fn fraction_of_background(&self) -> f64 {
        let pixels: &[[u8; 3]] = self.bytes.as_chunks().0;
        pixels.iter().filter(|&pixel| *pixel == pixels[0]).count() as f64 / pixels.len() as f64
    }
}

#[track_caller]
fn read(place: &Place, file: &str) -> Pixels {
    let bytes = fs::read(place.path(file)).unwrap();
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!(info.color_type, png::ColorType::Rgb);
    Pixels { size: [info.width, info.height], bytes: pixels }
}

#[test]
fn the_last_frame_is_shown_by_itself_and_its_path_printed() {
    let place = with_run();
    let before = place.list("run");
    let done = place.muslin(&["render", "run"]).exits(0);
    assert_eq!((done.stdout.as_str(), done.stderr.as_str()), ("run/frame-0006.png\n", ""));
    let picture = read(&place, "run/frame-0006.png");
    assert_eq!(picture.size, [960, 540]);
    assert!(picture.colours().len() > 500, "{} colours", picture.colours().len());
    let new: Vec<_> = place.list("run").into_iter().filter(|name| !before.contains(name)).collect();
    assert_eq!(new, ["frame-0006.png"]);
}

#[test]
fn a_picture_in_a_run_folder_does_not_keep_the_run_from_being_run_again() {
    let place = with_run();
    rendered(&place, &[], "run/frame-0006.png");
    place.muslin(&["run", "run", "--resume", "--quiet"]).exits(0);
    assert!(place.path("run/frame-0006.png").exists());
}

#[test]
fn any_frame_can_be_chosen() {
    let place = with_run();
    let third = rendered(&place, &["--frame", "3"], "run/frame-0003.png");
    let last = rendered(&place, &["--frame", "6"], "run/frame-0006.png");
    assert_eq!((third.size, last.size), ([96, 54], [96, 54]));
    assert!(third != last, "frames 3 and 6 look the same");
    assert!(last == rendered(&place, &["--png", "--out", "last.png"], "last.png"), "the last frame is the default");
}

#[test]
fn all_frames_are_numbered_files() {
    let place = with_run();
    fs::create_dir(place.path("all")).unwrap();
    let every = |options: &[&str]| {
        place.muslin(&args(&args(&["render", "run", "--frame", "all"], &TINY), options)).exits(0).stdout
    };
    let printed = every(&["--out", "all/sheet.png"]);
    let names: Vec<_> = (0..=6).map(|frame| format!("sheet-{frame:04}.png")).collect();
    assert_eq!(place.list("all"), names);
    assert_eq!(printed.lines().collect::<Vec<_>>(), names.iter().map(|name| format!("all/{name}")).collect::<Vec<_>>());
    let pictures: HashSet<_> = names.iter().map(|name| read(&place, &format!("all/{name}")).bytes).collect();
    assert_eq!(pictures.len(), 7, "all frames differ");
    every(&["--color", "strain"]);
    assert!(place.path("run/frame-strain-0006.png").exists());
}

#[test]
fn a_strip_has_its_frames_side_by_side() {
    let place = with_run();
    let strip = rendered(&place, &["--strip", "3"], "run/strip-3.png");
    // Three cells of 96 × 54, with gaps around and captions below.
    let [width, height] = strip.size;
    assert!((3 * 96..4 * 96).contains(&width) && (54..2 * 54).contains(&height), "{width} × {height}");
    let more_than_there_are = rendered(&place, &["--strip", "100"], "run/strip-100.png");
    assert!(more_than_there_are.size[0] < 7 * 130, "seven frames at most: {:?}", more_than_there_are.size);
    let explained = rendered(&place, &["--strip", "3", "--color", "strain"], "run/strip-3-strain.png");
    assert!(explained.size[0] >= width && explained.size[1] > height, "a legend needs room: {:?}", explained.size);
    place.muslin(&["render", "run", "--strip", "2"]).exits(0);
    let [width, height] = read(&place, "run/strip-2.png").size;
    assert!(width > 800 && height > 300, "{width} × {height} is small for a paper");
}

#[test]
fn colours_by_number_are_other_pictures_with_a_legend() {
    let place = with_run();
    let material = rendered(&place, &["--color", "material"], "run/frame-0006.png");
    let strain = rendered(&place, &["--color", "strain"], "run/frame-0006-strain.png");
    let contact = rendered(&place, &["--color", "contact"], "run/frame-0006-contact.png");
    assert!(material != strain && strain != contact && contact != material);
}

#[test]
fn a_legend_explains_colours_where_there_is_room_for_it() {
    let place = with_run();
    // Ink of the legend.
    let ink = [38, 42, 48];
    for colours in ["strain", "contact"] {
        let with_ink = ["400x300", "120x90"].map(|size| {
            place.muslin(&["render", "run", "--color", colours, "--size", size, "--out", "picture.png"]).exits(0);
            read(&place, "picture.png").colours().contains(&ink)
        });
        assert_eq!(with_ink, [true, false], "{colours}");
    }
}

#[test]
fn subdivision_makes_another_picture() {
    let place = with_run();
    let plain = rendered(&place, &["--subdivide", "0"], "run/frame-0006.png");
    let smooth = rendered(&place, &["--subdivide", "1"], "run/frame-0006.png");
    assert!(plain != smooth);
}

#[test]
fn a_run_that_stopped_early_is_shown_up_to_where_it_came() {
    let place = Place::new();
    let unstable = ["integrator.method=explicit-euler", "time.step=\"frame/4\"", "limiter.method=none"];
    let unstable = unstable.map(|set| ["--set", set]).concat();
    let small = ["--set", "cloth.0.grid.particles=[9,9]", "--frames", "90", "--quiet"];
    place.muslin(&args(&args(&["run", "hang", "--out", "run"], &small), &unstable)).exits(3);
    let last = place.report("run")["frames"].as_u64().unwrap();
    assert!((1..90).contains(&last), "{last} frames, so the test tests nothing");
    rendered(&place, &[], &format!("run/frame-{last:04}.png"));
    rendered(&place, &["--strip", "4", "--color", "strain"], "run/strip-4-strain.png");
    rendered(&place, &["--color", "contact"], &format!("run/frame-{last:04}-contact.png"));
}

#[test]
fn a_scene_says_where_its_pictures_are_taken_from() {
    let sheet = "[time]\nduration = 0.1\n[[cloth]]\ngrid = { particles = [5, 5] }\npins = [{ corner = [0, 0] }]\n";
    let camera = |eye: &str| format!("[camera]\neye = {eye}\ntarget = [0, 0, 0]\nfield_of_view = 40\n");
    let views = [String::new(), camera("[2, 1, 2]"), camera("[0, 3, 0]"), camera("[0, -3, 0]")];
    let pictures: HashSet<Vec<u8>> = views
        .iter()
        .map(|camera| {
            let place = Place::new();
            place.write("scene.toml", format!("{sheet}{camera}"));
            place.muslin(&["run", "scene.toml", "--out", "run", "--quiet"]).exits(0);
            let picture = rendered(&place, &[], "run/frame-0003.png");
            assert!(picture.fraction_of_background() < 0.98, "nothing is seen with\n{camera}");
            picture.bytes
        })
        .collect();
    assert_eq!(pictures.len(), views.len(), "every view is another picture");
}

#[test]
fn a_picture_is_replaced_by_the_next_of_its_name() {
    let place = with_run();
    place.write("mine.png", "not a picture");
    rendered(&place, &["--out", "mine.png"], "mine.png");
    assert_eq!(place.list("."), ["mine.png", "run"]);
}

#[cfg(unix)]
mod video {
    use std::path::Path;

    use super::*;

    /// Renders with a stand-in for ffmpeg as the only one there is.
    fn with_stand_in(place: &Place, name: &str, options: &[&str]) -> std::process::Output {
        let stand_ins = Path::new(env!("CARGO_MANIFEST_DIR")).join("../muslin-render/tests/ffmpeg");
        let bin = place.path("bin");
        fs::create_dir(&bin).unwrap();
        std::os::unix::fs::symlink(stand_ins.join(name), bin.join("ffmpeg")).unwrap();
        // The stand-ins are scripts: they need the usual commands.
        let path = format!("{}:/usr/bin:/bin", bin.display());
        place.command(&args(&args(&["render", "run"], &TINY), options)).env("PATH", path).output().unwrap()
    }

    #[test]
    fn ffmpeg_gets_every_frame() {
        let place = with_run();
        let output = with_stand_in(&place, "records", &["--mp4"]);
        assert!(output.status.success(), "{output:?}");
        assert_eq!(String::from_utf8_lossy(&output.stdout), "run/animation.mp4\n");
        let recorded = fs::read_to_string(place.path("run/animation.mp4")).unwrap();
        let (arguments, bytes) = recorded.trim_end().rsplit_once('\n').unwrap();
        assert_eq!(bytes.trim(), (7 * 96 * 54 * 3).to_string());
        assert!(arguments.contains("96x54") && arguments.contains("30"), "{arguments}");
    }

    #[test]
    fn an_ffmpeg_that_fails_is_quoted_and_leaves_nothing() {
        let place = with_run();
        let before = place.list("run");
        let output = with_stand_in(&place, "fails-at-the-end", &["--out", "run/video.mp4"]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && said.contains("line 20"), "{output:?}");
        assert!(output.stdout.is_empty());
        assert_eq!(place.list("run"), before);
    }

    #[test]
    fn without_ffmpeg_there_is_a_hint_and_nothing_else() {
        let place = with_run();
        let before = place.list("run");
        fs::create_dir(place.path("empty")).unwrap();
        let output = place.command(&["render", "run", "--mp4"]).env("PATH", place.path("empty")).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(output.stdout.is_empty());
        insta::assert_snapshot!(String::from_utf8_lossy(&output.stderr), @r"
        error: MP4 files need ffmpeg, which was not found

        hint: install ffmpeg and have it on the PATH, or use `--gif`, or `--frame all` for a PNG each
        ");
        assert_eq!(place.list("run"), before);
    }
}

#[cfg(unix)]
#[test]
fn an_animation_that_is_interrupted_leaves_nothing_behind() {
    let place = with_run();
    fs::create_dir(place.path("pictures")).unwrap();
    // Some seconds of work: there is time to strike in the middle.
    let mut child =
        place.start(&["render", "run", "--size", "1600x900", "--subdivide", "3", "--out", "pictures/run.gif"]);
    std::thread::sleep(std::time::Duration::from_millis(700));
    let status = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(status.success());
    assert_eq!(child.wait().unwrap().code(), Some(3));
    assert_eq!(place.list("pictures"), Vec::<String>::new());
}

mod slow {
    use super::*;

    #[test]
    fn the_bytes_are_the_same_on_any_number_of_threads() {
        let place = with_run();
        for kind in [&["--color", "strain"][..], &["--color", "contact", "--subdivide", "1"], &["--gif"]] {
            let [one, two] = ["1", "2"].map(|threads| {
                let output = place
                    .command(&args(&args(&["render", "run"], &TINY), kind))
                    .env("RAYON_NUM_THREADS", threads)
                    .output();
                let output = output.unwrap();
                assert!(output.status.success(), "{output:?}");
                fs::read(place.path(String::from_utf8(output.stdout).unwrap().trim())).unwrap()
            });
            assert!(one == two, "{kind:?}: one thread and two give different bytes");
        }
    }

    #[test]
    fn a_gif_holds_every_frame_for_as_long_as_it_lasts() {
        let place = with_run();
        for (options, file) in [(&["--gif"][..], "run/animation.gif"), (&["--out", "a.GIF"], "a.GIF")] {
            let done = place.muslin(&args(&args(&["render", "run"], &TINY), options)).exits(0);
            assert_eq!(done.stdout, format!("{file}\n"));
            let bytes = fs::read(place.path(file)).unwrap();
            assert!(bytes.starts_with(b"GIF89a"));
            let mut reader = gif::DecodeOptions::new().read_info(&bytes[..]).unwrap();
            assert_eq!((reader.width(), reader.height()), (96, 54));
            let mut delays = Vec::new();
            while let Some(frame) = reader.read_next_frame().unwrap() {
                delays.push(u32::from(frame.delay));
            }
            assert_eq!(delays.len(), 7);
            // The six frames before the last are 1/30 s each: 0.2 s, in hundredths.
            assert_eq!(delays[..6].iter().sum::<u32>(), 20, "{delays:?}");
        }
    }
}
