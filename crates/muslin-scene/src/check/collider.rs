//! Colliders: one shape each, only keys that make sense for it, and what each cloth keeps from it.

use glam::DVec3;
use muslin::collide::Shape;
use muslin::model::{Collider, Motion};

use super::names::Names;
use super::{Checker, cloth, deform, motion, source};
use crate::error::Problem;
use crate::generate::TorusKnotSpec;
use crate::plan::{ColliderPlan, SolidFile, SolidSource};
use crate::{suggest, typed};

/// The ways to say what a collider is.
const SHAPES: [&str; 7] = ["plane", "sphere", "box", "capsule", "cylinder", "mesh", "torus_knot"];

const LEAST_THICKNESS: f64 = Collider::LEAST_CERTIFIED;

pub(super) fn check_all(check: &mut Checker<'_>, file: &typed::File, names: &Names) -> Vec<ColliderPlan> {
    let mut plans = Vec::new();
    refuse_thin(check, file);
    for (number, (collider, name)) in file.collider.iter().zip(&names.colliders).enumerate() {
        plans.extend(self::collider(check, &format!("collider.{number}"), file, (collider, name), &names.cloths));
    }
    plans
}

fn collider(
    check: &mut Checker<'_>,
    path: &str,
    file: &typed::File,
    (collider, name): (&typed::Collider, &str),
    cloths: &[String],
) -> Option<ColliderPlan> {
    let source = only_source(check, path, collider);
    let placement = cloth::placement(check, path, &collider.transform);
    if collider.plane.is_some() && placement.scale != 1.0 {
        let key = format!("{path}.transform.scale");
        let message = format!("`{key}` does nothing to a plane, which has no size");
        check.report(Problem::at(key, message).help("remove it"));
    }
    let moved = collider.motion.as_ref();
    let motion = moved.map_or_else(Motion::default, |motion| {
        motion::check(check, &format!("{path}.motion"), motion, placement.translate)
    });
    meshes_only(check, path, collider);
    let deform = collider.deform.as_ref().and_then(|deform| deform::check(check, path, deform, &file.time));
    known_cloths(check, path, collider, cloths);
    let thickness = |cloth: &typed::Cloth| cloth.thickness.unwrap_or(file.contact.thickness) + collider.thickness;
    let friction = collider.friction.unwrap_or(file.contact.friction);
    let with = |name: &String| collider.friction_with.get(name).copied().unwrap_or(friction);
    Some(ColliderPlan {
        name: name.to_owned(),
        source: source?,
        placement,
        motion,
        deform,
        level_set: collider.level_set.map(|grid| grid.cell),
        thickness: file.cloth.iter().map(thickness).collect(),
        friction: cloths.iter().map(with).collect(),
    })
}

/// What "certified" verifies are motions that keep a part of the thickness; far below a millimetre hardly any substep
/// is short enough for cloth that turns about the place where it touches.
fn refuse_thin(check: &mut Checker<'_>, file: &typed::File) {
    if file.limiter.method != typed::LimiterMethod::Certified {
        return;
    }
    let Some(added) = file.collider.iter().map(|collider| collider.thickness).reduce(f64::min) else { return };
    let own = file.cloth.iter().enumerate().map(|(number, cloth)| match cloth.thickness {
        Some(own) => (format!("cloth.{number}.thickness"), own),
        None => ("contact.thickness".to_owned(), file.contact.thickness),
    });
    let mut thin: Vec<(String, f64)> = own.filter(|(_, own)| *own > 0.0 && own + added < LEAST_THICKNESS).collect();
    // Several cloths may share the key.
    thin.sort_by(|a, b| a.0.cmp(&b.0));
    thin.dedup();
    for (key, own) in thin {
        let message = format!("`{key}` of {own:e} m is too thin for the limiter \"certified\"");
        let help = format!(
            "the least is {LEAST_THICKNESS:e} m, a hundredth of a millimetre: every motion past a solid is verified to \
             keep a part of it, and the thinner it is, the shorter those motions; 0.001 is the default"
        );
        check.report(Problem::at(key, message).help(help));
    }
}

/// The one shape of a collider.
fn only_source(check: &mut Checker<'_>, path: &str, collider: &typed::Collider) -> Option<SolidSource> {
    let there = [
        collider.plane.is_some(),
        collider.sphere.is_some(),
        collider.cuboid.is_some(),
        collider.capsule.is_some(),
        collider.cylinder.is_some(),
        collider.mesh.is_some(),
        collider.torus_knot.is_some(),
    ];
    let there: Vec<&str> = SHAPES.into_iter().zip(there).filter(|(_, there)| *there).map(|(key, _)| key).collect();
    match there.as_slice() {
        [_] => Some(self::source(check, path, collider)?),
        [] => {
            let message = format!("`{path}` has no shape");
            let help = format!("add one of {}, for example `sphere = {{ radius = 0.25 }}`", suggest::quoted(&SHAPES));
            check.report(Problem::at(path, message).label("this collider").help(help));
            None
        }
        [first, second, ..] => {
            let message = format!("`{path}` has {} shapes: {}", there.len(), suggest::quoted(&there));
            let help = format!("a collider has one: keep `{first}` or `{second}`, or write two `[[collider]]`");
            check.report(Problem::at(format!("{path}.{second}"), message).label("a second shape").help(help));
            None
        }
    }
}

fn source(check: &mut Checker<'_>, path: &str, collider: &typed::Collider) -> Option<SolidSource> {
    if let Some(mesh) = &collider.mesh {
        return Some(SolidSource::File(mesh_file(check, path, mesh)));
    }
    if let Some(knot) = &collider.torus_knot {
        return Some(SolidSource::TorusKnot(torus_knot(check, &format!("{path}.torus_knot"), *knot)));
    }
    let scale = collider.transform.scale;
    let half = |length: f64| 0.5 * length * scale;
    let shape = if collider.plane.is_some() {
        Shape::Plane
    } else if let Some(sphere) = collider.sphere {
        Shape::Sphere { radius: sphere.radius * scale }
    } else if let Some(cuboid) = collider.cuboid {
        Shape::Box { half: DVec3::from(cuboid.size) * 0.5 * scale }
    } else if let Some(capsule) = collider.capsule {
        Shape::Capsule { radius: capsule.radius * scale, half_length: half(capsule.length) }
    } else {
        let cylinder = collider.cylinder?;
        Shape::Cylinder { radius: cylinder.radius * scale, half_length: half(cylinder.length) }
    };
    Some(SolidSource::Shape(shape))
}

fn torus_knot(check: &mut Checker<'_>, path: &str, knot: typed::TorusKnot) -> TorusKnotSpec {
    let typed::TorusKnot { turns, radius, winding, rope, segments } = knot;
    if common_divisor(turns) != 1 {
        let message =
            format!("`{path}.turns` [{}, {}] have a common divisor: the rope would close early", turns[0], turns[1]);
        check.report(Problem::at(format!("{path}.turns"), message).help("for example [2, 3], [3, 2] or [2, 5]"));
    }
    if winding >= radius {
        let key = format!("{path}.winding");
        let message = format!("`{key}` must be less than the `radius` of {radius} m, but is {winding}");
        check.report(Problem::at(key, message).help("else the rope goes through the axis of the ring"));
    }
    if segments[0] < 8 {
        let key = format!("{path}.segments.0");
        let message = format!("`{key}` must be at least 8, but is {}", segments[0]);
        check.report(Problem::at(key, message).help("fewer do not go round a knot"));
    }
    TorusKnotSpec { turns, radius, winding, rope, segments }
}

fn common_divisor([a, b]: [u32; 2]) -> u32 {
    if b == 0 { a } else { common_divisor([b, a % b]) }
}

fn mesh_file(check: &mut Checker<'_>, path: &str, mesh: &typed::SolidFile) -> SolidFile {
    let key = format!("{path}.mesh");
    let (key, file, scale, up) = match mesh {
        typed::SolidFile::Name(name) => (key, name, 1.0, typed::UpAxis::Y),
        typed::SolidFile::Table(table) => (format!("{key}.file"), &table.file, table.scale, table.up),
    };
    source::existing(check, &key, file);
    SolidFile { path: check.path(file), scale, z_up: up == typed::UpAxis::Z }
}

/// What only meshes can have.
fn meshes_only(check: &mut Checker<'_>, path: &str, collider: &typed::Collider) {
    if collider.deform.is_some() && collider.mesh.is_none() {
        let key = format!("{path}.deform");
        let message = format!("`{key}` needs a `mesh` from a file, whose vertices it moves");
        check.report(Problem::at(key, message).help("shapes and generated meshes move by `motion`"));
    }
    if collider.level_set.is_none() {
        return;
    }
    let key = format!("{path}.level_set");
    if collider.mesh.is_none() && collider.torus_knot.is_none() {
        let message = format!("`{key}` needs a `mesh`: shapes have their distances by formula");
        check.report(Problem::at(&key, message).help("remove it"));
    }
    if collider.deform.is_some() {
        let message = format!("`{key}` is a grid of one shape, but the mesh deforms");
        let help = "remove `level_set`, and its triangles are met exactly; or remove `deform`";
        check.report(Problem::at(key, message).help(help));
    }
}

fn known_cloths(check: &mut Checker<'_>, path: &str, collider: &typed::Collider, cloths: &[String]) {
    let names: Vec<&str> = cloths.iter().map(String::as_str).collect();
    for name in collider.friction_with.keys().filter(|name| !names.contains(&name.as_str())) {
        let key = format!("{path}.friction_with.{name}");
        let message = format!("`{path}.friction_with` speaks of the cloth \"{name}\", but there is no such cloth");
        check.report(Problem::at(key, message).label("unknown cloth").help(suggest::hint(name, &names)));
    }
}
