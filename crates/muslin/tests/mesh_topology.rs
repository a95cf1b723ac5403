//! What is derived from a mesh: edges, threads, hinges, and what sewing does to them.

#![allow(clippy::unwrap_used, reason = "a test that cannot make its mesh has failed")]

use muslin::mesh::{BlockSpec, Diagonals, DiscSpec, GridSpec, IrregularSpec, ThreadDirection, Topology, TubeSpec};
use muslin::{DVec2, DVec3, Mesh};
use proptest::prelude::*;

fn grid(particles: [u32; 2], diagonals: Diagonals) -> Mesh {
    GridSpec { size: DVec2::ONE, particles, diagonals, triangles: false }.build().unwrap()
}

/// A mesh of any generator.
fn any_mesh() -> impl Strategy<Value = Mesh> {
    let counts = || [2..7u32, 3..7u32];
    let diagonals = || {
        prop_oneof![Just(Diagonals::One), Just(Diagonals::Both), Just(Diagonals::Alternating), Just(Diagonals::None)]
    };
    prop_oneof![
        (counts(), diagonals()).prop_map(|(particles, diagonals)| grid(particles, diagonals)),
        (1..6u32).prop_map(|rings| DiscSpec { radius: 0.5, rings }.build().unwrap()),
        (3..8u32, 2..6u32, diagonals()).prop_map(|(around, along, diagonals)| {
            TubeSpec { radius: 0.2, length: 0.6, particles: [around, along], diagonals }.build().unwrap()
        }),
        (counts(), any::<u64>()).prop_map(|(particles, seed)| {
            IrregularSpec { size: DVec2::ONE, particles, jitter: 0.8, seed }.build().unwrap()
        }),
        (2..5u32, 2..5u32).prop_map(|(a, b)| BlockSpec { size: DVec3::ONE, particles: [a, b, 3] }.build().unwrap()),
    ]
}

/// Whether a triangle is another one turned, but not turned over.
fn same_turned(a: [u32; 3], b: [u32; 3]) -> bool {
    (0..3).any(|by| [b[by], b[(by + 1) % 3], b[(by + 2) % 3]] == a)
}

proptest! {
    #[test]
    fn edges_are_in_order_distinct_and_the_sides_of_the_faces(mesh in any_mesh()) {
        let edges: Vec<[u32; 2]> = Topology::of(&mesh).edges.iter().map(|edge| [edge.a, edge.b]).collect();
        let sides = mesh.faces.iter().flat_map(|face| (0..face.len()).map(|i| [face[i], face[(i + 1) % face.len()]]));
        let mut expected: Vec<[u32; 2]> = Vec::new();
        for [a, b] in sides.chain(mesh.lines.iter().copied()) {
            if !expected.contains(&[a.min(b), a.max(b)]) {
                expected.push([a.min(b), a.max(b)]);
            }
        }
        prop_assert_eq!(edges, expected, "edges come in order of first appearance");
    }

    #[test]
    fn hinges_are_pairs_of_triangles_that_share_their_edge(mesh in any_mesh()) {
        let topology = Topology::of(&mesh);
        for &[x1, x2, x3, x4] in &topology.hinges {
            for wanted in [[x1, x3, x4], [x2, x4, x3]] {
                let there = topology.triangles.iter().any(|&triangle| same_turned(triangle, wanted));
                prop_assert!(there, "no triangle {:?}", wanted);
            }
        }
        let mut shared: Vec<[u32; 2]> = topology.hinges.iter().map(|h| [h[2].min(h[3]), h[2].max(h[3])]).collect();
        shared.sort_unstable();
        shared.dedup();
        prop_assert_eq!(shared.len(), topology.hinges.len(), "one hinge an edge");
        for (cross, hinge) in topology.cross_edges().iter().zip(&topology.hinges) {
            prop_assert_eq!(*cross, [hinge[0].min(hinge[1]), hinge[0].max(hinge[1])]);
        }
    }

    #[test]
    fn bend_pairs_are_three_different_vertices_joined_by_edges(mesh in any_mesh()) {
        let topology = Topology::of(&mesh);
        let joined = |a: u32, b: u32| topology.edges.iter().any(|e| [e.a, e.b] == [a.min(b), a.max(b)]);
        for &[a, middle, b] in &topology.bend_pairs {
            prop_assert!(a != b && joined(a, middle) && joined(middle, b), "{:?}", [a, middle, b]);
        }
    }

    #[test]
    fn a_turned_over_triangle_changes_no_hinge_but_by_its_side(seed in any::<u64>()) {
        let spec = IrregularSpec { size: DVec2::ONE, particles: [5, 5], jitter: 0.8, seed };
        let mesh = spec.build().unwrap();
        let mut turned = mesh.clone();
        turned.faces[7].swap(1, 2);
        let unordered = |mesh: &Mesh| -> Vec<[u32; 4]> {
            let sorted = |&[a, b, c, d]: &[u32; 4]| [a.min(b), a.max(b), c.min(d), c.max(d)];
            let mut list: Vec<[u32; 4]> = Topology::of(mesh).hinges.iter().map(sorted).collect();
            list.sort_unstable();
            list
        };
        prop_assert_eq!(unordered(&mesh), unordered(&turned));
    }
}

#[test]
fn the_grid_of_bb08_has_as_many_constraints_and_springs_as_its_paper_says() {
    for (n, edges, springs) in [(10, 180, 241), (50, 4900, 7201)] {
        let topology = Topology::of(&grid([n, n], Diagonals::One));
        assert_eq!(topology.edges.len(), edges);
        assert_eq!(topology.diagonals.len() + topology.bend_pairs.len(), springs);
        assert_eq!(topology.bend_pairs.len() as u32, 2 * n * (n - 2));
    }
}

#[test]
fn threads_of_a_grid_run_straight() {
    let mesh = grid([5, 4], Diagonals::Both);
    let topology = Topology::of(&mesh);
    assert_eq!(topology.bend_pairs.len(), 3 * 4 + 5 * 2);
    for &[a, middle, b] in &topology.bend_pairs {
        let [a, middle, b] = [a, middle, b].map(|vertex| mesh.positions[vertex as usize]);
        // A few roundings of coordinates up to 1.
        assert!((a + b - 2.0 * middle).length() < 1e-15, "{a} {middle} {b}");
    }
}

#[test]
fn a_tube_has_threads_all_the_way_round() {
    let spec = TubeSpec { radius: 0.2, length: 1.0, particles: [8, 5], diagonals: Diagonals::None };
    assert_eq!(Topology::of(&spec.build().unwrap()).bend_pairs.len(), 8 * 5 + 8 * 3);
}

#[test]
fn on_triangles_the_vertices_across_an_edge_bend_with_each_other() {
    let spec = IrregularSpec { size: DVec2::ONE, particles: [6, 6], jitter: 0.5, seed: 1 };
    let topology = Topology::of(&spec.build().unwrap());
    let expected: Vec<[u32; 3]> = topology.hinges.iter().map(|&[x1, x2, x3, _]| [x1, x3, x2]).collect();
    assert_eq!(topology.bend_pairs, expected);
}

#[test]
fn every_quad_has_four_right_angled_corners() {
    let mesh = grid([4, 3], Diagonals::None);
    let topology = Topology::of(&mesh);
    assert_eq!(topology.corners.len(), 4 * mesh.faces.len());
    for &[x1, x2, x3] in &topology.corners {
        let [x1, x2, x3] = [x1, x2, x3].map(|vertex| mesh.positions[vertex as usize]);
        assert_eq!((x1 - x3).dot(x2 - x3), 0.0);
        assert!((x2 - x3).length() > 0.0 && (x1 - x3).length() > 0.0);
    }
}

#[test]
fn edges_along_x_are_weft_and_along_z_are_warp() {
    let mesh = grid([4, 3], Diagonals::None);
    for edge in Topology::of(&mesh).edges {
        let along = mesh.positions[edge.b as usize] - mesh.positions[edge.a as usize];
        assert_eq!(edge.direction, if along.z == 0.0 { ThreadDirection::Weft } else { ThreadDirection::Warp });
    }
    let spec = TubeSpec { radius: 0.2, length: 1.0, particles: [8, 5], diagonals: Diagonals::Both };
    let around =
        Topology::of(&spec.build().unwrap()).edges.iter().filter(|e| e.direction == ThreadDirection::Weft).count();
    assert_eq!(around, 8 * 5, "the seam's edges know their direction too");
}

#[test]
fn directions_are_judged_on_the_cloth_and_not_on_its_stretched_texture() {
    // 10 m × 1 m under a square texture: the diagonal of the whole is 5.7° from the weft, at 45° on the picture.
    let ribbon = |height: f64| {
        let spec =
            GridSpec { size: DVec2::new(10.0, height), particles: [2, 2], diagonals: Diagonals::One, triangles: true };
        let topology = Topology::of(&spec.build().unwrap());
        topology.edges.iter().find(|edge| [edge.a, edge.b] == [0, 3]).map(|edge| edge.direction)
    };
    assert_eq!(ribbon(1.0), Some(ThreadDirection::Bias));
    assert_eq!(ribbon(0.8), Some(ThreadDirection::Weft), "4.6° from the weft");
}

#[test]
fn without_a_texture_no_edge_knows_its_direction() {
    let mut mesh = grid([3, 3], Diagonals::None);
    mesh.uvs = None;
    assert!(Topology::of(&mesh).edges.iter().all(|edge| edge.direction == ThreadDirection::Bias));
}

#[test]
fn two_sheets_sewn_along_a_side_are_like_one() {
    let whole = grid([3, 3], Diagonals::Both);
    // The middle column of vertices, doubled: 9 to 11 belong to the right half.
    let mut halves = whole.clone();
    for (copy, original) in [(9, 1), (10, 4), (11, 7)] {
        halves.positions.push(whole.positions[original as usize]);
        halves.welds.push([copy, original]);
        for face in [1, 3] {
            for vertex in &mut halves.faces[face] {
                *vertex = if *vertex == original { copy } else { *vertex };
            }
        }
    }
    let (sewn, whole) = (Topology::of(&halves), Topology::of(&whole));
    assert_eq!(sewn, whole);
}

#[test]
fn loose_vertices_are_listed_but_sewn_ones_are_not() {
    let mut mesh = grid([2, 2], Diagonals::None);
    mesh.positions.extend([DVec3::splat(5.0), DVec3::ZERO]);
    mesh.welds.push([5, 0]);
    assert_eq!(Topology::of(&mesh).loose, [4]);
}

#[test]
fn an_edge_of_three_faces_gets_no_hinge() {
    let positions = vec![DVec3::ZERO, DVec3::X, DVec3::Z, DVec3::Y, -DVec3::Z];
    let faces = vec![vec![0, 1, 2], vec![0, 1, 3], vec![1, 0, 4]];
    let topology = Topology::of(&Mesh { positions, faces, ..Mesh::default() });
    assert_eq!((topology.hinges.len(), topology.edges.len()), (0, 7));
}

/// Area of all triangles [m²]; larger than the polygon's where triangles overlap or lie outside it.
fn triangle_area(mesh: &Mesh) -> f64 {
    let corner = |vertex: u32| mesh.positions[vertex as usize];
    let area = |&[a, b, c]: &[u32; 3]| 0.5 * (corner(b) - corner(a)).cross(corner(c) - corner(a)).length();
    Topology::of(mesh).triangles.iter().map(area).sum()
}

fn flat_polygon(outline: &[[f64; 2]]) -> Mesh {
    Mesh {
        positions: outline.iter().map(|&[x, z]| DVec3::new(x, 0.0, z)).collect(),
        faces: vec![(0..outline.len() as u32).collect()],
        ..Mesh::default()
    }
}

#[test]
fn polygons_that_are_not_convex_are_split_inside() {
    let arrow = flat_polygon(&[[0.0, 0.0], [2.0, 1.0], [0.0, 2.0], [0.5, 1.0]]);
    assert!((triangle_area(&arrow) - 1.5).abs() < 1e-15);
    let turned_arrow = flat_polygon(&[[0.5, 1.0], [0.0, 0.0], [2.0, 1.0], [0.0, 2.0]]);
    assert!((triangle_area(&turned_arrow) - 1.5).abs() < 1e-15);
    let comb = flat_polygon(&[
        [0.0, 0.0],
        [5.0, 0.0],
        [5.0, 3.0],
        [4.0, 3.0],
        [4.0, 1.0],
        [3.0, 1.0],
        [3.0, 3.0],
        [2.0, 3.0],
        [2.0, 1.0],
        [1.0, 1.0],
        [1.0, 3.0],
        [0.0, 3.0],
    ]);
    assert!((triangle_area(&comb) - 11.0).abs() < 1e-14, "{}", triangle_area(&comb));
    assert_eq!(Topology::of(&comb).triangles.len(), 10);
}

#[test]
fn a_vertex_in_the_middle_of_a_side_makes_no_empty_triangle() {
    for start in 0..5 {
        let mut outline = [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]];
        outline.rotate_left(start);
        let mesh = flat_polygon(&outline);
        let corner = |vertex: u32| mesh.positions[vertex as usize];
        for &[a, b, c] in &Topology::of(&mesh).triangles {
            assert!((corner(b) - corner(a)).cross(corner(c) - corner(a)).length() > 0.5, "start {start}");
        }
    }
}
