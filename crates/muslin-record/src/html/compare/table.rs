//! The table of figures.

use maud::{Markup, html};

use super::super::tables;
use super::super::text::{millimetres, percent, significant};
use super::badge;
use crate::compare::{Comparison, MethodRow, Verdict};

const NOTHING: &str = "–";

/// What a column says of a method.
type Figure = fn(&MethodRow) -> Option<String>;

/// The columns after name and verdict; those of contact are left out where no method has a figure.
const COLUMNS: [(&str, Figure); 14] = [
    ("Limit kept", |row| row.strain_kept.map(|kept| judged(row, kept))),
    ("Worst strain", |row| row.worst_strain_step.map(percent)),
    ("Contact kept", |row| row.contact_kept.map(|kept| judged(row, kept))),
    ("Least gap", |row| row.min_gap_m.map(millimetres)),
    ("Least gap of layers", |row| row.layer_gap_m.map(millimetres)),
    ("Crossings", |row| row.intersections.map(|count| count.to_string())),
    ("Of cloth with cloth", |row| row.intersections_cloth.map(|count| count.to_string())),
    ("Fall", |row| figure(row.fall_s, " s")),
    ("Rebound", |row| figure(row.rebound, "")),
    ("Energy at the end", energy),
    ("Energy kept", |row| row.energy_kept.map(|kept| judged(row, kept))),
    ("Spin drift", |row| figure(row.angular_momentum_drift, "")),
    ("Rounds per step", rounds),
    ("CPU per simulated s", |row| figure(row.cpu_ms_per_simulated_s, " ms")),
];

/// The columns of contact among them, and what their names mean.
const OF_CONTACT: [(&str, &str); 5] = [
    ("Contact kept", ""),
    ("Least gap", "Least gap: of cloth to a solid in any frame, negative inside. "),
    ("Least gap of layers", "Layers: parts of different cloths, or far apart along one. "),
    ("Crossings", "Crossings: of edges and triangles, in all frames together. "),
    ("Of cloth with cloth", "Only certified promises that no cloth crosses cloth. "),
];

/// The figures of all methods, and what their names mean.
pub(super) fn render(comparison: &Comparison) -> Markup {
    let has_figures = |figure: &Figure| comparison.methods.iter().any(|row| figure(row).is_some());
    let of_contact = |name: &str| OF_CONTACT.iter().find(|(column, _)| *column == name);
    let shown = |(name, figure): &(&str, Figure)| of_contact(name).is_none() || has_figures(figure);
    let columns: Vec<_> = COLUMNS.into_iter().filter(shown).collect();
    let header: Vec<_> = ["Limiter", "Verdict"].into_iter().chain(columns.iter().map(|(name, _)| *name)).collect();
    let rows = comparison.methods.iter().map(|method| row(method, &columns));
    html! {
        div.wide tabindex="0" role="group" aria-label="Figures of all limiters" {
            (tables::table("list amounts", &header, rows))
        }
        p.note {
            "Worst strain: of any edge in any step. "
            @for (_, meaning) in columns.iter().filter_map(|(name, _)| of_contact(name)) { (meaning) }
            "Fall: time for the centre of mass to drop 0.25 m. "
            "Rebound: the fraction of the first fall that comes back. "
            "Energy counts height from the start; in brackets, as a fraction of the energy at the start where that is "
            "a measure; it is kept when none comes from nowhere. "
            "Spin drift: change of the angular momentum about the centre of mass, where nothing outside turns the "
            "cloth. "
            "Rounds: sweeps, passes, Newton rounds or linear solves, over positions + over velocities."
        }
    }
}

fn row(row: &MethodRow, columns: &[(&str, Figure)]) -> Markup {
    html! {
        tr {
            th scope="row" { a href={ "#" (row.method) } { (row.method) } }
            td data-name="verdict" { (badge(row.verdict)) }
            @for (name, figure) in columns {
                td data-name=(uncapital(name)) { (figure(row).as_deref().unwrap_or(NOTHING)) }
            }
        }
    }
}

/// The name of a column inside a sentence: only the first letter is changed, so that CPU stays CPU.
fn uncapital(name: &str) -> String {
    let is_word = name.chars().nth(1).is_some_and(char::is_lowercase);
    if is_word { name[..1].to_lowercase() + &name[1..] } else { name.to_owned() }
}

/// Whether something was kept; a run that stopped kept it only up to there.
fn judged(row: &MethodRow, kept: bool) -> String {
    match (kept, row.verdict) {
        (true, Verdict::Stopped) => "so far",
        (true, _) => "yes",
        (false, _) => "no",
    }
    .to_owned()
}

fn figure(value: Option<f64>, unit: &str) -> Option<String> {
    value.map(|value| format!("{}{unit}", significant(value, 3)))
}

fn energy(row: &MethodRow) -> Option<String> {
    let fraction = row.energy_ratio.map_or_else(String::new, |fraction| format!(" ({})", percent(fraction)));
    row.energy_end_j.map(|energy| format!("{} J{fraction}", significant(energy, 3)))
}

fn rounds(row: &MethodRow) -> Option<String> {
    let velocity = row.velocity_rounds_per_step.filter(|rounds| *rounds > 0.0);
    let velocity = velocity.map_or_else(String::new, |rounds| format!(" + {}", significant(rounds, 3)));
    row.rounds_per_step.map(|rounds| format!("{}{velocity}", significant(rounds, 3)))
}
