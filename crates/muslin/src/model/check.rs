//! Numbers of a model that no step could work with, and names that are not unique.

use super::{Body, Chain, Cloth, Collider, Damping, Lattice, Material, Model, ModelError, Skin, World};
use crate::error::{OutOfRange, is_amount};
use crate::forces::Air;
use crate::mesh::{Diagnosis, MeshError};

const AMOUNT: &str = "finite and at least 0";
const POSITIVE: &str = "finite and more than 0";

impl World {
    /// An error for gravity and air that are none.
    pub(super) fn check(&self) -> Result<(), OutOfRange> {
        let Self { gravity, air: Air { density, wind, gust, gust_period, particle_drag, seed: _ } } = self;
        OutOfRange::unless(gravity.is_finite(), "gravity", format_args!("{gravity} m/s²"), "finite")?;
        OutOfRange::unless(is_amount(*density), "the density of the air", format_args!("{density} kg/m³"), AMOUNT)?;
        OutOfRange::unless(wind.is_finite(), "the wind", format_args!("{wind} m/s"), "finite")?;
        OutOfRange::unless(is_amount(*gust), "the gust fraction", gust, AMOUNT)?;
        let period = gust_period.is_finite() && *gust_period > 0.0;
        OutOfRange::unless(period, "the period of gusts", format_args!("{gust_period} s"), POSITIVE)?;
        let unit = format_args!("{particle_drag} N·s/m³");
        OutOfRange::unless(is_amount(*particle_drag), "the drag of the air per particle", unit, AMOUNT)
    }
}

impl Cloth {
    /// An error for a cloth of which no part of a model can be made.
    pub(super) fn check(&self) -> Result<(), ModelError> {
        let count = self.mesh.positions.len();
        if self.start.len() != count || self.start_velocity.len() != count {
            return Err(ModelError::PoseSize { cloth: self.name.clone(), start: self.start.len(), rest: count });
        }
        self.check_mesh().map_err(|source| ModelError::Mesh { cloth: self.name.clone(), source })?;
        let problem = self.body.check().and_then(|()| self.check_start()).and_then(|()| self.skin.check());
        problem.map_err(|problem| ModelError::Cloth { cloth: self.name.clone(), problem })
    }

    fn check_mesh(&self) -> Result<(), MeshError> {
        if self.mesh.positions.is_empty() {
            return Err(MeshError::Defect("the mesh has no vertices".into()));
        }
        Diagnosis::check_usable(&self.mesh)
    }

    fn check_start(&self) -> Result<(), OutOfRange> {
        for (vertex, (x, v)) in self.start.iter().zip(&self.start_velocity).enumerate() {
            let place = format_args!("the place where vertex {vertex} starts");
            OutOfRange::unless(x.is_finite(), place, format_args!("{x} m"), "finite")?;
            let speed = format_args!("the velocity with which vertex {vertex} starts");
            OutOfRange::unless(v.is_finite(), speed, format_args!("{v} m/s"), "finite")?;
        }
        Ok(())
    }
}

impl Skin {
    fn check(&self) -> Result<(), OutOfRange> {
        let Self { thickness, friction } = self;
        let thick = thickness.is_finite() && *thickness > 0.0;
        OutOfRange::unless(thick, "its thickness", format_args!("{thickness} m"), POSITIVE)?;
        OutOfRange::unless(is_amount(*friction), "its friction", friction, AMOUNT)
    }
}

impl Body {
    fn check(&self) -> Result<(), OutOfRange> {
        let amount = |what: &str, value: f64, unit: &str| {
            OutOfRange::unless(is_amount(value), what, format_args!("{value} {unit}"), AMOUNT)
        };
        match self {
            Self::Surface(surface) => {
                surface.material.check(amount)?;
                amount("the stiffness of its weak springs", surface.weak_springs, "N/m")
            }
            Self::Lattice(Lattice { density, stiffness, damping }) => {
                amount("its density", *density, "kg/m³")?;
                amount("its stiffness", *stiffness, "N/m²")?;
                amount("its damping", *damping, "of critical")
            }
            Self::Chain(Chain { mass, bob, stiffness, rest_length, damping }) => {
                amount("its mass", *mass, "kg")?;
                amount("its bob", *bob, "kg")?;
                amount("its stiffness", *stiffness, "N/m")?;
                amount("its rest length", rest_length.unwrap_or(0.0), "m")?;
                amount("its damping", *damping, "of critical")
            }
        }
    }
}

impl Material {
    /// The first figure that is no `amount`.
    fn check(&self, amount: impl Fn(&str, f64, &str) -> Result<(), OutOfRange>) -> Result<(), OutOfRange> {
        let Self { density, stretch_warp, stretch_weft, shear, bending, damping, drag, skin_drag } = *self;
        amount("the density of its material", density, "kg/m²")?;
        amount("the stiffness of its warp", stretch_warp, "N/m")?;
        amount("the stiffness of its weft", stretch_weft, "N/m")?;
        amount("its shear stiffness", shear, "N/m")?;
        amount("its bending rigidity", bending, "N·m")?;
        let Damping { stretch, shear, bending, mass } = damping;
        amount("its damping of stretch", stretch, "of critical")?;
        amount("its damping of shear", shear, "of critical")?;
        amount("its damping of bending", bending, "of critical")?;
        amount("its damping of all motion", mass, "1/s")?;
        amount("its drag", drag, "(a coefficient)")?;
        amount("its skin drag", skin_drag, "(a coefficient)")
    }
}

impl Model {
    /// An error for gravity, air or colliders that a step could not work with. All of it can be changed in a model that
    /// was built.
    pub(crate) fn check_surroundings(&self) -> Result<(), ModelError> {
        World { gravity: self.gravity, air: self.air }.check()?;
        for collider in &self.colliders {
            let named = |problem| ModelError::Collider { collider: collider.name.clone(), problem };
            collider.check(self.cloths.len()).map_err(named)?;
        }
        Ok(())
    }

    /// An error for a collider from which cloth keeps less than this [m].
    pub(crate) fn check_thickness(&self, least: f64) -> Result<(), ModelError> {
        for Collider { name, thickness, .. } in &self.colliders {
            for xi in thickness {
                let (value, range) = (format_args!("{xi} m"), "at least 1e-5 m with `certified`");
                let problem = OutOfRange::unless(*xi >= least, "its thickness", value, range);
                problem.map_err(|problem| ModelError::Collider { collider: name.clone(), problem: problem.into() })?;
            }
        }
        Ok(())
    }

    /// An error for two cloths, or two colliders, of one name: a name would mean the first of them.
    pub(crate) fn check_names(&self) -> Result<(), ModelError> {
        let cloths = self.cloths.iter().map(|cloth| &cloth.name);
        let colliders = self.colliders.iter().map(|collider| &collider.name);
        let again = |kind, name: Option<&String>| {
            name.map_or(Ok(()), |name| Err(ModelError::SameName { kind, name: name.clone() }))
        };
        again("cloths", first_again(cloths))?;
        again("colliders", first_again(colliders))
    }
}

/// The first name that was there before.
fn first_again<'n>(mut names: impl Iterator<Item = &'n String>) -> Option<&'n String> {
    let mut seen = std::collections::HashSet::new();
    names.find(|name| !seen.insert(*name))
}
