//! What the page says of contact, with solids and of cloth with cloth: lines of the verdict, charts, a table.

#[cfg(test)]
mod tests;

use maud::{Markup, html};

use super::chart::{Line, LineChart, Scale};
use super::tables::{fact, or_dash};
use super::text::{joined, millimetres, prose, significant};
use super::{Page, goto};
use crate::frames::FrameRow;
use crate::report::{ContactReport, LayerPlace, PairPlace};
use crate::tally::{Pinned, Repair};

/// Gaps beyond this many thicknesses are drawn at it: what matters is how cloth lies, not from where it fell.
const FAR: f64 = 10.0;

/// What the verdict says of contact; what was broken comes first.
pub(super) fn lines(contact: &ContactReport) -> Vec<Markup> {
    let mut solids = vec![match contact.solids_kept() {
        None if contact.thickness.is_none() => html! { "There are no solids." },
        None => html! { "Contact with solids was not checked." },
        Some(true) => html! { "Kept: nothing passed into a solid." (least_gap(contact)) },
        Some(false) => html! { "Broken: " (joined(&breaches(contact), "; ")) "." },
    }];
    solids.extend(contact.repair.as_ref().and_then(repair));
    solids
        .extend(contact.pinned.as_ref().map(|pinned| html! { "Not kept out of solids: " (prose(&words(pinned))) "." }));
    let cloth = cloth_line(contact);
    if contact.cloth_kept() == Some(false) && contact.solids_kept() != Some(false) {
        solids.insert(0, cloth);
    } else {
        solids.push(cloth);
    }
    solids
}

/// What was measured of cloth against cloth, and whether it was promised.
fn cloth_line(contact: &ContactReport) -> Markup {
    let Some(count) = contact.intersections_cloth else {
        return html! { "Contact of cloth with cloth was not checked." };
    };
    let crossed = html! {
        "cloth crossed cloth " (count) " times in all frames together, at most "
        (most(contact.intersections_cloth_most, contact.intersections_cloth_frame))
    };
    let layers = html! {
        @if let (Some(gap), Some(pair)) = (contact.layer_gap, &contact.layer_pair) {
            " Layers came as near as " (millimetres(gap)) ": " (layer_link(pair)) "."
        } @else { " No layers came near each other." }
    };
    let measured = "Measured, but not promised by this run";
    match contact.cloth_kept() {
        Some(true) => html! { "Kept: no cloth crossed cloth." (layers) },
        Some(false) => html! { "Broken: " (crossed) "." (layers) },
        None if count == 0 => html! { (measured) ": no cloth crossed cloth." (layers) },
        None => html! { (measured) ": " (crossed) "." (layers) },
    }
}

/// The least gap and between which pair, when there is one.
fn least_gap(contact: &ContactReport) -> Markup {
    html! {
        @if let Some(gap) = contact.min_gap {
            " The least gap was " (millimetres(gap))
            @if let Some(pair) = &contact.worst_pair { ": " (link(pair)) }
            "."
        }
    }
}

/// Everything that was wrong, each in words.
fn breaches(contact: &ContactReport) -> Vec<Markup> {
    let mut breaches = Vec::new();
    let pair = contact.worst_pair.as_ref();
    if let Some(depth) = contact.min_gap.filter(|gap| *gap < 0.0) {
        let cloth = pair.map_or_else(|| html! { "cloth" }, link);
        breaches.push(html! { (cloth) " was " (millimetres(-depth)) " inside" });
    }
    let count = contact.intersections_solids();
    if count > 0 {
        // Those of cloth with cloth are among the most of a frame.
        let alone = contact.intersections_cloth.unwrap_or(0) == 0;
        breaches.push(html! {
            "edges crossed triangles " (count) " times in all frames together"
            @if alone { ", at most " (most(contact.intersections_most, contact.intersections_frame)) }
        });
    }
    if let (Some(depth), Some(step)) = (contact.breach_m.filter(|depth| *depth > 0.0), contact.breach_step) {
        breaches.push(html! { "step " (step) " let a breach of " (millimetres(depth)) " pass" });
    }
    breaches
}

/// Most crossings in a frame, with a link to it.
fn most(most: Option<u64>, frame: Option<u64>) -> Markup {
    match (most, frame) {
        (Some(most), Some(frame)) => goto::link(frame, None, &html! { (most) " in frame " (frame) }),
        _ => Markup::default(),
    }
}

/// Two parts of cloth, with a link to their frame.
fn layer_link(pair: &LayerPlace) -> Markup {
    let (LayerPlace { cloths: [one, other], frame, .. }, [first, second]) = (pair, pair.parts());
    let words = html! { (first) " of " code { (one) } " at " (second) " of " code { (other) } " in frame " (frame) };
    goto::link(*frame, pair.edge(), &words)
}

/// A pair, with a link to its frame.
fn link(pair: &PairPlace) -> Markup {
    let PairPlace { cloth, collider, frame, .. } = pair;
    let words = html! { (pair.part()) " of " code { (cloth) } " at " code { (collider) } " in frame " (frame) };
    goto::link(*frame, pair.edge().map(|edge| (cloth.as_str(), edge)), &words)
}

/// What was moved before the first step, if anything was.
fn repair(Repair { moved, furthest_m, left, left_at }: &Repair) -> Option<Markup> {
    let moved = (*moved > 0).then(|| {
        let furthest = millimetres(*furthest_m);
        html! {
            "Cloth started in or too near to solids: " (moved) " vertices were moved, by " (furthest) " at most."
        }
    });
    let left = (*left > 0).then(|| {
        let named = prose(&left_at.join("; "));
        html! { "Before the first step, " (left) " places were still inside or too near: " (named) "." }
    });
    let sentences: Vec<Markup> = moved.into_iter().chain(left).collect();
    (!sentences.is_empty()).then(|| joined(&sentences, " "))
}

/// What is left out near pins, and how deep it is.
fn words(pinned: &Pinned) -> String {
    let gap = pinned.min_gap.map_or(String::new(), |gap| format!(", least gap {}", millimetres(gap)));
    pinned.in_words() + &gap
}

/// The figures.
pub(super) fn table(contact: &ContactReport) -> Markup {
    html! {
        table.facts {
            @if contact.thickness.is_some() { (solid_facts(contact)) }
            @if contact.intersections_cloth.is_some() { (cloth_facts(contact)) }
            (fact("Steps cut short by an impact", or_dash(contact.truncated_steps)))
            (fact("Greatest breach that a step let pass", or_dash(contact.breach_m.map(millimetres))))
            @if let Some(pinned) = &contact.pinned { (fact("Left out near pins", left_out(pinned))) }
        }
    }
}

fn solid_facts(contact: &ContactReport) -> Markup {
    let crossings = contact.intersections.map(|_| contact.intersections_solids());
    html! {
        (fact("Thickness", or_dash(contact.thickness.map(millimetres))))
        (fact("Least gap to a solid in a frame", or_dash(contact.min_gap.map(millimetres))))
        (fact("Where", or_dash(contact.worst_pair.as_ref().map(link))))
        (fact("Crossings with solids, all frames", or_dash(crossings)))
        (fact("Contacts per step, mean", or_dash(contact.contacts_mean.map(|mean| significant(mean, 3)))))
        (fact("Contacts per step, most", or_dash(contact.contacts_most)))
    }
}

fn cloth_facts(contact: &ContactReport) -> Markup {
    let promised = if contact.cloth_promised { "promised" } else { "measured only" };
    let per_step = |mean: Option<f64>, most: Option<u32>| {
        mean.zip(most).map(|(mean, most)| format!("{} in the mean, {most} at most", significant(mean, 3)))
    };
    let mean_gap = contact.layer_gap_mean.map(|gap| format!("{} × the thickness", significant(gap, 3)));
    html! {
        (fact("Cloth against cloth", promised))
        (fact("Least gap of layers in a frame", or_dash(contact.layer_gap.map(millimetres))))
        (fact("Where", or_dash(contact.layer_pair.as_ref().map(layer_link))))
        (fact("Least gap of parts without a common vertex", or_dash(contact.cloth_gap.map(millimetres))))
        (fact("Where", or_dash(contact.cloth_pair.as_ref().map(layer_link))))
        (fact("Crossings of cloth with cloth, all frames", or_dash(contact.intersections_cloth)))
        @if contact.cloth_promised {
            (fact("Layers pushed apart per step", or_dash(per_step(contact.layers_mean, contact.layers_most))))
            (fact("Their mean gap", or_dash(mean_gap)))
            (fact("Pairs of layers that blocked a motion", or_dash(contact.divided)))
        }
    }
}

fn left_out(Pinned { vertices, edges, triangles, crossings, .. }: &Pinned) -> String {
    let crossings = crossings.map_or(String::new(), |count| format!("; {count} crossings"));
    format!("{vertices} vertices, {edges} edges, {triangles} triangles{crossings}")
}

/// Gaps and contacts over time, with solids, and of layers where any were near.
pub(super) fn charts(page: &Page) -> Markup {
    let contact = &page.report.contact;
    html! {
        @if let Some(thickness) = contact.thickness {
            @if contact.checked { (gap_over_time(page.rows, thickness)) }
            (contacts_over_time(page.rows))
        }
        @if contact.layer_gap.is_some() { (layer_gap_over_time(page.rows)) }
    }
}

fn gap_over_time(rows: &[FrameRow], thickness: f64) -> Markup {
    let far = FAR * thickness;
    let point = |row: &FrameRow| row.contact.min_gap.map(|gap| [row.report.time, 1000.0 * gap.min(far)]);
    let chart = LineChart {
        id: "gap",
        title: &format!("Least gap to solids (up to {})", millimetres(far)),
        y_label: "gap [mm]",
        lines: vec![Line { name: "least gap", points: rows.iter().filter_map(point).collect() }],
        level: Some((1000.0 * thickness, format!("thickness {}", millimetres(thickness)))),
        scale: Scale::FromZero,
        note: None,
    };
    chart.render()
}

fn layer_gap_over_time(rows: &[FrameRow]) -> Markup {
    let point = |row: &FrameRow| row.contact.layer_gap.map(|gap| [row.report.time, 1000.0 * gap]);
    let chart = LineChart {
        id: "layers",
        title: "Least gap of layers of cloth",
        y_label: "gap [mm]",
        lines: vec![Line { name: "least gap of layers", points: rows.iter().filter_map(point).collect() }],
        level: None,
        scale: Scale::FromZero,
        note: None,
    };
    chart.render()
}

fn contacts_over_time(rows: &[FrameRow]) -> Markup {
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
        note: None,
    };
    chart.render()
}
