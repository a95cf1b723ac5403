//! Where meshes come from.

use std::path::Path;

use glam::{DVec2, DVec3};
use muslin::mesh::{BlockSpec, ChainSpec, Diagonals, DiscSpec, GridSpec, IrregularSpec, TubeSpec};

use super::{Checker, present};
use crate::error::Problem;
use crate::plan::{FileSource, MeshSource};
use crate::{files, suggest, typed};

/// The one source of a cloth's mesh.
pub(super) fn check(check: &mut Checker<'_>, path: &str, cloth: &typed::Cloth) -> Option<MeshSource> {
    let there = present(&[
        ("grid", cloth.grid.is_some()),
        ("disc", cloth.disc.is_some()),
        ("tube", cloth.tube.is_some()),
        ("irregular", cloth.irregular.is_some()),
        ("block", cloth.block.is_some()),
        ("chain", cloth.chain.is_some()),
        ("mesh", cloth.mesh.is_some()),
    ]);
    match there.as_slice() {
        [_] => {}
        [] => {
            let message = format!("`{path}` has no mesh");
            let help = "add one of `grid`, `disc`, `tube`, `irregular`, `block`, `chain` and `mesh`, for example \
                        `grid = { size = [1, 1], particles = [41, 41] }` or `mesh = \"shirt.obj\"`";
            check.report(Problem::at(path, message).label("this cloth").help(help));
            return None;
        }
        [first, second, ..] => {
            let message = format!("`{path}` has {} meshes: {}", there.len(), suggest::quoted(&there));
            let help = format!("a cloth has one: keep `{first}` or `{second}`, or write two `[[cloth]]`");
            check.report(Problem::at(format!("{path}.{second}"), message).label("a second mesh").help(help));
            return None;
        }
    }
    source(check, path, cloth)
}

fn source(check: &mut Checker<'_>, path: &str, cloth: &typed::Cloth) -> Option<MeshSource> {
    if let Some(grid) = &cloth.grid {
        return Some(MeshSource::Grid(self::grid(check, path, grid)));
    }
    if let Some(disc) = cloth.disc {
        return Some(MeshSource::Disc(DiscSpec { radius: disc.radius, rings: disc.rings }));
    }
    if let Some(tube) = &cloth.tube {
        let typed::Tube { radius, length, particles, diagonals } = *tube;
        if particles[0] < 3 {
            let key = format!("{path}.tube.particles.0");
            let message = format!("`{key}` must be at least 3, but is {}", particles[0]);
            check.report(Problem::at(key, message).help("fewer than 3 particles do not go round a tube"));
        }
        return Some(MeshSource::Tube(TubeSpec { radius, length, particles, diagonals: self::diagonals(diagonals) }));
    }
    if let Some(irregular) = cloth.irregular {
        let typed::Irregular { size, particles, jitter } = irregular;
        return Some(MeshSource::Irregular(IrregularSpec {
            size: DVec2::from(size),
            particles,
            jitter,
            seed: check.seed,
        }));
    }
    if let Some(block) = cloth.block {
        return Some(MeshSource::Block(BlockSpec { size: DVec3::from(block.size), particles: block.particles }));
    }
    if let Some(chain) = &cloth.chain {
        return Some(MeshSource::Chain(self::chain(check, path, chain)));
    }
    cloth.mesh.as_ref().map(|mesh| MeshSource::File(mesh_file(check, path, mesh)))
}

fn grid(check: &mut Checker<'_>, path: &str, grid: &typed::Grid) -> GridSpec {
    let splits = matches!(grid.diagonals, typed::Diagonals::One | typed::Diagonals::Alternating);
    if grid.triangles && !splits {
        let key = format!("{path}.grid.diagonals");
        let message = format!("`{path}.grid.triangles` needs one diagonal per cell to make triangles of");
        check.report(Problem::at(key, message).help("set `diagonals = \"one\"` or `diagonals = \"alternating\"`"));
    }
    GridSpec {
        size: DVec2::from(grid.size),
        particles: grid.particles,
        diagonals: diagonals(grid.diagonals),
        triangles: grid.triangles,
    }
}

fn chain(check: &mut Checker<'_>, path: &str, chain: &typed::Chain) -> ChainSpec {
    let (from, to) = (DVec3::from(chain.from), DVec3::from(chain.to));
    if from == to {
        let message = format!("`{path}.chain` ends where it begins");
        let help = "give `to` another place than `from`: the start pose is the straight line between them";
        check.report(Problem::at(format!("{path}.chain.to"), message).help(help));
    }
    ChainSpec { from, to, particles: chain.particles }
}

fn mesh_file(check: &mut Checker<'_>, path: &str, mesh: &typed::MeshFile) -> FileSource {
    let key = format!("{path}.mesh");
    match mesh {
        typed::MeshFile::Name(name) => {
            existing(check, &key, name);
            FileSource { path: check.path(name), scale: 1.0, z_up: false, diagonals: Diagonals::Both }
        }
        typed::MeshFile::Table(table) => {
            existing(check, &format!("{key}.file"), &table.file);
            FileSource {
                path: check.path(&table.file),
                scale: table.scale,
                z_up: table.up == typed::UpAxis::Z,
                diagonals: diagonals(table.diagonals),
            }
        }
    }
}

/// Reports a file that is not there, with the files beside it whose names are like it.
pub(super) fn existing(check: &mut Checker<'_>, key: &str, written: &str) {
    let path = check.path(written);
    if files::exists(&path) {
        return;
    }
    if let Some(name) = written.strip_prefix(files::INSIDE) {
        let message = format!("there is no file \"{name}\" inside muslin");
        let help = format!("without `{}` it is a file on disk, relative to the scene file", files::INSIDE);
        check.report(Problem::at(key, message).label("no such file").help(help));
        return;
    }
    let what = if path.is_dir() { "is a folder, not a file" } else { "does not exist" };
    let cache = [".pc2", ".mdd"].iter().any(|end| written.to_lowercase().ends_with(end));
    let kind = if cache { "cache" } else { "mesh file" };
    let message = format!("the {kind} \"{written}\" {what}");
    let help = format!("looked at {}. {}", path.display(), neighbours(&path));
    check.report(Problem::at(key, message).label("no such file").help(help));
}

fn neighbours(path: &Path) -> String {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Ok(entries) = std::fs::read_dir(folder) else {
        return format!("There is no folder {}; paths are relative to the scene file", folder.display());
    };
    let mut names: Vec<String> = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    let wanted = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    if let Some(name) = suggest::nearest(&wanted, names.iter().map(String::as_str)) {
        return format!("Did you mean \"{name}\" in that folder?");
    }
    let is_mesh = |name: &&String| [".obj", ".ply"].iter().any(|end| name.to_lowercase().ends_with(end));
    let meshes: Vec<&str> = names.iter().filter(is_mesh).take(8).map(String::as_str).collect();
    if meshes.is_empty() {
        return "That folder has no mesh files; paths are relative to the scene file".into();
    }
    format!("Mesh files in that folder: {}", suggest::quoted(&meshes))
}

fn diagonals(typed: typed::Diagonals) -> Diagonals {
    match typed {
        typed::Diagonals::None => Diagonals::None,
        typed::Diagonals::One => Diagonals::One,
        typed::Diagonals::Both => Diagonals::Both,
        typed::Diagonals::Alternating => Diagonals::Alternating,
    }
}
