//! Cables: the shortest way along edges from pin to pin, limited as one.
//!
//! ```text
//! C = Σ |q_k+1 - q_k| - L <= 0                  q_k: particles along the way;   L: what it may be long [m]
//! q_k += p w_k (n_k - n_k-1)                    n_k: direction from k to k+1;   w_k: inverse mass [1/kg]
//! p = C / Σ w_k |n_k - n_k-1|²  [kg m]          p/h²: one pull for all of the way, as in a rope [N]
//! ```
//!
//! This follows from the edges' limits, as tethers do, and acts where those cannot: edges in a row that is almost
//! straight pull along it, and each sweep straightens it only by the little that they are bent against each other. What
//! wind or a solid adds to such a row in a step took thousands of sweeps. A pull moves no particle past the straight
//! line between its neighbours: where a way is straight already, nothing can shorten it.

use glam::DVec3;

use super::paths::{Graph, NearestSource};
use crate::simd::Points;

/// The shortest way along edges from a pin to another.
#[derive(Debug, Clone)]
pub(super) struct Cable {
    /// Its particles, by slot; both ends are pinned, the others are free.
    slots: Vec<u32>,
    /// Its length at rest [m].
    pub(super) rest: f64,
    /// What it may be long in the step under way [m].
    pub(super) longest: f64,
}

impl Cable {
    pub(super) fn length(&self, at: &Points) -> f64 {
        self.slots.windows(2).map(|two| at.get(two[0]).distance(at.get(two[1]))).sum()
    }

    /// Shortens the way at `q` to `longest` [m], along directions at `x`, for inverse masses `w`; returns p.
    pub(super) fn shorten(&self, x: &Points, q: &mut Points, w: &[f64], longest: f64) -> f64 {
        let over = self.length(q) - longest;
        if over <= 0.0 {
            return 0.0;
        }
        let (mut response, mut most) = (0.0, f64::INFINITY);
        for (slot, bend, shorter) in self.bends(x) {
            let w = w[slot as usize];
            response += w * bend.length_squared();
            // Half of the way to the straight line between its neighbours, which move as well.
            most = most.min(0.25 * shorter / w);
        }
        let pull = if response > 0.0 { (over / response).min(most) } else { 0.0 };
        for (slot, bend, _) in self.bends(x) {
            q.add(slot, bend * (pull * w[slot as usize]));
        }
        pull
    }

    /// The pinned ends.
    pub(super) fn ends(&self) -> [u32; 2] {
        [self.slots[0], self.slots[self.slots.len() - 1]]
    }

    /// Directions from each end along the way.
    pub(super) fn inwards(&self, x: &Points) -> [DVec3; 2] {
        let from = |end: u32, next: u32| (x.get(next) - x.get(end)).normalize_or_zero();
        let last = self.slots.len() - 1;
        [from(self.slots[0], self.slots[1]), from(self.slots[last], self.slots[last - 1])]
    }

    /// Particles between the ends, with n_k - n_k-1 and the shorter of the edges [m] that meet there.
    fn bends<'a>(&'a self, x: &'a Points) -> impl Iterator<Item = (u32, DVec3, f64)> + 'a {
        self.slots.windows(3).map(|three| {
            let [before, here, after] = [0, 1, 2].map(|k| x.get(three[k]));
            let (back, forth) = (here - before, after - here);
            let bend = forth.normalize_or_zero() - back.normalize_or_zero();
            (three[1], bend, back.length().min(forth.length()))
        })
    }
}

/// The cables between all groups of pins; ways past another pin are made up of its cables.
pub(super) fn cables(graph: &Graph, fixed: &[bool], is_free: impl Fn(u32) -> bool) -> Vec<Cable> {
    let groups = graph.groups(fixed);
    let nearest: Vec<_> = groups.iter().map(|group| graph.nearest(group)).collect();
    let pairs =
        groups.iter().enumerate().flat_map(|(number, group)| nearest[..number].iter().map(move |to| (group, to)));
    let ways = pairs.filter_map(|(group, to)| way(graph, group, to));
    let acts = |cable: &Cable| {
        let between = &cable.slots[1..cable.slots.len() - 1];
        !between.is_empty() && between.iter().all(|&slot| is_free(slot))
    };
    ways.filter(acts).collect()
}

/// The shortest way from a group of pins to what distances are known `to`.
fn way(graph: &Graph, group: &[u32], to: &[NearestSource]) -> Option<Cable> {
    let distance = |slot: u32| to[slot as usize].map_or(f64::INFINITY, |(_, distance)| distance);
    let start = *group.iter().min_by(|a, b| distance(**a).total_cmp(&distance(**b)))?;
    let rest = distance(start);
    let mut slots = vec![start];
    let mut at = start;
    while distance(at) > 0.0 {
        let nearer = |(next, length): &(u32, f64)| distance(*next) + length;
        at = graph.neighbours(at as usize).iter().min_by(|a, b| nearer(a).total_cmp(&nearer(b)))?.0;
        slots.push(at);
    }
    (slots.len() > 1).then_some(Cable { slots, rest, longest: rest })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::Row;

    /// A grid of 5 by 3 particles, a unit apart, numbered row by row.
    fn grid() -> Graph {
        let row = |a: u32, b: u32| Row { a, b, rest: 1.0 };
        let along = (0..15).filter(|i| i % 5 < 4).map(|i| row(i, i + 1));
        let across = (0..10).map(|i| row(i, i + 5));
        Graph::of(&along.chain(across).collect::<Vec<_>>(), 15)
    }

    fn ways(pins: &[u32]) -> Vec<Vec<u32>> {
        let fixed: Vec<bool> = (0..15).map(|i| pins.contains(&i)).collect();
        let cables = cables(&grid(), &fixed, |slot| !fixed[slot as usize]);
        cables.into_iter().map(|cable| cable.slots).collect()
    }

    #[test]
    fn ways_join_pins_that_no_other_pin_is_between() {
        assert_eq!(ways(&[0, 4]), [[4, 3, 2, 1, 0]]);
        assert_eq!(ways(&[0, 2, 4]), [[2, 1, 0], [4, 3, 2]]);
        // Pins side by side are one group, and neighbours have no particle between.
        assert_eq!(ways(&[0, 1, 4]), [[4, 3, 2, 1]]);
        assert!(ways(&[7]).is_empty());
    }

    /// Five particles on an arc of about `sag` between pins 4 apart.
    fn arc(sag: f64) -> Points {
        let mut points = Points::new(5);
        for k in 0..5_u32 {
            let x = f64::from(k);
            points.set(k, DVec3::new(x, -sag * x * (4.0 - x) / 4.0, 0.0));
        }
        points
    }

    #[test]
    fn a_way_that_is_too_long_is_as_long_as_it_may_after_a_few_pulls() {
        let cable = Cable { slots: vec![0, 1, 2, 3, 4], rest: 4.0, longest: 4.0 };
        let w = [0.0, 1.0, 0.8, 1.2, 0.0, 0.0];
        let (mut x, start) = (arc(0.3), arc(0.3));
        let longest = 0.5 * (4.0 + cable.length(&x));
        for _ in 0..12 {
            let mut q = x.clone();
            cable.shorten(&x, &mut q, &w, longest);
            x = q;
        }
        assert!((cable.length(&x) - longest).abs() < 1e-9, "{} for {longest}", cable.length(&x));
        assert_eq!([x.get(0), x.get(4)], [start.get(0), start.get(4)]);
    }

    #[test]
    fn ends_take_up_what_the_particles_between_are_given() {
        let cable = Cable { slots: vec![0, 1, 2, 3, 4], rest: 4.0, longest: 4.0 };
        let w = [0.0, 1.0, 0.2, 3.0, 0.0, 0.0];
        let (x, mut q) = (arc(0.3), arc(0.31));
        let before = q.clone();
        let pull = cable.shorten(&x, &mut q, &w, cable.length(&x));
        let given: DVec3 = (1..4).map(|k| (q.get(k) - before.get(k)) / w[k as usize]).sum();
        let taken: DVec3 = cable.inwards(&x).into_iter().map(|inwards| inwards * pull).sum();
        assert!(pull > 0.0 && (given + taken).length() < 1e-12, "{given} and {taken}");
    }

    #[test]
    fn a_straight_way_and_a_short_one_are_left_as_they_are() {
        let cable = Cable { slots: vec![0, 1, 2, 3, 4], rest: 4.0, longest: 4.0 };
        for (x, longest) in [(arc(0.0), 3.0), (arc(0.3), 5.0)] {
            let mut q = x.clone();
            cable.shorten(&x, &mut q, &[1.0; 6], longest);
            assert_eq!(q.axes, x.axes);
        }
    }
}
