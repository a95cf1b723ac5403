//! Triangles, charts and coarser meshes by themselves.

use glam::{DMat2, DQuat, DVec2, DVec3};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::coarse::Coarse;
use super::surface::{Chart, RestSurface};
use super::triangle::{Band, Triangle};
use crate::drivers::{Drivers, Freedom};
use crate::limit::shared::SharedVectors;
use crate::mesh::{Diagonals, DiscSpec, GridSpec, IrregularSpec, Mesh, TubeSpec};
use crate::model::{Cloth, Model, World};
use crate::{materials, model::Select};

const BAND: Band = Band { least: 0.95, most: 1.01, tolerance: 1e-4 };

/// A triangle at rest and somewhere in space, strained by up to a half; with masses.
struct Case {
    rest: [DVec2; 3],
    now: [DVec3; 3],
    mass: [f64; 3],
}

fn case(random: &mut Pcg64) -> Case {
    let mut number = |from: f64, to: f64| random.random_range(from..to);
    let rest = [DVec2::ZERO, DVec2::new(number(0.5, 1.5), 0.0), DVec2::new(number(-0.5, 1.5), number(0.3, 1.5))];
    let strain = DMat2::from_cols_array(&[number(0.5, 1.5), number(-0.5, 0.5), number(-0.5, 0.5), number(0.5, 1.5)]);
    let turn = DQuat::from_euler(glam::EulerRot::XYZ, number(-3.0, 3.0), number(-3.0, 3.0), number(-3.0, 3.0));
    let shift = DVec3::new(number(-1.0, 1.0), number(-1.0, 1.0), number(-1.0, 1.0));
    let now = rest.map(|place| turn * (strain * place).extend(0.0) + shift);
    Case { rest, now, mass: [number(0.1, 1.0), number(0.1, 1.0), number(0.1, 1.0)] }
}

/// The corners after some limits, and whether the first one moved them.
fn limited(case: &Case, freedom: [Freedom; 3], times: u32) -> ([DVec3; 3], bool) {
    let mut triangle = Triangle::new([0, 1, 2], case.rest).unwrap();
    triangle.prepare(|k| freedom[k as usize], |k| case.mass[k as usize]);
    let mut places = SharedVectors::default();
    places.copy_from(&case.now);
    let moved = triangle.limit(&places, BAND);
    (1..times).for_each(|_| _ = triangle.limit(&places, BAND));
    ([0, 1, 2].map(|k| places.get(k)), moved)
}

/// The least and the greatest stretch over all directions, by trying them: another way than singular values.
fn stretches(rest: [DVec2; 3], now: [DVec3; 3]) -> [f64; 2] {
    let inverse = DMat2::from_cols(rest[1] - rest[0], rest[2] - rest[0]).inverse();
    let tried = (0..2000).map(|k| {
        let along = inverse * DVec2::from_angle(std::f64::consts::PI * f64::from(k) / 2000.0);
        ((now[1] - now[0]) * along.x + (now[2] - now[0]) * along.y).length()
    });
    tried.fold([f64::INFINITY, 0.0], |[least, most], stretch| [least.min(stretch), most.max(stretch)])
}

#[test]
fn a_triangle_ends_within_the_band_in_every_direction() {
    let mut random = Pcg64::seed_from_u64(1);
    let mut moved_in_all = 0;
    for _ in 0..1000 {
        let case = case(&mut random);
        // One correction is right to first order; strains of a half take a few.
        let (now, moved) = limited(&case, [Freedom::Free; 3], 50);
        let [least, most] = stretches(case.rest, now);
        assert!(least >= BAND.least - 1e-9 && most <= BAND.most + 1e-9, "from {least} to {most}");
        moved_in_all += u32::from(moved);
    }
    assert!(moved_in_all > 900, "only {moved_in_all} of 1000 had to move");
}

/// Σ m (q - p)·(q - p).
fn apart(mass: [f64; 3], q: [DVec3; 3], p: [DVec3; 3]) -> f64 {
    (0..3).map(|k| mass[k] * q[k].distance_squared(p[k])).sum()
}

fn moment(case: &Case, now: [DVec3; 3]) -> DVec3 {
    (0..3).map(|k| case.now[k].cross(now[k] - case.now[k]) * case.mass[k]).sum()
}

#[test]
fn a_correction_keeps_both_momenta_and_a_clamp_about_the_mass_centre_does_not() {
    let mut random = Pcg64::seed_from_u64(2);
    let mut worst_of_clamp: f64 = 0.0;
    for _ in 0..200 {
        let case = case(&mut random);
        let (now, _) = limited(&case, [Freedom::Free; 3], 1);
        let linear: DVec3 = (0..3).map(|k| (now[k] - case.now[k]) * case.mass[k]).sum();
        let angular = moment(&case, now);
        // Rounding of numbers near 1.
        assert!(linear.length() < 1e-14 && angular.length() < 1e-14, "linear {linear}, angular {angular}");
        worst_of_clamp = worst_of_clamp.max(moment(&case, clamped(&case)).length());
    }
    assert!(worst_of_clamp > 0.01, "the clamp keeps angular momentum as well: {worst_of_clamp}");
}

/// Corrections of stretch are projections on convex sets: they go towards every place where the triangle is allowed to
/// be, here its rest shape anywhere in space. The clamp does not.
#[test]
fn a_correction_of_stretch_goes_towards_every_place_that_is_allowed() {
    let mut random = Pcg64::seed_from_u64(5);
    let (mut stretched, mut away_by_clamp) = (0, 0);
    for _ in 0..3000 {
        let (case, other) = (case(&mut random), case(&mut random));
        if stretches(case.rest, case.now)[0] < BAND.least {
            continue;
        }
        // The other triangle's pose, with this one's rest shape.
        let [x, y] = [(other.now[1] - other.now[0]).normalize(), other.now[2] - other.now[0]].map(DVec3::normalize);
        let y = y.reject_from(x).normalize();
        let allowed = case.rest.map(|place| other.now[0] + x * place.x + y * place.y);
        let before = apart(case.mass, case.now, allowed);
        let (now, _) = limited(&case, [Freedom::Free; 3], 1);
        assert!(apart(case.mass, now, allowed) <= before + 1e-12, "away from a place that is allowed");
        away_by_clamp += u32::from(apart(case.mass, clamped(&case), allowed) > before + 1e-9);
        stretched += 1;
    }
    assert!(stretched > 100 && away_by_clamp > 0, "of {stretched}, the clamp took {away_by_clamp} away");
}

/// U Σ* Vᵀ times the rest shape about the mass centre, with V found by trying directions.
fn clamped(case: &Case) -> [DVec3; 3] {
    let inverse = DMat2::from_cols(case.rest[1] - case.rest[0], case.rest[2] - case.rest[0]).inverse();
    let along = |v: DVec2| {
        let v = inverse * v;
        (case.now[1] - case.now[0]) * v.x + (case.now[2] - case.now[0]) * v.y
    };
    let tried = (0..10_000).map(|k| DVec2::from_angle(std::f64::consts::PI * f64::from(k) / 10_000.0));
    let axis = tried.max_by(|a, b| along(*a).length().total_cmp(&along(*b).length())).unwrap();
    let shape = case.rest.map(|place| {
        let part = |v: DVec2| along(v) * (BAND.allowed(along(v).length()) / along(v).length() * v.dot(place));
        part(axis) + part(axis.perp())
    });
    let centre =
        |places: [DVec3; 3]| (0..3).map(|k| places[k] * case.mass[k]).sum::<DVec3>() / case.mass.iter().sum::<f64>();
    shape.map(|place| place - centre(shape) + centre(case.now))
}

#[test]
fn pinned_corners_stay_and_the_others_take_all() {
    let mut random = Pcg64::seed_from_u64(3);
    for _ in 0..300 {
        let case = case(&mut random);
        for pinned in 0..3 {
            let mut freedom = [Freedom::Free; 3];
            freedom[pinned] = Freedom::Fixed;
            let (now, _) = limited(&case, freedom, 200);
            let [least, most] = stretches(case.rest, now);
            assert!(least >= BAND.least - 1e-9 && most <= BAND.most + 1e-9, "from {least} to {most}");
            assert_eq!(now[pinned], case.now[pinned]);
            let mut freedom = [Freedom::Fixed; 3];
            freedom[pinned] = Freedom::Free;
            let (now, _) = limited(&case, freedom, 1);
            assert!((0..3).all(|k| k == pinned || now[k] == case.now[k]));
        }
        let (now, moved) = limited(&case, [Freedom::Fixed; 3], 1);
        assert!(now == case.now && !moved);
    }
}

fn model(mesh: Mesh, pinned: &[u32]) -> Model {
    let cloth = Cloth::new("sheet", mesh, materials::find("cotton").unwrap().material());
    let cloth = if pinned.is_empty() { cloth } else { cloth.pinned(&Select::Index(pinned.to_vec())).unwrap() };
    Model::build(vec![cloth], vec![], World::default()).unwrap()
}

fn meshes() -> Vec<(&'static str, Mesh)> {
    let grid = GridSpec::square(1.0, 21).build().unwrap();
    let irregular = IrregularSpec { size: DVec2::ONE, particles: [21; 2], jitter: 0.8, seed: 3 }.build().unwrap();
    let disc = DiscSpec { radius: 0.5, rings: 10 }.build().unwrap();
    vec![("grid", grid), ("irregular", irregular), ("disc", disc)]
}

/// What a coarser mesh does with a motion that is linear over flat cloth: it is the motion of its seeds, and within its
/// triangles it must come out as it is.
#[test]
fn coarser_meshes_of_flat_cloth_carry_linear_motions() {
    for (name, mesh) in meshes() {
        let model = model(mesh, &[]);
        let surface = RestSurface::of(&model);
        for spacing in [2.0, 4.0] {
            let coarse = Coarse::new(&surface, &model, spacing * surface.side).unwrap();
            let linear = |x: DVec3| DVec3::new(0.3, 0.1, -0.2) + 0.1 * DVec3::new(x.z, x.x + x.z, -x.x);
            let moved = {
                let seeds: Vec<_> = coarse.seeds.iter().map(|&seed| linear(model.start[seed as usize])).collect();
                (0..model.len()).map(|i| coarse.carried(i, &seeds)).collect::<Vec<_>>()
            };
            let exact = moved.iter().zip(&model.start).filter(|(moved, x)| moved.distance(linear(**x)) < 1e-12).count();
            // Border vertices may lie outside all triangles: those of a disc between the chords and its border do.
            assert!(exact * 10 >= 6 * model.len(), "{name}: only {exact} of {} vertices", model.len());
        }
    }
}

#[test]
fn coarser_meshes_have_fewer_vertices_all_the_mass_and_the_pins() {
    for (name, mesh) in meshes() {
        let pinned = [7, 100];
        let model = model(mesh, &pinned);
        let surface = RestSurface::of(&model);
        let coarse = Coarse::new(&surface, &model, 2.0 * surface.side).unwrap();
        let seeds = &coarse.seeds;
        assert!((model.len() / 10..model.len() / 3).contains(&seeds.len()), "{name}: {} seeds", seeds.len());
        assert!(pinned.iter().all(|pin| seeds.contains(pin)), "{name}: a pin is not a seed");
        let (mass, all) = (coarse.mass.iter().sum::<f64>(), model.mass.iter().sum::<f64>());
        assert!((mass - all).abs() < 1e-12 && coarse.mass.iter().all(|mass| *mass > 0.0), "{name}: {mass} kg of {all}");
    }
}

/// A tube is developable: unfolded, two of its vertices are as far apart as along its surface.
#[test]
fn a_tube_unfolds_into_a_rectangle() {
    let (radius, around) = (0.2, 40);
    let tube = TubeSpec { radius, length: 1.0, particles: [around, 21], diagonals: Diagonals::One }.build().unwrap();
    let model = model(tube, &[]);
    let surface = RestSurface::of(&model);
    let mut chart = Chart::default();
    let start = surface.triangles.len() / 2;
    let first = surface.triangles[start][0];
    let near = |particle: u32| model.start[particle as usize].distance(model.start[first as usize]) < 0.15;
    chart.unfold(&surface, start, near);
    let chord = 2.0 * radius * libm::sin(std::f64::consts::PI / f64::from(around));
    let mut compared = 0;
    for &other in chart.placed.iter().filter(|&&other| near(other)) {
        let [a, b] = [first, other].map(|particle| model.start[particle as usize]);
        let angle = a.with_y(0.0).angle_between(b.with_y(0.0));
        // Around the tube it goes along the chords of its sides.
        let steps = (angle * f64::from(around) / std::f64::consts::TAU).round();
        let developed = DVec2::new(steps * chord, a.y - b.y).length();
        let flat = chart.place(first).unwrap().distance(chart.place(other).unwrap());
        assert!(
            (flat - developed).abs() < 1e-9,
            "{first}–{other}: {flat} m in the plane, {developed} m along the tube"
        );
        compared += 1;
    }
    assert!(compared > 20, "only {compared} vertices");
}

/// Folded paper is nowhere stretched: no level may touch it.
#[test]
fn coarser_meshes_leave_folded_cloth_alone() {
    for (name, mesh) in meshes() {
        let model = model(mesh, &[]);
        let surface = RestSurface::of(&model);
        // Pleats across x of 0.13 m, folded flat.
        let pleat = |x: f64| ((x / 0.13).rem_euclid(2.0) - 1.0).abs() * 0.13;
        let folded: Vec<DVec3> = model.start.iter().map(|x| DVec3::new(pleat(x.x), x.y, x.z)).collect();
        let mut drivers = Drivers::default();
        drivers.update(&model, &folded, 0.0);
        let mut places = SharedVectors::default();
        places.copy_from(&folded);
        for spacing in [2.0, 4.0] {
            let mut coarse = Coarse::new(&surface, &model, spacing * surface.side).unwrap();
            coarse.prepare(&drivers);
            assert!(!coarse.round(&places, &drivers, BAND), "{name}: {spacing}");
        }
    }
}
