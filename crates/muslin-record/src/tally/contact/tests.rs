use glam::DVec3;
use muslin::contact::survey::{Part, Place};
use muslin::contact::{LeftOut, Survey};
use muslin::report::ContactWork;
use muslin::settings::Contact;

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

fn tally(verify: bool) -> ContactTally {
    let model = testing::with_solids(testing::two_cloths());
    ContactTally::new(&model, &Contact { verify, ..Contact::default() }, None)
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
        tally.frame(frame, 0.1 * frame as f64, Some(&survey(gap, crossings)));
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
        tally.frame(frame, 0.1 * frame as f64, Some(&Survey { left_out, ..survey(0.001, 0) }));
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
        tally.frame(1, 0.1, Some(&survey(gap, crossings)));
        tally.kept()
    };
    assert_eq!([with(0.0, 0, 0.0), with(0.001, 0, 0.0)], [Some(true); 2]);
    assert_eq!([with(-1e-12, 0, 0.0), with(0.1, 1, 0.0), with(0.1, 0, 1e-9)], [Some(false); 3]);
}

#[test]
fn nothing_is_promised_without_surveys_unless_a_step_reports_a_breach() {
    let mut tally = tally(false);
    tally.frame(0, 0.0, None);
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
    tally.frame(1, 0.1, None);
    assert_eq!((tally.last.contacts_mean, tally.last.contacts_most, tally.last.truncated_steps), (5.0, 9, 2));
    tally.step(4, &work(1, false, 0.0));
    tally.frame(2, 0.2, None);
    assert_eq!((tally.last.contacts_mean, tally.last.contacts_most, tally.last.truncated_steps), (1.0, 1, 0));
    assert_eq!((tally.contacts, tally.most_contacts, tally.truncated_steps), (16, 9, 2));
}

#[test]
fn without_solids_there_is_nothing_to_keep() {
    let tally = ContactTally::new(&testing::two_cloths(), &Contact::default(), None);
    assert_eq!((tally.thickness, tally.verified, tally.kept()), (None, false, None));
}
