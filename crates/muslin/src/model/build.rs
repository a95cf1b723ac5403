//! Putting a model together from cloths and a world.

use glam::DVec3;

use super::areas::Areas;
use super::fabric::Weaver;
use super::lattice::{add_chain, add_lattice, chain_rest_shape};
use super::{Body, Cloth, ClothPart, Collider, Follower, Hold, LimitedEdge, Model, ModelError, Pin, World};
use crate::mesh::Topology;

impl Model {
    /// Builds a model of cloths among colliders. Masses come from areal density, stiffness from the material, both
    /// spread over the mesh.
    pub fn build(cloths: Vec<Cloth>, colliders: Vec<Collider>, world: World) -> Result<Self, ModelError> {
        let mut model = Self {
            cloths: Vec::new(),
            mass: Vec::new(),
            start: Vec::new(),
            start_velocity: Vec::new(),
            edges: Vec::new(),
            springs: Vec::new(),
            choi_ko: Vec::new(),
            corners: Vec::new(),
            hinges: Vec::new(),
            air_triangles: Vec::new(),
            particle_area: Vec::new(),
            damping_rate: Vec::new(),
            gravity: world.gravity,
            air: world.air,
            pins: Vec::new(),
            pulls: Vec::new(),
            followers: Vec::new(),
            colliders: Vec::new(),
        };
        for cloth in cloths {
            model.add_cloth(cloth)?;
        }
        for collider in colliders {
            model.add_collider(collider);
        }
        model.check_surroundings()?;
        Ok(model)
    }

    fn add_collider(&mut self, mut collider: Collider) {
        collider.fill(self.cloths.len());
        self.colliders.push(collider);
    }

    fn add_cloth(&mut self, mut cloth: Cloth) -> Result<(), ModelError> {
        cloth.check()?;
        let count = cloth.mesh.positions.len();
        if let Body::Chain(chain) = &cloth.body {
            chain_rest_shape(&mut cloth.mesh.positions, chain);
        }
        let topology = Topology::of(&cloth.mesh);
        let leader = cloth.mesh.weld_roots();
        let offset = self.mass.len();
        self.mass.resize(offset + count, 0.0);
        self.particle_area.resize(offset + count, 0.0);
        self.damping_rate.resize(offset + count, 0.0);
        self.start.extend(&cloth.start);
        self.start_velocity.extend(&cloth.start_velocity);
        self.add_pins(&cloth, &leader, offset)?;
        self.add_followers(&topology, &leader, offset);

        let first_edge = self.edges.len();
        self.add_edges(&topology, &cloth.mesh.positions, offset);
        let part = ClothPart {
            name: cloth.name,
            particles: offset..offset + count,
            edges: first_edge..self.edges.len(),
            mesh: cloth.mesh,
            topology,
            skin: cloth.skin,
        };
        self.add_body(&part, &cloth.body, &leader, &pinned(&cloth.pins, count));
        self.check_masses(&part)?;
        self.cloths.push(part);
        Ok(())
    }

    fn add_pins(&mut self, cloth: &Cloth, leader: &[u32], offset: usize) -> Result<(), ModelError> {
        for (number, pin) in cloth.pins.iter().enumerate() {
            let mut pin = pin.clone();
            for particle in &mut pin.particles {
                let vertex = *particle as usize;
                let count = leader.len();
                let Some(&leader) = leader.get(vertex) else {
                    return Err(ModelError::PinIndex { cloth: cloth.name.clone(), pin: number, vertex, count });
                };
                *particle = offset as u32 + leader;
            }
            self.pins.push(pin);
        }
        Ok(())
    }

    fn add_followers(&mut self, topology: &Topology, leader: &[u32], offset: usize) {
        let place = |vertex: u32| offset as u32 + vertex;
        let sewn = (0..).zip(leader).filter(|(vertex, leader)| vertex != *leader);
        self.followers
            .extend(sewn.map(|(vertex, leader)| Follower { particle: place(vertex), leader: Some(place(*leader)) }));
        self.followers.extend(topology.loose.iter().map(|&v| Follower { particle: place(v), leader: None }));
    }

    fn add_edges(&mut self, topology: &Topology, rest: &[DVec3], offset: usize) {
        self.edges.extend(topology.edges.iter().map(|edge| LimitedEdge {
            a: offset as u32 + edge.a,
            b: offset as u32 + edge.b,
            rest: rest[edge.a as usize].distance(rest[edge.b as usize]),
            direction: edge.direction,
        }));
    }

    fn add_body(&mut self, part: &ClothPart, body: &Body, leader: &[u32], pinned: &[bool]) {
        match body {
            Body::Lattice(lattice) => add_lattice(self, part, lattice),
            Body::Chain(chain) => add_chain(self, part, chain),
            Body::Surface(surface) => {
                let areas = Areas::of(&part.mesh, leader);
                for (i, area) in part.particles.clone().zip(&areas.particle) {
                    self.particle_area[i] = *area;
                    self.mass[i] = surface.material.density * area;
                    self.damping_rate[i] = surface.material.damping.mass;
                }
                Weaver { surface, part, areas: &areas, pinned }.weave(self);
            }
        }
    }

    /// Only followers may be without mass.
    fn check_masses(&self, part: &ClothPart) -> Result<(), ModelError> {
        let follows = |particle: usize| self.followers.iter().any(|follower| follower.particle as usize == particle);
        let pinned = |particle: usize| {
            let fixed = |pin: &&Pin| matches!(pin.hold, Hold::Fixed(_)) && pin.release.is_none();
            self.pins.iter().filter(fixed).any(|pin| pin.particles.contains(&(particle as u32)))
        };
        match part.particles.clone().find(|&i| !(self.mass[i] > 0.0) && !follows(i) && !pinned(i)) {
            None => Ok(()),
            Some(i) => Err(ModelError::NoMass { cloth: part.name.clone(), vertex: i - part.particles.start }),
        }
    }
}

/// For each vertex, whether a fixed pin holds it from the start.
fn pinned(pins: &[Pin], count: usize) -> Vec<bool> {
    let mut pinned = vec![false; count];
    for pin in pins.iter().filter(|pin| matches!(pin.hold, Hold::Fixed(_))) {
        for &vertex in &pin.particles {
            pinned[vertex as usize] = true;
        }
    }
    pinned
}
