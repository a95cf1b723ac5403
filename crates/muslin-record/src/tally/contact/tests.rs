use glam::DVec3;
use muslin::Settings;
use muslin::contact::survey::{ClothPair, ClothSurvey, Part, Place};
use muslin::contact::{LeftOut, Survey};
use muslin::report::ContactWork;
use muslin::settings::{Contact, LimitMethod, Limiter};

use super::{ClothPlace, ContactTally, Pinned};
use crate::testing;

fn place(part: Part, gap: f64) -> Place {
    Place { collider: 1, cloth: 0, part, place: DVec3::ONE, gap }
}

fn survey(gap: f64, crossings: usize) -> Survey {
    let crossing = place(Part::Edge([2, 3]), 0.0);
    Survey {
        nearest: Some(place(Part::Vertex(2), gap)),
        crossings,
        first_crossings: vec![crossing; crossings.min(8)],
        ..Survey::default()
    }
}

fn settings(contact: Contact) -> Settings {
    Settings { contact, ..testing::info().settings }
}

fn tally(verify: bool) -> ContactTally {
    let model = testing::with_solids(testing::two_cloths());
    ContactTally::new(&model, &settings(Contact { verify, ..Contact::default() }), None)
}

/// A tally of a triangle without solids, by `certified` or by the published method of the test run.
fn of_a_triangle(certified: bool, own: bool) -> ContactTally {
    let corners = [DVec3::ZERO, DVec3::X, DVec3::Z].into();
    let mesh = muslin::Mesh { positions: corners, faces: vec![vec![0, 1, 2]], ..muslin::Mesh::default() };
    let settings = settings(Contact { own, ..Contact::default() });
    let limiter = if certified { Limiter::new(LimitMethod::default()) } else { settings.limiter };
    ContactTally::new(&testing::meshes(vec![("sheet", mesh)]), &Settings { limiter, ..settings }, None)
}

fn layers(gap: f64, crossings: usize) -> ClothSurvey {
    let parts = [Part::Vertex(1), Part::Triangle([4, 5, 6])];
    let pair = ClothPair { cloths: [0, 1], parts, place: DVec3::ONE, gap };
    ClothSurvey {
        nearest: Some(pair),
        nearest_layers: (gap < 0.01).then_some(pair),
        crossings,
        first_crossings: vec![pair; crossings.min(8)],
    }
}

fn work(contacts: u32, truncated: bool, breach: f64) -> ContactWork {
    let mut work = ContactWork::default();
    (work.contacts, work.truncated, work.breach) = (contacts, truncated, breach);
    work
}

#[test]
fn gaps_and_crossings_are_kept_with_their_frames() {
    let mut tally = tally(true);
    for (frame, (gap, crossings)) in (0..).zip([(0.5, 0), (0.001, 0), (0.002, 3), (0.004, 2)]) {
        tally.frame(frame, 0.1 * frame as f64, Some(&survey(gap, crossings)), None);
    }
    let least = tally.least.unwrap();
    assert_eq!((least.gap, least.frame, tally.thickness), (0.001, 1, Some(0.001)));
    let most = tally.most_crossings.unwrap();
    assert_eq!((tally.crossings, most.count, most.frame), (5, 3, 2));
    assert_eq!((least.pair.part, most.pair.unwrap().part), (ClothPlace::Vertex(2), ClothPlace::Edge([2, 3])));
    assert_eq!((tally.last.min_gap, tally.last.crossings), (Some(0.004), Some(2)));
}

#[test]
fn what_is_left_out_near_pins_is_counted_apart() {
    let mut tally = tally(true);
    assert_eq!(tally.pinned, None);
    tally.pinned = Some(Pinned::default());
    for (frame, (gap, crossings)) in (0..).zip([(-0.01, 4), (-0.03, 5), (-0.02, 6)]) {
        let left_out = LeftOut { nearest: Some(place(Part::Vertex(1), gap)), crossings };
        tally.frame(frame, 0.1 * frame as f64, Some(&Survey { left_out, ..survey(0.001, 0) }), None);
    }
    let pinned = tally.pinned.as_ref().unwrap();
    assert_eq!((pinned.min_gap, pinned.crossings), (Some(-0.03), Some(15)));
    assert_eq!((tally.kept(), tally.crossings, tally.least.unwrap().gap), (Some(true), 0, 0.001));
}

#[test]
fn contact_is_kept_unless_a_frame_or_a_step_reports_a_breach() {
    let with = |gap: f64, crossings: usize, breach: f64| {
        let mut tally = tally(true);
        tally.step(1, &work(0, false, breach));
        tally.frame(1, 0.1, Some(&survey(gap, crossings)), None);
        tally.kept()
    };
    assert_eq!([with(0.0, 0, 0.0), with(0.001, 0, 0.0)], [Some(true); 2]);
    assert_eq!([with(-1e-12, 0, 0.0), with(0.1, 1, 0.0), with(0.1, 0, 1e-9)], [Some(false); 3]);
}

#[test]
fn nothing_is_promised_without_surveys_unless_a_step_reports_a_breach() {
    let mut tally = tally(false);
    tally.frame(0, 0.0, None, None);
    assert_eq!((tally.kept(), tally.last.min_gap), (None, None));
    tally.step(7, &work(3, true, 0.002));
    assert_eq!((tally.kept(), tally.breach, tally.breach_step), (Some(false), 0.002, Some(7)));
}

#[test]
fn contacts_are_counted_by_step_and_by_frame() {
    let mut tally = tally(true);
    for (step, (contacts, truncated)) in (1..).zip([(2, false), (4, true), (9, true)]) {
        tally.step(step, &work(contacts, truncated, 0.0));
    }
    tally.frame(1, 0.1, None, None);
    assert_eq!((tally.last.contacts_mean, tally.last.contacts_most, tally.last.truncated_steps), (5.0, 9, 2));
    tally.step(4, &work(1, false, 0.0));
    tally.frame(2, 0.2, None, None);
    assert_eq!((tally.last.contacts_mean, tally.last.contacts_most, tally.last.truncated_steps), (1.0, 1, 0));
    assert_eq!((tally.contacts, tally.most_contacts, tally.truncated_steps), (16, 9, 2));
}

#[test]
fn without_solids_there_is_nothing_to_keep() {
    let tally = ContactTally::new(&testing::two_cloths(), &settings(Contact::default()), None);
    assert_eq!((tally.thickness, tally.verified, tally.kept()), (None, false, None));
}

#[test]
fn gaps_of_layers_and_crossings_of_cloth_are_kept_with_their_frames() {
    let mut tally = of_a_triangle(true, true);
    assert!(tally.layers.verified && tally.layers.promised && !tally.verified);
    for (frame, (gap, crossings)) in (0..).zip([(0.5, 0), (0.001, 0), (0.0, 3), (0.0, 5), (0.004, 1)]) {
        tally.frame(frame, 0.1 * frame as f64, None, Some(&layers(gap, crossings)));
    }
    let (least, in_layers) = (tally.layers.least.unwrap(), tally.layers.least_layers.unwrap());
    assert_eq!((least.gap, least.frame, least, least.cloths), (0.0, 2, in_layers, [0, 1]));
    assert_eq!(least.parts, [ClothPlace::Vertex(1), ClothPlace::Triangle([4, 5, 6])]);
    assert_eq!((tally.layers.crossings, tally.layers.most_crossings), (9, Some((5, 3))));
    assert_eq!((tally.last.cloth_gap, tally.last.layer_gap), (Some(0.004), Some(0.004)));
    assert_eq!((tally.last.crossings, tally.last.crossings_cloth, tally.last.min_gap), (Some(1), Some(1), None));
}

#[test]
fn crossings_of_cloth_break_only_runs_that_promise_that_there_are_none() {
    let kept = |certified, own, crossings| {
        let mut tally = of_a_triangle(certified, own);
        tally.frame(0, 0.0, None, Some(&layers(0.001, crossings)));
        tally.kept()
    };
    assert_eq!([kept(true, true, 0), kept(true, true, 1)], [Some(true), Some(false)]);
    assert_eq!([kept(true, false, 1), kept(false, true, 1), kept(false, true, 0)], [None; 3]);
}

#[test]
fn crossings_with_solids_and_with_cloth_add_up_and_are_judged_apart() {
    let mut tally = tally(true);
    // Bridson's limiter, and so measured only.
    tally.layers.verified = true;
    tally.frame(0, 0.0, Some(&survey(0.1, 0)), Some(&layers(0.0, 3)));
    assert_eq!((tally.kept(), tally.last.crossings, tally.last.crossings_cloth), (Some(true), Some(3), Some(3)));
    tally.frame(1, 0.1, Some(&survey(0.1, 2)), Some(&layers(0.0, 2)));
    assert_eq!((tally.kept(), tally.crossings, tally.layers.crossings), (Some(false), 2, 5));
    assert_eq!(tally.most_together, Some((4, 1)));
}

#[test]
fn layers_that_were_pushed_apart_are_counted_with_their_mean_gap() {
    let mut tally = of_a_triangle(true, true);
    assert_eq!(tally.layers.mean_gap(), None);
    for (step, (divided, layers, sum)) in (1..).zip([(0, 2, 2.5), (3, 0, 0.0), (1, 6, 5.5)]) {
        let mut work = ContactWork::default();
        (work.divided, work.layers, work.layer_gap_sum) = (divided, layers, sum);
        tally.step(step, &work);
    }
    let layers = &tally.layers;
    assert_eq!((layers.divided, layers.most_divided, layers.layers, layers.most_layers), (4, 3, 8, 6));
    assert_eq!(layers.mean_gap(), Some(1.0));
}
