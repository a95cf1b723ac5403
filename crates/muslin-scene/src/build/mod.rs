//! From a checked scene to the core's objects.

mod collider;
mod deform;
mod mesh;
mod pins;
mod pose;
mod solid_mesh;

use std::sync::Arc;

use muslin::integrate::auto_step;
use muslin::model::{Body, Cloth, Hold, ModelError, Pin, ScriptedPull};
use muslin::simulation::BuildError;
use muslin::{Model, Settings, Simulation};

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

/// A scene with everything that its simulation is made of.
#[derive(Debug, Clone)]
pub struct Ready {
    /// The model.
    pub model: Arc<Model>,
    /// How it moves, its step included.
    pub settings: Settings,
    /// Steps from frame to frame.
    pub steps_per_frame: u32,
    /// Watched particles, by name.
    pub probes: Vec<(String, u32)>,
    /// What was noticed and done on the way, in words.
    pub notes: Vec<String>,
}

impl Ready {
    /// The simulation at its start, with cloth moved out of solids where the scene wants that.
    pub fn start(&self) -> Result<Simulation, BuildError> {
        Simulation::new(Arc::clone(&self.model), self.settings.clone())
    }
}

impl Scene {
    /// The simulation of this scene, at its start.
    ///
    /// ```
    /// use muslin_scene::Scene;
    ///
    /// let mut simulation = Scene::load("hang", &["cloth.0.grid.particles=[11,11]".into()])?.prepare()?;
    /// let report = simulation.step(())?;
    /// assert!(report.worst_strain <= 0.01);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn prepare(&self) -> Result<Simulation, SceneError> {
        self.ready()?.start().map_err(|failure| {
            SceneError::in_text(&self.origin, &self.text, vec![Problem::at(String::new(), failure.to_string())])
        })
    }

    /// Builds the scene, and chooses its step where it has none.
    pub fn ready(&self) -> Result<Ready, SceneError> {
        let Built { model, probes, notes } = self.build()?;
        let frame = self.frame_length();
        let steps_per_frame = self
            .steps_per_frame
            .unwrap_or_else(|| (frame / auto_step(&self.integrator, &model, frame)).round().max(1.0) as u32);
        let settings = self.settings(steps_per_frame);
        Ok(Ready { model: Arc::new(model), settings, steps_per_frame, probes, notes })
    }

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
        let pulls = self.pulls(&cloths).map_err(error)?;
        let mut model =
            Model::build(cloths, colliders, self.world).map_err(|failure| error(vec![self.failure(&failure)]))?;
        model.pulls = pulls;
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
        let mut cloth = Cloth {
            name: plan.name.clone(),
            mesh: shapes.rest,
            start: pose.positions,
            start_velocity: pose.velocities,
            body: plan.body.clone(),
            pins,
            skin: plan.skin,
        };
        if self.limiter.method.replaces_springs() {
            cloth.leave_stretch_to_the_limiter();
        }
        Ok(cloth)
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

    fn pulls(&self, cloths: &[Cloth]) -> Result<Vec<ScriptedPull>, Vec<Problem>> {
        let (mut pulls, mut problems) = (Vec::new(), Vec::new());
        for (number, plan) in self.pulls.iter().enumerate() {
            let cloth = &cloths[plan.cloth];
            let first: usize = cloths[..plan.cloth].iter().map(|cloth| cloth.mesh.positions.len()).sum();
            match plan.select.resolve(&cloth.mesh, &cloth.start) {
                Ok(vertices) => pulls.push(ScriptedPull {
                    particles: vertices.iter().map(|vertex| first as u32 + vertex).collect(),
                    motion: plan.motion.clone(),
                    stiffness: plan.stiffness,
                    damping: plan.damping,
                    cap: plan.cap,
                    from: plan.from,
                    until: plan.until,
                }),
                Err(error) => problems.push(pins::problem(&format!("pull.{number}"), &plan.select, &error)),
            }
        }
        if problems.is_empty() { Ok(pulls) } else { Err(problems) }
    }

    /// What the model found wrong, at the cloth or the collider it found it in.
    fn failure(&self, failure: &ModelError) -> Problem {
        let (place, label) = match failure {
            ModelError::Mesh { cloth, .. }
            | ModelError::Cloth { cloth, .. }
            | ModelError::PoseSize { cloth, .. }
            | ModelError::NoMass { cloth, .. }
            | ModelError::PinIndex { cloth, .. } => {
                (self.cloths.iter().position(|plan| plan.name == *cloth).map(|at| format!("cloth.{at}")), "this cloth")
            }
            ModelError::Collider { collider, .. } => {
                let number = self.colliders.iter().position(|plan| plan.name == *collider);
                (number.map(|number| format!("collider.{number}")), "this collider")
            }
            _ => (None, "here"),
        };
        Problem::at(place.unwrap_or_default(), failure.to_string()).label(label)
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

/// A chain without mass of its own moves only at its bob: all else must be pinned for good.
fn check_mass(plan: &ClothPlan, path: &str, pins: &[Pin], problems: &mut Vec<Problem>) {
    let (Body::Chain(chain), MeshSource::Chain(spec)) = (&plan.body, &plan.source) else { return };
    if chain.mass > 0.0 {
        return;
    }
    let is_pinned = |particle: u32| {
        let fixed = |pin: &&Pin| matches!(pin.hold, Hold::Fixed(_)) && pin.release.is_none();
        pins.iter().filter(fixed).any(|pin| pin.particles.contains(&particle))
    };
    let last = spec.particles - 1;
    let loose = (0..spec.particles).find(|&particle| !is_pinned(particle) && (particle != last || chain.bob == 0.0));
    if let Some(particle) = loose {
        let message = format!("particle {particle} of `{path}.chain` has no mass and nothing holds it for good");
        let help = format!("give the chain a `mass`, or pin the particle: `pins = [{{ index = {particle} }}]`");
        problems.push(Problem::at(format!("{path}.chain"), message).label("mass is 0").help(help));
    }
}
