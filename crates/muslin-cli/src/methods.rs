//! The methods there are, in words.

use serde::Serialize;

/// A method that a scene can choose.
#[derive(Debug, Serialize)]
pub(crate) struct Method {
    /// The name in scene files.
    pub(crate) name: &'static str,
    /// What it does.
    pub(crate) about: &'static str,
    /// Where it comes from.
    pub(crate) source: &'static str,
    /// Its own parameters in scene files.
    pub(crate) parameters: &'static [&'static str],
}

/// `integrator.method`.
pub(crate) const INTEGRATORS: [Method; 6] = [
    Method {
        name: "explicit-euler",
        about: "positions by the old velocity; first order, gains energy on undamped springs",
        source: "textbook",
        parameters: &[],
    },
    Method {
        name: "symplectic-euler",
        about: "positions by the new velocity; first order, keeps energy and momentum at small steps",
        source: "textbook",
        parameters: &[],
    },
    Method {
        name: "exact",
        about: "exact when the force is constant over the step; gains energy on undamped springs",
        source: "Bender & Bayer 2008",
        parameters: &[],
    },
    Method {
        name: "backward-euler",
        about: "implicit, stable at any step, damps; Newton rounds with conjugate gradients and constraint filters",
        source: "Baraff & Witkin 1998, Ye 2008",
        parameters: &["max_newton", "tolerance", "max_cg"],
    },
    Method {
        name: "newmark",
        about: "explicit elastic and implicit damping forces; second order, keeps energy at small steps",
        source: "Jin et al. 2017 §5.2, Bridson et al. 2003",
        parameters: &["end_velocity"],
    },
    Method {
        name: "bdf2",
        about: "implicit, second order, stable at large steps, damps only fast motion",
        source: "textbook",
        parameters: &["max_newton", "tolerance", "max_cg"],
    },
];

/// `limiter.method`.
pub(crate) const LIMITERS: [Method; 3] = [
    Method {
        name: "none",
        about: "nothing is limited: the springs alone resist, and the report says how far they gave",
        source: "–",
        parameters: &["stretch"],
    },
    Method {
        name: "provot",
        about: "ends of too long edges are moved together after the step, in passes",
        source: "Provot 1995",
        parameters: &["stretch", "compress", "max_iterations"],
    },
    Method {
        name: "bridson",
        about: "impulses along edges that would become too long, averaged, in Jacobi rounds",
        source: "Bridson, Fedkiw & Anderson 2002",
        parameters: &["stretch", "compress", "max_iterations"],
    },
];
