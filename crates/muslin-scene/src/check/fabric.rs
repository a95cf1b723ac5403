//! Materials and air.

use glam::{DVec2, DVec3};
use muslin::forces::Air;
use muslin::materials;
use muslin::model::{Bending, Fold, Material, Shear, Surface};

use super::Checker;
use crate::error::Problem;
use crate::{suggest, typed};

pub(super) fn air(air: &typed::Air, seed: u64) -> Air {
    Air {
        density: air.density,
        wind: DVec3::from(air.wind),
        gust: air.gust,
        gust_period: air.gust_period,
        particle_drag: air.particle_drag,
        seed,
    }
}

pub(super) fn surface(check: &mut Checker<'_>, path: &str, cloth: &typed::Cloth) -> Surface {
    let shear = match cloth.shear {
        None | Some(typed::cloth::Shear::Diagonals) => Shear::Diagonals,
        Some(typed::cloth::Shear::Corners) => Shear::Corners,
    };
    let bending = match cloth.bending {
        None | Some(typed::cloth::Bending::Hinges) => Bending::Hinges,
        Some(typed::cloth::Bending::Springs) => Bending::Springs,
        Some(typed::cloth::Bending::ChoiKo) => Bending::ChoiKo,
    };
    if !cloth.folds.is_empty() && bending != Bending::Hinges {
        let message = format!("`{path}.folds` needs bending by hinges: only they have a rest angle");
        check.report(Problem::at(format!("{path}.folds"), message).help(format!("remove `{path}.bending`")));
    }
    let folds = cloth.folds.iter().enumerate().map(|(number, fold)| self::fold(check, path, number, fold)).collect();
    let material = material(check, path, cloth.material.as_ref());
    Surface { material, shear, bending, weak_springs: cloth.weak_springs.unwrap_or(0.0), folds }
}

fn fold(check: &mut Checker<'_>, path: &str, number: usize, fold: &typed::Fold) -> Fold {
    let direction = DVec2::from(fold.direction).try_normalize().unwrap_or_else(|| {
        let key = format!("{path}.folds.{number}.direction");
        let message = format!("`{key}` must be a direction, but has no length");
        check.report(Problem::at(key, message).help("for example [0, 1]: along the warp"));
        DVec2::Y
    });
    Fold { point: DVec2::from(fold.point), direction, angle: fold.degrees.to_radians() }
}

fn material(check: &mut Checker<'_>, path: &str, typed: Option<&typed::Material>) -> Material {
    let changes = typed::MaterialTable::default();
    let (key, name, changes) = match typed {
        None => (String::new(), materials::DEFAULT, &changes),
        Some(typed::Material::Name(name)) => (format!("{path}.material"), name.as_str(), &changes),
        Some(typed::Material::Table(table)) => {
            (format!("{path}.material.base"), table.base.as_deref().unwrap_or(materials::DEFAULT), table)
        }
    };
    let base = materials::find(name).unwrap_or_else(|| {
        let message = format!("there is no material \"{}\"", crate::error::excerpt(name));
        check.report(Problem::at(key, message).label("unknown material").help(hint(name)));
        &materials::list()[0]
    });
    change(base.material(), changes)
}

/// The base with what the table changes.
fn change(mut material: Material, changes: &typed::MaterialTable) -> Material {
    let pairs = [
        (&mut material.density, changes.density),
        (&mut material.stretch_warp, changes.stretch_warp),
        (&mut material.stretch_weft, changes.stretch_weft),
        (&mut material.shear, changes.shear),
        (&mut material.bending, changes.bending),
        (&mut material.damping.stretch, changes.damping.stretch),
        (&mut material.damping.shear, changes.damping.shear),
        (&mut material.damping.bending, changes.damping.bending),
        (&mut material.damping.mass, changes.damping.mass),
        (&mut material.drag, changes.drag),
        (&mut material.skin_drag, changes.skin_drag),
    ];
    for (value, change) in pairs {
        *value = change.unwrap_or(*value);
    }
    material
}

/// The hint for a name that is no preset.
fn hint(name: &str) -> String {
    let names: Vec<_> = materials::list().iter().map(|preset| preset.name).collect();
    suggest::hint(name, &names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_land_in_the_fields_of_their_keys() {
        let cotton = materials::find("cotton").unwrap();
        let json = serde_json::to_value(cotton.material()).unwrap();
        for figure in &cotton.figures {
            let value = figure.key.split('.').fold(&json, |value, key| &value[key]);
            assert_eq!(value.as_f64(), Some(figure.value), "{}", figure.key);
        }
    }
}
