//! Cloths: one mesh each, and only keys that make sense for what they are.

use glam::{DQuat, DVec3};
use muslin::model::{Body, Chain, Lattice, Skin};

use super::{Checker, fabric, pins, present, source};
use crate::error::Problem;
use crate::plan::{ClothPlan, MeshSource, Placement, StartPlan};
use crate::typed;

pub(super) fn check_all(check: &mut Checker<'_>, file: &typed::File, names: &[String]) -> Vec<ClothPlan> {
    let cloths = &file.cloth;
    if cloths.is_empty() {
        let help = "add a `[[cloth]]` table, for example with `grid = { size = [1, 1], particles = [41, 41] }`";
        check.report(Problem::general("the scene has no cloth").help(help));
    }
    let cloths = cloths.iter().zip(names.iter().cloned()).enumerate();
    let plan = |(number, (cloth, name)): (usize, (&typed::Cloth, String))| {
        let skin = Skin {
            thickness: cloth.thickness.unwrap_or(file.contact.thickness),
            friction: cloth.friction.unwrap_or(file.contact.friction),
        };
        Some(ClothPlan { skin, ..self::cloth(check, &format!("cloth.{number}"), name, cloth)? })
    };
    cloths.filter_map(plan).collect()
}

fn cloth(check: &mut Checker<'_>, path: &str, name: String, cloth: &typed::Cloth) -> Option<ClothPlan> {
    let source = source::check(check, path, cloth);
    let body = body(check, path, cloth);
    let pins = cloth.pins.iter().enumerate();
    let pins: Vec<_> =
        pins.filter_map(|(number, pin)| pins::pin(check, &format!("{path}.pins.{number}"), pin)).collect();
    let placement = placement(check, path, &cloth.transform);
    let start = start(check, path, &cloth.start);
    if let Some(rest) = &cloth.rest {
        source::existing(check, &format!("{path}.rest"), rest);
        if !matches!(source, Some(MeshSource::File(_)) | None) {
            let message = format!("`{path}.rest` needs a `mesh` from a file for its start pose");
            let help = "for generated meshes, `start.scale` makes the start differ from the rest shape";
            check.report(Problem::at(format!("{path}.rest"), message).help(help));
        }
    }
    let rest = cloth.rest.as_ref().map(|rest| check.path(rest));
    Some(ClothPlan { name, source: source?, rest, placement, start, body, pins, skin: Skin::default() })
}

fn body(check: &mut Checker<'_>, path: &str, cloth: &typed::Cloth) -> Body {
    let body = match (&cloth.block, &cloth.chain) {
        (Some(block), _) => {
            Body::Lattice(Lattice { density: block.density, stiffness: block.stiffness, damping: block.damping })
        }
        (None, Some(chain)) => Body::Chain(self::chain(check, path, chain)),
        (None, None) => return Body::Surface(fabric::surface(check, path, cloth)),
    };
    let kind = if cloth.block.is_some() { "block" } else { "chain" };
    let foreign = present(&[
        ("material", cloth.material.is_some()),
        ("shear", cloth.shear.is_some()),
        ("bending", cloth.bending.is_some()),
        ("weak_springs", cloth.weak_springs.is_some()),
        ("folds", !cloth.folds.is_empty()),
    ]);
    for key in foreign {
        let message = format!("`{path}.{key}` does not belong to a {kind}, which is no fabric");
        let help = format!("remove it; a {kind} has its own `stiffness` and `damping` inside `{kind} = {{ … }}`");
        check.report(Problem::at(format!("{path}.{key}"), message).help(help));
    }
    body
}

fn chain(check: &mut Checker<'_>, path: &str, chain: &typed::Chain) -> Chain {
    if chain.mass == 0.0 && chain.bob == 0.0 {
        let message = format!("`{path}.chain` has no mass at all");
        let help = "give it a `mass` (of the whole chain) or a `bob` (at its last particle), in kg";
        check.report(Problem::at(format!("{path}.chain"), message).help(help));
    }
    let typed::Chain { mass, bob, stiffness, rest_length, damping, .. } = *chain;
    Chain { mass, bob, stiffness, rest_length, damping }
}

pub(super) fn placement(check: &mut Checker<'_>, path: &str, transform: &typed::Transform) -> Placement {
    let key = format!("{path}.transform.rotate");
    let rotate = transform.rotate.map_or(DQuat::IDENTITY, |rotate| check.rotation(&key, &rotate));
    Placement { scale: transform.scale, rotate, translate: DVec3::from(transform.translate) }
}

fn start(check: &mut Checker<'_>, path: &str, start: &typed::Start) -> StartPlan {
    let spin = start.spin.map_or(DVec3::ZERO, |spin| {
        let axis = check.direction(&format!("{path}.start.spin.axis"), spin.axis);
        axis * spin.degrees_per_second.to_radians()
    });
    StartPlan {
        scale: DVec3::from(start.scale),
        velocity: DVec3::from(start.velocity),
        spin,
        spin_centre: start.spin.and_then(|spin| spin.centre).map(DVec3::from),
        noise: start.noise,
        velocity_noise: start.velocity_noise,
    }
}
