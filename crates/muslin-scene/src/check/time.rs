//! Frames and steps: a frame must be a whole number of steps.

use super::Checker;
use crate::error::Problem;
use crate::scene::StepChoice;
use crate::typed::{Step, Time};

/// How far a frame may be from a whole number of steps, relatively: what people write for 1/120 is 0.0083333.
const WHOLE_STEPS: f64 = 1e-6;

/// The most frames of a run; more is a slip of the keyboard.
const MOST_FRAMES: f64 = 10_000_000.0;

/// Time, checked.
pub(super) struct Checked {
    pub(super) frames: u32,
    pub(super) step: StepChoice,
    pub(super) steps_per_frame: Option<u32>,
}

pub(super) fn check(check: &mut Checker<'_>, time: &Time) -> Checked {
    let fps = time.frames_per_second;
    let frames = (time.duration * fps).round();
    if frames < 1.0 {
        let frame = short(1.0 / fps);
        let message = format!("`time.duration` of {} s is less than a frame of {frame} s", time.duration);
        let help = format!("make it at least {frame}, or raise `time.frames_per_second`");
        check.report(Problem::at("time.duration", message).help(help));
    } else if frames > MOST_FRAMES {
        let message =
            format!("`time.duration` × `time.frames_per_second` makes {frames} frames; {MOST_FRAMES} is the most");
        check.report(Problem::at("time.duration", message).help("durations are in seconds"));
    }
    let frames = frames.clamp(1.0, MOST_FRAMES) as u32;
    match step_seconds(&time.step, fps) {
        Ok(None) => Checked { frames, step: StepChoice::Auto, steps_per_frame: None },
        Ok(Some(step)) => {
            let steps = steps_per_frame(step, fps).unwrap_or_else(|problem| {
                check.report(problem);
                1
            });
            let step = StepChoice::Seconds(1.0 / (fps * f64::from(steps)));
            Checked { frames, step, steps_per_frame: Some(steps) }
        }
        Err(problem) => {
            check.report(problem);
            Checked { frames, step: StepChoice::Auto, steps_per_frame: None }
        }
    }
}

/// The step as written, in seconds; none: chosen by muslin.
fn step_seconds(step: &Step, fps: f64) -> Result<Option<f64>, Problem> {
    let text = match step {
        Step::Seconds(seconds) => return Ok(Some(*seconds)),
        Step::Text(text) => text.trim(),
    };
    if text == "auto" {
        return Ok(None);
    }
    let bad = || {
        let message = format!("`time.step` cannot be \"{}\"", crate::error::excerpt(text));
        let help = "write seconds (0.004), a fraction of a second (\"1/240\"), a fraction of a frame (\"frame/8\") or \
                    \"auto\"";
        Problem::at("time.step", message).help(help)
    };
    let seconds = match text.split_once('/') {
        Some((over, under)) => {
            let over = if over.trim() == "frame" { 1.0 / fps } else { over.trim().parse().map_err(|_| bad())? };
            over / under.trim().parse::<f64>().map_err(|_| bad())?
        }
        None => text.parse().map_err(|_| bad())?,
    };
    if seconds > 0.0 && f64::is_finite(seconds) { Ok(Some(seconds)) } else { Err(bad()) }
}

fn steps_per_frame(step: f64, fps: f64) -> Result<u32, Problem> {
    let exact = 1.0 / (fps * step);
    let frame = 1.0 / fps;
    if exact < 1.0 - WHOLE_STEPS {
        let message = format!("`time.step` of {} s is longer than a frame of {} s", short(step), short(frame));
        let help = format!("the longest step is \"frame/1\" = {} s; `step = \"auto\"` chooses one", short(frame));
        return Err(Problem::at("time.step", message).label("longer than a frame").help(help));
    }
    let steps = exact.round();
    if steps > f64::from(u32::MAX) {
        let message = format!("`time.step` of {} s is too short: {steps} steps a frame", short(step));
        return Err(Problem::at("time.step", message).help("steps are in seconds; 1e-6 is already very short"));
    }
    if (exact - steps).abs() > WHOLE_STEPS * exact {
        let (fewer, more) = (exact.floor(), exact.ceil());
        let message =
            format!("`time.step` of {} s does not divide a frame of {} s: {exact:.3} steps", short(step), short(frame));
        let help = format!(
            "the nearest are \"frame/{fewer}\" = {} s and \"frame/{more}\" = {} s",
            short(frame / fewer),
            short(frame / more)
        );
        return Err(Problem::at("time.step", message).label("does not divide a frame").help(help));
    }
    Ok(steps as u32)
}

/// A number with as many digits as a message needs.
fn short(number: f64) -> String {
    let digits = 6 - number.abs().log10().floor().clamp(-9.0, 5.0) as i32;
    let text = format!("{number:.*}", digits.max(0) as usize);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounded_decimals_still_divide_a_frame() {
        assert_eq!(steps_per_frame(0.008_333_33, 30.0).unwrap(), 4);
        assert_eq!(steps_per_frame(1.0 / 23.976 / 5.0, 23.976).unwrap(), 5);
        assert!(steps_per_frame(0.008, 30.0).is_err());
        assert!(steps_per_frame(0.04, 30.0).is_err());
    }

    #[test]
    fn fractions_of_seconds_and_frames_are_read() {
        let read = |text: &str| step_seconds(&Step::Text(text.into()), 24.0).unwrap();
        assert_eq!(read("1/120"), Some(1.0 / 120.0));
        assert_eq!(read("frame / 4"), Some(1.0 / 24.0 / 4.0));
        assert_eq!(read("auto"), None);
        for wrong in ["fast", "1/0", "-1/3", "1/x", "/", "inf", "nan"] {
            assert!(step_seconds(&Step::Text(wrong.into()), 24.0).is_err(), "{wrong} must not pass");
        }
    }

    #[test]
    fn messages_show_six_digits() {
        assert_eq!(short(1.0 / 30.0), "0.03333333");
        assert_eq!(short(0.008), "0.008");
        assert_eq!(short(2.5), "2.5");
    }
}
