//! A tree of boxes: what could touch what.
//!
//! Items (triangles, edges, points: whatever has a box) are halved at the median along the longest side of their
//! centres' box until at most `LEAF` are left. The tree is balanced whatever the items, so its depth is at most log₂ of
//! their number, and it depends on nothing but their boxes and numbers: the same tree, and the same order of answers,
//! everywhere.
//!
//! When items move, `refit` widens and narrows the boxes from the leaves up and keeps the tree; `rebuild` makes a new
//! tree. Neither allocates when the number of items is the one before. Answers are complete: a pair whose boxes meet is
//! never left out.

use super::bounds::Bounds;
use glam::DVec3;

/// Items in a leaf, at most.
const LEAF: usize = 4;

/// A tree of boxes over items that are known by their numbers.
#[derive(Debug, Clone, Default)]
pub struct Bvh {
    /// A node comes before what is below it; its first child right after it.
    nodes: Vec<Node>,
    /// Items in the order of the leaves.
    items: Vec<u32>,
    /// Their boxes, in the same order.
    boxes: Vec<Bounds>,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    bounds: Bounds,
    /// Of a leaf: its first place in `items`. Else: the node of the second child.
    next: u32,
    /// Items of a leaf; 0 when there are children.
    count: u32,
}

impl Bvh {
    /// A tree over the items 0 to `count` - 1.
    pub fn new(count: usize, bounds: impl FnMut(u32) -> Bounds) -> Self {
        let mut bvh = Self::default();
        bvh.rebuild(count, bounds);
        bvh
    }

    /// How many items there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The box around everything.
    pub fn bounds(&self) -> Bounds {
        self.nodes.first().map_or(Bounds::EMPTY, |root| root.bounds)
    }

    /// Makes a new tree, for items whose neighbours have changed.
    pub fn rebuild(&mut self, count: usize, mut bounds: impl FnMut(u32) -> Bounds) {
        self.items.clear();
        self.items.extend(0..count as u32);
        self.boxes.clear();
        self.boxes.extend((0..count as u32).map(&mut bounds));
        self.nodes.clear();
        if count > 0 {
            halve(&mut self.nodes, &mut self.items, &self.boxes, 0);
        }
        self.refit(bounds);
    }

    /// Takes new boxes for the same items.
    pub fn refit(&mut self, mut bounds: impl FnMut(u32) -> Bounds) {
        for (place, &item) in self.boxes.iter_mut().zip(&self.items) {
            *place = bounds(item);
        }
        for i in (0..self.nodes.len()).rev() {
            let node = self.nodes[i];
            self.nodes[i].bounds = if node.count == 0 {
                self.nodes[i + 1].bounds.union(self.nodes[node.next as usize].bounds)
            } else {
                self.boxes[node.places()].iter().fold(Bounds::EMPTY, |all, &one| all.union(one))
            };
        }
    }

    /// Calls `found` with every item whose box meets `area`.
    pub fn query(&self, area: &Bounds, mut found: impl FnMut(u32)) {
        self.query_places(0, area, &mut |place| found(self.items[place]));
    }

    /// Calls `found` with the place, in the order of leaves, of every item below a node whose box meets `area`.
    fn query_places(&self, at: usize, area: &Bounds, found: &mut impl FnMut(usize)) {
        let Some(node) = self.nodes.get(at).filter(|node| node.bounds.meets(area)) else { return };
        if node.count == 0 {
            self.query_places(at + 1, area, found);
            self.query_places(node.next as usize, area, found);
            return;
        }
        node.places().filter(|&place| self.boxes[place].meets(area)).for_each(found);
    }

    /// Calls `found` with every item of this tree and item of the other whose boxes meet.
    pub fn pairs(&self, other: &Self, mut found: impl FnMut(u32, u32)) {
        if !self.is_empty() && !other.is_empty() {
            self.pairs_below(0, other, 0, &mut found);
        }
    }

    fn pairs_below(&self, at: usize, other: &Self, there: usize, found: &mut impl FnMut(u32, u32)) {
        let (node, far) = (&self.nodes[at], &other.nodes[there]);
        if !node.bounds.meets(&far.bounds) {
            return;
        }
        match (node.count, far.count) {
            (0, 0) => {
                for child in [at + 1, node.next as usize] {
                    for far_child in [there + 1, far.next as usize] {
                        self.pairs_below(child, other, far_child, found);
                    }
                }
            }
            (0, _) => {
                self.pairs_below(at + 1, other, there, found);
                self.pairs_below(node.next as usize, other, there, found);
            }
            (_, 0) => {
                self.pairs_below(at, other, there + 1, found);
                self.pairs_below(at, other, far.next as usize, found);
            }
            _ => {
                for place in node.places() {
                    for far_place in far.places() {
                        if self.boxes[place].meets(&other.boxes[far_place]) {
                            found(self.items[place], other.items[far_place]);
                        }
                    }
                }
            }
        }
    }

    /// Calls `found` with every item of this tree and item of the other whose boxes are no farther apart than `reach`
    /// [m].
    pub fn pairs_within(&self, other: &Self, reach: f64, mut found: impl FnMut(u32, u32)) {
        self.query_places(0, &other.bounds().grown(reach), &mut |place| {
            other.query(&self.boxes[place].grown(reach), |item| found(self.items[place], item));
        });
    }

    /// Calls `found` once with every two different items whose boxes meet.
    pub fn own_pairs(&self, mut found: impl FnMut(u32, u32)) {
        for (at, node) in self.nodes.iter().enumerate() {
            if node.count == 0 {
                self.pairs_below(at + 1, self, node.next as usize, &mut found);
                continue;
            }
            for first in node.places() {
                for second in first + 1..node.places().end {
                    if self.boxes[first].meets(&self.boxes[second]) {
                        found(self.items[first], self.items[second]);
                    }
                }
            }
        }
    }

    /// The item nearest to a point, and its squared distance [m²], if any is nearer than `reach` [m].
    ///
    /// `distance_squared` gives the distance of an item itself, which its box only bounds from below.
    pub fn nearest(
        &self,
        point: DVec3,
        reach: f64,
        mut distance_squared: impl FnMut(u32) -> f64,
    ) -> Option<(u32, f64)> {
        let mut best = (None, reach * reach);
        if !self.is_empty() {
            self.nearest_below(0, point, &mut best, &mut distance_squared);
        }
        best.0.map(|item| (item, best.1))
    }

    fn nearest_below(
        &self,
        at: usize,
        point: DVec3,
        best: &mut (Option<u32>, f64),
        distance_squared: &mut impl FnMut(u32) -> f64,
    ) {
        let node = &self.nodes[at];
        if node.count > 0 {
            for place in node.places() {
                if self.boxes[place].distance_squared(point) < best.1 {
                    let squared = distance_squared(self.items[place]);
                    if squared < best.1 {
                        *best = (Some(self.items[place]), squared);
                    }
                }
            }
            return;
        }
        let mut children = [at + 1, node.next as usize].map(|i| (self.nodes[i].bounds.distance_squared(point), i));
        if children[1].0 < children[0].0 {
            children.swap(0, 1);
        }
        for (squared, child) in children {
            if squared < best.1 {
                self.nearest_below(child, point, best, distance_squared);
            }
        }
    }
}

impl Bvh {
    /// The nearest pair of an item of this tree and an item of the other, and its squared distance [m²], if any is
    /// nearer than `reach` [m].
    ///
    /// `distance_squared` gives the distance of two items, which their boxes only bound from below; it is given the
    /// squared distance to beat, and may give infinity when it sees that the items do not.
    pub fn nearest_pair(
        &self,
        other: &Self,
        reach: f64,
        mut distance_squared: impl FnMut(u32, u32, f64) -> f64,
    ) -> Option<(u32, u32, f64)> {
        let mut best = (None, reach * reach);
        if !self.is_empty() && !other.is_empty() {
            self.nearest_pair_below(0, other, 0, &mut best, &mut distance_squared);
        }
        best.0.map(|(item, far)| (item, far, best.1))
    }

    /// The nearest pair of two different items of this tree, likewise. Of several at the same distance it is the same
    /// one for every `reach`.
    pub fn nearest_own_pair(
        &self,
        reach: f64,
        mut distance_squared: impl FnMut(u32, u32, f64) -> f64,
    ) -> Option<(u32, u32, f64)> {
        let mut best = (None, reach * reach);
        for (at, node) in self.nodes.iter().enumerate() {
            if node.count == 0 {
                self.nearest_pair_below(at + 1, self, node.next as usize, &mut best, &mut distance_squared);
                continue;
            }
            for first in node.places() {
                for second in first + 1..node.places().end {
                    self.offer_pair(first, self, second, &mut best, &mut distance_squared);
                }
            }
        }
        best.0.map(|(item, other)| (item, other, best.1))
    }

    /// Takes a pair of places, in the order of leaves, if it is nearer than the best so far.
    fn offer_pair(
        &self,
        place: usize,
        other: &Self,
        far_place: usize,
        best: &mut (Option<(u32, u32)>, f64),
        distance_squared: &mut impl FnMut(u32, u32, f64) -> f64,
    ) {
        if self.boxes[place].apart_squared(&other.boxes[far_place]) < best.1 {
            let pair = (self.items[place], other.items[far_place]);
            let squared = distance_squared(pair.0, pair.1, best.1);
            if squared < best.1 {
                *best = (Some(pair), squared);
            }
        }
    }

    fn nearest_pair_below(
        &self,
        at: usize,
        other: &Self,
        there: usize,
        best: &mut (Option<(u32, u32)>, f64),
        distance_squared: &mut impl FnMut(u32, u32, f64) -> f64,
    ) {
        let (node, far) = (&self.nodes[at], &other.nodes[there]);
        if node.count > 0 && far.count > 0 {
            for (place, far_place) in node.places().flat_map(|i| far.places().map(move |j| (i, j))) {
                self.offer_pair(place, other, far_place, best, distance_squared);
            }
            return;
        }
        // The nearer half first, of the greater of the two.
        let here = far.count > 0 || node.count == 0 && node.bounds.size() >= far.bounds.size();
        let mut halves = if here {
            [(at + 1, there), (node.next as usize, there)]
        } else {
            [(at, there + 1), (at, far.next as usize)]
        }
        .map(|(i, j)| (self.nodes[i].bounds.apart_squared(&other.nodes[j].bounds), i, j));
        if halves[1].0 < halves[0].0 {
            halves.swap(0, 1);
        }
        for (squared, i, j) in halves {
            if squared < best.1 {
                self.nearest_pair_below(i, other, j, best, distance_squared);
            }
        }
    }
}

impl Node {
    /// The places of a leaf's items.
    fn places(&self) -> std::ops::Range<usize> {
        self.next as usize..(self.next + self.count) as usize
    }
}

/// Adds the nodes for `items`, which begin at `first` in the order of leaves. `boxes` are still by number of item.
fn halve(nodes: &mut Vec<Node>, items: &mut [u32], boxes: &[Bounds], first: usize) {
    let at = nodes.len();
    nodes.push(Node { bounds: Bounds::EMPTY, next: first as u32, count: items.len() as u32 });
    if items.len() <= LEAF {
        return;
    }
    let centre = |item: u32| boxes[item as usize].doubled_centre();
    let spread = Bounds::of(items.iter().map(|&item| centre(item)));
    let axis = (spread.max - spread.min).max_position();
    let middle = items.len() / 2;
    items.select_nth_unstable_by(middle, |&a, &b| centre(a)[axis].total_cmp(&centre(b)[axis]).then(a.cmp(&b)));
    let (low, high) = items.split_at_mut(middle);
    halve(nodes, low, boxes, first);
    nodes[at].next = nodes.len() as u32;
    nodes[at].count = 0;
    halve(nodes, high, boxes, first + middle);
}
