//! `report.html`: the certificate for people, with charts and the run to play. One file that needs nothing else: no
//! fonts, no network. Facts, tables and charts are plain HTML and SVG; only the player needs the scripts, which stand on
//! the page once the run has ended. Everything that a user typed is escaped.

#![allow(
    clippy::format_collect,
    reason = "a page is a few hundred short strings: plain code matters more than their cost"
)]

mod axis;
mod chart;
mod compare;
mod contact;
mod energy;
mod goto;
mod histogram;
mod player;
mod plot;
mod series;
mod tables;
#[cfg(test)]
mod tests;
pub(crate) mod text;
mod thin;
mod verdict;

use crate::frames::FrameRow;
use crate::report::Report;
use crate::tally::Probe;
pub(crate) use compare::ComparePage;
pub(crate) use player::Player;
use text::{escape, prose, seconds};

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
        let mut sections = vec![self.header(), self.player.section(), verdict::render(report)];
        if !report.expectations.is_empty() {
            sections.push(section("What the scene expects", &tables::expectations(&report.expectations)));
        }
        sections.push(section("Charts", &format!("<div class=\"charts\">\n{}</div>\n", series::charts(self))));
        sections.push(section("Summary", &tables::summary(report)));
        if report.contact.thickness.is_some() {
            sections.push(section("Contact with solids", &contact::table(&report.contact)));
        }
        if !report.probes.is_empty() {
            sections.push(section("Probes", &tables::probes(report)));
        }
        if !report.stages.is_empty() {
            sections.push(section("Time per stage of the step", &tables::stages(report)));
        }
        if !report.notes.is_empty() {
            sections.push(section("Notes", &notes(&report.notes)));
        }
        sections.push(section("Run it again", &self.again()));
        document(&report.scene, self.player.style(), &sections.concat(), &self.player.scripts())
    }

    fn header(&self) -> String {
        let Report { scene, frames, simulated_s, muslin, .. } = self.report;
        format!(
            "<header>\n<h1>{} {}</h1>\n<p class=\"sub\">{frames} frames, {} simulated by muslin {}</p>\n</header>\n",
            escape(scene),
            verdict::badge(self.report),
            seconds(*simulated_s),
            escape(muslin),
        )
    }

    fn again(&self) -> String {
        format!(
            "{}<details>\n\
             <summary>The scene, as it is stored in <code>scene.toml</code></summary>\n\
             <pre><code>{}</code></pre>\n</details>\n",
            command(self.command),
            escape(self.scene_text),
        )
    }
}

/// A whole page around its content.
fn document(title: &str, style: &str, body: &str, scripts: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{} · muslin</title>\n\
         <style>\n{STYLE}{style}</style>\n</head>\n<body>\n<main>\n{body}</main>\n{scripts}</body>\n</html>\n",
        escape(title),
    )
}

/// A command to be typed.
fn command(text: &str) -> String {
    format!("<pre class=\"command\"><code>{}</code></pre>\n", escape(text))
}

fn section(title: &str, content: &str) -> String {
    format!("<section>\n<h2>{title}</h2>\n{content}</section>\n")
}

fn notes(notes: &[String]) -> String {
    let items: String = notes.iter().map(|note| format!("<li>{}</li>\n", prose(note))).collect();
    format!("<ul>\n{items}</ul>\n")
}
