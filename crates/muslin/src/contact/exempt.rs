//! What is left out of contact because it is pinned on or inside a solid: a curtain on its rod, the waistband of a
//! skirt.
//!
//! ```text
//! particle p is pinned in a solid:   gap(p) < ξ at the start, and its pin leaves it no motion along the normal there
//! element E is left out there:       p in E,   or   distance(E, p) < r = max(0, -gap(p)) + ξ     in the rest shape
//! ```
//!
//! gap signed distance [m], ξ the distance that the cloth keeps from that solid [m]. An element is a vertex, an edge or
//! a triangle; each is judged by itself, so an edge between two vertices that are considered may belong to triangles
//! that are not. Whatever is left out is so against that solid only, and for all of the run: it is decided once, from
//! where particles and solids start, and is part of what never changes. Cloth that hangs straight from such a pin comes
//! out of the solid within r. A pin that is driven into a solid later is not among these: there the step is refused as
//! ever.
//!
//! Distances are straight ones in the rest shape, and only elements count that are joined to the pin by others that are
//! left out: a layer of cloth that lies near in the rest shape but hangs elsewhere is considered. Paths along edges
//! would be up to √2 times too long on quads, and leave cloth in a rod that is not to be there.

use glam::DVec3;

use crate::collide::{Bounds, TriangleSurface, closest_on_triangle};
use crate::drivers::{Drivers, Freedom};
use crate::model::{ClothPart, Collider, Model, Solid};

/// A pin leaves no motion along a normal when a push moves the particle by less than this fraction of what it would if
/// free, as in `row`.
const LEAST_RESPONSE: f64 = 1e-4;

/// An element by its particles in rising order: a vertex has its particle three times, an edge its second one twice.
type ElementKey = [u32; 3];

/// What is left out of contact near pins, for each collider of a model.
#[derive(Debug, Clone, Default)]
pub struct Exemptions {
    colliders: Vec<ExemptElements>,
}

/// What is left out against one collider.
#[derive(Debug, Clone, Default)]
struct ExemptElements {
    count: Exempted,
    /// The elements, sorted. What is sewn is there by its own number and by that of its leader.
    elements: Vec<ElementKey>,
    /// Whether each particle is part of one of them; empty where there are none.
    around: Vec<bool>,
}

/// How much is left out against a collider.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Exempted {
    /// Pinned particles that start on or inside of it.
    pub pins: usize,
    /// Vertices left out, those pinned among them.
    pub vertices: usize,
    /// Edges left out, diagonals that split quads among them.
    pub edges: usize,
    /// Triangles left out.
    pub triangles: usize,
}

impl Exemptions {
    /// What a model leaves out, from where its particles and colliders start.
    pub fn of(model: &Model) -> Self {
        let mut own = Self { colliders: vec![ExemptElements::default(); model.colliders.len()] };
        if model.colliders.is_empty() || model.pins.is_empty() {
            return own;
        }
        let mut drivers = Drivers::default();
        drivers.update(model, &model.start, 0.0);
        let leader = model.leaders();
        for (number, part) in model.cloths.iter().enumerate() {
            let pinned = |i: &usize| drivers.freedom[*i] != Freedom::Free && leader[*i] as usize == *i;
            let pinned: Vec<usize> = part.particles.clone().filter(pinned).collect();
            // Built only for cloth that needs it.
            let mut net = None;
            for (collider, left_out) in model.colliders.iter().zip(&mut own.colliders) {
                for (particle, radius) in pinned_in(model, collider, number, &pinned, &drivers.freedom) {
                    let net = net.get_or_insert_with(|| Net::new(part, &leader));
                    let before = left_out.elements.len();
                    net.spread(particle as u32, radius, &mut left_out.elements);
                    left_out.count.pins += usize::from(left_out.elements.len() > before);
                }
            }
        }
        own.colliders.iter_mut().for_each(|left_out| left_out.settle(&leader));
        own
    }

    /// True when nothing is left out.
    pub fn is_empty(&self) -> bool {
        self.colliders.iter().all(|left_out| left_out.elements.is_empty())
    }

    /// The colliders against which something is left out, and how much.
    pub fn counts(&self) -> impl Iterator<Item = (usize, Exempted)> {
        let some = self.colliders.iter().enumerate().filter(|(_, left_out)| !left_out.elements.is_empty());
        some.map(|(collider, left_out)| (collider, left_out.count))
    }

    /// True when nothing is left out against a collider.
    pub(super) fn is_empty_at(&self, collider: usize) -> bool {
        self.colliders[collider].elements.is_empty()
    }

    /// Whether the element of these particles, which may be the same, is left out against a collider.
    pub(super) fn contains(&self, collider: usize, particles: [u32; 3]) -> bool {
        let ExemptElements { elements, around, .. } = &self.colliders[collider];
        !elements.is_empty()
            && particles.iter().all(|i| around[*i as usize])
            && elements.binary_search(&key(particles)).is_ok()
    }

    /// Whether the element inside of which a place is, by the weights of its particles, is left out against a collider.
    pub(super) fn contains_place(&self, collider: usize, particles: [u32; 3], weights: [f64; 3]) -> bool {
        if self.is_empty_at(collider) {
            return false;
        }
        let used = (0..3).find(|&k| weights[k] > 0.0).unwrap_or(0);
        self.contains(collider, [0, 1, 2].map(|k| particles[if weights[k] > 0.0 { k } else { used }]))
    }

    /// What is to be considered of a triangle: all of it, or, where it is left out, its sides and corners that are not.
    /// Corners of such sides are not repeated.
    pub(super) fn considered(&self, collider: usize, triangle: [u32; 3]) -> impl Iterator<Item = [u32; 3]> + use<> {
        let mut parts = [None; 6];
        if self.contains(collider, triangle) {
            for k in 0..3 {
                let [a, b] = [triangle[k], triangle[(k + 1) % 3]];
                parts[k] = Some([a, b, b]).filter(|side| a != b && !self.contains(collider, *side));
            }
            for (k, corner) in triangle.into_iter().enumerate() {
                let on_side = parts[..3].iter().flatten().any(|side| side.contains(&corner));
                parts[3 + k] = Some([corner; 3]).filter(|vertex| !on_side && !self.contains(collider, *vertex));
            }
        } else {
            parts[0] = Some(triangle);
        }
        parts.into_iter().flatten()
    }
}

impl ExemptElements {
    /// Sorts and counts what was found.
    fn settle(&mut self, leader: &[u32]) {
        self.elements.sort_unstable();
        self.elements.dedup();
        if self.elements.is_empty() {
            return;
        }
        self.around = vec![false; leader.len()];
        for element in &self.elements {
            for i in element {
                self.around[*i as usize] = true;
            }
            // Both sides of a seam are one.
            if element.iter().all(|i| leader[*i as usize] == *i) {
                let [a, b, c] = *element;
                self.count.vertices += usize::from(a == c);
                self.count.edges += usize::from(a != b && b == c);
                self.count.triangles += usize::from(a != b && b != c);
            }
        }
    }
}

fn key(mut particles: [u32; 3]) -> ElementKey {
    particles.sort_unstable();
    let [a, b, c] = particles;
    if a == b { [a, c, c] } else { particles }
}

/// The particles of a cloth that are pinned in a collider, each with the radius r [m] around it.
fn pinned_in(
    model: &Model,
    collider: &Collider,
    cloth: usize,
    pinned: &[usize],
    freedom: &[Freedom],
) -> Vec<(usize, f64)> {
    let thickness = collider.thickness[cloth];
    let pose = collider.pose(0.0);
    let mut positions = Vec::new();
    collider.positions(0.0, &mut positions);
    let around = Bounds::of(pinned.iter().map(|i| model.start[*i])).grown(thickness);
    let surface = collider.mesh().filter(|_| Bounds::of(positions.iter().copied()).meets(&around));
    let surface = surface.map(|mesh| TriangleSurface::new(positions, mesh.triangles.clone()));
    let lies = |x: DVec3| match (&collider.solid, &surface) {
        (Solid::Shape { shape, .. }, _) => {
            let near = shape.nearest(pose.local(x));
            Some((near.distance, pose.rotation * near.normal))
        }
        (_, Some(surface)) => {
            let near = surface.nearest(x, thickness).or_else(|| surface.nearest_from_inside(x))?;
            Some((near.distance, near.normal))
        }
        (_, None) => None,
    };
    let radius = |&particle: &usize| {
        let (gap, normal) = lies(model.start[particle])?;
        let is_pinned = gap < thickness && normal.dot(freedom[particle].filter(normal)) < LEAST_RESPONSE;
        is_pinned.then(|| (particle, (-gap).max(0.0) + thickness))
    };
    pinned.iter().filter_map(radius).collect()
}

/// The elements of a cloth and which of them meet at each vertex.
struct Net<'a> {
    part: &'a ClothPart,
    leader: &'a [u32],
    /// Triangles, and edges with their second vertex twice, by vertices of the mesh.
    elements: Vec<[u32; 3]>,
    /// Where the elements at each vertex begin among `at`, and the end; what is sewn is one vertex.
    first: Vec<u32>,
    at: Vec<u32>,
    seen: Vec<bool>,
}

impl<'a> Net<'a> {
    fn new(part: &'a ClothPart, leader: &'a [u32]) -> Self {
        let edges = part.topology.edges.iter().map(|edge| [edge.a, edge.b, edge.b]);
        let elements: Vec<[u32; 3]> = part.topology.triangles.iter().copied().chain(edges).collect();
        let root = |vertex: u32| leader[part.particles.start + vertex as usize] as usize - part.particles.start;
        let mut pairs: Vec<(usize, u32)> =
            (0..).zip(&elements).flat_map(|(e, corners)| corners.map(|vertex| (root(vertex), e))).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let mut first = vec![0; part.particles.len() + 1];
        for (vertex, _) in &pairs {
            first[vertex + 1] += 1;
        }
        for vertex in 0..part.particles.len() {
            first[vertex + 1] += first[vertex];
        }
        let at = pairs.iter().map(|(_, element)| *element).collect();
        Self { part, leader, seen: vec![false; elements.len()], elements, first, at }
    }

    /// Adds what contains a particle or is nearer to it than `radius` [m], and all sides and corners of that for which
    /// the same is true.
    fn spread(&mut self, particle: u32, radius: f64, found: &mut Vec<ElementKey>) {
        let mut looked_at = self.meeting_at(particle).to_vec();
        for element in &looked_at {
            self.seen[*element as usize] = true;
        }
        let mut next = 0;
        while let Some(&element) = looked_at.get(next) {
            next += 1;
            let [a, b, c] = self.elements[element as usize].map(|vertex| self.part.particles.start as u32 + vertex);
            if !self.is_near([a, b, c], particle, radius) {
                continue;
            }
            let parts = [[a, b, c], [a, b, b], [b, c, c], [c, a, a], [a; 3], [b; 3], [c; 3]];
            for part in parts.into_iter().filter(|part| self.is_near(*part, particle, radius)) {
                found.extend([key(part), key(part.map(|i| self.leader[i as usize]))]);
            }
            for corner in [a, b, c] {
                for k in self.range(self.leader[corner as usize]) {
                    let other = self.at[k];
                    if !std::mem::replace(&mut self.seen[other as usize], true) {
                        looked_at.push(other);
                    }
                }
            }
        }
        for element in &looked_at {
            self.seen[*element as usize] = false;
        }
    }

    fn is_near(&self, element: [u32; 3], particle: u32, radius: f64) -> bool {
        let start = self.part.particles.start;
        let at = |i: u32| self.part.mesh.positions[i as usize - start];
        element.iter().any(|i| self.leader[*i as usize] == particle)
            || closest_on_triangle(at(particle), element.map(at)).point.distance(at(particle)) < radius
    }

    fn range(&self, particle: u32) -> std::ops::Range<usize> {
        let vertex = particle as usize - self.part.particles.start;
        self.first[vertex] as usize..self.first[vertex + 1] as usize
    }

    fn meeting_at(&self, particle: u32) -> &[u32] {
        &self.at[self.range(particle)]
    }
}
