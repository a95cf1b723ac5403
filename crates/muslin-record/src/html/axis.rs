//! Axes: which range a chart shows, where its ticks are and what they say.

use super::text::significant;

/// The range of one axis and its ticks.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Axis {
    pub(super) min: f64,
    pub(super) max: f64,
    pub(super) ticks: Vec<Tick>,
}

/// A value that is marked on an axis.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tick {
    pub(super) value: f64,
    pub(super) label: String,
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
    pub(super) fn share(&self, value: f64) -> f64 {
        (value - self.min) / (self.max - self.min)
    }

    /// Letters of the longest label.
    pub(super) fn label_width(&self) -> usize {
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

/// Ticks of an axis have the same number of decimals, just enough to tell them apart.
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
            assert!((0.0..=1.0).contains(&axis.share(value)), "{axis:?}");
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
