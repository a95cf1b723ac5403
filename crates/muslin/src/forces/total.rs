//! Sums over all elements of a model, always in the same order.

use glam::DVec3;

use super::{Element, Moving, SpringKind};
use crate::model::Model;
use crate::report::Energies;

/// The positions (or velocities) of an element's particles.
pub(crate) fn gather<const N: usize>(values: &[DVec3], particles: [u32; N]) -> [DVec3; N] {
    particles.map(|i| values[i as usize])
}

fn scatter<const N: usize>(target: &mut [DVec3], particles: [u32; N], values: [DVec3; N]) {
    for (i, value) in particles.into_iter().zip(values) {
        target[i as usize] += value;
    }
}

fn energy_of<const N: usize>(elements: &[impl Element<N>], x: &[DVec3]) -> f64 {
    elements.iter().map(|element| element.energy(&gather(x, element.particles()))).sum()
}

fn add_elastic_of<const N: usize>(elements: &[impl Element<N>], x: &[DVec3], force: &mut [DVec3]) {
    for element in elements {
        let particles = element.particles();
        scatter(force, particles, element.force(&gather(x, particles)));
    }
}

fn add_damping_of<const N: usize>(elements: &[impl Element<N>], x: &[DVec3], v: &[DVec3], force: &mut [DVec3]) {
    for element in elements.iter().filter(|element| element.damping() > 0.0) {
        let particles = element.particles();
        scatter(force, particles, element.damping_force(&gather(x, particles), &gather(v, particles)));
    }
}

/// How particles move, and for how long forces act.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kinematics<'a> {
    /// Positions [m].
    pub(crate) x: &'a [DVec3],
    /// Velocities [m/s].
    pub(crate) v: &'a [DVec3],
    /// Inverse masses [1/kg].
    pub(crate) w: &'a [f64],
    /// The time that forces act for [s].
    pub(crate) span: f64,
}

/// Both at once, bounded: most of the work is in the geometry that they share.
fn add_bounded_of<'a, const N: usize, E: Element<N> + 'a>(
    elements: impl IntoIterator<Item = &'a E>,
    motion: &Kinematics<'_>,
    force: &mut [DVec3],
) {
    for element in elements {
        let particles = element.particles();
        let w = particles.map(|i| motion.w[i as usize]);
        let moving = Moving { v: gather(motion.v, particles), w, span: motion.span };
        scatter(force, particles, element.bounded_force(&gather(motion.x, particles), &moving));
    }
}

/// Potential energies [J] at the positions `x`, by kind; the height is measured from the start.
pub fn potential_energies(model: &Model, x: &[DVec3]) -> Energies {
    let mut energies = Energies { gravity: gravity_energy(model, x), ..Energies::default() };
    for spring in &model.springs {
        let energy = spring.energy(&gather(x, spring.particles()));
        match spring.kind {
            SpringKind::Stretch => energies.stretch += energy,
            SpringKind::Shear => energies.shear += energy,
            SpringKind::Bending => energies.bending += energy,
        }
    }
    energies.bending += energy_of(&model.choi_ko, x) + energy_of(&model.hinges, x);
    energies.shear += energy_of(&model.corners, x);
    energies
}

/// Hands the elastic energy of each element [J], with its first particle, to `add`.
pub(crate) fn add_elastic_energies(model: &Model, x: &[DVec3], mut add: impl FnMut(u32, f64)) {
    fn each<const N: usize>(elements: &[impl Element<N>], x: &[DVec3], add: &mut impl FnMut(u32, f64)) {
        for element in elements {
            let particles = element.particles();
            add(particles[0], element.energy(&gather(x, particles)));
        }
    }
    each(&model.springs, x, &mut add);
    each(&model.choi_ko, x, &mut add);
    each(&model.corners, x, &mut add);
    each(&model.hinges, x, &mut add);
}

fn gravity_energy(model: &Model, x: &[DVec3]) -> f64 {
    let height = |i: usize| model.mass[i] * model.gravity.dot(x[i] - model.start[i]);
    -(0..x.len()).map(height).sum::<f64>()
}

/// Adds the elastic forces and gravity [N].
pub fn add_conservative(model: &Model, x: &[DVec3], force: &mut [DVec3]) {
    add_elastic_of(&model.springs, x, force);
    add_shape(model, x, force);
    for (force, mass) in force.iter_mut().zip(&model.mass) {
        *force += *mass * model.gravity;
    }
}

/// Adds the elastic forces of all elements but linear springs [N].
fn add_shape(model: &Model, x: &[DVec3], force: &mut [DVec3]) {
    add_elastic_of(&model.choi_ko, x, force);
    add_elastic_of(&model.corners, x, force);
    add_elastic_of(&model.hinges, x, force);
}

/// Adds all forces but gravity, the air's and those of hinges and of linear springs with a rest length, as far as they
/// can act without overshooting [N].
pub(crate) fn add_inner(model: &Model, motion: &Kinematics<'_>, force: &mut [DVec3]) {
    add_bounded_of(model.springs.iter().filter(|spring| spring.rest == 0.0), motion, force);
    add_bounded_of(&model.choi_ko, motion, force);
    add_bounded_of(&model.corners, motion, force);
    add_mass_damping(model, motion.v, force);
}

/// Adds the forces that depend on velocity [N]: dampers, mass-proportional damping, air with a `wind` [m/s].
pub fn add_dissipative(model: &Model, x: &[DVec3], v: &[DVec3], wind: DVec3, force: &mut [DVec3]) {
    add_damping_of(&model.springs, x, v, force);
    add_damping_of(&model.choi_ko, x, v, force);
    add_damping_of(&model.corners, x, v, force);
    add_damping_of(&model.hinges, x, v, force);
    add_mass_damping(model, v, force);
    add_air(model, x, v, wind, force);
}

/// Adds mass-proportional damping [N].
fn add_mass_damping(model: &Model, v: &[DVec3], force: &mut [DVec3]) {
    for (i, force) in force.iter_mut().enumerate() {
        *force -= v[i] * (model.damping_rate[i] * model.mass[i]);
    }
}

/// Adds the forces of the air [N]: of a `wind` [m/s], and drag.
pub fn add_air(model: &Model, x: &[DVec3], v: &[DVec3], wind: DVec3, force: &mut [DVec3]) {
    for (i, force) in force.iter_mut().enumerate() {
        *force -= (v[i] - wind) * (model.air.particle_drag * model.particle_area[i]);
    }
    for triangle in &model.air_triangles {
        let corners = gather(x, triangle.particles);
        let velocity = gather(v, triangle.particles).into_iter().sum::<DVec3>() / 3.0 - wind;
        let third = triangle.force(model.air.density, &corners, velocity) / 3.0;
        scatter(force, triangle.particles, [third; 3]);
    }
}
