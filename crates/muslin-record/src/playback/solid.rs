//! A collider as it is shown, and how far cloth is from it.

use glam::DVec3;
use muslin::Model;
use muslin::collide::{Pose, Shape, TriangleSurface};
use muslin::model::{Collider, Solid};
use muslin_cache::Pc2;

use super::strain::ROUNDING;
use super::{Playback, open_cache};
use crate::error::RecordError;
use crate::folder::RunFolder;
use crate::solid::{SolidForm, is_plane};

/// A plane whose normal is off the vertical by no more than this [rad] is level: over ten metres, a micrometre.
const LEVEL: f64 = 1e-7;

/// A collider of a recorded run.
#[derive(Debug)]
pub struct PlayedSolid {
    /// Its name.
    pub name: String,
    /// Its triangles, counter-clockwise seen from outside. What has a formula was split finely enough to look round; of
    /// a plane there is a square around the scene.
    pub triangles: Vec<[u32; 3]>,
    /// True when it moves or deforms.
    pub moves: bool,
    /// True for a plane: it has no end, so the square that is shown says nothing of the room it takes.
    pub is_plane: bool,
    collider: Collider,
    /// Where its vertices start [m].
    start: Vec<DVec3>,
    /// Where they are later; none for one at rest.
    cache: Option<Pc2>,
}

/// What the things of a run stand on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Ground {
    /// A level plane at this height [m]: one of the solids, by its number.
    Plane {
        /// Its number among the solids.
        solid: usize,
        /// Its height [m].
        height: f64,
    },
    /// Planes that are not level, or move: any floor besides them would cut through them.
    Sloped,
    /// Nothing: a viewer may add a floor below it.
    Open,
}

impl Playback {
    /// What the things of the run stand on: of several level planes, the highest.
    pub fn ground(&self) -> Ground {
        let level = self.solids.iter().enumerate().filter_map(|(solid, played)| Some((solid, played.level()?)));
        match level.reduce(|best, next| if next.1 > best.1 { next } else { best }) {
            Some((solid, height)) => Ground::Plane { solid, height },
            None if self.solids.iter().any(|solid| solid.is_plane) => Ground::Sloped,
            None => Ground::Open,
        }
    }
}

impl PlayedSolid {
    pub(super) fn open(
        folder: &RunFolder,
        model: &Model,
        collider: &Collider,
        frames: u64,
    ) -> Result<Self, RecordError> {
        let form = SolidForm::of(model, collider);
        let start = form.positions(collider, 0.0);
        let moves = !collider.rests();
        let cache = if moves { Some(open_cache(folder, &collider.name, start.len(), frames)?) } else { None };
        Ok(Self {
            name: collider.name.clone(),
            triangles: form.triangles,
            moves,
            is_plane: is_plane(collider),
            collider: collider.clone(),
            start,
            cache,
        })
    }

    /// Where its vertices start [m].
    pub fn start(&self) -> &[DVec3] {
        &self.start
    }

    /// Where its vertices are in a frame [m].
    pub fn positions(&mut self, frame: u64) -> Result<Vec<DVec3>, RecordError> {
        self.cache.as_mut().map_or_else(|| Ok(self.start.clone()), |cache| Ok(cache.frame(frame)?))
    }

    /// Its height [m], if it is a level plane at rest that is turned upwards.
    fn level(&self) -> Option<f64> {
        let pose = self.collider.pose(0.0);
        let normal = pose.rotation * DVec3::Y;
        let is_level = normal.y > 0.0 && DVec3::new(normal.x, 0.0, normal.z).length() <= LEVEL;
        (self.is_plane && !self.moves && is_level).then_some(pose.position.y)
    }

    /// What distances to it are measured by in a frame, which is at `time` [s].
    pub fn measure(&mut self, frame: u64, time: f64) -> Result<SolidMeasure, RecordError> {
        if let Solid::Shape { shape, .. } = &self.collider.solid {
            return Ok(SolidMeasure::Shape(*shape, self.collider.pose(time)));
        }
        let positions = self.positions(frame)?;
        Ok(SolidMeasure::Surface(Box::new(TriangleSurface::new(positions, self.triangles.clone()))))
    }
}

/// What distances to a solid are measured by: its formula, or its triangles.
#[derive(Debug)]
pub enum SolidMeasure {
    /// A formula, and where its axes are.
    Shape(Shape, Pose),
    /// Triangles.
    Surface(Box<TriangleSurface>),
}

impl SolidMeasure {
    /// The signed distance of a point [m], negative inside; none when it is further than `reach` [m]. Open meshes have
    /// no inside.
    ///
    /// Caches hold `f32`: a point, and a mesh that moves, may be off by the rounding. What is inside by no more than
    /// that counts as contact.
    pub fn gap(&self, point: DVec3, reach: f64) -> Option<f64> {
        let rounding = 2.0 * ROUNDING * point.length();
        self.distance(point, reach).map(|gap| if gap < 0.0 && gap >= -rounding { 0.0 } else { gap })
    }

    fn distance(&self, point: DVec3, reach: f64) -> Option<f64> {
        match self {
            Self::Shape(shape, pose) => Some(shape.nearest(pose.local(point)).distance).filter(|gap| *gap < reach),
            Self::Surface(surface) => {
                // Deep inside is further than `reach` from every triangle, and yet no gap at all.
                let is_near = surface.bvh().bounds().distance_squared(point) < reach * reach;
                let near = is_near.then(|| surface.nearest(point, f64::INFINITY)).flatten()?;
                Some(near.distance).filter(|gap| *gap < reach)
            }
        }
    }
}
