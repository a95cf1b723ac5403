//! The triangles of all cloths at rest, and how they unfold into the plane.

use std::collections::VecDeque;

use glam::{DVec2, DVec3};

use crate::mesh::{Incidence, SortedSides, unordered};
use crate::model::Model;

/// All triangles, with what it takes to walk over them.
pub(super) struct RestSurface {
    /// Where particles are at rest [m].
    pub(super) rest: Vec<DVec3>,
    pub(super) triangles: Vec<[u32; 3]>,
    /// The triangles of each particle.
    pub(super) triangles_at: Incidence,
    /// From each particle to others: along sides, and across a side that two triangles share; with lengths [m].
    pub(super) ways: Incidence<(u32, f64)>,
    /// For each triangle the ones across its sides, by the corner that the side starts from.
    across: Vec<[Option<u32>; 3]>,
    /// Mean length of the sides [m].
    pub(super) side: f64,
}

impl RestSurface {
    pub(super) fn of(model: &Model) -> Self {
        let rest: Vec<DVec3> = model.cloths.iter().flat_map(|part| part.mesh.positions.iter().copied()).collect();
        let triangles: Vec<[u32; 3]> = model
            .cloths
            .iter()
            .flat_map(|part| {
                let first = part.particles.start as u32;
                part.topology.triangles.iter().map(move |corners| corners.map(|vertex| first + vertex))
            })
            .collect();
        let corners = (0..).zip(&triangles).flat_map(|(number, corners)| corners.map(|corner| (corner, number)));
        let triangles_at = Incidence::of(rest.len(), corners);
        let mut surface = Self {
            across: vec![[None; 3]; triangles.len()],
            ways: Incidence::default(),
            side: 0.0,
            rest,
            triangles,
            triangles_at,
        };
        surface.connect();
        surface
    }

    /// Finds what is across each side, and the ways from particle to particle.
    fn connect(&mut self) {
        let sorted = SortedSides::of(&self.triangles);
        let mut ways = Vec::new();
        let (mut sum, mut count) = (0.0, 0.0);
        for (ends, sides) in sorted.by_edge() {
            let length = self.length(ends);
            (sum, count) = (sum + length, count + 1.0);
            ways.push((unordered(ends), length));
            let &[one, other] = sides else { continue };
            self.across[one.triangle()][one.corner()] = Some(other.triangle() as u32);
            self.across[other.triangle()][other.corner()] = Some(one.triangle() as u32);
            let opposite = [one, other].map(|side| side.opposite(&self.triangles));
            let base = DVec2::new(length, 0.0);
            let [above, below] = opposite.map(|vertex| {
                apex([DVec2::ZERO, base], self.length([ends[0], vertex]), self.length([ends[1], vertex]))
            });
            ways.push((opposite, above.distance(DVec2::new(below.x, -below.y))));
        }
        self.side = sum / f64::max(count, 1.0);
        let both = ways.iter().flat_map(|&([a, b], length)| [(a, (b, length)), (b, (a, length))]);
        self.ways = Incidence::of(self.rest.len(), both);
    }

    fn length(&self, [a, b]: [u32; 2]) -> f64 {
        self.rest[a as usize].distance(self.rest[b as usize])
    }

    /// The corners of a triangle in its own plane [m].
    pub(super) fn flat(&self, corners: [u32; 3]) -> [DVec2; 3] {
        let [a, b, c] = corners;
        let base = DVec2::new(self.length([a, b]), 0.0);
        [DVec2::ZERO, base, apex([DVec2::ZERO, base], self.length([a, c]), self.length([b, c]))]
    }
}

/// The surface round a triangle, unfolded into its plane: triangle after triangle across their sides, nearest first.
/// Where the rest shape is developable, this is the shape of the cloth; elsewhere it depends on the way.
#[derive(Default)]
pub(super) struct Chart {
    places: Vec<Option<DVec2>>,
    seen: Vec<bool>,
    /// Particles that have a place, in the order in which they got it.
    pub(super) placed: Vec<u32>,
    walked: Vec<u32>,
    front: VecDeque<u32>,
}

impl Chart {
    /// Where a particle is in the plane [m], if the chart has it.
    pub(super) fn place(&self, particle: u32) -> Option<DVec2> {
        self.places[particle as usize]
    }

    /// Unfolds the triangles that are connected with the one of a number through triangles with a corner that `within`
    /// is true of.
    pub(super) fn unfold(&mut self, surface: &RestSurface, start: usize, within: impl Fn(u32) -> bool) {
        self.clear(surface);
        let corners = surface.triangles[start];
        for (corner, place) in corners.into_iter().zip(surface.flat(corners)) {
            self.put(corner, place);
        }
        self.reach(start as u32);
        while let Some(triangle) = self.front.pop_front() {
            let corners = surface.triangles[triangle as usize];
            for (k, next) in surface.across[triangle as usize].into_iter().enumerate() {
                let Some(next) = next.filter(|&next| !self.seen[next as usize]) else { continue };
                let others = surface.triangles[next as usize];
                if !others.iter().any(|&corner| within(corner)) {
                    continue;
                }
                let side = [corners[k], corners[(k + 1) % 3]];
                if let Some(&tip) = others.iter().find(|corner| !side.contains(corner)) {
                    self.fold_out(surface, side, corners[(k + 2) % 3], tip);
                }
                self.reach(next);
            }
        }
    }

    /// Places the corner `tip` on the other side of `side` than `behind`.
    fn fold_out(&mut self, surface: &RestSurface, side: [u32; 2], behind: u32, tip: u32) {
        let [Some(a), Some(b), Some(behind)] = [side[0], side[1], behind].map(|corner| self.place(corner)) else {
            return;
        };
        if self.place(tip).is_none() {
            let ends = if (b - a).perp_dot(behind - a) < 0.0 { [side[0], side[1]] } else { [side[1], side[0]] };
            let places = if ends == side { [a, b] } else { [b, a] };
            self.put(tip, apex(places, surface.length([ends[0], tip]), surface.length([ends[1], tip])));
        }
    }

    fn put(&mut self, particle: u32, place: DVec2) {
        self.places[particle as usize] = Some(place);
        self.placed.push(particle);
    }

    fn reach(&mut self, triangle: u32) {
        self.seen[triangle as usize] = true;
        self.walked.push(triangle);
        self.front.push_back(triangle);
    }

    fn clear(&mut self, surface: &RestSurface) {
        self.places.resize(surface.rest.len(), None);
        self.seen.resize(surface.triangles.len(), false);
        self.placed.drain(..).for_each(|particle| self.places[particle as usize] = None);
        self.walked.drain(..).for_each(|triangle| self.seen[triangle as usize] = false);
        self.front.clear();
    }
}

/// The point on the left of a to b that is `from_a` and `from_b` [m] away from them.
fn apex([a, b]: [DVec2; 2], from_a: f64, from_b: f64) -> DVec2 {
    let length = a.distance(b);
    let along = (b - a).normalize_or(DVec2::X);
    let x = if length > 0.0 { (length * length + from_a * from_a - from_b * from_b) / (2.0 * length) } else { 0.0 };
    let y = (from_a * from_a - x * x).max(0.0).sqrt();
    a + along * x + along.perp() * y
}
