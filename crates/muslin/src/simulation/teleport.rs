//! Cloth and solids put elsewhere at once, with no motion in between: a respawn.
//!
//! ```text
//! x := p + R x,   v := R v,   places of pins and poses of colliders alike     p, R position [m] and rotation of a pose
//! ```
//!
//! Inputs move pins and solids through all that is between, in a step. Here nothing is on the way and nothing is
//! pushed.

use glam::DVec3;

use super::Simulation;
use crate::collide::Pose;
use crate::inputs::{InputError, Placement, Surroundings};
use crate::model::{ClothId, ColliderId, Hold, Model, Pin, PinId};
use crate::state::{State, StateError};

impl Simulation {
    /// Puts all cloths and all colliders elsewhere at once, turned about the origin by a rotation and then shifted; see
    /// [`Simulation::teleport_cloth`] and [`Simulation::teleport_collider`] for what stays behind. The next step moves
    /// as it would have, but for gravity and wind, which are not turned.
    ///
    /// ```
    /// # use muslin::prelude::*;
    /// # let silk = materials::find("silk").expect("a preset").material();
    /// # let mut builder = Simulation::builder();
    /// # let mesh = GridSpec::square(1.0, 5).build()?;
    /// # let cape = builder.cloth(Cloth::new("cape", mesh, silk).pinned(&Select::Corner(DVec2::ZERO))?);
    /// # let mut simulation = builder.build()?;
    /// simulation.teleport(Pose::at(DVec3::new(100.0, 0.0, 0.0)))?;
    /// simulation.step(())?;
    /// assert!(simulation.positions(cape)[0].x > 99.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn teleport(&mut self, by: Pose) -> Result<(), StateError> {
        by.check("the pose to teleport by")?;
        let mut state = self.snapshot();
        (0..self.model.cloths.len()).for_each(|cloth| carry_cloth(&mut state, &self.model, ClothId(cloth), by));
        (0..self.model.colliders.len()).for_each(|number| carry_collider(&mut state, &self.model, number, by));
        self.take_another_course(state);
        Ok(())
    }

    /// Puts one cloth elsewhere at once, with its velocities and its pins. Cloth that is then in a solid is found there
    /// by the next step, which may be refused. A recording ends here.
    ///
    /// From here on its pins are where they are put until [`Inputs`](crate::Inputs) move them: keys of the model know
    /// nothing of the new place, so a pin that moves by keys stands still. `shift_pin` counts from where a pin starts
    /// in the model as ever; `place_pin` says places as they are. Pins that guide in a plane or on a line keep their
    /// directions.
    pub fn teleport_cloth(&mut self, cloth: ClothId, by: Pose) -> Result<(), StateError> {
        by.check("the pose to teleport by")?;
        self.range(cloth)?;
        let mut state = self.snapshot();
        carry_cloth(&mut state, &self.model, cloth, by);
        self.take_another_course(state);
        Ok(())
    }

    /// Puts one collider elsewhere at once, and nothing in between is pushed. Cloth that is then in it is found there
    /// by the next step, which may be refused. A recording ends here.
    ///
    /// From here on it is where it is put until [`Inputs`](crate::Inputs) move it: one that moves by keys of the model
    /// stands still, one that deforms by a cache goes on with that.
    pub fn teleport_collider(&mut self, collider: ColliderId, by: Pose) -> Result<(), StateError> {
        by.check("the pose to teleport by")?;
        let (number, count) = (collider.0, self.model.colliders.len());
        if number >= count {
            return Err(InputError::Unknown { what: "collider", number, count }.into());
        }
        let mut state = self.snapshot();
        carry_collider(&mut state, &self.model, number, by);
        self.take_another_course(state);
        Ok(())
    }
}

fn carry_cloth(state: &mut State, model: &Model, cloth: ClothId, by: Pose) {
    for pin in model.pins_of(cloth) {
        if let Some(places) = pin_places(state, model, pin) {
            state.given.put_pin(pin, places.into_iter().map(|place| by.world(place)).collect());
        }
    }
    let own = model.part(cloth).particles.clone();
    let carry = |x: &mut [DVec3], v: &mut [DVec3]| {
        x[own.clone()].iter_mut().for_each(|x| *x = by.world(*x));
        v[own.clone()].iter_mut().for_each(|v| *v = by.rotation * *v);
    };
    carry(&mut state.x, &mut state.v);
    if let Some(before) = &mut state.before {
        carry(&mut before.x, &mut before.v);
    }
}

/// Where a pin has its particles now [m]; none for one that guides or has let go.
fn pin_places(state: &State, model: &Model, pin: PinId) -> Option<Vec<DVec3>> {
    let own: &Pin = &model.pins[pin.0];
    let Hold::Fixed(motion) = &own.hold else { return None };
    if own.released_by(state.time).is_some() {
        return None;
    }
    let by_keys = || own.particles.iter().map(|&i| motion.place(model.start[i as usize], state.time)).collect();
    Some(state.given.pin(pin).map_or_else(by_keys, <[DVec3]>::to_vec))
}

fn carry_collider(state: &mut State, model: &Model, number: usize, by: Pose) {
    let collider = ColliderId(number);
    let placement = match state.given.collider(collider) {
        Some(Placement::Vertices(vertices)) => {
            Placement::Vertices(vertices.iter().map(|vertex| by.world(*vertex)).collect())
        }
        Some(Placement::Pose(_)) | None => {
            let Pose { position, rotation } = Surroundings::from(&*state).pose(model, number);
            let rotation = (by.rotation * rotation).normalize();
            Placement::Pose(Pose { position: by.world(position), rotation })
        }
    };
    state.given.put_collider(collider, placement);
}
