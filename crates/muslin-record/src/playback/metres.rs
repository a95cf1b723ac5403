//! Texture coordinates in metres: where each point lies in the cloth at rest, for a pattern that is printed on it.

use glam::{DVec2, DVec3};
use muslin::Mesh;
use muslin::mesh::{Topology, UvMap, texture_scale};

/// For each corner of each triangle, its texture coordinates scaled to metres; none without texture coordinates, or
/// when they say nothing of lengths along u or along v.
pub(super) fn corner_coords(mesh: &Mesh, topology: &Topology) -> Option<Vec<[DVec2; 3]>> {
    let map = mesh.uvs.as_ref()?;
    let roots = mesh.weld_roots();
    let faces = topology.triangles.iter().zip(&topology.triangle_face);
    let corners = faces.map(|(triangle, &face)| texture_of(mesh, map, &roots, face as usize, *triangle));
    let corners: Vec<[DVec2; 3]> = corners.collect::<Option<_>>()?;
    let scale = texture_scale(sides(&topology.triangles, &corners, &mesh.positions))?;
    Some(corners.into_iter().map(|triangle| triangle.map(|uv| uv * scale)).collect())
}

/// The texture coordinates of a triangle's corners, found in the face it was split from.
fn texture_of(mesh: &Mesh, map: &UvMap, roots: &[u32], face: usize, triangle: [u32; 3]) -> Option<[DVec2; 3]> {
    let (vertices, texture) = (mesh.faces.get(face)?, map.corners.get(face)?);
    let find = |corner: u32| {
        let place = vertices.iter().position(|&vertex| roots[vertex as usize] == corner)?;
        map.coords.get(*texture.get(place)? as usize).copied()
    };
    let [a, b, c] = triangle.map(find);
    Some([a?, b?, c?])
}

/// The sides of triangles, each by the square of its length [m²] and its course in the texture.
fn sides(triangles: &[[u32; 3]], corners: &[[DVec2; 3]], rest: &[DVec3]) -> impl Iterator<Item = (f64, DVec2)> {
    triangles.iter().zip(corners).flat_map(move |(triangle, texture)| {
        (0..3).map(move |side| {
            let next = (side + 1) % 3;
            let length = rest[triangle[side] as usize].distance_squared(rest[triangle[next] as usize]);
            (length, texture[next] - texture[side])
        })
    })
}
