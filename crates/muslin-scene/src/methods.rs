//! The methods that a scene can choose, each described here and nowhere else: name, source, what it does. The schema,
//! the scene reference and `muslin methods` are made of this; the parameters are in [`crate::parameters`].

use muslin::settings::{Inequality, InequalitySolver, Integrator, LimitMethod, Limiter, Reading};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::parameters::{INTEGRATOR, LIMITER, Method, Parameter, by_value};

/// Writes an enum of methods from lines of name, source and description.
macro_rules! methods {
    ($(#[$about_all:meta])* $kind:ident {
        $($(#[$mark:meta])* $variant:ident = $name:literal, $source:literal, $about:literal;)*
    }) => {
        $(#[$about_all])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
        pub enum $kind {
            $(#[doc = $about] $(#[$mark])* #[serde(rename = $name)] $variant,)*
        }

        impl $kind {
            /// All methods, in the order of lists.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$variant),*];

            /// The name as scene files and the core's settings spell it.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// Where it comes from.
            pub fn source(self) -> &'static str {
                match self { $(Self::$variant => $source,)* }
            }

            fn own_about(self) -> &'static str {
                match self { $(Self::$variant => $about,)* }
            }
        }
    };
}

methods! {
    /// Time integration, `integrator.method`.
    IntegratorMethod {
        #[default]
        Auto = "auto", "as the limiter",
            "The one that the limiter's paper uses, or its own.";
        ExplicitEuler = "explicit-euler", "textbook",
            "Positions by the old velocity: first order, gains energy on undamped springs.";
        SymplecticEuler = "symplectic-euler", "textbook",
            "Positions by the new velocity: first order, keeps energy and momentum at small steps.";
        Exact = "exact", "Bender & Bayer 2008",
            "Exact when the force is constant over a step; gains energy on undamped springs.";
        BackwardEuler = "backward-euler", "Baraff & Witkin 1998, Ye 2008",
            "Implicit, first order: stable at any step, damps. Newton rounds with conjugate gradients and constraint \
             filters.";
        Newmark = "newmark", "Jin et al. 2017 §5.2, Bridson et al. 2003",
            "Explicit elastic and implicit damping forces: second order, keeps energy at small steps.";
        Bdf2 = "bdf2", "textbook",
            "Implicit, second order: stable at large steps, damps only fast motion.";
        Substeps = "substeps", "muslin's own",
            "Many short substeps in which springs and limits act together. Only with the limiter \"certified\", which \
             has no other.";
    }
}

methods! {
    /// Strain limiters, `limiter.method`.
    LimiterMethod {
        None = "none", "–",
            "Nothing is limited: the springs alone resist, and the report says how far they gave.";
        Provot = "provot", "Provot 1995",
            "Ends of edges that are too long after the step are moved together, in passes.";
        Bridson = "bridson", "Bridson, Fedkiw & Anderson 2002",
            "Impulses along edges that would become too long, averaged per particle, in Jacobi rounds.";
        Impulse = "impulse", "Ye 2008",
            "All impulses at once, from a linear system along the edges' directions; keeps angular momentum.";
        ImpulseNewton = "impulse-newton", "Ye, Webber & Gargantini 2005",
            "All impulses at once, from the non-linear equations by Newton's method.";
        Iterative = "iterative", "Bender & Bayer 2008",
            "Inextensible edges, impulse by impulse from a preview, until all are within a tolerance. Takes the \
             place of structural springs.";
        Sle = "sle", "Bender & Bayer 2008",
            "Inextensible edges by a system of linear equations; one factorisation for positions and velocities. \
             Takes the place of structural springs.";
        Inequality = "inequality", "Jin et al. 2017",
            "Edges and cross edges may shorten but not stretch, by a primal-dual method, a barrier or active sets. \
             Takes the place of structural springs.";
        Isotropic = "isotropic", "Wang, O'Brien & Ramamoorthi 2010",
            "Stretch of triangles, in all directions alike, by singular values; first on coarser meshes, then on the \
             cloth's own.";
        #[default]
        Certified = "certified", "muslin's own",
            "No step is accepted in which any edge is over its limit; lively, and fast.";
    }
}

impl LimiterMethod {
    /// The integrator that a limiter's paper uses it with, for which "auto" stands.
    pub fn partner(self) -> IntegratorMethod {
        match self {
            Self::None | Self::Provot | Self::Bridson | Self::Isotropic => IntegratorMethod::Bdf2,
            Self::Impulse | Self::ImpulseNewton => IntegratorMethod::BackwardEuler,
            Self::Iterative | Self::Sle => IntegratorMethod::Exact,
            Self::Inequality => IntegratorMethod::Newmark,
            Self::Certified => IntegratorMethod::Substeps,
        }
    }
}

impl Method for LimiterMethod {
    type Settings = Limiter;
    const TABLE: &'static str = "limiter";
    const ALL: &'static [Self] = &Self::ALL;
    const PARAMETERS: &'static [Parameter<Self>] = LIMITER;

    fn name(self) -> &'static str {
        self.name()
    }

    fn about(self) -> String {
        self.own_about().to_owned()
    }

    fn defaults(self) -> Limiter {
        Limiter::new(of_the_core::<LimitMethod>(self.name()))
    }

    fn defaults_beside(self, given: &Map<String, Value>) -> Limiter {
        let reading = given.get("reading").and_then(|reading| Reading::deserialize(reading).ok());
        let method = of_the_core::<LimitMethod>(self.name()).read(reading.unwrap_or_default());
        // Lower limits are not convex.
        let lower = given.contains_key("compress");
        Limiter::new(match method {
            LimitMethod::Inequality(own) if lower => {
                LimitMethod::Inequality(Inequality { solver: InequalitySolver::ActiveSet, ..own })
            }
            other => other,
        })
    }
}

impl Method for IntegratorMethod {
    type Settings = Integrator;
    const TABLE: &'static str = "integrator";
    const ALL: &'static [Self] = &Self::ALL;
    const PARAMETERS: &'static [Parameter<Self>] = INTEGRATOR;

    fn name(self) -> &'static str {
        self.name()
    }

    fn about(self) -> String {
        match self {
            Self::Auto => {
                let partners = LimiterMethod::ALL.map(|limiter| (limiter.partner().name(), limiter.name()));
                format!("{} It is {}.", self.own_about(), by_value(&partners))
            }
            other => other.own_about().to_owned(),
        }
    }

    fn defaults(self) -> Integrator {
        match self {
            Self::Auto => LimiterMethod::default().partner().defaults(),
            other => of_the_core(other.name()),
        }
    }
}

/// The core's method of a name, with its own defaults.
fn of_the_core<T: DeserializeOwned>(name: &str) -> T {
    serde_json::from_value(json!({ "method": name })).expect("names are the core's; a test goes through all of them")
}
