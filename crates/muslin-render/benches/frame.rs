//! The cost of one picture, on one thread: a sheet in waves that fills most of it.

use divan::Bencher;
use glam::{Vec2, Vec3};
use muslin_render::{Camera, Look, Stage, Surface, draw};

fn main() {
    divan::main();
}

/// A sheet of one metre with folds, of 2 (side − 1)² triangles.
fn sheet(side: usize) -> Surface {
    let coordinate = |k: usize| k as f32 / (side - 1) as f32;
    let at = |x: f32, y: f32| Vec3::new(x - 0.5, 1.0 - y, 0.06 * y * libm::sinf(25.0 * x) + 0.03 * libm::sinf(9.0 * y));
    let corner = |x: usize, y: usize| (y * side + x) as u32;
    let cells = (0..side - 1).flat_map(|y| (0..side - 1).map(move |x| (x, y)));
    let triangles: Vec<_> = cells
        .flat_map(|(x, y)| {
            let [a, b, c, d] = [corner(x, y), corner(x, y + 1), corner(x + 1, y + 1), corner(x + 1, y)];
            [[a, b, c], [a, c, d]]
        })
        .collect();
    let place = |vertex: u32| {
        let vertex = vertex as usize;
        Vec2::new(coordinate(vertex % side), coordinate(vertex / side))
    };
    Surface {
        positions: (0..side * side).map(|k| at(coordinate(k % side), coordinate(k / side))).collect(),
        coords: Some(triangles.iter().map(|corners| corners.map(place)).collect()),
        triangles,
        look: Look::Fabric { front: Vec3::new(0.2, 0.4, 0.3), back: Vec3::new(0.7, 0.6, 0.5), spacing: 0.05 },
        paint: None,
    }
}

#[divan::bench(args = [41, 101, 201], sample_count = 5)]
fn picture_of_960_by_540(bencher: Bencher, side: usize) {
    let sheet = sheet(side);
    let camera = Camera::framing(&sheet.positions, Vec3::new(-0.5, -0.3, -0.8), 960.0 / 540.0, 27.0);
    let stage = Stage { surfaces: vec![sheet], floor: Some(-0.05), camera };
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("one thread");
    bencher.bench(|| one.install(|| draw(&stage, 960, 540)));
}
