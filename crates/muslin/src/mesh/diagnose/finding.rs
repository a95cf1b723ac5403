//! What a diagnosis found, in words.

use std::fmt;

/// How many places of a finding are named.
const NAMED: usize = 12;

/// A defect of one kind, with the places where it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What is wrong.
    pub kind: FindingKind,
    /// The first few places, by number.
    pub places: Vec<MeshPlace>,
    /// How many places there are in all.
    pub count: usize,
}

/// What can be wrong with a mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FindingKind {
    /// Coordinates that are infinite or no numbers.
    NonFinite,
    /// A face, line, diagonal or weld that names a vertex which does not exist.
    OutOfRange,
    /// Texture coordinates that do not fit the faces, or are not finite.
    TextureMismatch,
    /// No faces and no lines, or none once the defective ones are gone.
    Empty,
    /// A face that repeats a vertex or has fewer than three, or a line from a vertex to itself.
    RepeatedVertex,
    /// A face of no area.
    DegenerateFace,
    /// A face with the same vertices as an earlier one.
    DuplicateFace,
    /// An edge of three or more faces.
    NonManifoldEdge,
    /// An edge whose two faces have their fronts on opposite sides.
    InconsistentWinding,
    /// An edge of no length.
    ZeroLengthEdge,
    /// A vertex in the same place as a lower-numbered one.
    CoincidentVertex,
    /// A vertex in no face and on no line.
    LooseVertex,
}

/// A place in a mesh. Numbers count from 0, as in the mesh's arrays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MeshPlace {
    /// A vertex.
    Vertex(u32),
    /// A vertex, and the one it lies on.
    VertexOn(u32, u32),
    /// A face.
    Face(u32),
    /// A line.
    Line(u32),
    /// A shear pair, by its place in the list of diagonals.
    Diagonal(u32),
    /// A weld, by its place in the list of welds.
    Weld(u32),
    /// An edge, by its ends.
    Edge([u32; 2]),
}

impl fmt::Display for MeshPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Vertex(vertex) => write!(f, "vertex {vertex}"),
            Self::VertexOn(vertex, other) => write!(f, "vertex {vertex} on vertex {other}"),
            Self::Face(face) => write!(f, "face {face}"),
            Self::Line(line) => write!(f, "line {line}"),
            Self::Diagonal(diagonal) => write!(f, "diagonal {diagonal}"),
            Self::Weld(weld) => write!(f, "weld {weld}"),
            Self::Edge([a, b]) => write!(f, "edge {a}–{b}"),
        }
    }
}

impl FindingKind {
    /// One such defect, several such defects, and what repair does about them.
    fn words(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::NonFinite => (
                "vertex has a coordinate that is not finite",
                "vertices have coordinates that are not finite",
                "cannot be repaired: the mesh file has to be exported again",
            ),
            Self::OutOfRange => (
                "place names a vertex that does not exist",
                "places name vertices that do not exist",
                "cannot be repaired: the mesh file has to be exported again",
            ),
            Self::TextureMismatch => (
                "face has texture coordinates that do not fit it",
                "faces have texture coordinates that do not fit them",
                "cannot be repaired: the mesh has to be exported again, with or without texture coordinates",
            ),
            Self::Empty => (
                "mesh has no usable face and no line",
                "meshes have no usable face and no line",
                "cannot be repaired: there is nothing to simulate",
            ),
            Self::RepeatedVertex => {
                ("face or line repeats a vertex", "faces or lines repeat a vertex", "left out of the simulation")
            }
            Self::DegenerateFace => ("face has no area", "faces have no area", "left out of the simulation"),
            Self::DuplicateFace => {
                ("face is there twice", "faces are there twice", "left out of the simulation; the first one stays")
            }
            Self::NonManifoldEdge => (
                "edge has three or more faces",
                "edges have three or more faces",
                "kept, but without resistance to bending there",
            ),
            Self::InconsistentWinding => (
                "edge joins faces with opposite fronts",
                "edges join faces with opposite fronts",
                "kept as it is: forces do not depend on it, but fronts and backs are mixed up in pictures",
            ),
            Self::ZeroLengthEdge => ("edge has no length", "edges have no length", "its ends are sewn together"),
            Self::CoincidentVertex => (
                "vertex lies on another",
                "vertices lie on others",
                "sewn together; vertex count and order stay as they are",
            ),
            Self::LooseVertex => (
                "vertex is in no face and on no line",
                "vertices are in no face and on no line",
                "kept, and left where it is",
            ),
        }
    }
}

impl Finding {
    /// A finding of some places; none when there are none.
    pub(super) fn of(kind: FindingKind, places: impl IntoIterator<Item = MeshPlace>) -> Option<Self> {
        let mut finding = Self { kind, places: Vec::new(), count: 0 };
        for place in places {
            finding.count += 1;
            if finding.places.len() < NAMED {
                finding.places.push(place);
            }
        }
        (finding.count > 0).then_some(finding)
    }

    /// A mesh with nothing to simulate.
    pub(super) fn empty() -> Self {
        Self { kind: FindingKind::Empty, places: Vec::new(), count: 1 }
    }

    /// The defect in words, with its places.
    pub fn message(&self) -> String {
        let (one, several, _) = self.kind.words();
        if self.places.is_empty() {
            return format!("the {one}");
        }
        let places: Vec<String> = self.places.iter().map(ToString::to_string).collect();
        let more = if self.count > self.places.len() { ", …" } else { "" };
        let what = if self.count == 1 { one } else { several };
        format!("{} {what}: {}{more} (counted from 0)", self.count, places.join(", "))
    }

    /// What [`Diagnosis::repair`](super::Diagnosis::repair) does about it, in words.
    pub fn remedy(&self) -> &'static str {
        self.kind.words().2
    }

    /// Whether the mesh cannot be used at all.
    pub fn is_fatal(&self) -> bool {
        self.kind <= FindingKind::Empty
    }
}
