//! How far a run is: a bar on a terminal, plain lines elsewhere.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::console::tell;

/// Time between plain lines.
const LINE_INTERVAL: Duration = Duration::from_secs(2);

/// Progress of a run, on standard error.
pub(crate) enum Progress {
    Silent,
    Bar(ProgressBar, Pace),
    Lines { last: Option<Instant>, pace: Pace },
}

/// What the time left is reckoned from.
#[derive(Clone, Copy)]
pub(crate) struct Pace {
    started: Instant,
    first_frame: u32,
    frames: u32,
}

/// What progress tells of a frame.
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
            return Self::Lines { last: None, pace };
        }
        let bar = ProgressBar::new(u64::from(frames));
        bar.set_style(bar_style("{wide_bar:.cyan/blue} frame {pos}/{len}  {msg}"));
        bar.set_position(u64::from(first_frame));
        Self::Bar(bar, pace)
    }

    /// Tells of a finished frame.
    pub(crate) fn frame(&mut self, moment: &Moment) {
        match self {
            Self::Silent => {}
            Self::Bar(bar, pace) => {
                bar.set_message(pace.describe(moment));
                bar.set_position(u64::from(moment.frame));
            }
            Self::Lines { last, pace } => {
                let due = last.is_none_or(|last| last.elapsed() >= LINE_INTERVAL);
                if due || moment.frame == pace.frames {
                    let (frame, frames, time) = (moment.frame, pace.frames, moment.time);
                    tell(format_args!("frame {frame}/{frames}  t {time:.2} s  {}", pace.describe(moment)));
                    *last = Some(Instant::now());
                }
            }
        }
    }

    /// Clears the bar away.
    pub(crate) fn end(self) {
        if let Self::Bar(bar, _) = self {
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

/// A share as a percentage of three digits.
pub(crate) fn percent(share: f64) -> String {
    format!("{} %", three_digits(100.0 * share))
}

/// A share as a percentage, with as many digits as it takes to tell it from a limit.
pub(crate) fn percent_unlike(share: f64, limit: f64) -> String {
    let short = percent(share);
    if share == limit || short != percent(limit) {
        return short;
    }
    let told = |share: f64, digits: usize| format!("{:.digits$} %", 100.0 * share);
    (3..12).find(|&digits| told(share, digits) != told(limit, digits)).map_or(short, |digits| told(share, digits))
}

/// A factor of real time.
pub(crate) fn speed(factor: f64) -> String {
    three_digits(factor)
}

/// A time in the unit that suits it.
pub(crate) fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 60.0 => format!("{s:.1} s"),
        s if s < 3600.0 => format!("{:.0} min {:.0} s", (s / 60.0).floor(), s % 60.0),
        s => format!("{:.0} h {:.0} min", (s / 3600.0).floor(), (s % 3600.0) / 60.0),
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
    fn a_breach_is_told_from_its_limit() {
        assert_eq!(percent_unlike(0.010_000_4, 0.01), "1.00004 %");
        assert_eq!(percent_unlike(0.0142, 0.01), "1.42 %");
        assert_eq!(percent_unlike(0.01, 0.01), "1.00 %");
    }

    #[test]
    fn times_have_a_fitting_unit() {
        assert_eq!([4.25, 61.0, 3723.0].map(duration), ["4.2 s", "1 min 1 s", "1 h 2 min"]);
    }
}
