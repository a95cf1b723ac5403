//! How far a run is: a bar on a terminal, plain lines elsewhere. Whatever takes longer than two seconds is named, with
//! how long it has taken so far.

use std::io::IsTerminal;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::console::log;

/// Time between plain lines.
const LINE_INTERVAL: Duration = Duration::from_secs(2);

/// Time after which something under way is named.
const PATIENCE: Duration = Duration::from_secs(2);

/// Time between two plain lines about the same thing.
const REMINDER: Duration = Duration::from_secs(5);

/// Time between two looks at the clock.
const TICK: Duration = Duration::from_millis(200);

/// Names what is under way when it takes long, on standard error, from a thread of its own: whatever is under way does
/// not know of it.
pub(crate) struct Activity {
    under_way: Arc<Mutex<UnderWay>>,
    /// Closed at the end, for the thread to end too; none: silent.
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
    spinner: Option<ProgressBar>,
}

/// What is under way, and since when.
struct UnderWay {
    what: String,
    since: Instant,
}

impl Activity {
    /// Names stages that have no number, such as building a scene; silent with `--quiet`.
    pub(crate) fn start(quiet: bool) -> Self {
        let spinner = (!quiet && std::io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::new_spinner();
            bar.set_style(bar_style("{spinner} {msg}"));
            bar
        });
        let mut activity = if quiet { Self::silent() } else { Self::shown(spinner.clone()) };
        activity.spinner = spinner;
        activity
    }

    fn silent() -> Self {
        let under_way = Arc::new(Mutex::new(UnderWay { what: String::new(), since: Instant::now() }));
        Self { under_way, end: None, thread: None, spinner: None }
    }

    /// Begins with nothing under way. On a terminal it shows in `bar`, elsewhere in plain lines.
    fn shown(bar: Option<ProgressBar>) -> Self {
        let mut activity = Self::silent();
        let (end, ended) = mpsc::channel();
        let under_way = Arc::clone(&activity.under_way);
        let thread = std::thread::spawn(move || watch(&under_way, &ended, bar.as_ref()));
        (activity.end, activity.thread) = (Some(end), Some(thread));
        activity
    }

    /// Says what is under way from now on: `building` is shown as `building for 3 s`. Empty: nothing.
    pub(crate) fn now(&self, what: &str) {
        let mut under_way = self.under_way.lock().unwrap_or_else(PoisonError::into_inner);
        if under_way.what != what {
            what.clone_into(&mut under_way.what);
        }
        under_way.since = Instant::now();
    }
}

/// Looks at what is under way from time to time, until the other end of `ended` is gone.
fn watch(under_way: &Mutex<UnderWay>, ended: &Receiver<()>, bar: Option<&ProgressBar>) {
    let mut shown = None::<Instant>;
    while ended.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
        let (what, spent) = {
            let under_way = under_way.lock().unwrap_or_else(PoisonError::into_inner);
            (under_way.what.clone(), under_way.since.elapsed())
        };
        if what.is_empty() || spent < PATIENCE {
            continue;
        }
        let line = format!("{what} for {:.0} s", spent.as_secs_f64());
        match bar {
            Some(bar) => bar.set_message(line),
            // A line for what is new, and a reminder now and then.
            None if shown.is_none_or(|shown| shown.elapsed() >= spent.min(REMINDER)) => {
                log(line);
                shown = Some(Instant::now());
            }
            None => {}
        }
    }
}

impl Drop for Activity {
    fn drop(&mut self) {
        self.end = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        if let Some(spinner) = &self.spinner {
            spinner.finish_and_clear();
        }
    }
}

/// Progress of a run, on standard error.
pub(crate) enum Progress {
    Silent,
    Bar(ProgressBar, Pace, Activity),
    Lines { last: Option<Instant>, pace: Pace, activity: Activity },
}

/// What the time left is reckoned from.
#[derive(Clone, Copy)]
pub(crate) struct Pace {
    started: Instant,
    first_frame: u32,
    frames: u32,
}

/// What progress shows of a frame.
pub(crate) struct Moment {
    pub(crate) frame: u32,
    /// Simulated time [s].
    pub(crate) time: f64,
    /// Simulated seconds per second spent stepping.
    pub(crate) speed: f64,
    /// Worst strain of any step so far.
    pub(crate) worst_strain: f64,
}

impl Progress {
    /// Progress from a frame (0, or the one a run is resumed from) to the last.
    pub(crate) fn start(quiet: bool, first_frame: u32, frames: u32) -> Self {
        let pace = Pace { started: Instant::now(), first_frame, frames };
        if quiet {
            return Self::Silent;
        }
        if !std::io::stderr().is_terminal() {
            return Self::Lines { last: None, pace, activity: Activity::shown(None) };
        }
        let bar = ProgressBar::new(u64::from(frames));
        bar.set_style(bar_style("{wide_bar:.cyan/blue} frame {pos}/{len}  {msg}"));
        bar.set_position(u64::from(first_frame));
        let activity = Activity::shown(Some(bar.clone()));
        Self::Bar(bar, pace, activity)
    }

    /// A step begins, on the way to a frame.
    pub(crate) fn step(&self, frame: u32) {
        match self {
            Self::Silent => {}
            Self::Bar(.., activity) => activity.now(&format!("a step of frame {frame} is under way")),
            Self::Lines { pace, activity, .. } => {
                activity.now(&format!("frame {frame}/{}  a step is under way", pace.frames));
            }
        }
    }

    /// Shows a finished frame.
    pub(crate) fn frame(&mut self, moment: &Moment) {
        match self {
            Self::Silent => {}
            Self::Bar(bar, pace, activity) => {
                activity.now("");
                bar.set_message(pace.describe(moment));
                bar.set_position(u64::from(moment.frame));
            }
            Self::Lines { last, pace, activity } => {
                activity.now("");
                let due = last.is_none_or(|last| last.elapsed() >= LINE_INTERVAL);
                if due || moment.frame == pace.frames {
                    let (frame, frames, time) = (moment.frame, pace.frames, moment.time);
                    log(format_args!("frame {frame}/{frames}  t {time:.2} s  {}", pace.describe(moment)));
                    *last = Some(Instant::now());
                }
            }
        }
    }

    /// Clears the bar away.
    pub(crate) fn end(self) {
        if let Self::Bar(bar, ..) = self {
            bar.finish_and_clear();
        }
    }
}

/// Progress of pictures that are made one by one, on standard error.
pub(crate) struct Counter {
    bar: ProgressBar,
}

impl Counter {
    pub(crate) fn start(quiet: bool, count: usize) -> Self {
        // A bar hides by itself where there is no terminal.
        let bar = if quiet { ProgressBar::hidden() } else { ProgressBar::new(count as u64) };
        bar.set_style(bar_style("{wide_bar:.cyan/blue} picture {pos}/{len}  {eta} left"));
        Self { bar }
    }

    pub(crate) fn count(&mut self) {
        self.bar.inc(1);
    }

    pub(crate) fn end(self) {
        self.bar.finish_and_clear();
    }
}

fn bar_style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

impl Pace {
    /// What a terminal line has room for.
    fn describe(&self, moment: &Moment) -> String {
        let done = f64::from(moment.frame - self.first_frame).max(1.0);
        let left = self.started.elapsed().as_secs_f64() / done * f64::from(self.frames - moment.frame);
        let strain = percent(moment.worst_strain);
        format!("{}× real time  worst strain {strain}  {} left", speed(moment.speed), duration(left))
    }
}

/// A fraction as a percentage of three digits.
pub(crate) fn percent(fraction: f64) -> String {
    format!("{} %", three_digits(100.0 * fraction))
}

/// A fraction as a percentage, with as many digits as it takes to distinguish it from a limit.
pub(crate) fn percent_unlike(fraction: f64, limit: f64) -> String {
    let short = percent(fraction);
    if fraction == limit || short != percent(limit) {
        return short;
    }
    let rounded = |fraction: f64, digits: usize| format!("{:.digits$} %", 100.0 * fraction);
    (3..12)
        .find(|&digits| rounded(fraction, digits) != rounded(limit, digits))
        .map_or(short, |digits| rounded(fraction, digits))
}

/// A factor of real time.
pub(crate) fn speed(factor: f64) -> String {
    three_digits(factor)
}

/// [s]
const YEAR: f64 = 365.25 * 86_400.0;

/// A time in the unit that suits it.
pub(crate) fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 60.0 => format!("{s:.1} s"),
        s if s < 3600.0 => format!("{:.0} min {:.0} s", (s / 60.0).floor(), s % 60.0),
        s if s < 48.0 * 3600.0 => format!("{:.0} h {:.0} min", (s / 3600.0).floor(), (s % 3600.0) / 60.0),
        s if s < 2.0 * YEAR => format!("{:.0} days", s / 86_400.0),
        s => format!("{} years", three_digits(s / YEAR)),
    }
}

/// A number of three digits.
pub(crate) fn three_digits(value: f64) -> String {
    match value.abs() {
        v if v >= 1e6 || (v > 0.0 && v < 1e-4) => format!("{value:.2e}"),
        v if v >= 100.0 => format!("{value:.0}"),
        v if v >= 10.0 => format!("{value:.1}"),
        v if v >= 1.0 || v == 0.0 => format!("{value:.2}"),
        v if v >= 0.1 => format!("{value:.3}"),
        v if v >= 0.01 => format!("{value:.4}"),
        _ => format!("{value:.5}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_three_digits() {
        let shown: Vec<_> = [0.0, 0.01, 0.067_71, 1.234, 0.000_012_3, 123.4].map(percent).to_vec();
        assert_eq!(shown, ["0.00 %", "1.00 %", "6.77 %", "123 %", "0.00123 %", "12340 %"]);
    }

    #[test]
    fn a_breach_is_distinguished_from_its_limit() {
        assert_eq!(percent_unlike(0.010_000_4, 0.01), "1.00004 %");
        assert_eq!(percent_unlike(0.0142, 0.01), "1.42 %");
        assert_eq!(percent_unlike(0.01, 0.01), "1.00 %");
    }

    #[test]
    fn times_have_a_fitting_unit() {
        assert_eq!([4.25, 61.0, 3723.0].map(duration), ["4.2 s", "1 min 1 s", "1 h 2 min"]);
        assert_eq!([3e5, 1e9].map(duration), ["3 days", "31.7 years"]);
    }
}
