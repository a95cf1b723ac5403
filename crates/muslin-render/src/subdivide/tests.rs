use glam::{Mat3, Vec3};

use super::{Subdivision, SubdivisionError, levels::loop_beta};

/// A sheet of `across` × `along` cells in the plane y = 0, from (0, 0, 0) to (3, 0, 2); `alternate` turns the
/// diagonals of every other cell.
fn sheet(across: u32, along: u32, alternate: bool) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let mut positions = Vec::new();
    for row in 0..=along {
        for column in 0..=across {
            positions.push(Vec3::new(3.0 * column as f32 / across as f32, 0.0, 2.0 * row as f32 / along as f32));
        }
    }
    let mut triangles = Vec::new();
    for row in 0..along {
        for column in 0..across {
            let a = row * (across + 1) + column;
            let (b, c, d) = (a + 1, a + across + 1, a + across + 2);
            if alternate && (row + column) % 2 == 1 {
                triangles.extend([[a, b, c], [b, d, c]]);
            } else {
                triangles.extend([[a, b, d], [a, d, c]]);
            }
        }
    }
    (positions, triangles)
}

fn octahedron() -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let positions = [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z].to_vec();
    let mut triangles = Vec::new();
    for x in [0, 1] {
        for y in [2, 3] {
            for z in [4, 5] {
                triangles.push(if (x + y + z) % 2 == 0 { [x, y, z] } else { [y, x, z] });
            }
        }
    }
    (positions, triangles)
}

/// A sheet waved out of its plane.
fn waved(rest: &[Vec3]) -> Vec<Vec3> {
    rest.iter().map(|p| Vec3::new(p.x, 0.3 * libm::sinf(2.0 * p.x + p.z), p.z * 0.9)).collect()
}

#[test]
fn each_level_has_four_times_the_triangles_and_a_vertex_for_each_edge() {
    let (rest, triangles) = sheet(4, 3, false);
    let (mut faces, mut edges, mut vertices) = (24, 43, 20);
    for levels in 0..4 {
        let subdivision = Subdivision::new(&rest, &triangles, levels).unwrap();
        assert_eq!((subdivision.triangles().len(), subdivision.vertices()), (faces, vertices), "{levels} levels");
        assert_eq!(subdivision.positions(&rest).len(), vertices);
        (faces, edges, vertices) = (4 * faces, 2 * edges + 3 * faces, vertices + edges);
    }
}

#[test]
fn a_flat_sheet_keeps_its_plane_its_outline_and_its_area() {
    for alternate in [false, true] {
        let (rest, triangles) = sheet(4, 3, alternate);
        let subdivision = Subdivision::new(&rest, &triangles, 3).unwrap();
        let fine = subdivision.positions(&rest);
        assert!(fine.iter().all(|p| p.y == 0.0));
        let (low, high) = fine.iter().fold((fine[0], fine[0]), |(low, high), &p| (low.min(p), high.max(p)));
        assert_eq!((low, high), (Vec3::ZERO, Vec3::new(3.0, 0.0, 2.0)));
        for corner in [Vec3::ZERO, Vec3::new(3.0, 0.0, 0.0), Vec3::new(0.0, 0.0, 2.0), Vec3::new(3.0, 0.0, 2.0)] {
            assert!(fine.contains(&corner), "{corner} is gone");
        }
        let area: f32 = subdivision
            .triangles()
            .iter()
            .map(|corners| {
                let [a, b, c] = corners.map(|vertex| fine[vertex as usize]);
                0.5 * (c - a).cross(b - a).y
            })
            .sum();
        // Signed: no triangle has turned over. The sum of 1536 areas rounds by some 1e-6 of the whole.
        assert!((area - 6.0).abs() < 1e-4, "{area}");
    }
}

#[test]
fn moving_turning_and_stretching_commute_with_subdivision() {
    let (rest, triangles) = sheet(5, 4, true);
    let subdivision = Subdivision::new(&rest, &triangles, 2).unwrap();
    let positions = waved(&rest);
    let matrix = Mat3::from_cols(Vec3::new(0.6, 0.8, 0.1), Vec3::new(-0.8, 0.6, 0.4), Vec3::new(0.2, 0.0, 1.7));
    let map = |p: &Vec3| matrix * *p + Vec3::new(1.0, -2.0, 0.5);
    let before: Vec<Vec3> = positions.iter().map(map).collect();
    let one_way = subdivision.positions(&before);
    let other_way: Vec<Vec3> = subdivision.positions(&positions).iter().map(map).collect();
    let worst = one_way.iter().zip(&other_way).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    // Rounding of a few sums of numbers of size 5: f32 has 6e-8 of it.
    assert!(worst < 4e-6, "{worst}");
}

#[test]
fn a_smooth_vertex_converges_to_its_closed_form_limit() {
    let (rest, triangles) = octahedron();
    // The limit of a vertex is (w v + sum of its n neighbours) / (w + n) with w = 3 / (8 β). Across an axis of the
    // octahedron the four neighbours sum to nothing.
    let w = 3.0 / (8.0 * loop_beta(4));
    let limit = w / (w + 4.0);
    let mut errors = Vec::new();
    for levels in 1..=6 {
        let fine = Subdivision::new(&rest, &triangles, levels).unwrap().positions(&rest);
        errors.push((fine[0].x - limit).abs());
        assert!(fine[0].y.abs() < 1e-6 && fine[0].z.abs() < 1e-6, "{}", fine[0]);
    }
    for pair in errors.windows(2) {
        // What is left shrinks by 5/8 - n β = 9/64 with each level; the last error, 4e-6, rounds to a hundredth of
        // itself.
        assert!((pair[1] / pair[0] - 9.0 / 64.0).abs() < 0.003, "{errors:?}");
    }
}

#[test]
fn a_closed_surface_becomes_smooth() {
    let (rest, triangles) = octahedron();
    let sharpest = |levels| {
        let subdivision = Subdivision::new(&rest, &triangles, levels).unwrap();
        let fine = subdivision.positions(&rest);
        let normals: Vec<Vec3> = subdivision
            .triangles()
            .iter()
            .map(|corners| corners.map(|vertex| fine[vertex as usize]))
            .map(|[a, b, c]| (b - a).cross(c - a).normalize())
            .collect();
        // The last of each four triangles is in the middle of the other three.
        normals.chunks(4).flat_map(|four| four[..3].iter().map(|n| n.angle_between(four[3]))).fold(0.0, f32::max)
    };
    let angles = [3, 4, 5, 6].map(sharpest);
    for pair in angles.windows(2) {
        // A surface with a tangent plane: angles between neighbours about halve with each level.
        assert!(pair[1] < 0.6 * pair[0], "{angles:?}");
    }
}

#[test]
fn values_stay_between_those_of_the_mesh() {
    let (rest, triangles) = sheet(4, 3, false);
    let subdivision = Subdivision::new(&rest, &triangles, 2).unwrap();
    let values: Vec<f32> = rest.iter().map(|p| p.x - 2.0 * p.z).collect();
    let fine = subdivision.scalars(&values);
    assert_eq!(fine.len(), subdivision.vertices());
    assert_eq!(fine[..values.len()], values);
    assert!(fine.iter().all(|value| (-4.0..=3.0).contains(value)));
}

#[test]
fn the_outline_of_a_disc_is_rounded() {
    let ring: Vec<Vec3> = (0..8)
        .map(|k| libm::sincosf(std::f32::consts::FRAC_PI_4 * k as f32))
        .map(|(sin, cos)| Vec3::new(cos, sin, 0.0))
        .collect();
    let rest: Vec<Vec3> = std::iter::once(Vec3::ZERO).chain(ring).collect();
    let triangles: Vec<[u32; 3]> = (0..8).map(|k| [0, 1 + k, 1 + (k + 1) % 8]).collect();
    let fine = Subdivision::new(&rest, &triangles, 1).unwrap().positions(&rest);
    // 3/4 of itself and 1/8 of two neighbours at 45°.
    let expected = 0.75 + 0.25 * libm::cosf(std::f32::consts::FRAC_PI_4);
    assert!((fine[1].length() - expected).abs() < 1e-6, "{}", fine[1].length());
}

#[test]
fn where_a_mesh_is_no_surface_it_stays_and_nothing_panics() {
    let points: Vec<Vec3> = (0..7).map(|k| Vec3::new(k as f32, (k * k % 5) as f32, (k % 3) as f32)).collect();
    let fin = vec![[0, 1, 2], [1, 0, 3], [0, 1, 4]];
    let bow_tie = vec![[0, 1, 2], [0, 3, 4]];
    let twice_the_same = vec![[0, 1, 2], [0, 1, 2]];
    let degenerate = vec![[0, 0, 1], [2, 2, 2], [3, 4, 5]];
    let t_junction = vec![[0, 1, 2], [0, 3, 4], [3, 1, 4]];
    for triangles in [fin, bow_tie.clone(), twice_the_same, degenerate, t_junction, Vec::new()] {
        let subdivision = Subdivision::new(&points, &triangles, 3).unwrap();
        let fine = subdivision.positions(&points);
        assert_eq!(fine.len(), subdivision.vertices());
        assert!(fine.iter().all(|p| p.is_finite()), "{triangles:?}");
        assert_eq!(fine[6], points[6], "a vertex without triangles stays");
    }
    let fine = Subdivision::new(&points, &bow_tie, 2).unwrap().positions(&points);
    assert_eq!(fine[0], points[0], "the vertex at which two fans meet stays");
}

#[test]
fn what_is_too_large_or_broken_is_refused_in_words() {
    let (rest, triangles) = sheet(100, 100, false);
    let error = Subdivision::new(&rest, &triangles, 4).unwrap_err();
    assert_eq!(
        error.to_string(),
        "4 levels of subdivision would make 5120000 triangles, more than 4000000: use 3 at most"
    );
    assert!(Subdivision::new(&rest, &triangles, u32::MAX).is_err());
    let error = Subdivision::new(&rest[..3], &[[0, 1, 2], [0, 1, 7]], 1).unwrap_err();
    assert_eq!(error, SubdivisionError::NoSuchVertex { triangle: 1, vertex: 7, vertices: 3 });
}

#[test]
fn the_bits_are_the_same_for_one_thread_and_for_many() {
    let (rest, triangles) = sheet(30, 20, true);
    let positions = waved(&rest);
    let with_threads = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let fine = Subdivision::new(&rest, &triangles, 2).unwrap().positions(&positions);
            fine.iter().flat_map(|p| p.to_array().map(f32::to_bits)).collect::<Vec<u32>>()
        })
    };
    assert_eq!(with_threads(1), with_threads(4));
}
