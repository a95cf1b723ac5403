//! The tables of the page.

use super::text::{count, escape, percent, seconds, significant};
use super::{energy, goto};
use crate::report::{Expectation, PerAxis, Report};

/// What the run was and what came of it.
pub(super) fn summary(report: &Report) -> String {
    let Report { strain, motion, size, .. } = report;
    let none = || "—".to_owned();
    let real_time = if report.wall_s > 0.0 { report.simulated_s / report.wall_s } else { 0.0 };
    let rows = [
        ("Worst strain", worst_strain(report)),
        ("Worst strain in any step", worst_step(report)),
        ("99 % of edges stayed below", percent(strain.p99)),
        ("Greatest mean strain", percent(strain.mean)),
        ("Greatest compression", percent(strain.compressed_worst)),
        ("Time to fall 0.25 m", motion.fall_s.map_or_else(none, seconds)),
        ("Rebound of the first fall", motion.rebound.map_or_else(none, percent)),
        ("Energy, start → end", joules(report.energy.start.total_j, report.energy.end.total_j)),
        ("Greatest rise of energy in a frame", greatest_rise(report)),
        ("Greatest rise of energy less work", energy::worst(report)),
        (
            "Simulated",
            format!("{} in {} steps of {}", seconds(report.simulated_s), report.steps, seconds(report.step_s)),
        ),
        ("Took", format!("{} ({} × real time)", seconds(report.wall_s), significant(real_time, 2))),
        ("Processor time", format!("{} on {}", seconds(report.cpu_s), count(report.threads, "thread"))),
        (
            "Size",
            [(size.cloths, "cloth"), (size.particles, "particle"), (size.edges, "edge")]
                .map(|(n, noun)| count(n, noun))
                .join(", "),
        ),
        ("Limiter", escape(&method(&report.limiter))),
        ("Integrator", escape(&method(&report.integrator))),
        ("Seed", report.seed.to_string()),
        ("Fingerprint of the last state", escape(&report.state_hash)),
    ];
    facts(&rows)
}

/// Names and what there is to say of each, as HTML.
pub(super) fn facts(rows: &[(&str, String)]) -> String {
    let rows = rows.iter().map(|(name, html)| format!("<tr><th scope=\"row\">{name}</th><td>{html}</td></tr>\n"));
    format!("<table class=\"facts\">\n{}</table>\n", rows.collect::<String>())
}

fn worst_strain(Report { strain, .. }: &Report) -> String {
    let words = format!("{} in frame {}", percent(strain.worst), strain.worst_frame);
    goto::link(strain.worst_frame, strain.worst_edge.as_ref().map(goto::mark), &words)
}

fn worst_step(report: &Report) -> String {
    let strain = &report.strain;
    let words = format!("{} in step {}", percent(strain.worst_step), strain.worst_step_number);
    match goto::frame_of_step(report, strain.worst_step_number) {
        Some(frame) => {
            let link = goto::link(frame, strain.worst_step_edge.as_ref().map(goto::mark), &words);
            format!("{link}; the next frame written is {frame}")
        }
        None => words,
    }
}

fn greatest_rise(Report { energy, .. }: &Report) -> String {
    let rise = format!("{} J", significant(energy.greatest_rise_j, 3));
    match energy.greatest_rise_frame {
        Some(frame) => goto::link(frame, None, &format!("{rise} in frame {frame}")),
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
pub(super) fn expectations(expectations: &[Expectation]) -> String {
    let row = |expectation: &Expectation| {
        let Expectation { what, held, measured, wanted } = expectation;
        let (class, sign) = if *held { ("held", "✔ holds") } else { ("failed", "✘ does not hold") };
        format!(
            "<tr class=\"{class}\"><th scope=\"row\">{}</th><td data-name=\"wanted\">{}</td>\
             <td data-name=\"measured\">{}</td><td>{sign}</td></tr>\n",
            escape(what),
            escape(wanted),
            escape(&plain(measured)),
        )
    };
    table(&["What", "Wanted", "Measured", ""], &expectations.iter().map(row).collect::<String>())
}

/// The probes.
pub(super) fn probes(report: &Report) -> String {
    let rows = report.probes.iter().flat_map(|(name, probe)| {
        let PerAxis { x, y, z } = probe.period_s;
        let axes = ["x", "y", "z"].into_iter().zip([x, y, z]).enumerate();
        axes.map(move |(axis, (letter, period))| {
            let metres = |value: f64| format!("{} m", significant(value, 4));
            let period = period.map_or_else(|| "—".to_owned(), |period| format!("{} s", significant(period, 5)));
            format!(
                "<tr><th scope=\"row\">{} {letter}</th><td data-name=\"least\">{}</td><td data-name=\"greatest\">{}</td>\
                 <td data-name=\"last\">{}</td><td data-name=\"period\">{period}</td></tr>\n",
                escape(name),
                metres(probe.min[axis]),
                metres(probe.max[axis]),
                metres(probe.last[axis]),
            )
        })
    });
    table(&["Probe", "Least", "Greatest", "Last", "Period"], &rows.collect::<String>())
}

/// Time per stage, longest first, as bars.
pub(super) fn stages(report: &Report) -> String {
    let mut stages: Vec<_> = report.stages.iter().collect();
    stages.sort_by(|a, b| b.1.total_cmp(a.1));
    let total: f64 = report.stages.values().sum();
    let row = |(name, time): &(&String, &f64)| {
        let share = if total > 0.0 { **time / total } else { 0.0 };
        format!(
            "<tr><th scope=\"row\">{}</th><td class=\"stage\">\
             <span class=\"track\"><span class=\"fill\" style=\"width:{:.1}%\"></span></span></td>\
             <td class=\"amount\">{} · {}</td></tr>\n",
            escape(name),
            100.0 * share,
            seconds(**time),
            percent(share),
        )
    };
    format!("<table class=\"stages\">\n{}</table>\n", stages.iter().map(row).collect::<String>())
}

/// On a phone the header row is hidden and each cell says its own name.
pub(super) fn table(header: &[&str], rows: &str) -> String {
    let cells: String = header.iter().map(|name| format!("<th scope=\"col\">{name}</th>")).collect();
    format!("<table class=\"list\">\n<thead><tr>{cells}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n")
}
