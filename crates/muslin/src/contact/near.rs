//! Places of cloth near solids: what an interval of a step has to consider.
//!
//! ```text
//! gap(x) = Σ w_k n·x_k - n·p,   p moves with the velocity of the surface there
//! ```
//!
//! A place is a vertex (one particle), a point of an edge (two) or of a triangle (three); x_k its particles [m], w_k
//! their weights, n the direction from the nearest point p of the solid (unit). All are found at the start of an
//! interval, as far as things may come in it, and taken as planes until its end.
//!
//! Vertices carry the cloth on planes, and where a solid is round and no edge is longer than its radius: they keep so
//! much more than ξ that the insides of triangles keep ξ (`cloth::distance`). With places inside triangles
//! instead, vertices that nothing supports would fall and be lifted again in every interval. At sharp edges, and around
//! solids that are thin by the edges of the cloth, places inside edges and triangles carry it; on round ones they keep
//! a part of ξ, so that what comes fast does not get between the vertices.

use glam::DVec3;

use super::cloth::{ClothSurface, distance};
use super::exempt::Exemptions;
use super::pairs::{Pair, PairFinder};
use super::solids::{MovingCollider, Solids};
use crate::collide::{Bounds, Pose, Shape};
use crate::model::Model;

/// How much further than expected from its speed a particle may go in an interval and still be considered.
const MARGIN: f64 = 1.5;
/// A place inside an edge or a triangle is considered when it is nearer than the ends by this fraction of the distance
/// to keep.
const NEARER: f64 = 1e-3;
/// The part of the thickness that places inside edges and triangles keep from round solids, where vertices keep them
/// away. At 1 they would carry the cloth together with the vertices, and at rest it would creep; at ¼ what comes fast
/// is not stopped before it is verified.
const INSIDE: f64 = 0.5;

/// A place of cloth near a solid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Near {
    /// The particles of the place.
    pub(crate) particles: [u32; 3],
    /// Their weights, with the sum 1; of those that do not count, 0.
    pub(crate) weights: [f64; 3],
    /// The collider.
    pub(crate) collider: u32,
    /// Direction from the solid (unit).
    pub(crate) normal: DVec3,
    /// Distance [m], negative inside.
    pub(crate) gap: f64,
    /// Velocity of the solid's surface there [m/s].
    pub(crate) velocity: DVec3,
    /// Acceleration of the solid's material there [m/s²].
    pub(crate) acceleration: DVec3,
    /// The distance to keep [m].
    pub(crate) thickness: f64,
    /// Coulomb's coefficient.
    pub(crate) friction: f64,
}

/// What is known of the motion in the interval ahead.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ahead<'a> {
    /// Where particles are [m].
    pub(crate) x: &'a [DVec3],
    /// How fast they are [m/s].
    pub(crate) v: &'a [DVec3],
    /// Length of the interval [s].
    pub(crate) span: f64,
    /// How much further to look, as a fraction of the thickness.
    pub(crate) further: f64,
}

/// What all parts of a search have in common.
#[derive(Debug, Clone, Copy)]
pub(super) struct SearchContext<'a> {
    pub(super) model: &'a Model,
    pub(super) solids: &'a Solids,
    pub(super) collider: usize,
    pub(super) x: &'a [DVec3],
    /// How far each particle may come in the interval, as seen from the collider [m].
    pub(super) reach: &'a [f64],
    /// The part of that which is for gravity [m].
    pub(super) fall: f64,
    /// What is left out near pins.
    pub(super) exempt: &'a Exemptions,
}

/// What a search has looked at around one collider.
#[derive(Debug)]
pub(super) struct Explored {
    /// False: all of it was far from all of the cloth.
    pub(super) near: bool,
    /// How far each particle may come, as seen from the collider, so that nothing is met but what was found [m].
    pub(super) reach: Vec<f64>,
    /// Parts of cloth and mesh that were found within reach and thickness.
    pub(super) pairs: Vec<Pair>,
    /// Squared radius of the greatest of the smallest circles around the triangles at each particle, at rest [m²]; 0
    /// beside what is left out near pins.
    circles: Vec<f64>,
}

/// Finds what is near; keeps its memory.
#[derive(Debug)]
pub(crate) struct Finder {
    found: Vec<Near>,
    /// What was looked at, for each collider.
    explored: Vec<Explored>,
    /// Distance of each particle from the shape under work [m], and the direction from it.
    gaps: Vec<(f64, DVec3)>,
    pairs: PairFinder,
    exempt: Exemptions,
}

impl Finder {
    pub(crate) fn new(model: &Model, cloth: &ClothSurface) -> Self {
        let exempt = Exemptions::of(model);
        let none = || vec![0.0; model.len()];
        let circles = |collider: usize| {
            let mut circles: Vec<f64> = none();
            for (triangle, circle) in cloth.patch.triangles.iter().zip(&cloth.circles) {
                for &i in triangle {
                    circles[i as usize] = circles[i as usize].max(*circle);
                }
            }
            // A pin may keep cloth beside what is left out from going further off than the thickness.
            for triangle in cloth.patch.triangles.iter().filter(|triangle| exempt.contains(collider, **triangle)) {
                for &i in triangle {
                    circles[i as usize] = 0.0;
                }
            }
            circles
        };
        let unexplored =
            |collider| Explored { near: false, reach: none(), pairs: Vec::new(), circles: circles(collider) };
        let explored = (0..model.colliders.len()).map(unexplored).collect();
        let gaps = vec![(0.0, DVec3::ZERO); model.len()];
        Self { found: Vec::new(), explored, gaps, pairs: PairFinder::default(), exempt }
    }

    /// What is left out near pins.
    pub(super) fn exempt(&self) -> &Exemptions {
        &self.exempt
    }

    /// What the last search has looked at around a collider.
    pub(super) fn explored(&self, collider: usize) -> &Explored {
        &self.explored[collider]
    }

    /// Forgets what was found.
    pub(crate) fn forget(&mut self) {
        self.found.clear();
    }

    /// What the last search found.
    pub(crate) fn found(&self) -> &[Near] {
        &self.found
    }

    /// Looks for all places that may come as near as they are allowed to in the interval ahead. The solids are placed
    /// at its start.
    pub(crate) fn look(&mut self, model: &Model, cloth: &mut ClothSurface, solids: &Solids, ahead: Ahead<'_>) {
        self.found.clear();
        let around = Bounds::of(ahead.x.iter().copied());
        let fastest = ahead.v.iter().map(|v| v.length_squared()).fold(0.0, f64::max).sqrt();
        let fall = model.gravity.length() * ahead.span * ahead.span;
        for (collider, moving) in solids.moving().iter().enumerate() {
            let thickest = model.colliders[collider].thickness.iter().copied().fold(0.0, f64::max);
            let further = ahead.further * thickest;
            let sag = cloth.greatest_sag(&model.colliders[collider]);
            let far = thickest + sag + further + MARGIN * (fastest * ahead.span + fall);
            let Explored { near, reach, pairs, circles } = &mut self.explored[collider];
            pairs.clear();
            *near = solids.bounds(collider).meets(&around.grown(far));
            if !*near {
                continue;
            }
            for ((reach, x), v) in reach.iter_mut().zip(ahead.x).zip(ahead.v) {
                *reach = further + MARGIN * (solids.approach(collider, *x, *v) * ahead.span + fall);
            }
            let search =
                SearchContext { model, solids, collider, x: ahead.x, reach, fall: MARGIN * fall, exempt: &self.exempt };
            match moving {
                MovingCollider::Shape(shape, path) => {
                    let round = |normal: DVec3| cloth.roundness(shape, path.pose.rotation.inverse() * normal);
                    let kept = |i: usize, normal: DVec3, thickness: f64| {
                        round(normal).map_or(thickness, |radius| distance(circles[i], radius, thickness))
                    };
                    look_at_vertices(search, kept, &mut self.gaps, &mut self.found);
                    if needs_inner_places(shape, thickest, cloth.longest) {
                        look_inside(search, cloth, (shape, &path.pose), &self.gaps, &mut self.found);
                    }
                }
                MovingCollider::LevelSet(..) => {
                    look_at_vertices(search, |_, _, thickness| thickness, &mut self.gaps, &mut self.found);
                }
                MovingCollider::Mesh(mesh) => self.pairs.look(search, cloth, mesh, &mut self.found, pairs),
            }
        }
    }
}

impl SearchContext<'_> {
    /// A place with a gap, if that is near enough to be considered, and not left out near a pin. It keeps its
    /// own thickness, or that between cloth and collider where it has none.
    pub(super) fn near(&self, cloth: usize, place: Near) -> Option<Near> {
        let (thickness, friction) = self.model.colliders[self.collider].rules(cloth);
        let thickness = if place.thickness > 0.0 { place.thickness } else { thickness };
        let used = place.particles.iter().zip(place.weights).filter(|(_, weight)| *weight > 0.0);
        let reach = used.map(|(i, _)| self.reach[*i as usize]).fold(0.0, f64::max);
        let collider = self.collider as u32;
        let considered =
            place.gap < thickness + reach && !self.exempt.contains_place(self.collider, place.particles, place.weights);
        considered.then_some(Near { collider, thickness, friction, ..place })
    }
}

/// A place before it is known which collider and cloth it belongs to.
pub(super) fn place(particles: [u32; 3], weights: [f64; 3], normal: DVec3, gap: f64, velocity: DVec3) -> Near {
    let acceleration = DVec3::ZERO;
    Near { particles, weights, normal, gap, velocity, acceleration, collider: 0, thickness: 0.0, friction: 0.0 }
}

/// True when keeping vertices away from a shape is not enough.
fn needs_inner_places(shape: &Shape, thickness: f64, longest: f64) -> bool {
    match shape {
        Shape::Plane => false,
        Shape::Sphere { radius } | Shape::Capsule { radius, .. } => {
            longest * longest / (8.0 * radius) > 0.5 * thickness
        }
        Shape::Box { .. } | Shape::Cylinder { .. } => true,
    }
}

/// Looks at all vertices; `kept` is the distance that each has to keep [m], by its number, the direction from the solid
/// and the thickness [m].
fn look_at_vertices(
    search: SearchContext<'_>,
    kept: impl Fn(usize, DVec3, f64) -> f64,
    gaps: &mut [(f64, DVec3)],
    found: &mut Vec<Near>,
) {
    for (number, part) in search.model.cloths.iter().enumerate() {
        let (thickness, _) = search.model.colliders[search.collider].rules(number);
        for i in part.particles.clone() {
            let Some(separation) = search.solids.separation(search.collider, search.x[i], f64::INFINITY) else {
                continue;
            };
            gaps[i] = (separation.gap, separation.normal);
            let vertex = place([i as u32; 3], [1.0, 0.0, 0.0], separation.normal, separation.gap, separation.velocity);
            let thickness = kept(i, separation.normal, thickness);
            let surface = search.x[i] - separation.normal * separation.gap;
            let acceleration = search.solids.material_acceleration(search.collider, surface);
            found.extend(search.near(number, Near { acceleration, thickness, ..vertex }));
        }
    }
}

/// Looks for places inside edges and triangles that are nearer to a shape than their ends. Where the plane below the
/// nearest end has all of them beyond it there are none.
fn look_inside(
    search: SearchContext<'_>,
    cloth: &ClothSurface,
    (shape, pose): (&Shape, &Pose),
    gaps: &[(f64, DVec3)],
    found: &mut Vec<Near>,
) {
    for (number, &triangle) in cloth.patch.triangles.iter().enumerate() {
        let corners = triangle.map(|i| search.x[i as usize]);
        let least = triangle.iter().map(|&i| gaps[i as usize].0).fold(f64::INFINITY, f64::min);
        let widest = corners[0].distance(corners[1]).max(corners[1].distance(corners[2]));
        let reach = triangle.iter().map(|&i| search.reach[i as usize]).fold(0.0, f64::max);
        let thickness = search.model.colliders[search.collider].thickness[cloth.cloth[number] as usize];
        if least - widest.max(corners[2].distance(corners[0])) > thickness + reach {
            continue;
        }
        let local = corners.map(|corner| pose.local(corner));
        // The plane below the nearest of some ends shows that nothing between them is nearer.
        let is_flat = |particles: &[u32], places: &[DVec3]| {
            let ends = particles.iter().map(|&i| gaps[i as usize]);
            let (gap, normal) = ends.reduce(|one, other| if other.0 < one.0 { other } else { one }).unwrap_or_default();
            shape.separation(places, pose.rotation.inverse() * normal) >= gap - NEARER * thickness
        };
        let is_round = |normal: DVec3| cloth.roundness(shape, normal).is_some();
        let mut add = |particles: [u32; 3], weights: [f64; 3], near: &crate::collide::Nearest, nearest_end: f64| {
            let ends = || particles.iter().map(|&i| pose.rotation.inverse() * gaps[i as usize].1);
            // Where the solid is round vertices keep it away, but from what comes fast.
            let round = is_round(near.normal) && ends().all(is_round);
            let fast = || particles.iter().map(|&i| search.reach[i as usize]).fold(0.0, f64::max) - search.fall;
            let kept = if round { INSIDE * thickness } else { thickness };
            if near.distance < nearest_end - NEARER * thickness && !(round && near.distance > kept + fast()) {
                let surface = pose.world(near.point);
                let velocity = search.solids.material_velocity(search.collider, surface);
                let acceleration = search.solids.material_acceleration(search.collider, surface);
                let inner = place(particles, weights, pose.rotation * near.normal, near.distance, velocity);
                found
                    .extend(search.near(cloth.cloth[number] as usize, Near { acceleration, thickness: kept, ..inner }));
            }
        };
        for edge in super::patch::used(&cloth.patch.owned[number].edges) {
            let [a, b] = cloth.patch.edges[edge as usize];
            let ends = [a, b].map(|i| pose.local(search.x[i as usize]));
            if is_flat(&[a, b], &ends) || search.exempt.contains(search.collider, [a, b, b]) {
                continue;
            }
            let on_edge = shape.nearest_on_edge(ends[0], ends[1]);
            let nearest_end = gaps[a as usize].0.min(gaps[b as usize].0);
            add([a, b, b], [1.0 - on_edge.t, on_edge.t, 0.0], &on_edge.nearest, nearest_end);
        }
        // The deepest place of a triangle that is inside takes long to find.
        if is_flat(&triangle, &local) || search.exempt.contains(search.collider, triangle) {
            continue;
        }
        let (weights, near) = shape.nearest_on_triangle(local);
        if weights.iter().all(|weight| *weight > 0.0) {
            add(triangle, weights, &near, least);
        }
    }
}
