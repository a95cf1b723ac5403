//! The table of figures.

use super::super::tables;
use super::super::text::{escape, percent, significant};
use super::badge;
use crate::compare::MethodRow;

const NOTHING: &str = "–";

/// The figures of all methods, and what their names mean.
pub(super) fn render(methods: &[MethodRow]) -> String {
    let rows: String = methods.iter().map(row).collect();
    let header = [
        "Limiter",
        "Verdict",
        "Limit kept",
        "Worst strain",
        "Fall",
        "Rebound",
        "Energy at the end",
        "Spin drift",
        "Rounds per step",
        "CPU per simulated s",
    ];
    let table = tables::table(&header, &rows).replacen("class=\"list\"", "class=\"list amounts\"", 1);
    format!(
        "<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"Figures of all limiters\">\n{table}</div>\n\
         <p class=\"note\">Worst strain: of any edge in any step. Fall: time for the centre of mass to drop 0.25 m. \
         Rebound: the share of the first fall that comes back. Energy counts height from the start; in brackets, as \
         a share of the energy at the start where that is a measure. Spin drift: change of the angular momentum about \
         the centre of mass, where nothing outside turns the cloth. Rounds: sweeps, passes, Newton rounds or linear solves, \
         over positions + over velocities.</p>\n"
    )
}

fn row(row: &MethodRow) -> String {
    let name = escape(&row.method);
    let figure = |value: Option<f64>, unit: &str| value.map(|value| format!("{}{unit}", significant(value, 3)));
    let kept = row.strain_kept.map(|kept| if kept { "yes" } else { "no" }.to_owned());
    let cells = [
        ("limit kept", kept),
        ("worst strain", row.worst_strain_step.map(percent)),
        ("fall", figure(row.fall_s, " s")),
        ("rebound", figure(row.rebound, "")),
        ("energy at the end", energy(row)),
        ("spin drift", figure(row.angular_momentum_drift, "")),
        ("rounds per step", rounds(row)),
        ("CPU per simulated s", figure(row.cpu_ms_per_simulated_s, " ms")),
    ];
    let cell = |(name, value): (&str, Option<String>)| {
        let value = value.unwrap_or_else(|| NOTHING.to_owned());
        format!("<td data-name=\"{name}\">{value}</td>")
    };
    format!(
        "<tr><th scope=\"row\"><a href=\"#{name}\">{name}</a></th><td data-name=\"verdict\">{}</td>{}</tr>\n",
        badge(row.verdict),
        cells.map(cell).concat(),
    )
}

fn energy(row: &MethodRow) -> Option<String> {
    let share = row.energy_share.map_or_else(String::new, |share| format!(" ({})", percent(share)));
    row.energy_end_j.map(|energy| format!("{} J{share}", significant(energy, 3)))
}

fn rounds(row: &MethodRow) -> Option<String> {
    let velocity = row.velocity_rounds_per_step.filter(|rounds| *rounds > 0.0);
    let velocity = velocity.map_or_else(String::new, |rounds| format!(" + {}", significant(rounds, 3)));
    row.rounds_per_step.map(|rounds| format!("{}{velocity}", significant(rounds, 3)))
}
