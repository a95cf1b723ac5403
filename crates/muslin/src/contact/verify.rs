//! Whether a straight motion of the cloth leaves every solid alone.
//!
//! ```text
//! every vertex, edge and triangle of cloth goes straight from x to y,
//! while the solids go from fraction s0 to s1 of their step;
//! each pair must stay further apart than its floor = min(ξ/4, gap/2), gap at x
//! ```
//!
//! ξ thickness [m]. Half of the gap at the start, so that a pair that is already near can go on, and never touches (see
//! "How `certified` does it" in `docs/methods/contact.md`). Pairs that are not far enough apart to be safe in any case
//! are checked by conservative continuous collision detection.
//!
//! For planes, balls and capsules that do not turn, checking vertices is enough. The square of the distance D to a
//! convex core (the centre of a ball, the axis of a capsule) has second derivatives of at most 2, so along paths that
//! are at most d long as seen from the solid, and within a triangle that fits in a circle of radius ρ,
//!
//! ```text
//! D² >= min of D² at the corners, at start and end, - d²/4 - ρ²
//! ```
//!
//! Elements near pins on or inside of a solid are left out (`exempt`); of a triangle that is, the sides and corners
//! that are not left out must be safe.
//!
//! A triangle that stays on the far side of a plane through a solid's surface is safe from it too, sharp edges or not,
//! as long as the solid does not turn: seen from it, all places of the triangle are then between those of its corners
//! at start and end. The planes that are tried are those below the corners, at the start.

use glam::DVec3;

use super::cloth::{ClothSurface, circle2};
use super::exempt::Exemptions;
use super::moving_mesh::MovingMesh;
use super::near::{Explored, Finder, Near, place};
use super::pairs::{Pair, PairKind};
use super::passing::Passing;
use super::patch::used;
use super::solids::{MovingCollider, RigidPath, Solids};
use crate::collide::{Bounds, Path, Shape, triangle_shape_impact};
use crate::model::Model;

/// What a verified motion keeps of the thickness, at least, where cloth was no nearer before.
pub(crate) const FLOOR: f64 = 0.25;

/// A pair that would come too near.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Hit {
    pub(crate) collider: usize,
    /// The particles of the part of cloth.
    pub(crate) particles: [u32; 3],
    /// Where the pair is nearest when the motion starts. The plane there lets it come no nearer.
    pub(crate) plane: Near,
}

/// A straight motion of all particles.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Segment<'a> {
    /// Where it starts [m].
    pub(crate) from: &'a [DVec3],
    /// Where it ends [m].
    pub(crate) to: &'a [DVec3],
    /// The fractions of the step at which the solids are then.
    pub(crate) fractions: [f64; 2],
}

impl Segment<'_> {
    /// The path of a particle.
    pub(super) fn path(&self, particle: u32) -> Path {
        Path { start: self.from[particle as usize], end: self.to[particle as usize] }
    }
}

/// What a collider asks of cloth.
#[derive(Clone, Copy)]
struct Rules<'a> {
    collider: usize,
    /// The distance to keep, for each cloth [m].
    thickness: &'a [f64],
    exempt: &'a Exemptions,
}

/// Verifies motions; keeps its memory.
#[derive(Debug)]
pub(crate) struct Verifier {
    /// Least distance of each particle from the solid under work, at start and end [m].
    gaps: Vec<f64>,
    /// Where each particle is at start and end, in the axes of that solid [m], and the direction from it at the start.
    seen: Vec<([DVec3; 2], DVec3)>,
    /// How far each particle goes [m].
    lengths: Vec<f64>,
    close: Vec<[u32; 2]>,
}

impl Verifier {
    pub(crate) fn new(model: &Model) -> Self {
        let seen = vec![([DVec3::ZERO; 2], DVec3::ZERO); model.len()];
        Self { gaps: vec![0.0; model.len()], seen, lengths: vec![0.0; model.len()], close: Vec::new() }
    }

    /// The first pair found that would come too near; none: the motion is safe. `finder` has looked where it starts.
    pub(crate) fn hit(
        &mut self,
        model: &Model,
        cloth: &mut ClothSurface,
        solids: &Solids,
        finder: &Finder,
        segment: Segment<'_>,
    ) -> Option<Hit> {
        let around = Bounds::of(segment.from.iter().chain(segment.to).copied());
        for (collider, moving) in solids.moving().iter().enumerate() {
            let rules = Rules { collider, thickness: &model.colliders[collider].thickness, exempt: finder.exempt() };
            let thickest = rules.thickness.iter().copied().fold(0.0, f64::max);
            if !solids.bounds(collider).meets(&around.grown(FLOOR * thickest)) {
                continue;
            }
            let hit = match moving {
                MovingCollider::Shape(shape, path) => {
                    self.shape_hit(rules, cloth, (shape, path), segment, solids.step())
                }
                MovingCollider::Mesh(mesh) => {
                    self.mesh_hit(rules, cloth, (mesh, finder.explored(collider)), segment, solids.step())
                }
                MovingCollider::LevelSet(..) => None,
            };
            if let Some((part, place)) = hit {
                let (thickness, friction) = model.colliders[collider].rules(part);
                let (thickness, collider_number) = (thickness.min(place.gap), collider as u32);
                let plane = Near { collider: collider_number, thickness, friction, ..place };
                return Some(Hit { collider, particles: place.particles, plane });
            }
        }
        None
    }

    fn shape_hit(
        &mut self,
        rules: Rules<'_>,
        cloth: &ClothSurface,
        (shape, path): (&Shape, &RigidPath),
        segment: Segment<'_>,
        h: f64,
    ) -> Option<(usize, Near)> {
        let motion = path.motion.part(segment.fractions[0], segment.fractions[1]);
        let (start, end) = (motion.pose(0.0), motion.pose(1.0));
        for (i, (gap, seen)) in self.gaps.iter_mut().zip(&mut self.seen).enumerate() {
            let [from, to] = [(start, segment.from[i]), (end, segment.to[i])].map(|(pose, x)| pose.local(x));
            let near = shape.nearest(from);
            *gap = near.distance.min(shape.nearest(to).distance);
            *seen = ([from, to], near.normal);
        }
        let radius = smoothness(shape).filter(|_| !shape.turns(&motion));
        for (number, &triangle) in cloth.patch.triangles.iter().enumerate() {
            let floor = FLOOR * rules.thickness[cloth.cloth[number] as usize];
            let least = triangle.iter().map(|&i| self.gaps[i as usize]).fold(f64::INFINITY, f64::min);
            let relative =
                |&i: &u32| (segment.to[i as usize] - segment.from[i as usize] - motion.shift()).length_squared();
            let path2 = triangle.iter().map(relative).fold(0.0, f64::max);
            let safe = match radius {
                Some(f64::INFINITY) => least > floor,
                Some(r) => {
                    let circle2 = circle2(segment.from, &triangle).max(circle2(segment.to, &triangle));
                    let (nearest, kept) = ((r + least).max(0.0), r + floor);
                    nearest * nearest - path2 / 4.0 - circle2 > kept * kept
                }
                // Distances change by no more than places do.
                None => !motion.moves() && least - widest(&segment, &triangle) - path2.sqrt() > floor,
            };
            let safe = safe || (motion.spin() == DVec3::ZERO && self.is_beyond_a_plane(shape, triangle, floor));
            if safe {
                continue;
            }
            for part in rules.exempt.considered(rules.collider, triangle) {
                let (weights, near) = shape.nearest_on_triangle(part.map(|i| start.local(segment.from[i as usize])));
                let floor = floor.min(0.5 * near.distance);
                let paths = part.map(|i| segment.path(i));
                if triangle_shape_impact(shape, &motion, paths, floor).is_some() {
                    let velocity = path.motion.velocity(start.world(near.point), segment.fractions[0], h);
                    let place = place(part, weights, start.rotation * near.normal, near.distance, velocity);
                    return Some((cloth.cloth[number] as usize, place));
                }
            }
        }
        None
    }

    /// True when a plane below one of its corners keeps a triangle further than `floor` [m] from a solid that does not
    /// turn.
    fn is_beyond_a_plane(&self, shape: &Shape, triangle: [u32; 3], floor: f64) -> bool {
        let [a, b, c] = triangle.map(|i| self.seen[i as usize]);
        let places = [a.0[0], b.0[0], c.0[0], a.0[1], b.0[1], c.0[1]];
        [a.1, b.1, c.1].into_iter().any(|normal| shape.separation(&places, normal) > floor)
    }

    /// Goes over the pairs that the search before the motion has found, or, where something went further than was
    /// looked, over all.
    fn mesh_hit(
        &mut self,
        rules: Rules<'_>,
        cloth: &mut ClothSurface,
        (mesh, explored): (&MovingMesh, &Explored),
        segment: Segment<'_>,
        h: f64,
    ) -> Option<(usize, Near)> {
        let passing = Passing { mesh, segment };
        let their_path = mesh.furthest * (segment.fractions[1] - segment.fractions[0]);
        let thinnest = rules.thickness.iter().copied().fold(f64::INFINITY, f64::min);
        for (i, length) in self.lengths.iter_mut().enumerate() {
            *length = segment.from[i].distance(segment.to[i]);
        }
        let within = |(length, reach): (&f64, &f64)| length + their_path <= reach + (1.0 - FLOOR) * thinnest;
        if !explored.near || !self.lengths.iter().zip(&explored.reach).all(within) {
            return self.any_hit(rules, cloth, passing, h);
        }
        explored.pairs.iter().find_map(|pair| {
            let part = cloth.cloth[pair.cloth as usize] as usize;
            let (floor, ours) = (FLOOR * rules.thickness[part], particles(cloth, pair));
            let length = ours.iter().map(|&i| self.lengths[i as usize]).fold(0.0, f64::max);
            let safe = pair.gap - length - their_path > floor;
            let hits = !safe && passing.hits(pair.kind, ours, pair.theirs, floor);
            hits.then(|| (part, passing.place(pair.kind, ours, pair.theirs, h)))
        })
    }

    fn any_hit(
        &mut self,
        rules: Rules<'_>,
        cloth: &mut ClothSurface,
        passing: Passing<'_>,
        h: f64,
    ) -> Option<(usize, Near)> {
        let Passing { mesh, segment } = passing;
        let thickest = rules.thickness.iter().copied().fold(0.0, f64::max);
        cloth.refit(|triangle| {
            let places = triangle.iter().flat_map(|&i| [segment.from[i as usize], segment.to[i as usize]]);
            Bounds::of(places).grown(FLOOR * thickest)
        });
        self.close.clear();
        cloth.bvh.pairs(&mesh.swept, |one, other| self.close.push([one, other]));
        for &[one, other] in &self.close {
            let part = cloth.cloth[one as usize] as usize;
            let floor = FLOOR * rules.thickness[part];
            let (owned, theirs) = (&cloth.patch.owned[one as usize], &mesh.patch.owned[other as usize]);
            let hit = |kind: PairKind, ours: [u32; 3], theirs: u32| {
                let left_out = rules.exempt.contains(rules.collider, ours);
                let hits = !left_out && passing.hits(kind, ours, theirs, floor);
                hits.then(|| (part, passing.place(kind, ours, theirs, h)))
            };
            let triangle = cloth.patch.triangles[one as usize];
            let vertices = used(&owned.corners).find_map(|vertex| hit(PairKind::VertexFace, [vertex; 3], other));
            let corners = || used(&theirs.corners).find_map(|corner| hit(PairKind::FaceVertex, triangle, corner));
            let edges = || {
                used(&owned.edges).find_map(|edge| {
                    let [a, b] = cloth.patch.edges[edge as usize];
                    used(&theirs.edges).find_map(|their_edge| hit(PairKind::Edges, [a, b, b], their_edge))
                })
            };
            if let Some(found) = vertices.or_else(corners).or_else(edges) {
                return Some(found);
            }
        }
        None
    }
}

/// The particles of the part of cloth in a pair.
fn particles(cloth: &ClothSurface, pair: &Pair) -> [u32; 3] {
    match pair.kind {
        PairKind::VertexFace => [pair.ours; 3],
        PairKind::FaceVertex => cloth.patch.triangles[pair.ours as usize],
        PairKind::Edges => {
            let [a, b] = cloth.patch.edges[pair.ours as usize];
            [a, b, b]
        }
    }
}

/// The radius of a solid that is a core with everything within that radius [m]; infinite for a plane; none: it has
/// sharp edges.
fn smoothness(shape: &Shape) -> Option<f64> {
    match *shape {
        Shape::Plane => Some(f64::INFINITY),
        Shape::Sphere { radius } | Shape::Capsule { radius, .. } => Some(radius),
        Shape::Box { .. } | Shape::Cylinder { .. } => None,
    }
}

/// The longest side of a triangle in a motion [m].
fn widest(segment: &Segment<'_>, &[a, b, c]: &[u32; 3]) -> f64 {
    let longest = |x: &[DVec3]| {
        let [a, b, c] = [a, b, c].map(|i| x[i as usize]);
        a.distance_squared(b).max(b.distance_squared(c)).max(c.distance_squared(a))
    };
    longest(segment.from).max(longest(segment.to)).sqrt()
}

#[cfg(test)]
mod tests {
    use glam::DVec2;

    use super::*;
    use crate::contact::Ahead;
    use crate::mesh::{Diagonals, GridSpec};
    use crate::model::{Body, Chain, Cloth, Collider, Hold, Motion, Pin, Skin, Solid, SolidMesh, World};

    /// A bar of 4 cm × 4 cm along x.
    fn bars() -> [Solid; 2] {
        let half = DVec3::new(0.3, 0.02, 0.02);
        let mesh = SolidMesh::of(&Shape::Box { half }, 0);
        let pose = crate::collide::Pose::at(DVec3::ZERO);
        [Solid::Shape { shape: Shape::Box { half }, pose }, Solid::Mesh(mesh)]
    }

    /// A strip of one cell, its first row pinned in the axis of a bar: every triangle contains a pin, the hem does not.
    fn strip(solid: Solid) -> Model {
        let spec =
            GridSpec { size: DVec2::new(0.4, 0.1), particles: [5, 2], diagonals: Diagonals::One, triangles: false };
        let mesh = spec.build().expect("a strip");
        let body = Body::Chain(Chain { mass: 1.0, bob: 0.0, stiffness: 0.0, rest_length: None, damping: 0.0 });
        let start = mesh.positions.iter().map(|x| DVec3::new(x.x - 0.2, 0.0, x.z)).collect();
        let pin = Pin { particles: (0..5).collect(), hold: Hold::Fixed(Motion::default()), release: None };
        let start_velocity = vec![DVec3::ZERO; 10];
        let cloth =
            Cloth { name: "strip".into(), mesh, start, start_velocity, body, pins: vec![pin], skin: Skin::default() };
        let mut model = Model::build(vec![cloth], vec![], World::default()).expect("a model");
        let (thickness, friction) = (vec![1e-3], vec![0.0]);
        model.colliders.push(Collider { name: "bar".into(), solid, motion: Motion::default(), thickness, friction });
        model
    }

    /// The hem in zigzag around an edge of the bar: its vertices above or beside the axis, by `out` [m].
    fn hem(model: &Model, out: f64) -> Vec<DVec3> {
        let off = |i: usize| if i.is_multiple_of(2) { DVec3::Y } else { DVec3::Z };
        let place = |(i, x): (usize, &DVec3)| if i < 5 { *x } else { DVec3::X * x.x + off(i) * out };
        model.start.iter().enumerate().map(place).collect()
    }

    #[test]
    fn an_edge_must_be_safe_though_every_triangle_that_has_it_is_left_out() {
        for solid in bars() {
            let model = strip(solid);
            let solids = Solids::exact(&model);
            let mut cloth = ClothSurface::new(&model);
            let (mut finder, mut verifier) = (Finder::new(&model, &cloth), Verifier::new(&model));
            // Vertices stay 1 cm from the bar at least; halfway between them its edge is passed at (out - 4 cm)/√2.
            let mut hit = |from: f64, to: f64, span: f64| {
                let (from, to) = (hem(&model, from), hem(&model, to));
                let v = vec![DVec3::ZERO; model.len()];
                finder.look(&model, &mut cloth, &solids, Ahead { x: &from, v: &v, span, further: 0.0 });
                let segment = Segment { from: &from, to: &to, fractions: [0.0, 1.0] };
                verifier.hit(&model, &mut cloth, &solids, &finder, segment)
            };
            // A long span looks far ahead, so that pairs of a mesh are those found before the motion.
            for span in [0.0, 0.2] {
                assert_eq!(hit(0.08, 0.045, span), None, "it stays 3.5 mm away");
                let through = hit(0.045, 0.03, span).expect("it goes through an edge of the bar");
                let [a, b, c] = through.particles;
                assert!(a >= 5 && b >= 5 && c >= 5, "{through:?}: pinned elements are left out");
            }
        }
    }
}
