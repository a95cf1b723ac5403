//! What the page says of energy and balance: lines of the verdict, rows of the summary.

use super::goto;
use super::text::{escape, percent, seconds, significant};
use crate::report::{EnergyRise, Report, StuckReport};

/// What the verdict says of them.
pub(super) fn lines(report: &Report) -> Vec<String> {
    let promised = report.promises_motion();
    let energy = match (report.energy.kept, &report.energy.worst) {
        (None, _) => "Energy was not judged: the work of pins, solids or air is not known in any step.".to_owned(),
        (Some(true), _) => "Kept: no energy came from nowhere.".to_owned(),
        (Some(false), worst) => {
            let what = worst.as_ref().map_or_else(|| "energy rose".to_owned(), rise);
            if promised {
                format!("Broken: {what}.")
            } else {
                format!("Energy was not kept, which this method does not promise: {what}.")
            }
        }
    };
    let stuck = report.stuck.as_ref().map(|stuck| {
        let start = if promised { "Broken: " } else { "Not promised by this method: " };
        format!("{start}{}.", stands_still(stuck))
    });
    // Cloth that is stuck is the first thing to know.
    stuck.into_iter().chain([energy]).collect()
}

fn rise(worst: &EnergyRise) -> String {
    let EnergyRise { cloth, rise_j, allowed_j, within_s, frame, .. } = worst;
    let [rise, allowed] = [rise_j, allowed_j].map(|joules| significant(*joules, 3));
    let words = format!("energy of <code>{}</code> rose by {rise} J at frame {frame}", escape(cloth));
    format!("{} within {}; {allowed} J are allowed", goto::link(*frame, None, &words), seconds(*within_s))
}

fn stands_still(stuck: &StuckReport) -> String {
    let StuckReport { cloth, since_s, frame, imbalance, vertex, .. } = stuck;
    let words = format!("since {} (frame {frame})", seconds(*since_s));
    format!(
        "<code>{}</code> stands still out of balance {}, by {} of its weight, most at vertex {vertex}",
        escape(cloth),
        goto::link(*frame, None, &words),
        percent(*imbalance),
    )
}

/// The greatest rise against what is allowed.
pub(super) fn worst(report: &Report) -> String {
    let rise = match (report.energy.kept, &report.energy.worst) {
        (None, _) => return "not judged".to_owned(),
        (Some(_), None) => "none".to_owned(),
        (Some(_), Some(EnergyRise { rise_j, allowed_j, frame, .. })) => {
            let [rise, allowed] = [rise_j, allowed_j].map(|joules| significant(*joules, 3));
            goto::link(*frame, None, &format!("{rise} J of {allowed} J allowed, in frame {frame}"))
        }
    };
    let most = report.energy.cloths.iter().map(|cloth| cloth.unjudged_steps).max().unwrap_or(0);
    if most > 0 { format!("{rise}; {most} of {} steps not judged", report.steps) } else { rise }
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
        assert!(found[0].starts_with("Broken: <code>sheet</code> stands still out of balance"), "{found:?}");
        assert!(found[0].contains("data-frame=\"425\"") && found[0].contains("38.7 % of its weight"), "{found:?}");
        assert_eq!(found[1], "Kept: no energy came from nowhere.");
    }
}
