//! Inputs of a step: places of pins and solids, pulls on particles, wind.
//!
//! | input | lasts | what it does |
//! |---|---|---|
//! | place of a pin | until another is given | its particles go there, straight, in the step |
//! | pose or vertices of a collider | until another is given | it goes there in the step; cloth in its path is pushed |
//! | wind | until another is given | blows in place of the model's |
//! | pull | for the step | a damped spring draws a particle, with a force that has a cap |
//!
//! What is not named moves by its own keys or cache, as ever: those are inputs too, known beforehand. A pin that is
//! moved where cloth cannot reach is a contradiction, and the step is refused; a pull is never the reason: it draws
//! with its force, and if even that is too much for a limit, with none in that step, which its report says
//! ([`Work`](crate::report::Work)). Several pulls on a particle add up; one on a pinned particle does nothing.
//!
//! ```text
//! pull   f = k (p - x') - c v' + f0,   |f| <= cap   x', v' at the end of the (sub)step: implicit, stable for all k, c
//! ```
//!
//! p target [m], k stiffness [N/m], c damping [N s/m], f0 a constant force [N]: a force of your own, such as a
//! magnet's.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::collide::Pose;
use crate::error::{OutOfRange, is_amount};
use crate::model::{Air, ColliderId, Hold, Model, PinId, Solid};
use crate::state::State;

/// What is given to a step from outside. Empty: nothing new.
///
/// ```
/// use muslin::{DVec3, Inputs, Pull};
///
/// let mut inputs = Inputs::default();
/// inputs.pull(Pull::new(0, DVec3::new(0.0, 1.0, 0.0), 2.0)).blow(DVec3::X);
/// assert!(!inputs.is_empty());
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Inputs {
    pins: Vec<(PinId, PinPlace)>,
    colliders: Vec<(ColliderId, Placement)>,
    pulls: Vec<Pull>,
    wind: Option<Wind>,
}

/// Where a pin goes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum PinPlace {
    /// So far from where it starts [m].
    Shifted(DVec3),
    /// Each of its particles to a place of its own [m].
    Each(Vec<DVec3>),
}

/// What makes the wind.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
enum Wind {
    /// It blows so [m/s].
    Given(DVec3),
    /// The model.
    Model,
}

/// Where a collider is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Placement {
    /// The pose of its own axes: those of a shape, or the world's, in which a mesh is given, carried along.
    Pose(Pose),
    /// The places of all vertices of its mesh [m].
    Vertices(Vec<DVec3>),
}

/// A force that draws a particle to a place, for one step.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Pull {
    /// The particle, counted through all cloths; see [`Model::particle`].
    pub particle: usize,
    /// Where it is drawn to [m].
    pub target: DVec3,
    /// k [N/m].
    pub stiffness: f64,
    /// c [N s/m].
    pub damping: f64,
    /// A constant force besides the spring's [N].
    pub force: DVec3,
    /// Greatest force of both together [N]; may be infinite.
    pub cap: f64,
}

impl Pull {
    /// A pull with at most `cap` [N], which it reaches 5 cm from the target; it brakes the particle there within a
    /// twentieth of a second. Both come from the cap, so it has to be finite here; only the field may be infinite
    /// afterwards.
    pub fn new(particle: usize, target: DVec3, cap: f64) -> Self {
        let stiffness = cap / 0.05;
        Self { particle, target, stiffness, damping: 0.05 * stiffness, force: DVec3::ZERO, cap }
    }

    /// A constant force [N], wherever the particle is.
    pub fn constant(particle: usize, force: DVec3) -> Self {
        Self { particle, target: DVec3::ZERO, stiffness: 0.0, damping: 0.0, force, cap: force.length() }
    }

    /// The force on a particle at `x` [m] that moves with `v` [m/s].
    pub(crate) fn at(&self, x: DVec3, v: DVec3) -> DVec3 {
        let force = (self.target - x) * self.stiffness - v * self.damping + self.force;
        force.clamp_length_max(self.cap)
    }

    /// What it adds to the displacement of a particle that would go from `x` to `q` [m] in `h` seconds, and whose
    /// inverse mass is `w` [1/kg].
    pub(crate) fn displacement(&self, x: DVec3, q: DVec3, w: f64, h: f64) -> DVec3 {
        let (spring, damper) = (self.stiffness * h * h * w, self.damping * h * w);
        let driven = (self.target - q) * spring - (q - x) * damper + self.force * (h * h * w);
        let moved = driven / (1.0 + spring + damper);
        moved.clamp_length_max(self.cap * h * h * w)
    }
}

impl Inputs {
    /// Moves a pin to where it starts, shifted by so much [m].
    pub fn shift_pin(&mut self, pin: PinId, by: DVec3) -> &mut Self {
        self.pins.push((pin, PinPlace::Shifted(by)));
        self
    }

    /// Moves every particle of a pin to a place of its own [m], in the pin's order.
    pub fn place_pin(&mut self, pin: PinId, places: impl Into<Vec<DVec3>>) -> &mut Self {
        self.pins.push((pin, PinPlace::Each(places.into())));
        self
    }

    /// Moves a collider to a pose.
    pub fn pose_collider(&mut self, collider: ColliderId, pose: Pose) -> &mut Self {
        self.colliders.push((collider, Placement::Pose(pose)));
        self
    }

    /// Moves the vertices of a collider's mesh [m].
    pub fn deform_collider(&mut self, collider: ColliderId, vertices: impl Into<Vec<DVec3>>) -> &mut Self {
        self.colliders.push((collider, Placement::Vertices(vertices.into())));
        self
    }

    /// Draws a particle.
    pub fn pull(&mut self, pull: Pull) -> &mut Self {
        self.pulls.push(pull);
        self
    }

    /// Pushes a particle with a force [N]: one of your own, evaluated where the particle is now.
    pub fn push(&mut self, particle: usize, force: DVec3) -> &mut Self {
        self.pull(Pull::constant(particle, force))
    }

    /// Makes wind [m/s], in place of the model's.
    pub fn blow(&mut self, wind: DVec3) -> &mut Self {
        self.wind = Some(Wind::Given(wind));
        self
    }

    /// Leaves the wind to the model again.
    pub fn blow_as_before(&mut self) -> &mut Self {
        self.wind = Some(Wind::Model);
        self
    }

    /// True when nothing new is wanted.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Forgets everything, and keeps the memory for the next step.
    pub fn clear(&mut self) {
        self.pins.clear();
        self.colliders.clear();
        self.pulls.clear();
        self.wind = None;
    }

    /// The pulls.
    pub(crate) fn pulls(&self) -> &[Pull] {
        &self.pulls
    }

    /// An error for the first input that a model in a state cannot follow.
    pub(crate) fn check(&self, model: &Model, end_time: f64) -> Result<(), InputError> {
        self.pins.iter().try_for_each(|(pin, place)| check_pin(model, *pin, place, end_time))?;
        self.colliders.iter().try_for_each(|(collider, placement)| check_collider(model, *collider, placement))?;
        self.pulls.iter().enumerate().try_for_each(|(number, pull)| check_pull(model, number, pull))?;
        match self.wind {
            Some(Wind::Given(wind)) => check_wind(wind),
            Some(Wind::Model) | None => Ok(()),
        }
    }
}

fn check_pin(model: &Model, pin: PinId, place: &PinPlace, end_time: f64) -> Result<(), InputError> {
    let (number, count) = (pin.0, model.pins.len());
    let own = model.pins.get(number).ok_or(InputError::Unknown { what: "pin", number, count })?;
    if !matches!(own.hold, Hold::Fixed(_)) {
        return Err(InputError::Guide { pin: pin.0 });
    }
    if let Some(release) = own.released_by(end_time) {
        return Err(InputError::Released { pin: pin.0, release });
    }
    match place {
        PinPlace::Shifted(by) => {
            let what = format_args!("the shift of pin {number}");
            Ok(OutOfRange::unless(by.is_finite(), what, format_args!("{by} m"), "finite")?)
        }
        PinPlace::Each(places) => check_places(format_args!("pin {number}"), places, own.particles.len()),
    }
}

fn check_collider(model: &Model, collider: ColliderId, placement: &Placement) -> Result<(), InputError> {
    let count = model.colliders.len();
    let own =
        model.colliders.get(collider.0).ok_or(InputError::Unknown { what: "collider", number: collider.0, count })?;
    match placement {
        Placement::Pose(pose) => Ok(pose.check(format_args!("the pose of collider `{}`", own.name))?),
        Placement::Vertices(vertices) => match &own.solid {
            Solid::Mesh(mesh) | Solid::Deforming { mesh, .. } => {
                check_places(format_args!("collider `{}`", own.name), vertices, mesh.positions.len())
            }
            Solid::Shape { .. } | Solid::LevelSet { .. } => Err(InputError::Rigid { collider: own.name.clone() }),
        },
    }
}

fn check_pull(model: &Model, number: usize, pull: &Pull) -> Result<(), InputError> {
    let Pull { particle, target, stiffness, damping, force, cap } = pull;
    if *particle >= model.len() {
        return Err(InputError::Unknown { what: "particle", number: *particle, count: model.len() });
    }
    let check = |sound: bool, what: &str, value: std::fmt::Arguments<'_>, range: &'static str| {
        let what = format_args!("the {what} of pull {number}, on particle {particle},");
        OutOfRange::unless(sound, what, value, range)
    };
    let amount = "finite and at least 0";
    check(target.is_finite(), "target", format_args!("{target} m"), "finite")?;
    check(force.is_finite(), "force", format_args!("{force} N"), "finite")?;
    check(is_amount(*stiffness), "stiffness", format_args!("{stiffness} N/m"), amount)?;
    check(is_amount(*damping), "damping", format_args!("{damping} N s/m"), amount)?;
    // No cap is a cap.
    Ok(check(*cap >= 0.0, "cap", format_args!("{cap} N"), "at least 0, and may be infinite")?)
}

fn check_wind(wind: DVec3) -> Result<(), InputError> {
    Ok(OutOfRange::unless(wind.is_finite(), "the wind", format_args!("{wind} m/s"), "finite")?)
}

fn check_places(of: std::fmt::Arguments<'_>, places: &[DVec3], wanted: usize) -> Result<(), InputError> {
    if places.len() != wanted {
        return Err(InputError::Count { what: of.to_string(), given: places.len(), wanted });
    }
    for (number, place) in places.iter().enumerate() {
        let what = format_args!("place {number} of {of}");
        OutOfRange::unless(place.is_finite(), what, format_args!("{place} m"), "finite")?;
    }
    Ok(())
}

/// Why inputs cannot be followed. The state is as it was before the step.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// There is no such thing in the model.
    #[error("there is no {what} {number}: the model has {count}")]
    Unknown {
        /// What was named.
        what: &'static str,
        /// Its number.
        number: usize,
        /// How many there are.
        count: usize,
    },
    /// The number of places is another than that of what is to be placed.
    #[error("{what} takes {wanted} places, but {given} are given")]
    Count {
        /// What was to be placed.
        what: String,
        /// Places given.
        given: usize,
        /// Places needed.
        wanted: usize,
    },
    /// A number is not finite, negative where it may not be, or a rotation is not of length 1.
    #[error(transparent)]
    Number(#[from] OutOfRange),
    /// The pin guides in a plane or on a line, and has no place.
    #[error("pin {pin} guides particles and has no place that could be given")]
    Guide {
        /// Its number.
        pin: usize,
    },
    /// The pin has let go.
    #[error("pin {pin} has let go at {release} s")]
    Released {
        /// Its number.
        pin: usize,
        /// When [s].
        release: f64,
    },
    /// The collider keeps its shape.
    #[error("collider `{collider}` keeps its shape: give its pose instead of vertices")]
    Rigid {
        /// Its name.
        collider: String,
    },
}

/// What a step takes as inputs: [`Inputs`], a reference to them, or `()` for none.
pub trait AsInputs {
    /// The inputs; none for nothing.
    fn as_inputs(&self) -> Option<&Inputs>;
}

impl AsInputs for () {
    fn as_inputs(&self) -> Option<&Inputs> {
        None
    }
}

impl AsInputs for Inputs {
    fn as_inputs(&self) -> Option<&Inputs> {
        Some(self)
    }
}

impl<T: AsInputs + ?Sized> AsInputs for &T {
    fn as_inputs(&self) -> Option<&Inputs> {
        (**self).as_inputs()
    }
}

impl<T: AsInputs + ?Sized> AsInputs for &mut T {
    fn as_inputs(&self) -> Option<&Inputs> {
        (**self).as_inputs()
    }
}

impl<T: AsInputs> AsInputs for Option<T> {
    fn as_inputs(&self) -> Option<&Inputs> {
        self.as_ref().and_then(AsInputs::as_inputs)
    }
}

/// The inputs of a run that was driven by hand: with them it runs again to the same bits.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Recording {
    /// Each with the number of steps done before it, rising; steps without inputs are not there.
    inputs: Vec<(u64, Inputs)>,
}

impl Recording {
    /// The inputs of the step that follows so many.
    pub fn at(&self, steps_done: u64) -> Option<&Inputs> {
        let at = self.inputs.binary_search_by_key(&steps_done, |(step, _)| *step).ok()?;
        Some(&self.inputs[at].1)
    }

    /// How many steps had inputs.
    pub fn len(&self) -> usize {
        self.inputs.len()
    }

    /// True when no step had any.
    pub fn is_empty(&self) -> bool {
        self.inputs.is_empty()
    }

    /// Adds the inputs of the step that follows so many, in place of all that were given from there on before: a run
    /// that went back to an earlier state takes another course.
    pub(crate) fn add(&mut self, steps_done: u64, inputs: Option<&Inputs>) {
        self.cut(steps_done);
        self.inputs.extend(inputs.filter(|inputs| !inputs.is_empty()).map(|inputs| (steps_done, inputs.clone())));
    }

    fn cut(&mut self, steps_done: u64) {
        self.inputs.truncate(self.inputs.partition_point(|(step, _)| *step < steps_done));
    }
}

/// Where inputs have put things so far; what is not named here moves by its own keys or cache.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Given {
    /// Places of the particles of pins [m].
    pins: Vec<(PinId, Vec<DVec3>)>,
    colliders: Vec<(ColliderId, Placement)>,
    wind: Option<DVec3>,
}

impl Given {
    /// Nothing.
    pub const NOTHING: &'static Self = &Self { pins: Vec::new(), colliders: Vec::new(), wind: None };

    /// Where the particles of a pin have been put [m].
    pub fn pin(&self, pin: PinId) -> Option<&[DVec3]> {
        self.pins.iter().find(|(own, _)| *own == pin).map(|(_, places)| &places[..])
    }

    /// Where a collider has been put.
    pub fn collider(&self, collider: ColliderId) -> Option<&Placement> {
        self.colliders.iter().find(|(own, _)| *own == collider).map(|(_, placement)| placement)
    }

    /// The wind at a time [m/s].
    pub fn wind(&self, air: &Air, time: f64) -> DVec3 {
        self.wind.unwrap_or_else(|| air.wind_at(time))
    }

    /// An error for the first thing that is none of a model.
    pub(crate) fn check(&self, model: &Model) -> Result<(), InputError> {
        for (pin, places) in &self.pins {
            // It may have let go since.
            check_pin(model, *pin, &PinPlace::Each(places.clone()), f64::NEG_INFINITY)?;
        }
        self.colliders.iter().try_for_each(|(collider, placement)| check_collider(model, *collider, placement))?;
        self.wind.map_or(Ok(()), check_wind)
    }

    /// Puts the particles of a pin somewhere [m].
    pub(crate) fn put_pin(&mut self, pin: PinId, places: Vec<DVec3>) {
        put(&mut self.pins, pin, places);
    }

    /// Puts a collider somewhere.
    pub(crate) fn put_collider(&mut self, collider: ColliderId, placement: Placement) {
        put(&mut self.colliders, collider, placement);
    }

    /// Takes what new inputs say.
    pub(crate) fn take(&mut self, model: &Model, inputs: &Inputs) {
        for (pin, place) in &inputs.pins {
            let starts = model.pins[pin.0].particles.iter().map(|&i| model.start[i as usize]);
            let places = match place {
                PinPlace::Shifted(by) => starts.map(|start| start + *by).collect(),
                PinPlace::Each(places) => places.clone(),
            };
            self.put_pin(*pin, places);
        }
        for (collider, placement) in &inputs.colliders {
            self.put_collider(*collider, placement.clone());
        }
        match inputs.wind {
            Some(Wind::Given(wind)) => self.wind = Some(wind),
            Some(Wind::Model) => self.wind = None,
            None => {}
        }
    }

    /// All numbers that it is made of, with what they belong to.
    pub(crate) fn for_each_number(&self, mut see: impl FnMut(u64)) {
        for (pin, places) in &self.pins {
            [0, pin.0 as u64, places.len() as u64].into_iter().for_each(&mut see);
            places.iter().flat_map(DVec3::to_array).for_each(|number| see(number.to_bits()));
        }
        for (collider, placement) in &self.colliders {
            match placement {
                Placement::Pose(pose) => {
                    [1, collider.0 as u64].into_iter().for_each(&mut see);
                    let numbers = pose.position.to_array().into_iter().chain(pose.rotation.to_array());
                    numbers.for_each(|number| see(number.to_bits()));
                }
                Placement::Vertices(vertices) => {
                    [2, collider.0 as u64, vertices.len() as u64].into_iter().for_each(&mut see);
                    vertices.iter().flat_map(DVec3::to_array).for_each(|number| see(number.to_bits()));
                }
            }
        }
        self.wind.into_iter().flat_map(|wind| wind.to_array()).for_each(|number| see(number.to_bits()));
    }
}

/// Puts a value in place of an earlier one; lists stay in the order of their keys, so that equal states are equal.
fn put<K: Ord, V>(list: &mut Vec<(K, V)>, key: K, value: V) {
    match list.binary_search_by(|(own, _)| own.cmp(&key)) {
        Ok(at) => list[at].1 = value,
        Err(at) => list.insert(at, (key, value)),
    }
}

/// What surrounds cloth at a moment: the time, and where inputs have put things.
#[derive(Debug, Clone, Copy)]
pub struct Surroundings<'a> {
    /// Time [s].
    pub time: f64,
    /// What inputs have given.
    pub given: &'a Given,
}

impl From<f64> for Surroundings<'static> {
    /// A time at which everything moves by its own keys or cache.
    fn from(time: f64) -> Self {
        Self { time, given: Given::NOTHING }
    }
}

impl<'a> From<&'a State> for Surroundings<'a> {
    fn from(state: &'a State) -> Self {
        Self { time: state.time, given: &state.given }
    }
}

impl Surroundings<'_> {
    /// Where a collider's own axes are.
    pub fn pose(&self, model: &Model, number: usize) -> Pose {
        match self.given.collider(ColliderId(number)) {
            Some(Placement::Pose(pose)) => *pose,
            Some(Placement::Vertices(_)) | None => model.colliders[number].pose(self.time),
        }
    }

    /// Where the vertices of a collider's mesh are [m]; none for a shape.
    pub fn positions(&self, model: &Model, number: usize, out: &mut Vec<DVec3>) {
        let collider = &model.colliders[number];
        match self.given.collider(ColliderId(number)) {
            None => collider.positions(self.time, out),
            Some(Placement::Vertices(vertices)) => out.clone_from(vertices),
            Some(Placement::Pose(pose)) => collider.positions_at(*pose, self.time, out),
        }
    }

    /// True when a collider is where its own keys or cache take it.
    pub(crate) fn is_scripted(&self, number: usize) -> bool {
        self.given.collider(ColliderId(number)).is_none()
    }
}
