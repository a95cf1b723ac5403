//! The table of a comparison, for a terminal.

use muslin_record::{Comparison, MethodRow, Verdict};

use crate::progress::{percent, percent_unlike, three_digits};

const NOTHING: &str = "–";

/// What a column says of a method under a strain limit.
type Cell = fn(&MethodRow, f64) -> Option<String>;

/// A column: its name, whether it holds words, and its cells.
type Column = (&'static str, bool, Cell);

/// All columns; those of contact are left out where no method has a figure.
const COLUMNS: [Column; 13] = [
    ("limiter", true, |row, _| Some(row.method.clone())),
    ("kept", true, |row, _| row.strain_kept.map(|kept| judged(row, kept))),
    ("worst strain", false, |row, limit| row.worst_strain_step.map(|worst| strain(worst, limit))),
    ("contact", true, |row, _| row.contact_kept.map(|kept| judged(row, kept))),
    ("least gap mm", false, |row, _| row.min_gap_m.map(|gap| three_digits(1000.0 * gap))),
    ("crossings", false, |row, _| row.intersections.map(|count| count.to_string())),
    ("fall s", false, |row, _| row.fall_s.map(|fall| format!("{fall:.3}"))),
    ("rebound", false, |row, _| row.rebound.map(rebound)),
    ("energy J", false, |row, _| energy(row)),
    ("spin drift", false, |row, _| row.angular_momentum_drift.map(three_digits)),
    ("rounds/step", false, |row, _| rounds(row)),
    ("CPU ms/s", false, |row, _| row.cpu_ms_per_simulated_s.map(three_digits)),
    ("verdict", true, |row, _| Some(row.verdict.name().to_owned())),
];

/// The columns of contact among them.
const OF_CONTACT: [&str; 3] = ["contact", "least gap mm", "crossings"];

/// The table, then why each method that was not kept was not.
pub(super) fn of(comparison: &Comparison) -> String {
    let Comparison { scene, frames_planned, limit, methods, .. } = comparison;
    let has_figures = |cell: &Cell| methods.iter().any(|row| cell(row, *limit).is_some());
    let shown = |(name, _, cell): &Column| !OF_CONTACT.contains(name) || has_figures(cell);
    let columns = COLUMNS.into_iter().filter(shown);
    let columns: Vec<Vec<String>> = columns.map(|column| texts(column, methods, *limit)).collect();
    let lines: String = (0..=methods.len()).map(|row| line(&columns, row)).collect();
    let limiters = if methods.len() == 1 { "1 limiter".to_owned() } else { format!("{} limiters", methods.len()) };
    let title = format!("{scene}: {limiters}, {frames_planned} frames, limit {}\n", percent(*limit));
    let width = columns.first().and_then(|names| names.first()).map_or(0, |name| name.chars().count());
    let reasons: String = methods.iter().filter_map(|row| reason(row, width)).collect();
    let gap = if reasons.is_empty() { "" } else { "\n" };
    format!("{title}\n{lines}{gap}{reasons}")
}

/// A fraction, or how far a sheet that blew up went beyond any.
fn rebound(fraction: f64) -> String {
    if fraction.abs() < 1000.0 { format!("{fraction:.3}") } else { three_digits(fraction) }
}

/// A column's name and cells, all of one width: words to the left, numbers to the right.
fn texts((name, is_words, cell): Column, methods: &[MethodRow], limit: f64) -> Vec<String> {
    let cells = methods.iter().map(|row| cell(row, limit).unwrap_or_else(|| NOTHING.to_owned()));
    let texts: Vec<String> = std::iter::once(name.to_owned()).chain(cells).collect();
    let width = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0);
    let padded = |text: String| if is_words { format!("{text:width$}") } else { format!("{text:>width$}") };
    texts.into_iter().map(padded).collect()
}

fn line(columns: &[Vec<String>], row: usize) -> String {
    let line = columns.iter().map(|column| column[row].as_str()).collect::<Vec<_>>().join("  ");
    format!("{}\n", line.trim_end())
}

/// Whether something was kept; a run that stopped kept it only up to there.
fn judged(row: &MethodRow, kept: bool) -> String {
    match (kept, row.verdict) {
        (true, Verdict::Stopped) => "so far",
        (true, _) => "yes",
        (false, _) => "NO",
    }
    .to_owned()
}

/// Beyond a factor of a thousand digits say nothing.
fn strain(worst: f64, limit: f64) -> String {
    if worst >= 1000.0 { format!("{:.1e} %", 100.0 * worst) } else { percent_unlike(worst, limit) }
}

fn energy(row: &MethodRow) -> Option<String> {
    let fraction = row.energy_ratio.map_or_else(String::new, |fraction| format!(" ({})", percent(fraction)));
    row.energy_end_j.map(|energy| format!("{}{fraction}", three_digits(energy)))
}

fn rounds(row: &MethodRow) -> Option<String> {
    let velocity = row.velocity_rounds_per_step.filter(|rounds| *rounds > 0.0);
    let velocity = velocity.map_or_else(String::new, |rounds| format!(" + {}", three_digits(rounds)));
    row.rounds_per_step.map(|rounds| format!("{}{velocity}", three_digits(rounds)))
}

fn reason(row: &MethodRow, width: usize) -> Option<String> {
    let (method, verdict) = (&row.method, row.verdict.name());
    match (&row.why, row.verdict) {
        (Some(why), _) => Some(format!("{method:width$}  {verdict}: {why}\n")),
        (None, Verdict::Kept) => None,
        (None, _) => Some(format!("{method:width$}  {verdict}\n")),
    }
}
