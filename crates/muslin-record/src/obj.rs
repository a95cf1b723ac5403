//! Wavefront OBJ: the rest shape of a cloth, or a collider, for the programs that read its point cache.

use std::io::{self, Write};

use glam::DVec3;
use muslin::Mesh;

/// Writes a mesh at rest: vertices in their order, faces as polygons with their texture coordinates, lines as lines.
///
/// Numbers are printed with as many digits as it takes to read the same `f64` back. `cache` is the name of the point
/// cache that belongs to the mesh, said in the header.
pub fn write_obj(mesh: &Mesh, cache: &str, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "# Rest shape of a cloth, written by muslin. Units: metres; y is up.")?;
    write_cache_note(cache, out)?;
    write_vertices(&mesh.positions, out)?;
    for uv in mesh.uvs.iter().flat_map(|map| &map.coords) {
        writeln!(out, "vt {} {}", uv.x, uv.y)?;
    }
    for (index, face) in mesh.faces.iter().enumerate() {
        let uvs = mesh.uvs.as_ref().and_then(|map| map.corners.get(index)).map_or(&[][..], Vec::as_slice);
        write_face(face, uvs, out)?;
    }
    for [a, b] in &mesh.lines {
        writeln!(out, "l {} {}", a + 1, b + 1)?;
    }
    Ok(())
}

/// Writes a collider where it starts: vertices [m] and triangles. `cache` is the name of the point cache of one that
/// moves; one at rest has none.
pub(crate) fn write_solid_obj(
    positions: &[DVec3],
    triangles: &[[u32; 3]],
    cache: Option<&str>,
    out: &mut impl Write,
) -> io::Result<()> {
    writeln!(out, "# A collider where it starts, written by muslin. Units: metres; y is up.")?;
    match cache {
        Some(cache) => write_cache_note(cache, out)?,
        None => writeln!(out, "# It does not move: it is here in all frames.")?,
    }
    write_vertices(positions, out)?;
    triangles.iter().try_for_each(|triangle| write_face(triangle, &[], out))
}

fn write_cache_note(cache: &str, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "# {cache} beside it holds the motion: a PC2 point cache with one sample a frame, frame 0 first,")?;
    writeln!(out, "# for exactly these vertices in this order.")
}

fn write_vertices(positions: &[DVec3], out: &mut impl Write) -> io::Result<()> {
    positions.iter().try_for_each(|p| writeln!(out, "v {} {} {}", p.x, p.y, p.z))
}

/// OBJ counts from 1. A face without a texture coordinate for each corner is written without any.
fn write_face(face: &[u32], uvs: &[u32], out: &mut impl Write) -> io::Result<()> {
    write!(out, "f")?;
    for (corner, vertex) in face.iter().enumerate() {
        if uvs.len() == face.len() {
            write!(out, " {}/{}", vertex + 1, uvs[corner] + 1)?;
        } else {
            write!(out, " {}", vertex + 1)?;
        }
    }
    writeln!(out)
}

#[cfg(test)]
mod tests {
    use super::write_obj;
    use muslin::mesh::UvMap;
    use muslin::{DVec2, DVec3, Mesh};

    fn printed(mesh: &Mesh) -> String {
        let mut out = Vec::new();
        write_obj(mesh, "sheet.pc2", &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn quads_stay_quads_and_carry_their_texture_coordinates() {
        let mesh = Mesh {
            positions: vec![DVec3::ZERO, DVec3::X, DVec3::new(1.0, 0.0, 1.0), DVec3::Z],
            faces: vec![vec![0, 3, 2, 1]],
            uvs: Some(UvMap {
                coords: vec![DVec2::ZERO, DVec2::X, DVec2::ONE, DVec2::new(0.0, 0.5)],
                corners: vec![vec![0, 3, 2, 1]],
            }),
            ..Mesh::default()
        };
        let text = printed(&mesh);
        assert!(text.contains("\nvt 0 0.5\n"), "{text}");
        assert!(text.contains("\nf 1/1 4/4 3/3 2/2\n"), "{text}");
        assert!(text.starts_with('#') && text.contains("metres; y is up") && text.contains("sheet.pc2"), "{text}");
    }

    #[test]
    fn chains_are_written_as_lines() {
        let mesh = Mesh { positions: vec![DVec3::ZERO, DVec3::X], lines: vec![[0, 1]], ..Mesh::default() };
        assert!(printed(&mesh).ends_with("\nl 1 2\n"));
    }

    #[test]
    fn coordinates_read_back_to_the_same_bits() {
        let awkward = [1.0 / 3.0, -0.1 + 1e-17, 1e-300, 123_456_789.123_456_79, f64::EPSILON, -0.0];
        let positions: Vec<_> = awkward.iter().map(|&value| DVec3::splat(value)).collect();
        let text = printed(&Mesh { positions, ..Mesh::default() });
        let read: Vec<f64> = text
            .lines()
            .filter_map(|line| line.strip_prefix("v "))
            .map(|line| line.split(' ').next().unwrap().parse().unwrap())
            .collect();
        let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&read), bits(&awkward));
    }
}
