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
pub(crate) const INTEGRATORS: [Method; 8] = [
    Method {
        name: "auto",
        about: "the one that the limiter's document uses (the default)",
        source: "that document",
        parameters: &["those of the integrator it stands for"],
    },
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
    Method {
        name: "substeps",
        about: "many short substeps in which springs and limits act together; works with the limiter `certified` only",
        source: "muslin's own",
        parameters: &[],
    },
];

/// `limiter.method`.
pub(crate) const LIMITERS: [Method; 9] = [
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
    Method {
        name: "impulse",
        about: "all impulses at once from a linear system along the edges' directions; keeps angular momentum",
        source: "Ye 2008",
        parameters: &["stretch", "compress", "direction", "solver", "preconditioner", "ordering"],
    },
    Method {
        name: "impulse-newton",
        about: "all impulses at once from the non-linear equations, by Newton's method",
        source: "Ye, Webber & Gargantini 2005",
        parameters: &["stretch", "compress", "tolerance", "max_iterations", "direction", "jacobian", "ordering"],
    },
    Method {
        name: "iterative",
        about: "inextensible edges, impulse by impulse from a preview, until all are within a tolerance",
        source: "Bender & Bayer 2008",
        parameters: &["stretch", "tolerance", "max_iterations", "direction", "velocity_pass"],
    },
    Method {
        name: "sle",
        about: "inextensible edges by a system of linear equations; one factorisation for positions and velocities",
        source: "Bender & Bayer 2008",
        parameters: &[
            "stretch",
            "tolerance",
            "max_iterations",
            "direction",
            "velocity_pass",
            "solver",
            "preconditioner",
            "ordering",
        ],
    },
    Method {
        name: "inequality",
        about: "edges and cross edges may shorten but not stretch: active sets with targets that tighten",
        source: "Jin et al. 2017",
        parameters: &["stretch", "compress", "tolerance", "max_iterations", "sequence", "cross_edges"],
    },
    Method {
        name: "certified",
        about: "no step is accepted in which any edge is over its limit; lively, and fast",
        source: "muslin's own",
        parameters: &["stretch", "max_iterations", "tethers"],
    },
];
