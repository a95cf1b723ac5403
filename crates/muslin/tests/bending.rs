//! The bending energy of a mesh against that of a plate: ½ B (κ_xx² + κ_zz² + 2 κ_xz²) per area.
#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use common::{build, cloth, elastic, grid, irregular, surface};
use glam::DVec3;
use muslin::forces::total;
use muslin::mesh::Diagonals;
use muslin::model::Material;
use muslin::{Mesh, Model};

const B: f64 = 2e-5;

fn sheet(mesh: Mesh) -> Model {
    build(vec![cloth(mesh, surface(Material { bending: B, ..elastic() }), vec![])])
}

/// Bending energy [J] of a sheet bent to the curvatures [1/m], small enough that it is hardly stretched.
fn bending_energy(model: &Model, [xx, zz, xz]: [f64; 3]) -> f64 {
    let bend = |p: &DVec3| DVec3::new(p.x, 0.5 * (xx * p.x * p.x + zz * p.z * p.z) + xz * p.x * p.z, p.z);
    let x: Vec<DVec3> = model.start.iter().map(bend).collect();
    total::potential_energies(model, &x).bending
}

#[test]
fn quads_bend_and_twist_as_a_plate_does_exactly() {
    let (cells, kappa) = (10.0, 1e-4);
    for diagonals in [Diagonals::None, Diagonals::One, Diagonals::Both, Diagonals::Alternating] {
        for size in [[1.0, 1.0], [1.0, 0.4]] {
            let model = sheet(grid(size, [11, 11], diagonals));
            let whole = 0.5 * B * kappa * kappa * size[0] * size[1];
            // Edges bend only where they have a cell on either side: 9 of 10 cells' worth.
            let inner = (cells - 1.0) / cells;
            for (curvatures, expected) in [
                ([kappa, 0.0, 0.0], whole * inner),
                ([0.0, kappa, 0.0], whole * inner),
                ([0.0, 0.0, kappa], 2.0 * whole),
                ([kappa, 2.0 * kappa, 0.0], 5.0 * whole * inner),
                ([kappa, kappa, kappa], 2.0 * whole * inner + 2.0 * whole),
                ([kappa, kappa, -kappa], 2.0 * whole * inner + 2.0 * whole),
            ] {
                let energy = bending_energy(&model, curvatures);
                // Slopes up to 1e-4 change areas and angles by their square.
                assert!(
                    (energy / expected - 1.0).abs() < 1e-6,
                    "{diagonals:?} {size:?} {curvatures:?}: {energy} against {expected}"
                );
            }
        }
    }
}

#[test]
fn irregular_triangles_bend_about_as_a_plate_does() {
    let kappa = 1e-4;
    let model = sheet(irregular(41, 1));
    let plate = 0.5 * B * kappa * kappa;
    let [along_x, along_z] = [[kappa, 0.0, 0.0], [0.0, kappa, 0.0]].map(|c| bending_energy(&model, c) / plate);
    // The formula is exact for equilateral triangles; on shaken ones it is the mean that is right, and no direction
    // rules.
    assert!((along_x / along_z - 1.0).abs() < 0.1, "{along_x} along x, {along_z} along z");
    assert!(along_x > 0.7 && along_x < 1.5, "{along_x} of the plate's energy");
}
