//! Start poses: as the scene describes them, or as an earlier run recorded them.

use glam::DVec3;
use muslin_cache::CacheError;

use super::mesh::Shapes;
use crate::error::Problem;
use crate::plan::{ClothPlan, StartFromPlan};
use crate::point_cache::{self, velocities};

/// Where and how fast vertices start.
#[derive(Debug)]
pub(super) struct Pose {
    /// Positions [m].
    pub(super) positions: Vec<DVec3>,
    /// Velocities [m/s].
    pub(super) velocities: Vec<DVec3>,
}

/// The pose that the cloth's own keys describe.
pub(super) fn described(plan: &ClothPlan, shapes: &Shapes, seed: u64) -> Pose {
    let (start, place) = (&plan.start, &plan.placement);
    let placed = shapes.start.iter().map(|&point| place.translate + place.rotate * (start.scale * point));
    let mut positions: Vec<DVec3> = placed.collect();
    if start.noise > 0.0 {
        // Vertices that are sewn together must not be shaken apart: they share their master's numbers.
        let masters = shapes.rest.weld_roots();
        for (position, &master) in positions.iter_mut().zip(&masters) {
            *position += start.noise * noise(seed, &plan.name, master);
        }
    }
    let centre = start.spin_centre.unwrap_or_else(|| mean(&positions));
    let velocity = |position: &DVec3| start.velocity + start.spin.cross(*position - centre);
    let mut velocities: Vec<DVec3> = positions.iter().map(velocity).collect();
    if start.velocity_noise > 0.0 {
        // Numbers of their own: where a vertex is shaken to must not say how fast it starts.
        let masters = shapes.rest.weld_roots();
        for (velocity, &master) in velocities.iter_mut().zip(&masters) {
            *velocity += start.velocity_noise * noise(mixed(seed), &plan.name, master);
        }
    }
    Pose { positions, velocities }
}

/// The pose of a frame of an earlier run.
pub(super) fn recorded(start: &StartFromPlan, plan: &ClothPlan, count: usize) -> Result<Pose, Problem> {
    let path = start.folder.join(format!("{}.pc2", plan.name));
    let unreadable = |error: CacheError| Problem::at("start_from.run", error.to_string());
    let mut cache = point_cache::open(&path).map_err(unreadable)?;
    if cache.points() != count as u64 {
        let message = format!("cloth \"{}\" has {count} vertices, but {} in that run", plan.name, cache.points());
        let help = "a run can start only from a run of the same meshes: check `particles`, or the mesh file";
        return Err(Problem::at("start_from.run", message).help(help));
    }
    let positions = cache.frame(u64::from(start.frame)).map_err(unreadable)?;
    let velocities = if start.at_rest {
        vec![DVec3::ZERO; count]
    } else {
        velocities(&mut cache, u64::from(start.frame), start.frames_per_second).map_err(unreadable)?
    };
    let finite = |points: &[DVec3]| points.iter().all(|point| point.is_finite());
    if !finite(&positions) || !finite(&velocities) {
        let message = format!("frame {} of {} holds values that are not finite", start.frame, path.display());
        return Err(Problem::at("start_from.frame", message).help("start from an earlier frame"));
    }
    Ok(Pose { positions, velocities })
}

fn mean(points: &[DVec3]) -> DVec3 {
    points.iter().sum::<DVec3>() / (points.len().max(1) as f64)
}

/// Three numbers in -1..1 that depend on seed, cloth and vertex only.
fn noise(seed: u64, cloth: &str, vertex: u32) -> DVec3 {
    let stream = cloth.bytes().fold(mixed(seed), |hash, byte| mixed(hash ^ u64::from(byte)));
    let number = |axis: u64| {
        let bits = mixed(stream ^ mixed(u64::from(vertex) * 3 + axis)) >> 11;
        bits as f64 / (1_u64 << 52) as f64 - 1.0
    };
    DVec3::new(number(0), number(1), number(2))
}

/// The mixing step of the splitmix64 generator.
fn mixed(state: u64) -> u64 {
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^ (state >> 31)
}
