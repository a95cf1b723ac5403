//! What the page says of energy and balance: lines of the verdict, rows of the summary.

use maud::{Markup, html};

use super::goto;
use super::text::{percent, seconds, significant};
use crate::report::{EnergyRise, Report, StuckReport};

/// What the verdict says of them.
pub(super) fn lines(report: &Report) -> Vec<Markup> {
    let promised = report.promises_motion();
    let energy = match (report.energy.kept, &report.energy.worst) {
        (None, _) => html! { "Energy was not judged: the work of pins, solids or air is not known in any step." },
        (Some(true), _) => html! { "Kept: no energy came from nowhere." },
        (Some(false), worst) => {
            let start = if promised { "Broken" } else { "Energy was not kept, which this method does not promise" };
            let what = worst.as_ref().map_or_else(|| html! { "energy rose" }, rise);
            html! { (start) ": " (what) "." }
        }
    };
    let stuck = report.stuck.as_ref().map(|stuck| {
        let start = if promised { "Broken" } else { "Not promised by this method" };
        html! { (start) ": " (stands_still(stuck)) "." }
    });
    // Cloth that is stuck is the first thing to know.
    stuck.into_iter().chain([energy]).collect()
}

fn rise(worst: &EnergyRise) -> Markup {
    let EnergyRise { cloth, rise_j, allowed_j, within_s, frame, .. } = worst;
    let [rise, allowed] = [rise_j, allowed_j].map(|joules| significant(*joules, 3));
    let words = html! { "energy of " code { (cloth) } " rose by " (rise) " J at frame " (frame) };
    let link = goto::link(*frame, None, &words);
    html! { (link) " within " (seconds(*within_s)) "; " (allowed) " J are allowed" }
}

fn stands_still(stuck: &StuckReport) -> Markup {
    let StuckReport { cloth, since_s, frame, imbalance, vertex, .. } = stuck;
    let since = goto::link(*frame, None, &html! { "since " (seconds(*since_s)) " (frame " (frame) ")" });
    html! {
        code { (cloth) } " has stood still " (since) " although its forces do not balance: by " (percent(*imbalance))
        " of its weight, most at vertex " (vertex)
    }
}

/// The greatest rise against what is allowed.
pub(super) fn worst(report: &Report) -> Markup {
    let rise = match (report.energy.kept, &report.energy.worst) {
        (None, _) => return html! { "not judged" },
        (Some(_), None) => html! { "none" },
        (Some(_), Some(EnergyRise { rise_j, allowed_j, frame, .. })) => {
            let [rise, allowed] = [rise_j, allowed_j].map(|joules| significant(*joules, 3));
            goto::link(*frame, None, &html! { (rise) " J of " (allowed) " J allowed, in frame " (frame) })
        }
    };
    let most = report.energy.cloths.iter().map(|cloth| cloth.unjudged_steps).max().unwrap_or(0);
    html! {
        (rise)
        @if most > 0 { "; " (most) " of " (report.steps) " steps not judged" }
    }
}

#[cfg(test)]
mod tests {
    use muslin::settings::{Certified, LimitMethod};

    use super::*;
    use crate::html::tests::{Hanging, completed, quiet};

    fn report(kept: Option<bool>, certified: bool) -> Report {
        let mut report = Hanging::run(6, 0.005, quiet()).report(&completed());
        if certified {
            report.limiter.method = LimitMethod::Certified(Certified::default());
        }
        report.energy.kept = kept;
        report.energy.worst = kept.map(|_| EnergyRise {
            cloth: "rod <b>".to_owned(),
            rise_j: 0.4512,
            allowed_j: 0.02,
            within_s: 0.5,
            step: 123,
            frame: 31,
            time_s: 1.025,
        });
        report
    }

    fn lines(report: &Report) -> Vec<String> {
        super::lines(report).into_iter().map(Markup::into_string).collect()
    }

    #[test]
    fn the_page_says_where_energy_rose() {
        assert_eq!(lines(&report(Some(true), true)), ["Kept: no energy came from nowhere."]);
        assert!(lines(&report(None, true))[0].starts_with("Energy was not judged"));
        let broken = &lines(&report(Some(false), true))[0];
        assert!(broken.starts_with("Broken: <a class=\"goto\" href=\"#player\" data-frame=\"31\">"), "{broken}");
        assert!(broken.contains("rod &lt;b&gt;") && broken.contains("rose by 0.451 J at frame 31"), "{broken}");
        assert!(broken.ends_with("within 0.5 s; 0.02 J are allowed."), "{broken}");
        let not_promised = &lines(&report(Some(false), false))[0];
        assert!(not_promised.contains("which this method does not promise"), "{not_promised}");
    }

    #[test]
    fn the_page_says_first_what_is_stuck() {
        let mut report = report(Some(true), true);
        let position = glam::DVec3::ZERO;
        let cloth = "sheet".to_owned();
        report.stuck = Some(StuckReport { cloth, since_s: 14.17, frame: 425, imbalance: 0.387, vertex: 60, position });
        let found = lines(&report);
        assert!(found[0].starts_with("Broken: <code>sheet</code> has stood still"), "{found:?}");
        assert!(found[0].contains("data-frame=\"425\"") && found[0].contains("38.7 % of its weight"), "{found:?}");
        assert_eq!(found[1], "Kept: no energy came from nowhere.");
    }
}
