//! The charts: times over size as lines, stages of a solver as bars, both on logarithmic axes.

use super::{DIRECT, GRADIENTS, ITERATIVE, PUBLISHED, Point, REAL_TIME, SIDES, STAGES, STEPS_YE08, time_of};
use crate::svg::{Anchor, INK, LABEL, Style, Svg, TITLE, WIDTH, power_of_ten};

/// Colours that all eyes distinguish (after Okabe and Ito), and dashes, one per line.
const LINES: [(&str, &str); 5] =
    [("#56b4e9", ""), ("#0072b2", "8 3"), ("#009e73", "3 3"), ("#d55e00", "10 3 3 3"), ("#7f7f7f", "1 4")];
const GRID: &str = "#dddddd";
const PAPER: &str = "#e69f00";
const OURS: &str = "#0072b2";

/// A logarithmic axis from one power of ten to another, along the drawing.
struct Axis {
    /// Powers of ten at its ends.
    powers: [i32; 2],
    /// Where they lie.
    ends: [f64; 2],
}

impl Axis {
    fn at(&self, value: f64) -> f64 {
        let [first, last] = self.powers.map(f64::from);
        self.ends[0] + (value.log10() - first) / (last - first) * (self.ends[1] - self.ends[0])
    }

    fn ticks(&self) -> impl Iterator<Item = (f64, String)> + '_ {
        (self.powers[0]..=self.powers[1]).map(|power| (self.at(10_f64.powi(power)), power_of_ten(power)))
    }
}

/// Times of steps over the size of the sheet.
pub(super) fn times(points: &[Point], chart: &str, series: &[&str]) -> String {
    let (left, right, top, bottom) = (46.0, WIDTH - 14.0, 52.0, 278.0);
    let y = Axis { powers: [-2, 3], ends: [bottom, top] };
    // Sizes from 8 to 62 particles, by their logarithm.
    let x = |side: u32| left + (f64::from(side) / 8.0).ln() / (62.0_f64 / 8.0).ln() * (right - left);
    let mut svg = Svg::default();
    let (title, method) = if chart == ITERATIVE {
        ("[BB08] Fig. 5: time of a step, iterative", "iterative")
    } else {
        ("[BB08] Fig. 6: time of a step, SLE", "sle")
    };
    svg.text([8.0, 18.0], Anchor::Start, TITLE, title);
    svg.text([8.0, 36.0], Anchor::Start, LABEL, "CPU time [ms]");
    for (place, label) in y.ticks() {
        svg.line([left, place], [right, place], GRID, 1.0);
        svg.text([left - 5.0, place + 4.0], Anchor::End, LABEL, &label);
    }
    for side in SIDES {
        svg.line([x(side), bottom], [x(side), bottom + 4.0], INK, 1.0);
        svg.text([x(side), bottom + 17.0], Anchor::Middle, LABEL, &side.to_string());
    }
    svg.text([right, bottom + 32.0], Anchor::End, LABEL, "particles along a side");
    svg.line([left, y.at(REAL_TIME)], [right, y.at(REAL_TIME)], INK, 1.0);
    svg.text([left + 4.0, y.at(REAL_TIME) - 4.0], Anchor::Start, LABEL, "real time: 1/30 s");
    for (line, &name) in series.iter().enumerate() {
        let (colour, dashes) = LINES[line];
        let own = points.iter().filter(|point| point.chart == chart && point.series == name);
        let places: Vec<[f64; 2]> = own.map(|point| [x(point.side), y.at(point.time)]).collect();
        svg.polyline(&places, colour, dashes);
        for place in &places {
            svg.dot(*place, colour, false, name);
        }
        for (_, _, side, time) in PUBLISHED.iter().filter(|published| (published.0, published.1) == (chart, name)) {
            svg.dot([x(*side), y.at(*time)], colour, true, &format!("published: {name}"));
        }
    }
    legend(&mut svg, series, bottom + 46.0);
    let rows = (series.len() + 1).div_ceil(2) as f64;
    let description =
        format!("CPU time of a step by `{method}` over the size of the sheet, measured lines and published dots.");
    svg.finish(bottom + 52.0 + 18.0 * rows, title, &description)
}

fn legend(svg: &mut Svg, series: &[&str], top: f64) {
    let place = |number: usize| [12.0 + 196.0 * (number % 2) as f64, top + 18.0 * (number / 2) as f64];
    for (number, name) in series.iter().enumerate() {
        let [x, y] = place(number);
        let (colour, dashes) = LINES[number];
        svg.polyline(&[[x, y], [x + 28.0, y]], colour, dashes);
        svg.dot([x + 14.0, y], colour, false, name);
        svg.text([x + 36.0, y + 4.0], Anchor::Start, LABEL, name);
    }
    let [x, y] = place(series.len());
    svg.dot([x + 14.0, y], INK, true, "published");
    svg.text([x + 36.0, y + 4.0], Anchor::Start, LABEL, "published, same colour");
}

/// Stages of the direct solver, published and measured, and the whole limiter by both solvers.
pub(super) fn stages(points: &[Point]) -> Result<String, String> {
    let (left, right, top) = (118.0, WIDTH - 50.0, 60.0);
    let x = Axis { powers: [-4, 2], ends: [left, right] };
    let mut svg = Svg::default();
    let title = "[Ye08] Table 1: time of a step by stages";
    svg.text([8.0, 18.0], Anchor::Start, TITLE, title);
    for (number, (colour, name)) in [(PAPER, "published"), (OURS, "here")].into_iter().enumerate() {
        let at = 12.0 + 110.0 * number as f64;
        svg.rectangle([at, 30.0], [18.0, 12.0], colour, "");
        svg.text([at + 24.0, 40.0], Anchor::Start, LABEL, name);
    }
    let published = STAGES.map(|(stage, seconds)| (stage, Some(1000.0 * seconds / STEPS_YE08)));
    let all = published.into_iter().chain([(DIRECT, None), (GRADIENTS, None)]);
    let rows = all.map(|(name, paper)| Ok((name, paper, time_of(points, name)?)));
    let rows = rows.collect::<Result<Vec<_>, String>>()?;
    let bottom = top + 36.0 * rows.len() as f64;
    for (place, label) in x.ticks() {
        svg.line([place, top - 6.0], [place, bottom], GRID, 1.0);
        svg.text([place, bottom + 15.0], Anchor::Middle, LABEL, &label);
    }
    for (number, (name, paper, ours)) in rows.into_iter().enumerate() {
        let y = top + 36.0 * number as f64;
        for (part, word) in name.split(", ").enumerate() {
            svg.text([left - 6.0, y + 12.0 + 13.0 * part as f64], Anchor::End, LABEL, word);
        }
        for (bar, (time, colour)) in [(paper, PAPER), (Some(ours), OURS)].into_iter().enumerate() {
            let Some(time) = time else { continue };
            let (y, end) = (y + 15.0 * bar as f64, x.at(time.max(1e-4)));
            svg.rectangle([left, y], [end - left, 12.0], colour, name);
            let number = Style { size: 10.0, ..LABEL };
            svg.text([end + 4.0, y + 9.5], Anchor::Start, number, &significant(time));
        }
    }
    svg.text([right, bottom + 31.0], Anchor::End, LABEL, "time [ms]");
    let description = "Bars of the time that each stage of the direct solver takes in a step, published and measured.";
    Ok(svg.finish(bottom + 40.0, title, description))
}

/// Two significant digits.
fn significant(value: f64) -> String {
    let digits = (1.0 - value.log10().floor()).max(0.0) as usize;
    format!("{value:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_ten_lie_evenly() {
        let axis = Axis { powers: [-2, 2], ends: [0.0, 400.0] };
        assert_eq!([0.01, 1.0, 10.0, 100.0].map(|value| axis.at(value)), [0.0, 200.0, 300.0, 400.0]);
    }

    #[test]
    fn times_have_two_digits() {
        assert_eq!([12.89, 1.5, 0.166, 0.000_42].map(significant), ["13", "1.5", "0.17", "0.00042"]);
    }
}
