//! From a checked scene to the core's objects.

mod collider;
mod deform;
mod mesh;
mod pins;
mod pose;
mod solid_mesh;

use muslin::Model;
use muslin::model::{Body, Cloth, Hold, ModelError, Pin};

use crate::error::{Problem, SceneError};
use crate::plan::{ClothPlan, MeshSource};
use crate::scene::Scene;

/// What a scene builds.
#[derive(Debug, Clone)]
pub struct Built {
    /// The model.
    pub model: Model,
    /// Watched particles, by name.
    pub probes: Vec<(String, u32)>,
    /// What was noticed and done on the way, in words: repairs of meshes and the like.
    pub notes: Vec<String>,
}

impl Scene {
    /// Reads the meshes, places them, resolves pins and probes, and builds the model.
    pub fn build(&self) -> Result<Built, SceneError> {
        let error = |problems| SceneError::in_text(&self.origin, &self.text, problems);
        let (mut cloths, mut notes, mut problems) = (Vec::new(), Vec::new(), Vec::new());
        for (number, plan) in self.cloths.iter().enumerate() {
            match self.cloth(number, plan, &mut notes) {
                Ok(cloth) => cloths.push(cloth),
                Err(found) => problems.extend(found),
            }
        }
        let mut colliders = Vec::new();
        for (number, plan) in self.colliders.iter().enumerate() {
            match collider::build(plan, &format!("collider.{number}"), &mut notes) {
                Ok(collider) => colliders.push(collider),
                Err(found) => problems.push(found),
            }
        }
        if !problems.is_empty() {
            return Err(error(problems));
        }
        let probes = self.probes(&cloths).map_err(error)?;
        let mut model = Model::build(cloths, self.world).map_err(|failure| error(vec![self.failure(&failure)]))?;
        model.colliders = colliders;
        Ok(Built { model, probes, notes })
    }

    fn cloth(&self, number: usize, plan: &ClothPlan, notes: &mut Vec<String>) -> Result<Cloth, Vec<Problem>> {
        let path = format!("cloth.{number}");
        let shapes = mesh::shapes(plan, &path, notes).map_err(|problem| vec![problem])?;
        let pose = match &self.start_from {
            Some(start) => pose::recorded(start, plan, shapes.rest.positions.len()),
            None => Ok(pose::described(plan, &shapes, self.seed)),
        };
        let pose = pose.map_err(|problem| vec![problem])?;
        let mut problems = Vec::new();
        let pins = pins::resolve(plan, &path, &shapes.rest, &pose.positions, &mut problems);
        check_folds(plan, &path, &shapes, &mut problems);
        check_mass(plan, &path, &pins, &mut problems);
        if !problems.is_empty() {
            return Err(problems);
        }
        Ok(Cloth {
            name: plan.name.clone(),
            mesh: shapes.rest,
            start: pose.positions,
            start_velocity: pose.velocities,
            body: self.body(plan),
            pins,
        })
    }

    /// What a cloth is made of. A limiter that stands in for the structural springs takes them out, as its document does.
    fn body(&self, plan: &ClothPlan) -> Body {
        let mut body = plan.body.clone();
        if let (Body::Surface(surface), true) = (&mut body, self.limiter.method.replaces_springs()) {
            surface.material.stretch_warp = 0.0;
            surface.material.stretch_weft = 0.0;
        }
        body
    }

    fn probes(&self, cloths: &[Cloth]) -> Result<Vec<(String, u32)>, Vec<Problem>> {
        let (mut probes, mut problems) = (Vec::new(), Vec::new());
        for (number, probe) in self.probes.iter().enumerate() {
            let cloth = &cloths[probe.cloth];
            let first: usize = cloths[..probe.cloth].iter().map(|cloth| cloth.mesh.positions.len()).sum();
            match probe.select.resolve(&cloth.mesh, &cloth.start) {
                Ok(vertices) => {
                    probes.extend(vertices.first().map(|vertex| (probe.name.clone(), first as u32 + vertex)));
                }
                Err(error) => problems.push(pins::problem(&format!("probe.{number}"), &probe.select, &error)),
            }
        }
        if problems.is_empty() { Ok(probes) } else { Err(problems) }
    }

    /// What the model found wrong, at the cloth it found it in.
    fn failure(&self, failure: &ModelError) -> Problem {
        let (ModelError::Mesh { cloth, .. }
        | ModelError::PoseSize { cloth, .. }
        | ModelError::NoMass { cloth, .. }
        | ModelError::PinIndex { cloth, .. }) = failure;
        let number = self.cloths.iter().position(|plan| plan.name == *cloth).unwrap_or(0);
        Problem::at(format!("cloth.{number}"), failure.to_string()).label("this cloth")
    }
}

fn check_folds(plan: &ClothPlan, path: &str, shapes: &mesh::Shapes, problems: &mut Vec<Problem>) {
    let Body::Surface(surface) = &plan.body else { return };
    if !surface.folds.is_empty() && shapes.rest.uvs.is_none() {
        let message = format!("`{path}.folds` are drawn in texture coordinates, but the mesh has none");
        let help = "export the mesh with UVs, or give it its folds by a `rest` shape";
        problems.push(Problem::at(format!("{path}.folds"), message).help(help));
    }
}

/// A chain without mass of its own moves only at its bob: all else must be held for good.
fn check_mass(plan: &ClothPlan, path: &str, pins: &[Pin], problems: &mut Vec<Problem>) {
    let (Body::Chain(chain), MeshSource::Chain(spec)) = (&plan.body, &plan.source) else { return };
    if chain.mass > 0.0 {
        return;
    }
    let held = |particle: u32| {
        let fixed = |pin: &&Pin| matches!(pin.hold, Hold::Fixed(_)) && pin.release.is_none();
        pins.iter().filter(fixed).any(|pin| pin.particles.contains(&particle))
    };
    let last = spec.particles - 1;
    let loose = (0..spec.particles).find(|&particle| !held(particle) && (particle != last || chain.bob == 0.0));
    if let Some(particle) = loose {
        let message = format!("particle {particle} of `{path}.chain` has no mass and nothing holds it for good");
        let help = format!("give the chain a `mass`, or pin the particle: `pins = [{{ index = {particle} }}]`");
        problems.push(Problem::at(format!("{path}.chain"), message).label("mass is 0").help(help));
    }
}
