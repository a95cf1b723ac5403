//! What must hold of a sheet that hangs from its pins and is left alone.

use super::cases::Sheet;
use super::references::Reference;
use super::simulate::Path;
use super::swing::{self, Turn};

/// Amplitudes are compared as long as those of the reference are above this [m].
pub(super) const LEAST_AMPLITUDE: f64 = 0.005;
/// Amplitudes by those of the reference.
const RATIOS: [f64; 2] = [0.7, 1.3];
/// How long `bare` sheets, whose motion is chaotic, are compared with a reference [s].
pub(super) const BARE_SPAN: f64 = 3.0;
/// The last so many seconds in which `bare` sheets must still swing [s], and by which fraction of their first swing.
const LATE: (f64, f64) = (10.0, 1.0 / 3.0);
/// How far off plumb the middle of a swing may be: so many metres, and so much of its amplitude.
const OFF_PLUMB: (f64, f64) = (0.005, 0.03);
/// A swing this much smaller than the one before has no middle to speak of.
const STEADY: f64 = 2.0 / 3.0;
/// Turns that are this much apart are the same [s].
const SAME_TURN: f64 = 0.2;

/// What was found of one thing.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Finding {
    /// A column of the table.
    pub(super) text: String,
    /// False: it must not be so. None: it could not be judged.
    pub(super) good: Option<bool>,
}

impl Finding {
    fn new(good: bool, text: String) -> Self {
        Self { text, good: Some(good) }
    }

    fn unjudged() -> Self {
        Self { text: "-".to_owned(), good: None }
    }
}

/// The columns of the table.
pub(super) const COLUMNS: [&str; 6] = ["strain %", "energy", "stuck", "middle", "late", "amplitudes"];

/// Judges a path, column by column.
pub(super) fn judge(sheet: &Sheet, path: &Path, reference: Option<&Reference>) -> [Finding; COLUMNS.len()] {
    let turns = swing::turns(&path.swing, path.interval);
    [
        strain(path),
        energy(path),
        stuck(path),
        middle(&turns, reference),
        if sheet.is_bare() { late(path, &turns, reference) } else { Finding::unjudged() },
        reference.map_or_else(Finding::unjudged, |reference| amplitudes(sheet, &turns, reference)),
    ]
}

fn strain(path: &Path) -> Finding {
    let [worst, _] = path.worst_strain;
    Finding::new(worst <= path.limit, format!("{:.3}", 100.0 * worst))
}

/// Printed is the greatest rise of energy less work, by what is allowed (`muslin_record::tally`).
fn energy(path: &Path) -> Finding {
    let Some((_, worst)) = path.verdict.worst() else { return Finding::new(true, "0".to_owned()) };
    let name = if worst.within < 1.0 { "hop" } else { "creep" };
    Finding::new(!worst.is_broken(), format!("{:.2} {name} at {:.1} s", worst.rise / worst.allowed, worst.time))
}

/// Whether it stands still although nothing holds it.
fn stuck(path: &Path) -> Finding {
    match path.verdict.stuck() {
        Some((_, stuck)) => Finding::new(false, format!("{:.0} % from {:.1} s", 100.0 * stuck.imbalance, stuck.since)),
        None => Finding::new(true, "no".to_owned()),
    }
}

/// What successive turns swing about, by what is allowed. It may be as far from where the reference's swing at that
/// time is, instead of plumb, and as far off plumb as any of it: the middle of a swing that is soon over is not plumb,
/// and coarse nets swing about other places while their motion spreads into other modes.
fn middle(turns: &[Turn], reference: Option<&Reference>) -> Finding {
    let theirs = reference.map_or(&[][..], |reference| &reference.turns);
    let furthest = off_plumb(theirs, &[]).map_or(0.0, |(fraction, ..)| fraction);
    match off_plumb(turns, theirs) {
        Some((fraction, middle, time)) => {
            let text = format!("{fraction:.2} ({:.1} mm at {time:.1} s)", 1e3 * middle);
            Finding::new(fraction <= furthest.max(1.0), text)
        }
        None => Finding::unjudged(),
    }
}

/// The middle that is furthest off plumb, and off that of the reference: by what is allowed, in metres, and when [s].
fn off_plumb(turns: &[Turn], reference: &[Turn]) -> Option<(f64, f64, f64)> {
    // The first turn is the start, where it does not hang yet.
    let threes = |turns: &'_ [Turn]| turns.get(1..).unwrap_or(&[]).windows(3).map(<[Turn]>::to_vec).collect::<Vec<_>>();
    let theirs = threes(reference);
    let steady = threes(turns).into_iter().filter(|three| {
        let swings = swing::swings(three);
        swings[1].amplitude > STEADY * swings[0].amplitude
            && swings.iter().all(|swing| swing.amplitude > LEAST_AMPLITUDE)
    });
    let off = steady.map(|three| {
        let swings = swing::swings(&three);
        let amplitude = 0.5 * (swings[0].amplitude + swings[1].amplitude);
        let middle = swing::middle(&three);
        let away = |theirs: &Vec<Turn>| (theirs[1].time - three[1].time).abs();
        let nearest = theirs.iter().min_by(|a, b| away(a).total_cmp(&away(b)));
        let same = nearest.filter(|theirs| away(theirs) < SAME_TURN);
        let off = same.map_or(middle.abs(), |theirs| middle.abs().min((middle - swing::middle(theirs)).abs()));
        (off / (OFF_PLUMB.0 + OFF_PLUMB.1 * amplitude), middle, three[1].time)
    });
    off.max_by(|a, b| a.0.total_cmp(&b.0))
}

/// Whether what nothing damps still swings in the end, as a fraction of its first swing: as far as is asked, or nearly
/// as far as the reference, where that was followed for so long.
fn late(path: &Path, turns: &[Turn], reference: Option<&Reference>) -> Finding {
    let (span, least) = LATE;
    let Some(first) = swing::swings(turns).first().copied() else { return Finding::unjudged() };
    let end = path.duration();
    let reach = path.swing_between(end - span, end).iter().fold(0.0_f64, |most, place| most.max(place.abs()));
    let ratio = reach / first.amplitude;
    let theirs = reference.map_or(&[][..], |reference| &reference.turns);
    let theirs_late = theirs.iter().filter(|turn| turn.time > end - span).map(|turn| turn.place.abs()).reduce(f64::max);
    let theirs = swing::swings(theirs).first().and_then(|first| Some(theirs_late? / first.amplitude));
    let least = theirs.map_or(least, |theirs| least.min(RATIOS[0] * theirs));
    let text = theirs.map_or_else(String::new, |theirs| format!(" ({theirs:.2})"));
    Finding::new(ratio >= least, format!("{ratio:.2}{text}"))
}

/// The least and the greatest amplitude by that of the reference's swing at the same time.
fn amplitudes(sheet: &Sheet, turns: &[Turn], reference: &Reference) -> Finding {
    let (swings, theirs) = (swing::swings(turns), swing::swings(&reference.turns));
    let end = if sheet.is_bare() { BARE_SPAN } else { f64::INFINITY };
    let compared = theirs.iter().take_while(|swing| swing.amplitude > LEAST_AMPLITUDE && swing.time < end);
    let mut range = [f64::INFINITY, f64::NEG_INFINITY];
    let mut count = 0;
    for theirs in compared {
        let away = |swing: &&swing::Swing| (swing.time - theirs.time).abs();
        let ratio = swings
            .iter()
            .min_by(|a, b| away(a).total_cmp(&away(b)))
            .map_or(0.0, |own| own.amplitude / theirs.amplitude);
        range = [range[0].min(ratio), range[1].max(ratio)];
        count += 1;
    }
    if count == 0 {
        return Finding::unjudged();
    }
    let good = range[0] >= RATIOS[0] && range[1] <= RATIOS[1];
    Finding::new(good, format!("{:.2}-{:.2} of {count}", range[0], range[1]))
}
