//! `cargo xtask maps`: where each limiter keeps its limit, as maps over step, limit, slack and mass. Every run is a
//! line of `docs/data/maps.csv`; pictures and the tables of `docs/methods/maps.md` are made from that file alone.

mod cases;
mod draw;
mod simulate;

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use self::cases::{Map, Setup, Variant, setups};
use self::simulate::{BURST, End, Outcome};
use crate::{Outcome as Done, root};

const HEAD: &str = "limiter,steps_per_second,limit,span,mass_ratio,end,simulated_s,worst_strain,least_strain,\
                    rounds_per_step,cpu_s";
/// The lines around the table of the page.
const OPEN: &str = "<!-- written by `cargo xtask maps` -->\n";
const CLOSE: &str = "<!-- end -->";
/// How far over its limit, as a fraction of it, a step still keeps it: linear equations leave such an error.
const TOLERANCE: f64 = 0.01;

/// A run and what came of it.
#[derive(Debug, Clone, PartialEq)]
struct Row {
    limiter: String,
    setup: Setup,
    outcome: Outcome,
}

/// What a cell of a map shows.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Class {
    /// Every step within the limit.
    Kept,
    /// The greatest strain of a step, over the limit.
    Over(f64),
    /// Not finite, refused, or some edge more than [`BURST`] too long.
    Burst,
    /// Within the limit until the CPU time was used up.
    Capped,
}

/// Runs all cases, then writes file, pictures and table. Takes five minutes of CPU time.
pub(crate) fn write() -> Done {
    let mut rows = Vec::new();
    for variant in Variant::all() {
        let mut cpu = 0.0;
        for setup in setups() {
            let outcome = simulate::run(&variant, &setup)?;
            cpu += outcome.cpu;
            rows.push(Row { limiter: variant.name.to_owned(), setup, outcome });
        }
        eprintln!("{}: {cpu:.0} s of CPU time", variant.name);
    }
    let path = data();
    fs::write(&path, to_csv(&rows)).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    redraw()
}

/// Writes pictures and table from the file.
pub(crate) fn redraw() -> Done {
    for (path, text) in made()? {
        fs::write(&path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    Ok(())
}

fn data() -> PathBuf {
    root().join("docs/data/maps.csv")
}

/// Everything that is made from the file: paths and contents.
fn made() -> Result<Vec<(PathBuf, String)>, String> {
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok::<_, String>((path, text))
    };
    let rows = from_csv(&read(data())?.1)?;
    let mut made = Vec::new();
    for pair in Variant::all().chunks(2) {
        let name = draw::file_name(pair);
        made.push((root().join("docs/pictures").join(name), draw::picture(pair, &rows)?));
    }
    let (path, page) = read(root().join("docs/methods/maps.md"))?;
    let parts = page.split_once(OPEN).and_then(|(before, rest)| Some((before, rest.split_once(CLOSE)?.1)));
    let (before, after) = parts.ok_or_else(|| format!("{} has no place for its table", path.display()))?;
    made.push((path, format!("{before}{OPEN}{}\n{}{CLOSE}{after}", table(&rows)?, rounds(&rows)?)));
    Ok(made)
}

impl Row {
    fn class(&self, equality: bool) -> Class {
        let Outcome { end, worst, least, .. } = self.outcome;
        let worst = if equality { worst.max(-least) } else { worst };
        match end {
            End::Stopped | End::Burst => Class::Burst,
            _ if worst > (1.0 + TOLERANCE) * self.setup.limit => Class::Over(worst),
            End::Capped => Class::Capped,
            End::Completed => Class::Kept,
        }
    }
}

/// The class of a run of a variant.
fn class_of(rows: &[Row], variant: &Variant, setup: &Setup) -> Result<Class, String> {
    let row = rows.iter().find(|row| row.limiter == variant.name && row.setup == *setup);
    let row = row.ok_or_else(|| format!("docs/data/maps.csv has no run of {} with {setup:?}", variant.name))?;
    Ok(row.class(variant.equality))
}

/// For each variant and map, how many of its cells are of each class.
fn table(rows: &[Row]) -> Result<String, String> {
    let mut table = "| limiter | limits | slack | mass | longest step at 1 %, slack 0.9 | the same, taut |\n\
                     |---|---|---|---|---|---|\n"
        .to_owned();
    for variant in Variant::all() {
        let _ = write!(table, "| `{}` |", variant.name);
        for map in Map::ALL {
            let mut counts = [0; 4];
            for setup in map.rows().concat() {
                counts[match class_of(rows, &variant, &setup)? {
                    Class::Kept => 0,
                    Class::Over(_) => 1,
                    Class::Burst => 2,
                    Class::Capped => 3,
                }] += 1;
            }
            let [kept, over, burst, capped] = counts;
            let _ = write!(table, " {kept} / {over} / {burst} / {capped} |");
        }
        for span in [0.9, 1.0] {
            let kept = longest_kept(rows, &variant, span)?;
            let text =
                kept.map_or_else(|| "none".to_owned(), |setup| format!("1/{} s ({:.1e})", setup.rate, setup.fall()));
            let _ = write!(table, " {text} |");
        }
        table.push('\n');
    }
    Ok(table)
}

/// Rounds per step of `iterative`, which goes on until its tolerance is met.
fn rounds(rows: &[Row]) -> Result<String, String> {
    let iterative = |setup: &Setup| {
        let row = rows.iter().find(|row| row.limiter == "iterative" && row.setup == *setup);
        row.map(|row| row.outcome.rounds).ok_or_else(|| format!("docs/data/maps.csv has no `iterative` with {setup:?}"))
    };
    let mut table = "| rounds per step of `iterative` |".to_owned();
    let [limits, spans, masses] = Map::ALL.map(Map::rows);
    for setup in &limits[0] {
        let _ = write!(table, " 1/{} s |", setup.rate);
    }
    table += "\n|---|---|---|---|---|---|---|---|\n";
    let named = limits.iter().map(|row| (format!("limit {} %", 100.0 * row[0].limit), row));
    let named = named.chain(spans.iter().map(|row| (format!("pins {} widths apart", row[0].span), row)));
    let named = named.chain(masses.iter().map(|row| (format!("lower edge {} times heavier", row[0].mass), row)));
    for (name, row) in named {
        let _ = write!(table, "| {name} |");
        for setup in row {
            let _ = write!(table, " {:.0} |", iterative(setup)?);
        }
        table.push('\n');
    }
    Ok(table)
}

/// The longest step that keeps a limit of 1 %, with all shorter ones: a single lucky step is no region.
fn longest_kept(rows: &[Row], variant: &Variant, span: f64) -> Result<Option<Setup>, String> {
    let mut longest = None;
    let row = Map::Span.rows().into_iter().find(|row| row[0].span == span).unwrap_or_default();
    for setup in row {
        if class_of(rows, variant, &setup)? != Class::Kept {
            break;
        }
        longest = Some(setup);
    }
    Ok(longest)
}

fn to_csv(rows: &[Row]) -> String {
    let mut text = format!("{HEAD}\n");
    for Row { limiter, setup, outcome } in rows {
        let Setup { rate, limit, span, mass } = setup;
        let Outcome { end, time, worst, least, rounds, cpu } = outcome;
        let end = End::ALL.iter().find(|(known, _)| known == end).map_or("", |(_, name)| name);
        let _ = writeln!(
            text,
            "{limiter},{rate},{limit},{span},{mass},{end},{time:.4},{worst:.6e},{least:.6e},{rounds:.2},{cpu:.3}"
        );
    }
    text
}

fn from_csv(text: &str) -> Result<Vec<Row>, String> {
    let mut lines = text.lines();
    if lines.next() != Some(HEAD) {
        return Err("docs/data/maps.csv begins with another line: run `cargo xtask maps`".to_owned());
    }
    lines.map(|line| row_of(line).ok_or_else(|| format!("docs/data/maps.csv: `{line}` is no run"))).collect()
}

fn row_of(line: &str) -> Option<Row> {
    let fields: Vec<&str> = line.split(',').collect();
    let [limiter, rate, limit, span, mass, end, time, worst, least, rounds, cpu] = fields[..] else { return None };
    let number = |field: &str| field.parse::<f64>().ok();
    let setup = Setup { rate: rate.parse().ok()?, limit: number(limit)?, span: number(span)?, mass: number(mass)? };
    let (end, _) = *End::ALL.iter().find(|(_, name)| *name == end)?;
    let outcome = Outcome {
        end,
        time: number(time)?,
        worst: number(worst)?,
        least: number(least)?,
        rounds: number(rounds)?,
        cpu: number(cpu)?,
    };
    Some(Row { limiter: limiter.to_owned(), setup, outcome })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_pictures_and_page_belong_together() {
        for (path, text) in made().expect("everything is there") {
            let stored = fs::read_to_string(&path).unwrap_or_default();
            assert!(stored == text, "{} is stale: run `cargo xtask maps --redraw`", path.display());
        }
    }

    #[test]
    fn the_file_has_every_run_once_and_the_page_shows_every_picture() {
        let rows = from_csv(&fs::read_to_string(data()).expect("the file")).expect("runs");
        let expected: Vec<_> =
            Variant::all().iter().flat_map(|variant| setups().into_iter().map(|setup| (variant.name, setup))).collect();
        let found: Vec<_> = rows.iter().map(|row| (row.limiter.as_str(), row.setup)).collect();
        assert_eq!(found, expected);
        let page = fs::read_to_string(root().join("docs/methods/maps.md")).expect("the page");
        for pair in Variant::all().chunks(2) {
            assert!(page.contains(&format!("(../pictures/{})", draw::file_name(pair))), "{}", pair[0].name);
        }
    }

    #[test]
    fn classes_are_those_of_the_page() {
        let setup = Setup { rate: 30, limit: 0.01, span: 0.9, mass: 1.0 };
        let class = |end, worst, least, equality| {
            let outcome = Outcome { end, time: 1.0, worst, least, rounds: 0.0, cpu: 0.0 };
            Row { limiter: "sle".to_owned(), setup, outcome }.class(equality)
        };
        assert_eq!(class(End::Completed, 0.01005, -0.5, false), Class::Kept);
        assert_eq!(class(End::Completed, 0.01005, -0.5, true), Class::Over(0.5));
        assert_eq!(class(End::Completed, 0.0102, 0.0, false), Class::Over(0.0102));
        assert_eq!(class(End::Capped, 0.01, 0.0, true), Class::Capped);
        assert_eq!(class(End::Capped, 0.02, 0.0, true), Class::Over(0.02));
        assert_eq!(class(End::Burst, 11.0, 0.0, false), Class::Burst);
    }

    #[test]
    fn rows_survive_the_file() {
        let outcome = Outcome { end: End::Capped, time: 0.5, worst: 0.25, least: -0.5, rounds: 3.5, cpu: 2.0 };
        let setup = Setup { rate: 960, limit: 0.003, span: 0.999, mass: 100.0 };
        let rows = vec![Row { limiter: "sle".to_owned(), setup, outcome }];
        assert_eq!(from_csv(&to_csv(&rows)), Ok(rows));
    }
}
