//! What is run: every method on one net, with one thing changed at a time.

use muslin::settings::{Impulse, ImpulseNewton, Inequality, Iterative, LimitMethod, Limiter, Reading, Sle};

/// Edges along a side of the net.
pub(super) const EDGES: u32 = 10;
/// Length of an edge [m].
pub(super) const EDGE: f64 = 0.1;
/// Acceleration of gravity [m/s²].
pub(super) const GRAVITY: f64 = 9.81;

/// Steps per second, from the longest step to the shortest.
pub(super) const RATES: [u32; 7] = [30, 60, 120, 240, 480, 960, 1920];
/// Strain limits, from loose to tight.
pub(super) const LIMITS: [f64; 7] = [0.1, 0.03, 0.01, 0.003, 0.001, 0.0003, 0.0001];
/// Distances of the two pinned corners, in widths of the sheet, from taut to slack.
pub(super) const SPANS: [f64; 6] = [1.0, 0.999, 0.99, 0.95, 0.9, 0.7];
/// How many times heavier the particles of the lower edge are.
pub(super) const MASSES: [f64; 4] = [1.0, 10.0, 100.0, 1000.0];

/// What maps have in common where they do not vary it.
const LIMIT: f64 = 0.01;
const SPAN: f64 = 0.9;
const MASS: f64 = 1.0;

/// Rounds of `iterative`: it goes on until its tolerance is met, so only the cap of CPU time ends it.
const UNTIL_DONE: u32 = 10_000_000;

/// A method in one reading, by its name in comparisons.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Variant {
    pub(super) name: &'static str,
    method: LimitMethod,
    reading: Reading,
    /// True when its constraints are equalities: edges may not be shorter either.
    pub(super) equality: bool,
}

const fn variant(name: &'static str, method: LimitMethod) -> Variant {
    Variant { name, method, reading: Reading::Intended, equality: false }
}

impl Variant {
    /// All that are mapped, two for each picture.
    pub(super) fn all() -> Vec<Self> {
        let two = |names: [&'static str; 2], method, equality| {
            [(names[0], Reading::Intended), (names[1], Reading::Printed)].map(|(name, reading)| Self {
                name,
                method,
                reading,
                equality,
            })
        };
        let impulse = LimitMethod::Impulse(Impulse::default());
        let newton = LimitMethod::ImpulseNewton(ImpulseNewton::default());
        let iterative = LimitMethod::Iterative(Iterative::default());
        let sle = LimitMethod::Sle(Sle::default());
        let inequality = LimitMethod::Inequality(Inequality::default());
        [
            two(["impulse", "impulse-printed"], impulse, false),
            two(["impulse-newton", "impulse-newton-printed"], newton, false),
            two(["iterative", "iterative-printed"], iterative, true),
            two(["sle", "sle-printed"], sle, true),
            two(["inequality", "inequality-printed"], inequality, false),
            [variant("provot", LimitMethod::Provot), variant("bridson", LimitMethod::Bridson)],
            [variant("none", LimitMethod::None), variant("certified", LimitMethod::default())],
        ]
        .concat()
    }

    /// The method with a limit.
    pub(super) fn limiter(&self, limit: f64) -> Limiter {
        let limiter = Limiter { stretch: limit, ..Limiter::new(self.method.read(self.reading)) };
        match self.method {
            LimitMethod::Iterative(_) => Limiter { max_iterations: UNTIL_DONE, ..limiter },
            _ => limiter,
        }
    }
}

/// One run of one method.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Setup {
    /// Steps per second.
    pub(super) rate: u32,
    /// Strain limit.
    pub(super) limit: f64,
    /// Distance of the pins in widths of the sheet.
    pub(super) span: f64,
    /// Times the mass of the particles of the lower edge.
    pub(super) mass: f64,
}

impl Setup {
    /// What gravity alone moves a particle in a step, in lengths of an edge: g h²/l0.
    pub(super) fn fall(&self) -> f64 {
        GRAVITY / (EDGE * f64::from(self.rate).powi(2))
    }
}

/// What is varied from row to row of a map; steps vary from column to column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Map {
    Limit,
    Span,
    Mass,
}

impl Map {
    pub(super) const ALL: [Self; 3] = [Self::Limit, Self::Span, Self::Mass];

    /// Rows from top to bottom, each from the shortest step to the longest.
    pub(super) fn rows(self) -> Vec<Vec<Setup>> {
        let row = |limit, span, mass| RATES.iter().rev().map(|&rate| Setup { rate, limit, span, mass }).collect();
        match self {
            Self::Limit => LIMITS.iter().map(|&limit| row(limit, SPAN, MASS)).collect(),
            Self::Span => SPANS.iter().map(|&span| row(LIMIT, span, MASS)).collect(),
            Self::Mass => MASSES.iter().map(|&mass| row(LIMIT, SPAN, mass)).collect(),
        }
    }
}

/// All runs of a method: those of its maps, each once.
pub(super) fn setups() -> Vec<Setup> {
    let mut all = Vec::new();
    for setup in Map::ALL.iter().flat_map(|map| map.rows()).flatten() {
        if !all.contains(&setup) {
            all.push(setup);
        }
    }
    all
}
