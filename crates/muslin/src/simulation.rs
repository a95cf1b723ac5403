//! Model, stepper and state together, ready to run.

mod builder;
mod teleport;

use std::sync::Arc;

use glam::{DVec2, DVec3};

use crate::contact::{Repair, repair};
use crate::energy::ClothEnergy;
use crate::error::StepError;
use crate::inputs::{AsInputs, InputError, Recording};
use crate::interrupt::Interrupt;
use crate::model::{ClothId, Collider, Model, ModelError};
use crate::report::StepReport;
use crate::settings::{LimitMethod, Settings, SettingsError};
use crate::state::{State, StateError};
use crate::step::Stepper;
pub use builder::Builder;

/// A model, its stepper and its state: what a program steps.
///
/// ```
/// use muslin::prelude::*;
///
/// let mesh = GridSpec::square(1.0, 11).build()?;
/// let cotton = materials::find("cotton").expect("a preset").material();
/// let mut builder = Simulation::builder();
/// let sheet = builder.cloth(Cloth::new("sheet", mesh, cotton).pinned(&Select::Corner(DVec2::ZERO))?);
/// let mut simulation = builder.build()?;
/// for _ in 0..30 {
///     let report = simulation.step(())?;
///     assert!(report.worst_strain <= 0.01);
/// }
/// assert!(simulation.positions(sheet)[120].y < -0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Simulation {
    model: Arc<Model>,
    settings: Settings,
    stepper: Stepper,
    state: State,
    repair: Option<Repair>,
    /// None: not requested.
    recording: Option<Recording>,
}

/// Why there is no simulation.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The model cannot be built.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// There is no cloth, and none can come later.
    #[error("there is no cloth: a simulation needs at least one")]
    NoCloth,
    /// The settings contradict themselves, or have numbers out of their range.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The state is none of the model.
    #[error(transparent)]
    State(#[from] StateError),
}

impl Simulation {
    /// Begins a simulation from nothing.
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// A simulation at the start of a model. Cloth that starts in a solid, or nearer to it than its thickness, is moved
    /// out where the settings want it.
    pub fn new(model: impl Into<Arc<Model>>, settings: Settings) -> Result<Self, BuildError> {
        let model = model.into();
        check(&model, &settings)?;
        let mut state = State::start(&model);
        let wanted = settings.contact.repair;
        let repair = wanted.then(|| repair(&model, &mut state.x, state.time, settings.limiter.stretch));
        let stepper = Stepper::new(&model, &settings);
        Ok(Self { model, settings, stepper, state, repair, recording: None })
    }

    /// A simulation of a model in a state, which is taken as it is.
    pub fn from_state(model: impl Into<Arc<Model>>, settings: Settings, state: State) -> Result<Self, BuildError> {
        let model = model.into();
        check(&model, &settings)?;
        state.check(&model)?;
        let stepper = Stepper::new(&model, &settings);
        Ok(Self { model, settings, stepper, state, repair: None, recording: None })
    }

    /// Takes a step, with [`Inputs`](crate::Inputs) or `()`. On an error everything is as it was before.
    pub fn step(&mut self, inputs: impl AsInputs) -> Result<StepReport, StepError> {
        let (steps_done, inputs) = (self.state.step, inputs.as_inputs());
        let report = self.stepper.step(&self.model, &mut self.state, inputs)?;
        if let Some(recording) = &mut self.recording {
            recording.add(steps_done, inputs);
        }
        Ok(report)
    }

    /// Records the inputs of all steps from here on.
    pub fn record(&mut self) {
        self.recording.get_or_insert_default();
    }

    /// The inputs since [`Simulation::record`]. Another simulation in the state of that time runs to the same bits with
    /// them:
    ///
    /// ```
    /// # use muslin::prelude::*;
    /// # let cotton = materials::find("cotton").expect("a preset").material();
    /// # let mut builder = Simulation::builder();
    /// # let mesh = GridSpec::square(1.0, 5).build()?;
    /// # builder.cloth(Cloth::new("sheet", mesh, cotton).pinned(&Select::Corner(DVec2::ZERO))?);
    /// let (mut by_hand, mut replayed) = (builder.build()?, builder.build()?);
    /// by_hand.record();
    /// for _ in 0..10 {
    ///     let mut inputs = Inputs::default();
    ///     by_hand.step(inputs.pull(Pull::new(24, DVec3::Y, 0.1)))?;
    /// }
    /// let recording = by_hand.recording().expect("it was asked for");
    /// while replayed.time() < by_hand.time() {
    ///     replayed.step(recording.at(replayed.state().step))?;
    /// }
    /// assert_eq!(replayed.state(), by_hand.state());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn recording(&self) -> Option<&Recording> {
        self.recording.as_ref()
    }

    /// What never changes.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// How it moves.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Where it is.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// What steps it: timings, energies.
    pub fn stepper(&self) -> &Stepper {
        &self.stepper
    }

    /// Time [s].
    pub fn time(&self) -> f64 {
        self.state.time
    }

    /// What was moved out of solids at the start; none where the settings do not want it.
    pub fn repair(&self) -> Option<&Repair> {
        self.repair.as_ref()
    }

    /// Energies after the last step, and the work done in it, one per cloth.
    pub fn energies(&self) -> &[ClothEnergy] {
        self.stepper.energies()
    }

    /// What stops a step that is under way, from another thread, or else the next one. It stops one step; the one after
    /// that goes on from the state before it.
    pub fn interrupt(&self) -> Interrupt {
        self.stepper.interrupt()
    }

    /// Where the vertices of a cloth are [m].
    ///
    /// # Panics
    /// When the handle is of another model with more cloths.
    pub fn positions(&self, cloth: ClothId) -> &[DVec3] {
        &self.state.x[self.model.part(cloth).particles.clone()]
    }

    /// How fast the vertices of a cloth are [m/s].
    ///
    /// # Panics
    /// When the handle is of another model with more cloths.
    pub fn velocities(&self, cloth: ClothId) -> &[DVec3] {
        &self.state.v[self.model.part(cloth).particles.clone()]
    }

    /// Puts the vertices of a cloth elsewhere [m]. Edges that are then over the limit, or cloth in a solid, are what
    /// the next step starts from: it may be refused. A recording ends here, for it has no place for that.
    pub fn set_positions(&mut self, cloth: ClothId, positions: &[DVec3]) -> Result<(), StateError> {
        let mut state = self.snapshot();
        put(&mut state.x[self.range(cloth)?], positions)?;
        self.take_another_course(State { before: None, multipliers: Vec::new(), ..state });
        Ok(())
    }

    /// Gives the vertices of a cloth other velocities [m/s]. A recording ends here.
    pub fn set_velocities(&mut self, cloth: ClothId, velocities: &[DVec3]) -> Result<(), StateError> {
        let mut state = self.snapshot();
        put(&mut state.v[self.range(cloth)?], velocities)?;
        self.take_another_course(State { before: None, multipliers: Vec::new(), ..state });
        Ok(())
    }

    /// Goes on from a state that no step has made. Where it has no step before, integrators of two steps start over.
    fn take_another_course(&mut self, state: State) {
        self.state = state;
        self.recording = None;
        self.stepper.forget();
    }

    /// The particles of a cloth.
    fn range(&self, cloth: ClothId) -> Result<std::ops::Range<usize>, StateError> {
        let (number, count) = (cloth.0, self.model.cloths.len());
        let unknown = InputError::Unknown { what: "cloth", number, count };
        Ok(self.model.cloths.get(number).map(|part| part.particles.clone()).ok_or(unknown)?)
    }

    /// The state, to come back to with [`Simulation::restore`].
    pub fn snapshot(&self) -> State {
        self.state.clone()
    }

    /// Goes on from a state of this model. A recording forgets what came after an earlier state, and ends at a later
    /// one.
    pub fn restore(&mut self, state: State) -> Result<(), StateError> {
        state.check(&self.model)?;
        if state.step > self.state.step {
            self.recording = None;
        }
        self.state = state;
        self.stepper.forget();
        Ok(())
    }

    /// Another simulation of the same model, in the same state: from here on they are independent.
    #[must_use]
    pub fn fork(&self) -> Self {
        Self {
            model: Arc::clone(&self.model),
            settings: self.settings.clone(),
            stepper: Stepper::new(&self.model, &self.settings),
            state: self.state.clone(),
            repair: self.repair.clone(),
            recording: self.recording.clone(),
        }
    }

    /// The state as bytes, for a file or a wire, with a checksum and the model's [fingerprint](Model::fingerprint).
    pub fn save(&self) -> Vec<u8> {
        self.state.to_bytes(&self.model)
    }

    /// Goes on from saved bytes of a simulation of the same model; damaged bytes and those of another model are
    /// refused.
    pub fn load(&mut self, bytes: &[u8]) -> Result<(), StateError> {
        self.restore(State::from_bytes(bytes, &self.model)?)
    }

    /// The triangles of a cloth, as indices into [`Simulation::positions`], counter-clockwise seen from the front. They
    /// never change. A quad is two triangles; vertices that are sewn together count as the first of them.
    ///
    /// # Panics
    /// When the handle is of another model with more cloths.
    pub fn triangles(&self, cloth: ClothId) -> &[[u32; 3]] {
        &self.model.part(cloth).topology.triangles
    }

    /// Where the vertices of a cloth are at rest [m].
    ///
    /// # Panics
    /// When the handle is of another model with more cloths.
    pub fn rest_positions(&self, cloth: ClothId) -> &[DVec3] {
        &self.model.part(cloth).mesh.positions
    }

    /// Texture coordinates at the corners of each of a cloth's [triangles](Simulation::triangles), so that a vertex on
    /// a seam may have several; none where its mesh has none. They never change.
    ///
    /// # Panics
    /// When the handle is of another model with more cloths.
    pub fn texture(&self, cloth: ClothId) -> Option<Vec<[DVec2; 3]>> {
        let part = self.model.part(cloth);
        let (mesh, topology) = (&part.mesh, &part.topology);
        let (uvs, roots) = (mesh.uvs.as_ref()?, mesh.weld_roots());
        let coordinate = |face: usize, vertex: u32| {
            let corner = mesh.faces[face].iter().position(|&corner| roots[corner as usize] == vertex);
            // A triangle has its corners from its face.
            corner.map_or(DVec2::ZERO, |corner| uvs.coords[uvs.corners[face][corner] as usize])
        };
        let triangles = topology.triangles.iter().zip(&topology.triangle_face);
        Some(triangles.map(|(triangle, &face)| triangle.map(|vertex| coordinate(face as usize, vertex))).collect())
    }

    /// Writes the unit normals of a cloth's vertices where they are now, one for each: the mean over the triangles
    /// around it, by their area. Zero for vertices without triangles.
    ///
    /// # Panics
    /// When the handle is of another model with more cloths.
    pub fn normals(&self, cloth: ClothId, normals: &mut Vec<DVec3>) {
        let (x, own) = (self.positions(cloth), self.model.part(cloth).particles.clone());
        normals.clear();
        normals.resize(x.len(), DVec3::ZERO);
        for corners in self.triangles(cloth).iter().map(|triangle| triangle.map(|vertex| vertex as usize)) {
            let [a, b, c] = corners.map(|vertex| x[vertex]);
            // As long as twice the area.
            let normal = (b - a).cross(c - a);
            for vertex in corners {
                normals[vertex] += normal;
            }
        }
        // Those that are sewn to another have no triangles of their own.
        for follower in &self.model.followers {
            let (vertex, leader) = (follower.particle as usize, follower.leader);
            if let (true, Some(leader)) = (own.contains(&vertex), leader) {
                normals[vertex - own.start] = normals[leader as usize - own.start];
            }
        }
        for normal in normals {
            *normal = normal.normalize_or_zero();
        }
    }
}

/// An error for a model that cannot be simulated, however it was built.
fn check(model: &Model, settings: &Settings) -> Result<(), BuildError> {
    settings.check()?;
    if model.cloths.is_empty() {
        return Err(BuildError::NoCloth);
    }
    model.check_surroundings()?;
    if matches!(settings.limiter.method, LimitMethod::Certified(_)) {
        model.check_thickness(Collider::LEAST_CERTIFIED)?;
    }
    Ok(model.check_names()?)
}

fn put(into: &mut [DVec3], from: &[DVec3]) -> Result<(), StateError> {
    if into.len() != from.len() {
        return Err(StateError::Size { found: from.len(), wanted: into.len() });
    }
    if let Some(vertex) = from.iter().position(|value| !value.is_finite()) {
        return Err(StateError::NotFinite { particle: vertex });
    }
    into.copy_from_slice(from);
    Ok(())
}
