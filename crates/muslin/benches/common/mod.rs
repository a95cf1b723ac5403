//! The sheet of the benchmarks: a square metre that hangs by the two corners of one side.
#![allow(dead_code, unreachable_pub, reason = "each benchmark uses its own part of these helpers")]

use glam::{DVec2, DVec3};
use muslin::Model;
use muslin::mesh::{Diagonals, GridSpec, Mesh};
use muslin::model::{Bending, Body, Cloth, Damping, Hold, Material, Motion, Pin, Shear, Skin, Surface, World};

/// Nothing but mass: the limiter alone holds the sheet together.
pub fn bare() -> Material {
    Material {
        density: 0.15,
        stretch_warp: 0.0,
        stretch_weft: 0.0,
        shear: 0.0,
        bending: 0.0,
        damping: Damping::default(),
        drag: 0.0,
        skin_drag: 0.0,
    }
}

/// Every kind of resistance; threads of the stiffness `membrane` [N/m].
pub fn woven(membrane: f64) -> Material {
    Material {
        stretch_warp: membrane,
        stretch_weft: membrane,
        shear: 40.0,
        bending: 1e-5,
        damping: Damping { stretch: 0.02, shear: 0.02, bending: 0.02, mass: 0.0 },
        ..bare()
    }
}

/// 1 m × 1 m with `side` particles along each side.
pub fn square(side: u32, diagonals: Diagonals) -> GridSpec {
    GridSpec { size: DVec2::ONE, particles: [side, side], diagonals, triangles: false }
}

/// A grid at rest, pinned at the two corners of its first side.
pub fn hanging(grid: &GridSpec, material: Material) -> Model {
    let mesh = grid.build().expect("the grid is sound");
    let pins = vec![fixed(vec![0, grid.particles[0] - 1], Motion::default())];
    Model::build(vec![cloth(mesh, material, pins)], vec![], World::default()).expect("the sheet is sound")
}

/// A mesh at rest as it is, with pins.
pub fn cloth(mesh: Mesh, material: Material, pins: Vec<Pin>) -> Cloth {
    let surface =
        Surface { material, shear: Shear::Diagonals, bending: Bending::Hinges, weak_springs: 0.0, folds: Vec::new() };
    Cloth {
        name: "sheet".into(),
        start: mesh.positions.clone(),
        start_velocity: vec![DVec3::ZERO; mesh.positions.len()],
        mesh,
        body: Body::Surface(surface),
        pins,
        skin: Skin::default(),
    }
}

/// Particles that move as prescribed.
pub fn fixed(particles: Vec<u32>, motion: Motion) -> Pin {
    Pin { particles, hold: Hold::Fixed(motion), release: None }
}
