//! Cloth pinned on or inside solids: curtains on rods, waistbands. What hangs on such a pin runs; everything else of
//! the cloth stays out of the solid as ever.
#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use std::f64::consts::FRAC_PI_2;

use common::certify::{carried, certified, passes, probe, refused, rope};
use common::limited::{all_methods, limited};
use common::solids::{MeshParts, THICKNESS, along, box_mesh, globe, ground, resting, shape, turned};
use common::{bare, build, cloth, elastic, grid, pin, surface};
use glam::DVec3;
use muslin::collide::{Pose, Shape, closest_of_edges};
use muslin::contact::{Exempted, Exemptions, repair, survey};
use muslin::error::Bond;
use muslin::mesh::{Diagonals, TubeSpec};
use muslin::model::{Body, Cloth, Hold, Pin, Solid, SolidMesh};
use muslin::{Model, State, StepError, Stepper};

const FRAME: f64 = 1.0 / 60.0;
/// Radius of the rods [m].
const ROD: f64 = 0.02;

/// A curtain of 0.6 m × 0.5 m that hangs from the x axis, its first row pinned; cells of 2.5 cm.
fn curtain() -> Cloth {
    let mut curtain = cloth(grid([0.6, 0.5], [25, 21], Diagonals::One), surface(elastic()), vec![]);
    curtain.start.iter_mut().for_each(|x| *x = DVec3::new(x.x - 0.3, -x.z, 0.0));
    let top = curtain.start.iter().map(|x| x.y).fold(f64::NEG_INFINITY, f64::max);
    let row = (0..).zip(&curtain.start).filter(|(_, x)| x.y > top - 1e-9).map(|(i, _)| i).collect();
    curtain.pins = vec![pin(row)];
    curtain
}

/// A rod along x through the origin.
fn rod() -> Solid {
    let pose = Pose { position: DVec3::ZERO, rotation: turned(DVec3::Z, FRAC_PI_2) };
    Solid::Shape { shape: Shape::Capsule { radius: ROD, half_length: 0.4 }, pose }
}

/// The same as a watertight mesh.
fn rod_mesh() -> Solid {
    let (unit, triangles): MeshParts = globe(12, 5);
    let stretched = unit.iter().map(|p| DVec3::new(p.y * 0.4, p.z * ROD, p.x * ROD)).collect();
    Solid::Mesh(SolidMesh { positions: stretched, triangles })
}

fn hung(curtain: Cloth, solid: Solid) -> Model {
    let mut model = build(vec![curtain]);
    model.colliders.push(resting(&model, solid, 0.3));
    model
}

/// Steps under `certified` and asserts that all but what is left out is clear of solids; the end, and most contacts
/// in a step.
#[track_caller]
fn run(what: &str, model: &Model, steps: u32) -> (State, u32) {
    let (mut state, mut stepper) = (State::start(model), Stepper::new(model, &certified(0.01, FRAME)));
    let mut contacts = 0;
    for _ in 0..steps {
        // Contacts are those of a step's last substep; an impulse reports earlier ones.
        let contact = stepper.step(model, &mut state, ()).unwrap().work.contact;
        contacts = contacts.max(contact.contacts).max(u32::from(contact.impulse != DVec3::ZERO));
        let seen = survey(model, &state.x, state.time);
        assert!(seen.is_clear(), "{what}, at {} s: {seen:?}", state.time);
    }
    (state, contacts)
}

/// Thrown forward and back again, so that it moves while it hangs.
fn swinging(mut curtain: Cloth) -> Cloth {
    for (x, v) in curtain.start.iter().zip(&mut curtain.start_velocity) {
        *v = DVec3::Z * (-2.0 * x.y);
    }
    curtain
}

#[test]
fn a_curtain_pinned_inside_a_rod_swings() {
    let model = hung(swinging(curtain()), rod());
    let state = passes("a curtain on a rod", &model, &certified(0.01, FRAME), 0.5);
    let hem = state.x.iter().map(|x| x.z).fold(0.0, f64::max);
    assert!(hem > 0.03, "the hem is {hem} m off plumb");
    let left_out = survey(&model, &state.x, state.time).left_out;
    // Each of the 25 pins is in the rod with the edges at it: 24 along the row, 25 down, 24 diagonals.
    assert!(left_out.crossings >= 73 && left_out.nearest.unwrap().gap == -ROD, "{left_out:?}");
}

#[test]
fn a_curtain_pinned_inside_a_mesh_swings() {
    let model = hung(swinging(curtain()), rod_mesh());
    let state = passes("a curtain on a mesh", &model, &certified(0.01, FRAME), 0.5);
    let left_out = survey(&model, &state.x, state.time).left_out;
    assert!(left_out.crossings >= 49 && left_out.nearest.unwrap().gap < -0.8 * ROD, "{left_out:?}");
}

#[test]
fn a_curtain_goes_with_the_rod_that_its_pins_go_with() {
    let places = [(0.0, DVec3::ZERO), (0.4, DVec3::new(0.05, 0.1, 0.3)), (0.8, DVec3::new(0.0, 0.0, -0.2))];
    for solid in [rod(), rod_mesh()] {
        let mut curtain = curtain();
        let row = curtain.pins[0].particles.clone();
        curtain.pins = vec![carried(row, &places)];
        let mut model = hung(curtain, solid);
        model.colliders[0].motion = along(&places);
        passes("a rod that moves", &model, &certified(0.01, FRAME), 0.6);
    }
}

/// A skirt that widens from its waistband, which is pinned at a distance from a body of 10 cm [m].
fn skirt(gap: f64) -> Cloth {
    let spec = TubeSpec { radius: 0.1 + gap, length: 0.3, particles: [48, 13], diagonals: Diagonals::One };
    let mut mesh = spec.build().unwrap();
    for x in &mut mesh.positions {
        let wider = (0.1 + gap + 0.3 * (0.3 - x.y)) / (0.1 + gap);
        *x = DVec3::new(x.x * wider, x.y - 0.3, x.z * wider);
    }
    let start = mesh.positions.clone();
    let mut skirt = cloth(mesh, surface(elastic()), vec![pin((48 * 12..48 * 13).collect())]);
    skirt.start = start;
    skirt
}

#[test]
fn a_waistband_pinned_slightly_inside_or_outside_of_a_body_hangs_on_it() {
    let body = Shape::Cylinder { radius: 0.1, half_length: 0.4 };
    for gap in [-0.002, 0.0, 0.2 * THICKNESS, 0.9 * THICKNESS] {
        let mut skirt = skirt(gap);
        for (x, v) in skirt.start.iter().zip(&mut skirt.start_velocity) {
            *v = DVec3::X * (-5.0 * x.y);
        }
        let model = hung(skirt, shape(body, DVec3::ZERO));
        let (state, contacts) = run("a waistband", &model, 18);
        assert!(contacts > 0, "the skirt below the waistband has not met the body");
        let seen = survey(&model, &state.x, state.time);
        let deepest = seen.left_out.nearest.unwrap().gap;
        // Between two pins on a circle an edge cuts off 0.2 mm.
        let sag = (0.1 + gap) * (1.0 - libm::cos(std::f64::consts::PI / 48.0));
        assert!((deepest - (gap - sag)).abs() < 1e-5, "{deepest} m at {gap} m");
    }
}

/// A curtain that goes out from the rod, turns back above it and reaches over it: it falls onto the rod.
fn folded_back() -> Cloth {
    let mut curtain = curtain();
    let (out, radius) = (0.1, 0.03);
    let turn = std::f64::consts::PI * radius;
    for x in &mut curtain.start {
        let s = -x.y;
        let (z, y) = if s < out {
            (s, 0.0)
        } else if s < out + turn {
            let (sin, cos) = libm::sincos((s - out) / radius);
            (out + radius * sin, radius * (1.0 - cos))
        } else {
            (2.0 * out + turn - s, 2.0 * radius)
        };
        *x = DVec3::new(x.x, y, z);
    }
    curtain
}

#[test]
fn other_parts_of_a_pinned_curtain_do_not_pass_through_its_rod() {
    for solid in [rod(), rod_mesh()] {
        let model = hung(folded_back(), solid);
        let (state, contacts) = run("a curtain that falls on its rod", &model, 18);
        assert!(contacts >= 10, "only {contacts} contacts: it has not met the rod");
        // Its lower part lies over the rod: some of it is above the rod, and the hem is beyond.
        let above = state.x.iter().filter(|x| x.z.abs() < ROD && x.y > 0.9 * ROD).count();
        assert!(above >= 10, "{above} vertices are above the rod");
    }
}

#[test]
fn pins_that_slide_along_the_axis_of_a_rod_run_and_those_that_can_leave_it_do_not_count() {
    let guided = |hold: Hold| {
        let mut curtain = swinging(curtain());
        let particles = curtain.pins[0].particles.clone();
        curtain.pins = vec![Pin { particles, hold, release: None }];
        // A little off the axis, so that the way out is along z.
        curtain.start.iter_mut().for_each(|x| x.z += 0.25 * ROD);
        hung(curtain, rod())
    };
    passes("rings on a rod", &guided(Hold::Line(DVec3::X)), &certified(0.01, FRAME), 0.3);
    // Along z they could leave it, so they start inside a solid like any other particle.
    let (_, outcome) = probe("rails across", &guided(Hold::Line(DVec3::Z)), &certified(0.01, FRAME), 0.1);
    assert!(matches!(outcome, Err(StepError::Blocked { bond: Bond::Entangled, .. })), "{outcome:?}");
}

#[test]
fn a_chain_and_bare_cloth_hang_on_a_rod_too() {
    let mut sheet = curtain();
    sheet.body = Body::Surface(bare());
    passes("bare cloth", &hung(sheet, rod()), &certified(0.01, FRAME), 0.2);
    let rope = rope(40);
    passes("a rope", &hung(rope, shape(Shape::Sphere { radius: 0.05 }, DVec3::ZERO)), &certified(0.01, FRAME), 0.3);
}

#[test]
fn what_is_left_out_is_what_contains_a_pin_or_is_nearer_than_its_depth_and_the_thickness() {
    let counts = |model: &Model| Exemptions::of(model).counts().collect::<Vec<_>>();
    // Cells of 2.5 cm and r = 2.1 cm: only what contains a pin, and the triangles beyond the diagonals, 1.77 cm away.
    let one = |mut curtain: Cloth| {
        curtain.pins = vec![pin(vec![12])];
        hung(curtain, rod())
    };
    let coarse = counts(&one(curtain()));
    let [(0, Exempted { pins: 1, vertices: 1, edges, triangles })] = coarse[..] else { panic!("{coarse:?}") };
    // A vertex on the border has 3 or 4 edges, and the diagonals opposite make one or two more, with a triangle behind
    // each.
    assert!((4..=5).contains(&edges) && (4..=5).contains(&triangles), "{coarse:?}");
    // Cells of 5 mm: all vertices below the rod's axis within 2.1 cm, r/5 mm = 4.2: half a disc of lattice points.
    let mut fine = cloth(grid([0.12, 0.1], [25, 21], Diagonals::One), surface(elastic()), vec![]);
    fine.start.iter_mut().for_each(|x| *x = DVec3::new(x.x - 0.06, -x.z, 0.0));
    let within = fine.start.iter().filter(|x| x.distance(fine.start[12]) < ROD + THICKNESS).count();
    assert_eq!(within, 33, "lattice points of half a disc");
    let fine = counts(&one(fine));
    let [(0, Exempted { pins: 1, vertices: 33, .. })] = fine[..] else { panic!("{fine:?}") };
}

#[test]
fn pins_away_from_solids_leave_nothing_out() {
    let far = hung(curtain(), shape(Shape::Sphere { radius: 0.1 }, DVec3::Z * 0.2));
    assert!(Exemptions::of(&far).is_empty());
    // Exactly as far as the cloth keeps away.
    let mut above = curtain();
    above.start.iter_mut().for_each(|x| *x = DVec3::new(x.x, THICKNESS, x.y));
    assert!(Exemptions::of(&hung(above.clone(), ground(0.0))).is_empty());
    above.start.iter_mut().for_each(|x| x.y -= 1e-9);
    assert!(!Exemptions::of(&hung(above, ground(0.0))).is_empty());
    // What is not pinned starts inside like any other cloth.
    let mut free = curtain();
    free.pins.clear();
    assert!(Exemptions::of(&hung(free, rod())).is_empty());
}

#[test]
fn an_edge_that_is_considered_is_kept_out_though_its_triangles_are_not() {
    // A strip of one cell: every triangle contains a pin, but the hem does not.
    for solid in [shape(Shape::Box { half: DVec3::splat(0.05) }, DVec3::new(0.0, -0.35, 0.0)), {
        Solid::Mesh(box_mesh(DVec3::splat(0.05), DVec3::new(0.0, -0.35, 0.0)))
    }] {
        let mut strip =
            cloth(grid([0.4, 0.1], [5, 2], Diagonals::One), surface(elastic()), vec![pin((0..5).collect())]);
        strip.start.iter_mut().for_each(|x| *x = DVec3::new(x.x - 0.2, -x.z, 0.0));
        let mut model = hung(strip, rod());
        let mut hammer = resting(&model, solid, 0.3);
        hammer.motion = along(&[(0.0, DVec3::ZERO), (0.4, DVec3::Y * 0.19)]);
        model.colliders.push(hammer);
        // The pins are in the rod, and the block from below is another solid: there nothing is left out.
        assert_eq!(Exemptions::of(&model).counts().map(|(collider, _)| collider).collect::<Vec<_>>(), [0]);
        passes("a block below a strip", &model, &certified(0.01, FRAME), 0.4);
    }
    // The hem thrown up at its rod.
    let mut strip = cloth(grid([0.4, 0.1], [5, 2], Diagonals::One), bare(), vec![pin((0..5).collect())]);
    strip.start.iter_mut().for_each(|x| *x = DVec3::new(x.x - 0.2, -x.z, 0.0));
    strip.start_velocity[5..].fill(DVec3::new(0.0, 2.0, 0.3));
    for solid in [rod(), rod_mesh()] {
        let model = hung(strip.clone(), solid);
        let (state, contacts) = run("a hem thrown at its rod", &model, 30);
        // Measured without the survey, which knows what is left out: the rod is along x.
        let hem = state.x[5..].windows(2).map(|ends| closest_of_edges([ends[0], ends[1]], [DVec3::NEG_X, DVec3::X]));
        let nearest = hem.map(|between| between.vector.length()).fold(f64::INFINITY, f64::min);
        assert!(nearest > 0.9 * ROD, "{nearest} m from the axis");
        assert!(contacts > 0, "the hem has not met the rod");
    }
}

/// A strip of one cell pinned in a bar of 4 cm × 4 cm along x, its hem from corner to corner around an edge of the bar:
/// vertices alternate between `out` above the axis and as far beside it [m].
fn around_an_edge(out: f64, solid: Solid) -> Model {
    let mut strip = cloth(grid([0.4, 0.1], [5, 2], Diagonals::One), bare(), vec![pin((0..5).collect())]);
    for (i, x) in strip.start.iter_mut().enumerate() {
        let off = if i % 2 == 0 { DVec3::Y } else { DVec3::Z };
        *x = DVec3::X * (x.x - 0.2) + if i < 5 { DVec3::ZERO } else { off * out };
    }
    hung(strip, solid)
}

#[test]
fn an_edge_that_is_considered_is_measured_and_freed_though_its_triangles_are_not() {
    let half = DVec3::new(0.3, 0.02, 0.02);
    for solid in [shape(Shape::Box { half }, DVec3::ZERO), Solid::Mesh(box_mesh(half, DVec3::ZERO))] {
        // Halfway the hem is (5 cm - 4 cm)/√2 from the edge of the bar, its vertices are 3 cm away.
        let clear = around_an_edge(0.05, solid.clone());
        let seen = survey(&clear, &clear.start, 0.0);
        let gap = seen.min_gap().unwrap();
        assert!(seen.is_clear() && (gap - 0.01 * 0.5_f64.sqrt()).abs() < 1e-9, "{seen:?}");
        // Nearer than the thickness, though no vertex is.
        let cut = around_an_edge(0.0405, solid);
        let mut x = cut.start.clone();
        let done = repair(&cut, &mut x, 0.0, 0.01);
        let gap = survey(&cut, &x, 0.0).min_gap().unwrap();
        assert!(done.moved > 0 && done.left == 0 && gap > 0.99 * THICKNESS, "{gap} m, {done:?}");
    }
}

#[test]
fn a_start_is_repaired_but_for_what_is_left_out_near_pins() {
    for solid in [rod(), rod_mesh()] {
        // The hem starts in the rod: the curtain goes out and comes back below.
        let mut curtain = curtain();
        for x in &mut curtain.start {
            let s = -x.y;
            *x = DVec3::new(x.x, -0.015 * (s / 0.5), if s < 0.25 { s } else { 0.5 - s } * 0.98);
        }
        let model = hung(curtain, solid);
        let before = survey(&model, &model.start, 0.0);
        assert!(!before.is_clear() && before.left_out.crossings > 0, "{before:?}");
        let mut x = model.start.clone();
        let done = repair(&model, &mut x, 0.0, 0.01);
        let after = survey(&model, &x, 0.0);
        assert!(done.left == 0 && done.moved > 0 && after.is_clear() && after.too_near == 0, "{done:?}: {after:?}");
        assert!(after.left_out.crossings > 0, "{after:?}");
        assert!(model.pins[0].particles.iter().all(|i| x[*i as usize] == model.start[*i as usize]), "a pin was moved");
    }
}

#[test]
fn every_other_limiter_lets_cloth_hang_straight_out_of_its_rod() {
    // Cells of 5 mm: three rows below the pins are inside the rod, and nothing pushes them out of it.
    for (method, integrator) in all_methods() {
        let mut narrow = cloth(grid([0.05, 0.1], [11, 21], Diagonals::One), bare(), vec![]);
        narrow.start.iter_mut().for_each(|x| *x = DVec3::new(x.x - 0.025, -x.z, 0.0));
        narrow.pins = vec![pin((0..11).collect())];
        let model = hung(narrow, rod());
        let settings = limited((method, integrator), 1.0 / 480.0);
        let (mut state, mut stepper) = (State::start(&model), Stepper::new(&model, &settings));
        for _ in 0..20 {
            stepper.step(&model, &mut state, ()).unwrap();
        }
        let seen = survey(&model, &state.x, state.time);
        assert!(seen.is_clear(), "{method:?}: {seen:?}");
        let off = state.x.iter().map(|x| x.z.abs()).fold(0.0, f64::max);
        assert!(off < 1e-9, "{method:?}: pushed off the plane by {off} m");
    }
}

mod slow {
    use super::*;

    #[test]
    fn a_pin_that_is_driven_into_a_solid_is_refused_as_ever() {
        let mut curtain = curtain();
        let row = curtain.pins[0].particles.clone();
        curtain.pins = vec![carried(row, &[(0.0, DVec3::ZERO), (0.5, DVec3::Z * 0.2)])];
        let half = DVec3::new(0.4, 0.05, 0.05);
        for solid in [shape(Shape::Box { half }, DVec3::Z * 0.15), Solid::Mesh(box_mesh(half, DVec3::Z * 0.15))] {
            let (state, error) = refused(&hung(curtain.clone(), solid), &certified(0.01, FRAME), 1.0);
            let StepError::Blocked { bond, .. } = error else { panic!("{error}") };
            assert_eq!(bond, Bond::Pinned);
            // The box begins at 0.1 m, and the pins go at 0.4 m/s.
            assert!((state.time - 0.25).abs() < 0.02, "{} s", state.time);
        }
    }
}
