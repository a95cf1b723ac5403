//! A rectangle of irregular triangles: cloth without preferred mesh directions.

use delaunator::{Point, triangulate};
use glam::{DVec2, DVec3};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::parameter::{check_counts, check_lengths};
use super::{Mesh, MeshError, UvMap};

/// How near two particles may come, as a fraction of the smaller spacing. Without it, particles could meet
/// at full jitter and leave triangles without area.
const LEAST_DISTANCE: f64 = 0.25;

/// How often a place is drawn again before the particle stays at its regular place.
const DRAWS: usize = 16;

/// A rectangle in the x–z plane like [`GridSpec`](super::GridSpec)'s, with the same numbering, whose inner particles
/// are moved at random and joined by Delaunay triangles. Particles on the border stay where the grid has them.
#[derive(Debug, Clone, PartialEq)]
pub struct IrregularSpec {
    /// Extent along x and z [m].
    pub size: DVec2,
    /// Particles along x and z, at least 2 each.
    pub particles: [u32; 2],
    /// Width of the cell in which a particle is moved, as a fraction of the spacing, 0 to 1: at 1 it moves by up to
    /// half the spacing each way.
    pub jitter: f64,
    /// Seed of the random places.
    pub seed: u64,
}

impl IrregularSpec {
    /// Makes the mesh.
    pub fn build(&self) -> Result<Mesh, MeshError> {
        check_lengths("irregular.size", &self.size.to_array())?;
        check_counts("irregular.particles", &self.particles, &[2, 2], "at least 2 each way")?;
        if !(0.0..=1.0).contains(&self.jitter) {
            let value = self.jitter.to_string();
            return Err(MeshError::Parameter { what: "irregular.jitter", must: "between 0 and 1", value });
        }
        let places = self.places();
        let faces = self.triangles(&places)?;
        let uvs = places.iter().map(|place| *place / self.size).collect();
        Ok(Mesh {
            positions: places.iter().map(|place| DVec3::new(place.x, 0.0, place.y)).collect(),
            uvs: Some(UvMap::per_vertex(uvs, &faces)),
            faces,
            ..Mesh::default()
        })
    }

    /// Where the particles lie, as (x, z) [m].
    fn places(&self) -> Vec<DVec2> {
        let [nx, nz] = self.particles;
        let cells = DVec2::new(f64::from(nx - 1), f64::from(nz - 1));
        let spacing = self.size / cells;
        let mut random = Pcg64::seed_from_u64(self.seed);
        let mut places: Vec<DVec2> = Vec::with_capacity(nx as usize * nz as usize);
        for j in 0..nz {
            for i in 0..nx {
                // Divided last, so that the border lies exactly at 0 and `size`.
                let regular = self.size * (DVec2::new(f64::from(i), f64::from(j)) / cells);
                let inner = i > 0 && j > 0 && i < nx - 1 && j < nz - 1;
                let place = if inner { self.draw(regular, spacing, &places, &mut random) } else { regular };
                places.push(place);
            }
        }
        places
    }

    /// A place near `regular` that keeps its distance from the neighbours placed so far. The regular place itself
    /// always does: no neighbour comes nearer to it than half the spacing.
    fn draw(&self, regular: DVec2, spacing: DVec2, placed: &[DVec2], random: &mut Pcg64) -> DVec2 {
        let nx = self.particles[0] as usize;
        let here = placed.len();
        let earlier = [here - 1, here - nx - 1, here - nx, here - nx + 1];
        let least = LEAST_DISTANCE * spacing.min_element();
        for _ in 0..DRAWS {
            let offset = DVec2::new(random.random::<f64>() - 0.5, random.random::<f64>() - 0.5);
            let place = regular + self.jitter * offset * spacing;
            if earlier.iter().all(|&other| placed[other].distance(place) >= least) {
                return place;
            }
        }
        regular
    }

    /// Delaunay triangles of the places, front side up.
    fn triangles(&self, places: &[DVec2]) -> Result<Vec<Vec<u32>>, MeshError> {
        // Scaled to about 1, where the library's absolute tolerance means the same for every size.
        let scale = 1.0 / self.size.max_element();
        let points: Vec<Point> = places.iter().map(|place| Point { x: place.x * scale, y: place.y * scale }).collect();
        let found = triangulate(&points).triangles;

        // Euler's formula; fewer triangles mean that rounding lost some, as it does at extreme proportions.
        let [nx, nz] = self.particles.map(|count| count as usize);
        let border = 2 * (nx + nz) - 4;
        if found.len() / 3 != 2 * places.len() - border - 2 {
            return Err(MeshError::Defect(format!(
                "irregular: {nx} × {nz} particles on {} m × {} m cannot be triangulated; bring the spacings \
                 along x and z nearer to each other",
                self.size.x, self.size.y
            )));
        }
        Ok(found.chunks_exact(3).map(|t| upward(places, [t[0], t[1], t[2]])).collect())
    }
}

/// The triangle in the order in which its normal points to +y.
fn upward(places: &[DVec2], [a, b, c]: [usize; 3]) -> Vec<u32> {
    // In (x, z) a positive cross product means a normal along -y.
    let turned = (places[b] - places[a]).perp_dot(places[c] - places[a]) > 0.0;
    let (b, c) = if turned { (c, b) } else { (b, c) };
    vec![a as u32, b as u32, c as u32]
}
