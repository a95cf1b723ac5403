//! `report.html`: the certificate for people, with charts and the run to play. One file that needs nothing else: no
//! fonts, no network. Facts, tables and charts are plain HTML and SVG; only the player needs the scripts, which stand
//! on the page once the run has ended. Whatever is text passes through `html!`, which escapes it.

mod chart;
mod compare;
mod contact;
mod energy;
mod goto;
mod player;
mod plot;
mod series;
mod tables;
#[cfg(test)]
mod tests;
pub(crate) mod text;
mod verdict;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::frames::FrameRow;
use crate::report::Report;
use crate::tally::Probe;
pub(crate) use compare::ComparePage;
pub(crate) use player::Player;
use text::{prose, seconds};

const STYLE: &str = include_str!("style.css");

/// Most bytes of the page: what one can still send by mail and open on a phone.
pub(crate) const PAGE_LIMIT: usize = 25_000_000;

/// Everything the page is made of.
#[derive(Debug)]
pub(crate) struct Page<'a> {
    pub(crate) report: &'a Report,
    pub(crate) rows: &'a [FrameRow],
    pub(crate) probes: &'a [Probe],
    pub(crate) scene_text: &'a str,
    pub(crate) command: &'a str,
    pub(crate) player: Player<'a>,
}

impl Page<'_> {
    /// The page.
    pub(crate) fn render(&self) -> String {
        let report = self.report;
        let body = html! {
            (self.header())
            (self.player.section())
            (verdict::render(report))
            @if !report.expectations.is_empty() {
                (section("What the scene expects", &tables::expectations(&report.expectations)))
            }
            (section("Charts", &html! { div.charts { (series::charts(self)) } }))
            (section("Summary", &tables::summary(report)))
            @if report.contact.thickness.is_some() || report.contact.intersections_cloth.is_some() {
                (section("Contact", &contact::table(&report.contact)))
            }
            @if !report.probes.is_empty() {
                (section("Probes", &tables::probes(report)))
            }
            @if !report.stages.is_empty() {
                (section("Time per stage of the step", &tables::stages(report)))
            }
            @if !report.notes.is_empty() {
                (section("Notes", &notes(&report.notes)))
            }
            (section("Run it again", &self.again()))
        };
        document(&report.scene, self.player.style(), &body, &self.player.scripts())
    }

    fn header(&self) -> Markup {
        let Report { scene, frames, simulated_s, muslin, .. } = self.report;
        html! {
            header {
                h1 { (scene) " " (verdict::badge(self.report)) }
                p.sub { (frames) " frames, " (seconds(*simulated_s)) " simulated by muslin " (muslin) }
            }
        }
    }

    fn again(&self) -> Markup {
        html! {
            (command(self.command))
            details {
                summary { "The scene, as it is stored in " code { "scene.toml" } }
                pre { code { (self.scene_text) } }
            }
        }
    }
}

/// A whole page around its content. Styles stand there as they are, because browsers do not unescape them: they are
/// files of this folder, and a test keeps them from ending their element.
fn document(title: &str, style: &'static str, body: &Markup, scripts: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) " · muslin" }
                style { (PreEscaped(STYLE)) (PreEscaped(style)) }
            }
            body {
                main { (body) }
                (scripts)
            }
        }
    };
    page.into_string()
}

/// A command to be typed.
fn command(text: &str) -> Markup {
    html! { pre.command { code { (text) } } }
}

fn section(title: &str, content: &Markup) -> Markup {
    html! {
        section {
            h2 { (title) }
            (content)
        }
    }
}

fn notes(notes: &[String]) -> Markup {
    html! {
        ul {
            @for note in notes {
                li { (prose(note)) }
            }
        }
    }
}
