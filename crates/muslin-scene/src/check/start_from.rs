//! The earlier run that a scene starts from: is it there, has it that frame, has it these cloths?

use std::path::Path;

use super::Checker;
use crate::error::Problem;
use crate::plan::{ClothPlan, StartFromPlan};
use crate::{point_cache, suggest, typed};

pub(super) fn check(check: &mut Checker<'_>, start: &typed::StartFrom, cloths: &[ClothPlan]) -> Option<StartFromPlan> {
    let folder = check.path(&start.run);
    if !folder.is_dir() {
        let message = format!("there is no run \"{}\" to start from", start.run);
        let help = format!("looked for the folder {}; paths are relative to the scene file", folder.display());
        check.report(Problem::at("start_from.run", message).label("no such folder").help(help));
        return None;
    }
    for cloth in cloths {
        cache_of(check, start, &folder, cloth);
    }
    let frames_per_second = start.frames_per_second.or_else(|| recorded_rate(&folder.join("scene.toml")));
    if frames_per_second.is_none() && !start.at_rest {
        let message = format!("the run \"{}\" does not say how many frames per second it has", start.run);
        let help = "its folder has no readable scene.toml: add `start_from.frames_per_second`, or `at_rest = true`";
        check.report(Problem::at("start_from.run", message).help(help));
    }
    let frames_per_second = frames_per_second.unwrap_or(1.0);
    Some(StartFromPlan { folder, frame: start.frame, at_rest: start.at_rest, frames_per_second })
}

fn cache_of(check: &mut Checker<'_>, start: &typed::StartFrom, folder: &Path, cloth: &ClothPlan) {
    let path = folder.join(format!("{}.pc2", cloth.name));
    if !path.is_file() {
        let names = caches(folder);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let message = format!("the run \"{}\" has no cloth \"{}\"", start.run, cloth.name);
        let help = if names.is_empty() {
            "its folder has no `.pc2` file at all: is it a run folder?".into()
        } else {
            format!("cloths are matched by name; {}", suggest::hint(&cloth.name, &names))
        };
        check.report(Problem::at("start_from.run", message).help(help));
        return;
    }
    match point_cache::open(&path) {
        Err(error) => {
            check.report(Problem::at("start_from.run", format!("{error}")).help("the run has to be made again"));
        }
        Ok(cache) if u64::from(start.frame) >= cache.frames() => {
            let message =
                format!("`start_from.frame` is {}, but \"{}\" has {} frames", start.frame, start.run, cache.frames());
            let help = match cache.frames() {
                0 => "that run has not written a frame yet".into(),
                count => format!("frames count from 0: the last is {}", count - 1),
            };
            check.report(Problem::at("start_from.frame", message).help(help));
        }
        Ok(_) => {}
    }
}

fn caches(folder: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter_map(|name| name.strip_suffix(".pc2").map(str::to_owned)).collect();
    names.sort();
    names
}

/// Frames per second of a recorded scene.
fn recorded_rate(path: &Path) -> Option<f64> {
    let text = std::fs::read_to_string(path).ok()?;
    let file: typed::File = toml::from_str(&text).ok()?;
    Some(file.time.frames_per_second)
}
