//! Which charts the page shows, and where their numbers come from.

use maud::{Markup, html};
use muslin::report::Energies;

use super::chart::{Line, LineChart, Scale, histogram};
use super::text::percent;
use super::{Page, contact};
use crate::frames::FrameRow;

/// How an energy is read from a frame.
type Part = fn(&Energies) -> f64;

/// All charts.
pub(super) fn charts(page: &Page) -> Markup {
    let strain = &page.report.strain;
    let (last, worst) = (&strain.histogram.last, &strain.histogram.worst);
    let last_title = format!("Strain of the edges, last frame ({})", last.frame);
    let worst_title = format!("Strain of the edges, worst frame ({})", worst.frame);
    html! {
        (strain_over_time(page))
        (histogram("histogram-last", &last_title, last, strain.limit))
        @if worst.frame != last.frame {
            (histogram("histogram-worst", &worst_title, worst, strain.limit))
        }
        (contact::charts(page))
        (energies(page.rows))
        (height(page.rows))
        @for probe in 0..page.probes.len() {
            (probe_over_time(page, probe))
        }
    }
}

fn line<'a>(name: &'a str, rows: &[FrameRow], value: impl Fn(&FrameRow) -> f64) -> Line<'a> {
    Line { name, points: rows.iter().map(|row| [row.report.time, value(row)]).collect() }
}

fn strain_over_time(page: &Page) -> Markup {
    let limit = page.report.strain.limit;
    let chart = LineChart {
        id: "strain",
        title: "Strain over time",
        y_label: "strain [%]",
        lines: vec![
            line("worst edge", page.rows, |row| 100.0 * row.report.strain.worst),
            line("99 % of edges are below", page.rows, |row| 100.0 * row.report.strain.p99),
            line("mean", page.rows, |row| 100.0 * row.report.strain.mean),
        ],
        level: Some((100.0 * limit, format!("limit {}", percent(limit)))),
        scale: Scale::FromZero,
        note: None,
    };
    chart.render()
}

/// Parts that are nothing all along are left out, but for the two that every motion has.
fn energies(rows: &[FrameRow]) -> Markup {
    let parts: [(&str, Part); 6] = [
        ("total", Energies::total),
        ("kinetic", |energies| energies.kinetic),
        ("gravity", |energies| energies.gravity),
        ("stretch", |energies| energies.stretch),
        ("shear", |energies| energies.shear),
        ("bending", |energies| energies.bending),
    ];
    let present = |(index, (_, part)): &(usize, (&str, Part))| {
        *index < 3 || rows.iter().any(|row| part(&row.report.energies) != 0.0)
    };
    let lines = parts.into_iter().enumerate().filter(present);
    let chart = LineChart {
        id: "energy",
        title: "Energy over time",
        y_label: "energy [J]",
        lines: lines.map(|(_, (name, part))| line(name, rows, |row| part(&row.report.energies))).collect(),
        level: None,
        scale: Scale::FromZero,
        note: None,
    };
    chart.render()
}

fn height(rows: &[FrameRow]) -> Markup {
    let chart = LineChart {
        id: "height",
        title: "Height of the centre of mass",
        y_label: "height [m]",
        lines: vec![line("height", rows, |row| row.report.centre.y)],
        level: None,
        scale: Scale::Tight,
        note: None,
    };
    chart.render()
}

fn probe_over_time(page: &Page, probe: usize) -> Markup {
    let axis = |name, axis: usize| {
        let value = move |row: &FrameRow| row.probes.get(probe).map_or(0.0, |position| position[axis]);
        line(name, page.rows, value)
    };
    let chart = LineChart {
        id: &format!("probe-{probe}"),
        title: &format!("Probe {}", page.probes[probe].name),
        y_label: "position [m]",
        lines: vec![axis("x", 0), axis("y", 1), axis("z", 2)],
        level: None,
        scale: Scale::Tight,
        note: None,
    };
    chart.render()
}
