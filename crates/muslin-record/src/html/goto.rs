//! Links into the run: a click shows the frame, and the edge if one is meant.

use maud::{Markup, html};

use crate::report::{EdgePlace, Report};

/// An edge to be marked: its cloth and its vertices.
pub(super) type Mark<'a> = (&'a str, [u32; 2]);

/// The mark of an edge.
pub(super) fn mark(edge: &EdgePlace) -> Mark<'_> {
    (&edge.cloth, edge.vertices)
}

/// A link around words. Without the player it leads to where the player would be.
pub(super) fn link(frame: u64, edge: Option<Mark>, words: &Markup) -> Markup {
    let cloth = edge.map(|(cloth, _)| cloth);
    let vertices = edge.map(|(_, [a, b])| format!("{a}-{b}"));
    html! { a.goto href="#player" data-frame=(frame) data-cloth=[cloth] data-edge=[vertices] { (words) } }
}

/// The frame that shows what a step did: the first one at or after its end; none before there is one.
pub(super) fn frame_of_step(report: &Report, step: u64) -> Option<u64> {
    let steps_per_frame = report.steps.checked_div(report.frames).filter(|steps| *steps > 0)?;
    Some(step.div_ceil(steps_per_frame).min(report.frames))
}

/// An edge in words.
pub(super) fn name(edge: &EdgePlace) -> Markup {
    let [a, b] = edge.vertices;
    html! { "edge " (a) "–" (b) " of " code { (edge.cloth) } }
}
