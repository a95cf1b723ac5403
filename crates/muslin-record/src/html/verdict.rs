//! The verdict: whether the promises were kept, in plain words.

use super::text::{count, escape, percent, percent_unlike, prose};
use crate::report::{EdgePlace, Report, StrainReport};
use crate::tally::within_limit;

/// The box at the top of the page.
pub(super) fn render(report: &Report) -> String {
    let strain = &report.strain;
    let failed = report.expectations.iter().filter(|expectation| !expectation.held).count();
    let (class, sign) = match (strain.kept && failed == 0 && report.is_solved(), report.completed) {
        (false, _) => ("broken", "✘"),
        (true, false) => ("unfinished", "…"),
        (true, true) => ("kept", "✔"),
    };
    let mut lines = vec![strain_line(strain)];
    lines.extend(progress_line(report));
    if report.work.unsolved_steps > 0 {
        let warning = if report.is_solved() { "" } else { " Do not trust this run: take shorter steps." };
        let (unsolved, steps) = (report.work.unsolved_steps, report.steps);
        lines.push(format!("{unsolved} of {steps} steps were not solved to the integrator's tolerance.{warning}"));
    }
    if failed > 0 {
        let verb = if failed == 1 { "does" } else { "do" };
        lines.push(format!("{} of the scene {verb} not hold.", count(failed, "expectation")));
    }
    if !report.contact.checked {
        lines.push("Contact was not checked.".to_owned());
    }
    let (first, rest) = (&lines[0], &lines[1..]);
    let rest: String = rest.iter().map(|line| format!("<p>{line}</p>\n")).collect();
    format!(
        "<div class=\"verdict {class}\" role=\"status\">\n<span class=\"sign\" aria-hidden=\"true\">{sign}</span>\n\
         <div><p class=\"first\">{first}</p>\n{rest}</div>\n</div>\n"
    )
}

fn strain_line(strain: &StrainReport) -> String {
    let limit = percent(strain.limit);
    if strain.kept {
        if strain.worst_edge.is_none() {
            return "Kept: there are no structural edges to stretch.".to_owned();
        }
        return format!("Kept: no edge stretched more than {limit}.");
    }
    // The worst frame can be looked at; a step between frames is named only when no frame shows the breach.
    let in_frame = !within_limit(strain.worst, strain.limit);
    let (worst, edge, moment) = if in_frame {
        (strain.worst, &strain.worst_edge, format!("frame {}", strain.worst_frame))
    } else {
        (strain.worst_step, &strain.worst_step_edge, format!("step {}, between frames", strain.worst_step_number))
    };
    let edge = edge.as_ref().map_or_else(|| "an edge".to_owned(), name);
    let worst = percent_unlike(worst, strain.limit);
    format!("Broken: {edge} stretched {worst} in {moment}; the limit is {limit}.")
}

fn name(edge: &EdgePlace) -> String {
    let [a, b] = edge.vertices;
    format!("edge {a}–{b} of <code>{}</code>", escape(&edge.cloth))
}

fn progress_line(report: &Report) -> Option<String> {
    let Report { frames, frames_planned, completed, stopped, .. } = report;
    match stopped {
        Some(reason) => Some(format!("Stopped after frame {frames} of {frames_planned}: {}", prose(reason))),
        None if !completed => Some(format!("Not finished: frame {frames} of {frames_planned}.")),
        None => None,
    }
}
