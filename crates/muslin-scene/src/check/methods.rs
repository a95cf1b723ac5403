//! Methods and the parameters that belong to them.

use muslin::settings::{Integrator, Limiter};

use super::Checker;
use crate::error::Problem;
use crate::parameters::{self, Method};
use crate::suggest;
use crate::typed::{self, Chosen, IntegratorMethod, LimiterMethod};

pub(super) fn integrator(check: &mut Checker<'_>, typed: &typed::Integrator, limiter: LimiterMethod) -> Integrator {
    let method = match typed.method {
        IntegratorMethod::Auto => limiter.partner(),
        chosen => chosen,
    };
    refuse_mismatch(check, method, limiter);
    refuse_foreign_keys(check, typed, method);
    parameters::settings(method, &typed.given)
}

pub(super) fn limiter(check: &mut Checker<'_>, typed: &typed::Limiter) -> Limiter {
    refuse_foreign_keys(check, typed, typed.method);
    refuse_foreign_words(check, typed);
    refuse_idle_keys(check, typed);
    refuse_lower_limits(check, typed);
    let limiter = parameters::settings(typed.method, &typed.given);
    refuse_no_room(check, typed.method, limiter.stretch);
    limiter
}

/// Keys that belong to other methods than the one that is used.
fn refuse_foreign_keys<M: Method>(check: &mut Checker<'_>, typed: &Chosen<M>, method: M) {
    let (table, name) = (M::TABLE, method.name());
    let own: Vec<_> = method.parameters().map(|parameter| parameter.key).collect();
    for key in typed.given.keys().filter(|key| !own.contains(&key.as_str())) {
        let message = format!("`{table}.{key}` does not belong to the method \"{name}\"");
        let help = match own.as_slice() {
            [] => format!("remove it: \"{name}\" has no parameters"),
            [only] => format!("remove it: the only parameter of \"{name}\" is `{only}`"),
            own => format!("remove it; the parameters of \"{name}\" are {}", suggest::quoted(own)),
        };
        check.report(Problem::at(format!("{table}.{key}"), message).help(help));
    }
}

/// Words that belong to another method's parameter of the same key.
fn refuse_foreign_words(check: &mut Checker<'_>, typed: &typed::Limiter) {
    for parameter in parameters::foreign_words(typed.method, &typed.given) {
        let (key, name) = (parameter.key, typed.method.name());
        let message = format!("{} is no `limiter.{key}` of the method \"{name}\"", typed.given[key]);
        let help = format!("it may be {}", parameter.values);
        check.report(Problem::at(format!("limiter.{key}"), message).help(help));
    }
}

/// Interior points need limits that are convex.
fn refuse_lower_limits(check: &mut Checker<'_>, typed: &typed::Limiter) {
    let solver = parameters::solver(typed.method, &typed.given).unwrap_or_default();
    if typed.method == LimiterMethod::Inequality && typed.given.contains_key("compress") && solver != "active-set" {
        let message = format!("the solver \"{solver}\" has no lower limits: `limiter.compress` is not convex");
        let help = "remove `limiter.solver`, or choose `limiter.solver = \"active-set\"`; or remove `limiter.compress`";
        check.report(Problem::at("limiter.solver", message).help(help));
    }
}

/// A preconditioner without iteration, or an ordering without factorisation, would do nothing.
fn refuse_idle_keys(check: &mut Checker<'_>, typed: &typed::Limiter) {
    let Some(solver) = parameters::solver(typed.method, &typed.given) else { return };
    for parameter in parameters::idle(typed.method, &solver).filter(|idle| typed.given.contains_key(idle.key)) {
        let key = parameter.key;
        let message = format!("`limiter.{key}` means nothing to the solver \"{solver}\"");
        let others: Vec<_> = parameter.solvers.iter().map(|other| format!("`limiter.solver = \"{other}\"`")).collect();
        let help = format!("remove it, or choose {}", others.join(" or "));
        check.report(Problem::at(format!("limiter.{key}"), message).help(help));
    }
}

/// Without any room to stretch, rounding alone would exceed the limit of a method that guarantees it.
fn refuse_no_room(check: &mut Checker<'_>, method: LimiterMethod, stretch: f64) {
    let parameter = method.parameters().find(|parameter| parameter.key == "stretch");
    if let Some(least) = parameter.and_then(|parameter| parameter.least(method))
        && stretch < least
    {
        let message = format!("`limiter.stretch` of {stretch} is too small for the method \"{}\"", method.name());
        let help = format!("the least is {least}: 0.01 is 1 %, and work grows as the limit shrinks");
        check.report(Problem::at("limiter.stretch", message).help(help));
    }
}

/// `certified` and `substeps` are two halves of one method: with anything else forces would act twice, or not at all.
fn refuse_mismatch(check: &mut Checker<'_>, method: IntegratorMethod, limiter: LimiterMethod) {
    let (message, help) = match (method, limiter) {
        (IntegratorMethod::Substeps, LimiterMethod::Certified) => return,
        (IntegratorMethod::Substeps, limiter) => (
            format!(
                "the integrator \"substeps\" works with the limiter \"certified\" only, not \"{}\"",
                limiter.name()
            ),
            "leave out `integrator.method`, or choose `limiter.method = \"certified\"`",
        ),
        (method, LimiterMethod::Certified) => (
            format!("the limiter \"certified\" does not work with the integrator \"{}\"", method.name()),
            "\"certified\" brings its own integrator: leave out `integrator.method`, or make it \"auto\"; or choose \
             another `limiter.method`",
        ),
        _ => return,
    };
    check.report(Problem::at("integrator.method", message).help(help));
}
