//! What a legend says, before it is drawn.

use super::Legend;
use crate::StrainScale;

/// A tick under the bar.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tick {
    /// Place on the bar, 0 to 1.
    pub(super) fraction: f32,
    pub(super) label: String,
    /// In ink and semi-bold.
    pub(super) strong: bool,
}

/// The parts of a legend.
pub(super) struct Plan {
    pub(super) title: &'static str,
    /// Colour at a fraction of the bar.
    pub(super) colour: fn(f32) -> [u8; 3],
    /// Places on the bar with a mark across it and a name above.
    pub(super) marks: &'static [(f32, &'static str)],
    /// The most important first.
    pub(super) ticks: Vec<Tick>,
    /// A colour beside the scale, with its name.
    pub(super) swatch: Option<([u8; 3], &'static str)>,
}

impl Plan {
    pub(super) fn of(legend: &Legend) -> Self {
        match legend {
            Legend::Strain { limit } => Self::strain(*limit),
            Legend::Contact(scale) => Self::contact(f64::from(scale.far()), scale.colour(-1.0)),
        }
    }

    /// The left half is linear up to the limit, the right half logarithmic up to ten times it.
    fn strain(limit: f64) -> Self {
        let tick = |fraction: f32, label: &str, strong| Tick { fraction, label: label.to_owned(), strong };
        let three_times = 0.5 + 0.5 * libm::log10f(3.0);
        let mut ticks = vec![tick(0.0, "0", false), tick(1.0, "10×", false), tick(three_times, "3×", false)];
        if limit.is_finite() && limit > 0.0 {
            ticks.insert(0, tick(0.5, &percent(limit), true));
            ticks.push(tick(0.25, &percent(limit / 2.0), false));
        }
        let colour = |fraction: f32| StrainScale::embedded().colour_of_code((fraction * 256.0) as u8);
        Self { title: "strain", colour, marks: &[(0.5, "limit")], ticks, swatch: None }
    }

    fn contact(far: f64, inside: [u8; 3]) -> Self {
        let tick = |fraction: f32, label: String| Tick { fraction, label, strong: false };
        let ticks = vec![tick(0.0, "0".to_owned()), tick(1.0, short(far * 1000.0)), tick(0.5, short(far * 500.0))];
        let colour = |fraction: f32| crate::ContactScale::new(1.0).colour(fraction);
        Self { title: "gap, mm", colour, marks: &[], ticks, swatch: Some((inside, "inside")) }
    }
}

/// A fraction as percent: `0.01` is `1 %`.
fn percent(fraction: f64) -> String {
    format!("{}\u{a0}%", short(fraction * 100.0))
}

/// A positive number with three digits and no zeros at the end.
fn short(number: f64) -> String {
    let magnitude = libm::floor(libm::log10(number)) as i32;
    if !(-5..=6).contains(&magnitude) {
        return format!("{number:.1e}");
    }
    let text = format!("{number:.*}", (2 - magnitude).max(0) as usize);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_as_short_as_they_can_be() {
        for (number, text) in [
            (1.0, "1"),
            (0.1, "0.1"),
            (12.5, "12.5"),
            (0.625, "0.625"),
            (100.0, "100"),
            (1.0 / 3.0, "0.333"),
            (0.05, "0.05"),
            (1e-9, "1.0e-9"),
            (1234.0, "1234"),
        ] {
            assert_eq!(short(number), text);
        }
        assert_eq!(percent(0.01), "1\u{a0}%");
    }

    #[test]
    fn the_bar_of_strain_has_the_limit_in_its_middle() {
        let plan = Plan::strain(0.1);
        let scale = StrainScale::embedded();
        assert_eq!((plan.colour)(0.499), scale.colour(1.0));
        assert_eq!((plan.colour)(0.501), scale.colour(1.000_1));
        assert_eq!((plan.colour)(1.0), scale.colour(10.0));
        let labels: Vec<&str> = plan.ticks.iter().map(|tick| tick.label.as_str()).collect();
        assert_eq!(labels, ["10\u{a0}%", "0", "10×", "3×", "5\u{a0}%"]);
    }

    #[test]
    fn a_limit_that_is_no_number_has_no_value_at_its_mark() {
        for limit in [0.0, f64::NAN, f64::INFINITY] {
            assert_eq!(Plan::strain(limit).ticks.len(), 3, "{limit}");
        }
    }
}
