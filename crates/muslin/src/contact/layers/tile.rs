//! The triangles of an island: what each answers for, and how it moves.
//!
//! ```text
//! C, V mean position and velocity of the corners;   |x_k - C| at one moment and the next: what it turns and bends by
//! two parts of triangles s and t come nearer by at most   |(C_s - C_t)' - (C_s - C_t)| + τ_s + τ_t
//! ```
//!
//! τ is how far the corners have moved as seen from C, added up from moment to moment [m]. So cloth that swings or
//! falls as a whole brings nothing nearer, wherever it goes.

use glam::DVec3;

use super::pair::Parts;
use super::sheet::Sheet;
use crate::contact::patch::used;

/// A triangle or a line of an island, with the vertices and edges that it answers for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tile {
    /// Particles, counted through the island; of a line the last two are the same.
    corners: [u32; 3],
    /// Vertices, and how many they are.
    vertices: ([u32; 3], u8),
    /// Edges likewise.
    edges: ([[u32; 2]; 3], u8),
    /// Number of its cloth in the island.
    pub(super) cloth: u32,
}

/// How a tile moves.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Drift {
    /// C [m].
    pub(super) centre: DVec3,
    /// τ [m].
    pub(super) turned: f64,
    /// V [m/s], or a displacement [m].
    pub(super) speed: DVec3,
    /// How far the velocity of a corner is from that, at most.
    pub(super) spread: f64,
}

impl Tile {
    /// Adds the tiles of a cloth whose first particle is the given one.
    pub(super) fn list(sheet: &Sheet, cloth: u32, first: u32, tiles: &mut Vec<Self>) {
        let among_all = |i: u32| first + i;
        tiles.extend(sheet.patch.triangles.iter().zip(&sheet.patch.owned).map(|(corners, owned)| {
            let (vertices, edges) = Default::default();
            let mut tile = Self { corners: corners.map(among_all), vertices, edges, cloth };
            for vertex in used(&owned.corners) {
                tile.vertices.0[usize::from(tile.vertices.1)] = among_all(vertex);
                tile.vertices.1 += 1;
            }
            for edge in used(&owned.edges) {
                tile.edges.0[usize::from(tile.edges.1)] = sheet.patch.edges[edge as usize].map(among_all);
                tile.edges.1 += 1;
            }
            tile
        }));
    }

    fn vertices(&self) -> &[u32] {
        &self.vertices.0[..usize::from(self.vertices.1)]
    }

    fn edges(&self) -> &[[u32; 2]] {
        &self.edges.0[..usize::from(self.edges.1)]
    }

    #[inline]
    fn mean(&self, x: &[DVec3]) -> DVec3 {
        let [a, b, c] = self.corners;
        (x[a as usize] + x[b as usize] + x[c as usize]) * (1.0 / 3.0)
    }

    /// Takes where it is now, after it was at `from` [m].
    pub(super) fn follow(&self, from: &[DVec3], to: &[DVec3], drift: &mut Drift) {
        let centre = self.mean(to);
        let gone = centre - drift.centre;
        drift.turned += self.furthest(|i| to[i] - from[i] - gone);
        drift.centre = centre;
    }

    /// Takes how it moves, by velocities or displacements.
    pub(super) fn take_speed(&self, v: &[DVec3], drift: &mut Drift) {
        drift.speed = self.mean(v);
        drift.spread = self.furthest(|i| v[i] - drift.speed);
    }

    /// Starts to follow it.
    pub(super) fn start(&self, x: &[DVec3]) -> Drift {
        Drift { centre: self.mean(x), ..Drift::default() }
    }

    /// The greatest length of what its corners have.
    #[inline]
    fn furthest(&self, of: impl Fn(usize) -> DVec3) -> f64 {
        let [a, b, c] = self.corners;
        let length = |i: u32| of(i as usize).length_squared();
        length(a).max(length(b)).max(length(c)).sqrt()
    }

    /// Calls `found` with all pairs of parts that two tiles answer for, but those that share a particle.
    #[inline]
    pub(super) fn parts(&self, other: &Self, mut found: impl FnMut(Parts)) {
        for (one, other) in [(self, other), (other, self)] {
            let [a, b, c] = other.corners;
            // Of a line the edges are enough.
            for &vertex in one.vertices().iter().filter(|vertex| b != c && !other.corners.contains(vertex)) {
                found(Parts { edges: false, particles: [vertex, a, b, c] });
            }
        }
        for &[a, b] in self.edges() {
            for &[c, d] in other.edges() {
                if a != c && a != d && b != c && b != d {
                    found(Parts { edges: true, particles: [a, b, c, d] });
                }
            }
        }
    }
}
