//! The frame every chart is drawn in: size, grid, axes with their ticks and labels.
//!
//! Lengths are in units of the drawing, which scales with the page: on a phone of 390 px a unit is about 0.9 px, and
//! the style sheet sets larger text there.

use maud::{Markup, html};

use super::text::significant;

const WIDTH: f64 = 400.0;
const HEIGHT: f64 = 248.0;
const TOP: f64 = 36.0;
const BOTTOM: f64 = 44.0;
const RIGHT: f64 = 16.0;
/// Width of a digit at the size of a phone's text.
const LETTER: f64 = 8.0;

/// A chart's coordinate system and labels.
pub(super) struct Plot<'a> {
    /// Unique on the page.
    pub(super) id: &'a str,
    pub(super) title: &'a str,
    /// What the chart shows, in words, for those who do not see it.
    pub(super) description: &'a str,
    pub(super) x_label: &'a str,
    pub(super) y_label: &'a str,
    pub(super) x: Axis,
    pub(super) y: Axis,
    /// True when x is the time of the run [s], which the player then shows and sets.
    pub(super) over_time: bool,
}

impl Plot<'_> {
    /// The whole drawing around what the chart puts into it.
    pub(super) fn svg(&self, content: &Markup) -> Markup {
        let Self { id, title, description, .. } = self;
        // Which time lies where, for the player.
        let time = |value: f64| self.over_time.then_some(value);
        html! {
            svg.chart role="img" aria-labelledby={ (id) "-title " (id) "-desc" } viewBox={ "0 0 " (WIDTH) " " (HEIGHT) }
                data-chart=[self.over_time.then_some("time")]
                data-x-min=[time(self.x.min)] data-x-max=[time(self.x.max)]
                data-left=[time(self.left())] data-right=[time(WIDTH - RIGHT)]
                data-top=[time(TOP)] data-bottom=[time(HEIGHT - BOTTOM)] {
                title id={ (id) "-title" } { (title) }
                desc id={ (id) "-desc" } { (description) }
                (self.grid())
                (content)
            }
        }
    }

    /// Horizontal place of a value.
    pub(super) fn px(&self, value: f64) -> f64 {
        self.left() + self.x.fraction(value) * (WIDTH - RIGHT - self.left())
    }

    /// Vertical place of a value.
    pub(super) fn py(&self, value: f64) -> f64 {
        HEIGHT - BOTTOM - self.y.fraction(value) * (HEIGHT - TOP - BOTTOM)
    }

    /// A horizontal line at a value that means something, and its name.
    pub(super) fn level(&self, value: f64, name: &str) -> Markup {
        let (x1, x2, y) = (tenths(self.left()), WIDTH - RIGHT, tenths(self.py(value)));
        // Its name stands above the drawing, behind a piece of the line: at the line it would hide what it is about.
        let key = x2 - LETTER * (name.chars().count() as f64 + 1.0);
        html! {
            line.limit x1=(x1) x2=(tenths(x2)) y1=(y) y2=(y) {}
            line.limit x1=(tenths(key - 22.0)) x2=(tenths(key)) y1="10" y2="10" {}
            text.limit-name x=(tenths(key + 6.0)) y="15" { (name) }
        }
    }

    /// A vertical line at a value that means something, and its name.
    pub(super) fn upright(&self, value: f64, name: &str) -> Markup {
        let x = self.px(value);
        let (text, anchor) = if self.x.fraction(value) > 0.6 { (x - 5.0, "end") } else { (x + 5.0, "start") };
        html! {
            line.limit x1=(tenths(x)) x2=(tenths(x)) y1=(TOP) y2=(HEIGHT - BOTTOM) {}
            text.limit-name x=(tenths(text)) y=(tenths(TOP + 13.0)) text-anchor=(anchor) { (name) }
        }
    }

    fn left(&self) -> f64 {
        12.0 + LETTER * self.y.label_width() as f64
    }

    fn grid(&self) -> Markup {
        let (left, right, bottom) = (self.left(), WIDTH - RIGHT, HEIGHT - BOTTOM);
        html! {
            @for Tick { value, label } in &self.y.ticks {
                @let y = self.py(*value);
                line.grid x1=(tenths(left)) x2=(tenths(right)) y1=(tenths(y)) y2=(tenths(y)) {}
                text x=(tenths(left - 6.0)) y=(tenths(y + 4.5)) text-anchor="end" { (label) }
            }
            @for Tick { value, label } in &self.x.ticks {
                @let x = tenths(self.px(*value));
                line.tick x1=(x) x2=(x) y1=(bottom) y2=(bottom + 4.0) {}
                text x=(x) y=(bottom + 19.0) text-anchor="middle" { (label) }
            }
            text.label x="4" y="15" { (self.y_label) }
            text.label x=(right) y=(HEIGHT - 5.0) text-anchor="end" { (self.x_label) }
        }
    }
}

/// A length in the drawing, as fine as a screen shows it.
pub(super) fn tenths(length: f64) -> String {
    format!("{length:.1}")
}

/// The range of one axis and its ticks.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Axis {
    min: f64,
    max: f64,
    ticks: Vec<Tick>,
}

/// A value that is marked on an axis.
#[derive(Debug, Clone, PartialEq)]
struct Tick {
    value: f64,
    label: String,
}

impl Axis {
    /// An axis from tick to tick that covers the range, with about `count` ticks at multiples of 1, 2 or 5.
    pub(super) fn rounded(min: f64, max: f64, count: usize) -> Self {
        let (min, max) = widened(min, max);
        let step = nice_step((max - min) / count as f64);
        let (first, last) = ((min / step).floor(), (max / step).ceil());
        Self { min: first * step, max: last * step, ticks: ticks(first, last, step) }
    }

    /// An axis that covers exactly the range, with ticks inside it.
    pub(super) fn tight(min: f64, max: f64, count: usize) -> Self {
        let (min, max) = widened(min, max);
        let step = nice_step((max - min) / count as f64);
        // A tick at the very end counts as inside, whatever the division rounds to.
        let (first, last) = ((min / step - 1e-9).ceil(), (max / step + 1e-9).floor());
        Self { min, max, ticks: ticks(first, last, step) }
    }

    /// An axis of decimal logarithms from power to power of ten that covers the range, with at most eight ticks, which
    /// are labelled by the powers themselves.
    pub(super) fn decades(min: f64, max: f64) -> Self {
        // A value within rounding of a power of ten is at it.
        let (first, last) = ((min + 1e-9).floor(), (max - 1e-9).ceil());
        let last = last.max(first + 1.0);
        let step = ((last - first) / 7.0).ceil();
        let count = ((last - first) / step).ceil();
        let tick = |index: usize| {
            let value = first + index as f64 * step;
            Tick { value, label: significant(10_f64.powf(value), 1) }
        };
        Self { min: first, max: first + count * step, ticks: (0..=count as usize).map(tick).collect() }
    }

    /// Where a value lies between the axis's ends: 0 to 1.
    fn fraction(&self, value: f64) -> f64 {
        (value - self.min) / (self.max - self.min)
    }

    /// Letters of the longest label.
    fn label_width(&self) -> usize {
        self.ticks.iter().map(|tick| tick.label.chars().count()).max().unwrap_or(0)
    }
}

/// A range with some width: a chart of one value shows what lies around it.
fn widened(min: f64, max: f64) -> (f64, f64) {
    let room = 1e-9 * min.abs().max(max.abs());
    if max - min > room {
        (min, max)
    } else if max == 0.0 {
        (0.0, 1.0)
    } else {
        (min - 0.1 * min.abs(), max + 0.1 * max.abs())
    }
}

/// The least of 1, 2, 5 times a power of ten that is not below a value.
fn nice_step(value: f64) -> f64 {
    let power = 10_f64.powf(value.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= value * (1.0 - 1e-9));
    factor.unwrap_or(10.0) * power
}

fn ticks(first: f64, last: f64, step: f64) -> Vec<Tick> {
    let largest = first.abs().max(last.abs()) * step;
    let count = (last - first).round() as usize;
    let tick = |index: usize| {
        let value = (first + index as f64) * step;
        Tick { value, label: label(value, step, largest) }
    };
    (0..=count).map(tick).collect()
}

/// Ticks of an axis have the same number of decimals, just enough to distinguish them.
fn label(value: f64, step: f64, largest: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    // Adding steps leaves dust in the last digits, so the decimals come from the step's size.
    let size = step.log10().floor() as i32;
    let text = if largest >= 1e5 || size < -4 {
        let digits = (value.abs().log10().floor() as i32 - size).max(0) as usize;
        format!("{value:.digits$e}")
    } else {
        format!("{value:.*}", (-size).max(0) as usize)
    };
    text.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::Axis;

    fn labels(axis: &Axis) -> Vec<&str> {
        axis.ticks.iter().map(|tick| tick.label.as_str()).collect()
    }

    #[test]
    fn ticks_are_multiples_of_one_two_or_five() {
        assert_eq!(labels(&Axis::rounded(0.0, 1.04, 5)), ["0", "0.5", "1.0", "1.5"]);
        assert_eq!(labels(&Axis::rounded(-3.1, 0.2, 4)), ["−4", "−3", "−2", "−1", "0", "1"]);
        assert_eq!(labels(&Axis::rounded(0.0, 0.03, 3)), ["0", "0.01", "0.02", "0.03"]);
    }

    #[test]
    fn a_tight_axis_ends_where_the_data_ends() {
        let axis = Axis::tight(0.0, 3.0, 6);
        assert_eq!((axis.min, axis.max), (0.0, 3.0));
        assert_eq!(labels(&axis), ["0", "0.5", "1.0", "1.5", "2.0", "2.5", "3.0"]);
        assert_eq!(labels(&Axis::tight(0.0, 2.9, 3)), ["0", "1", "2"]);
    }

    #[test]
    fn a_range_without_width_still_makes_an_axis() {
        for value in [0.0, 5.0, -2.0, 1e-12, 1e300] {
            let axis = Axis::rounded(value, value, 5);
            assert!(axis.max > axis.min && axis.ticks.len() >= 2, "{axis:?}");
            assert!((0.0..=1.0).contains(&axis.fraction(value)), "{axis:?}");
        }
    }

    #[test]
    fn decades_are_labelled_by_their_powers_and_thinned_when_there_are_many() {
        assert_eq!(labels(&Axis::decades(-3.0, 0.7)), ["0.001", "0.01", "0.1", "1", "10"]);
        assert_eq!(labels(&Axis::decades(0.2, 0.3)), ["1", "10"]);
        assert_eq!(labels(&Axis::decades(2.0, 2.0)), ["100", "1000"]);
        let wide = Axis::decades(-3.0, 300.0);
        assert!(wide.ticks.len() <= 8 && wide.max >= 300.0 && wide.label_width() <= 8, "{wide:?}");
    }

    #[test]
    fn huge_and_tiny_values_have_short_labels() {
        for top in [1e-9, 3e-5, 7e5, 2e300] {
            let axis = Axis::rounded(-top, top, 5);
            assert!(axis.label_width() <= 8, "{:?}", labels(&axis));
            let mut distinct = labels(&axis);
            distinct.dedup();
            assert_eq!(distinct.len(), axis.ticks.len(), "{axis:?}");
        }
    }
}
