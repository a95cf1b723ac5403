//! What must hold at the end of a run, and the verdict on it.

use serde_json::Value;

use crate::typed::Scalar;

/// Something that must hold at the end of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Expectation {
    /// Dotted path into `report.json`; list entries by number.
    pub report: String,
    /// The figure must be at least this.
    pub at_least: Option<f64>,
    /// The figure must be at most this.
    pub at_most: Option<f64>,
    /// The figure must be this.
    pub equals: Option<Scalar>,
    /// How far a number may be from `equals`.
    pub within: f64,
    /// Why it must hold; may be empty.
    pub why: String,
}

/// The verdict on an expectation.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// The figure judged: its path in the report.
    pub what: String,
    /// True when it held.
    pub held: bool,
    /// What the report says; none: it has no such figure.
    pub measured: Option<Value>,
    /// What was wanted, in words.
    pub wanted: String,
    /// Why it was wanted; may be empty.
    pub why: String,
}

impl Expectation {
    /// Judges a report. A figure that is missing, or is no number where a number is wanted, does not hold.
    pub fn judge(&self, report: &Value) -> Judged {
        let measured = self.report.split('.').try_fold(report, |value, segment| match value {
            Value::Array(list) => list.get(segment.parse::<usize>().ok()?),
            _ => value.get(segment),
        });
        Judged {
            what: self.report.clone(),
            held: measured.is_some_and(|value| self.holds(value)),
            measured: measured.cloned(),
            wanted: self.wanted(),
            why: self.why.clone(),
        }
    }

    fn holds(&self, value: &Value) -> bool {
        let number = value.as_f64();
        let above = self.at_least.is_none_or(|least| number.is_some_and(|number| number >= least));
        let below = self.at_most.is_none_or(|most| number.is_some_and(|number| number <= most));
        let equal = match &self.equals {
            None => true,
            Some(Scalar::Switch(wanted)) => value.as_bool() == Some(*wanted),
            Some(Scalar::Text(wanted)) => value.as_str() == Some(wanted),
            Some(Scalar::Number(wanted)) => number.is_some_and(|number| (number - wanted).abs() <= self.within),
        };
        above && below && equal
    }

    fn wanted(&self) -> String {
        let mut parts = Vec::new();
        match &self.equals {
            None => {}
            Some(Scalar::Switch(value)) => parts.push(value.to_string()),
            Some(Scalar::Text(text)) => parts.push(format!("\"{text}\"")),
            Some(Scalar::Number(number)) if self.within > 0.0 => parts.push(format!("{number} ± {}", self.within)),
            Some(Scalar::Number(number)) => parts.push(number.to_string()),
        }
        parts.extend(self.at_least.map(|least| format!("at least {least}")));
        parts.extend(self.at_most.map(|most| format!("at most {most}")));
        parts.join(" and ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn expectation(report: &str) -> Expectation {
        let (at_least, at_most, equals) = (None, None, None);
        Expectation { report: report.into(), at_least, at_most, equals, within: 0.0, why: String::new() }
    }

    #[test]
    fn bounds_are_inclusive_and_reach_into_lists() {
        let report = json!({ "motion": { "linear_momentum": [0.0, -2.5, 0.0] } });
        let wanted = Expectation { at_least: Some(-2.5), ..expectation("motion.linear_momentum.1") };
        assert!(wanted.judge(&report).held);
        let wanted = Expectation { at_most: Some(-2.6), ..wanted };
        assert!(!wanted.judge(&report).held);
    }

    #[test]
    fn a_missing_or_null_figure_does_not_hold() {
        let wanted = Expectation { at_most: Some(1.0), ..expectation("motion.fall_s") };
        assert!(!wanted.judge(&json!({ "motion": {} })).held);
        assert!(!wanted.judge(&json!({ "motion": { "fall_s": null } })).held);
        assert_eq!(wanted.judge(&json!({})).measured, None);
    }

    #[test]
    fn equality_of_numbers_uses_its_tolerance() {
        let report = json!({ "period": 2.37, "completed": true });
        let wanted = Expectation { equals: Some(Scalar::Number(2.36784)), within: 0.004, ..expectation("period") };
        assert!(wanted.judge(&report).held);
        assert_eq!(wanted.judge(&report).wanted, "2.36784 ± 0.004");
        let exact = Expectation { within: 0.0, ..wanted };
        assert!(!exact.judge(&report).held);
        let switch = Expectation { equals: Some(Scalar::Switch(true)), ..expectation("completed") };
        assert!(switch.judge(&report).held);
    }
}
