//! Wavefront OBJ.

use muslin::mesh::Topology;
use muslin::{DVec2, DVec3, Mesh};

use super::{assert_refused, read_as};

fn read(content: &str) -> Mesh {
    read_as(".obj", content.as_bytes()).unwrap()
}

fn refused(content: &str, words: &[&str]) {
    assert_refused(".obj", content.as_bytes(), words);
}

#[test]
fn polygons_stay_polygons_and_vertices_stay_in_order() {
    let mesh = read(
        "# two objects, joined\nmtllib a.mtl\no left\nv 0 0 0\nv 1 0 0 1.0\nv 1 0 1 0.5 0.5 0.5\nv 0 0 1\nv 9 9 9\n\
         f 4 3 2 1\no right\ng part\nv 2 0 0.5\nusemtl m\ns off\nf 2 3 6\nf 1 2 6 3 4\n",
    );
    assert_eq!(mesh.positions.len(), 6, "the loose vertex is kept");
    assert_eq!(mesh.positions[4], DVec3::splat(9.0));
    assert_eq!(mesh.faces, [vec![3, 2, 1, 0], vec![1, 2, 5], vec![0, 1, 5, 2, 3]]);
    assert_eq!(mesh.diagonals, [[3, 1], [2, 0]], "the quad carries both diagonals");
    assert_eq!(mesh.uvs, None);
    assert_eq!(Topology::of(&mesh).loose, [4]);
}

#[test]
fn texture_coordinates_are_kept_by_corner() {
    let mesh = read(
        "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvt 0.5\nvn 0 1 0\n\
         f 1/1/1 2/2/1 3/3/1\nf 1/5 3/3 4/4\n",
    );
    let uvs = mesh.uvs.unwrap();
    assert_eq!(uvs.corners, [vec![0, 1, 2], vec![4, 2, 3]]);
    assert_eq!(uvs.coords[4], DVec2::new(0.5, 0.0));
}

#[test]
fn a_mesh_with_texture_on_some_faces_only_has_none() {
    let mesh = read("v 0 0 0\nv 1 0 0\nv 1 0 1\nvt 0 0\nf 1/1 2/1 3/1\nf 3//1 2//1 1//1\n");
    assert_eq!((mesh.faces.len(), mesh.uvs), (2, None));
}

#[test]
fn negative_indices_count_back_and_long_lines_may_be_broken() {
    let mesh = read("v 0 0 0\nv 1 0 0\r\nv 0 0 1 # last\nvt 0 0\nf -3/-1 \\\n -2/-1 \\\n-1/-1\nv 5 5 5\nl -1 -2 1\n");
    assert_eq!(mesh.faces, [[0, 1, 2]]);
    assert_eq!(mesh.lines, [[3, 2], [2, 0]]);
}

#[test]
fn faces_may_come_before_their_vertices() {
    assert_eq!(read("f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 0 1\n").faces, [[0, 1, 2]]);
}

#[test]
fn coordinates_keep_all_their_digits() {
    let mesh = read("v 0.1 -1e-17 12345.678901234567\n");
    assert_eq!(mesh.positions[0], DVec3::new(0.1, -1e-17, 12_345.678_901_234_567));
}

#[test]
fn what_is_wrong_is_named_with_its_line() {
    refused("v 0 0 0\nv 1 0\n", &["line 2", "`v` needs three coordinates, found 2"]);
    refused("v 0 0 zero\n", &["line 1", "expected a number, found `zero`"]);
    refused("v 0 0 0\n\nv nan 0 0\n", &["line 3", "finite", "`nan`"]);
    refused("v 0 0 1e999\n", &["line 1", "finite"]);
    refused("v 0 0 0\nvt 0 inf\n", &["line 2", "finite"]);
    refused("v 0 0 0\nf 1 1\n", &["line 2", "at least three vertices, found 2"]);
    refused("v 0 0 0\nl 1\n", &["line 2", "at least two vertices, found 1"]);
    refused("v 0 0 0\nf 1 0 1\n", &["line 2", "vertex 0", "count from 1"]);
    refused("v 0 0 0\nf 1 1 7\n", &["line 2", "vertex 7", "has 1 vertices"]);
    refused("v 0 0 0\nf 1/1 1/1 1/1\n", &["line 2", "texture coordinate 1", "has 0 texture coordinates"]);
    refused("v 0 0 0\nf 1 1 -2\n", &["line 2", "vertex -2", "1 so far"]);
    refused("v 0 0 0\nf 1 1 99999999999\n", &["line 2", "vertex 99999999999"]);
    refused("v 0 0 0\nf 1 1 99999999999999999999999\n", &["line 2", "number of a vertex"]);
    refused("v 0 0 0\nf a b c\n", &["line 2", "number of a vertex, found `a`"]);
    refused("v 0 0 0\nf 1 1 -9223372036854775808\n", &["line 2", "counts back"]);
    refused("o empty\n", &["at the end of the file", "no vertices"]);
}

#[test]
fn a_message_quotes_junk_short_and_printable() {
    let junk = format!("v 0 0 \u{7}{}\n", "x".repeat(5000));
    let message = read_as(".obj", junk.as_bytes()).unwrap_err().to_string();
    assert!(message.len() < 300 && message.contains("\\u{7}x") && message.ends_with("…`"), "{message}");
}
