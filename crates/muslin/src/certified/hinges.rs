//! Hinges, four at a time: their stencils at rest and their frames in motion.

use glam::DVec3;

use crate::forces::Hinge;
use crate::model::Model;
use crate::simd::{Four, Lanes, Points, Slots, Vectors};

/// Four hinges that share no particle; idle ones use the spare slot.
#[derive(Debug, Clone)]
pub(super) struct Group {
    /// Slots of `[x1, x2, x3, x4]`.
    pub(super) slots: [[u32; 4]; 4],
    /// c [N·m].
    pub(super) stiffness: Lanes,
    /// sin(θ0/2).
    pub(super) rest_sine: Lanes,
    /// D [N·m·s].
    pub(super) damping: Lanes,
    /// What each particle adds to the curvature [1/m]: see `filter`.
    pub(super) q: [Lanes; 4],
}

/// Two triangles that share an edge, four times.
pub(super) struct HingeFrames<F> {
    /// From each end of the edge to both opposite particles.
    r13: Vectors<F>,
    r14: Vectors<F>,
    r23: Vectors<F>,
    r24: Vectors<F>,
    /// The edge's direction and length.
    e: Vectors<F>,
    length: F,
    /// Unit normals.
    pub(super) n1: Vectors<F>,
    pub(super) n2: Vectors<F>,
    /// One over the lengths of the normals.
    per1: F,
    per2: F,
    /// 1 where both triangles have an area, else 0: such a hinge has no angle, and no force (see `forces::hinge`).
    pub(super) sound: F,
}

#[allow(clippy::inline_always, reason = "see `Kernel`")]
impl<F: Four> HingeFrames<F> {
    #[inline(always)]
    pub(super) fn of(x: &Points, slots: &[[u32; 4]; 4]) -> Self {
        let (x1, x2): (Vectors<F>, Vectors<F>) = (x.gather(slots[0]), x.gather(slots[1]));
        let (x3, x4) = (x.gather(slots[2]), x.gather(slots[3]));
        let (edge, r13, r14, r23, r24) = (x4 - x3, x1 - x3, x1 - x4, x2 - x3, x2 - x4);
        let (normal1, normal2) = (r13.cross(r14), r24.cross(r23));
        let (edge2, square1, square2) = (edge.length_squared(), normal1.length_squared(), normal2.length_squared());
        let least = edge2 * edge2 * F::splat(1e-20);
        let (per1, per2) = (square1.per_root(), square2.per_root());
        Self {
            r13,
            r14,
            r23,
            r24,
            e: edge * edge2.per_root(),
            length: edge2.sqrt(),
            n1: normal1 * per1,
            n2: normal2 * per2,
            per1,
            per2,
            sound: square1.above(least) * square2.above(least),
        }
    }

    /// κ = Σ q x: Σ q = 0, so places relative to the third particle will do.
    #[inline(always)]
    pub(super) fn curvature(&self, q: &[Lanes; 4]) -> Vectors<F> {
        self.r13 * F::load(&q[0]) + self.r23 * F::load(&q[1]) + self.e * (self.length * F::load(&q[3]))
    }

    /// sin(θ/2).
    #[inline(always)]
    pub(super) fn half_sine(&self) -> F {
        let magnitude = (self.n1 - self.n2).length_squared().sqrt() * F::splat(0.5);
        magnitude.min(F::splat(1.0)).with_sign_of(self.n1.cross(self.n2).dot(self.e))
    }

    /// ∂θ/∂x.
    #[inline(always)]
    pub(super) fn gradient(&self) -> [Vectors<F>; 4] {
        let Self { r13, r14, r23, r24, e, length, .. } = *self;
        let (p1, p2) = (self.n1 * self.per1, self.n2 * self.per2);
        [p1 * -length, p2 * -length, p1 * -r14.dot(e) - p2 * r24.dot(e), p1 * r13.dot(e) + p2 * r23.dot(e)]
    }
}

/// Hinges in groups of four that share no particle.
pub(super) fn groups(model: &Model) -> Vec<Group> {
    let mut open: Vec<Vec<&Hinge>> = Vec::new();
    let mut full = Vec::new();
    for hinge in &model.hinges {
        let apart = |other: &&Hinge| other.particles.iter().all(|i| !hinge.particles.contains(i));
        let place = open.iter().position(|group| group.iter().all(apart));
        let place = place.unwrap_or_else(|| {
            open.push(Vec::new());
            open.len() - 1
        });
        open[place].push(hinge);
        if open[place].len() == 4 {
            full.push(open.remove(place));
        }
    }
    full.extend(open);
    let rest: Vec<DVec3> = model.cloths.iter().flat_map(|part| part.mesh.positions.iter().copied()).collect();
    let slots = Slots::new(model.len());
    full.iter().map(|hinges| Group::of(hinges, &rest, slots)).collect()
}

impl Group {
    pub(super) fn of(hinges: &[&Hinge], rest: &[DVec3], slots: Slots) -> Self {
        let nil = [0.0; 4];
        let (slot, q) = ([[slots.spare(); 4]; 4], [nil; 4]);
        let mut group = Self { slots: slot, stiffness: nil, rest_sine: nil, damping: nil, q };
        for (lane, hinge) in hinges.iter().enumerate() {
            let q = hinge_stencil(hinge.particles.map(|i| rest[i as usize]));
            for k in 0..4 {
                group.slots[k][lane] = slots.of(hinge.particles[k] as usize);
                group.q[k][lane] = q[k];
            }
            group.stiffness[lane] = hinge.stiffness;
            group.rest_sine[lane] = hinge.rest_sine;
            group.damping[lane] = hinge.damping;
        }
        group
    }
}

/// What each particle of a hinge adds to its curvature, by positions at rest [1/m].
pub(crate) fn hinge_stencil([x1, x2, x3, x4]: [DVec3; 4]) -> [f64; 4] {
    let edge = (x4 - x3).normalize_or_zero();
    let per = |normal: DVec3| if normal.length() > 0.0 { 1.0 / normal.length() } else { 0.0 };
    let (per1, per2) = (per((x1 - x3).cross(x1 - x4)), per((x2 - x4).cross(x2 - x3)));
    let length = x3.distance(x4);
    [
        length * per1,
        length * per2,
        (x1 - x4).dot(edge) * per1 + (x2 - x4).dot(edge) * per2,
        -(x1 - x3).dot(edge) * per1 - (x2 - x3).dot(edge) * per2,
    ]
}
