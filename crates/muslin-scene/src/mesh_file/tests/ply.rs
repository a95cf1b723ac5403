//! PLY.

use muslin::{DVec2, DVec3, Mesh};

use super::{assert_refused, read_as};

const VERTICES: &str = "element vertex 4\nproperty float x\nproperty float y\nproperty float z\n";
const FACES: &str = "element face 1\nproperty list uchar int vertex_indices\n";

fn text(elements: &str, data: &str) -> String {
    format!("ply\nformat ascii 1.0\n{elements}end_header\n{data}")
}

fn read_text(elements: &str, data: &str) -> Mesh {
    read_as(".ply", text(elements, data).as_bytes()).unwrap()
}

fn refused(elements: &str, data: &str, words: &[&str]) {
    assert_refused(".ply", text(elements, data).as_bytes(), words);
}

fn quad() -> String {
    format!("{VERTICES}{FACES}")
}

const QUAD_DATA: &str = "0 0 0\n1 0 0\n1 0 1\n0 0 1\n4 3 2 1 0\n";

/// A binary file of a quad, with values in either byte order, unknown properties, and unsigned short indices.
fn binary(most_first: bool) -> Vec<u8> {
    let order = if most_first { "big" } else { "little" };
    let mut file = format!(
        "ply\r\nformat binary_{order}_endian 1.0\r\ncomment made by hand\r\nelement vertex 4\r\nproperty double x\r\n\
         property float y\r\nproperty short z\r\nproperty uchar red\r\nelement junk 1\r\n\
         property list ushort double values\r\nelement face 1\r\n\
         property list uint ushort vertex_index\r\nend_header\r\n"
    )
    .into_bytes();
    let mut put = |bytes: &[u8]| {
        let mut bytes = bytes.to_vec();
        if most_first {
            bytes.reverse();
        }
        file.extend(bytes);
    };
    for (x, z) in [(0.25f64, 0i16), (1.0, 0), (1.0, -1), (0.25, -1)] {
        put(&x.to_le_bytes());
        put(&0.5f32.to_le_bytes());
        put(&z.to_le_bytes());
        put(&[200]);
    }
    put(&2u16.to_le_bytes());
    put(&7.0f64.to_le_bytes());
    put(&8.0f64.to_le_bytes());
    put(&4u32.to_le_bytes());
    for index in 0..4u16 {
        put(&index.to_le_bytes());
    }
    file
}

#[test]
fn text_keeps_quads_order_and_loose_vertices() {
    let mesh = read_text(
        "comment by hand\nobj_info none\nelement vertex 5\nproperty float x\nproperty int flag\nproperty double z\n\
         property float y\nelement face 2\nproperty uchar red\nproperty list uchar uint vertex_indices\n",
        "0 7 0 0\n1 7 0 0\n\n1 7 1 0.5\n0 7 1 0\n9 7 9 9\n255 4 3 2 1 0\n0 3 0 1 2\n",
    );
    assert_eq!(mesh.positions[2], DVec3::new(1.0, 0.5, 1.0));
    assert_eq!(mesh.positions.len(), 5);
    assert_eq!(mesh.faces, [vec![3, 2, 1, 0], vec![0, 1, 2]]);
    assert_eq!(mesh.diagonals, [[3, 1], [2, 0]]);
}

#[test]
fn both_byte_orders_give_the_same_mesh() {
    let mesh = read_as(".ply", &binary(false)).unwrap();
    assert_eq!(mesh.positions[2], DVec3::new(1.0, 0.5, -1.0));
    assert_eq!(mesh.faces, [[0, 1, 2, 3]]);
    assert_eq!(read_as(".ply", &binary(true)).unwrap(), mesh);
}

#[test]
fn texture_coordinates_come_by_vertex_or_by_corner() {
    for names in [["s", "t"], ["u", "v"], ["texture_u", "texture_v"]] {
        let texture = format!("property float {}\nproperty float {}\n", names[0], names[1]);
        let mesh = read_text(
            &format!("{VERTICES}{texture}{FACES}"),
            "0 0 0 0 0\n1 0 0 1 0\n1 0 1 1 1\n0 0 1 0 1\n4 3 2 1 0\n",
        );
        let uvs = mesh.uvs.unwrap();
        assert_eq!((uvs.coords[2], uvs.corners), (DVec2::ONE, mesh.faces));
    }
    let mesh = read_text(
        &format!("{}property list uchar float texcoord\n", quad()),
        "0 0 0\n1 0 0\n1 0 1\n0 0 1\n4 3 2 1 0 8 0 0.5 0.25 0 1 1 0 1\n",
    );
    let uvs = mesh.uvs.unwrap();
    assert_eq!((uvs.coords[1], uvs.corners), (DVec2::new(0.25, 0.0), vec![vec![0, 1, 2, 3]]));
}

#[test]
fn edges_become_lines() {
    let mesh = read_text(
        &format!("{VERTICES}element edge 2\nproperty int vertex1\nproperty int vertex2\n"),
        "0 0 0\n1 0 0\n1 0 1\n0 0 1\n0 1\n1 2\n",
    );
    assert_eq!((mesh.lines, mesh.faces.len()), (vec![[0, 1], [1, 2]], 0));
}

#[test]
fn values_that_make_no_mesh_are_named_with_their_line() {
    refused(&quad(), &QUAD_DATA.replace("1 0 0\n", "1 0\n"), &["line 11", "vertex 1", "`z`", "too few values"]);
    refused(&quad(), &QUAD_DATA.replace("1 0 0\n", "1 0 0 0\n"), &["line 11", "too many values", "`0`"]);
    refused(&quad(), &QUAD_DATA.replace("1 0 0\n", "1 zero 0\n"), &["line 11", "`y`", "`zero`"]);
    refused(&quad(), &QUAD_DATA.replace("1 0 0\n", "1 nan 0\n"), &["line 11", "vertex 1", "not all finite"]);
    refused(&quad(), &QUAD_DATA.replace("4 3", "5 3"), &["line 14", "face 0", "5 entries, but 4 follow"]);
    refused(&quad(), &QUAD_DATA.replace("4 3", "-1 3"), &["line 14", "-1 entries"]);
    refused(&quad(), &QUAD_DATA.replace("4 3 2 1 0", "2 1 0"), &["line 14", "at least three vertices"]);
    refused(&quad(), &QUAD_DATA.replace("4 3", "4 4"), &["face 0 uses vertex 4", "has 4 vertices"]);
    refused(&quad(), &QUAD_DATA.replace("4 3", "4 -3"), &["line 14", "-3 is not a vertex number"]);
    refused(&quad(), &QUAD_DATA.replace("4 3", "4 1.5"), &["line 14", "1.5 is not a vertex number"]);
    refused(&quad(), &QUAD_DATA.replace("4 3 2 1 0\n", ""), &["at the end of the file", "fewer rows than its header"]);
    refused(&quad(), &format!("{QUAD_DATA}3 0 1 2\n"), &["line 15", "more rows than its header"]);
}

#[test]
fn headers_that_make_no_sense_are_named_with_their_line() {
    let header = |text: &str, words: &[&str]| assert_refused(".ply", text.as_bytes(), words);
    header("ply\nformat ascii 1.0\nelement vertex 1\n", &["at the end of the file", "`end_header`"]);
    header("ply\nend_header\n", &["line 2", "no `format`"]);
    header("ply\nformat utf8 1.0\n", &["line 2", "`utf8`"]);
    header("ply\nformat ascii 1.0\nelement vertex many\n", &["line 3", "`many`"]);
    header("ply\nformat ascii 1.0\nproperty float x\n", &["line 3", "`element`"]);
    header("ply\nformat ascii 1.0\nelement vertex 1\nproperty half x\n", &["line 4", "`half`"]);
    header("ply\nformat ascii 1.0\nelement vertex 1\nproperty x\n", &["line 4", "`property TYPE NAME`"]);
    header("ply\nformat ascii 1.0\nwhatever\n", &["line 3", "`whatever`"]);
    header("ply\nformat ascii 1.0\nend_header\n", &["no vertices"]);
    refused("element vertex 1\nproperty float x\n", "1\n", &["vertex 0", "no `x`, `y` and `z`"]);
    refused("element face 1\nproperty list float int vertex_indices\n", "", &["line 4", "integer"]);
    refused("element face 1\nproperty list uchar float vertex_indices\n", "", &["line 4", "integer"]);
    refused("element face 1\nproperty int vertex_indices\n", "", &["line 4", "must be a list"]);
    let strips = "element tristrips 1\nproperty list int int vertex_indices\n";
    refused(&format!("{VERTICES}{strips}"), "0 0 0\n1 0 0\n1 0 1\n0 0 1\n3 0 1 2\n", &["triangle strips"]);
}

#[test]
fn counts_that_no_file_could_hold_cost_no_memory() {
    let huge = "element vertex 18446744073709551615\nproperty float x\nproperty float y\nproperty float z\n";
    refused(huge, "0 0 0\n", &["fewer rows than its header"]);
    assert_refused(
        ".ply",
        format!("ply\nformat binary_little_endian 1.0\n{huge}end_header\n\0\0\0\0\0\0\0\0\0\0\0\0").as_bytes(),
        &["fewer rows than its header"],
    );
    let empty_rows = "element nothing 18446744073709551615\n";
    assert_eq!(read_text(&format!("{empty_rows}{}", quad()), QUAD_DATA).faces.len(), 1);
    let mut long_list = b"ply\nformat binary_little_endian 1.0\nelement face 1\n\
                          property list uint int vertex_indices\nend_header\n"
        .to_vec();
    let place = format!("byte {}", long_list.len());
    long_list.extend(u32::MAX.to_le_bytes());
    assert_refused(".ply", &long_list, &[&place, "4294967295 entries", "ends after 0"]);
}

#[test]
fn a_binary_file_cut_short_anywhere_is_refused() {
    let whole = binary(false);
    for length in 0..whole.len() {
        assert!(read_as(".ply", &whole[..length]).is_err(), "{length} of {} bytes", whole.len());
    }
    let mut longer = whole.clone();
    longer.extend([1, 2, 3]);
    assert_refused(".ply", &longer, &["3 bytes more than its header"]);
}
