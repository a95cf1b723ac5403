//! `cargo xtask torture`: sheets of many kinds, hung up and left alone for half a minute. Do they move as they should?
//!
//! `motion` runs a design of cases in which every two values of two parameters meet, `motion --all` every combination,
//! and `motion WORDS` those whose names contain all of the words. `references` computes what they are compared with.

mod cases;
mod judge;
mod references;
mod simulate;
mod swing;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Instant;

use self::cases::{COMPARED_SIDES, Case, Sheet};
use self::judge::{BARE_SPAN, COLUMNS, Finding};
use self::references::{PLACES_PER_SECOND, Reference};
use self::simulate::{Method, Path, simulate};
use crate::{Outcome, target};

/// How long sheets are watched [s].
const DURATION: f64 = 30.0;
/// Sheets of the two sizes may be apart by this fraction of the fall of their centres, in this time [s].
const APART: (f64, f64) = (0.05, 1.5);

pub(crate) fn run(words: &[&str]) -> Outcome {
    match words {
        ["motion", words @ ..] => motion(chosen(words)?),
        ["references", words @ ..] => {
            let sheets: Vec<Sheet> = chosen(words)?.iter().map(|case| case.sheet).collect();
            references::add(&sheets)
        }
        _ => Err("`cargo xtask torture motion` or `cargo xtask torture references`".to_owned()),
    }
}

/// The cases that words on the command line stand for.
fn chosen(words: &[&str]) -> Result<Vec<Case>, String> {
    let (all, words): (Vec<&str>, Vec<&str>) = words.iter().partition(|word| **word == "--all");
    let cases = if all.is_empty() { cases::covering() } else { cases::all() };
    let named = |case: &Case| {
        let name = case.to_string();
        words.iter().all(|word| name.split(' ').any(|part| part == *word))
    };
    let chosen: Vec<Case> = cases.into_iter().filter(named).collect();
    if chosen.is_empty() { Err(format!("no sheet is `{}`", words.join(" "))) } else { Ok(chosen) }
}

fn motion(mut cases: Vec<Case>) -> Outcome {
    let start = Instant::now();
    let references = references::read()?;
    // Long ones first, so that no processor waits for the last one.
    cases.sort_by_key(|case| (std::cmp::Reverse(case.sheet.side), std::cmp::Reverse(case.rate)));
    println!("{:<38} {}", "sheet, steps per second", row(&COLUMNS.map(str::to_owned)));
    let results = in_parallel(&cases, |case| {
        let path = simulate(&case.sheet, Method::Certified { rate: case.rate, fineness: 1.0 }, DURATION, |_| false)?;
        let (line, good) = describe(case, &path, references.get(&case.sheet.to_string()));
        println!("{line}");
        keep(case, &path)?;
        Ok::<_, String>((path, good))
    });
    let mut bad = 0;
    let mut paths = BTreeMap::new();
    for (case, result) in cases.iter().zip(results) {
        let (path, good) = result?;
        bad += usize::from(!good);
        if case.rate == 60 {
            paths.insert(case.sheet.to_string(), path);
        }
    }
    bad += compare_sizes(&paths, &references);
    let without = cases.iter().filter(|case| !references.contains_key(&case.sheet.to_string())).count();
    if without > 0 {
        println!("{without} sheets have no reference yet: `cargo xtask torture references` computes what is missing");
    }
    let (count, minutes) = (cases.len(), start.elapsed().as_secs_f64() / 60.0);
    println!("{count} sheets in {minutes:.1} min; their paths are in {}", target().join("torture").display());
    if bad == 0 { Ok(()) } else { Err(format!("{bad} of the lines above are not as they should be (!)")) }
}

/// A line of the table, and whether all in it is good.
fn describe(case: &Case, path: &Path, reference: Option<&Reference>) -> (String, bool) {
    let findings = judge::judge(&case.sheet, path, reference);
    let texts = findings
        .each_ref()
        .map(|Finding { text, good }| if *good == Some(false) { format!("!{text}") } else { text.clone() });
    let mut line = format!("{:<38} {} {:>6.1} s", case.to_string(), row(&texts), path.took);
    if let Some(problem) = &path.refused {
        let _ = write!(line, " !refused at {:.1} s: {problem}", path.duration());
    }
    (line, path.refused.is_none() && findings.iter().all(|finding| finding.good != Some(false)))
}

fn row(texts: &[String]) -> String {
    let widths = [8, 20, 18, 24, 6, 18];
    let cells = texts.iter().zip(widths).map(|(text, width)| format!("{text:<width$}"));
    cells.collect::<Vec<_>>().join(" ")
}

/// Leaves the path where it can be looked at.
fn keep(case: &Case, path: &Path) -> Outcome {
    let folder = target().join("torture");
    let mut text = "time_s,swing_m,centre_y_m,kinetic_j,energy_less_work_j\n".to_owned();
    for (at, swing) in path.swing.iter().enumerate() {
        let time = at as f64 * path.interval;
        let _ =
            writeln!(text, "{time:.6},{swing:.6},{:.6},{:e},{}", path.centre[at].y, path.kinetic[at], path.energy[at]);
    }
    let file = folder.join(format!("{}.csv", case.to_string().replace(' ', "-")));
    let written = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&file, text));
    written.map_err(|error| format!("cannot write {}: {error}", file.display()))
}

/// Compares sheets of two sizes that are otherwise alike; how many of them are too far apart.
fn compare_sizes(paths: &BTreeMap<String, Path>, references: &BTreeMap<String, Reference>) -> usize {
    let mut bad = 0;
    for sheets in cases::compared_sheets() {
        let [Some(small), Some(large)] = sheets.map(|sheet| paths.get(&sheet.to_string())) else { continue };
        let [small, large] = [places(small), places(large)];
        let fall = large.iter().map(|[_, height]| -height).fold(0.0, f64::max);
        let theirs = sheets.map(|sheet| references.get(&sheet.to_string()).map(|reference| &reference.places));
        let (fraction, soon) = APART;
        let (early, later) = (apart(&small, &large, 0.0, soon), |end| apart(&small, &large, soon, end));
        let mut good = early <= fraction * fall;
        let mut text = format!("{:.1} % of the fall in {soon} s", 100.0 * early / fall);
        if let [Some(one), Some(other)] = theirs {
            // Triangles of the two sizes part sooner, by any method: then what is asked of later times is asked of all.
            let allowed = apart(one, other, 0.0, soon);
            good |= allowed > fraction * fall && early <= allowed + fraction * fall;
            let _ = write!(text, ", the reference {:.1} %", 100.0 * allowed / fall);
            let end = if sheets[0].is_bare() {
                BARE_SPAN
            } else {
                one.len().min(other.len()) as f64 / f64::from(PLACES_PER_SECOND)
            };
            let (own, allowed) = (later(end), apart(one, other, soon, end));
            good &= own <= allowed + fraction * fall;
            let _ = write!(
                text,
                "; then {:.1} % until {end:.1} s, the reference {:.1} %",
                100.0 * own / fall,
                100.0 * allowed / fall
            );
        }
        let [small, large] = COMPARED_SIDES;
        let name = sheets[0].to_string();
        let kind = name.split_once(' ').map_or("", |(_, kind)| kind);
        println!("{}{small} and {large} a side, {kind}: {text}", if good { "" } else { "!" });
        bad += usize::from(!good);
    }
    bad
}

/// The centre as references have it, distance from plumb and height [m].
fn places(path: &Path) -> Vec<[f64; 2]> {
    let every = (1.0 / (path.interval * f64::from(PLACES_PER_SECOND))).round() as usize;
    path.swing.iter().zip(&path.centre).step_by(every).map(|(swing, centre)| [*swing, centre.y]).collect()
}

/// How far apart two centres are at most from one time to another [m].
fn apart(one: &[[f64; 2]], other: &[[f64; 2]], from: f64, to: f64) -> f64 {
    let at = |time: f64| (time * f64::from(PLACES_PER_SECOND)).round() as usize;
    let both = one.iter().zip(other).skip(at(from)).take(at(to) + 1 - at(from));
    both.map(|(a, b)| libm::hypot(a[0] - b[0], a[1] - b[1])).fold(0.0, f64::max)
}

/// Does something with each of many things, on as many threads as there are processors; results in the same order.
fn in_parallel<T: Sync, R: Send>(things: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            let (sender, next, work) = (sender.clone(), &next, &work);
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(thing) = things.get(number) else { break };
                    // The receiver lives until all are done.
                    let _ = sender.send((number, work(thing)));
                }
            });
        }
    });
    drop(sender);
    let mut results: Vec<(usize, R)> = receiver.into_iter().collect();
    results.sort_by_key(|(number, _)| *number);
    results.into_iter().map(|(_, result)| result).collect()
}
