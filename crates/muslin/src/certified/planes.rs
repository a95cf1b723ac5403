//! Contact within substeps: planes that cloth does not pass, with Coulomb friction.
//!
//! ```text
//! gap(x, s) = Σ w_k n·x_k - n·(p + s d)      n direction;   p, d point and shift of a solid's surface
//! c = min(ξ, gap(x, s)) - gap(q - σ, s'),   if positive:   q_k += c n w_k m_k⁻¹/Y,         Y = Σ w_k² m_k⁻¹
//! a = min(ξ, gap(x, s) + r) - gap(q, s'),   if positive:   q_k, σ_k += a n w_k m_k⁻¹/Y     then x := x + σ
//! y = (s' - s) d + ½ (s'² - s²) b            b: acceleration of the material along the surface, times h²
//! t_k = part of q_k - x_k - σ_k - y perpendicular to n:   q_k -= min(1, μ c_k/|t_k|) t_k,   c_k = c w_k m_k⁻¹/Y
//! t = part of Σ w_k (q_k - x_k - σ_k) perpendicular to n:   the same by min(1, μ c/|t|) t      between layers of cloth
//! work of a solid = Σ (push + friction)/(Y h²) · y,   of what is recovered = -Σ_k m_k (u_k - v_k) · σ_k/h²
//! work of other cloth = Σ_k P_k · (v_k + u'_k)/2h²     P_k: its pushes on k, u'_k displacements after contact
//! ```
//!
//! x and q positions at the start and end of a substep [m], s and s' the fractions of the step, ξ thickness [m], r what
//! a substep recovers of a gap below ξ [m], μ coefficient of friction, m masses [kg], h length of a substep [s]; v and
//! u displacements in the substep before, and in this one before contact [m]: m (u - v)/h² is the force that σ goes
//! against. A plane between two parts of cloth has weights of both signs, with the sum 0, and moves with both: p and d
//! are 0.
//!
//! Cloth that comes is stopped where the distance is ξ, and keeps no speed towards what it meets: contact without
//! bounce. What it recovers of a lost distance moves start and end alike, and gives it no speed either: cloth that hops
//! is not held by friction while it is in the air, and creeps. Friction takes what slides, at most μ times the push:
//! sticking and sliding are one formula. On solids it acts on each particle of a place, with the part of the push that
//! the particle got; on the place alone, its particles turn about it, and cloth creeps too. Pushes are kept in kg m, so
//! that their sum over the length of a substep is the impulse of the solids on the cloth.
//!
//! Particles of several cloths are brought together for it, each once.

use std::ops::Range;

use glam::DVec3;

use crate::contact::{BetweenLayers, Near};
use crate::simd::{Points, Slots};

/// Passes over planes between layers in a substep. With one, a third of the intervals are redone; more make piles
/// quieter, and cost as much more.
const PASSES: u32 = 4;
/// How often passes are doubled where an interval is redone, at most.
const MOST_MORE: u32 = 3;
/// What two layers that are nearer than their thickness recover of it in a substep. With a tenth of it layers under
/// load creep towards each other; with far more they shake.
const RECOVERED_BY_LAYERS: f64 = 0.05;
/// A plane is settled when it pushes by no more than this fraction of its gap; less costs passes, more lets pairs
/// creep.
const SETTLED: f64 = 1e-3;
/// What must be left of a gap, or of the thickness, when positions are repaired; at 1 edges over their limit cannot be
/// repaired.
const KEPT: f64 = 0.75;

/// The cloths of an island as their particles are counted through it.
#[derive(Debug, Default)]
pub(super) struct Census {
    /// The particles of each cloth.
    pub(super) ranges: Vec<Range<usize>>,
    /// Inverse masses [1/kg]; 0 for fixed particles.
    pub(super) w: Vec<f64>,
}

impl Census {
    /// The cloth of a particle.
    pub(super) fn cloth(&self, particle: u32) -> usize {
        self.ranges.partition_point(|range| range.end <= particle as usize)
    }
}

/// A particle that planes act on.
#[derive(Debug, Clone, Copy, Default)]
struct Member {
    particle: u32,
    /// In its own cloth.
    slot: u32,
    /// Inverse mass [1/kg].
    w: f64,
    /// At the start and at the end of the substep [m].
    x: DVec3,
    q: DVec3,
    /// σ: the part of its displacement that is no motion, and gives no velocity [m].
    shift: DVec3,
    /// Its motion in the substep before, and what forces have added to it in this one, but for those of contact [m].
    before: DVec3,
    driven: DVec3,
    /// What other cloth has pushed it by; of a pinned particle, what its pin has held against its own cloth [kg m].
    pushed: DVec3,
}

impl Member {
    /// Its motion in the substep [m].
    fn displacement(&self) -> DVec3 {
        self.q - self.x - self.shift
    }

    /// The work of other cloth on it, or of its pin, by its mean velocity as in Verlet's method, less that of the
    /// forces that its shift goes against; times the square of the length of a substep [kg m²].
    fn work(&self) -> f64 {
        let shifted = if self.w > 0.0 { self.driven.dot(self.shift) / self.w } else { 0.0 };
        0.5 * self.pushed.dot(self.before + self.displacement()) - shifted
    }
}

/// What a plane keeps cloth away from.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Other {
    /// A solid: n·p at the start of the interval [m], the shift of its surface in the whole step [m], and its
    /// acceleration along itself, times the square of the length of the step [m].
    Solid { height: f64, shift: DVec3, bend: DVec3 },
    /// Cloth. An obstacle recovers no thickness.
    Cloth { obstacle: bool },
}

/// A contact plane with the particles it acts on.
#[derive(Debug, Clone, Copy)]
struct ContactPlane {
    /// Particles, and once all planes are there, numbers of members.
    members: [u32; 4],
    /// w_k.
    weights: [f64; 4],
    /// w_k m_k⁻¹/Y, what each particle moves by when the place moves by 1.
    moves: [f64; 4],
    normal: DVec3,
    /// Distance at the start of the interval [m].
    gap: f64,
    other: Other,
    thickness: f64,
    /// The same, were the parts not near at rest [m].
    usual: f64,
    friction: f64,
    /// 1/Y [kg].
    mass: f64,
    /// The cloths of both sides.
    cloths: [u32; 2],
    /// The distance that motion leaves it in this substep, and the one that it recovers to [m].
    kept: f64,
    aim: f64,
    /// What it has pushed the place by in this substep [m].
    push: f64,
}

/// The contact planes of an interval.
#[derive(Debug, Default)]
pub(super) struct ContactPlanes {
    /// In the order of particles.
    members: Vec<Member>,
    /// The members of each cloth, and its first particle.
    ranges: Vec<Range<usize>>,
    starts: Vec<usize>,
    /// Planes of solids come first.
    planes: Vec<ContactPlane>,
    solids: usize,
    /// The number of each particle among the members; of no meaning for others.
    numbers: Vec<u32>,
    /// The fraction of the step at the start of the interval.
    start: f64,
    /// What solids have pushed in this step, friction included [kg m].
    pushed: DVec3,
    /// Work on each cloth, times the square of the length of a substep [kg m²].
    work: Vec<f64>,
    /// Both when the interval began.
    before: (DVec3, Vec<f64>),
    /// Planes that pushed in the last substep.
    contacts: u32,
    /// Those between layers that keep their full thickness, and the sum of their gaps, by it.
    layers: u32,
    gaps: f64,
    /// Planes between layers that are near in the substep under way.
    close: Vec<u32>,
}

impl ContactPlanes {
    /// Forgets planes, and what was pushed, for so many cloths.
    pub(super) fn begin(&mut self, cloths: usize) {
        self.members.clear();
        self.planes.clear();
        (self.pushed, self.solids) = (DVec3::ZERO, 0);
        (self.contacts, self.layers, self.gaps) = (0, 0, 0.0);
        self.work.clear();
        self.work.resize(cloths, 0.0);
    }

    /// Starts an interval at a fraction of the step, without any plane.
    pub(super) fn open(&mut self, start: f64) {
        self.members.clear();
        self.planes.clear();
        (self.start, self.solids) = (start, 0);
        self.before.0 = self.pushed;
        self.before.1.clone_from(&self.work);
    }

    /// Takes a place of a cloth near a solid, in a step of `h` seconds, with particles at `x` [m]; before any between
    /// layers.
    pub(super) fn take_near(&mut self, place: &Near, cloth: usize, census: &Census, x: &[DVec3], h: f64) {
        let first = census.ranges[cloth].start as u32;
        let ([a, b, c], [u, v, w]) = (place.particles.map(|i| first + i), place.weights);
        let Some(plane) = ContactPlane::new([a, b, c, c], [u, v, w, 0.0], place.normal, [cloth; 2], census) else {
            return;
        };
        let reached: f64 = (0..3).map(|k| plane.weights[k] * plane.normal.dot(x[plane.members[k] as usize])).sum();
        let bend = (place.acceleration - place.normal * place.normal.dot(place.acceleration)) * (h * h);
        let other = Other::Solid { height: reached - place.gap, shift: place.velocity * h, bend };
        let (gap, thickness, friction) = (place.gap, place.thickness, place.friction);
        self.planes.push(ContactPlane { gap, other, thickness, friction, ..plane });
        self.solids = self.planes.len();
    }

    /// Takes a place between layers.
    pub(super) fn take_between(&mut self, place: &BetweenLayers, census: &Census, x: &[DVec3]) {
        let (particles, first) = (place.parts.particles, place.parts.first());
        let cloths = [particles[0], particles[first]].map(|i| census.cloth(i));
        let Some(plane) = ContactPlane::new(particles, place.weights, place.normal, cloths, census) else { return };
        let gap: f64 = (0..4).map(|k| plane.weights[k] * plane.normal.dot(x[particles[k] as usize])).sum();
        // A direction that says nothing of where the parts are now does not keep them apart.
        if gap > 0.0 {
            let (thickness, friction, obstacle) = (place.thickness, place.friction, place.obstacle);
            self.planes.push(ContactPlane {
                gap,
                other: Other::Cloth { obstacle },
                thickness,
                usual: place.usual,
                friction,
                ..plane
            });
        }
    }

    /// Numbers the members, once all planes are there.
    pub(super) fn seal(&mut self, census: &Census) {
        self.numbers.resize(census.w.len(), 0);
        let particles = self.planes.iter().flat_map(|plane| plane.members);
        self.members.extend(particles.map(|particle| Member { particle, ..Member::default() }));
        self.members.sort_unstable_by_key(|member| member.particle);
        self.members.dedup_by_key(|member| member.particle);
        self.ranges.clear();
        self.starts.clear();
        self.starts.extend(census.ranges.iter().map(|range| range.start));
        let mut from = 0;
        for range in &census.ranges {
            let slots = Slots::new(range.len());
            let to = from + self.members[from..].partition_point(|member| (member.particle as usize) < range.end);
            for (number, member) in self.members[from..to].iter_mut().enumerate() {
                member.w = census.w[member.particle as usize];
                member.slot = slots.of(member.particle as usize - range.start);
                self.numbers[member.particle as usize] = (from + number) as u32;
            }
            self.ranges.push(from..to);
            from = to;
        }
        for plane in &mut self.planes {
            plane.members = plane.members.map(|particle| self.numbers[particle as usize]);
        }
    }

    /// Forgets what was pushed in this interval, which is redone.
    pub(super) fn take_back(&mut self) {
        self.pushed = self.before.0;
        self.work.clone_from(&self.before.1);
    }

    /// True when nothing is near.
    pub(super) fn is_empty(&self) -> bool {
        self.planes.is_empty()
    }

    /// Planes that pushed in the last substep.
    pub(super) fn contacts(&self) -> u32 {
        self.contacts
    }

    /// Planes between layers that pushed in the last substep, and the sum of their gaps, by the thickness; without
    /// those between parts that are near at rest.
    pub(super) fn layers(&self) -> (u32, f64) {
        (self.layers, self.gaps)
    }

    /// Impulse of the solids in this step, friction included [N s], in substeps of length `h` [s].
    pub(super) fn impulse(&self, h: f64) -> DVec3 {
        self.pushed / h
    }

    /// Work on a cloth in this step [J], likewise.
    pub(super) fn work(&self, cloth: usize, h: f64) -> f64 {
        self.work[cloth] / (h * h)
    }

    /// Takes where the particles of a cloth start and end a substep; `u`: how far they moved in the one before, at the
    /// start of an interval [m].
    pub(super) fn gather(&mut self, cloth: usize, x: &Points, q: &Points, u: Option<&Points>) {
        for member in &mut self.members[self.ranges[cloth].clone()] {
            let before = u.map_or_else(|| member.displacement(), |u| u.get(member.slot));
            let (x, q) = (x.get(member.slot), q.get(member.slot));
            let driven = q - x - before;
            *member = Member { x, q, before, driven, shift: DVec3::ZERO, pushed: DVec3::ZERO, ..*member };
        }
    }

    /// Gives them back; `allowed` is what of a shift each particle of the cloth may take.
    pub(super) fn scatter(
        &self,
        cloth: usize,
        x: &mut Points,
        q: &mut Points,
        allowed: impl Fn(usize, DVec3) -> DVec3,
    ) {
        for member in &self.members[self.ranges[cloth].clone()] {
            let particle = member.particle as usize - self.starts[cloth];
            x.set(member.slot, member.x + allowed(particle, member.shift));
            q.set(member.slot, member.q);
        }
    }

    /// Keeps the ends of a substep, between the given fractions of the step, away from the planes. Then friction acts.
    /// Gaps to solids that are below the thickness recover by `recover` [m]: start and end of the substep alike, so
    /// that no velocity comes of it.
    ///
    /// Planes between layers are passed over a few times, and more often where an interval is redone. Those of solids
    /// that push against each other, as on both sides of a blade, are swept until none is worse by more than a small
    /// part of its gap, or as often as there are planes.
    pub(super) fn push(&mut self, fractions: [f64; 2], recover: f64, redone: u32) {
        let [from, to] = fractions.map(|fraction| fraction - self.start);
        let Self { members, planes, solids, close, .. } = self;
        let (near_solids, between) = planes.split_at_mut(*solids);
        for plane in near_solids.iter_mut() {
            plane.begin(members, [from, to], recover);
        }
        close.clear();
        for (number, plane) in between.iter_mut().enumerate() {
            if plane.begin(members, [from, to], 0.0) {
                close.push(number as u32);
            }
        }
        for _ in 0..if close.is_empty() { 0 } else { PASSES << redone.min(MOST_MORE) } {
            for &number in close.iter() {
                between[number as usize].push(members, to);
            }
            for plane in near_solids.iter_mut() {
                plane.push(members, to);
            }
        }
        for _ in 0..near_solids.len() {
            let mut settled = true;
            for plane in near_solids.iter_mut() {
                settled &= plane.push(members, to);
            }
            if settled {
                break;
            }
        }
        self.rub([from, to]);
    }

    /// Friction of what was pushed, and the work of all.
    fn rub(&mut self, [from, to]: [f64; 2]) {
        (self.contacts, self.layers, self.gaps) = (0, 0, 0.0);
        for plane in self.planes.iter().filter(|plane| plane.push > 0.0) {
            self.contacts += 1;
            let push = plane.push * plane.mass;
            match plane.other {
                Other::Solid { shift, bend, .. } => {
                    let passed = shift * (to - from) + bend * (0.5 * (to * to - from * from));
                    let impulse = plane.normal * push + plane.rub(&mut self.members, passed);
                    self.pushed += impulse;
                    self.work[plane.cloths[0] as usize] += impulse.dot(passed);
                }
                Other::Cloth { obstacle } => {
                    plane.rub_layers(&mut self.members);
                    if !obstacle && plane.thickness == plane.usual {
                        self.layers += 1;
                        self.gaps += plane.gap(&self.members, to, |member| member.q) / plane.thickness;
                    }
                }
            }
        }
        for (range, work) in self.ranges.iter().zip(&mut self.work) {
            *work += self.members[range.clone()].iter().map(Member::work).sum::<f64>();
        }
    }

    /// Keeps positions that are being repaired, the ends of a substep, from coming nearer than most of what they were,
    /// or of the thickness.
    pub(super) fn hold_off(&mut self) {
        let (near_solids, between) = self.planes.split_at(self.solids);
        for plane in between.iter().chain(near_solids) {
            let push = KEPT * plane.gap.min(plane.thickness) - plane.gap(&self.members, 0.0, |member| member.q);
            if push > 0.0 {
                plane.bring(&mut self.members, plane.normal * push);
            }
        }
    }
}

impl ContactPlane {
    /// A plane for particles, as far as any of them can move.
    fn new(members: [u32; 4], weights: [f64; 4], normal: DVec3, cloths: [usize; 2], census: &Census) -> Option<Self> {
        let w = members.map(|i| census.w[i as usize]);
        let response: f64 = (0..4).map(|k| weights[k] * weights[k] * w[k]).sum();
        // All particles are pinned; skip.
        (response > 0.0).then(|| Self {
            members,
            weights,
            moves: [0, 1, 2, 3].map(|k| weights[k] * w[k] / response),
            normal,
            gap: 0.0,
            other: Other::Cloth { obstacle: false },
            thickness: 0.0,
            usual: 0.0,
            friction: 0.0,
            mass: 1.0 / response,
            cloths: cloths.map(|cloth| cloth as u32),
            kept: 0.0,
            aim: 0.0,
            push: 0.0,
        })
    }

    /// Distance of the place, where its particles are `at`, after a fraction `since` the interval began [m].
    #[inline]
    fn gap(&self, members: &[Member], since: f64, at: impl Fn(&Member) -> DVec3) -> f64 {
        let surface = match self.other {
            Other::Solid { height, shift, .. } => height + self.normal.dot(shift) * since,
            Other::Cloth { .. } => 0.0,
        };
        self.along(members, at) - surface
    }

    /// Starts a substep. False: the place is not near.
    fn begin(&mut self, members: &[Member], [from, to]: [f64; 2], recover: f64) -> bool {
        self.push = 0.0;
        let before = self.gap(members, from, |member| member.x);
        let recover = match self.other {
            Other::Solid { .. } => recover,
            Other::Cloth { obstacle: false } => (RECOVERED_BY_LAYERS * (self.thickness - before)).max(0.0),
            Other::Cloth { obstacle: true } => 0.0,
        };
        self.kept = self.thickness.min(before);
        self.aim = self.thickness.min(before + recover);
        // Others may push it nearer.
        before < self.thickness || self.gap(members, to, |member| member.q) < 1.5 * self.thickness
    }

    /// Keeps the place away; true when there was next to nothing to do.
    #[inline]
    fn push(&mut self, members: &mut [Member], to: f64) -> bool {
        let mut after = self.gap(members, to, |member| member.q);
        if after >= self.thickness {
            return true;
        }
        let shifted = self.along(members, |member| member.shift);
        let push = self.kept - (after - shifted);
        let mut settled = true;
        if push > 0.0 {
            self.push += push;
            self.bring(members, self.normal * push);
            after += push;
            settled = push <= SETTLED * self.kept;
        }
        let recovered = self.aim - after;
        if recovered > 0.0 {
            let moved = self.normal * recovered;
            for k in (0..4).filter(|&k| self.moves[k] != 0.0) {
                let member = &mut members[self.members[k] as usize];
                member.q += moved * self.moves[k];
                member.shift += moved * self.moves[k];
            }
        }
        settled
    }

    /// Σ w_k n·v_k [m].
    #[inline]
    fn along(&self, members: &[Member], of: impl Fn(&Member) -> DVec3) -> f64 {
        let mut sum = 0.0;
        for k in 0..4 {
            if self.weights[k] != 0.0 {
                sum += self.weights[k] * self.normal.dot(of(&members[self.members[k] as usize]));
            }
        }
        sum
    }

    /// Friction on each particle of the place, while the surface goes on by `passed` [m]; returns its impulse on all of
    /// them [kg m].
    fn rub(&self, members: &mut [Member], passed: DVec3) -> DVec3 {
        let mut impulse = DVec3::ZERO;
        for k in 0..4 {
            if self.moves[k] > 0.0 {
                let member = &mut members[self.members[k] as usize];
                let slid = member.displacement() - passed;
                let slid = slid - self.normal * self.normal.dot(slid);
                let (slides, most) = (slid.length(), self.friction * self.push * self.moves[k]);
                if slides > 0.0 {
                    let back = slid * -(most / slides).min(1.0);
                    member.q += back;
                    impulse += back * (self.mass * self.weights[k] / self.moves[k]);
                }
            }
        }
        impulse
    }

    /// Friction between layers.
    fn rub_layers(&self, members: &mut [Member]) {
        let slid: DVec3 = (0..4).map(|k| members[self.members[k] as usize].displacement() * self.weights[k]).sum();
        let slid = slid - self.normal * self.normal.dot(slid);
        let slides = slid.length();
        if slides > 0.0 {
            let back = slid * -(self.friction * self.push / slides).min(1.0);
            self.bring(members, back);
        }
    }

    /// Moves the place [m].
    #[inline]
    fn bring(&self, members: &mut [Member], moved: DVec3) {
        let within = self.cloths[0] == self.cloths[1];
        let layers = matches!(self.other, Other::Cloth { .. });
        for k in (0..4).filter(|&k| self.weights[k] != 0.0) {
            let member = &mut members[self.members[k] as usize];
            member.q += moved * self.moves[k];
            // Pushes within a cloth do no work on it, but where a pin takes one up.
            if layers && within == (member.w == 0.0) {
                let push = moved * (self.weights[k] * self.mass);
                member.pushed += if within { -push } else { push };
            }
        }
    }
}
