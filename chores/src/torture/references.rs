//! The motions that sheets are compared with, from the file `references.txt`, and the chore that makes them.
//!
//! Fabrics: nothing limited, BDF2 in 480 steps per second, as long as 240 give the same swings to 10 %, and so does a
//! start tilted by 2° where one corner holds the sheet: it turns about itself, and soon no two starts move alike. Where
//! more than a hundredth of the edges is over the limit at some time, that is another motion, and a sheet of stiffer
//! threads stands in, which stays within the limit by itself. (`certified` in many more substeps does not serve: its
//! top row sags less, and swings of denim then last twice as long as those of BDF2 or of a symplectic method without
//! loss.) `bare`: springs of 200 kN/m by symplectic Euler.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Mutex;

use super::cases::{self, Pins, Sheet};
use super::judge::{BARE_SPAN, LEAST_AMPLITUDE};
use super::simulate::{Method, Path, simulate};
use super::swing::{self, Turn};
use super::{DURATION, in_parallel};
use crate::{Outcome, root};

/// Steps per second of BDF2, and how far swings may be apart to count, as a fraction.
const RATES: [u32; 2] = [240, 480];
const AGREEMENT: f64 = 0.1;
/// By how much another start of a sheet pinned at one corner is tilted [degrees].
const TILT: f64 = 2.0;
/// Centres of sheets whose sizes are compared are kept so many times a second.
pub(super) const PLACES_PER_SECOND: u32 = 10;
/// Of sheets with more particles along a side only the first so many seconds are compared: BDF2 takes minutes for each
/// second of them.
const LARGE: (u32, f64) = (25, 10.0);
/// Of `bare` nets with at most so many particles along a side all of the motion is kept: they have few modes, and the
/// motion that starts in one of them may be in the others for a long time.
const COARSE: u32 = 11;

/// The motion that a sheet is compared with.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Reference {
    /// How it was made.
    pub(super) method: String,
    /// Where its centre turns.
    pub(super) turns: Vec<Turn>,
    /// Its centre, distance from plumb and height [m]; only of sheets whose sizes are compared.
    pub(super) places: Vec<[f64; 2]>,
}

fn file() -> PathBuf {
    root().join("chores/src/torture/references.txt")
}

/// All of them, by sheet.
pub(super) fn read() -> Result<BTreeMap<String, Reference>, String> {
    let text = fs::read_to_string(file()).map_err(|error| format!("cannot read references.txt: {error}"))?;
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let parsed = lines.map(|line| parse(line).ok_or_else(|| format!("references.txt: cannot read {line:?}")));
    parsed.collect()
}

fn parse(line: &str) -> Option<(String, Reference)> {
    let [sheet, method, turns, places] = line.split(';').map(str::trim).collect::<Vec<_>>().try_into().ok()?;
    let pairs = |text: &str| -> Option<Vec<[f64; 2]>> {
        text.split_whitespace()
            .map(|pair| {
                let (a, b) = pair.split_once(':')?;
                Some([a.parse().ok()?, b.parse().ok()?])
            })
            .collect()
    };
    let turns = pairs(turns)?.into_iter().map(|[time, place]| Turn { time, place }).collect();
    Some((sheet.to_owned(), Reference { method: method.to_owned(), turns, places: pairs(places)? }))
}

/// Computes the references that the file does not have yet, and adds them. To have one made again, delete its line.
pub(super) fn add(wanted: &[Sheet]) -> Outcome {
    let references = read()?;
    let mut missing: Vec<Sheet> = Vec::new();
    for sheet in wanted {
        if !references.contains_key(&sheet.to_string()) && !missing.contains(sheet) {
            missing.push(*sheet);
        }
    }
    missing.sort_by_key(|sheet| sheet.side);
    eprintln!("{} references to compute", missing.len());
    let references = Mutex::new(references);
    let results = in_parallel(&missing, |sheet| {
        let (reference, took) = compute(sheet)?;
        eprintln!("{sheet}: {}, {} turns, {took:.0} s", reference.method, reference.turns.len());
        let mut references = references.lock().map_err(|error| error.to_string())?;
        references.insert(sheet.to_string(), reference);
        // After each, since all of them take long.
        fs::write(file(), print(&references)).map_err(|error| format!("cannot write references.txt: {error}"))
    });
    results.into_iter().collect()
}

fn compute(sheet: &Sheet) -> Result<(Reference, f64), String> {
    let duration = if sheet.side > LARGE.0 { LARGE.1 } else { DURATION };
    let settled = |path: &Path| path.duration() > BARE_SPAN && has_settled(path);
    let bdf2 = |rate: u32, stiffened: bool, tilt: f64, enough: &dyn Fn(&Path) -> bool| {
        simulate(sheet, Method::Bdf2 { rate, stiffened, tilt }, duration, |path| enough(path) || settled(path))
    };
    let turns = |path: &Path| swing::turns(&path.swing, path.interval);
    let (method, path, turns) = if sheet.is_bare() {
        let span = if sheet.side > COARSE { BARE_SPAN + 1.5 } else { DURATION };
        let path = simulate(sheet, Method::StiffSprings, span, |_| false)?;
        let turns = turns(&path);
        ("stiff springs", path, turns)
    } else {
        let stretched = |path: &Path| path.worst_strain[1] > path.limit;
        let mut coarse = bdf2(RATES[0], false, 0.0, &stretched)?;
        let stiffened = stretched(&coarse) || coarse.refused.is_some();
        if stiffened {
            coarse = bdf2(RATES[0], true, 0.0, &|_| false)?;
        }
        let fine = bdf2(RATES[1], stiffened, 0.0, &|_| false)?;
        let mut agreed_turns = agreed(&turns(&coarse), &turns(&fine));
        if sheet.pins == Pins::OneCorner {
            let tilted = bdf2(RATES[1], stiffened, TILT, &|_| false)?;
            if let Some(problem) = tilted.refused {
                return Err(format!("{sheet}, tilted: {problem}"));
            }
            agreed_turns = agreed(&turns(&tilted), &agreed_turns);
        }
        (if stiffened { "bdf2, 10 kN/m" } else { "bdf2" }, fine, agreed_turns)
    };
    if let Some(problem) = path.refused {
        return Err(format!("{sheet}, {method}: {problem}"));
    }
    let compared = cases::compared_sheets().into_iter().flatten().any(|compared| compared == *sheet);
    let every = (1.0 / (path.interval * f64::from(PLACES_PER_SECOND))).round() as usize;
    let places = path.swing.iter().zip(&path.centre).step_by(every).map(|(swing, centre)| [*swing, centre.y]);
    let places = if compared { places.collect() } else { Vec::new() };
    Ok((Reference { method: method.to_owned(), turns, places }, path.took))
}

/// The turns of a path as long as its swings are those of another: after that, steps are still too long for what is
/// left of the motion, or it is chaotic.
fn agreed(other: &[Turn], turns: &[Turn]) -> Vec<Turn> {
    let swings = [other, turns].map(swing::swings);
    let same = |(one, other): &(&swing::Swing, &swing::Swing)| {
        (one.amplitude / other.amplitude - 1.0).abs() < AGREEMENT && (one.time - other.time).abs() < 0.2
    };
    let count = swings[0].iter().zip(&swings[1]).take_while(same).count();
    turns[..(count + 1).min(turns.len())].to_vec()
}

/// True when the swings of the last seconds are too small to be compared.
fn has_settled(path: &Path) -> bool {
    let last = path.swing_between(path.duration() - BARE_SPAN, path.duration());
    let (low, high) = last.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (x.min(low), x.max(high)));
    high - low < 2.0 * LEAST_AMPLITUDE
}

fn print(references: &BTreeMap<String, Reference>) -> String {
    let mut text = format!(
        "# Written by `cargo xtask torture references`, last at {}.\n\
         # sheet; method; turns of its centre, time [s]:place [m]; centre {PLACES_PER_SECOND} times a second, \
         place:height [m]\n",
        version()
    );
    for (sheet, Reference { method, turns, places }) in references {
        let turns: Vec<String> = turns.iter().map(|turn| format!("{:.3}:{:.4}", turn.time, turn.place)).collect();
        let places: Vec<String> = places.iter().map(|[swing, height]| format!("{swing:.4}:{height:.4}")).collect();
        let _ = writeln!(text, "{sheet};{method};{};{}", turns.join(" "), places.join(" "));
    }
    text
}

/// The commit that the references are made with.
fn version() -> String {
    let git = Command::new("git").args(["describe", "--always", "--dirty"]).current_dir(root()).output();
    git.map_or_else(
        |_| "an unknown commit".to_owned(),
        |output| String::from_utf8_lossy(&output.stdout).trim().to_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_can_be_read_and_names_sheets_of_the_design() {
        let sheets: Vec<String> = cases::all().iter().map(|case| case.sheet.to_string()).collect();
        for (sheet, reference) in read().unwrap_or_else(|problem| panic!("{problem}")) {
            assert!(sheets.contains(&sheet) && reference.turns.len() > 1, "{sheet}");
        }
    }

    #[test]
    fn what_is_printed_can_be_read() {
        let turns = vec![Turn { time: 0.0, place: 0.5 }, Turn { time: 0.75, place: -0.25 }];
        let reference = Reference { method: "bdf2".into(), turns, places: vec![[0.5, 0.0]] };
        let printed = print(&BTreeMap::from([("7 quads".to_owned(), reference.clone())]));
        let line = printed.lines().last().unwrap_or_default();
        assert_eq!(parse(line), Some(("7 quads".to_owned(), reference)));
    }
}
