//! Caches of deforming meshes: are the files there, and how fast do they go?

use std::path::{Path, PathBuf};

use super::{Checker, source};
use crate::error::Problem;
use crate::plan::{CacheFiles, DeformPlan};
use crate::typed;

pub(super) fn check(
    check: &mut Checker<'_>,
    collider: &str,
    deform: &typed::Deform,
    time: &typed::Time,
) -> Option<DeformPlan> {
    let key = format!("{collider}.deform.file");
    let path = check.path(&deform.file);
    let extension = path.extension().map(|end| end.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    let files = match extension.as_str() {
        "pc2" | "mdd" => {
            source::existing(check, &key, &deform.file);
            let one = if extension == "pc2" { CacheFiles::Pc2 } else { CacheFiles::Mdd };
            one(path)
        }
        "obj" | "ply" if deform.file.contains('#') => CacheFiles::Sequence(sequence(check, &key, deform, &path)?),
        _ => {
            let message = format!("\"{}\" is no cache that muslin reads", deform.file);
            let help = "give a .pc2 or .mdd file, or a sequence of meshes such as \"walk_####.obj\"";
            check.report(Problem::at(key, message).label("not a cache").help(help));
            return None;
        }
    };
    let written = deform.frames_per_second;
    let frames_per_second = match &files {
        CacheFiles::Mdd(_) => written,
        _ => Some(written.unwrap_or(time.frames_per_second)),
    };
    Some(DeformPlan { files, frames_per_second, start: deform.start })
}

/// The files of a sequence, by number; each number from the first to the last.
fn sequence(check: &mut Checker<'_>, key: &str, deform: &typed::Deform, pattern: &Path) -> Option<Vec<PathBuf>> {
    let name = pattern.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let (before, rest) = name.split_once('#')?;
    let after = rest.trim_start_matches('#');
    let folder = pattern.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let number = |name: &str| -> Option<u32> {
        let digits = name.strip_prefix(before)?.strip_suffix(after)?;
        digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
    };
    let names = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = names.filter_map(|entry| entry.file_name().into_string().ok());
    let mut found: Vec<(u32, String)> = names.filter_map(|name| Some((number(&name)?, name))).collect();
    found.sort();
    if found.is_empty() {
        let message = format!("no file fits \"{}\"", deform.file);
        let help = format!(
            "looked in {} for names like \"{before}0001{after}\"; paths are relative to the scene file",
            folder.display()
        );
        check.report(Problem::at(key, message).label("no such files").help(help));
        return None;
    }
    if let Some(gap) = found.windows(2).find(|pair| pair[1].0 != pair[0].0 + 1) {
        let message = format!("the sequence \"{}\" goes from \"{}\" to \"{}\"", deform.file, gap[0].1, gap[1].1);
        let help = "its shapes are equally spaced in time, so each number is needed, once";
        check.report(Problem::at(key, message).label("not one after the other").help(help));
        return None;
    }
    Some(found.into_iter().map(|(_, name)| folder.join(name)).collect())
}
