//! From fabric to elements.

use super::material::Material;

/// A sheet of fabric and the elements that stand for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Surface {
    /// The fabric.
    pub material: Material,
    /// How it resists shear.
    pub shear: Shear,
    /// How it resists bending.
    pub bending: Bending,
    /// Stiffness of weak springs on every edge and cross edge [N/m], the bending resistance of [JLGF17]; 0: none.
    pub weak_springs: f64,
    /// Folds sculpted into it as rest angles.
    pub folds: Vec<Fold>,
}

/// Elements that resist shear.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Shear {
    /// Linear springs on the mesh's diagonals.
    #[default]
    Diagonals,
    /// Angular springs at the corners of quads [YWG05].
    Corners,
}

/// Elements that resist bending.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Bending {
    /// Dihedral elements on pairs of triangles (Bridson et al. 2003).
    #[default]
    Hinges,
    /// Linear springs to the second neighbour [BB08].
    Springs,
    /// Connections to the second neighbour that buckle at once (Choi & Ko 2002, [Ye08]).
    ChoiKo,
}

/// A fold along a straight line of the rest shape.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fold {
    /// A point of the line, in texture coordinates.
    pub point: glam::DVec2,
    /// The line's direction, in texture coordinates.
    pub direction: glam::DVec2,
    /// Rest angle between the faces' normals [rad]; 0 is flat.
    pub angle: f64,
}
