//! Blocks and chains of springs.

/// A block of elastic material as a lattice of springs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lattice {
    /// Mass per volume [kg/m³].
    pub density: f64,
    /// Young's modulus [N/m²].
    pub stiffness: f64,
    /// Damping ratio at the reference frequency.
    pub damping: f64,
}

/// A thread, a rod, a row of springs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Chain {
    /// Mass of the whole chain, without the bob [kg].
    pub mass: f64,
    /// Extra mass at its last particle [kg].
    pub bob: f64,
    /// Stiffness of the whole chain, end to end [N/m].
    pub stiffness: f64,
    /// Rest length of the whole chain [m]; none: the length of the mesh.
    pub rest_length: Option<f64>,
    /// Damping ratio at the reference frequency.
    pub damping: f64,
}
