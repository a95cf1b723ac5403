//! `compare.html`: several methods side by side. Plain HTML and SVG like `report.html`; its pictures are in the page,
//! its links lead to the pages of the runs beside it.

mod charts;
mod table;
#[cfg(test)]
mod tests;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use maud::{Markup, html};

use super::text::{count, joined, percent, prose};
use super::{command, document, section};
use crate::compare::{Comparison, MethodRow, Trial, Verdict};

pub(super) const STYLE: &str = include_str!("style.css");

/// Everything the page is made of.
#[derive(Debug)]
pub(crate) struct ComparePage<'a> {
    pub(crate) comparison: &'a Comparison,
    /// The runs behind the rows, in the same order.
    pub(crate) trials: &'a [Trial],
}

impl ComparePage<'_> {
    /// The page.
    pub(crate) fn render(&self) -> String {
        let body = html! {
            (self.header())
            (self.summary())
            (section("Figures", &table::render(self.comparison)))
            (section("Charts", &html! { div.charts { (charts::render(self)) } }))
            (section("Method by method", &self.methods()))
            (section("Compare again", &command(&self.comparison.command)))
        };
        let title = format!("{}: limiters compared", self.comparison.scene);
        document(&title, STYLE, &body, &Markup::default())
    }

    fn header(&self) -> Markup {
        let Comparison { scene, muslin, frames_planned, threads, methods, .. } = self.comparison;
        html! {
            header {
                h1 { (scene) ": " (count(methods.len(), "limiter")) " compared" }
                p.sub {
                    (frames_planned) " frames each, on at most " (count(*threads, "thread")) ", by muslin " (muslin)
                }
            }
        }
    }

    /// How many methods came to what.
    fn summary(&self) -> Markup {
        let methods = &self.comparison.methods;
        let named = |verdict: Verdict| -> Vec<&str> {
            methods.iter().filter(|row| row.verdict == verdict).map(|row| row.method.as_str()).collect()
        };
        let limit = percent(self.comparison.limit);
        let kept = named(Verdict::Kept);
        let rest = [
            (Verdict::Broken, "Something was not kept by"),
            (Verdict::Stopped, "Stopped early:"),
            (Verdict::NotRun, "Not run:"),
        ];
        html! {
            @if kept.is_empty() {
                p { "No method kept the limit of " (limit) " and everything else that was checked." }
            } @else {
                p { "The limit of " (limit) ", and everything else that was checked, was kept by " (list(&kept)) "." }
            }
            @for (verdict, words) in rest {
                @let names = named(verdict);
                @if !names.is_empty() {
                    p { (words) " " (list(&names)) "." }
                }
            }
        }
    }

    fn methods(&self) -> Markup {
        html! {
            @for (row, trial) in self.comparison.methods.iter().zip(self.trials) { (method(row, trial)) }
        }
    }
}

fn list(names: &[&str]) -> Markup {
    let names: Vec<_> = names.iter().map(|name| html! { code { (name) } }).collect();
    joined(&names, ", ")
}

/// The verdict as a word with a sign and a colour.
fn badge(verdict: Verdict) -> Markup {
    let (class, sign) = match verdict {
        Verdict::Kept => ("kept", "✔"),
        Verdict::Broken => ("broken", "✘"),
        Verdict::Stopped => ("broken", "■"),
        Verdict::NotRun => ("unfinished", "…"),
    };
    html! { span.badge.(class) { span aria-hidden="true" { (sign) } " " (verdict.name()) } }
}

fn method(row: &MethodRow, trial: &Trial) -> Markup {
    let name = &row.method;
    html! {
        h3 id=(name) { code { (name) } " " (badge(row.verdict)) }
        @if let Some(why) = &row.why {
            p { (prose(&capital(why))) }
        }
        @for note in &row.notes {
            p.note { (prose(&capital(note))) }
        }
        @if let Some(png) = &trial.strip {
            div.wide.figures tabindex="0" role="group" aria-label={ "Pictures of " (name) } {
                img.strip alt={ "The cloth by " (name) " at several times, coloured by strain: " (in_words(row)) }
                    src={ "data:image/png;base64," (STANDARD.encode(png)) };
            }
        }
        @if let Some(run) = &row.run {
            p { a href={ (run) "/report.html" } { "Report of " (name) ", with the run to play" } }
        }
    }
}

/// What a picture's strain colours amount to.
fn in_words(row: &MethodRow) -> String {
    row.worst_strain.map_or_else(|| "nothing was run".to_owned(), |worst| format!("{} at most", percent(worst)))
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
