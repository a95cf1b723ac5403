//! The tree of boxes finds what brute force finds, and exact crossings agree with exact integers.
#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use common::Dice;
use glam::DVec3;
use muslin::collide::{Bounds, Bvh, Meeting, closest_of_edges, closest_on_triangle, edge_meets_triangle, separated};

fn boxes(dice: &mut Dice, count: usize) -> Vec<Bounds> {
    let mut one = || {
        let corner = dice.vector(1.0);
        Bounds::of([corner, corner + dice.vector(0.2)])
    };
    let mut all: Vec<Bounds> = (0..count).map(|_| one()).collect();
    // Some on top of each other: the halving can order them by nothing but their numbers.
    for i in (0..count).step_by(3) {
        all[i] = all[0];
    }
    all
}

/// Compares every question with a search through all.
fn check(tree: &Bvh, all: &[Bounds], dice: &mut Dice) {
    assert!(tree.len() == all.len() && tree.bounds() == all.iter().fold(Bounds::EMPTY, |a, &b| a.union(b)));
    let sorted = |mut found: Vec<(u32, u32)>| {
        found.sort_unstable();
        found
    };
    let mut own = Vec::new();
    tree.own_pairs(|a, b| own.push((a.min(b), a.max(b))));
    let numbers = 0..all.len() as u32;
    let meet = |&(a, b): &(u32, u32)| all[a as usize].meets(&all[b as usize]);
    let every: Vec<_> =
        numbers.clone().flat_map(|a| (a + 1..all.len() as u32).map(move |b| (a, b))).filter(meet).collect();
    assert_eq!(sorted(own), every);

    for reach in [f64::INFINITY, 0.3, 0.01] {
        // Twice as far apart as their boxes, and odd pairs never.
        let distance = |a: u32, b: u32| {
            let odd = (a + b) % 2 == 1;
            if odd { f64::INFINITY } else { 4.0 * all[a as usize].apart_squared(&all[b as usize]) + 1e-6 }
        };
        let nearest = tree.nearest_own_pair(reach, |a, b, _| distance(a, b)).map(|(_, _, squared)| squared);
        let pairs = numbers.clone().flat_map(|a| (a + 1..all.len() as u32).map(move |b| (a, b)));
        let least = pairs.map(|(a, b)| distance(a, b)).fold(f64::INFINITY, f64::min);
        assert_eq!(nearest, (least < reach * reach).then_some(least));
    }

    let others = boxes(dice, 40);
    let mut pairs = Vec::new();
    tree.pairs(&Bvh::new(40, |i| others[i as usize]), |a, b| pairs.push((a, b)));
    let meet = |&(a, b): &(u32, u32)| all[a as usize].meets(&others[b as usize]);
    let every: Vec<_> = numbers.clone().flat_map(|a| (0..40).map(move |b| (a, b))).filter(meet).collect();
    assert_eq!(sorted(pairs), every);

    for (number, area) in others.iter().enumerate() {
        let mut found = Vec::new();
        tree.query(area, |i| found.push((i, 0)));
        let every: Vec<_> = numbers.clone().filter(|&i| all[i as usize].meets(area)).map(|i| (i, 0)).collect();
        assert_eq!(sorted(found), every);
        let (point, reach) = (dice.vector(1.5), 0.05 * number as f64);
        let distance = |i: u32| all[i as usize].distance_squared(point);
        let nearest = tree.nearest(point, reach, distance).map(|(_, squared)| squared);
        let least = numbers.clone().map(distance).fold(f64::INFINITY, f64::min);
        assert_eq!(nearest, (least < reach * reach).then_some(least));
    }
}

#[test]
fn a_tree_finds_what_brute_force_finds_when_built_refitted_and_rebuilt() {
    let mut dice = Dice::new(1);
    for count in [0, 1, 2, 4, 5, 9, 100, 333] {
        let mut all = boxes(&mut dice, count);
        let mut tree = Bvh::new(count, |i| all[i as usize]);
        check(&tree, &all, &mut dice);
        all = boxes(&mut dice, count);
        tree.refit(|i| all[i as usize]);
        check(&tree, &all, &mut dice);
        all = boxes(&mut dice, count + 7);
        tree.rebuild(count + 7, |i| all[i as usize]);
        check(&tree, &all, &mut dice);
    }
}

#[test]
fn what_is_not_a_number_hides_nothing_else() {
    let mut dice = Dice::new(4);
    let mut points = dice.vectors(300, 1.0);
    let lost = [0, 3, 17, 100, 255];
    for (number, &i) in lost.iter().enumerate() {
        points[i][number % 3] = f64::NAN;
    }
    let tree = Bvh::new(300, |i| Bounds::of([points[i as usize], points[i as usize] + 0.01]));
    let everything = Bounds { min: DVec3::splat(-9.0), max: DVec3::splat(9.0) };
    let mut found = Vec::new();
    tree.query(&everything, |i| found.push(i as usize));
    assert!((0..300).filter(|i| !lost.contains(i)).all(|i| found.contains(&i)), "{} of 295 found", found.len());
    for i in (0..300).filter(|i| !lost.contains(i)) {
        let near = tree.nearest(points[i], 1e-3, |j| points[j as usize].distance_squared(points[i]));
        assert_eq!(near, Some((i as u32, 0.0)));
    }
    // A box keeps what came before it, and what came after.
    let holed = Bounds::of([DVec3::ONE, DVec3::splat(f64::NAN), DVec3::ZERO]);
    assert_eq!(holed, Bounds { min: DVec3::ZERO, max: DVec3::ONE });
}

#[test]
fn pairs_within_reach_are_those_of_brute_force() {
    let mut dice = Dice::new(5);
    for reach in [0.0, 0.01, 0.2] {
        let (all, others) = (boxes(&mut dice, 150), boxes(&mut dice, 60));
        let tree = |all: &[Bounds]| Bvh::new(all.len(), |i| all[i as usize]);
        let mut found = Vec::new();
        tree(&all).pairs_within(&tree(&others), reach, |a, b| found.push((a, b)));
        found.sort_unstable();
        let meet = |&(a, b): &(u32, u32)| all[a as usize].grown(reach).meets(&others[b as usize]);
        let every: Vec<_> = (0..150).flat_map(|a| (0..60).map(move |b| (a, b))).filter(meet).collect();
        assert_eq!(found, every);
    }
}

/// A point with whole coordinates.
type Whole = [i128; 3];

fn whole(dice: &mut Dice, size: f64) -> Whole {
    [0; 3].map(|_: i32| dice.number(-size, size + 1.0).floor() as i128)
}

fn real(p: Whole) -> DVec3 {
    DVec3::new(p[0] as f64, p[1] as f64, p[2] as f64)
}

/// Sign of the volume of a tetrahedron, in whole numbers.
fn volume([a, b, c, d]: [Whole; 4]) -> i128 {
    let [u, v, w] = [a, b, c].map(|p| [p[0] - d[0], p[1] - d[1], p[2] - d[2]]);
    let minor = |i: usize, j: usize| v[i] * w[j] - v[j] * w[i];
    (u[0] * minor(1, 2) + u[1] * minor(2, 0) + u[2] * minor(0, 1)).signum()
}

/// Edge and triangle: apart, touching or through, in whole numbers; none when all is in a plane.
fn exact([p, q]: [Whole; 2], [a, b, c]: [Whole; 3]) -> Option<Meeting> {
    let ends = [volume([a, b, c, p]), volume([a, b, c, q])];
    let around = [volume([p, q, a, b]), volume([p, q, b, c]), volume([p, q, c, a])];
    let mixed = around.contains(&1) && around.contains(&-1);
    match (ends, mixed) {
        ([0, 0], _) => None,
        ([1, 1] | [-1, -1], _) | (_, true) => Some(Meeting::Apart),
        _ if ends.contains(&0) || around.contains(&0) => Some(Meeting::Touching),
        _ => Some(Meeting::Through),
    }
}

#[test]
fn crossings_agree_with_whole_numbers_where_products_have_far_more_digits_than_floats() {
    let mut dice = Dice::new(2);
    let mut seen = [0; 3];
    for _ in 0..100_000 {
        let [a, b, c] = [0; 3].map(|_: i32| whole(&mut dice, 1e9));
        let mix = |dice: &mut Dice| {
            // In the plane of the triangle, but for rounding to whole numbers: volumes of a few units among 1e28.
            let (u, v) = (dice.number(-0.2, 1.0), dice.number(-0.2, 1.0));
            let at = |i: usize| a[i] as f64 + u * (b[i] - a[i]) as f64 + v * (c[i] - a[i]) as f64;
            [at(0).round() as i128, at(1).round() as i128, at(2).round() as i128]
        };
        let [p, q] = [mix(&mut dice), if dice.number(0.0, 1.0) < 0.2 { a } else { mix(&mut dice) }];
        if let Some(expected) = exact([p, q], [a, b, c]) {
            assert_eq!(edge_meets_triangle([real(p), real(q)], [real(a), real(b), real(c)]), expected);
            seen[expected as usize] += 1;
        }
    }
    assert!(seen.iter().all(|&count| count > 1000), "the cases are lopsided: {seen:?}");
}

#[test]
fn on_a_small_lattice_where_most_cases_are_degenerate_edges_meet_triangles_at_no_distance() {
    let mut dice = Dice::new(3);
    let mut met = 0;
    for _ in 0..200_000 {
        let points = [0; 5].map(|_: i32| whole(&mut dice, 2.0));
        let [p, q, a, b, c] = points.map(real);
        let found = edge_meets_triangle([p, q], [a, b, c]);
        // They share a point when an end is on the triangle, the edge meets a side, or it goes through the inside.
        let ends = [p, q].map(|end| closest_on_triangle(end, [a, b, c]).point.distance(end));
        let sides = [[a, b], [b, c], [c, a]].map(|side| closest_of_edges([p, q], side).vector.length());
        let least = ends.iter().chain(&sides).fold(f64::INFINITY, |a, &b| a.min(b));
        let [pw, qw, aw, bw, cw] = points;
        let through = exact([pw, qw], [aw, bw, cw]) == Some(Meeting::Through);
        // On this lattice what is apart is farther than 1e-3.
        assert_eq!(found != Meeting::Apart, through || least < 1e-9, "{p} {q} and {a} {b} {c}: {least}");
        met += u32::from(found != Meeting::Apart);
        // What an axis parts does not meet; and on this lattice axes part all that is apart, but for lines and points.
        let parted = separated([p, q], [a, b, c]);
        assert!(!parted || found == Meeting::Apart, "{p} {q} and {a} {b} {c}");
        let has_area = (b - a).cross(c - a) != DVec3::ZERO && p != q;
        assert!(parted || !has_area || found != Meeting::Apart, "{p} {q} and {a} {b} {c}");
    }
    assert!(met > 20_000, "only {met} meet");
}
