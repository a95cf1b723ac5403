//! Geometry of contact: impacts of a thousand pairs, trees and distances over meshes of 4,096 and 40,000 triangles.

use divan::{Bencher, black_box};
use glam::{DQuat, DVec3};
use muslin::collide::{
    Bounds, Bvh, Path, Pose, RigidMotion, Shape, TriangleSurface, edge_edge_impact, particle_shape_impact,
    vertex_triangle_impact,
};
use muslin::model::SolidMesh;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

fn main() {
    divan::main();
}

/// Pairs in a batch.
const PAIRS: usize = 1000;
/// Quads along the sphere's equator and half as many from pole to pole.
const ROUND: [u32; 2] = [64, 200];

fn vector(dice: &mut Pcg64, size: f64) -> DVec3 {
    DVec3::from_array([0; 3].map(|_: i32| dice.random_range(-size..size)))
}

/// Groups of four points in a cube of 2 cm, each moving by a centimetre or less.
fn groups() -> Vec<[Path; 4]> {
    let mut dice = Pcg64::seed_from_u64(1);
    let mut path = || {
        let start = vector(&mut dice, 0.01);
        Path { start, end: start + vector(&mut dice, 0.01) }
    };
    (0..PAIRS).map(|_| [path(), path(), path(), path()]).collect()
}

/// A sphere of 1 m: corners and triangles.
fn sphere(round: u32) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let SolidMesh { positions, triangles } = SolidMesh::of(&Shape::Sphere { radius: 1.0 }, round);
    (positions, triangles)
}

/// Boxes of triangles, a little wider.
fn bounds(positions: &[DVec3], triangle: [u32; 3]) -> Bounds {
    Bounds::of(triangle.map(|i| positions[i as usize])).grown(1e-3)
}

#[divan::bench]
fn thousand_vertex_triangle_impacts(bencher: Bencher<'_, '_>) {
    let groups = groups();
    bencher.bench_local(|| {
        let hit = |&&[p, a, b, c]: &&[Path; 4]| vertex_triangle_impact(p, [a, b, c], 1e-5).is_some();
        black_box(&groups).iter().filter(hit).count()
    });
}

#[divan::bench]
fn thousand_edge_edge_impacts(bencher: Bencher<'_, '_>) {
    let groups = groups();
    bencher.bench_local(|| {
        let hit = |&&[a, b, c, d]: &&[Path; 4]| edge_edge_impact([a, b], [c, d], 1e-5).is_some();
        black_box(&groups).iter().filter(hit).count()
    });
}

#[divan::bench]
fn thousand_particles_on_a_turning_box(bencher: Bencher<'_, '_>) {
    let mut dice = Pcg64::seed_from_u64(2);
    let shape = Shape::Box { half: DVec3::splat(0.3) };
    let end =
        Pose { position: DVec3::new(0.01, 0.0, 0.0), rotation: DQuat::from_xyzw(0.0, 0.04, 0.0, 1.0).normalize() };
    let motion = RigidMotion::between(Pose::at(DVec3::ZERO), end);
    let paths: Vec<Path> = (0..PAIRS)
        .map(|_| {
            let start = DVec3::new(dice.random_range(-0.3..0.3), 0.302, dice.random_range(-0.3..0.3));
            Path { start, end: start + vector(&mut dice, 0.002) }
        })
        .collect();
    bencher.bench_local(|| {
        let hit = |path: &&Path| particle_shape_impact(&shape, &motion, **path, 1e-4).is_some();
        black_box(&paths).iter().filter(hit).count()
    });
}

#[divan::bench(args = ROUND)]
fn tree_built(bencher: Bencher<'_, '_>, round: u32) {
    let (positions, triangles) = sphere(round);
    bencher.bench_local(|| Bvh::new(triangles.len(), |t| bounds(black_box(&positions), triangles[t as usize])));
}

#[divan::bench(args = ROUND)]
fn tree_refitted(bencher: Bencher<'_, '_>, round: u32) {
    let (positions, triangles) = sphere(round);
    let mut tree = Bvh::new(triangles.len(), |t| bounds(&positions, triangles[t as usize]));
    bencher.bench_local(|| tree.refit(|t| bounds(black_box(&positions), triangles[t as usize])));
}

#[divan::bench(args = ROUND)]
fn pairs_of_a_tree_with_itself(bencher: Bencher<'_, '_>, round: u32) {
    let (positions, triangles) = sphere(round);
    let tree = Bvh::new(triangles.len(), |t| bounds(&positions, triangles[t as usize]));
    bencher.bench_local(|| {
        let mut pairs = 0;
        black_box(&tree).own_pairs(|_, _| pairs += 1);
        pairs
    });
}

#[divan::bench(args = ROUND)]
fn thousand_distances_to_a_mesh(bencher: Bencher<'_, '_>, round: u32) {
    let (positions, triangles) = sphere(round);
    let surface = TriangleSurface::new(positions, triangles);
    let mut dice = Pcg64::seed_from_u64(3);
    let points: Vec<DVec3> = (0..PAIRS).map(|_| vector(&mut dice, 1.0).normalize_or(DVec3::Y) * 1.01).collect();
    bencher.bench_local(|| {
        let near = |point: &&DVec3| surface.nearest(**point, 0.05).is_some();
        black_box(&points).iter().filter(near).count()
    });
}
