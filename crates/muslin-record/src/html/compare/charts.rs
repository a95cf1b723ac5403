//! The charts: a line for each method, of one colour and dash throughout the page.

use super::super::chart::{Line, LineChart, Scale};
use super::super::text::{escape, percent, prose, significant};
use super::ComparePage;
use crate::compare::{MethodRow, Trial};
use crate::frames::FrameRow;

/// The least strain that the logarithmic chart shows, as a share of the limit.
const LEAST_STRAIN: f64 = 1e-3;
/// Without a limit, as a share of the rest length.
const LEAST_STRAIN_WITHOUT_LIMIT: f64 = 1e-6;
/// The greatest strain that it shows: at a hundred times its length an edge has long been torn.
const MOST_STRAIN: f64 = 100.0;
/// A line that spans more than so many times what the median line spans would leave nothing to see of the others.
const MOST_SPAN: f64 = 8.0;

/// All charts.
pub(super) fn render(page: &ComparePage) -> String {
    [strain(page), height(page), energy(page), cpu(&page.comparison.methods)].concat()
}

fn lines<'a>(trials: &'a [Trial], value: impl Fn(&FrameRow) -> f64) -> Vec<Line<'a>> {
    let line = |trial: &'a Trial| {
        let rows = trial.ran().map_or(&[][..], |ran| &ran.rows);
        Line { name: &trial.method, points: rows.iter().map(|row| [row.report.time, value(row)]).collect() }
    };
    trials.iter().map(line).collect()
}

fn strain(page: &ComparePage) -> String {
    let limit = page.comparison.limit;
    let floor = if limit > 0.0 { LEAST_STRAIN * limit } else { LEAST_STRAIN_WITHOUT_LIMIT };
    let chart = LineChart {
        id: "strain",
        title: "Worst strain over time",
        y_label: "strain [%]",
        lines: lines(page.trials, |row| 100.0 * row.report.strain.worst.min(MOST_STRAIN)),
        level: Some((100.0 * limit, format!("limit {}", percent(limit)))),
        scale: Scale::Logarithmic { floor: 100.0 * floor },
    };
    let (floor, most) = (percent(floor), percent(MOST_STRAIN));
    let note = format!("Powers of ten. Strains below {floor} are drawn at {floor}, above {most} at {most}.");
    with_note(&chart.render(), &note)
}

fn height(page: &ComparePage) -> String {
    calm("height", "Height of the centre of mass", "height [m]", lines(page.trials, |row| row.report.centre.y))
}

fn energy(page: &ComparePage) -> String {
    let lines = lines(page.trials, |row| row.report.energies.total());
    calm("energy", "Total energy over time", "energy [J]", lines)
}

/// A chart in which a method that blows up does not hide the others: its line is cut off, and a note says so.
fn calm(id: &str, title: &str, y_label: &str, mut lines: Vec<Line>) -> String {
    let notes = cut_off(&mut lines);
    let chart = LineChart { id, title, y_label, lines, level: None, scale: Scale::Tight };
    if notes.is_empty() { chart.render() } else { with_note(&chart.render(), &notes.join(" ")) }
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

fn with_note(figure: &str, note: &str) -> String {
    figure.replace("</figure>", &format!("<p class=\"note\">{}</p>\n</figure>", prose(note)))
}

/// Processor time as bars. Methods that simulated nothing have none.
fn cpu(methods: &[MethodRow]) -> String {
    let most = methods.iter().filter_map(|row| row.cpu_ms_per_simulated_s).fold(0.0, f64::max);
    let bar = |(index, row): (usize, &MethodRow)| {
        let share = row.cpu_ms_per_simulated_s.filter(|_| most > 0.0).map(|cpu| 100.0 * cpu / most);
        let fill = share.map_or_else(String::new, |share| {
            format!("<span class=\"fill fill-{index}\" style=\"width:{share:.1}%\"></span>")
        });
        let amount =
            row.cpu_ms_per_simulated_s.map_or_else(|| "–".to_owned(), |cpu| format!("{} ms", significant(cpu, 3)));
        format!(
            "<tr><th scope=\"row\">{}</th><td class=\"stage\"><span class=\"track\">{fill}</span></td>\
             <td class=\"amount\">{amount}</td></tr>\n",
            escape(&row.method),
        )
    };
    let bars: String = methods.iter().enumerate().map(bar).collect();
    format!(
        "<figure>\n<figcaption>Processor time per simulated second</figcaption>\n\
         <table class=\"stages\" aria-label=\"Processor time per simulated second\">\n{bars}</table>\n</figure>\n"
    )
}
