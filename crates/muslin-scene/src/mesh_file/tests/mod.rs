//! Mesh files, good and bad.

mod obj;
mod ply;

use std::io::Write;

use muslin::Mesh;
use proptest::prelude::*;

use super::{MeshFileError, read};

/// Writes a file of the given extension and reads it back as a mesh.
fn read_as(extension: &str, content: &[u8]) -> Result<Mesh, MeshFileError> {
    let mut file = tempfile::Builder::new().suffix(extension).tempfile().unwrap();
    file.write_all(content).unwrap();
    read(file.path())
}

/// Checks that a file is refused with a message that says all of `words` after the file's name.
fn assert_refused(extension: &str, content: &[u8], words: &[&str]) {
    let message = match read_as(extension, content) {
        Err(error) => error.to_string(),
        Ok(mesh) => panic!("read as a mesh of {} vertices: {}", mesh.positions.len(), content.escape_ascii()),
    };
    let said = message.split_once(extension).map_or("", |(_, said)| said);
    for word in words {
        assert!(said.contains(word), "`{word}` is missing in: {message}");
    }
}

#[test]
fn a_missing_file_and_a_foreign_format_are_named() {
    let missing = read(std::path::Path::new("no/such/mesh.obj")).unwrap_err();
    assert!(missing.to_string().starts_with("cannot read no/such/mesh.obj: "), "{missing}");
    let foreign = read(std::path::Path::new("shirt.fbx")).unwrap_err();
    assert_eq!(foreign.to_string(), "shirt.fbx is not a mesh file that muslin can read: only .obj and .ply");
}

#[test]
fn capital_letters_in_the_extension_do_not_matter() {
    assert!(read_as(".OBJ", b"v 0 0 0").is_ok());
}

#[test]
fn files_without_content_are_refused() {
    assert_refused(".obj", b"", &["at the end of the file", "no vertices"]);
    assert_refused(".ply", b"", &["at the end of the file", "end_header"]);
    let junk: Vec<u8> = (0..=255).cycle().take(4096).collect();
    assert_refused(".obj", &junk, &["no vertices"]);
    assert_refused(".ply", &junk, &["line 1", "starts with `ply`"]);
}

/// Text that looks enough like a mesh file to get past its first lines.
fn nearly_obj() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        "-?[0-9]{1,3}",
        "[0-9]/[0-9]",
        "-1//2",
        "(v|vt|f|l|o|#)",
        "[ \n\\\\]",
        "nan",
        "1e999",
        "\\PC{0,3}",
    ];
    let statement = prop_oneof![
        Just("v 1 2 3\n".to_owned()),
        Just("vt 0 1\n".to_owned()),
        prop::collection::vec(word, 0..6).prop_map(|words| format!("f {}\n", words.join(" "))),
        "(v|vt|l|f) [ -9./]{0,12}\n",
    ];
    prop::collection::vec(statement, 0..12).prop_map(|lines| lines.concat())
}

/// A PLY header that may or may not make sense, and arbitrary bytes after it.
fn nearly_ply() -> impl Strategy<Value = Vec<u8>> {
    let format = prop_oneof![Just("ascii"), Just("binary_little_endian"), Just("binary_big_endian")];
    let line = prop_oneof![
        "element (vertex|face|edge|other) [0-9]{1,19}",
        "property (char|uchar|short|ushort|int|uint|float|double) (x|y|z|s|t|vertex1|vertex2)",
        "property list (char|uchar|int|uint) (uchar|int|uint|float) (vertex_indices|texcoord|other)",
        Just("property float x\nproperty float y\nproperty float z".to_owned()),
    ];
    (format, prop::collection::vec(line, 0..7), prop::collection::vec(any::<u8>(), 0..200)).prop_map(
        |(format, lines, data)| {
            let mut file = format!("ply\nformat {format} 1.0\n{}\nend_header\n", lines.join("\n")).into_bytes();
            file.extend(data);
            file
        },
    )
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = super::obj::parse(&bytes);
        let _ = super::ply::parse(&bytes);
    }

    #[test]
    fn what_nearly_is_an_obj_file_never_panics_and_never_makes_a_broken_mesh(text in nearly_obj()) {
        if let Ok(mesh) = super::obj::parse(text.as_bytes()) {
            assert_sound(&mesh)?;
        }
    }

    #[test]
    fn what_nearly_is_a_ply_file_never_panics_and_never_makes_a_broken_mesh(bytes in nearly_ply()) {
        if let Ok(mesh) = super::ply::parse(&bytes) {
            assert_sound(&mesh)?;
        }
    }
}

/// A mesh that was read may be odd, but its numbers are finite and its indices exist.
fn assert_sound(mesh: &Mesh) -> Result<(), TestCaseError> {
    let findings = muslin::mesh::Diagnosis::of(mesh).findings;
    let broken = findings.iter().find(|finding| {
        use muslin::mesh::FindingKind::{NonFinite, OutOfRange, TextureMismatch};
        matches!(finding.kind, NonFinite | OutOfRange | TextureMismatch)
    });
    prop_assert_eq!(broken, None);
    Ok(())
}
