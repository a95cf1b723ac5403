//! Methods and the parameters that belong to them.

use muslin::settings::{EndVelocity, Integrator, Newmark, Newton};

use super::{Checker, present};
use crate::error::Problem;
use crate::suggest;
use crate::typed::{self, IntegratorMethod, LimiterMethod};

pub(super) fn integrator(check: &mut Checker<'_>, typed: &typed::Integrator, limiter: LimiterMethod) -> Integrator {
    let method = match typed.method {
        IntegratorMethod::Auto => natural_partner(limiter),
        chosen => chosen,
    };
    refuse_mismatch(check, method, limiter);
    let given = present(&[
        ("max_newton", typed.max_newton.is_some()),
        ("tolerance", typed.tolerance.is_some()),
        ("max_cg", typed.max_cg.is_some()),
        ("end_velocity", typed.end_velocity.is_some()),
    ]);
    let own = own_keys(method);
    for key in given.into_iter().filter(|key| !own.contains(key)) {
        let method = method.name();
        let message = format!("`integrator.{key}` does not belong to the method \"{method}\"");
        let help = match own {
            [] => format!("remove it: \"{method}\" has no parameters"),
            own => format!("remove it; the parameters of \"{method}\" are {}", suggest::quoted(own)),
        };
        check.report(Problem::at(format!("integrator.{key}"), message).help(help));
    }
    let defaults = Newton::default();
    let newton = Newton {
        max_newton: typed.max_newton.unwrap_or(defaults.max_newton),
        tolerance: typed.tolerance.unwrap_or(defaults.tolerance),
        max_cg: typed.max_cg.unwrap_or(defaults.max_cg),
    };
    let end_velocity = match typed.end_velocity {
        None | Some(typed::EndVelocity::Half) => EndVelocity::Half,
        Some(typed::EndVelocity::Printed) => EndVelocity::Printed,
    };
    match method {
        IntegratorMethod::ExplicitEuler => Integrator::ExplicitEuler,
        IntegratorMethod::SymplecticEuler => Integrator::SymplecticEuler,
        IntegratorMethod::Exact => Integrator::Exact,
        IntegratorMethod::BackwardEuler => Integrator::BackwardEuler(newton),
        IntegratorMethod::Newmark => Integrator::Newmark(Newmark { end_velocity }),
        IntegratorMethod::Bdf2 | IntegratorMethod::Auto => Integrator::Bdf2(newton),
        IntegratorMethod::Substeps => Integrator::Substeps,
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

/// The keys of a method.
pub(crate) fn own_keys(method: IntegratorMethod) -> &'static [&'static str] {
    match method {
        IntegratorMethod::BackwardEuler | IntegratorMethod::Bdf2 => &["max_newton", "tolerance", "max_cg"],
        IntegratorMethod::Newmark => &["end_velocity"],
        _ => &[],
    }
}

/// The integrator that a limiter's document uses it with.
pub(crate) fn natural_partner(limiter: LimiterMethod) -> IntegratorMethod {
    match limiter {
        LimiterMethod::None | LimiterMethod::Provot | LimiterMethod::Bridson => IntegratorMethod::Bdf2,
        LimiterMethod::Impulse | LimiterMethod::ImpulseNewton => IntegratorMethod::BackwardEuler,
        LimiterMethod::Iterative | LimiterMethod::Sle => IntegratorMethod::Exact,
        LimiterMethod::Inequality => IntegratorMethod::Newmark,
        LimiterMethod::Certified => IntegratorMethod::Substeps,
    }
}
