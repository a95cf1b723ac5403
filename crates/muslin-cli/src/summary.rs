//! What a run says of itself at its end.

use std::path::Path;

use muslin_record::tally::Repair;
use muslin_record::{EnergyRise, Report};

use crate::progress::{duration, percent, percent_unlike, speed, three_digits};

/// The summary of a report, a few lines.
pub(crate) fn of(report: &Report, folder: &Path) -> String {
    let mut lines = vec![headline(report), strain(report)];
    lines.extend(contact(report));
    lines.extend(cloth(report));
    lines.extend(report.contact.pinned.as_ref().map(|pinned| format!("contact   {}", pinned.in_words())));
    lines.extend(repair(report));
    lines.push(motion(report));
    lines.push(energy(report));
    lines.extend(stuck(report));
    lines.extend(solver(report));
    lines.extend(unfinished(report));
    for expectation in &report.expectations {
        let (what, measured, wanted) = (&expectation.what, &expectation.measured, &expectation.wanted);
        let verdict = if expectation.held { "holds" } else { "DOES NOT HOLD" };
        let nothing = "the report has no value there".to_owned();
        let measured = if measured.is_null() { nothing } else { measured.to_string() };
        lines.push(format!("expected  {what} {wanted}: {verdict} ({measured})"));
    }
    lines.push(format!("report    {}", folder.join("report.html").display()));
    lines.join("\n") + "\n"
}

fn headline(report: &Report) -> String {
    let Report { scene, frames, frames_planned, steps, simulated_s, wall_s, cpu_s, .. } = report;
    let factor = if *wall_s > 0.0 { simulated_s / wall_s } else { 0.0 };
    let end = if report.completed { "done" } else { "stopped early" };
    format!(
        "{scene}: {end}, frame {frames} of {frames_planned}, {steps} steps; {simulated_s:.3} s simulated in {} \
         ({}× real time, {} CPU)",
        duration(*wall_s),
        speed(factor),
        duration(*cpu_s)
    )
}

fn strain(report: &Report) -> String {
    let strain = &report.strain;
    let verdict = if strain.kept { "kept" } else { "BROKEN" };
    let place = strain.worst_edge.as_ref().map_or(String::new(), |edge| {
        let [a, b] = edge.vertices;
        format!(" (edge {a}–{b} of `{}`, frame {})", edge.cloth, strain.worst_frame)
    });
    format!(
        "strain    {verdict}: worst {}{place}, {} in any step; limit {}, by `{}`",
        percent_unlike(strain.worst, strain.limit),
        percent_unlike(strain.worst_step, strain.limit),
        percent(strain.limit),
        method_name(report)
    )
}

/// Printed only for scenes with solids.
fn contact(report: &Report) -> Option<String> {
    let contact = &report.contact;
    let thickness = contact.thickness?;
    let Some(kept) = contact.solids_kept() else {
        return Some("contact   not checked: `contact.verify` is off".to_owned());
    };
    let verdict = if kept { "kept" } else { "BROKEN" };
    let place = contact.place.as_ref().map_or(String::new(), |place| format!(" ({place})"));
    let gap = contact.min_gap.map_or("no gap to measure".to_owned(), |gap| format!("least gap {}", millimetres(gap)));
    let crossings =
        contact.intersections.map_or(String::new(), |_| format!(", {} crossings", contact.intersections_solids()));
    let breach = contact.breach_m.filter(|breach| *breach > 0.0);
    let breach = breach.map_or(String::new(), |breach| format!(", greatest breach {}", millimetres(breach)));
    let (mean, most) = (contact.contacts_mean.unwrap_or(0.0), contact.contacts_most.unwrap_or(0));
    let truncated = contact.truncated_steps.unwrap_or(0);
    Some(format!(
        "contact   {verdict}: {gap}{place}{crossings}{breach}; thickness {}, {} contacts a step, {most} at most, \
         {truncated} steps partly repeated",
        millimetres(thickness),
        three_digits(mean),
    ))
}

/// Cloth against cloth; printed where it was measured.
fn cloth(report: &Report) -> Option<String> {
    let contact = &report.contact;
    let count = contact.intersections_cloth?;
    let verdict = match contact.cloth_kept() {
        Some(true) => "kept",
        Some(false) => "BROKEN",
        None => "measured only, not promised",
    };
    let crossings = match (count, &contact.cloth_pair) {
        (0, _) | (_, None) => format!("{count} crossings with cloth"),
        (_, Some(pair)) => format!("{count} crossings with cloth, the first {}", pair.in_words()),
    };
    let layers = match (contact.layer_gap, &contact.layer_pair) {
        (Some(gap), Some(pair)) if gap > 0.0 => {
            format!(", least gap of layers {} ({})", millimetres(gap), pair.in_words())
        }
        (Some(_), _) => String::new(),
        (None, _) => ", no layers near each other".to_owned(),
    };
    let divided = contact.divided.filter(|divided| *divided > 0);
    let divided = divided.map_or(String::new(), |divided| format!("; {divided} pairs of layers blocked a motion"));
    Some(format!("cloth     {verdict}: {crossings}{layers}{divided}"))
}

/// Printed only when cloth was moved, or should have been, before the first step.
fn repair(report: &Report) -> Option<String> {
    let Repair { moved, furthest_m, left, left_at } = report.contact.repair.as_ref()?;
    let still = format!("; {left} places still inside or too near: {}", left_at.join(", "));
    let still = if *left > 0 { still } else { String::new() };
    Some(format!("start     {moved} vertices moved out of solids, by {} at most{still}", millimetres(*furthest_m)))
}

fn millimetres(metres: f64) -> String {
    format!("{} mm", three_digits(1000.0 * metres))
}

/// Printed only when there is something to report.
fn solver(report: &Report) -> Option<String> {
    let (unsolved, steps) = (report.work.unsolved_steps, report.steps);
    let advice = "do not trust this run; a shorter `time.step` or a greater `integrator.max_newton` helps";
    match (unsolved, report.is_solved()) {
        (0, _) => None,
        (_, true) => Some(format!("solver    {unsolved} of {steps} steps not solved to tolerance")),
        (_, false) => Some(format!("solver    {unsolved} of {steps} steps NOT SOLVED to tolerance: {advice}")),
    }
}

/// Printed only where rounds were used up: the limit may be kept all the same.
fn unfinished(report: &Report) -> Option<String> {
    let (unfinished, steps) = (report.work.limiter_unfinished_steps, report.steps);
    let limiter = method_name(report);
    (unfinished > 0)
        .then(|| format!("limiter   {unfinished} of {steps} steps ended before `{limiter}` had reached its tolerance"))
}

fn method_name(report: &Report) -> String {
    let limiter = serde_json::to_value(report.limiter).unwrap_or_default();
    limiter["method"].as_str().unwrap_or_default().to_owned()
}

fn motion(report: &Report) -> String {
    let fall =
        report.motion.fall_s.map_or("did not fall 0.25 m".to_owned(), |fall| format!("fell 0.25 m in {fall:.3} s"));
    let rebound = report.motion.rebound.map_or(String::new(), |rebound| format!(", rebound {rebound:.3}"));
    let rise = report.energy.greatest_rise_j;
    let energy =
        if rise > 0.0 { format!("rose by {rise:.2e} J at most between frames") } else { "never rose".to_owned() };
    format!("motion    {fall}{rebound}; total energy {energy}")
}

/// Whether energy came from nowhere. Methods that promise nothing about it break no promise.
fn energy(report: &Report) -> String {
    let (energy, promised) = (&report.energy, report.promises_motion());
    let verdict = match energy.kept {
        None if report.steps == 0 => return "energy    not judged: no step was completed".to_owned(),
        None => return "energy    not judged: the work of pins, solids or air is not known in any step".to_owned(),
        Some(true) => "kept",
        Some(false) if promised => "BROKEN",
        Some(false) => "not kept (the method does not promise it)",
    };
    let what = energy.worst.as_ref().map_or("never rose by more than the work done on the cloth".to_owned(), |worst| {
        let EnergyRise { cloth, rise_j, allowed_j, within_s, frame, .. } = worst;
        let [rise, allowed] = [rise_j, allowed_j].map(|energy| joules(*energy));
        format!("rose by {rise} within {within_s} s (cloth `{cloth}`, frame {frame}), allowed {allowed}")
    });
    let most = energy.cloths.iter().map(|cloth| cloth.unjudged_steps).max().unwrap_or(0);
    let rest = if most > 0 { format!("; {most} of {} steps not judged", report.steps) } else { String::new() };
    format!("energy    {verdict}: {what}{rest}")
}

/// Printed only when cloth stands still although forces are not in balance.
fn stuck(report: &Report) -> Option<String> {
    let stuck = report.stuck.as_ref()?;
    Some(format!(
        "stuck     cloth `{}` has stood still since {:.2} s (frame {}) although its forces do not balance: by {} of \
         its weight, most at vertex {}",
        stuck.cloth,
        stuck.since_s,
        stuck.frame,
        percent(stuck.imbalance),
        stuck.vertex
    ))
}

/// An energy, in millijoules when it is small.
fn joules(energy: f64) -> String {
    if energy < 0.1 { format!("{} mJ", three_digits(1000.0 * energy)) } else { format!("{} J", three_digits(energy)) }
}
