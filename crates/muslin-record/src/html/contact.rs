//! What the page says of contact with solids: lines of the verdict, charts, a table.

#[cfg(test)]
mod tests;

use super::chart::{Line, LineChart, Scale};
use super::text::{escape, millimetres, prose, significant};
use super::{Page, goto, tables};
use crate::frames::FrameRow;
use crate::report::{ContactReport, PairPlace};
use crate::tally::{Pinned, Repair};

/// Gaps beyond this many thicknesses are drawn at it: what matters is how cloth lies, not from where it fell.
const FAR: f64 = 10.0;

/// What the verdict says of contact.
pub(super) fn lines(contact: &ContactReport) -> Vec<String> {
    const OTHER_CLOTH: &str = " Contact of cloth with cloth was not checked.";
    let mut lines = match contact.kept {
        None if contact.thickness.is_none() => vec!["There are no solids.".to_owned()],
        None => vec!["Contact with solids was not checked.".to_owned()],
        Some(true) => vec![format!("Kept: nothing passed into a solid.{}", least_gap(contact))],
        Some(false) => vec![format!("Broken: {}.", breaches(contact).join("; "))],
    };
    lines.extend(contact.repair.as_ref().and_then(repair));
    lines.extend(contact.pinned.as_ref().map(|pinned| format!("Not kept out of solids: {}.", prose(&words(pinned)))));
    if let Some(last) = lines.last_mut() {
        last.push_str(OTHER_CLOTH);
    }
    lines
}

/// The least gap and who has it, when there is one.
fn least_gap(contact: &ContactReport) -> String {
    let Some(gap) = contact.min_gap else { return String::new() };
    let who = contact.worst_pair.as_ref().map_or_else(String::new, |pair| format!(": {}", link(pair)));
    format!(" The least gap was {}{who}.", millimetres(gap))
}

/// Everything that was wrong, each in words.
fn breaches(contact: &ContactReport) -> Vec<String> {
    let mut breaches = Vec::new();
    let pair = contact.worst_pair.as_ref();
    if let Some(depth) = contact.min_gap.filter(|gap| *gap < 0.0) {
        let who = pair.map_or_else(|| "cloth".to_owned(), link);
        breaches.push(format!("{who} was {} inside", millimetres(-depth)));
    }
    if let Some(count) = contact.intersections.filter(|count| *count > 0) {
        let most = match (contact.intersections_most, contact.intersections_frame) {
            (Some(most), Some(frame)) => goto::link(frame, None, &format!("{most} in frame {frame}")),
            _ => String::new(),
        };
        breaches.push(format!("edges crossed triangles {count} times in all frames together, at most {most}"));
    }
    if let (Some(depth), Some(step)) = (contact.breach_m.filter(|depth| *depth > 0.0), contact.breach_step) {
        breaches.push(format!("step {step} let a breach of {} pass", millimetres(depth)));
    }
    breaches
}

/// A pair, with the way to its frame.
fn link(pair: &PairPlace) -> String {
    let PairPlace { cloth, collider, frame, .. } = pair;
    let (part, cloth, collider) = (pair.part(), escape(cloth), escape(collider));
    let words = format!("{part} of <code>{cloth}</code> at <code>{collider}</code> in frame {frame}");
    goto::link(*frame, pair.edge().map(|edge| (pair.cloth.as_str(), edge)), &words)
}

/// What was moved before the first step, if anything was.
fn repair(Repair { moved, furthest_m, left, left_at }: &Repair) -> Option<String> {
    let moved = (*moved > 0).then(|| {
        let furthest = millimetres(*furthest_m);
        format!("Cloth started in or too near to solids: {moved} vertices were moved, by {furthest} at most.")
    });
    let left = (*left > 0).then(|| {
        let named = prose(&left_at.join("; "));
        format!("Before the first step, {left} places were still inside or too near: {named}.")
    });
    let told: Vec<String> = moved.into_iter().chain(left).collect();
    (!told.is_empty()).then(|| told.join(" "))
}

/// What is left out near pins, and how deep it is.
fn words(pinned: &Pinned) -> String {
    let gap = pinned.min_gap.map_or(String::new(), |gap| format!(", least gap {}", millimetres(gap)));
    pinned.in_words() + &gap
}

/// The figures.
pub(super) fn table(contact: &ContactReport) -> String {
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "—".to_owned());
    let mut rows = vec![
        ("Thickness", or_dash(contact.thickness.map(millimetres))),
        ("Least gap in a frame", or_dash(contact.min_gap.map(millimetres))),
        ("Where", or_dash(contact.worst_pair.as_ref().map(link))),
        ("Crossings of edges and triangles, all frames", or_dash(contact.intersections.map(|count| count.to_string()))),
        ("Contacts per step, mean", or_dash(contact.contacts_mean.map(|mean| significant(mean, 3)))),
        ("Contacts per step, most", or_dash(contact.contacts_most.map(|most| most.to_string()))),
        ("Steps cut short by an impact", or_dash(contact.truncated_steps.map(|steps| steps.to_string()))),
        ("Greatest breach that a step let pass", or_dash(contact.breach_m.map(millimetres))),
    ];
    rows.extend(contact.pinned.as_ref().map(|pinned| ("Left out near pins", left_out(pinned))));
    tables::facts(&rows)
}

fn left_out(Pinned { vertices, edges, triangles, crossings, .. }: &Pinned) -> String {
    let crossings = crossings.map_or(String::new(), |count| format!("; {count} crossings"));
    format!("{vertices} vertices, {edges} edges, {triangles} triangles{crossings}")
}

/// Gaps and contacts over time; nothing without solids.
pub(super) fn charts(page: &Page) -> Vec<String> {
    let Some(thickness) = page.report.contact.thickness else { return Vec::new() };
    let gaps = page.report.contact.checked.then(|| gap_over_time(page.rows, thickness));
    gaps.into_iter().chain([contacts_over_time(page.rows)]).collect()
}

fn gap_over_time(rows: &[FrameRow], thickness: f64) -> String {
    let far = FAR * thickness;
    let point = |row: &FrameRow| row.contact.min_gap.map(|gap| [row.report.time, 1000.0 * gap.min(far)]);
    let chart = LineChart {
        id: "gap",
        title: &format!("Least gap to solids (up to {})", millimetres(far)),
        y_label: "gap [mm]",
        lines: vec![Line { name: "least gap", points: rows.iter().filter_map(point).collect() }],
        level: Some((1000.0 * thickness, format!("thickness {}", millimetres(thickness)))),
        scale: Scale::FromZero,
    };
    chart.render()
}

fn contacts_over_time(rows: &[FrameRow]) -> String {
    let line = |name, value: &dyn Fn(&FrameRow) -> f64| Line {
        name,
        points: rows.iter().map(|row| [row.report.time, value(row)]).collect(),
    };
    let chart = LineChart {
        id: "contacts",
        title: "Contacts per step",
        y_label: "contacts",
        lines: vec![
            line("most in a step", &|row| f64::from(row.contact.contacts_most)),
            line("mean of the frame's steps", &|row| row.contact.contacts_mean),
        ],
        level: None,
        scale: Scale::FromZero,
    };
    chart.render()
}
