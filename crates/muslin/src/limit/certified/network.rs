//! The rows of a model made ready for sweeps: who is joined to whom, by which limit and spring, and who is held.

use super::super::rows::{Colouring, Row};
use super::lanes::{DAMPED_SPRINGS, LIMITS, SPRINGS, sweep};
use super::links::{Link, links};
use super::points::{Points, Slots};
use super::quads::{Four, Lane, Quads, SHORTEST2};
use super::tethers::{Graph, Tether, tethers};
use crate::drivers::{Drivers, Freedom};
use crate::model::Model;

/// Square of the limit of rows that have none [m²]: no length comes near it, and no product with it overflows.
const UNLIMITED: f64 = 1e30;

/// Rows whose ends differ more in mass, by this factor, are left to the sweeps: where rows through a light particle between
/// heavy ones are solved together, large pulls cancel, and leaving out those that would push leaves nonsense.
const MOST_UNLIKE: f64 = 10.0;

/// Least that a guided row yields, as a share of what it would without guides.
const LEAST_YIELDING: f64 = 0.01;

/// Particles of a band: all quads of one are swept before the next, so that its particles stay near the processor.
const BAND: usize = 256;

/// The links that are swept four at a time, the others, and the tethers.
#[derive(Debug)]
pub(super) struct Network {
    pub(super) links: Vec<Link>,
    slots: Slots,
    /// Inverse masses by slot [1/kg]; 0 for fixed particles, and for nobody.
    pub(super) w: Vec<f64>,
    quads: Quads,
    /// What they are.
    kind: u8,
    /// The limited rows of the quads without springs, at the limit that a step is judged by.
    strict: Quads,
    tethers: Vec<Tether>,
    /// Those of them that may become tight in the step under way.
    near: Quads,
    /// Links with an end that moves in a plane or on a line only.
    guided: Vec<Link>,
    /// Particles that are not free.
    restrained: Vec<u32>,
    /// What is held, by slot, as the lists above were made for it.
    held: Vec<Freedom>,
    /// Greatest length aimed at while moving, as a share of the rest length.
    aim: f64,
    /// Greatest length aimed at when a step is judged, likewise.
    strict_aim: f64,
}

impl Network {
    /// The links of a model: limits of all structural edges (and of cross edges on triangle meshes), and, `with_springs`,
    /// its linear springs.
    pub(super) fn new(model: &Model, [aim, strict_aim]: [f64; 2], with_springs: bool) -> Self {
        let slots = Slots::new(model.len());
        let mut links = links(model, with_springs);
        for Link { row, .. } in &mut links {
            (row.a, row.b) = (slots.of(row.a as usize), slots.of(row.b as usize));
        }
        Self {
            links,
            slots,
            w: Vec::new(),
            quads: Quads::default(),
            kind: LIMITS,
            strict: Quads::default(),
            tethers: Vec::new(),
            near: Quads::default(),
            guided: Vec::new(),
            restrained: Vec::new(),
            held: Vec::new(),
            aim,
            strict_aim,
        }
    }

    /// Makes the lists anew when other particles are held than before.
    pub(super) fn hold(&mut self, model: &Model, drivers: &Drivers, with_tethers: bool) {
        let freedom = |particle: usize| drivers.freedom[particle];
        let slot = |particle: usize| self.slots.of(particle) as usize;
        if !self.held.is_empty() && (0..model.len()).all(|i| self.held[slot(i)] == freedom(i)) {
            return;
        }
        self.held.resize(model.len(), Freedom::Free);
        self.w.resize(model.len() + 1, 0.0);
        self.restrained.clear();
        for i in 0..model.len() {
            self.held[slot(i)] = freedom(i);
            self.w[slot(i)] = if freedom(i) == Freedom::Fixed { 0.0 } else { 1.0 / model.mass[i] };
            if freedom(i) != Freedom::Free {
                self.restrained.push(i as u32);
            }
        }
        let guided = |link: &Link| {
            [link.row.a, link.row.b]
                .iter()
                .any(|&end| matches!(self.held[end as usize], Freedom::Plane(_) | Freedom::Line(_)))
        };
        self.guided = self.links.iter().filter(|link| guided(link)).copied().collect();
        let swept: Vec<Link> =
            self.links.iter().filter(|link| !guided(link) && self.yielding(&link.row) > 0.0).copied().collect();
        let springy = swept.iter().any(|link| link.stiffness > 0.0);
        let damped = swept.iter().any(|link| link.damping_time > 0.0);
        self.kind = if damped {
            DAMPED_SPRINGS
        } else if springy {
            SPRINGS
        } else {
            LIMITS
        };
        self.fill_quads(&swept);
        self.tethers.clear();
        if with_tethers {
            let limited: Vec<Row> = self.links.iter().filter(|link| link.limited).map(|link| link.row).collect();
            let graph = Graph::of(&limited, model.len());
            let fixed: Vec<bool> = self.held.iter().map(|freedom| *freedom == Freedom::Fixed).collect();
            // Those of particles in a plane or on a line are left out.
            let free = |tether: &Tether| self.held[tether.particle as usize] == Freedom::Free;
            self.tethers.extend(tethers(&graph, &fixed).into_iter().filter(free));
            self.near.reserve(self.tethers.len());
        }
    }

    /// True: some links are springs.
    pub(super) fn has_springs(&self) -> bool {
        self.kind != LIMITS
    }

    /// Particles that are not free.
    pub(super) fn restrained(&self) -> &[u32] {
        &self.restrained
    }

    /// w_a + w_b [1/kg].
    pub(super) fn yielding(&self, row: &Row) -> f64 {
        self.w[row.a as usize] + self.w[row.b as usize]
    }

    /// True when a direct solve may take a link: it is swept, and its ends are alike in mass.
    pub(super) fn is_plain(&self, link: &Link) -> bool {
        let free = |end: u32| matches!(self.held[end as usize], Freedom::Free | Freedom::Fixed);
        let (one, other) = (self.w[link.row.a as usize], self.w[link.row.b as usize]);
        let (less, more) = (one.min(other), one.max(other));
        let alike = less == 0.0 || more <= MOST_UNLIKE * less;
        link.limited && alike && more > 0.0 && free(link.row.a) && free(link.row.b)
    }

    /// Square of the length aimed at [m²], while moving or, `strict`, when a step is judged.
    pub(super) fn limit2(&self, row: &Row, strict: bool) -> f64 {
        let limit = row.rest * if strict { self.strict_aim } else { self.aim };
        limit * limit
    }

    /// Sets the length of a substep [s], which the springs' strengths depend on.
    pub(super) fn set_substep(&mut self, h: f64) {
        self.quads.set_substep(h);
    }

    /// One sweep over everything: tethers, links four at a time, guided links.
    pub(super) fn sweep(&self, x: &Points, q: &mut Points, keep: f64, h: f64) {
        sweep::<LIMITS>(&self.near, x, q, keep);
        match self.kind {
            LIMITS => sweep::<LIMITS>(&self.quads, x, q, keep),
            SPRINGS => sweep::<SPRINGS>(&self.quads, x, q, keep),
            _ => sweep::<DAMPED_SPRINGS>(&self.quads, x, q, keep),
        }
        for link in &self.guided {
            self.solve_guided(link, x, q, false, keep, h);
        }
    }

    /// One sweep that only shortens what is over the limit that a step is judged by.
    pub(super) fn sweep_strictly(&self, x: &Points, q: &mut Points) {
        sweep::<LIMITS>(&self.strict, x, q, 0.0);
        for link in self.guided.iter().filter(|link| link.limited) {
            self.solve_guided(&Link { stiffness: 0.0, ..*link }, x, q, true, 0.0, 1.0);
        }
    }

    fn fill_quads(&mut self, swept: &[Link]) {
        self.quads.clear();
        self.strict.clear();
        let rows: Vec<Row> = swept.iter().map(|link| link.row).collect();
        let colouring = Colouring::of(&rows, self.w.len());
        let mut fours: Vec<Vec<u32>> = colouring.groups().flat_map(|group| fours_in_line(&rows, group)).collect();
        let band = |four: &Vec<u32>| self.slots.particle(rows[four[0] as usize].a) / BAND;
        fours.sort_by_key(band);
        for numbers in fours {
            let (mut four, mut strict) = (self.idle_four(), self.idle_four());
            for (place, &number) in numbers.iter().enumerate() {
                let link = &swept[number as usize];
                let lane = self.lane(link);
                four.set(place, lane);
                if link.limited {
                    let limit2 = self.limit2(&link.row, true);
                    strict.set(place, Lane { limit2, stiffness: 0.0, damping_time: 0.0, ..lane });
                }
            }
            self.quads.push(four);
            self.strict.push(strict);
        }
        self.quads.share_laws();
        self.strict.share_laws();
    }

    fn lane(&self, link: &Link) -> Lane {
        let (row, yielding) = (&link.row, self.yielding(&link.row));
        Lane {
            ends: [row.a, row.b],
            shares: [row.a, row.b].map(|end| self.w[end as usize] / yielding),
            limit2: if link.limited { self.limit2(row, false) } else { UNLIMITED },
            rest: row.rest,
            stiffness: link.stiffness * yielding,
            damping_time: link.damping_time,
        }
    }

    fn idle_four(&self) -> Four {
        Four::idle(self.slots.nobody())
    }

    /// Chooses the tethers that may become tight in a step in which no particle is expected to move further than `reach`
    /// [m] towards or away from its pin. No limit rests on tethers, so one missed does no harm.
    pub(super) fn choose_tethers(&mut self, x: &Points, reach: f64) {
        self.near.clear();
        let (mut four, mut filled) = (self.idle_four(), 0);
        for tether in &self.tethers {
            let limit = tether.way * self.aim;
            let near = (limit - reach).max(0.0);
            if x.get(tether.particle).distance_squared(x.get(tether.pin)) < near * near {
                continue;
            }
            // In a quad no particle may come twice: a second group of pins starts over at the first particle.
            let turned = filled > 0 && tether.particle <= four.first(filled - 1);
            if filled == 4 || turned {
                self.near.push(four);
                (four, filled) = (self.idle_four(), 0);
            }
            let lane = Lane {
                ends: [tether.particle, tether.pin],
                shares: [1.0, 0.0],
                limit2: limit * limit,
                rest: tether.way,
                stiffness: 0.0,
                damping_time: 0.0,
            };
            four.set(filled, lane);
            filled += 1;
        }
        if filled > 0 {
            self.near.push(four);
        }
    }

    /// A row with an end that is not free in all directions: as in the quads, with C e in place of e.
    fn solve_guided(&self, link: &Link, x: &Points, q: &mut Points, strict: bool, keep: f64, h: f64) {
        let Row { a, b, rest } = link.row;
        let (e, d) = (x.get(b) - x.get(a), q.get(b) - q.get(a));
        let response = |end: u32| self.held[end as usize].filter(e) * self.w[end as usize];
        let (along_a, along_b) = (response(a), response(b));
        let (e2, d2) = (e.length_squared(), d.length_squared());
        let yielding = along_a.dot(e) + along_b.dot(e);
        if !(yielding > 0.0) {
            return;
        }
        // Almost across its guides a row would have to move its ends far to become shorter.
        let yielding = yielding.max(LEAST_YIELDING * self.yielding(&link.row) * e2);
        let limit2 = if link.limited { self.limit2(&link.row, strict) } else { UNLIMITED };
        let excess = 0.5 * (d2 - limit2 - keep * (e2 - limit2).max(0.0));
        let (c, damping) = (link.stiffness * h * h * yielding / e2, link.damping_time / h);
        let length2 = d2.max(SHORTEST2 * (rest * rest));
        let strain = 1.0 - rest / length2.sqrt() + damping * 0.5 * (d2 - e2) / length2;
        let spring = e2 * c * strain / (1.0 + c * (1.0 + damping));
        let s = excess.max(spring).min(0.5 * e2).max(-0.5 * e2) / yielding;
        q.add(a, along_a * s);
        q.add(b, along_b * -s);
    }
}

/// Divides rows that share no particle into fours, as many as can be with first ends and second ends that lie side by side.
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
