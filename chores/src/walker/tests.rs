//! What cloth needs of the figure.

use glam::DVec3;
use muslin::collide::{Meeting, TriangleSurface, edge_meets_triangle};

use super::gait::SHAPES_PER_SECOND;
use super::{Walker, folder};

#[test]
fn the_files_of_the_figure_are_new() {
    let walker = Walker::new();
    for (name, content) in
        [("walker.obj", walker.obj().into_bytes()), ("walker.pc2", walker.pc2().expect("small enough"))]
    {
        let there = std::fs::read(folder().join(name)).expect("the file is there");
        assert!(there == content, "scenes/{name} is stale: run `cargo xtask walker`");
    }
}

#[test]
fn the_figure_is_watertight_and_fine_enough() {
    let Walker { positions, triangles, .. } = Walker::new();
    assert!(triangles.len() >= 1000, "{} triangles", triangles.len());
    let surface = TriangleSurface::new(positions.clone(), triangles.clone());
    assert!(surface.is_watertight());
    let corners = |t: &[u32; 3]| t.map(|i| positions[i as usize]);
    let volume: f64 = triangles.iter().map(corners).map(|[a, b, c]| a.dot(b.cross(c)) / 6.0).sum();
    // A trunk of 0.12 m × 0.35 m, a head of 0.09 m, two legs of 0.055 m × 0.4 m: 0.016 + 0.003 + 0.008 m³.
    assert!((0.02..0.04).contains(&volume), "{volume} m³");
}

#[test]
fn no_vertex_is_faster_than_a_slow_walk_lets_it() {
    let shapes = Walker::new().shapes;
    let speed = |pair: &[Vec<DVec3>]| {
        let displacements = pair[0].iter().zip(&pair[1]).map(|(a, b)| a.distance(*b));
        displacements.fold(0.0, f64::max) * SHAPES_PER_SECOND
    };
    let fastest = shapes.windows(2).map(speed).fold(0.0, f64::max);
    assert!((0.8..1.5).contains(&fastest), "{fastest} m/s");
}

#[test]
fn the_figure_never_meets_itself() {
    let Walker { triangles, shapes, positions } = Walker::new();
    let edges = TriangleSurface::new(positions, triangles.clone()).edges().to_vec();
    for (number, shape) in shapes.iter().enumerate().step_by(4) {
        let at = |i: u32| shape[i as usize];
        let boxes: Vec<_> = triangles.iter().map(|t| around(&t.map(at))).collect();
        for &[a, b] in &edges {
            let (low, high) = around(&[at(a), at(b)]);
            for (triangle, (least, most)) in triangles.iter().zip(&boxes) {
                let near = low.cmple(*most).all() && high.cmpge(*least).all();
                if near && !triangle.contains(&a) && !triangle.contains(&b) {
                    let meeting = edge_meets_triangle([at(a), at(b)], triangle.map(at));
                    assert_eq!(meeting, Meeting::Apart, "edge {a}–{b} and {triangle:?} in shape {number}");
                }
            }
        }
    }
}

#[test]
fn the_files_together_are_at_most_a_megabyte() {
    let walker = Walker::new();
    let size = walker.obj().len() + walker.pc2().expect("small enough").len();
    assert!(size <= 1_000_000, "{size} bytes");
}

fn around(points: &[DVec3]) -> (DVec3, DVec3) {
    let empty = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    points.iter().fold(empty, |(low, high), point| (low.min(*point), high.max(*point)))
}
