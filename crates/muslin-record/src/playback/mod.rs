//! A run as it is shown: shapes, motion and strain of its cloths, its solids, read back from the run folder one frame
//! at a time.
//!
//! The report's player and the renderer both start here. Only the report and the caches are needed, so a run can be
//! shown while it is under way, after it was stopped, and without its checkpoint.

mod metres;
mod solid;
mod strain;
#[cfg(test)]
mod tests;

use glam::{DVec2, DVec3};
use muslin::Model;
use muslin::model::{ClothPart, Hold};
use muslin_cache::{CacheProblem, Pc2};

use crate::error::RecordError;
use crate::folder::RunFolder;
use crate::report::Report;
pub use solid::{Ground, PlayedSolid, SolidMeasure};
pub use strain::strain_code;

/// A recorded run, open for showing.
#[derive(Debug)]
pub struct Playback {
    /// The cloths, in scene order.
    pub cloths: Vec<PlayedCloth>,
    /// The colliders, in scene order.
    pub solids: Vec<PlayedSolid>,
    /// Greatest strain allowed.
    pub limit: f64,
    /// Length of a frame [s]; of a step when the run has no frame but its start.
    pub frame_s: f64,
    /// The last frame; frame 0 is the start.
    pub last_frame: u64,
}

/// A cloth of a recorded run. Indices are those of its own mesh.
#[derive(Debug)]
pub struct PlayedCloth {
    /// Its name.
    pub name: String,
    /// Its vertices at rest [m].
    pub rest: Vec<DVec3>,
    /// Its faces, split into triangles. Where vertices are sewn together all triangles use the one that leads.
    pub triangles: Vec<[u32; 3]>,
    /// What is drawn as lines: the edges of a cloth without faces, such as a chain. Edges inside a block are not shown.
    pub lines: Vec<[u32; 2]>,
    /// For each corner of each triangle, where it lies in the cloth at rest [m], measured along the directions of its
    /// texture; none when the texture says nothing of lengths.
    pub coords: Option<Vec<[DVec2; 3]>>,
    /// Its structural edges: what the strain limit speaks of.
    pub edges: Vec<PlayedEdge>,
    /// What holds it.
    pub pinned: Vec<PinnedVertices>,
    cache: Pc2,
}

/// A structural edge of a cloth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlayedEdge {
    /// Its ends.
    pub vertices: [u32; 2],
    /// Rest length [m]; an edge of rest length 0 has no strain.
    pub rest: f64,
}

/// Vertices that stay where they are, go where a script takes them, or slide along a rail.
#[derive(Debug, Clone, PartialEq)]
pub struct PinnedVertices {
    /// The vertices.
    pub vertices: Vec<u32>,
    /// From this time on they are free [s]; none: never.
    pub release: Option<f64>,
}

impl Playback {
    /// Opens the caches of a run. `model` is what its scene builds, `report` what its folder says of it.
    pub fn open(folder: &RunFolder, model: &Model, report: &Report) -> Result<Self, RecordError> {
        let cloths = model.cloths.iter().map(|part| PlayedCloth::open(folder, model, part, report.frames + 1));
        let frame_s = if report.frames > 0 { report.simulated_s / report.frames as f64 } else { report.step_s };
        let solids =
            model.colliders.iter().map(|collider| PlayedSolid::open(folder, model, collider, report.frames + 1));
        Ok(Self {
            cloths: cloths.collect::<Result<_, _>>()?,
            solids: solids.collect::<Result<_, _>>()?,
            limit: report.strain.limit,
            frame_s,
            last_frame: report.frames,
        })
    }
}

impl PlayedCloth {
    fn open(folder: &RunFolder, model: &Model, part: &ClothPart, frames: u64) -> Result<Self, RecordError> {
        let lines = if part.topology.triangles.is_empty() {
            part.topology.edges.iter().map(|edge| [edge.a, edge.b]).collect()
        } else {
            Vec::new()
        };
        Ok(Self {
            name: part.name.clone(),
            rest: part.mesh.positions.clone(),
            triangles: part.topology.triangles.clone(),
            lines,
            coords: metres::corner_coords(&part.mesh, &part.topology),
            edges: edges(model, part),
            pinned: pinned(model, part),
            cache: open_cache(folder, &part.name, part.particles.len(), frames)?,
        })
    }

    /// Where its vertices are in a frame [m].
    pub fn positions(&mut self, frame: u64) -> Result<Vec<DVec3>, RecordError> {
        Ok(self.cache.frame(frame)?)
    }

    /// The greatest strain of the structural edges at each vertex, given where the vertices are [m]; 0 where there are
    /// none.
    ///
    /// Caches hold `f32`, and a certified run has many edges exactly at the limit: a strain over the limit by no more
    /// than that rounding counts as at the limit.
    pub fn vertex_strains(&self, positions: &[DVec3], limit: f64) -> Vec<f64> {
        strain::of_vertices(&self.edges, positions, limit)
    }
}

impl PinnedVertices {
    /// The first frame in which they are free, given the length of a frame [s].
    pub fn free_from_frame(&self, frame_s: f64) -> Option<u64> {
        // A pin holds through the step that ends at its release, up to the rounding of the clock (as in the core).
        self.release.map(|release| ((release + 1e-9) / frame_s).floor() as i64 + 1).map(|frame| frame.max(0) as u64)
    }
}

fn edges(model: &Model, part: &ClothPart) -> Vec<PlayedEdge> {
    let vertex = |particle: u32| particle - part.particles.start as u32;
    let edges = model.edges[part.edges.clone()].iter();
    edges.map(|edge| PlayedEdge { vertices: [vertex(edge.a), vertex(edge.b)], rest: edge.rest }).collect()
}

fn pinned(model: &Model, part: &ClothPart) -> Vec<PinnedVertices> {
    let fixing = model.pins.iter().filter(|pin| matches!(pin.hold, Hold::Fixed(_) | Hold::Line(_)));
    let of_this_cloth = fixing.map(|pin| {
        let own = pin.particles.iter().filter(|&&particle| part.particles.contains(&(particle as usize)));
        let vertices = own.map(|particle| particle - part.particles.start as u32).collect();
        PinnedVertices { vertices, release: pin.release }
    });
    of_this_cloth.filter(|pinned| !pinned.vertices.is_empty()).collect()
}

/// A cache that fits its mesh and holds all frames the report speaks of.
fn open_cache(folder: &RunFolder, name: &str, vertices: usize, frames: u64) -> Result<Pc2, RecordError> {
    let path = folder.path(&format!("{name}.pc2"));
    let cache = Pc2::open(&path)?;
    let (points, wanted) = (cache.points(), vertices as u64);
    if points != wanted {
        return Err(RecordError::Cache { path, problem: CacheProblem::Points { found: points, wanted } });
    }
    if cache.frames() < frames {
        let problem = CacheProblem::CutOff { found: cache.frames(), wanted: frames };
        return Err(RecordError::Cache { path, problem });
    }
    Ok(cache)
}
