use glam::DVec3;
use muslin::State;
use muslin::contact::Survey;
use muslin::contact::survey::{Part, Place};
use muslin::report::StepReport;
use muslin::settings::Contact;

use crate::html::tests::{Hanging, completed, quiet};
use crate::tally::{ContactTally, Repair};
use crate::{Verdict, testing};

/// A run over solids with a survey of its last frame.
fn over_solids(survey: &Survey, breach: f64, repair: Option<Repair>) -> Hanging {
    let mut run = Hanging::run(30, 0.009, quiet());
    run.model = testing::with_solids(run.model);
    run.tally.contact = ContactTally::new(&run.model, &Contact::default(), repair);
    let state = State::start(&run.model);
    let last = run.tally.last;
    let mut step = StepReport::default();
    (step.step, step.time, step.centre) = (300, last.time, last.centre);
    (step.work.contact.contacts, step.work.contact.breach) = (4, breach);
    run.tally.step(&run.model, &step, &[], &state);
    run.tally.contact.frame(30, last.time, Some(survey));
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
    let settings = Contact { verify: false, ..Contact::default() };
    run.tally.contact = ContactTally::new(&run.model, &settings, None);
    let page = run.page(&completed());
    assert!(page.contains("Contact with solids was not checked.") && !page.contains("Least gap to solids"));
}
