//! `cargo xtask charts`: the documents' performance tests, timed. Every run is a line of `docs/data/charts.csv`; charts
//! and the tables of `docs/methods/charts.md` are made from that file alone.

mod draw;

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::documents::report_of;
use crate::{Outcome, root, target};

const HEAD: &str = "chart,series,x,milliseconds_per_step,worst_strain,unfinished_steps";
/// The lines around the tables of the page.
const OPEN: &str = "<!-- written by `cargo xtask charts` -->\n";
const CLOSE: &str = "<!-- end -->";

/// Particles along a side of the sheets of [BB08].
const SIDES: [u32; 5] = [10, 20, 30, 40, 50];
/// The step of [BB08] [ms]: what takes less runs in real time.
const REAL_TIME: f64 = 1000.0 / 30.0;
/// Steps of [Ye08] Table 1.
const STEPS_YE08: f64 = 1000.0;

/// The three charts, by the name of their picture.
const ITERATIVE: &str = "bb08-fig5";
const SLE: &str = "bb08-fig6";
const SOLVER: &str = "ye08-table1";

/// Lines of Fig. 5, and what they set.
const TOLERANCES: [(&str, &[&str]); 5] = [
    ("10 %", &["limiter.stretch=0.1"]),
    ("1 %", &["limiter.stretch=0.01"]),
    ("0.1 %", &["limiter.stretch=0.001"]),
    ("0.01 %", &["limiter.stretch=0.0001"]),
    ("five rounds", &["limiter.max_iterations=5"]),
];
const LINE_SLE: &str = "SLE, to 0.01 %";

/// Stages of the direct solver: name in reports, and seconds for 1,000 steps in [Ye08] Table 1.
const STAGES: [(&str, f64); 5] =
    [("order", 2.40), ("permute", 1.86), ("symbolic", 0.39), ("numeric", 6.37), ("solve", 1.87)];
/// All of the limiter, by either solver.
const DIRECT: &str = "limiter, direct";
const GRADIENTS: &str = "limiter, conjugate gradients";

/// What the texts give in numbers: chart, line, particles along a side, milliseconds a step. Their charts are pictures,
/// which the extracted texts lack; "n times faster than real time" is 1/n of 33.3 ms.
const PUBLISHED: [(&str, &str, u32, f64); 6] = [
    (ITERATIVE, "0.01 %", 10, REAL_TIME / 3.0),
    (ITERATIVE, "1 %", 50, REAL_TIME),
    (ITERATIVE, "0.01 %", 50, 6.0 * REAL_TIME),
    (ITERATIVE, "five rounds", 50, REAL_TIME / 2.3),
    (SLE, LINE_SLE, 10, REAL_TIME / 4.0),
    (SLE, LINE_SLE, 20, 4.0 * REAL_TIME),
];

/// A figure of a chart.
#[derive(Debug, Clone, PartialEq)]
struct Point {
    chart: String,
    series: String,
    /// Particles along a side.
    side: u32,
    /// CPU time of a step, or wall time of a stage in it [ms].
    time: f64,
    /// Greatest strain in any step.
    worst: f64,
    /// Steps that ended before the method's own goal was reached.
    unfinished: f64,
}

/// Times everything, then writes file, charts and tables.
pub(crate) fn write() -> Outcome {
    let points = [iterative()?, sle()?, solver()?].concat();
    let path = data();
    fs::write(&path, to_csv(&points)).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    redraw()
}

/// Writes charts and tables from the file.
pub(crate) fn redraw() -> Outcome {
    for (path, text) in made()? {
        fs::write(&path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    Ok(())
}

fn iterative() -> Result<Vec<Point>, String> {
    let mut points = Vec::new();
    for (series, sets) in TOLERANCES {
        for side in SIDES {
            points.push(bb08(ITERATIVE, series, side, sets)?);
        }
    }
    Ok(points)
}

fn sle() -> Result<Vec<Point>, String> {
    SIDES.iter().map(|&side| bb08(SLE, LINE_SLE, side, &["limiter={method=\"sle\",stretch=0.0001}"])).collect()
}

/// One of [BB08]'s sheets, 500 steps.
fn bb08(chart: &str, series: &str, side: u32, sets: &[&str]) -> Result<Point, String> {
    let report = run(&format!("bb08-{side}"), series, sets)?;
    let steps = number(&report, "/steps")?;
    Ok(Point {
        chart: chart.to_owned(),
        series: series.to_owned(),
        side,
        time: 1000.0 * number(&report, "/cpu_s")? / steps,
        worst: number(&report, "/strain/worst_step")?,
        unfinished: number(&report, "/work/limiter_unfinished_steps")?,
    })
}

/// [Ye08]'s sheet, 1,000 steps, by both solvers.
fn solver() -> Result<Vec<Point>, String> {
    let direct = run("ye08-steps", DIRECT, &[])?;
    let gradients = run("ye08-steps", GRADIENTS, &["limiter.solver=pcg"])?;
    let point = |report: &Value, series: &str, stage: &str| {
        Ok(Point {
            chart: SOLVER.to_owned(),
            series: series.to_owned(),
            side: 41,
            time: 1000.0 * number(report, &format!("/stages/{stage}"))? / STEPS_YE08,
            worst: number(report, "/strain/worst_step")?,
            unfinished: 0.0,
        })
    };
    let stages = STAGES.iter().map(|(stage, _)| point(&direct, stage, stage));
    stages.chain([point(&direct, DIRECT, "limit"), point(&gradients, GRADIENTS, "limit")]).collect()
}

fn run(scene: &str, series: &str, sets: &[&str]) -> Result<Value, String> {
    let folder =
        target().join("charts").join(format!("{scene}-{series}").replace(|c: char| !c.is_ascii_alphanumeric(), "-"));
    let report = report_of(scene, sets, &folder)?;
    eprintln!("{scene}, {series}: {} s of CPU time", report["cpu_s"]);
    Ok(report)
}

fn number(report: &Value, pointer: &str) -> Result<f64, String> {
    report.pointer(pointer).and_then(Value::as_f64).ok_or_else(|| format!("a report has no number {pointer}"))
}

fn data() -> PathBuf {
    root().join("docs/data/charts.csv")
}

/// Everything that is made from the file: paths and contents.
fn made() -> Result<Vec<(PathBuf, String)>, String> {
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok::<_, String>((path, text))
    };
    let points = from_csv(&read(data())?.1)?;
    let picture = |name: &str, text| (root().join("docs/pictures").join(format!("{name}.svg")), text);
    let (path, page) = read(root().join("docs/methods/charts.md"))?;
    let parts = page.split_once(OPEN).and_then(|(before, rest)| Some((before, rest.split_once(CLOSE)?.1)));
    let (before, after) = parts.ok_or_else(|| format!("{} has no place for its tables", path.display()))?;
    Ok(vec![
        picture(ITERATIVE, draw::times(&points, ITERATIVE, &TOLERANCES.map(|(series, _)| series))),
        picture(SLE, draw::times(&points, SLE, &[LINE_SLE])),
        picture(SOLVER, draw::stages(&points)?),
        (path, format!("{before}{OPEN}{}{CLOSE}{after}", tables(&points)?)),
    ])
}

/// The measured time of a series [ms].
fn time_of(points: &[Point], series: &str) -> Result<f64, String> {
    let point = points.iter().find(|point| point.chart == SOLVER && point.series == series);
    point.map(|point| point.time).ok_or_else(|| format!("docs/data/charts.csv has no `{series}`"))
}

/// The figures behind the charts.
fn tables(points: &[Point]) -> Result<String, String> {
    let mut text = "| ms per step (worst strain) |".to_owned();
    for side in SIDES {
        let _ = write!(text, " {side} × {side} |");
    }
    text += "\n|---|---|---|---|---|---|\n";
    for series in TOLERANCES.map(|(series, _)| series).into_iter().chain([LINE_SLE]) {
        let _ = write!(text, "| {series} |");
        for point in points.iter().filter(|point| point.series == series) {
            let broken =
                if point.unfinished > 0.0 { format!("; {} unfinished", point.unfinished) } else { String::new() };
            let _ = write!(text, " {:.3} ({:.3} %{broken}) |", point.time, 100.0 * point.worst);
        }
        text.push('\n');
    }
    text += "\n| ms per step | [Ye08] | here |\n|---|---|---|\n";
    for (stage, seconds) in STAGES {
        let published = 1000.0 * seconds / STEPS_YE08;
        let _ = writeln!(text, "| {stage} | {published:.2} | {:.4} |", time_of(points, stage)?);
    }
    for series in [DIRECT, GRADIENTS] {
        let _ = writeln!(text, "| {series} | – | {:.4} |", time_of(points, series)?);
    }
    Ok(text)
}

fn to_csv(points: &[Point]) -> String {
    let mut text = format!("{HEAD}\n");
    for Point { chart, series, side, time, worst, unfinished } in points {
        // No series has a semicolon; some have commas.
        let series = series.replace(',', ";");
        let _ = writeln!(text, "{chart},{series},{side},{time:.5},{worst:.6e},{unfinished}");
    }
    text
}

fn from_csv(text: &str) -> Result<Vec<Point>, String> {
    let mut lines = text.lines();
    if lines.next() != Some(HEAD) {
        return Err("docs/data/charts.csv begins with another line: run `cargo xtask charts`".to_owned());
    }
    lines.map(|line| point_of(line).ok_or_else(|| format!("docs/data/charts.csv: `{line}` is no figure"))).collect()
}

fn point_of(line: &str) -> Option<Point> {
    let fields: Vec<&str> = line.split(',').collect();
    let [chart, series, side, time, worst, unfinished] = fields[..] else { return None };
    Some(Point {
        chart: chart.to_owned(),
        series: series.replace(';', ","),
        side: side.parse().ok()?,
        time: time.parse().ok()?,
        worst: worst.parse().ok()?,
        unfinished: unfinished.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_charts_and_page_belong_together() {
        for (path, text) in made().expect("everything is there") {
            let stored = fs::read_to_string(&path).unwrap_or_default();
            assert!(stored == text, "{} is stale: run `cargo xtask charts --redraw`", path.display());
        }
        let page = fs::read_to_string(root().join("docs/methods/charts.md")).expect("the page");
        for chart in [ITERATIVE, SLE, SOLVER] {
            assert!(page.contains(&format!("(../pictures/{chart}.svg)")), "the page does not show {chart}");
        }
    }

    #[test]
    fn the_file_has_every_size_of_every_line() {
        let points = from_csv(&fs::read_to_string(data()).expect("the file")).expect("figures");
        for series in TOLERANCES.map(|(series, _)| series).into_iter().chain([LINE_SLE]) {
            let sides: Vec<u32> =
                points.iter().filter(|point| point.series == series).map(|point| point.side).collect();
            assert_eq!(sides, SIDES, "{series}");
        }
    }

    #[test]
    fn points_survive_the_file() {
        let point = Point {
            chart: SLE.to_owned(),
            series: LINE_SLE.to_owned(),
            side: 10,
            time: 0.25,
            worst: 1e-4,
            unfinished: 2.0,
        };
        assert_eq!(from_csv(&to_csv(std::slice::from_ref(&point))), Ok(vec![point]));
    }
}
