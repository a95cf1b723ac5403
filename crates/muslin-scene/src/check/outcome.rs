//! Probes and expectations.

use glam::DVec3;
use muslin::model::Select;

use super::{Checker, corner, pins, present};
use crate::error::Problem;
use crate::expect::Expectation;
use crate::plan::{ClothPlan, ProbePlan};
use crate::{suggest, typed};

pub(super) fn probes(check: &mut Checker<'_>, probes: &[typed::Probe], cloths: &[ClothPlan]) -> Vec<ProbePlan> {
    let mut plans: Vec<ProbePlan> = Vec::new();
    for (number, probe) in probes.iter().enumerate() {
        let path = format!("probe.{number}");
        if plans.iter().any(|other| other.name == probe.name) {
            let message = format!("there are two probes named \"{}\"", probe.name);
            let help = "reports list probes by name: give one of them another";
            check.report(Problem::at(format!("{path}.name"), message).label("the name again").help(help));
        }
        let cloth = cloth_of(check, &path, probe.cloth.as_deref(), cloths);
        let select = select(check, &path, probe);
        if let (Some(cloth), Some(select)) = (cloth, select) {
            plans.push(ProbePlan { name: probe.name.clone(), cloth, select });
        }
    }
    plans
}

/// The cloth of a name, or the first.
pub(super) fn cloth_of(check: &mut Checker<'_>, path: &str, name: Option<&str>, cloths: &[ClothPlan]) -> Option<usize> {
    let Some(name) = name else { return Some(0) };
    let found = cloths.iter().position(|cloth| cloth.name == name);
    // When cloths were dropped for problems of their own, a missing name says nothing.
    if found.is_none() && check.problems.is_empty() {
        let names: Vec<&str> = cloths.iter().map(|cloth| cloth.name.as_str()).collect();
        let message = format!("`{path}.cloth` names \"{name}\", but there is no such cloth");
        let help = suggest::hint(name, &names);
        check.report(Problem::at(format!("{path}.cloth"), message).label("unknown cloth").help(help));
    }
    found
}

fn select(check: &mut Checker<'_>, path: &str, probe: &typed::Probe) -> Option<Select> {
    let there = present(&[
        ("index", probe.index.is_some()),
        ("corner", probe.corner.is_some()),
        ("nearest", probe.nearest.is_some()),
    ]);
    if !pins::one_choice(check, path, "probe", &there, &["index", "corner", "nearest"]) {
        return None;
    }
    match (probe.index, probe.corner) {
        (Some(index), _) => Some(Select::Index(vec![index])),
        (None, Some(at)) => Some(Select::Corner(corner(check, &format!("{path}.corner"), at))),
        (None, None) => probe.nearest.map(|point| Select::Nearest(DVec3::from(point))),
    }
}

pub(super) fn expectations(
    check: &mut Checker<'_>,
    expectations: &[typed::Expect],
    probes: &[typed::Probe],
) -> Vec<Expectation> {
    let names: Vec<&str> = probes.iter().map(|probe| probe.name.as_str()).collect();
    let mut checked = Vec::new();
    for (number, expect) in expectations.iter().enumerate() {
        let path = format!("expect.{number}");
        known_probe(check, &path, expect, &names);
        checked.push(expectation(check, &path, expect));
    }
    checked
}

/// An expectation of a probe that is not there would only be found out after the run.
fn known_probe(check: &mut Checker<'_>, path: &str, expect: &typed::Expect, names: &[&str]) {
    let Some(name) = expect.report.strip_prefix("probes.").and_then(|rest| rest.split('.').next()) else { return };
    if !names.contains(&name) {
        let message = format!("`{path}.report` speaks of the probe \"{name}\", but there is no such probe");
        let help =
            if names.is_empty() { "add a `[[probe]]` of that name".to_owned() } else { suggest::hint(name, names) };
        check.report(Problem::at(format!("{path}.report"), message).label("unknown probe").help(help));
    }
}

fn expectation(check: &mut Checker<'_>, path: &str, expect: &typed::Expect) -> Expectation {
    if expect.at_least.is_none() && expect.at_most.is_none() && expect.equals.is_none() {
        let message = format!("`{path}` expects nothing of `{}`", expect.report);
        let help = "add `at_least`, `at_most` or `equals`";
        check.report(Problem::at(format!("{path}.report"), message).label("no bound").help(help));
    }
    if let (Some(least), Some(most)) = (expect.at_least, expect.at_most)
        && least > most
    {
        let message = format!("`{path}` cannot hold: at least {least} and at most {most}");
        check.report(Problem::at(format!("{path}.at_most"), message).help("exchange `at_least` and `at_most`"));
    }
    if expect.within.is_some() && !matches!(expect.equals, Some(typed::Scalar::Number(_))) {
        let message = format!("`{path}.within` needs an `equals` with a number");
        let help = "`within` is how far the figure may be from `equals`; else use `at_least` and `at_most`";
        check.report(Problem::at(format!("{path}.within"), message).help(help));
    }
    Expectation {
        report: expect.report.clone(),
        at_least: expect.at_least,
        at_most: expect.at_most,
        equals: expect.equals.clone(),
        within: expect.within.unwrap_or(0.0),
        why: expect.why.clone().unwrap_or_default(),
    }
}
