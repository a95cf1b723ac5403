//! Choosing vertices: what is chosen, and what is said when nothing is.

#![allow(clippy::unwrap_used, reason = "a test that cannot make its mesh has failed")]

use muslin::mesh::{ChainSpec, Diagonals, DiscSpec, GridSpec, TubeSpec};
use muslin::model::Select;
use muslin::model::select::SelectError;
use muslin::{DVec2, DVec3, Mesh};

fn sheet() -> Mesh {
    let spec = GridSpec { size: DVec2::new(2.0, 1.0), particles: [5, 3], diagonals: Diagonals::Both, triangles: false };
    spec.build().unwrap()
}

fn choose(select: &Select, mesh: &Mesh) -> Result<Vec<u32>, SelectError> {
    select.resolve(mesh, &mesh.positions)
}

#[test]
fn the_corners_of_a_grid_are_its_corner_particles() {
    for (corner, vertex) in [([0.0, 0.0], 0), ([1.0, 0.0], 4), ([0.0, 1.0], 10), ([1.0, 1.0], 14)] {
        assert_eq!(choose(&Select::Corner(DVec2::from(corner)), &sheet()), Ok(vec![vertex]));
    }
}

#[test]
fn corners_are_those_of_the_part_of_the_texture_in_use() {
    let mut mesh = sheet();
    for uv in &mut mesh.uvs.as_mut().unwrap().coords {
        *uv = DVec2::new(0.5, 0.2) + *uv * DVec2::new(0.01, 0.3);
    }
    assert_eq!(choose(&Select::Corner(DVec2::new(1.0, 0.0)), &mesh), Ok(vec![4]));
}

#[test]
fn the_two_corners_at_a_tubes_seam_are_one_vertex() {
    let spec = TubeSpec { radius: 0.1, length: 1.0, particles: [6, 3], diagonals: Diagonals::None };
    let mesh = spec.build().unwrap();
    assert_eq!(choose(&Select::Corner(DVec2::ZERO), &mesh), Ok(vec![0]));
    assert_eq!(choose(&Select::Corner(DVec2::X), &mesh), Ok(vec![0]));
}

#[test]
fn a_corner_of_a_disc_is_the_nearest_vertex_of_its_rim() {
    let mesh = DiscSpec { radius: 1.0, rings: 4 }.build().unwrap();
    let [vertex] = choose(&Select::Corner(DVec2::ONE), &mesh).unwrap()[..] else { panic!("one vertex expected") };
    let p = mesh.positions[vertex as usize];
    // 24 particles on the rim: the one at 45° is there. libm's sine and cosine are good to 1e-15.
    assert!((p - DVec3::new(0.5f64.sqrt(), 0.0, 0.5f64.sqrt())).length() < 1e-15, "{p}");
}

#[test]
fn indices_come_back_sorted_and_once() {
    assert_eq!(choose(&Select::Index(vec![7, 2, 7, 0]), &sheet()), Ok(vec![0, 2, 7]));
}

#[test]
fn a_box_includes_its_border_even_after_rounding() {
    let mesh = sheet();
    let start: Vec<DVec3> = mesh.positions.iter().map(|p| *p + DVec3::splat(1e-13)).collect();
    let row = Select::Box { min: DVec3::ZERO, max: DVec3::new(2.0, 0.0, 0.0) };
    assert_eq!(row.resolve(&mesh, &start), Ok(vec![0, 1, 2, 3, 4]));
}

#[test]
fn boxes_and_points_are_judged_at_the_start_pose() {
    let mesh = sheet();
    let start: Vec<DVec3> = mesh.positions.iter().map(|p| *p + DVec3::new(0.0, 5.0, 0.0)).collect();
    let above = Select::Box { min: DVec3::new(1.9, 4.0, 0.9), max: DVec3::splat(6.0) };
    assert_eq!(above.resolve(&mesh, &start), Ok(vec![14]));
    assert_eq!(Select::Nearest(DVec3::new(0.6, 9.0, 0.4)).resolve(&mesh, &start), Ok(vec![6]));
}

#[test]
fn of_equally_near_vertices_the_first_is_chosen() {
    assert_eq!(choose(&Select::Nearest(DVec3::new(0.25, 0.0, 0.25)), &sheet()), Ok(vec![0]));
}

#[test]
fn a_sewn_vertex_stands_for_the_one_it_is_sewn_to() {
    let mut mesh = sheet();
    mesh.welds.extend([[9, 8], [8, 3]]);
    assert_eq!(choose(&Select::Index(vec![9, 3, 5]), &mesh), Ok(vec![3, 5]));
}

/// The error's message.
fn refusal(select: &Select, mesh: &Mesh) -> String {
    choose(select, mesh).unwrap_err().to_string()
}

#[test]
fn a_choice_of_nothing_says_why_and_what_would_help() {
    let mesh = sheet();
    assert_eq!(
        refusal(&Select::Index(vec![3, 15]), &mesh),
        "vertex 15 does not exist: the mesh has 15 vertices, numbered from 0"
    );
    assert_eq!(refusal(&Select::Index(vec![]), &mesh), "the list of vertices is empty");
    assert_eq!(
        refusal(&Select::Box { min: DVec3::splat(3.0), max: DVec3::splat(4.0) }, &mesh),
        "no vertex lies in the box from [3, 3, 3] to [4, 4, 4]; \
         at the start the cloth extends from [0, 0, 0] to [2, 0, 1]"
    );
    let inverted = refusal(&Select::Box { min: DVec3::ONE, max: DVec3::new(2.0, 0.0, 2.0) }, &mesh);
    assert!(inverted.contains("inside out"), "{inverted}");
    let not_finite = refusal(&Select::Nearest(DVec3::new(0.0, f64::NAN, 0.0)), &mesh);
    assert_eq!(not_finite, "the point must be finite, but is [0, NaN, 0]");
    let infinite = Select::Box { min: DVec3::NEG_INFINITY, max: DVec3::ONE };
    assert!(refusal(&infinite, &mesh).contains("`min` must be finite"));
    assert!(refusal(&Select::Corner(DVec2::NAN), &mesh).contains("corner must be finite"));
    let chain = ChainSpec { from: DVec3::ZERO, to: DVec3::X, particles: 3 }.build().unwrap();
    assert!(refusal(&Select::Corner(DVec2::ZERO), &chain).contains("no texture coordinates"));
    assert_eq!(refusal(&Select::Nearest(DVec3::ZERO), &Mesh::default()), "the mesh has no vertices");
}

#[test]
fn a_mesh_from_a_z_up_world_is_turned_and_not_mirrored() {
    let mesh = sheet();
    let turned = Mesh { positions: vec![DVec3::X, DVec3::Y, DVec3::Z], ..mesh }.with_up_axis_z().positions;
    assert_eq!(turned, [DVec3::X, -DVec3::Z, DVec3::Y]);
    assert_eq!(turned[0].cross(turned[1]), turned[2], "still right-handed");
}
