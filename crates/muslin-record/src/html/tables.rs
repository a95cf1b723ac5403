//! The tables of the page.

use maud::{Markup, Render, html};

use super::text::{count, percent, seconds, significant};
use super::{energy, goto};
use crate::report::{Expectation, PerAxis, Report};

/// What the run was and its result.
pub(super) fn summary(report: &Report) -> Markup {
    let Report { strain, motion, size, .. } = report;
    let real_time = if report.wall_s > 0.0 { report.simulated_s / report.wall_s } else { 0.0 };
    let sizes = [(size.cloths, "cloth"), (size.particles, "particle"), (size.edges, "edge")];
    let simulated = format!("{} in {} steps of {}", seconds(report.simulated_s), report.steps, seconds(report.step_s));
    html! {
        table.facts {
            (fact("Worst strain", worst_strain(report)))
            (fact("Worst strain in any step", worst_step(report)))
            (fact("99 % of edges stayed below", percent(strain.p99)))
            (fact("Greatest mean strain", percent(strain.mean)))
            (fact("Greatest compression", percent(strain.compressed_worst)))
            (fact("Time to fall 0.25 m", or_dash(motion.fall_s.map(seconds))))
            (fact("Rebound of the first fall", or_dash(motion.rebound.map(percent))))
            (fact("Energy, start → end", joules(report.energy.start.total_j, report.energy.end.total_j)))
            (fact("Greatest rise of energy in a frame", greatest_rise(report)))
            (fact("Greatest rise of energy less work", energy::worst(report)))
            (fact("Simulated", simulated))
            (fact("Took", format!("{} ({} × real time)", seconds(report.wall_s), significant(real_time, 2))))
            (fact("Processor time", format!("{} on {}", seconds(report.cpu_s), count(report.threads, "thread"))))
            (fact("Size", sizes.map(|(number, noun)| count(number, noun)).join(", ")))
            (fact("Limiter", method(&report.limiter)))
            (fact("Integrator", method(&report.integrator)))
            (fact("Seed", report.seed))
            (fact("Fingerprint of the last state", &report.state_hash))
        }
    }
}

/// A row of a table of facts: a name and what there is to say of it.
pub(super) fn fact(name: &str, value: impl Render) -> Markup {
    html! { tr { th scope="row" { (name) } td { (value) } } }
}

/// A value, or a dash where there is none.
pub(super) fn or_dash(value: Option<impl Render>) -> Markup {
    html! {
        @if let Some(value) = value { (value) } @else { "—" }
    }
}

fn worst_strain(Report { strain, .. }: &Report) -> Markup {
    let words = html! { (percent(strain.worst)) " in frame " (strain.worst_frame) };
    goto::link(strain.worst_frame, strain.worst_edge.as_ref().map(goto::mark), &words)
}

fn worst_step(report: &Report) -> Markup {
    let strain = &report.strain;
    let words = html! { (percent(strain.worst_step)) " in step " (strain.worst_step_number) };
    match goto::frame_of_step(report, strain.worst_step_number) {
        Some(frame) => {
            let link = goto::link(frame, strain.worst_step_edge.as_ref().map(goto::mark), &words);
            html! { (link) "; the next frame written is " (frame) }
        }
        None => words,
    }
}

fn greatest_rise(Report { energy, .. }: &Report) -> Markup {
    let rise = html! { (significant(energy.greatest_rise_j, 3)) " J" };
    match energy.greatest_rise_frame {
        Some(frame) => goto::link(frame, None, &html! { (rise) " in frame " (frame) }),
        None => rise,
    }
}

fn joules(start: f64, end: f64) -> String {
    format!("{} J → {} J", significant(start, 4), significant(end, 4))
}

/// A method with its parameters, as a scene file spells them: `bridson, stretch 0.01, max_iterations 100`.
fn method(settings: &impl serde::Serialize) -> String {
    let Ok(serde_json::Value::Object(values)) = serde_json::to_value(settings) else { return String::new() };
    let words = values.iter().filter(|(_, value)| !value.is_null()).map(|(key, value)| match (key.as_str(), value) {
        ("method", serde_json::Value::String(name)) => name.clone(),
        (key, value) => format!("{key} {}", plain(value)),
    });
    words.collect::<Vec<_>>().join(", ")
}

/// A value of JSON as people write it.
fn plain(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::String(text) => text.clone(),
        serde_json::Value::Number(number) if number.is_f64() => significant(number.as_f64().unwrap_or(0.0), 6),
        serde_json::Value::Null => "nothing".to_owned(),
        other => other.to_string(),
    }
}

/// What the scene says must hold.
pub(super) fn expectations(expectations: &[Expectation]) -> Markup {
    let row = |Expectation { what, held, measured, wanted }: &Expectation| {
        let (class, sign) = if *held { ("held", "✔ holds") } else { ("failed", "✘ does not hold") };
        html! {
            tr.(class) {
                th scope="row" { (what) }
                td data-name="wanted" { (wanted) }
                td data-name="measured" { (plain(measured)) }
                td { (sign) }
            }
        }
    };
    table("list", &["What", "Wanted", "Measured", ""], expectations.iter().map(row))
}

/// The probes.
pub(super) fn probes(report: &Report) -> Markup {
    let metres = |value: f64| format!("{} m", significant(value, 4));
    let rows = report.probes.iter().flat_map(|(name, probe)| {
        let PerAxis { x, y, z } = probe.period_s;
        let axes = ["x", "y", "z"].into_iter().zip([x, y, z]).enumerate();
        axes.map(move |(axis, (letter, period))| {
            html! {
                tr {
                    th scope="row" { (name) " " (letter) }
                    td data-name="least" { (metres(probe.min[axis])) }
                    td data-name="greatest" { (metres(probe.max[axis])) }
                    td data-name="last" { (metres(probe.last[axis])) }
                    td data-name="period" { (or_dash(period.map(|period| format!("{} s", significant(period, 5))))) }
                }
            }
        })
    });
    table("list", &["Probe", "Least", "Greatest", "Last", "Period"], rows)
}

/// Time per stage, longest first, as bars.
pub(super) fn stages(report: &Report) -> Markup {
    let mut stages: Vec<_> = report.stages.iter().collect();
    stages.sort_by(|a, b| b.1.total_cmp(a.1));
    let total: f64 = report.stages.values().sum();
    let fraction = |time: f64| if total > 0.0 { time / total } else { 0.0 };
    html! {
        table.stages {
            @for (name, time) in stages {
                @let fraction = fraction(*time);
                (bar(name, "fill", Some(fraction), &format!("{} · {}", seconds(*time), percent(fraction))))
            }
        }
    }
}

/// A row of bars: a fraction of the whole width, if there is one, in the colour of a class, and the amount in words.
pub(super) fn bar(name: &str, class: &str, fraction: Option<f64>, amount: &str) -> Markup {
    html! {
        tr {
            th scope="row" { (name) }
            td.stage {
                span.track {
                    @if let Some(fraction) = fraction {
                        span class=(class) style=(format!("width:{:.1}%", 100.0 * fraction)) {}
                    }
                }
            }
            td.amount { (amount) }
        }
    }
}

/// On a phone the header row is hidden and each cell says its own name.
pub(super) fn table(class: &str, header: &[&str], rows: impl Iterator<Item = Markup>) -> Markup {
    html! {
        table class=(class) {
            thead {
                tr {
                    @for name in header {
                        th scope="col" { (name) }
                    }
                }
            }
            tbody {
                @for row in rows { (row) }
            }
        }
    }
}
