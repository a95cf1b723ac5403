//! Words and numbers for the page.

/// Text made harmless for HTML, inside and outside of attributes.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(letter),
        }
    }
    out
}

/// Escaped text in which what stands between backticks is set as code, as in messages on a terminal.
pub(crate) fn prose(text: &str) -> String {
    let escaped = escape(text);
    let parts: Vec<&str> = escaped.split('`').collect();
    // An odd number of parts: every backtick has its partner.
    if parts.len().is_multiple_of(2) {
        return escaped;
    }
    let code = |(index, part): (usize, &&str)| {
        if index.is_multiple_of(2) { (*part).to_owned() } else { format!("<code>{part}</code>") }
    };
    parts.iter().enumerate().map(code).collect()
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

/// A share in per cent, to three digits.
pub(crate) fn percent(share: f64) -> String {
    format!("{} %", significant(100.0 * share, 3))
}

/// A share in per cent, with as many digits as it takes to tell it from another.
pub(crate) fn percent_unlike(share: f64, other: f64) -> String {
    (3..=15)
        .map(|digits| significant(100.0 * share, digits))
        .find(|text| *text != significant(100.0 * other, 15))
        .map_or_else(|| percent(share), |text| format!("{text} %"))
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
    fn nothing_a_user_types_becomes_markup() {
        assert_eq!(escape(r#"<a href="x">'&'</a>"#), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;");
    }

    #[test]
    fn backticks_become_code_when_they_come_in_pairs() {
        assert_eq!(prose("`a<b` and `c`"), "<code>a&lt;b</code> and <code>c</code>");
        assert_eq!(prose("one ` alone"), "one ` alone");
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
