//! Words and numbers for the page.

use maud::{Markup, html};

/// Text in which what stands between backticks is set as code, as in messages on a terminal.
pub(crate) fn prose(text: &str) -> Markup {
    let parts: Vec<&str> = text.split('`').collect();
    // An odd number of parts: every backtick has its partner.
    if parts.len().is_multiple_of(2) {
        return html! { (text) };
    }
    html! {
        @for (index, part) in parts.iter().enumerate() {
            @if index.is_multiple_of(2) { (part) } @else { code { (part) } }
        }
    }
}

/// Parts of a sentence with a separator between them.
pub(crate) fn joined(parts: &[Markup], separator: &str) -> Markup {
    html! {
        @for (index, part) in parts.iter().enumerate() {
            @if index > 0 { (separator) }
            (part)
        }
    }
}

/// A number to so many significant digits, without zeros that say nothing; very large and small ones with an exponent.
pub(crate) fn significant(value: f64, digits: usize) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    // The exponent after rounding: 9.996 to three digits is 10.0.
    let scientific = format!("{value:.*e}", digits - 1);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let text = if (-4..7).contains(&exponent) {
        let decimals = (digits as i32 - 1 - exponent).max(0) as usize;
        trimmed(&format!("{value:.decimals$}")).to_owned()
    } else {
        format!("{}e{exponent}", trimmed(mantissa))
    };
    text.replace('-', "−")
}

fn trimmed(number: &str) -> &str {
    if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { number }
}

/// A fraction in per cent, to three digits.
pub(crate) fn percent(fraction: f64) -> String {
    format!("{} %", significant(100.0 * fraction, 3))
}

/// A fraction in per cent, with as many digits as it takes to distinguish it from another.
pub(crate) fn percent_unlike(fraction: f64, other: f64) -> String {
    (3..=15)
        .map(|digits| significant(100.0 * fraction, digits))
        .find(|text| *text != significant(100.0 * other, 15))
        .map_or_else(|| percent(fraction), |text| format!("{text} %"))
}

/// A short length in millimetres, to three digits.
pub(crate) fn millimetres(metres: f64) -> String {
    format!("{} mm", significant(1000.0 * metres, 3))
}

/// Seconds, to three digits.
pub(crate) fn seconds(value: f64) -> String {
    format!("{} s", significant(value, 3))
}

/// A count with its noun, in singular or plural.
pub(crate) fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backticks_become_code_when_they_come_in_pairs() {
        assert_eq!(prose("`a<b` and `c`").into_string(), "<code>a&lt;b</code> and <code>c</code>");
        assert_eq!(prose("one ` & alone").into_string(), "one ` &amp; alone");
    }

    #[test]
    fn numbers_have_the_digits_that_matter() {
        let cases = [
            (0.0, "0"),
            (9.996, "10"),
            (0.012_345, "0.0123"),
            (-1.5, "−1.5"),
            (123_456.0, "123456"),
            (2.5e9, "2.5e9"),
            (-1e-7, "−1e−7"),
        ];
        for (value, text) in cases {
            assert_eq!(significant(value, 3), text);
        }
    }

    #[test]
    fn a_strain_just_over_the_limit_does_not_read_like_the_limit() {
        assert_eq!(percent_unlike(0.010_004, 0.01), "1.0004 %");
        assert_eq!(percent_unlike(0.032, 0.01), "3.2 %");
        assert_eq!(percent_unlike(0.01, 0.01), "1 %");
    }
}
