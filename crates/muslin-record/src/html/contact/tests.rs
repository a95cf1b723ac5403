use glam::DVec3;
use muslin::contact::survey::{ClothPair, Part, Place};
use muslin::contact::{ClothSurvey, Survey};
use muslin::report::StepReport;
use muslin::settings::Contact;
use muslin::{Settings, State};

use crate::html::tests::{Hanging, completed, quiet};
use crate::tally::{ContactTally, Repair};
use crate::{Verdict, testing};

/// A run over solids with a survey of its last frame.
fn over_solids(survey: &Survey, breach: f64, repair: Option<Repair>) -> Hanging {
    let mut run = Hanging::run(30, 0.009, quiet());
    run.model = testing::with_solids(run.model);
    run.tally.contact = ContactTally::new(&run.model, &testing::info().settings, repair);
    let state = State::start(&run.model);
    let last = run.tally.last;
    let mut step = StepReport::default();
    (step.step, step.time, step.centre) = (300, last.time, last.centre);
    (step.work.contact.contacts, step.work.contact.breach) = (4, breach);
    run.tally.step(&run.model, &step, &[], &state);
    run.tally.contact.frame(30, last.time, Some(survey), None);
    run.rows.pop();
    run.row(30);
    run
}

fn at_ball(part: Part, gap: f64) -> Place {
    Place { collider: 1, cloth: 0, part, place: DVec3::ZERO, gap }
}

#[test]
fn the_verdict_says_how_near_cloth_came_to_solids() {
    let survey = Survey { nearest: Some(at_ball(Part::Edge([3, 4]), 0.000_98)), ..Survey::default() };
    let repair = Some(Repair { moved: 12, furthest_m: 0.003, left: 1, left_at: vec!["vertex 1 of `<b>`".to_owned()] });
    let page = over_solids(&survey, 0.0, repair).page(&completed());
    let link = "<a class=\"goto\" href=\"#player\" data-frame=\"30\" data-cloth=\"sheet\" data-edge=\"3-4\">";
    let words = "edge 3–4 of <code>sheet</code> at <code>ball</code> in frame 30</a>.";
    assert!(page.contains(&format!("Kept: nothing passed into a solid. The least gap was 0.98 mm: {link}{words}")));
    let moved =
        "12 vertices were moved, by 3 mm at most. Before the first step, 1 places were still inside or too near:";
    assert!(page.contains(&format!("{moved} vertex 1 of <code>&lt;b&gt;</code>.")));
    assert!(page.contains("class=\"verdict kept\""));
    assert!(page.contains("Least gap to solids (up to 10 mm)") && page.contains("Contacts per step"));
    assert!(page.contains("thickness 1 mm"));
}

#[test]
fn a_breach_of_contact_comes_first_and_names_everything() {
    let survey = Survey {
        nearest: Some(at_ball(Part::Vertex(7), -0.02)),
        crossings: 5,
        first_crossings: vec![at_ball(Part::Edge([7, 8]), 0.0)],
        ..Survey::default()
    };
    let run = over_solids(&survey, 0.001, None);
    let page = run.page(&completed());
    assert!(page.contains("class=\"verdict broken\""));
    let first = page.split("<p class=\"first\">").nth(1).unwrap().split("</p>").next().unwrap();
    for words in [
        "vertex 7 of <code>sheet</code> at <code>ball</code> in frame 30</a> was 20 mm inside",
        "edges crossed triangles 5 times in all frames together, at most <a class=\"goto\"",
        "step 300 let a breach of 1 mm pass",
    ] {
        assert!(first.contains(words), "{words}: {first}");
    }
    assert!(page.contains("<p>Kept: no edge stretched more than 1 %.</p>"));
    let report = run.report(&completed());
    assert_eq!(Verdict::of(&report), Verdict::Broken);
}

#[test]
fn solids_that_nobody_looked_at_are_not_called_kept() {
    let mut run = over_solids(&Survey::default(), 0.0, None);
    let contact = Contact { verify: false, ..Contact::default() };
    let settings = Settings { contact, ..testing::info().settings };
    run.tally.contact = ContactTally::new(&run.model, &settings, None);
    let page = run.page(&completed());
    assert!(page.contains("Contact with solids was not checked.") && !page.contains("Least gap to solids"));
}

/// A run without solids in which cloth was measured against cloth in the last frame.
fn against_itself(promised: bool, crossings: usize, gap: f64) -> Hanging {
    let mut run = Hanging::run(30, 0.009, quiet());
    let parts = [Part::Edge([3, 4]), Part::Triangle([7, 8, 9])];
    let pair = ClothPair { cloths: [0, 0], parts, place: DVec3::ZERO, gap };
    let survey = ClothSurvey {
        nearest: Some(pair),
        nearest_layers: (gap < 0.01).then_some(pair),
        crossings,
        first_crossings: vec![pair; crossings.min(8)],
    };
    (run.tally.contact.layers.verified, run.tally.contact.layers.promised) = (true, promised);
    run.tally.contact.frame(30, run.tally.last.time, None, Some(&survey));
    run.rows.pop();
    run.row(30);
    run
}

fn first_line(page: &str) -> &str {
    page.split("<p class=\"first\">").nth(1).unwrap().split("</p>").next().unwrap()
}

#[test]
fn cloth_that_is_promised_not_to_cross_cloth_is_judged_by_it() {
    let run = against_itself(true, 0, 0.000_98);
    let page = run.page(&completed());
    let link = "<a class=\"goto\" href=\"#player\" data-frame=\"30\" data-cloth=\"sheet\" data-edge=\"3-4\">";
    let words = "edge 3–4 of <code>sheet</code> at triangle 7–8–9 of <code>sheet</code> in frame 30</a>.";
    let kept = format!("Kept: no cloth crossed cloth. Layers came as near as 0.98 mm: {link}{words}");
    assert!(page.contains(&kept) && page.contains("class=\"verdict kept\""), "{page}");
    assert!(page.contains("Least gap of layers of cloth") && page.contains("There are no solids."));
    assert!(against_itself(true, 0, 0.02).page(&completed()).contains("No layers came near each other."));

    let run = against_itself(true, 5, 0.0);
    let page = run.page(&completed());
    assert!(page.contains("class=\"verdict broken\""));
    assert!(
        first_line(&page).contains("Broken: cloth crossed cloth 5 times in all frames together, at most <a"),
        "{page}"
    );
    assert_eq!(Verdict::of(&run.report(&completed())), Verdict::Broken);
}

#[test]
fn crossings_that_nothing_promised_to_prevent_are_reported_and_break_nothing() {
    let run = against_itself(false, 5, 0.0);
    let page = run.page(&completed());
    assert!(
        page.contains("Measured, but not promised by this run: cloth crossed cloth 5 times in all frames"),
        "{page}"
    );
    assert!(page.contains("class=\"verdict kept\"") && page.contains("measured only"));
    let report = run.report(&completed());
    let contact = &report.contact;
    assert_eq!((contact.kept, contact.intersections, contact.intersections_cloth), (None, Some(5), Some(5)));
    assert_eq!((contact.cloth_gap, contact.intersections_cloth_frame, contact.divided), (Some(0.0), Some(30), None));
    assert_eq!(contact.cloth_pair.as_ref().unwrap().vertices, [vec![3, 4], vec![7, 8, 9]]);
}
