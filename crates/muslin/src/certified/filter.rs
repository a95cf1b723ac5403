//! Stiff bending, filtered.
//!
//! ```text
//! (M + Σ (k τ² + D τ) q qᵀ) Δv = -Σ q (τ k (κ - κ0 n) + τ D (n · κ̇) n)
//! κ = Σ q_i x_i,   κ0 = -2 sin(θ0/2),   k = c/2 [N·m],   and at rest
//! q1 = |E|/|N1|,   q2 = |E|/|N2|,   q3 = (x1-x4)·ê/|N1| + (x2-x4)·ê/|N2|,   q4 = -(x1-x3)·ê/|N1| - (x2-x3)·ê/|N2|
//! ```
//!
//! κ is the curvature across a hinge times its width, a vector along the mean normal n of its triangles, |κ| = 2
//! sin(θ/2) where they have not changed their shape; even shear changes nothing. Energy V = ½ Σ k |κ - κ0 n|²,
//! D [N·m·s], τ time between evaluations [s]. Source: Bergou et al. 2006, the quadratic bending energy of inextensible
//! surfaces; departure: rest angles θ0, and dampers along n alone, so that a bent cloth turns freely. Folds sharper
//! than a right angle are softer than by `forces::hinge`: the moment is c sin θ/2 and not c sin(θ/2).
//!
//! On small cloth, or fine meshes, the finest bending waves are far faster than anything that is seen, and evaluations
//! often enough for them would be most of the work. By this system a wave of frequency ω moves as one of ω/√(1 + τ²ω²):
//! never faster than 1/τ, so that times τ are stable, and unchanged where ωτ is small; dampers make it slower still,
//! beyond what they damp. The elastic part damps nothing: it is Verlet's method with a mass that is larger for fast
//! waves. Linear momentum is kept, Σ q = 0; angular momentum as long as waves are slow.
//!
//! ```text
//! V - ½ (τ² + τ D/k) fᵀ B⁻¹ f,   f = -∂V/∂x,   B = M + (τ² + τ D/k) K      what hinges can give back to the motion
//! ```
//!
//! Forces and matrix share their q. With gradients of the angle instead, which agree only while cloth is flat, what is
//! left of a stiff force after filtering a sheared corner is up to 10⁵ times too large: cloth of 2 cm burst.

use glam::DVec3;

use super::held::Span;
use super::hinges::{Group, HingeFrames};
use crate::linalg::Cholesky;
use crate::model::Model;
use crate::simd::{Four, Kernel, Points, Slots, Vectors, widest};

const ELASTIC: usize = 0;
const DAMPING: usize = 1;

/// The system with its factor, by slots.
#[derive(Debug)]
pub(super) struct Filter {
    mass: Vec<f64>,
    matrix: Cholesky,
    /// τ that it was factored for [s].
    span: f64,
    /// The slots that were pinned then.
    pinned: Vec<bool>,
    /// D/k, the same for all hinges [s].
    damping_time: f64,
    /// Hinges with a pinned particle: slots, q, and strength k τ² + D τ [N·m·s²].
    at_pins: Vec<([u32; 4], [f64; 4], f64)>,
    /// Impulses of the hinges, [`ELASTIC`] and [`DAMPING`] [N s].
    impulses: [Points; 2],
    /// How cloth moves that is still.
    still: Points,
}

impl Filter {
    pub(super) fn new(model: &Model, groups: &[Group]) -> Self {
        let (count, slots) = (model.len(), Slots::new(model.len()));
        let rest: Vec<DVec3> = model.cloths.iter().flat_map(|part| part.mesh.positions.iter().copied()).collect();
        let centres: Vec<DVec3> = (0..count as u32).map(|slot| rest[slots.particle(slot)]).collect();
        Self {
            mass: (0..count as u32).map(|slot| model.mass[slots.particle(slot)]).collect(),
            matrix: Cholesky::new(lanes(groups).map(|(slots, ..)| slots), &centres),
            span: f64::NAN,
            pinned: vec![false; count],
            damping_time: lanes(groups)
                .find(|lane| lane.2 > 0.0)
                .map_or(0.0, |(.., stiffness, damping)| 2.0 * damping / stiffness),
            at_pins: Vec::new(),
            impulses: [Points::new(count), Points::new(count)],
            still: Points::new(count),
        }
    }

    /// Adds what elastic moments at the positions `x` do while they are held to `push`, and what dampers do to the
    /// displacements per substep `u` [m]; `w` are inverse masses by slot [1/kg]. Returns the work of pins [J].
    pub(super) fn act(
        &mut self,
        over: Span,
        groups: &[Group],
        x: &Points,
        u: &mut Points,
        push: &mut Points,
        w: &[f64],
    ) -> f64 {
        self.prepare(groups, over.length, w);
        self.impulses.iter_mut().for_each(Points::clear);
        widest(Collect { over, groups, x, u, impulses: &mut self.impulses });
        let mut work = 0.0;
        self.solve(ELASTIC);
        work += self.work_of_pins(ELASTIC, u, over.h);
        self.add(push, over.h);
        self.solve(DAMPING);
        work += self.work_of_pins(DAMPING, u, over.h);
        self.add(u, over.h);
        work
    }

    /// What hinges can give back to the motion at the positions `x`, as filtered as when they last acted [J].
    pub(super) fn energy(&mut self, groups: &[Group], x: &Points) -> f64 {
        let over = Span { time: 0.0, length: self.span, h: 1.0 };
        self.impulses.iter_mut().for_each(Points::clear);
        let held = widest(Collect { over, groups, x, u: &self.still, impulses: &mut self.impulses });
        self.solve(ELASTIC);
        let free = (0..self.mass.len()).filter(|slot| !self.pinned[*slot]);
        let filtered: f64 =
            free.map(|slot| self.impulses[ELASTIC].get(slot as u32).dot(self.matrix.solution(slot as u32))).sum();
        held - 0.5 * (1.0 + self.damping_time / self.span) * filtered
    }

    /// Solves for the velocities that impulses make.
    fn solve(&mut self, which: usize) {
        let Self { matrix, pinned, impulses, .. } = self;
        matrix.solve(|slot| if pinned[slot as usize] { DVec3::ZERO } else { impulses[which].get(slot) });
    }

    /// What pulls at a pin is passed on, times the displacement of the pin `u` in a substep of length `h` [s]; the
    /// filter takes from it what it takes from the others [J].
    fn work_of_pins(&self, which: usize, u: &Points, h: f64) -> f64 {
        let pinned = (0..self.mass.len()).filter(|slot| self.pinned[*slot]).map(|slot| slot as u32);
        let mut work = -pinned.map(|slot| self.impulses[which].get(slot).dot(u.get(slot)) / h).sum::<f64>();
        for (slots, q, strength) in &self.at_pins {
            let (mut taken, mut moved) = (DVec3::ZERO, DVec3::ZERO);
            for k in 0..4 {
                if self.pinned[slots[k] as usize] {
                    moved += u.get(slots[k]) * (q[k] / h);
                } else {
                    taken += self.matrix.solution(slots[k]) * q[k];
                }
            }
            work += strength * taken.dot(moved);
        }
        work
    }

    /// Adds the velocities that were solved for to displacements per substep [m].
    fn add(&self, to: &mut Points, h: f64) {
        (0..self.mass.len() as u32).for_each(|slot| to.add(slot, self.matrix.solution(slot) * h));
    }

    /// Makes the factor for moments that are held for a `span` [s], when it was made for others.
    fn prepare(&mut self, groups: &[Group], span: f64, w: &[f64]) {
        let same = self.pinned.iter().zip(w).all(|(pinned, w)| *pinned == (*w == 0.0));
        if same && self.span == span {
            return;
        }
        self.span = span;
        self.pinned.iter_mut().zip(w).for_each(|(pinned, w)| *pinned = *w == 0.0);
        self.matrix.clear();
        for slot in 0..self.mass.len() {
            // A pinned particle does not move, whatever pulls at it.
            let mass = if self.pinned[slot] { 1.0 } else { self.mass[slot] };
            self.matrix.add([slot as u32; 2], mass);
        }
        self.at_pins.clear();
        for (slots, q, stiffness, damping) in lanes(groups) {
            let strength = (0.5 * stiffness * span + damping) * span;
            let pinned = slots.map(|slot| self.pinned[slot as usize]);
            if pinned.contains(&true) {
                self.at_pins.push((slots, q, strength));
            }
            for k in (0..4).filter(|k| !pinned[*k]) {
                for l in (0..=k).filter(|l| !pinned[*l]) {
                    self.matrix.add([slots[k], slots[l]], strength * q[k] * q[l]);
                }
            }
        }
        self.matrix.factor();
    }
}

/// Adds up the impulses of all hinges, and their energy.
struct Collect<'a> {
    over: Span,
    groups: &'a [Group],
    x: &'a Points,
    u: &'a Points,
    impulses: &'a mut [Points; 2],
}

#[allow(clippy::inline_always, reason = "see `Kernel`")]
impl Kernel for Collect<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<F: Four>(mut self) -> f64 {
        let mut energy = F::splat(0.0);
        for group in self.groups {
            energy = energy + self.collect::<F>(group);
        }
        energy.store().iter().sum()
    }
}

#[allow(clippy::inline_always, reason = "see `Kernel`")]
impl Collect<'_> {
    /// The impulses of four hinges. Returns their energy [J].
    #[inline(always)]
    fn collect<F: Four>(&mut self, group: &Group) -> F {
        let frame = HingeFrames::<F>::of(self.x, &group.slots);
        let normals = frame.n1 + frame.n2;
        let n = normals * normals.length_squared().per_root();
        let curvature = frame.curvature(&group.q);
        let mut rate = Vectors::zero();
        for k in 0..4 {
            rate = rate + self.u.gather(group.slots[k]) * (F::load(&group.q[k]) * F::splat(1.0 / self.over.h));
        }
        let stiffness = F::load(&group.stiffness) * frame.sound;
        let bent = curvature * F::splat(0.5) + n * F::load(&group.rest_sine);
        let span = F::splat(self.over.length);
        let elastic = bent * (stiffness * span);
        let damping = n * (F::load(&group.damping) * frame.sound * n.dot(rate) * span);
        for k in 0..4 {
            let q = -F::load(&group.q[k]);
            self.impulses[ELASTIC].scatter_add(group.slots[k], elastic * q);
            self.impulses[DAMPING].scatter_add(group.slots[k], damping * q);
        }
        stiffness * bent.length_squared()
    }
}

/// Slots, q, c and D of all hinges, one by one.
fn lanes(groups: &[Group]) -> impl Iterator<Item = ([u32; 4], [f64; 4], f64, f64)> + Clone {
    let lane = |group: &Group, lane: usize| {
        let (slots, q) = (group.slots.map(|slots| slots[lane]), group.q.map(|q| q[lane]));
        (slots, q, group.stiffness[lane], group.damping[lane])
    };
    let used = |hinge: &([u32; 4], [f64; 4], f64, f64)| hinge.1 != [0.0; 4];
    groups.iter().flat_map(move |group| (0..4).map(move |k| lane(group, k))).filter(used)
}

#[cfg(test)]
mod tests {
    use glam::DVec2;

    use super::*;
    use crate::forces::{Element, Hinge};
    use crate::mesh::{Diagonals, GridSpec};
    use crate::model::{Body, Chain, Cloth, Skin, World};

    /// Two triangles of 1 cm, the second turned about their edge, and a hinge that rests at another angle.
    fn folded(angle: f64) -> (Model, Hinge, Vec<DVec3>) {
        let spec =
            GridSpec { size: DVec2::splat(0.01), particles: [2, 2], diagonals: Diagonals::One, triangles: false };
        let mesh = spec.build().expect("a cell");
        let start = mesh.positions.clone();
        let body = Body::Chain(Chain { mass: 1e-3, bob: 0.0, stiffness: 0.0, rest_length: None, damping: 0.0 });
        let start_velocity = vec![DVec3::ZERO; 4];
        let cloth = Cloth {
            name: "cell".into(),
            mesh,
            start: start.clone(),
            start_velocity,
            body,
            pins: vec![],
            skin: Skin::default(),
        };
        let model = Model::build(vec![cloth], vec![], World::default()).expect("a model");
        let hinge = Hinge { particles: [0, 3, 1, 2], stiffness: 1e-4, rest_sine: 2e-4, damping: 0.0 };
        let mut x = start;
        let edge = (x[2] - x[1]).normalize();
        x[3] = x[1] + glam::DQuat::from_axis_angle(edge, angle) * (x[3] - x[1]);
        (model, hinge, x)
    }

    /// Slots with places, zero displacements, inverse masses, and the filter of one hinge.
    fn ready(model: &Model, hinge: &Hinge, x: &[DVec3]) -> (Vec<Group>, Filter, Points, Vec<f64>) {
        let slots = Slots::new(4);
        let groups = vec![Group::of(&[hinge], &model.start, slots)];
        let filter = Filter::new(model, &groups);
        let (mut places, mut w) = (Points::new(4), vec![0.0; 5]);
        for i in 0..4 {
            places.set(slots.of(i), x[i]);
            w[slots.of(i) as usize] = 1.0 / model.mass[i];
        }
        (groups, filter, places, w)
    }

    #[test]
    fn in_a_short_time_a_hinge_does_what_its_force_does_and_holds_its_energy() {
        let (model, hinge, x) = folded(2e-3);
        let (groups, mut filter, places, w) = ready(&model, &hinge, &x);
        let (slots, mut u) = (Slots::new(4), Points::new(4));
        let (span, h) = (1e-6, 1e-6);
        let mut push = Points::new(4);
        filter.act(Span { time: 0.0, length: span, h }, &groups, &places, &mut u, &mut push, &w);
        let at = hinge.particles.map(|i| x[i as usize]);
        let (force, energy) = (hinge.force(&at), hinge.energy(&at));
        for k in 0..4 {
            let i = hinge.particles[k] as usize;
            let pulled = push.get(slots.of(i)) * (model.mass[i] / (h * span));
            assert!((pulled - force[k]).length() < 2e-3 * force[k].length(), "{i}: {pulled} N, not {}", force[k]);
        }
        let held = filter.energy(&groups, &places);
        assert!((held / energy - 1.0).abs() < 1e-3, "{held} J, not {energy} J");
    }

    /// The only wave of a hinge has ω² = k Σ w q². Filtered, it moves as one of the stiffness k/(1 + (τ² + τ D/k) ω²):
    /// that is what pulls, and what holds energy, however strong the damper is.
    #[test]
    fn in_a_long_time_a_fast_wave_pulls_and_holds_energy_as_a_slow_one() {
        for damping_time in [0.0, 0.3] {
            let (model, mut hinge, x) = folded(2e-3);
            hinge.rest_sine = 0.0;
            hinge.damping = 0.5 * hinge.stiffness * damping_time;
            let (groups, mut filter, places, w) = ready(&model, &hinge, &x);
            let (slots, mut u) = (Slots::new(4), Points::new(4));
            let (span, h) = (0.1, 1e-3);
            let mut push = Points::new(4);
            filter.act(Span { time: 0.0, length: span, h }, &groups, &places, &mut u, &mut push, &w);
            let response = |k: usize| groups[0].q[k][0] * groups[0].q[k][0] / model.mass[hinge.particles[k] as usize];
            let omega2 = 0.5 * hinge.stiffness * (0..4).map(response).sum::<f64>();
            let slower = 1.0 + (span * span + span * damping_time) * omega2;
            assert!(slower > 10.0, "a slow wave");
            let at = hinge.particles.map(|i| x[i as usize]);
            let (force, energy) = (hinge.force(&at), hinge.energy(&at));
            for k in 0..4 {
                let i = hinge.particles[k] as usize;
                let (pulled, expected) = (push.get(slots.of(i)) * (model.mass[i] / (h * span)), force[k] / slower);
                assert!((pulled - expected).length() < 2e-3 * expected.length(), "{i}: {pulled} N, not {expected}");
            }
            let held = filter.energy(&groups, &places);
            assert!((held * slower / energy - 1.0).abs() < 1e-3, "{held} J, not {} J", energy / slower);
        }
    }
}
