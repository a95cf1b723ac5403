//! `compare.html`: several methods side by side. Plain HTML and SVG like `report.html`; its pictures are in the page,
//! its links lead to the pages of the runs beside it.

mod charts;
mod table;
#[cfg(test)]
mod tests;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::text::{count, escape, percent, prose};
use super::{command, document, section};
use crate::compare::{Comparison, MethodRow, Trial, Verdict};

const STYLE: &str = include_str!("style.css");

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
        let charts = format!("<div class=\"charts\">\n{}</div>\n", charts::render(self));
        let sections = [
            self.header(),
            self.summary(),
            section("Figures", &table::render(self.comparison)),
            section("Charts", &charts),
            section("Method by method", &self.methods()),
            section("Compare again", &command(&self.comparison.command)),
        ];
        let title = format!("{}: limiters compared", self.comparison.scene);
        document(&title, STYLE, &sections.concat(), "")
    }

    fn header(&self) -> String {
        let Comparison { scene, muslin, frames_planned, threads, methods, .. } = self.comparison;
        format!(
            "<header>\n<h1>{}: {} compared</h1>\n\
             <p class=\"sub\">{frames_planned} frames each, on {}, by muslin {}</p>\n</header>\n",
            escape(scene),
            count(methods.len(), "limiter"),
            count(*threads, "thread"),
            escape(muslin),
        )
    }

    /// How many methods came to what.
    fn summary(&self) -> String {
        let methods = &self.comparison.methods;
        let named = |verdict: Verdict| -> Vec<&str> {
            methods.iter().filter(|row| row.verdict == verdict).map(|row| row.method.as_str()).collect()
        };
        let limit = percent(self.comparison.limit);
        let kept = named(Verdict::Kept);
        let first = match kept.len() {
            0 => format!("No method kept every promise, a limit of {limit} among them."),
            _ => format!("Every promise, a limit of {limit} among them, was kept by {}.", list(&kept)),
        };
        let rest = [
            (Verdict::Broken, "A promise was broken by"),
            (Verdict::Stopped, "Stopped early:"),
            (Verdict::NotRun, "Not run:"),
        ];
        let line = |(verdict, words): (Verdict, &str)| match &named(verdict)[..] {
            [] => String::new(),
            names => format!("<p>{words} {}.</p>\n", list(names)),
        };
        format!("<p>{first}</p>\n{}", rest.map(line).concat())
    }

    fn methods(&self) -> String {
        self.comparison.methods.iter().zip(self.trials).map(|(row, trial)| method(row, trial)).collect()
    }
}

fn list(names: &[&str]) -> String {
    let names: Vec<_> = names.iter().map(|name| format!("<code>{}</code>", escape(name))).collect();
    names.join(", ")
}

/// The verdict as a word with a sign and a colour.
fn badge(verdict: Verdict) -> String {
    let (class, sign) = match verdict {
        Verdict::Kept => ("kept", "✔"),
        Verdict::Broken => ("broken", "✘"),
        Verdict::Stopped => ("broken", "■"),
        Verdict::NotRun => ("unfinished", "…"),
    };
    format!("<span class=\"badge {class}\"><span aria-hidden=\"true\">{sign}</span> {}</span>", verdict.name())
}

fn method(row: &MethodRow, trial: &Trial) -> String {
    let name = escape(&row.method);
    let mut parts = vec![format!("<h3 id=\"{name}\"><code>{name}</code> {}</h3>\n", badge(row.verdict))];
    parts.extend(row.why.as_ref().map(|why| format!("<p>{}</p>\n", prose(&capital(why)))));
    parts.extend(row.notes.iter().map(|note| format!("<p class=\"note\">{}</p>\n", prose(&capital(note)))));
    if let Some(png) = &trial.strip {
        parts.push(format!(
            "<div class=\"wide figures\" tabindex=\"0\" role=\"group\" aria-label=\"Pictures of {name}\">\
             <img class=\"strip\" alt=\"The cloth by {name} at several times, coloured by strain: {}\" \
             src=\"data:image/png;base64,{}\"></div>\n",
            escape(&in_words(row)),
            STANDARD.encode(png),
        ));
    }
    if let Some(run) = &row.run {
        let run = escape(run);
        parts.push(format!("<p><a href=\"{run}/report.html\">Report of {name}, with the run to play</a></p>\n"));
    }
    parts.concat()
}

/// What a picture's strain colours amount to.
fn in_words(row: &MethodRow) -> String {
    row.worst_strain.map_or_else(|| "nothing was run".to_owned(), |worst| format!("{} at most", percent(worst)))
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
