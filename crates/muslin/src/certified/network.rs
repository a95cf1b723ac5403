//! The rows of a cloth made ready for sweeps: which particles are joined, by which limit and spring, and which are
//! pinned.

use glam::DVec3;

use super::cables::{Cable, cables};
use super::groups::{Lane, RowGroups, is_resolved, strengths};
use super::lanes::{RowKind, sweep};
use super::paths::Graph;
use super::tethers::{Tether, tethers};
use crate::drivers::Freedom;
use crate::forces::SpringKind;
use crate::integrate::StepContext;
use crate::model::Model;
use crate::rows::{Colouring, Row, edge_rows};
use crate::simd::{Points, Slots};

/// β: how much of a length already over what is aimed at is recovered in a substep of the usual length. With 1 sheets
/// shiver, with less than a half they need far more repairs.
const RECOVERED: f64 = 0.7;

/// Square of the limit of rows that have none [m²]: no length comes near it, and no product with it overflows.
const UNLIMITED: f64 = 1e30;

/// Least effective mass of a guided row, as a fraction of what it is without guides. A row almost perpendicular to its
/// guides would have to move its ends far to become shorter; at 0 it would throw them, at 1 it is shortened too little.
const LEAST_RESPONSE: f64 = 0.01;

/// By how much more than needed a repair shortens a row that is over the limit: its neighbours become longer by it.
/// With 1 many steps are not repaired in time, and doubling the substeps under load lifts the cloth; 2 need not
/// converge.
const OVER_RELAXATION: f64 = 1.8;

/// Particles of a band: all groups of one are swept before the next, so that its particles stay in the nearest cache.
/// Far larger bands miss it.
const BAND: usize = 256;

/// How the substeps of an attempt are paced.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pace {
    pub(super) count: u32,
    /// From one evaluation of soft forces to the next; 0: there are none.
    pub(super) per_evaluation: u32,
    /// Length of a substep [s].
    pub(super) h: f64,
    /// Square of that by the length of the usual ones: at most 1.
    pub(super) shorter2: f64,
    /// True: the step is divided further than was planned. Limits then keep rows from becoming longer than they were at
    /// its start as well.
    pub(super) divided: bool,
    /// What gravity adds to a displacement in a substep [m].
    pub(super) gravity: DVec3,
}

impl Pace {
    /// The only substep of a step that is never taken.
    pub(super) const NONE: Self =
        Self { count: 1, per_evaluation: 0, h: 1.0, shorter2: 1.0, divided: false, gravity: DVec3::ZERO };

    /// True: soft forces are evaluated before this substep.
    pub(super) fn evaluates(&self, substep: u32) -> bool {
        self.per_evaluation > 0 && substep.is_multiple_of(self.per_evaluation)
    }
}

/// Longest lengths that links aim at, by their rest lengths.
#[derive(Debug, Clone, Copy)]
pub(super) struct Aims {
    /// In substeps: 1, or more where the strain limit is given up.
    pub(super) rows: f64,
    /// In substeps, where the link's own spring resists before its limit does.
    pub(super) soft: f64,
    /// When a step is judged.
    pub(super) strict: f64,
}

impl Aims {
    /// The same for all.
    pub(super) fn all(aim: f64) -> Self {
        Self { rows: aim, soft: aim, strict: aim }
    }
}

/// What joins two particles.
#[derive(Debug, Clone, Copy)]
struct Link {
    /// Its ends, by slot.
    row: Row,
    /// Longest length aimed at [m]; infinite: it is not limited.
    longest: f64,
    /// Stiffness of its spring k [N/m]; 0: none.
    stiffness: f64,
    /// Damping time of its spring τ [s].
    damping_time: f64,
}

impl Link {
    fn limit(row: Row, longest: f64) -> Self {
        Self { row, longest, stiffness: 0.0, damping_time: 0.0 }
    }

    fn is_limited(&self) -> bool {
        self.longest.is_finite()
    }
}

/// How a pin constrains a particle during a step.
#[derive(Debug, Clone, Copy, PartialEq)]
struct PinState {
    freedom: Freedom,
    /// True for a pin that moves, and so may do work.
    driven: bool,
}

/// The links that are swept four at a time, the others, and the tethers.
#[derive(Debug)]
pub(super) struct Network {
    links: Vec<Link>,
    slots: Slots,
    /// Inverse masses by slot [1/kg]; 0 for fixed particles, and for the spare slot.
    pub(super) w: Vec<f64>,
    groups: RowGroups,
    /// The same where a step is divided.
    held: RowGroups,
    pace: Pace,
    /// What they are.
    kind: RowKind,
    /// The limited rows of the groups without springs, at the limit that a step is judged by.
    strict: RowGroups,
    tethers: Vec<Tether>,
    /// They act where a step is divided, and in repairs.
    cables: Vec<Cable>,
    /// Those of them that may become tight in the step under way.
    near: RowGroups,
    /// Links with an end that moves in a plane, on a line, or with a pin: solved one by one.
    singles: Vec<Link>,
    /// The same where a step is divided.
    held_singles: Vec<Link>,
    /// The same of the tethers.
    near_singles: Vec<Link>,
    /// Particles that are not free.
    restrained: Vec<u32>,
    /// How pins constrain particles, by slot, as the lists above were made for it.
    pin_states: Vec<PinState>,
    /// How far each particle goes with its pin in a substep, by slot [m].
    driven: Points,
    aims: Aims,
    /// The greatest of the aims in substeps.
    loosest: f64,
    /// Of tethers, as a fraction of their path.
    slack: f64,
}

impl Network {
    /// The limits of all structural edges of a cloth, and its linear springs, for usual substeps of length `h` [s];
    /// `slack` is that of tethers, as a fraction.
    pub(super) fn new(model: &Model, aims: Aims, h: f64, slack: f64) -> Self {
        let slots = Slots::new(model.len());
        let mut links = links(model, aims, h);
        let limited = links.iter().filter(|link| link.is_limited());
        let loosest = limited.map(|link| link.longest / link.row.rest).fold(aims.rows, f64::max);
        for Link { row, .. } in &mut links {
            (row.a, row.b) = (slots.of(row.a as usize), slots.of(row.b as usize));
        }
        Self {
            links,
            slots,
            w: Vec::new(),
            groups: RowGroups::default(),
            held: RowGroups::default(),
            pace: Pace::NONE,
            kind: RowKind::Limits,
            strict: RowGroups::default(),
            tethers: Vec::new(),
            cables: Vec::new(),
            near: RowGroups::default(),
            singles: Vec::new(),
            held_singles: Vec::new(),
            near_singles: Vec::new(),
            restrained: Vec::new(),
            pin_states: Vec::new(),
            driven: Points::new(model.len()),
            aims,
            loosest,
            slack,
        }
    }

    /// Makes the lists for the pins of this step, when they constrain particles differently from before.
    pub(super) fn hold(&mut self, context: StepContext<'_>, with_tethers: bool) {
        let (model, slots) = (context.model, self.slots);
        let slot = |particle: usize| slots.of(particle) as usize;
        if !self.pin_states.is_empty() && (0..model.len()).all(|i| self.pin_states[slot(i)] == pin_state(context, i)) {
            return;
        }
        self.pin_states.resize(model.len(), PinState { freedom: Freedom::Free, driven: false });
        self.w.resize(model.len() + 1, 0.0);
        self.restrained.clear();
        for i in 0..model.len() {
            let now = pin_state(context, i);
            self.pin_states[slot(i)] = now;
            self.w[slot(i)] = if now.freedom == Freedom::Fixed { 0.0 } else { 1.0 / model.mass[i] };
            if now.freedom != Freedom::Free {
                self.restrained.push(i as u32);
            }
        }
        let moves = |link: &&Link| self.response(&link.row) > 0.0;
        let single = |link: &Link| self.is_single(link.row.a) || self.is_single(link.row.b);
        let (singles, swept): (Vec<Link>, Vec<Link>) =
            self.links.iter().filter(moves).copied().partition(|link| single(link));
        self.singles = singles;
        self.fill_groups(&swept);
        self.find_tethers(with_tethers);
    }

    fn find_tethers(&mut self, wanted: bool) {
        self.tethers.clear();
        self.cables.clear();
        if wanted {
            let limited: Vec<Row> = self.links.iter().filter(|link| link.is_limited()).map(|link| link.row).collect();
            let graph = Graph::of(&limited, self.pin_states.len());
            let fixed: Vec<bool> = self.pin_states.iter().map(|state| state.freedom == Freedom::Fixed).collect();
            // Those of particles in a plane or on a line are left out.
            let is_free = |slot: u32| self.pin_states[slot as usize].freedom == Freedom::Free;
            let tethers = tethers(&graph, &fixed, self.slack).into_iter();
            self.tethers.extend(tethers.filter(|tether| is_free(tether.particle)));
            self.cables = cables(&graph, &fixed, is_free);
            self.near.reserve(self.tethers.len());
            self.near_singles.reserve(self.tethers.len());
        }
    }

    /// True for an end that is not simply free or fixed at rest.
    fn is_single(&self, slot: u32) -> bool {
        let PinState { freedom, driven } = self.pin_states[slot as usize];
        driven || matches!(freedom, Freedom::Plane(_) | Freedom::Line(_))
    }

    /// Particles that are not free.
    pub(super) fn restrained(&self) -> &[u32] {
        &self.restrained
    }

    /// w_a + w_b [1/kg].
    fn response(&self, row: &Row) -> f64 {
        self.w[row.a as usize] + self.w[row.b as usize]
    }

    /// Takes the pace of the substeps of a step that starts at `x`.
    pub(super) fn set_pace(&mut self, context: StepContext<'_>, pace: Pace, x: &Points) {
        self.pace = pace;
        self.groups.set_substep(pace.h, pace.shorter2);
        if pace.divided {
            for cable in &mut self.cables {
                cable.longest = cable.length(x).max(self.loosest * cable.rest);
            }
            self.held.hold(&self.strict, x, self.loosest);
            let limited = self.singles.iter().filter(|link| link.is_limited());
            self.held_singles.clear();
            self.held_singles.extend(
                limited.map(|Link { row, longest, .. }| {
                    Link::limit(*row, longest.max(x.get(row.a).distance(x.get(row.b))))
                }),
            );
        }
        for &i in &self.restrained {
            let i = i as usize;
            if context.drivers.freedom[i] == Freedom::Fixed {
                let path = context.drivers.target[i] - context.state.x[i];
                self.driven.set(self.slots.of(i), path * (pace.h / context.h));
            }
        }
    }

    /// One sweep over everything in a substep: tethers, links four at a time, links one by one. Returns the work of
    /// pins [J].
    pub(super) fn sweep(&self, x: &Points, q: &mut Points) -> f64 {
        // Rows are as stiff as in usual substeps.
        let keep = 1.0 - RECOVERED * self.pace.shorter2;
        let mut work = 0.0;
        sweep(&self.near, RowKind::Limits, x, q, keep);
        for link in &self.near_singles {
            work += self.solve_single(link, x, q, keep);
        }
        sweep(&self.groups, self.kind, x, q, keep);
        for link in &self.singles {
            work += self.solve_single(link, x, q, keep);
        }
        if self.pace.divided {
            sweep(&self.held, RowKind::Limits, x, q, 1.0 - RECOVERED);
            for link in &self.held_singles {
                work += self.solve_single(link, x, q, 1.0 - RECOVERED);
            }
            for cable in &self.cables {
                work += self.solve_cable(cable, x, q);
            }
        }
        work
    }

    /// One sweep that only shortens what is over the limit that a step is judged by.
    pub(super) fn sweep_strictly(&self, x: &Points, q: &mut Points) {
        for cable in &self.cables {
            cable.shorten(x, q, &self.w, self.aims.strict * cable.rest);
        }
        sweep(&self.strict, RowKind::Limits, x, q, 0.0);
        for Link { row, .. } in self.singles.iter().filter(|link| link.is_limited()) {
            self.solve_single(&Link::limit(*row, self.aims.strict * row.rest), x, q, 0.0);
        }
    }

    /// What links can give back to the motion in usual substeps [J]; see `energy`.
    ///
    /// ```text
    /// ½ A (l - l0)²/(h² (w_a + w_b))                     of a spring, A of `lanes`
    /// ½ β (l - L)²/(h² (w_a + w_b))                      of a limit, where l > L
    /// ```
    pub(super) fn energy(&self, x: &Points) -> f64 {
        let h2 = square(self.pace.h) / self.pace.shorter2;
        let held = |link: &Link| {
            let Row { a, b, rest } = link.row;
            let (length, response) = (x.get(a).distance(x.get(b)), h2 * self.response(&link.row));
            let stiffness = strengths(link.stiffness * response, 0.0, 1.0).0 / response;
            let spring = if response > 0.0 { stiffness } else { link.stiffness } * square(length - rest);
            let over = (length - link.longest).max(0.0);
            let limit = if response > 0.0 { RECOVERED / response * square(over) } else { 0.0 };
            0.5 * spring.max(limit)
        };
        self.links.iter().map(held).sum()
    }

    fn fill_groups(&mut self, swept: &[Link]) {
        self.kind = if swept.iter().any(|link| link.stiffness > 0.0) { RowKind::Springs } else { RowKind::Limits };
        self.groups.clear();
        self.strict.clear();
        let rows: Vec<Row> = swept.iter().map(|link| link.row).collect();
        let limited = |number: &u32| swept[*number as usize].is_limited();
        let mut fours: Vec<Vec<u32>> = Vec::new();
        // Limits come last in a sweep: what dampers of small cloth undo of them would add up, and the cloth burst.
        for colour in Colouring::of(&rows, self.w.len()).groups() {
            let (hard, soft): (Vec<u32>, Vec<u32>) = colour.iter().partition(|number| limited(number));
            fours.extend([hard, soft].iter().flat_map(|colour| fours_in_line(&rows, colour)));
        }
        let band = |four: &Vec<u32>| self.slots.particle(rows[four[0] as usize].a) / BAND;
        fours.sort_by_key(|four| (limited(&four[0]), band(four)));
        for numbers in fours {
            let (mut lanes, mut strict) = ([self.idle(); 4], [self.idle(); 4]);
            for (place, &number) in numbers.iter().enumerate() {
                let link = &swept[number as usize];
                lanes[place] = self.lane(link);
                if link.is_limited() {
                    let limit2 = square(self.aims.strict * link.row.rest);
                    strict[place] = Lane { limit2, stiffness: 0.0, damping_time: 0.0, ..lanes[place] };
                }
            }
            self.groups.push(&lanes);
            if limited(&numbers[0]) {
                self.strict.push(&strict);
            }
        }
        self.groups.share_laws();
        self.strict.share_laws();
        self.strict.over_relax(OVER_RELAXATION);
    }

    fn lane(&self, link: &Link) -> Lane {
        let (row, response) = (&link.row, self.response(&link.row));
        Lane {
            ends: [row.a, row.b],
            fractions: [row.a, row.b].map(|end| self.w[end as usize] / response),
            limit2: square(link.longest).min(UNLIMITED),
            rest: row.rest,
            stiffness: link.stiffness * response,
            damping_time: link.damping_time,
        }
    }

    fn idle(&self) -> Lane {
        Lane::idle(self.slots.spare())
    }

    /// Chooses the tethers that may become tight in a step from `x` [m] in which no particle moves further than its
    /// displacement per substep `u` [m], and gravity, take it. No limit rests on tethers, so one missed does no harm.
    pub(super) fn choose_tethers(&mut self, x: &Points, u: &Points) {
        let substeps = f64::from(self.pace.count);
        let path = |slot: u32| (u.get(slot).length() + self.pace.gravity.length() * substeps) * substeps;
        self.near.clear();
        self.near_singles.clear();
        let (mut lanes, mut filled) = ([self.idle(); 4], 0);
        for tether in &self.tethers {
            let Tether { particle, pin, longest } = *tether;
            let aim = self.loosest * longest;
            if x.get(particle).distance(x.get(pin)) + path(particle) + path(pin) < aim {
                continue;
            }
            let link = Link::limit(Row { a: particle, b: pin, rest: longest }, aim);
            if self.pin_states[pin as usize].driven {
                self.near_singles.push(link);
                continue;
            }
            // In a group no particle may come twice: a second group of pins starts over at the first particle.
            let turned = filled > 0 && particle <= lanes[filled - 1].ends[0];
            if filled == 4 || turned {
                self.near.push(&lanes);
                (lanes, filled) = ([self.idle(); 4], 0);
            }
            lanes[filled] = self.lane(&link);
            filled += 1;
        }
        if filled > 0 {
            self.near.push(&lanes);
        }
    }

    /// A row by itself, as in the groups, with C e in place of e where an end is not free in all directions. Returns
    /// the work of pins on the cloth in a substep: force times displacement [J].
    fn solve_single(&self, link: &Link, x: &Points, q: &mut Points, keep: f64) -> f64 {
        let (Row { a, b, rest }, Pace { h, shorter2, .. }) = (link.row, self.pace);
        let (e, d) = (x.get(b) - x.get(a), q.get(b) - q.get(a));
        let along = |end: u32| self.pin_states[end as usize].freedom.filter(e) * self.w[end as usize];
        let (along_a, along_b) = (along(a), along(b));
        let (e2, d2) = (e.length_squared(), d.length_squared());
        let response = along_a.dot(e) + along_b.dot(e);
        if !(response > 0.0) {
            return 0.0;
        }
        let response = response.max(LEAST_RESPONSE * self.response(&link.row) * e2);
        let limit2 = square(link.longest).min(UNLIMITED);
        let excess = 0.5 * (d2 - limit2 - keep * (e2 - limit2).max(0.0));
        let c = link.stiffness * h * h * response / e2;
        let (spring, damper) = strengths(c, c * link.damping_time / h, shorter2);
        let length2 = d2.max(f64::MIN_POSITIVE);
        let spring = e2 * (spring * (1.0 - rest / length2.sqrt()) + damper * 0.5 * (d2 - e2) / length2);
        // Limits only shorten.
        let spring = if link.stiffness > 0.0 { spring } else { 0.0 };
        let s = excess.max(spring).min(0.5 * e2).max(-0.5 * e2) / response;
        q.add(a, along_a * s);
        q.add(b, along_b * -s);
        // The pull s e/h² [N] acts on the other end, and is passed on by the pin.
        s * e.dot(self.pin_path(b) - self.pin_path(a)) / (h * h)
    }

    /// A cable in a substep. Returns the work of its pins on the cloth [J].
    fn solve_cable(&self, cable: &Cable, x: &Points, q: &mut Points) -> f64 {
        let pull = cable.shorten(x, q, &self.w, cable.longest) / square(self.pace.h);
        let works = |(end, inwards): (u32, DVec3)| -pull * inwards.dot(self.pin_path(end));
        cable.ends().into_iter().zip(cable.inwards(x)).map(works).sum()
    }

    /// How far a particle goes with its pin in a substep [m].
    fn pin_path(&self, slot: u32) -> DVec3 {
        if self.pin_states[slot as usize].driven { self.driven.get(slot) } else { DVec3::ZERO }
    }
}

fn square(x: f64) -> f64 {
    x * x
}

/// What holds a particle in this step.
fn pin_state(context: StepContext<'_>, particle: usize) -> PinState {
    let freedom = context.drivers.freedom[particle];
    let (from, to) = (context.state.x[particle], context.drivers.target[particle]);
    // Targets are sums of a place and a motion, right to rounding.
    let rounding = 8.0 * f64::EPSILON * from.abs().max(to.abs()).max_element();
    PinState { freedom, driven: freedom == Freedom::Fixed && from.distance(to) > rounding }
}

/// The links of a cloth, by particle: limits of all structural edges, and its linear springs.
///
/// A spring that substeps of length `h` [s] resolve stretches up to its limit as it is; one that they do not is limited
/// at the rest length, which is nearer to what it does than the little that one sweep makes of it.
fn links(model: &Model, aims: Aims, h: f64) -> Vec<Link> {
    let mut links: Vec<Link> = edge_rows(model).into_iter().map(|row| Link::limit(row, aims.rows * row.rest)).collect();
    let response = |a: u32, b: u32| [a, b].map(|i| 1.0 / model.mass[i as usize]).iter().sum::<f64>();
    let mut edges: Vec<(u32, u32, usize)> =
        links.iter().enumerate().map(|(number, link)| (link.row.a, link.row.b, number)).collect();
    edges.sort_unstable();
    for spring in model.springs.iter().filter(|spring| spring.rest > 0.0 && spring.stiffness > 0.0) {
        let damping_time = spring.damping / spring.stiffness;
        let known = edges.binary_search_by(|(a, b, _)| (*a, *b).cmp(&(spring.a, spring.b)));
        match known {
            Ok(at) if spring.kind == SpringKind::Stretch => {
                let link = &mut links[edges[at].2];
                (link.stiffness, link.damping_time) = (spring.stiffness, damping_time);
                if is_resolved(spring.stiffness * response(spring.a, spring.b) * h * h) {
                    link.longest = aims.soft * link.row.rest;
                }
            }
            _ => links.push(Link {
                row: Row { a: spring.a, b: spring.b, rest: spring.rest },
                longest: f64::INFINITY,
                stiffness: spring.stiffness,
                damping_time,
            }),
        }
    }
    links
}

/// Divides rows that share no particle into fours, as many as can be with first ends and second ends that lie side by
/// side.
fn fours_in_line(rows: &[Row], group: &[u32]) -> Vec<Vec<u32>> {
    let mut sorted = group.to_vec();
    let ends = |number: u32| (rows[number as usize].a, rows[number as usize].b);
    let apart = |number: u32| i64::from(ends(number).1) - i64::from(ends(number).0);
    sorted.sort_unstable_by_key(|&number| (apart(number), ends(number).0));
    let joins = |one: &u32, next: &u32| apart(*one) == apart(*next) && ends(*one).0 + 1 == ends(*next).0;
    let (mut fours, mut left) = (Vec::new(), Vec::new());
    for run in sorted.chunk_by(joins) {
        let whole = run.chunks_exact(4);
        left.extend_from_slice(whole.remainder());
        fours.extend(whole.map(<[u32]>::to_vec));
    }
    fours.extend(left.chunks(4).map(<[u32]>::to_vec));
    fours
}
