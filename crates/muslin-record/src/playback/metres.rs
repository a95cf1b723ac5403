//! Texture coordinates in metres: where each point lies in the cloth at rest, for a pattern that is printed on it.

use glam::{DVec2, DVec3};
use muslin::Mesh;
use muslin::mesh::{Topology, UvMap};

/// For each corner of each triangle, its texture coordinates scaled to metres; none without texture coordinates, or
/// when they say nothing of lengths along u or along v.
pub(super) fn corner_coords(mesh: &Mesh, topology: &Topology) -> Option<Vec<[DVec2; 3]>> {
    let map = mesh.uvs.as_ref()?;
    let roots = mesh.weld_roots();
    let faces = topology.triangles.iter().zip(&topology.triangle_face);
    let corners = faces.map(|(triangle, &face)| texture_of(mesh, map, &roots, face as usize, *triangle));
    let corners: Vec<[DVec2; 3]> = corners.collect::<Option<_>>()?;
    let scale = metres_per_unit(&topology.triangles, &corners, &mesh.positions)?;
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

/// Metres per unit of u and of v: with a and b their squares, the least of Σ (|Δx|² − a Δu² − b Δv²)² over the sides of
/// the triangles. Where that would need a or b to be zero or less, there is no such scale.
fn metres_per_unit(triangles: &[[u32; 3]], corners: &[[DVec2; 3]], rest: &[DVec3]) -> Option<DVec2> {
    let (mut uu, mut uv, mut vv, mut lu, mut lv) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for (triangle, texture) in triangles.iter().zip(corners) {
        for side in 0..3 {
            let next = (side + 1) % 3;
            let length = rest[triangle[side] as usize].distance_squared(rest[triangle[next] as usize]);
            let course = texture[next] - texture[side];
            let DVec2 { x: u, y: v } = course * course;
            uu += u * u;
            uv += u * v;
            vv += v * v;
            lu += length * u;
            lv += length * v;
        }
    }
    let determinant = uu * vv - uv * uv;
    // Zero but for rounding: all texture coordinates on one line.
    if determinant <= 1e-12 * uu * vv {
        return None;
    }
    let squares = DVec2::new(lu * vv - lv * uv, lv * uu - lu * uv) / determinant;
    let usable = squares.is_finite() && squares.min_element() > 0.0;
    usable.then(|| DVec2::new(squares.x.sqrt(), squares.y.sqrt()))
}
