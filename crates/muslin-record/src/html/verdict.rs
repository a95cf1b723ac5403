//! The verdict: whether the promises were kept, in plain words.

use super::text::{count, percent, percent_unlike, prose};
use super::{contact, energy, goto};
use crate::report::Report;
use crate::tally::within_limit;

/// How it ended, in a word: a class of the style sheet, a sign, and what it is called.
fn outcome(report: &Report) -> (&'static str, &'static str, &'static str) {
    let kept = report.strain.kept && report.contact.kept != Some(false) && report.motion_kept();
    match (kept && failed(report) == 0 && report.is_solved(), report.completed) {
        (false, _) => ("broken", "✘", "Broken"),
        (true, false) => ("unfinished", "…", "Unfinished"),
        (true, true) => ("kept", "✔", "Kept"),
    }
}

fn failed(report: &Report) -> usize {
    report.expectations.iter().filter(|expectation| !expectation.held).count()
}

/// The outcome beside the title, with the way to the reasons.
pub(super) fn badge(report: &Report) -> String {
    let (class, sign, name) = outcome(report);
    format!("<a class=\"badge {class}\" href=\"#verdict\"><span aria-hidden=\"true\">{sign}</span> {name}</a>")
}

/// The box that says what came of it.
pub(super) fn render(report: &Report) -> String {
    let (class, sign, _) = outcome(report);
    let failed = failed(report);
    let parts = [
        (report.strain.kept, strain_lines(report)),
        (report.contact.kept != Some(false), contact::lines(&report.contact)),
        (report.motion_kept(), energy::lines(report)),
    ];
    // What was broken comes first.
    let (kept, broken): (Vec<_>, Vec<_>) = parts.into_iter().partition(|(kept, _)| *kept);
    let mut lines: Vec<String> = broken.into_iter().chain(kept).flat_map(|(_, lines)| lines).collect();
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
    let (first, rest) = (&lines[0], &lines[1..]);
    let rest: String = rest.iter().map(|line| format!("<p>{line}</p>\n")).collect();
    format!(
        "<div id=\"verdict\" class=\"verdict {class}\">\n<span class=\"sign\" aria-hidden=\"true\">{sign}</span>\n\
         <div><p class=\"first\">{first}</p>\n{rest}</div>\n</div>\n"
    )
}

fn strain_lines(report: &Report) -> Vec<String> {
    let strain = &report.strain;
    let limit = percent(strain.limit);
    let Some(edge) = &strain.worst_edge else {
        return vec!["Kept: there are no structural edges to stretch.".to_owned()];
    };
    let at_worst = |words: &str| goto::link(strain.worst_frame, Some(goto::mark(edge)), words);
    if strain.kept {
        let mut lines = vec![format!("Kept: no edge stretched more than {limit}.")];
        if strain.worst > 0.0 {
            let (worst, frame) = (percent(strain.worst), strain.worst_frame);
            let link = at_worst(&format!("{} in frame {frame}", goto::name(edge)));
            lines.push(format!("The most was {worst}: {link}."));
        }
        return lines;
    }
    // The worst frame can be looked at; a step between frames is named only when no frame shows the breach.
    let what = if within_limit(strain.worst, strain.limit) {
        between_frames(report)
    } else {
        let worst = percent_unlike(strain.worst, strain.limit);
        at_worst(&format!("{} stretched {worst} in frame {}", goto::name(edge), strain.worst_frame))
    };
    vec![format!("Broken: {what}; the limit is {limit}.")]
}

/// What the worst step did, with a link to the frame that comes after it.
fn between_frames(report: &Report) -> String {
    let strain = &report.strain;
    let (step, edge) = (strain.worst_step_number, strain.worst_step_edge.as_ref());
    let name = edge.map_or_else(|| "an edge".to_owned(), goto::name);
    let worst = percent_unlike(strain.worst_step, strain.limit);
    let words = format!("{name} stretched {worst} in step {step}, between frames");
    match goto::frame_of_step(report, step) {
        Some(frame) => goto::link(frame, edge.map(goto::mark), &words),
        None => words,
    }
}

fn progress_line(report: &Report) -> Option<String> {
    let Report { frames, frames_planned, completed, stopped, .. } = report;
    match stopped {
        Some(reason) => Some(format!("Stopped after frame {frames} of {frames_planned}: {}", prose(reason))),
        None if !completed => Some(format!("Not finished: frame {frames} of {frames_planned}.")),
        None => None,
    }
}
