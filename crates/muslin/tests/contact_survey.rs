//! Surveys: against brute force, and against cases made by hand.
#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use std::sync::Arc;

use common::solids::{ball_mesh, block_mesh, meshed, shaped, turned};
use common::{Dice, bare, build, cloth, grid, sheet};
use glam::DVec3;
use muslin::Model;
use muslin::collide::{
    LevelSet, Meeting, Pose, Shape, TriangleSurface, closest_of_edges, closest_on_triangle, edge_meets_triangle,
};
use muslin::contact::survey::{Part, Survey, Surveyor, survey};
use muslin::mesh::Diagonals;
use muslin::model::{Chain, Collider, Ease, Key, Motion, Solid};

/// A square metre of so many particles a side, corner at the origin, in the plane y = `height`.
fn flat(side: u32, height: f64, collider: Collider) -> Model {
    let mut sheet = sheet(side, bare(), vec![]);
    sheet.start.iter_mut().for_each(|x| x.y = height);
    let mut model = build(vec![sheet]);
    model.colliders.push(collider);
    model
}

fn measured(model: &Model) -> Survey {
    survey(model, &model.start, 0.0)
}

#[test]
fn a_vertex_inside_a_solid_is_named_with_its_depth_whatever_the_solid_is_made_of() {
    let centre = DVec3::new(0.25, 0.0, 0.5);
    let (radius, half) = (0.1, DVec3::splat(0.1));
    let ball = shaped(Shape::Sphere { radius }, Pose::at(centre));
    let cube = shaped(Shape::Box { half }, Pose::at(centre));
    let mesh = meshed(block_mesh(half, centre));
    let (positions, triangles) = block_mesh(half, centre);
    let grid = LevelSet::of(&TriangleSurface::new(positions.clone(), triangles.clone()), 0.02).unwrap();
    let Solid::Mesh(solid) = mesh.solid.clone() else { unreachable!("it is a mesh") };
    let level_set = Collider { solid: Solid::LevelSet { mesh: solid, grid: Arc::new(grid) }, ..mesh.clone() };
    for (collider, depth) in [(ball, 0.06), (cube, 0.06), (mesh, 0.06), (level_set, 0.06)] {
        // Vertices are 25 cm apart; the one at the solid's centre is 4 cm above it.
        let found = measured(&flat(5, 0.04, collider));
        let nearest = found.nearest.unwrap();
        assert!((nearest.gap + depth).abs() < 1e-12, "{nearest:?}");
        assert_eq!((nearest.cloth, nearest.collider), (0, 0));
        assert!(nearest.part.vertices().contains(&11), "{nearest:?}");
        // Its four edges, and the diagonals that end there.
        assert!(found.crossings >= 4 && !found.is_clear(), "{found:?}");
        assert!(found.first_crossings.iter().all(|crossing| crossing.part.vertices().contains(&11)), "{found:?}");
        assert_eq!((found.too_near, found.first_too_near[0].part), (1, Part::Vertex(11)));
    }
}

#[test]
fn an_edge_through_a_thin_blade_is_a_crossing_although_all_vertices_are_outside() {
    let (half, centre) = (DVec3::new(1e-4, 0.2, 0.4), DVec3::new(0.375, 0.0, 0.45));
    for collider in [shaped(Shape::Box { half }, Pose::at(centre)), meshed(block_mesh(half, centre))] {
        let found = measured(&flat(5, 0.0, collider));
        // Rows z = 0.25, 0.5, 0.75 pass through it; so do diagonals of four rows of cells.
        assert!(found.crossings >= 3, "{found:?}");
        assert!(found.min_gap().unwrap() <= 0.0 && found.min_gap().unwrap() >= -1e-4 - 1e-15, "{found:?}");
        assert_eq!(found.too_near, 0);
        assert!(found.first_crossings.iter().all(|crossing| (crossing.place.x - 0.375).abs() < 2e-4), "{found:?}");
    }
}

#[test]
fn a_tiny_ball_in_the_middle_of_a_triangle_and_a_corner_that_pierces_one_are_crossings() {
    // The triangles of the one cell have their middles at thirds.
    let place = DVec3::new(2.0 / 3.0, 0.0, 1.0 / 3.0);
    let ball = shaped(Shape::Sphere { radius: 1e-3 }, Pose::at(place));
    let found = measured(&flat(2, 0.0, ball));
    assert!((found.min_gap().unwrap() + 1e-3).abs() < 1e-15, "{found:?}");
    assert_eq!((found.crossings, found.too_near), (1, 0));
    assert!(
        matches!(found.nearest.unwrap().part, Part::Triangle(_))
            && found.nearest.unwrap().place.distance(place) < 1e-12
    );

    // A cube on its tip: turned so that its diagonal is upright, it pierces by a centimetre.
    let half = DVec3::splat(0.1);
    let upright = turned(DVec3::new(1.0, 0.0, -1.0), libm::acos(1.0 / 3.0_f64.sqrt()));
    let low = Pose { position: place - DVec3::Y * (half.length() - 0.01), rotation: upright };
    let cube = shaped(Shape::Box { half }, low);
    let found = measured(&flat(2, 0.0, cube));
    assert!((found.min_gap().unwrap() + 0.01 / 3.0_f64.sqrt()).abs() < 1e-9 && found.crossings == 1, "{found:?}");
    let (positions, triangles) = block_mesh(half, DVec3::ZERO);
    let placed = positions.iter().map(|x| low.world(*x)).collect();
    let found = measured(&flat(2, 0.0, meshed((placed, triangles))));
    // Three edges meet in the tip, and the diagonals of the faces there may.
    assert!(found.min_gap() == Some(0.0) && (3..=6).contains(&found.crossings), "{found:?}");
    assert!(found.first_crossings.iter().all(|crossing| matches!(crossing.part, Part::Triangle(_))), "{found:?}");
}

#[test]
fn open_meshes_have_no_inside_and_cross_all_the_same() {
    let (positions, mut triangles) = block_mesh(DVec3::splat(0.3), DVec3::new(0.5, 0.0, 0.5));
    triangles.truncate(10);
    let collider = meshed((positions, triangles));
    let mut model = flat(9, 0.05, collider);
    assert!(measured(&model).crossings > 0);
    // All of the cloth within the box that lacks a side.
    for x in &mut model.start {
        *x = DVec3::new(0.5, 0.0, 0.5) + (*x - DVec3::new(0.5, 0.0, 0.5)) * 0.2;
    }
    let found = measured(&model);
    assert!((found.min_gap().unwrap() - 0.2).abs() < 1e-12 && found.is_clear(), "{found:?}");
}

#[test]
fn cloth_wholly_inside_a_watertight_mesh_is_as_deep_as_its_deepest_vertex_and_crosses_nothing() {
    let mut model = flat(5, 0.0, meshed(block_mesh(DVec3::splat(2.0), DVec3::ZERO)));
    let found = measured(&model);
    assert!((found.min_gap().unwrap() + 2.0).abs() < 1e-12, "{found:?}");
    assert_eq!((found.crossings, found.too_near), (0, 25));
    assert!(!found.is_clear());
    model.start[7].x = f64::NAN;
    assert!(!survey(&model, &model.start, 0.0).is_clear());
    assert!(survey(&model, &model.start, 0.0).crossings > 0);
}

#[test]
fn touching_a_mesh_exactly_counts_as_a_crossing() {
    let found = measured(&flat(3, 0.5, meshed(block_mesh(DVec3::splat(0.5), DVec3::new(0.5, 0.0, 0.5)))));
    assert!(found.min_gap() == Some(0.0) && found.crossings > 0, "{found:?}");
    let found = measured(&flat(3, 0.5_f64.next_up(), meshed(block_mesh(DVec3::splat(0.5), DVec3::new(0.5, 0.0, 0.5)))));
    assert!(found.min_gap().unwrap() > 0.0 && found.crossings == 0, "{found:?}");
}

#[test]
fn chains_are_measured_along_their_links() {
    let links = Chain { mass: 1.0, bob: 0.0, stiffness: 1.0, rest_length: None, damping: 0.0 };
    let mut model = build(vec![common::chain(DVec3::ZERO, DVec3::X, 3, links)]);
    model.colliders.push(shaped(Shape::Sphere { radius: 0.05 }, Pose::at(DVec3::new(0.25, 0.01, 0.0))));
    model.colliders.push(meshed(block_mesh(DVec3::splat(0.05), DVec3::new(0.75, 0.07, 0.0))));
    let found = survey(&model, &model.start, 0.0);
    assert!((found.min_gap().unwrap() + 0.04).abs() < 1e-12 && found.crossings == 1, "{found:?}");
    assert_eq!(found.nearest.unwrap().part, Part::Edge([0, 1]));
    model.colliders.remove(0);
    let found = survey(&model, &model.start, 0.0);
    assert!((found.min_gap().unwrap() - 0.02).abs() < 1e-12 && found.crossings == 0, "{found:?}");
    assert_eq!(found.nearest.unwrap().part, Part::Edge([1, 2]));
}

#[test]
fn colliders_are_measured_where_they_are_at_the_time() {
    let mut falling = shaped(Shape::Sphere { radius: 0.1 }, Pose::at(DVec3::new(0.5, 1.0, 0.5)));
    let key = |time: f64, y: f64| Key { time, translate: DVec3::Y * y, axis: DVec3::Y, angle: 0.0 };
    falling.motion = Motion { keys: vec![key(0.0, 0.0), key(1.0, -1.0)], ease: Ease::Linear, ..Motion::default() };
    let mut mesh = meshed(ball_mesh(0.1, DVec3::new(0.5, 1.0, 0.5), 32));
    mesh.motion = falling.motion.clone();
    for (collider, coarse) in [(falling, 1e-12), (mesh, 1e-3)] {
        let model = flat(5, 0.0, collider);
        let mut surveyor = Surveyor::new(&model);
        for (time, gap) in [(0.0, 0.9), (0.5, 0.4), (0.9, 0.0), (1.0, -0.1), (0.25, 0.65)] {
            let found = surveyor.measure(&model, &model.start, time);
            assert!((found.min_gap().unwrap() - gap).abs() <= coarse, "{gap} expected: {found:?}");
            assert_eq!(found, survey(&model, &model.start, time), "memory of earlier moments");
        }
    }
}

/// The least unsigned distance of cloth triangles and a mesh, and how many of their edges meet triangles.
fn brute_force(model: &Model, x: &[DVec3], positions: &[DVec3], triangles: &[[u32; 3]]) -> (f64, usize) {
    let sides = |t: [u32; 3]| [0, 1, 2].map(|i| [t[i].min(t[(i + 1) % 3]), t[i].max(t[(i + 1) % 3])]);
    let edges = |triangles: &[[u32; 3]]| {
        let mut edges: Vec<[u32; 2]> = triangles.iter().flat_map(|t| sides(*t)).collect();
        edges.sort_unstable();
        edges.dedup();
        edges
    };
    let own = &model.cloths[0].topology.triangles;
    let (mut least, mut crossings) = (f64::INFINITY, 0);
    let mut one_way = |xa: &[DVec3], a: &[[u32; 3]], xb: &[DVec3], b: &[[u32; 3]]| {
        for t in b.iter().map(|t| t.map(|i| xb[i as usize])) {
            for edge in edges(a).iter().map(|e| e.map(|i| xa[i as usize])) {
                crossings += usize::from(edge_meets_triangle(edge, t) != Meeting::Apart);
                for i in 0..3 {
                    least = least.min(closest_of_edges(edge, [t[i], t[(i + 1) % 3]]).vector.length());
                }
            }
            for p in a.iter().flatten().map(|i| xa[*i as usize]) {
                least = least.min(closest_on_triangle(p, t).point.distance(p));
            }
        }
    };
    one_way(x, own, positions, triangles);
    one_way(positions, triangles, x, own);
    (if crossings > 0 { 0.0 } else { least }, crossings)
}

#[test]
fn surveys_of_crumpled_cloth_and_open_meshes_agree_with_brute_force() {
    let mut dice = Dice::new(1);
    let mut seen = [0, 0];
    for round in 0..60 {
        let (positions, mut triangles) = ball_mesh(0.3, dice.vector(0.3) + DVec3::splat(0.5), 12);
        triangles.pop();
        let mut model = build(vec![cloth(grid([1.0, 1.0], [7, 9], Diagonals::Both), bare(), vec![])]);
        model.colliders.push(meshed((positions.clone(), triangles.clone())));
        let lift = DVec3::Y * 0.12 * f64::from(round % 10);
        let x: Vec<DVec3> = model.start.iter().map(|x| *x + lift + dice.vector(0.05)).collect();
        let (gap, crossings) = brute_force(&model, &x, &positions, &triangles);
        let found = survey(&model, &x, 0.0);
        assert_eq!(found.crossings, crossings);
        assert!((found.min_gap().unwrap() - gap).abs() < 1e-14, "{found:?}, {gap} by brute force");
        seen[usize::from(crossings > 0)] += 1;
    }
    assert!(seen.iter().all(|&count| count > 10), "the cases are lopsided: {seen:?}");
}

#[test]
fn surveys_of_crumpled_cloth_and_shapes_are_as_deep_as_samples_and_count_the_edges_that_enter() {
    let mut dice = Dice::new(2);
    for round in 0..120 {
        let shape = match round % 4 {
            0 => Shape::Sphere { radius: 0.2 },
            1 => Shape::Box { half: DVec3::new(0.2, 0.1, 0.03) },
            2 => Shape::Capsule { radius: 0.05, half_length: 0.2 },
            _ => Shape::Cylinder { radius: 0.2, half_length: 0.02 },
        };
        let pose = Pose { position: dice.vector(0.4) + DVec3::splat(0.5), rotation: turned(dice.vector(1.0), 1.0) };
        let mut model = build(vec![cloth(grid([1.0, 1.0], [7, 9], Diagonals::Both), bare(), vec![])]);
        model.colliders.push(shaped(shape, pose));
        let x: Vec<DVec3> = model.start.iter().map(|x| *x + DVec3::Y * 0.3 + dice.vector(0.05)).collect();
        let found = survey(&model, &x, 0.0);
        let (n, mut sampled) = (12, f64::INFINITY);
        for t in model.cloths[0].topology.triangles.iter().map(|t| t.map(|i| pose.local(x[i as usize]))) {
            for (i, j) in (0..=n).flat_map(|i| (0..=n - i).map(move |j| (f64::from(i) / 12.0, f64::from(j) / 12.0))) {
                sampled = sampled.min(shape.nearest(t[0] + (t[1] - t[0]) * i + (t[2] - t[0]) * j).distance);
            }
        }
        let gap = found.min_gap().unwrap();
        // Samples of edges of 25 cm, twelve each.
        assert!(gap <= sampled + 1e-12 && gap > sampled - 0.03, "{gap}, sampled {sampled}");
        let near = found.nearest.unwrap();
        assert!((shape.nearest(pose.local(near.place)).distance - gap).abs() < 1e-12, "{near:?}");
        assert_eq!(found.crossings > 0, gap < 0.0);
        let inside = |x: &DVec3| shape.nearest(pose.local(*x)).distance < 1e-3;
        assert_eq!(found.too_near, x.iter().filter(|x| inside(x)).count());
    }
}

#[test]
fn without_colliders_or_without_cloth_there_is_no_gap() {
    let model = build(vec![sheet(3, bare(), vec![])]);
    assert_eq!(survey(&model, &model.start, 0.0), Survey::default());
    let mut model = build(vec![]);
    model.colliders.push(shaped(Shape::Plane, Pose::at(DVec3::ZERO)));
    model.colliders.push(meshed(block_mesh(DVec3::ONE, DVec3::ZERO)));
    let found = survey(&model, &[], 0.0);
    assert!(found.min_gap().is_none() && found.is_clear());
}

#[test]
fn sewn_vertices_are_measured_once_and_cloths_by_their_own_thickness() {
    let mut mesh = grid([1.0, 1.0], [3, 3], Diagonals::Both);
    mesh.positions.push(mesh.positions[4]);
    let last = mesh.faces.len() - 1;
    mesh.faces[last].iter_mut().filter(|i| **i == 4).for_each(|i| *i = 9);
    mesh.welds.push([9, 4]);
    let high = |mesh: &muslin::Mesh, height: f64, name: &str| {
        let mut one = cloth(mesh.clone(), bare(), vec![]);
        one.name = name.into();
        one.start.iter_mut().for_each(|x| x.y = height);
        one
    };
    let mut model = build(vec![high(&mesh, 0.004, "sewn"), high(&mesh, 0.004, "other")]);
    let mut floor = shaped(Shape::Plane, Pose::at(DVec3::ZERO));
    floor.thickness = vec![0.003, 0.005];
    floor.friction = vec![0.0; 2];
    model.colliders.push(floor);
    let found = measured(&model);
    assert_eq!((found.too_near, found.first_too_near[0].cloth, found.first_too_near[0].part), (9, 1, Part::Vertex(0)));
    assert!(found.is_clear() && (found.min_gap().unwrap() - 0.004).abs() < 1e-15);
}
