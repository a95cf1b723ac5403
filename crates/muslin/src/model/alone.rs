//! One cloth of a model as a model of its own.

use super::{ClothPart, Collider, Follower, Model, Pin, ScriptedPull};

impl Model {
    /// The model with only one of its cloths, whose particles and edges then start at 0. Cloths do not feel each other,
    /// so a cloth moves to the same bits in both.
    ///
    /// # Panics
    /// When there is no such cloth.
    #[must_use]
    pub fn alone(&self, cloth: usize) -> Self {
        let part = &self.cloths[cloth];
        let (range, first) = (part.particles.clone(), part.particles.start as u32);
        let own = |particle: u32| range.contains(&(particle as usize));
        let shift = |particle: &mut u32| *particle -= first;
        let mut alone = Self {
            cloths: vec![ClothPart { particles: 0..range.len(), edges: 0..part.edges.len(), ..part.clone() }],
            mass: self.mass[range.clone()].to_vec(),
            start: self.start[range.clone()].to_vec(),
            start_velocity: self.start_velocity[range.clone()].to_vec(),
            edges: self.edges[part.edges.clone()].to_vec(),
            springs: kept(&self.springs, |spring| own(spring.a)),
            choi_ko: kept(&self.choi_ko, |element| own(element.a)),
            corners: kept(&self.corners, |element| own(element.particles[0])),
            hinges: kept(&self.hinges, |element| own(element.particles[0])),
            air_triangles: kept(&self.air_triangles, |element| own(element.particles[0])),
            particle_area: self.particle_area[range.clone()].to_vec(),
            damping_rate: self.damping_rate[range.clone()].to_vec(),
            gravity: self.gravity,
            air: self.air,
            pins: self.pins.iter().filter_map(|pin| pin_alone(pin, own, first)).collect(),
            pulls: self.pulls.iter().filter_map(|pull| pull_alone(pull, own, first)).collect(),
            followers: kept(&self.followers, |follower| own(follower.particle)),
            colliders: self.colliders.iter().map(|collider| collider_alone(collider, cloth)).collect(),
        };
        alone.edges.iter_mut().flat_map(|edge| [&mut edge.a, &mut edge.b]).for_each(shift);
        alone.springs.iter_mut().flat_map(|spring| [&mut spring.a, &mut spring.b]).for_each(shift);
        alone.choi_ko.iter_mut().flat_map(|element| [&mut element.a, &mut element.b]).for_each(shift);
        alone.corners.iter_mut().flat_map(|element| &mut element.particles).for_each(shift);
        alone.hinges.iter_mut().flat_map(|element| &mut element.particles).for_each(shift);
        alone.air_triangles.iter_mut().flat_map(|element| &mut element.particles).for_each(shift);
        for Follower { particle, leader } in &mut alone.followers {
            leader.iter_mut().chain([particle]).for_each(shift);
        }
        alone
    }
}

fn kept<E: Copy>(all: &[E], own: impl Fn(&E) -> bool) -> Vec<E> {
    all.iter().filter(|element| own(element)).copied().collect()
}

/// What a pin holds of one cloth; none when that is nothing.
fn pin_alone(pin: &Pin, own: impl Fn(u32) -> bool, first: u32) -> Option<Pin> {
    let particles: Vec<u32> = pin.particles.iter().filter(|&&i| own(i)).map(|i| i - first).collect();
    (!particles.is_empty()).then(|| Pin { particles, ..pin.clone() })
}

/// What a pull draws of one cloth; none when that is nothing.
fn pull_alone(pull: &ScriptedPull, own: impl Fn(u32) -> bool, first: u32) -> Option<ScriptedPull> {
    let particles: Vec<u32> = pull.particles.iter().filter(|&&i| own(i)).map(|i| i - first).collect();
    (!particles.is_empty()).then(|| ScriptedPull { particles, ..pull.clone() })
}

fn collider_alone(collider: &Collider, cloth: usize) -> Collider {
    Collider {
        thickness: vec![collider.thickness[cloth]],
        friction: vec![collider.friction[cloth]],
        ..collider.clone()
    }
}
