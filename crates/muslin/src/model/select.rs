//! Choosing vertices of a cloth: by corner, index, box, or nearest point.

use glam::{DVec2, DVec3};

use crate::mesh::edit::bounds;
use crate::mesh::{Mesh, UvMap};

/// A box takes in what lies outside it by no more than this fraction of its size: rounding must not decide.
const BOX_SLACK: f64 = 1e-9;

/// A choice of vertices. Points and boxes are in world coordinates of the start pose.
#[derive(Debug, Clone, PartialEq)]
pub enum Select {
    /// The vertex nearest to a corner of the texture square: (0, 0), (1, 0), (0, 1) or (1, 1). The square is the one
    /// that the mesh's texture coordinates fill.
    Corner(DVec2),
    /// Vertices by number.
    Index(Vec<u32>),
    /// All vertices inside a box.
    Box {
        /// Least coordinates [m].
        min: DVec3,
        /// Greatest coordinates [m].
        max: DVec3,
    },
    /// The vertex nearest to a point [m].
    Nearest(DVec3),
}

/// Why a choice of vertices is none.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SelectError {
    /// A corner of a mesh that knows none.
    #[error("the mesh has no texture coordinates, so it has no corners; choose by index, box or nearest point instead")]
    NoTexture,
    /// A vertex that does not exist.
    #[error("vertex {index} does not exist: the mesh has {count} vertices, numbered from 0")]
    Index {
        /// The vertex named.
        index: u32,
        /// How many there are.
        count: usize,
    },
    /// A list that names no vertex.
    #[error("the list of vertices is empty")]
    NoIndices,
    /// A box without vertices in it.
    #[error("no vertex lies in the box from {min} to {max}; at the start the cloth extends from {least} to {greatest}")]
    EmptyBox {
        /// The box's least coordinates [m].
        min: DVec3,
        /// The box's greatest coordinates [m].
        max: DVec3,
        /// The cloth's least coordinates [m].
        least: DVec3,
        /// The cloth's greatest coordinates [m].
        greatest: DVec3,
    },
    /// A box whose least coordinate exceeds its greatest.
    #[error("the box is turned inside out: its `min` {min} must not exceed its `max` {max} along any axis")]
    InvertedBox {
        /// The box's least coordinates as given [m].
        min: DVec3,
        /// The box's greatest coordinates as given [m].
        max: DVec3,
    },
    /// A corner, point or box that is not made of finite numbers.
    #[error("the {what} must be finite, but is {value}")]
    NonFinite {
        /// What it is part of.
        what: &'static str,
        /// What it is.
        value: String,
    },
    /// A mesh with nothing to choose from.
    #[error("the mesh has no vertices")]
    NoVertices,
}

impl Select {
    /// The vertices chosen, in rising order, each once. A vertex that is sewn to another stands for that other one,
    /// since both move as one. `start` holds the vertices' places at the start [m].
    ///
    /// ```
    /// use muslin::DVec2;
    /// use muslin::mesh::{Diagonals, GridSpec};
    /// use muslin::model::Select;
    ///
    /// let spec = GridSpec { size: DVec2::ONE, particles: [3, 5], diagonals: Diagonals::Both, triangles: false };
    /// let mesh = spec.build()?;
    /// assert_eq!(Select::Corner(DVec2::new(1.0, 0.0)).resolve(&mesh, &mesh.positions)?, [2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn resolve(&self, mesh: &Mesh, start: &[DVec3]) -> Result<Vec<u32>, SelectError> {
        if mesh.positions.is_empty() || start.is_empty() {
            return Err(SelectError::NoVertices);
        }
        let mut chosen = match self {
            Self::Corner(corner) => vec![nearest_corner(mesh, *corner)?],
            Self::Index(indices) => checked(indices, mesh.positions.len())?,
            Self::Box { min, max } => inside(*min, *max, start)?,
            Self::Nearest(point) => {
                check_finite("point", point.is_finite(), point)?;
                least(start.iter().enumerate().map(|(i, p)| (i as u32, p.distance_squared(*point))))
                    .into_iter()
                    .collect()
            }
        };
        let roots = mesh.weld_roots();
        for vertex in &mut chosen {
            *vertex = roots.get(*vertex as usize).copied().unwrap_or(*vertex);
        }
        chosen.sort_unstable();
        chosen.dedup();
        Ok(chosen)
    }
}

fn nearest_corner(mesh: &Mesh, corner: DVec2) -> Result<u32, SelectError> {
    check_finite("corner", corner.is_finite(), corner)?;
    let uvs = mesh.uvs.as_ref().ok_or(SelectError::NoTexture)?;
    let corners = || vertex_uvs(mesh, uvs);
    let first = corners().next().ok_or(SelectError::NoTexture)?.1;
    let (min, max) = corners().fold((first, first), |(min, max), (_, uv)| (min.min(uv), max.max(uv)));
    // Measured in fractions of the square, so that the long side of a narrow map does not count for more.
    let size = (max - min).map(|extent| if extent > 0.0 { extent } else { 1.0 });
    let distance = |uv: DVec2| ((uv - min) / size).distance_squared(corner);
    least(corners().map(|(vertex, uv)| (vertex, distance(uv)))).ok_or(SelectError::NoTexture)
}

/// The vertex at each face corner, with its texture coordinate.
fn vertex_uvs<'a>(mesh: &'a Mesh, uvs: &'a UvMap) -> impl Iterator<Item = (u32, DVec2)> {
    let faces = mesh.faces.iter().zip(&uvs.corners);
    faces.flat_map(|(face, corners)| face.iter().zip(corners)).map(|(&vertex, &uv)| (vertex, uvs.coords[uv as usize]))
}

/// The vertex with the least value; of several the one with the lowest number.
fn least(values: impl Iterator<Item = (u32, f64)>) -> Option<u32> {
    values.min_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0))).map(|(vertex, _)| vertex)
}

fn checked(indices: &[u32], count: usize) -> Result<Vec<u32>, SelectError> {
    if indices.is_empty() {
        return Err(SelectError::NoIndices);
    }
    match indices.iter().find(|&&index| index as usize >= count) {
        Some(&index) => Err(SelectError::Index { index, count }),
        None => Ok(indices.to_vec()),
    }
}

fn inside(min: DVec3, max: DVec3, start: &[DVec3]) -> Result<Vec<u32>, SelectError> {
    check_finite("box's `min`", min.is_finite(), min)?;
    check_finite("box's `max`", max.is_finite(), max)?;
    if min.cmpgt(max).any() {
        return Err(SelectError::InvertedBox { min, max });
    }
    let slack = BOX_SLACK * (max - min).length();
    let is_inside = |p: DVec3| (min - slack).cmple(p).all() && p.cmple(max + slack).all();
    let chosen: Vec<u32> = (0..start.len() as u32).filter(|&i| is_inside(start[i as usize])).collect();
    match bounds(start) {
        Some((least, greatest)) if chosen.is_empty() => Err(SelectError::EmptyBox { min, max, least, greatest }),
        _ => Ok(chosen),
    }
}

fn check_finite(what: &'static str, is_finite: bool, value: impl std::fmt::Display) -> Result<(), SelectError> {
    if is_finite { Ok(()) } else { Err(SelectError::NonFinite { what, value: value.to_string() }) }
}
