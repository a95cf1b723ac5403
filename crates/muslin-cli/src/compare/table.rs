//! The table of a comparison, for a terminal.

use muslin_record::{Comparison, MethodRow, Verdict};

use crate::progress::{percent, percent_unlike, three_digits};

const NOTHING: &str = "–";

const HEADER: [&str; 10] = [
    "limiter",
    "kept",
    "worst strain",
    "fall s",
    "rebound",
    "energy J",
    "spin drift",
    "rounds/step",
    "CPU ms/s",
    "verdict",
];

/// The table, then why each method that was not kept was not.
pub(super) fn of(comparison: &Comparison) -> String {
    let Comparison { scene, frames_planned, limit, methods, .. } = comparison;
    let rows: Vec<[String; 10]> = methods.iter().map(|row| cells(row, *limit)).collect();
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([HEADER[column].len()]).max().unwrap_or(0)
    };
    let widths: [usize; 10] = std::array::from_fn(width);
    let title = format!("{scene}: {} limiters, {frames_planned} frames, limit {}\n", methods.len(), percent(*limit));
    let header = line(&HEADER.map(str::to_owned), &widths);
    let body: String = rows.iter().map(|row| line(row, &widths)).collect();
    let reasons: String = methods.iter().filter_map(|row| reason(row, widths[0])).collect();
    let gap = if reasons.is_empty() { "" } else { "\n" };
    format!("{title}\n{header}{body}{gap}{reasons}")
}

/// Words to the left, numbers to the right.
fn line(cells: &[String; 10], widths: &[usize; 10]) -> String {
    let cell = |(column, text): (usize, &String)| {
        let width = widths[column];
        if matches!(column, 0 | 1 | 9) { format!("{text:width$}") } else { format!("{text:>width$}") }
    };
    let line = cells.iter().enumerate().map(cell).collect::<Vec<_>>().join("  ");
    format!("{}\n", line.trim_end())
}

fn cells(row: &MethodRow, limit: f64) -> [String; 10] {
    let figure = |value: Option<f64>| value.map(three_digits);
    let cells = [
        Some(row.method.clone()),
        row.strain_kept.map(|kept| if kept { "yes" } else { "NO" }.to_owned()),
        row.worst_strain_step.map(|worst| strain(worst, limit)),
        row.fall_s.map(|fall| format!("{fall:.3}")),
        row.rebound.map(|rebound| format!("{rebound:.3}")),
        energy(row),
        figure(row.angular_momentum_drift),
        rounds(row),
        figure(row.cpu_ms_per_simulated_s),
        Some(row.verdict.name().to_owned()),
    ];
    cells.map(|cell| cell.unwrap_or_else(|| NOTHING.to_owned()))
}

/// Beyond a factor of a thousand nobody reads digits.
fn strain(worst: f64, limit: f64) -> String {
    if worst >= 1000.0 { format!("{:.1e} %", 100.0 * worst) } else { percent_unlike(worst, limit) }
}

fn energy(row: &MethodRow) -> Option<String> {
    let share = row.energy_share.map_or_else(String::new, |share| format!(" ({})", percent(share)));
    row.energy_end_j.map(|energy| format!("{}{share}", three_digits(energy)))
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
