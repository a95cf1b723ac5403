//! What a renderer gets of a cloth: triangles, normals, texture coordinates.
#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

use muslin::mesh::UvMap;
use muslin::prelude::*;

fn alone(mesh: Mesh) -> (Simulation, ClothId) {
    let cotton = materials::find("cotton").unwrap().material();
    let mut builder = Simulation::builder();
    // Not the first, so that vertices and particles have different numbers.
    builder.cloth(Cloth::new("other", GridSpec::square(1.0, 3).build().unwrap(), cotton));
    let cloth = builder.cloth(Cloth::new("cloth", mesh, cotton));
    (builder.build().unwrap(), cloth)
}

#[test]
fn the_triangles_of_a_sheet_cover_it_and_face_up() {
    let (mut simulation, sheet) = alone(GridSpec::square(1.0, 11).build().unwrap());
    let triangles = simulation.triangles(sheet).to_vec();
    let corners = |x: &[DVec3], triangle: [u32; 3]| triangle.map(|vertex| x[vertex as usize]);
    let rest = simulation.rest_positions(sheet);
    let area: DVec3 =
        triangles.iter().map(|triangle| corners(rest, *triangle)).map(|[a, b, c]| 0.5 * (b - a).cross(c - a)).sum();
    assert!((area - DVec3::Y).length() < 1e-12, "{area} m²");
    let mut normals = Vec::new();
    simulation.normals(sheet, &mut normals);
    assert_eq!(normals.len(), 121);
    // Rounding of a square root and a quotient.
    assert!(normals.iter().all(|normal| normal.distance(DVec3::Y) < 1e-15), "{normals:?}");
    for (triangle, uvs) in triangles.iter().zip(simulation.texture(sheet).unwrap()) {
        assert_eq!(corners(rest, *triangle).map(|x| DVec2::new(x.x, x.z)), uvs);
    }
    simulation.step(()).unwrap();
    assert_eq!(simulation.triangles(sheet), triangles);
}

#[test]
fn normals_are_means_by_area_of_where_the_cloth_is_now() {
    let tube = TubeSpec { radius: 0.3, length: 0.5, particles: [24, 6], diagonals: Diagonals::Both };
    let (mut simulation, tube) = alone(tube.build().unwrap());
    let mut normals = Vec::new();
    simulation.normals(tube, &mut normals);
    for (normal, x) in normals.iter().zip(simulation.positions(tube)) {
        let outward = DVec3::new(x.x, 0.0, x.z).normalize();
        // A quad is split along one diagonal, so a vertex has more area on one side: by half a cell at most.
        assert!(normal.dot(outward) > libm::cos(0.5 * std::f64::consts::TAU / 24.0), "{normal}, not {outward}");
    }
    let turn = DQuat::from_rotation_x(1.0);
    let turned: Vec<DVec3> = simulation.positions(tube).iter().map(|x| turn * *x).collect();
    simulation.set_positions(tube, &turned).unwrap();
    let mut after = Vec::new();
    simulation.normals(tube, &mut after);
    assert!(normals.iter().zip(&after).all(|(before, after)| (turn * *before).distance(*after) < 1e-12));
}

#[test]
fn sewn_vertices_share_a_normal_and_keep_their_texture() {
    let square =
        |corner: fn(f64, f64) -> DVec3| [corner(0.0, 0.0), corner(0.0, 1.0), corner(1.0, 1.0), corner(1.0, 0.0)];
    let level = square(|x, z| DVec3::new(x, 0.0, z));
    let upright = square(|y, z| DVec3::new(1.0, y, z));
    let coords: Vec<DVec2> = (0..8).map(|i| DVec2::new(f64::from(i), 0.5)).collect();
    let mesh = Mesh {
        positions: [level, upright].concat(),
        faces: vec![vec![0, 1, 2, 3], vec![4, 5, 6, 7]],
        welds: vec![[4, 3], [5, 2]],
        uvs: Some(UvMap { coords: coords.clone(), corners: vec![vec![0, 1, 2, 3], vec![4, 5, 6, 7]] }),
        ..Mesh::default()
    };
    let (simulation, cloth) = alone(mesh);
    let mut normals = Vec::new();
    simulation.normals(cloth, &mut normals);
    let between = normals[4].dot(DVec3::Y).min(normals[4].dot(DVec3::NEG_X));
    assert!(normals[4] == normals[3] && normals[5] == normals[2] && between > 0.4, "{normals:?}");
    let texture = simulation.texture(cloth).unwrap();
    assert_eq!(texture.len(), 4);
    for (triangle, uvs) in simulation.triangles(cloth)[2..].iter().zip(&texture[2..]) {
        let own = |vertex: u32| match vertex {
            3 => coords[4],
            2 => coords[5],
            other => coords[other as usize],
        };
        assert_eq!(triangle.map(own), *uvs);
    }
}
