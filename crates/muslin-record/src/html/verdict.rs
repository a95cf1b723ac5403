//! The verdict: whether the promises were kept, in plain words.

use maud::{Markup, html};

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

/// The outcome beside the title, with a link to the reasons.
pub(super) fn badge(report: &Report) -> Markup {
    let (class, sign, name) = outcome(report);
    html! { a.badge.(class) href="#verdict" { span aria-hidden="true" { (sign) } " " (name) } }
}

/// The box with the result.
pub(super) fn render(report: &Report) -> Markup {
    let (class, sign, _) = outcome(report);
    let failed = failed(report);
    let parts = [
        (report.strain.kept, strain_lines(report)),
        (report.contact.kept != Some(false), contact::lines(&report.contact)),
        (report.motion_kept(), energy::lines(report)),
    ];
    // What was broken comes first.
    let (kept, broken): (Vec<_>, Vec<_>) = parts.into_iter().partition(|(kept, _)| *kept);
    let mut lines: Vec<Markup> = broken.into_iter().chain(kept).flat_map(|(_, lines)| lines).collect();
    lines.extend(progress_line(report));
    if report.work.unsolved_steps > 0 {
        let warning = if report.is_solved() { "" } else { " Do not trust this run: take shorter steps." };
        let (unsolved, steps) = (report.work.unsolved_steps, report.steps);
        lines.push(
            html! { (unsolved) " of " (steps) " steps were not solved to the integrator's tolerance." (warning) },
        );
    }
    if failed > 0 {
        let verb = if failed == 1 { "does" } else { "do" };
        lines.push(html! { (count(failed, "expectation")) " of the scene " (verb) " not hold." });
    }
    html! {
        div id="verdict" class={ "verdict " (class) } {
            span.sign aria-hidden="true" { (sign) }
            div {
                p.first { (lines[0]) }
                @for line in &lines[1..] {
                    p { (line) }
                }
            }
        }
    }
}

fn strain_lines(report: &Report) -> Vec<Markup> {
    let strain = &report.strain;
    let (limit, frame) = (percent(strain.limit), strain.worst_frame);
    let Some(edge) = &strain.worst_edge else {
        return vec![html! { "Kept: there are no structural edges to stretch." }];
    };
    let at_worst = |words: &Markup| goto::link(frame, Some(goto::mark(edge)), words);
    if strain.kept {
        let mut lines = vec![html! { "Kept: no edge stretched more than " (limit) "." }];
        if !within_limit(strain.worst, strain.limit) {
            let worst = at_worst(&html! { (goto::name(edge)) " by " (percent(strain.worst)) });
            lines =
                vec![html! { "Kept: it started over its limit of " (limit) ", " (worst) "; no step ended over it." }];
        } else if strain.worst > 0.0 {
            let link = at_worst(&html! { (goto::name(edge)) " in frame " (frame) });
            lines.push(html! { "The most was " (percent(strain.worst)) ": " (link) "." });
        }
        return lines;
    }
    // The worst frame can be looked at; a step between frames is named only when no frame shows the breach.
    let what = if within_limit(strain.worst, strain.limit) {
        between_frames(report)
    } else {
        let worst = percent_unlike(strain.worst, strain.limit);
        at_worst(&html! { (goto::name(edge)) " stretched " (worst) " in frame " (frame) })
    };
    vec![html! { "Broken: " (what) "; the limit is " (limit) "." }]
}

/// What the worst step did, with a link to the frame that comes after it.
fn between_frames(report: &Report) -> Markup {
    let strain = &report.strain;
    let (step, edge) = (strain.worst_step_number, strain.worst_step_edge.as_ref());
    let name = edge.map_or_else(|| html! { "an edge" }, goto::name);
    let worst = percent_unlike(strain.worst_step, strain.limit);
    let words = html! { (name) " stretched " (worst) " in step " (step) ", between frames" };
    match goto::frame_of_step(report, step) {
        Some(frame) => goto::link(frame, edge.map(goto::mark), &words),
        None => words,
    }
}

fn progress_line(report: &Report) -> Option<Markup> {
    let Report { frames, frames_planned, completed, stopped, .. } = report;
    match stopped {
        Some(reason) => Some(html! { "Stopped after frame " (frames) " of " (frames_planned) ": " (prose(reason)) }),
        None if !completed => Some(html! { "Not finished: frame " (frames) " of " (frames_planned) "." }),
        None => None,
    }
}
