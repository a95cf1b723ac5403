//! The limiter and the parameters that belong to it.

use muslin::settings::{
    Certified, Impulse, ImpulseNewton, Inequality, Iterative, LimitMethod, Limiter, LinearSolver, Sle, Solver,
};

use super::{Checker, present};
use crate::error::Problem;
use crate::suggest;
use crate::typed::{self, LimiterMethod};

/// The least limit that `certified` takes [1].
const LEAST_STRETCH: f64 = 1e-6;

pub(super) fn check(check: &mut Checker<'_>, typed: &typed::Limiter) -> Limiter {
    refuse_foreign_keys(check, typed);
    refuse_idle_solver_keys(check, typed);
    refuse_no_room(check, typed);
    let max_iterations = typed.max_iterations.unwrap_or(match typed.method {
        LimiterMethod::ImpulseNewton => 20,
        LimiterMethod::Iterative => 1000,
        LimiterMethod::Sle => 1,
        LimiterMethod::Certified => 600,
        _ => 100,
    });
    Limiter { method: method(typed), stretch: typed.stretch, compress: typed.compress, max_iterations }
}

/// The keys of a method besides `stretch`.
pub(crate) fn own_keys(method: LimiterMethod) -> &'static [&'static str] {
    match method {
        LimiterMethod::None => &[],
        LimiterMethod::Provot | LimiterMethod::Bridson => &["compress", "max_iterations"],
        LimiterMethod::Impulse => &["compress", "direction", "solver", "preconditioner", "ordering"],
        LimiterMethod::ImpulseNewton => {
            &["compress", "tolerance", "max_iterations", "direction", "jacobian", "ordering"]
        }
        LimiterMethod::Iterative => &["tolerance", "max_iterations", "direction", "velocity_pass"],
        LimiterMethod::Sle => {
            &["tolerance", "max_iterations", "direction", "velocity_pass", "solver", "preconditioner", "ordering"]
        }
        LimiterMethod::Inequality => &["compress", "tolerance", "max_iterations", "sequence", "cross_edges"],
        LimiterMethod::Certified => &["max_iterations", "tethers"],
    }
}

fn refuse_foreign_keys(check: &mut Checker<'_>, typed: &typed::Limiter) {
    let given = present(&[
        ("compress", typed.compress.is_some()),
        ("tolerance", typed.tolerance.is_some()),
        ("max_iterations", typed.max_iterations.is_some()),
        ("direction", typed.direction.is_some()),
        ("solver", typed.solver.is_some()),
        ("preconditioner", typed.preconditioner.is_some()),
        ("ordering", typed.ordering.is_some()),
        ("jacobian", typed.jacobian.is_some()),
        ("velocity_pass", typed.velocity_pass.is_some()),
        ("sequence", typed.sequence.is_some()),
        ("cross_edges", typed.cross_edges.is_some()),
        ("tethers", typed.tethers.is_some()),
    ]);
    let (method, own) = (typed.method.name(), own_keys(typed.method));
    for key in given.into_iter().filter(|key| !own.contains(key)) {
        let message = format!("`limiter.{key}` does not belong to the method \"{method}\"");
        let help = match own {
            [] => format!("remove it: the only parameter of \"{method}\" is \"stretch\""),
            own => {
                format!("remove it; besides \"stretch\", the parameters of \"{method}\" are {}", suggest::quoted(own))
            }
        };
        check.report(Problem::at(format!("limiter.{key}"), message).help(help));
    }
}

/// Without any room to stretch rounding alone would break the promise.
fn refuse_no_room(check: &mut Checker<'_>, typed: &typed::Limiter) {
    if typed.method == LimiterMethod::Certified && typed.stretch < LEAST_STRETCH {
        let message = format!("`limiter.stretch` of {} is too small for the method \"certified\"", typed.stretch);
        let help = format!("the least is {LEAST_STRETCH}: 0.01 is 1 %, and work grows as the limit shrinks");
        check.report(Problem::at("limiter.stretch", message).help(help));
    }
}

/// A preconditioner without iteration, or an ordering without factorisation, would do nothing.
fn refuse_idle_solver_keys(check: &mut Checker<'_>, typed: &typed::Limiter) {
    if !own_keys(typed.method).contains(&"solver") {
        return;
    }
    let solver = typed.solver.unwrap_or_default();
    let idle = match solver {
        Solver::Ldlt => ("preconditioner", typed.preconditioner.is_some(), "ldlt", "pcg"),
        Solver::Pcg => ("ordering", typed.ordering.is_some(), "pcg", "ldlt"),
    };
    if let (key, true, chosen, other) = idle {
        let message = format!("`limiter.{key}` means nothing to the solver \"{chosen}\"");
        let help = format!("remove it, or choose `limiter.solver = \"{other}\"`");
        check.report(Problem::at(format!("limiter.{key}"), message).help(help));
    }
}

fn method(typed: &typed::Limiter) -> LimitMethod {
    let direction = typed.direction.unwrap_or_default();
    let linear = LinearSolver {
        solver: typed.solver.unwrap_or_default(),
        preconditioner: typed.preconditioner.unwrap_or_default(),
        ordering: typed.ordering.unwrap_or_default(),
    };
    match typed.method {
        LimiterMethod::None => LimitMethod::None,
        LimiterMethod::Provot => LimitMethod::Provot,
        LimiterMethod::Bridson => LimitMethod::Bridson,
        LimiterMethod::Impulse => LimitMethod::Impulse(Impulse { direction, linear }),
        LimiterMethod::ImpulseNewton => {
            let defaults = ImpulseNewton::default();
            LimitMethod::ImpulseNewton(ImpulseNewton {
                direction,
                jacobian: typed.jacobian.unwrap_or_default(),
                tolerance: typed.tolerance.unwrap_or(defaults.tolerance),
                ordering: linear.ordering,
            })
        }
        LimiterMethod::Iterative => {
            let velocity_pass = typed.velocity_pass.unwrap_or(Iterative::default().velocity_pass);
            LimitMethod::Iterative(Iterative { direction, tolerance: typed.tolerance, velocity_pass })
        }
        LimiterMethod::Sle => {
            let velocity_pass = typed.velocity_pass.unwrap_or(Sle::default().velocity_pass);
            LimitMethod::Sle(Sle { direction, tolerance: typed.tolerance, velocity_pass, linear })
        }
        LimiterMethod::Inequality => {
            let defaults = Inequality::default();
            LimitMethod::Inequality(Inequality {
                sequence: typed.sequence.unwrap_or(defaults.sequence),
                cross_edges: typed.cross_edges.unwrap_or(defaults.cross_edges),
                tolerance: typed.tolerance.unwrap_or(defaults.tolerance),
            })
        }
        LimiterMethod::Certified => LimitMethod::Certified(Certified {
            tethers: typed.tethers.unwrap_or(Certified::default().tethers),
            ..Certified::default()
        }),
    }
}
