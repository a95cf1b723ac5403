//! Methods and the parameters that belong to them.

use muslin::settings::{EndVelocity, Integrator, LimitMethod, Limiter, Newmark, Newton};

use super::{Checker, present};
use crate::error::Problem;
use crate::suggest;
use crate::typed::{self, IntegratorMethod, LimiterMethod};

pub(super) fn integrator(check: &mut Checker<'_>, typed: &typed::Integrator) -> Integrator {
    let newton_keys = [
        ("max_newton", typed.max_newton.is_some()),
        ("tolerance", typed.tolerance.is_some()),
        ("max_cg", typed.max_cg.is_some()),
    ];
    let newmark_keys = [("end_velocity", typed.end_velocity.is_some())];
    let (foreign, own): (Vec<&str>, &[&str]) = match typed.method {
        IntegratorMethod::BackwardEuler | IntegratorMethod::Bdf2 => {
            (present(&newmark_keys), &["max_newton", "tolerance", "max_cg"])
        }
        IntegratorMethod::Newmark => (present(&newton_keys), &["end_velocity"]),
        _ => (present(&[&newton_keys[..], &newmark_keys[..]].concat()), &[]),
    };
    for key in foreign {
        let method = typed.method.name();
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
    match typed.method {
        IntegratorMethod::ExplicitEuler => Integrator::ExplicitEuler,
        IntegratorMethod::SymplecticEuler => Integrator::SymplecticEuler,
        IntegratorMethod::Exact => Integrator::Exact,
        IntegratorMethod::BackwardEuler => Integrator::BackwardEuler(newton),
        IntegratorMethod::Newmark => Integrator::Newmark(Newmark { end_velocity }),
        IntegratorMethod::Bdf2 => Integrator::Bdf2(newton),
    }
}

pub(super) fn limiter(check: &mut Checker<'_>, typed: &typed::Limiter) -> Limiter {
    if typed.tolerance.is_some() {
        let method = typed.method.name();
        let message = format!("`limiter.tolerance` does not belong to the method \"{method}\"");
        let help =
            "remove it; how far edges may stretch is `limiter.stretch`, how long to try `limiter.max_iterations`";
        check.report(Problem::at("limiter.tolerance", message).help(help));
    }
    let method = match typed.method {
        LimiterMethod::None => LimitMethod::None,
        LimiterMethod::Provot => LimitMethod::Provot,
        LimiterMethod::Bridson => LimitMethod::Bridson,
    };
    Limiter { method, stretch: typed.stretch, compress: typed.compress, max_iterations: typed.max_iterations }
}
