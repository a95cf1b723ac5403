//! Which charts the page shows, and where their numbers come from.

use muslin::report::Energies;

use super::chart::{Line, LineChart, Scale};
use super::text::percent;
use super::{Page, contact, histogram};
use crate::frames::FrameRow;

/// How an energy is read from a frame.
type Part = fn(&Energies) -> f64;

/// All charts.
pub(super) fn charts(page: &Page) -> String {
    let strain = &page.report.strain;
    let histograms = &strain.histogram;
    let last_title = format!("Strain of the edges, last frame ({})", histograms.last.frame);
    let mut charts =
        vec![strain_over_time(page), histogram::render("histogram-last", &last_title, &histograms.last, strain.limit)];
    if histograms.worst.frame != histograms.last.frame {
        let title = format!("Strain of the edges, worst frame ({})", histograms.worst.frame);
        charts.push(histogram::render("histogram-worst", &title, &histograms.worst, strain.limit));
    }
    charts.extend(contact::charts(page));
    charts.push(energies(page.rows));
    charts.push(height(page.rows));
    charts.extend((0..page.probes.len()).map(|probe| probe_over_time(page, probe)));
    charts.concat()
}

fn line<'a>(name: &'a str, rows: &[FrameRow], value: impl Fn(&FrameRow) -> f64) -> Line<'a> {
    Line { name, points: rows.iter().map(|row| [row.report.time, value(row)]).collect() }
}

fn strain_over_time(page: &Page) -> String {
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
    };
    chart.render()
}

/// Parts that are nothing all along are left out, but for the two that every motion has.
fn energies(rows: &[FrameRow]) -> String {
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
    };
    chart.render()
}

fn height(rows: &[FrameRow]) -> String {
    let chart = LineChart {
        id: "height",
        title: "Height of the centre of mass",
        y_label: "height [m]",
        lines: vec![line("height", rows, |row| row.report.centre.y)],
        level: None,
        scale: Scale::Tight,
    };
    chart.render()
}

fn probe_over_time(page: &Page, probe: usize) -> String {
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
    };
    chart.render()
}
