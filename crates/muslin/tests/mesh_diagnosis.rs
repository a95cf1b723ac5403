//! Defects of meshes are found, named, and repaired where that is safe.

#![allow(clippy::unwrap_used, reason = "a test that cannot make its mesh has failed")]

use muslin::mesh::{
    BlockSpec, ChainSpec, Diagnosis, Diagonals, DiscSpec, FindingKind, GridSpec, MeshError, MeshPlace, Topology,
    TubeSpec,
};
use muslin::{DVec2, DVec3, Mesh};
use proptest::prelude::*;

/// A sheet of 3 × 3 particles: quads 0 to 3.
fn sheet() -> Mesh {
    GridSpec { size: DVec2::ONE, particles: [3, 3], diagonals: Diagonals::Both, triangles: false }.build().unwrap()
}

/// Adds a face with texture coordinates of some kind.
fn add_face(mesh: &mut Mesh, face: &[u32]) {
    mesh.faces.push(face.to_vec());
    if let Some(uvs) = &mut mesh.uvs {
        uvs.corners.push(face.iter().map(|_| 0).collect());
    }
}

fn kinds(mesh: &Mesh) -> Vec<FindingKind> {
    Diagnosis::of(mesh).findings.iter().map(|finding| finding.kind).collect()
}

/// The message of the only finding.
fn message(mesh: &Mesh) -> String {
    let findings = Diagnosis::of(mesh).findings;
    assert_eq!(findings.len(), 1, "{findings:?}");
    findings[0].message()
}

fn repaired(mesh: &Mesh) -> Mesh {
    Diagnosis::of(mesh).repair(mesh).unwrap()
}

#[test]
fn sound_meshes_have_no_findings_and_repair_leaves_them_alone() {
    let meshes = [
        sheet(),
        DiscSpec { radius: 0.5, rings: 4 }.build().unwrap(),
        TubeSpec { radius: 0.1, length: 1.0, particles: [6, 4], diagonals: Diagonals::One }.build().unwrap(),
        BlockSpec { size: DVec3::ONE, particles: [4, 3, 5] }.build().unwrap(),
        ChainSpec { from: DVec3::ZERO, to: DVec3::X, particles: 5 }.build().unwrap(),
    ];
    for mesh in meshes {
        assert_eq!(kinds(&mesh), []);
        assert_eq!(repaired(&mesh), mesh);
    }
}

#[test]
fn a_face_without_area_is_named_and_left_out() {
    let mut mesh = sheet();
    add_face(&mut mesh, &[0, 1, 2]);
    let diagnosis = Diagnosis::of(&mesh);
    // Its sides along the border are shared by the faces there, which is no crowd once it is gone.
    assert_eq!(diagnosis.findings.len(), 1);
    assert_eq!(message(&mesh), "1 face has no area: face 4 (counted from 0)");
    assert_eq!(repaired(&mesh), sheet());
}

#[test]
fn a_nearly_empty_face_counts_as_empty_at_any_size_of_mesh() {
    for scale in [1e-6, 1.0, 1e6] {
        let mut mesh = sheet().scaled(scale);
        mesh.positions.push(DVec3::new(0.5 * scale, 1e-13 * scale, 0.0) + DVec3::X * 1e-7 * scale);
        add_face(&mut mesh, &[0, 9, 2]);
        assert!(kinds(&mesh).contains(&FindingKind::DegenerateFace), "at scale {scale}");
        let mut mesh = sheet().scaled(scale);
        mesh.positions.push(DVec3::new(0.5 * scale, 1e-6 * scale, 0.0));
        add_face(&mut mesh, &[0, 9, 2]);
        assert_eq!(kinds(&mesh), [], "at scale {scale}");
    }
}

#[test]
fn faces_and_lines_that_repeat_a_vertex_are_left_out() {
    let mut mesh = sheet();
    add_face(&mut mesh, &[0, 4, 4]);
    add_face(&mut mesh, &[0, 4]);
    add_face(&mut mesh, &[0, 1, 4, 1, 3]);
    mesh.lines.push([7, 7]);
    assert_eq!(message(&mesh), "4 faces or lines repeat a vertex: face 4, face 5, face 6, line 0 (counted from 0)");
    assert_eq!(repaired(&mesh), sheet());
}

#[test]
fn a_second_face_on_the_same_vertices_is_left_out_whichever_way_it_winds() {
    let mut mesh = sheet();
    let mut again = mesh.faces[2].clone();
    again.rotate_left(1);
    add_face(&mut mesh, &again);
    again.reverse();
    add_face(&mut mesh, &again);
    assert_eq!(message(&mesh), "2 faces are there twice: face 4, face 5 (counted from 0)");
    assert_eq!(repaired(&mesh), sheet());
}

#[test]
fn diagonals_go_with_their_face_unless_another_face_has_them() {
    let mut mesh = sheet();
    mesh.faces[3] = vec![4, 7, 7, 5];
    mesh.diagonals = vec![[4, 7], [7, 5], [0, 4]];
    let mended = repaired(&mesh);
    assert_eq!(mended.diagonals, [[0, 4]]);
    assert_eq!(mended.faces.len(), 3);
}

#[test]
fn an_edge_of_three_faces_is_named_and_kept_without_a_hinge() {
    let mut mesh = sheet();
    mesh.positions.push(DVec3::new(0.5, 1.0, 0.25));
    add_face(&mut mesh, &[1, 4, 9]);
    assert_eq!(message(&mesh), "1 edge has three or more faces: edge 1–4 (counted from 0)");
    let mended = repaired(&mesh);
    assert_eq!(mended, mesh);
    let has_hinge = |mesh: &Mesh| Topology::of(mesh).hinges.iter().any(|h| h[2].min(h[3]) == 1 && h[2].max(h[3]) == 4);
    assert!(has_hinge(&sheet()) && !has_hinge(&mended));
}

#[test]
fn faces_with_opposite_fronts_are_named_and_left_alone() {
    let mut mesh = sheet();
    mesh.faces[1].reverse();
    let findings = Diagnosis::of(&mesh).findings;
    assert_eq!((findings[0].kind, findings[0].count), (FindingKind::InconsistentWinding, 2));
    assert_eq!(repaired(&mesh), mesh);
}

#[test]
fn coincident_vertices_are_sewn_and_stay_in_the_mesh() {
    let mut mesh = sheet();
    mesh.positions.extend([mesh.positions[4] + DVec3::splat(1e-10), mesh.positions[2], mesh.positions[2]]);
    let expected = "3 vertices lie on others: vertex 9 on vertex 4, vertex 10 on vertex 2, vertex 11 on vertex 2 \
                    (counted from 0)";
    assert_eq!(message(&mesh), expected);
    let mended = repaired(&mesh);
    assert_eq!(mended.positions, mesh.positions);
    assert_eq!(mended.welds, [[9, 4], [10, 2], [11, 2]]);
    assert_eq!(mended.weld_roots()[9..], [4, 2, 2]);
    assert_eq!(Topology::of(&mended), Topology::of(&sheet()));
    mesh.positions[9] += DVec3::splat(1e-7);
    assert_eq!(kinds(&mesh), [FindingKind::CoincidentVertex, FindingKind::LooseVertex], "further apart is apart");
}

#[test]
fn an_edge_without_length_is_named_and_its_quad_becomes_a_triangle() {
    let mut mesh = sheet();
    mesh.positions[1] = mesh.positions[0];
    mesh.positions[4].x -= 0.1;
    assert_eq!(kinds(&mesh), [FindingKind::ZeroLengthEdge, FindingKind::CoincidentVertex]);
    assert_eq!(Diagnosis::of(&mesh).findings[0].message(), "1 edge has no length: edge 0–1 (counted from 0)");
    let topology = Topology::of(&repaired(&mesh));
    assert_eq!(topology.triangles.len(), 7);
    assert!(topology.edges.iter().all(|edge| edge.a != edge.b && edge.a != 1 && edge.b != 1));
}

#[test]
fn loose_vertices_are_named_and_kept() {
    let mut mesh = sheet();
    mesh.positions.extend((0..20).map(|i| DVec3::splat(2.0 + f64::from(i))));
    let finding = &Diagnosis::of(&mesh).findings[0];
    assert_eq!((finding.kind, finding.count, finding.places.len()), (FindingKind::LooseVertex, 20, 12));
    assert_eq!(finding.places[0], MeshPlace::Vertex(9));
    assert!(finding.message().ends_with("vertex 20, … (counted from 0)"), "{}", finding.message());
    assert_eq!(repaired(&mesh), mesh);
}

/// Checks that a mesh is fatal for one reason, and that repair says so.
fn assert_fatal(mesh: &Mesh, expected: &str) {
    assert_eq!(message(mesh), expected);
    assert!(Diagnosis::of(mesh).is_fatal());
    assert_eq!(Diagnosis::of(mesh).repair(mesh), Err(MeshError::Defect(expected.to_owned())));
}

#[test]
fn what_cannot_be_repaired_is_fatal_and_named() {
    let mut mesh = sheet();
    mesh.positions[3].y = f64::NAN;
    assert_fatal(&mesh, "1 vertex has a coordinate that is not finite: vertex 3 (counted from 0)");

    let mut mesh = sheet();
    mesh.faces[1][2] = 9;
    mesh.lines.push([0, 99]);
    mesh.diagonals[5] = [50, 0];
    mesh.welds.push([u32::MAX, 0]);
    let places = "face 1, line 0, diagonal 5, weld 0";
    assert_fatal(&mesh, &format!("4 places name vertices that do not exist: {places} (counted from 0)"));

    let mut mesh = sheet();
    mesh.uvs.as_mut().unwrap().corners[2].pop();
    mesh.uvs.as_mut().unwrap().corners[3][0] = 999;
    let places = "face 2, face 3";
    assert_fatal(&mesh, &format!("2 faces have texture coordinates that do not fit them: {places} (counted from 0)"));

    assert_fatal(&Mesh::default(), "the mesh has no usable face and no line");
    let points = Mesh { positions: vec![DVec3::ZERO, DVec3::X], ..Mesh::default() };
    assert!(Diagnosis::of(&points).is_fatal());
    let flat = Mesh { positions: vec![DVec3::ONE; 3], faces: vec![vec![0, 1, 2]], ..Mesh::default() };
    assert!(Diagnosis::of(&flat).is_fatal());
}

/// A triangle soup on few places, so that every kind of defect is likely.
fn soup() -> impl Strategy<Value = Mesh> {
    let positions = prop::collection::vec((0..3i32, 0..3i32, 0..2i32), 1..12);
    let faces = prop::collection::vec(prop::collection::vec(0..12u32, 1..6), 0..10);
    let lines = prop::collection::vec([0..12u32, 0..12u32], 0..4);
    (positions, faces, lines).prop_map(|(positions, mut faces, mut lines)| {
        let count = positions.len() as u32;
        faces.iter_mut().flatten().for_each(|vertex| *vertex %= count);
        lines.as_flattened_mut().iter_mut().for_each(|vertex| *vertex %= count);
        let positions =
            positions.iter().map(|&(x, y, z)| DVec3::new(f64::from(x), f64::from(y), f64::from(z))).collect();
        let mut mesh = Mesh { positions, faces, lines, ..Mesh::default() };
        mesh.add_diagonals(Diagonals::Both);
        mesh
    })
}

proptest! {
    #[test]
    fn a_repaired_mesh_has_only_findings_that_stay_and_its_topology_is_sound(mesh in soup()) {
        let diagnosis = Diagnosis::of(&mesh);
        if let Ok(mended) = diagnosis.repair(&mesh) {
            prop_assert_eq!(&mended.positions, &mesh.positions);
            for kind in kinds(&mended) {
                use FindingKind::{InconsistentWinding, LooseVertex, NonManifoldEdge};
                prop_assert!(matches!(kind, InconsistentWinding | LooseVertex | NonManifoldEdge), "{kind:?} is left");
            }
            prop_assert_eq!(&repaired(&mended), &mended, "a second repair changes nothing");
            let topology = Topology::of(&mended);
            let length = |a: u32, b: u32| mended.positions[a as usize].distance(mended.positions[b as usize]);
            prop_assert!(topology.edges.iter().all(|edge| length(edge.a, edge.b) > 0.5));
            for &[x1, x2, x3, x4] in &topology.hinges {
                prop_assert!(x1 != x2 && x3 != x4 && ![x3, x4].contains(&x1) && ![x3, x4].contains(&x2));
            }
            let area = |[a, b, c]: [u32; 3]| {
                let [a, b, c] = [a, b, c].map(|vertex| mended.positions[vertex as usize]);
                (b - a).cross(c - a).length()
            };
            // Bending forces divide by these areas; on whole-numbered places the least one is 1.
            for &[x1, x2, x3, x4] in &topology.hinges {
                prop_assert!(area([x1, x3, x4]) > 0.5 && area([x2, x4, x3]) > 0.5);
            }
            let loose: Vec<MeshPlace> = topology.loose.iter().map(|&vertex| MeshPlace::Vertex(vertex)).collect();
            let found = Diagnosis::of(&mended).findings;
            let found = found.iter().find(|f| f.kind == FindingKind::LooseVertex).map_or(vec![], |f| f.places.clone());
            prop_assert_eq!(loose, found);
        }
    }
}
