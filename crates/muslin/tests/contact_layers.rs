//! Surveys of cloth against cloth: against brute force, and against cases made by hand.
#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use common::{Dice, bare, build, chain, cloth, grid, irregular};
use glam::DVec3;
use muslin::collide::{Meeting, closest_of_edges, closest_on_triangle, edge_meets_triangle};
use muslin::contact::survey::{ClothSurvey, NAMED, Part, Surveyor, survey_cloth};
use muslin::mesh::Diagonals;
use muslin::model::{Chain, Cloth};
use muslin::{Mesh, Model};

const LINKS: Chain = Chain { mass: 1.0, bob: 0.0, stiffness: 1.0, rest_length: None, damping: 0.0 };

/// A mesh of triangles, flat at rest, with the start given.
fn triangles(name: &str, rest: Vec<DVec3>, triangles: &[[u32; 3]], start: Vec<DVec3>) -> Cloth {
    let faces = triangles.iter().map(|corners| corners.to_vec()).collect();
    let mut one = cloth(Mesh { positions: rest, faces, ..Mesh::default() }, bare(), vec![]);
    (one.name, one.start) = (name.into(), start);
    one
}

/// A sheet of a square metre and 21 × 21 vertices, bent by `place` from its coordinates.
fn bent(name: &str, place: impl Fn(f64, f64) -> DVec3) -> Cloth {
    let mut one = cloth(grid([1.0, 1.0], [21, 21], Diagonals::Both), bare(), vec![]);
    one.name = name.into();
    one.start.iter_mut().for_each(|x| *x = place(x.x, x.z));
    one
}

fn measured(model: &Model) -> ClothSurvey {
    survey_cloth(model, &model.start)
}

#[test]
fn a_strip_folded_through_itself_crosses_itself_in_the_edges_that_pierce() {
    let rest: Vec<_> = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0], [2.0, 0.0], [2.0, 1.0]]
        .map(|[x, z]| DVec3::new(x, 0.0, z))
        .into();
    let faces = [[0, 1, 2], [2, 1, 3], [2, 3, 4], [4, 3, 5]];
    let mut start = rest.clone();
    // The end goes over the top, and its last vertex down through the first triangle.
    (start[4], start[5]) = (DVec3::new(0.9, 0.8, 0.1), DVec3::new(0.2, -0.3, 0.3));
    let found = measured(&build(vec![triangles("strip", rest.clone(), &faces, start)]));
    // Edge 4–5 meets the plane of the first two triangles at (0.39, 0, 0.25), where x + z < 1: in the first. Their
    // diagonal goes through the last triangle. Edge 3–5 shares no vertex with the first, and meets it at (1, 0, 1):
    // not.
    let parts: Vec<_> = found.first_crossings.iter().map(|pair| pair.parts).collect();
    let through = |edge, triangle| parts.contains(&[Part::Edge(edge), Part::Triangle(triangle)]);
    assert!(through([4, 5], [0, 1, 2]) && through([1, 2], [4, 3, 5]), "{found:?}");
    assert_eq!((found.crossings, found.min_gap(), found.nearest.unwrap().parts), (2, Some(0.0), parts[0]));
    let flat = measured(&build(vec![triangles("strip", rest.clone(), &faces, rest)]));
    assert_eq!((flat.crossings, flat.min_layer_gap()), (0, None));
    // Of a strip of squares with one diagonal each: that of a corner from the other diagonal's triangle.
    assert!((flat.min_gap().unwrap() - 0.5_f64.sqrt()).abs() < 1e-15, "{flat:?}");
}

#[test]
fn two_triangles_of_two_cloths_that_cross_are_named_with_their_cloths_and_where() {
    let one = vec![DVec3::ZERO, DVec3::X, DVec3::Z];
    // Two edges go through at (0.2, 0, 0.3) and (0.3, 0, 0.3), the third stays above.
    let other = vec![DVec3::new(0.25, -1.0, 0.3), DVec3::new(0.15, 1.0, 0.3), DVec3::new(0.35, 1.0, 0.3)];
    let make = |name: &str, start: Vec<DVec3>| triangles(name, start.clone(), &[[0, 1, 2]], start);
    let found = measured(&build(vec![make("one", one), make("other", other)]));
    assert_eq!(found.crossings, 2, "{found:?}");
    for pair in &found.first_crossings {
        assert_eq!((pair.cloths, pair.parts[1], pair.gap), ([1, 0], Part::Triangle([0, 1, 2]), 0.0));
        assert!((pair.place - DVec3::new(0.25, 0.0, 0.3)).abs().max_element() < 0.051, "{pair:?}");
    }
    assert_eq!((found.min_gap(), found.min_layer_gap()), (Some(0.0), Some(0.0)));
}

#[test]
fn touching_exactly_is_a_crossing_and_the_next_number_is_none() {
    let below = vec![DVec3::ZERO, DVec3::X, DVec3::Z];
    for (height, crossings) in [(0.0, 2), (1e-15, 0)] {
        let tip = DVec3::new(0.25, height, 0.25);
        let above = vec![tip, tip + DVec3::Y, tip + DVec3::new(1.0, 1.0, 0.0)];
        let make = |name: &str, start: Vec<DVec3>| triangles(name, start.clone(), &[[0, 1, 2]], start);
        let found = measured(&build(vec![make("below", below.clone()), make("above", above)]));
        assert_eq!((found.crossings, found.min_gap()), (crossings, Some(height)));
    }
}

#[test]
fn sheets_that_lie_on_each_other_are_as_far_apart_as_they_lie() {
    let model = build(vec![
        bent("lower", |x, z| DVec3::new(x, 0.0, z)),
        bent("upper", |x, z| DVec3::new(x + 0.02, 0.0013 + 0.1 * (x - 0.3) * (x - 0.3), z + 0.01)),
    ]);
    let found = measured(&model);
    let layers = found.nearest_layers.unwrap();
    assert_eq!((found.crossings, found.nearest), (0, found.nearest_layers));
    // Its lowest row of vertices is at x = 0.3, and the lower sheet is flat.
    assert!((layers.gap - 0.0013).abs() < 1e-15 && (layers.place.y - 0.00065).abs() < 1e-15, "{layers:?}");
    assert!(layers.cloths == [0, 1] || layers.cloths == [1, 0], "{layers:?}");
    assert!((layers.place.x - 0.32).abs() < 1e-12);
}

#[test]
fn neighbours_are_no_layers_however_they_bend_and_a_fold_is() {
    // 5 cm cells: the gap is that of neighbours, half of a cell's diagonal.
    let flat = measured(&build(vec![bent("flat", |x, z| DVec3::new(x, 0.0, z))]));
    assert!((flat.min_gap().unwrap() - 0.05 * 0.5_f64.sqrt()).abs() < 1e-12 && flat.nearest_layers.is_none());
    // Zigzag pleats of one cell, and cloth that is squeezed to two thirds.
    let pleats = bent("pleats", |x, z| DVec3::new(0.8 * x, 0.03 * f64::from((20.0 * x).round() as i32 % 2), z));
    assert_eq!(measured(&build(vec![pleats])).nearest_layers, None);
    // Folded over at x = 0.5 by a half cylinder of 4 mm.
    let fold = |x: f64, z: f64| {
        if x < 0.5 { DVec3::new(x, 0.0, z) } else { DVec3::new(1.05 - x, 0.004, z) }
    };
    let folded = measured(&build(vec![bent("folded", fold)]));
    assert!((folded.min_layer_gap().unwrap() - 0.004).abs() < 1e-12, "{folded:?}");
    let [one, other] = folded.nearest_layers.unwrap().parts.map(|part| part.vertices()[0] % 21);
    assert!(one.abs_diff(other) >= 2, "columns {one} and {other}");
}

#[test]
fn layers_further_apart_than_their_reach_are_none() {
    let sheets = |gap: f64| {
        measured(&build(vec![
            bent("lower", |x, z| DVec3::new(x, 0.0, z)),
            bent("upper", move |x, z| DVec3::new(x, gap, z)),
        ]))
    };
    // Thickness 1 mm; sides of 5 cm and their diagonals, 840 and 400 of them.
    let reach = 0.001 + 0.05 * (840.0 + 400.0 * 2.0_f64.sqrt()) / 1240.0;
    assert!((sheets(reach - 1e-9).min_layer_gap().unwrap() - (reach - 1e-9)).abs() < 1e-12);
    assert_eq!(sheets(reach + 1e-9).nearest_layers, None);
}

#[test]
fn chains_are_measured_along_their_links_and_cross_triangles_only() {
    let sheet = || bent("sheet", |x, z| DVec3::new(x, 0.0, z));
    let thread = |y: f64| chain(DVec3::new(0.41, y, 0.42), DVec3::new(0.41, y + 1.0, 0.42), 3, LINKS);
    let near = measured(&build(vec![sheet(), thread(0.003)]));
    let layers = near.nearest_layers.unwrap();
    assert!(near.crossings == 0 && (layers.gap - 0.003).abs() < 1e-15, "{near:?}");
    assert!(layers.cloths.contains(&1) && layers.parts.contains(&Part::Vertex(0)), "{near:?}");
    let through = measured(&build(vec![sheet(), thread(-0.2)]));
    assert_eq!((through.crossings, through.first_crossings[0].parts[0]), (1, Part::Edge([0, 1])));
    // Two threads 2 mm apart in the air: nothing to cross, but a gap.
    let mut other = chain(DVec3::new(-1.0, 1.3, 0.422), DVec3::new(1.0, 1.3, 0.422), 4, LINKS);
    other.name = "other".into();
    let threads = measured(&build(vec![sheet(), thread(1.0), other]));
    assert!(threads.crossings == 0 && (threads.min_gap().unwrap() - 0.002).abs() < 1e-15, "{threads:?}");
    assert_eq!(threads.nearest.unwrap().parts.map(|part| part.vertices().len()), [2, 2]);
    // Without triangles nothing is measured.
    assert_eq!(measured(&build(vec![thread(0.0)])), ClothSurvey::default());
}

#[test]
fn what_is_sewn_is_one_vertex() {
    let mut mesh = grid([1.0, 1.0], [3, 3], Diagonals::Both);
    mesh.positions.push(mesh.positions[4]);
    let last = mesh.faces.len() - 1;
    mesh.faces[last].iter_mut().filter(|i| **i == 4).for_each(|i| *i = 9);
    let seen = |mesh: &Mesh| measured(&build(vec![cloth(mesh.clone(), bare(), vec![])]));
    assert!(seen(&mesh).crossings > 0);
    mesh.welds.push([9, 4]);
    assert_eq!((seen(&mesh).crossings, seen(&mesh).nearest_layers), (0, None));
}

#[test]
fn vertices_that_are_not_finite_count_and_hide_no_crossing() {
    let model =
        build(vec![bent("lower", |x, z| DVec3::new(x, 0.0, z)), bent("upper", |x, z| DVec3::new(x, 0.3 - x, z))]);
    let whole = measured(&model);
    assert!(whole.crossings > NAMED && whole.first_crossings.len() == NAMED, "{whole:?}");
    for lost in [DVec3::NAN, DVec3::INFINITY, DVec3::new(0.1, f64::NAN, 0.1)] {
        let mut x = model.start.clone();
        (x[440], x[500]) = (lost, lost);
        let found = survey_cloth(&model, &x);
        // Neither vertex is near x = 0.3 on the one or the other.
        assert_eq!((found.crossings, found.min_gap()), (whole.crossings + 2, Some(0.0)));
        assert_eq!((found.first_crossings[0].cloths, found.first_crossings[1].cloths), ([0, 0], [1, 1]));
    }
}

#[test]
fn a_surveyor_remembers_nothing_of_earlier_moments() {
    let model = build(vec![cloth(irregular(9, 3), bare(), vec![]), bent("other", |x, z| DVec3::new(x, 0.05, z))]);
    let (mut dice, mut surveyor) = (Dice::new(7), Surveyor::new(&model));
    for _ in 0..10 {
        let x: Vec<DVec3> = model.start.iter().map(|x| *x + dice.vector(0.03)).collect();
        assert_eq!(surveyor.measure_cloth(&model, &x), survey_cloth(&model, &x));
    }
}

/// Crossings, the least gap and that of layers, by looking at everything.
fn brute_force(model: &Model, x: &[DVec3]) -> (usize, f64, f64) {
    let (mut faces, mut edges, mut owner, mut reach) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let rest: Vec<DVec3> = model.cloths.iter().flat_map(|part| part.mesh.positions.clone()).collect();
    for (number, part) in model.cloths.iter().enumerate() {
        let first = part.particles.start as u32;
        owner.resize(part.particles.end, number);
        let own: Vec<[u32; 3]> = part.topology.triangles.iter().map(|t| t.map(|i| i + first)).collect();
        let sides = own.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        let lines = part.topology.edges.iter().map(|edge| [edge.a + first, edge.b + first]);
        let mut all: Vec<[u32; 2]> = sides.chain(lines).map(|[a, b]| [a.min(b), a.max(b)]).collect();
        all.sort_unstable();
        all.dedup();
        let sum: f64 = all.iter().map(|&[a, b]| rest[a as usize].distance(rest[b as usize])).sum();
        reach.push(part.skin.thickness + sum / all.len() as f64);
        faces.extend(own);
        edges.extend(all);
    }
    // Floyd and Warshall.
    let n = rest.len();
    let (mut path, mut longest) = (vec![f64::INFINITY; n * n], vec![0.0_f64; n]);
    (0..n).for_each(|i| path[i * n + i] = 0.0);
    for [a, b] in edges.iter().map(|edge| edge.map(|i| i as usize)) {
        let length = rest[a].distance(rest[b]);
        (path[a * n + b], path[b * n + a]) = (length, length);
        (longest[a], longest[b]) = (longest[a].max(length), longest[b].max(length));
    }
    for k in 0..n {
        for i in 0..n {
            for j in 0..n {
                path[i * n + j] = path[i * n + j].min(path[i * n + k] + path[k * n + j]);
            }
        }
    }
    let (mut crossings, mut gap, mut layer_gap) = (0, f64::INFINITY, f64::INFINITY);
    let mut offer = |one: &[u32], other: &[u32], distance: f64| {
        gap = gap.min(distance);
        let near = |i: usize, j: usize| path[i * n + j] <= 2.0 * reach[owner[i]].max(longest[i]).max(longest[j]);
        let layers = !one.iter().any(|&i| other.iter().any(|&j| near(i as usize, j as usize)));
        if layers && distance < reach[owner[one[0] as usize]].max(reach[owner[other[0] as usize]]) {
            layer_gap = layer_gap.min(distance);
        }
    };
    let place = |i: u32| x[i as usize];
    for (number, edge) in edges.iter().enumerate() {
        for other in edges[..number].iter().filter(|other| !other.iter().any(|i| edge.contains(i))) {
            offer(edge, other, closest_of_edges(edge.map(place), other.map(place)).vector.length());
        }
        for face in faces.iter().filter(|face| !face.iter().any(|i| edge.contains(i))) {
            if edge_meets_triangle(edge.map(place), face.map(place)) != Meeting::Apart {
                crossings += 1;
                offer(edge, face, 0.0);
            }
        }
    }
    for vertex in 0..n as u32 {
        for face in faces.iter().filter(|face| !face.contains(&vertex)) {
            let near = closest_on_triangle(place(vertex), face.map(place));
            offer(&[vertex], face, near.point.distance(place(vertex)));
        }
    }
    (crossings, gap, layer_gap)
}

#[test]
fn surveys_of_crumpled_cloth_agree_with_brute_force() {
    let mut dice = Dice::new(5);
    let mut seen = [0; 4];
    for round in 0..80 {
        let quads = cloth(grid([1.0, 1.0], [6, 7], Diagonals::Both), bare(), vec![]);
        let mut uneven = cloth(irregular(6, round), bare(), vec![]);
        uneven.name = "uneven".into();
        let mut cloths = if round % 3 == 0 { vec![quads] } else { vec![quads, uneven] };
        if round % 4 == 0 {
            cloths.push(chain(DVec3::new(0.1, 0.5, 0.1), DVec3::new(0.9, -0.4, 0.7), 5, LINKS));
        }
        let mut model = build(cloths);
        model.cloths.iter_mut().for_each(|part| part.skin.thickness = 0.02);
        // Folded over with a little noise, more and less.
        let noise = [0.004, 0.02, 0.1][round as usize % 3];
        let lift = dice.number(0.03, 0.25);
        let bend = |x: DVec3| if x.x > 0.55 { DVec3::new(1.1 - x.x, x.y + lift, x.z) } else { x };
        let first = model.cloths[0].particles.clone();
        let x: Vec<DVec3> = (0..model.len())
            .map(|i| {
                let raised =
                    if first.contains(&i) { bend(model.start[i]) } else { model.start[i] - DVec3::Y * 0.5 * lift };
                raised + dice.vector(noise)
            })
            .collect();
        let (crossings, gap, layer_gap) = brute_force(&model, &x);
        let found = survey_cloth(&model, &x);
        assert_eq!(found.crossings, crossings, "round {round}");
        assert!((found.min_gap().unwrap() - gap).abs() < 1e-14, "round {round}: {gap} expected, {found:?}");
        match found.min_layer_gap() {
            Some(found) => assert!((found - layer_gap).abs() < 1e-14, "round {round}: {layer_gap}, found {found}"),
            None => assert_eq!(layer_gap, f64::INFINITY, "round {round}"),
        }
        seen[usize::from(crossings > 0)] += 1;
        seen[2 + usize::from(layer_gap.is_finite())] += 1;
    }
    assert!(seen[0] > 10 && seen[1] > 10 && seen[3] > 40, "the cases are lopsided: {seen:?}");
}
