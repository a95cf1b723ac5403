//! Level sets: against the exact distance, by finite differences, and beyond the grid.
#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use common::Dice;
use common::solids::{ball_mesh, block_mesh};
use glam::DVec3;
use muslin::collide::{LevelSet, TriangleSurface};

/// A box with sharp edges and a ball, with their cells.
fn solids() -> [(TriangleSurface, f64); 2] {
    let (positions, triangles) = block_mesh(DVec3::new(0.2, 0.1, 0.3), DVec3::new(0.5, 0.1, -0.2));
    let (round, faces) = ball_mesh(0.3, DVec3::ZERO, 48);
    [(TriangleSurface::new(positions, triangles), 0.03), (TriangleSurface::new(round, faces), 0.02)]
}

#[test]
fn the_grid_is_off_by_less_than_the_root_of_three_quarters_of_a_cell_and_at_a_ball_by_far_less() {
    let mut dice = Dice::new(1);
    for (number, (surface, cell)) in solids().into_iter().enumerate() {
        let grid = LevelSet::of(&surface, cell).unwrap();
        let mut worst = 0.0_f64;
        for _ in 0..20_000 {
            let middle = DVec3::new(0.5, 0.1, -0.2) * f64::from(number == 0);
            let p = middle + dice.vector(0.35);
            let (found, exact) = (grid.nearest(p), surface.nearest(p, 9.0).unwrap().distance);
            let off = (found.distance - exact).abs();
            let beyond = found.distance > 2.0 * cell;
            assert!(beyond || off < 0.75_f64.sqrt() * cell, "{off} at {p}");
            // Near the ball's surface: cell²/(4 r), and what its 48 corners round differ from a ball.
            if number == 1 && exact.abs() < cell {
                worst = worst.max(off);
            }
        }
        assert!(worst < cell * cell / (4.0 * 0.3) + 0.3 * (1.0 - libm::cos(std::f64::consts::PI / 48.0)), "{worst}");
    }
}

#[test]
fn at_the_nodes_the_grid_is_exact_inside_and_outside() {
    for (surface, cell) in solids() {
        let grid = LevelSet::of(&surface, cell).unwrap();
        let low = surface.bvh().bounds().min - DVec3::splat(3.0 * cell);
        let mut inside = 0;
        for (i, j, k) in (0..12).flat_map(|i| (0..12).flat_map(move |j| (0..12).map(move |k| (i, j, k)))) {
            let node = low + DVec3::new(f64::from(i), f64::from(j), f64::from(k)) * cell;
            let exact = surface.nearest(node, 9.0).unwrap().distance;
            // A node is rounded, by metres; distances grow by as much at most.
            assert!((grid.nearest(node).distance - exact).abs() < 1e-14);
            inside += u32::from(exact < 0.0);
        }
        assert!(inside > 10, "{inside} nodes are inside");
    }
}

#[test]
fn the_normal_is_the_direction_in_which_the_distance_grows_beyond_the_grid_too() {
    let mut dice = Dice::new(2);
    for (surface, cell) in solids() {
        let grid = LevelSet::of(&surface, cell).unwrap();
        let phi = |p: DVec3| grid.nearest(p).distance;
        let mut far = 0;
        for _ in 0..3000 {
            let p = dice.vector(1.0);
            let step = 1e-6;
            let slopes = DVec3::AXES.map(|axis| (phi(p + axis * step) - phi(p - axis * step)) / (2.0 * step));
            let gradient = DVec3::from_array(slopes);
            let near = grid.nearest(p);
            // Within a cell φ is a polynomial: differences are off by rounding over the step; across a border of cells
            // they are a mean of two slopes.
            let off = gradient.normalize().distance(near.normal);
            let in_cell = |v: f64| (v / cell).fract().abs();
            let low = surface.bvh().bounds().min - DVec3::splat(3.0 * cell);
            let at_border = (p - low).to_array().iter().any(|v| in_cell(*v) < 1e-3 || in_cell(*v) > 0.999);
            assert!(at_border || off < 1e-7, "{off} at {p}: {near:?}, by differences {gradient}");
            assert!((near.normal.length() - 1.0).abs() < 1e-14 && near.distance.is_finite());
            assert!((near.point + near.normal * near.distance).distance(p) < 1e-14);
            far += u32::from(near.distance > 0.2);
        }
        assert!(far > 500, "{far} are beyond the grid");
    }
}

#[test]
fn beyond_the_grid_the_distance_is_never_more_than_the_exact_one_but_for_the_grids_own_error() {
    let mut dice = Dice::new(3);
    for (surface, cell) in solids() {
        let grid = LevelSet::of(&surface, cell).unwrap();
        for _ in 0..5000 {
            let p = dice.vector(3.0);
            let (found, exact) = (grid.nearest(p).distance, surface.nearest(p, 9.0).unwrap().distance);
            assert!(found <= exact + cell, "{found} at {p}, exactly {exact}");
            // And it is of use there: no less than the distance to the grid's box.
            let around = surface.bvh().bounds().grown(5.0 * cell).distance_squared(p).sqrt();
            assert!(around == 0.0 || found >= around, "{found} at {p}, {around} from the box");
        }
    }
}

#[test]
fn open_meshes_and_grids_without_end_are_refused() {
    let (positions, mut triangles) = block_mesh(DVec3::ONE, DVec3::ZERO);
    let closed = TriangleSurface::new(positions.clone(), triangles.clone());
    for cell in [0.0, -1.0, f64::NAN, 1e-4, 1e-300] {
        assert!(!LevelSet::fits(&closed, cell) && LevelSet::of(&closed, cell).is_none(), "{cell}");
    }
    assert!(LevelSet::of(&closed, 0.5).is_some());
    triangles.pop();
    assert!(LevelSet::of(&TriangleSurface::new(positions, triangles), 0.5).is_none());
}
