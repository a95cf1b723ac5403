//! The charts: a line for each method, of one colour and dash throughout the page.

use maud::{Markup, html};

use super::super::chart::{Line, LineChart, Scale, figure};
use super::super::tables;
use super::super::text::{percent, significant};
use super::ComparePage;
use crate::compare::{MethodRow, Trial};
use crate::frames::FrameRow;

/// The least strain that the logarithmic chart shows, as a fraction of the limit.
const LEAST_STRAIN: f64 = 1e-3;
/// Without a limit, as a fraction of the rest length.
const LEAST_STRAIN_WITHOUT_LIMIT: f64 = 1e-6;
/// The greatest strain that it shows: at a hundred times its length an edge has long been torn.
const MOST_STRAIN: f64 = 100.0;
/// A line that spans more than so many times what the median line spans would leave nothing to see of the others.
const MOST_SPAN: f64 = 8.0;

/// All charts.
pub(super) fn render(page: &ComparePage) -> Markup {
    html! { (strain(page)) (height(page)) (energy(page)) (cpu(&page.comparison.methods)) }
}

fn lines<'a>(trials: &'a [Trial], value: impl Fn(&FrameRow) -> f64) -> Vec<Line<'a>> {
    let line = |trial: &'a Trial| {
        let rows = trial.ran().map_or(&[][..], |ran| &ran.rows);
        Line { name: &trial.method, points: rows.iter().map(|row| [row.report.time, value(row)]).collect() }
    };
    trials.iter().map(line).collect()
}

fn strain(page: &ComparePage) -> Markup {
    let limit = page.comparison.limit;
    let floor = if limit > 0.0 { LEAST_STRAIN * limit } else { LEAST_STRAIN_WITHOUT_LIMIT };
    let (least, most) = (percent(floor), percent(MOST_STRAIN));
    let note = format!("Powers of ten. Strains below {least} are drawn at {least}, above {most} at {most}.");
    let chart = LineChart {
        id: "strain",
        title: "Worst strain over time",
        y_label: "strain [%]",
        lines: lines(page.trials, |row| 100.0 * row.report.strain.worst.min(MOST_STRAIN)),
        level: Some((100.0 * limit, format!("limit {}", percent(limit)))),
        scale: Scale::Logarithmic { floor: 100.0 * floor },
        note: Some(note),
    };
    chart.render()
}

fn height(page: &ComparePage) -> Markup {
    calm("height", "Height of the centre of mass", "height [m]", lines(page.trials, |row| row.report.centre.y))
}

fn energy(page: &ComparePage) -> Markup {
    let lines = lines(page.trials, |row| row.report.energies.total());
    calm("energy", "Total energy over time", "energy [J]", lines)
}

/// A chart in which a method that blows up does not hide the others: its line is cut off, and a note says so.
fn calm(id: &str, title: &str, y_label: &str, mut lines: Vec<Line>) -> Markup {
    let notes = cut_off(&mut lines);
    let note = (!notes.is_empty()).then(|| notes.join(" "));
    LineChart { id, title, y_label, lines, level: None, scale: Scale::Tight, note }.render()
}

/// Cuts lines off that span far more than the median line; a note for each says how far they would go.
fn cut_off(lines: &mut [Line]) -> Vec<String> {
    let range = |line: &Line| {
        let values = line.points.iter().map(|point| point[1]);
        values.fold(None, |range, y| Some(range.map_or((y, y), |(min, max): (f64, f64)| (min.min(y), max.max(y)))))
    };
    let mut spans: Vec<f64> = lines.iter().filter_map(range).map(|(min, max)| max - min).collect();
    spans.sort_by(f64::total_cmp);
    let Some(median) = spans.get(spans.len().saturating_sub(1) / 2).copied().filter(|median| *median > 0.0) else {
        return Vec::new();
    };
    let is_calm = |(min, max): &(f64, f64)| max - min <= MOST_SPAN * median;
    let ranges = lines.iter().filter_map(range).filter(is_calm);
    let (low, high) = ranges.fold((f64::MAX, f64::MIN), |(low, high), (min, max)| (low.min(min), high.max(max)));
    let mut notes = Vec::new();
    for line in lines.iter_mut() {
        if let Some((min, max)) = range(line).filter(|range| !is_calm(range)) {
            let [min, max] = [min, max].map(|value| significant(value, 3));
            notes.push(format!("`{}` leaves the picture: {min} to {max}.", line.name));
            line.points.iter_mut().for_each(|point| point[1] = point[1].clamp(low, high));
        }
    }
    notes
}

/// Processor time as bars. Methods that simulated nothing have none.
fn cpu(methods: &[MethodRow]) -> Markup {
    const TITLE: &str = "Processor time per simulated second";
    let most = methods.iter().filter_map(|row| row.cpu_ms_per_simulated_s).fold(0.0, f64::max);
    let bar = |(index, row): (usize, &MethodRow)| {
        let cpu = row.cpu_ms_per_simulated_s;
        let fraction = cpu.filter(|_| most > 0.0).map(|cpu| cpu / most);
        let amount = cpu.map_or_else(|| "–".to_owned(), |cpu| format!("{} ms", significant(cpu, 3)));
        tables::bar(&row.method, &format!("fill fill-{index}"), fraction, &amount)
    };
    let table = html! {
        table.stages aria-label=(TITLE) {
            @for row in methods.iter().enumerate() { (bar(row)) }
        }
    };
    figure(TITLE, &table, None)
}
