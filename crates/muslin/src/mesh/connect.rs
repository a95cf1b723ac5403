//! Connectivity of faces: which sides lie on one edge, what is incident to a vertex, what is connected. Everything
//! comes in an order that depends on the input alone, which that of a hash map does not.

/// A side of a triangle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Side {
    /// Its vertices, the lower one first.
    pub ends: [u32; 2],
    /// Three times its triangle, plus the corner that it starts from; it ends at the corner after that.
    pub number: u32,
}

impl Side {
    /// Its triangle.
    pub fn triangle(self) -> usize {
        self.number as usize / 3
    }

    /// The corner of its triangle that it starts from: 0, 1 or 2.
    pub fn corner(self) -> usize {
        self.number as usize % 3
    }

    /// The vertices it goes from and to, by the order of its triangle's corners.
    pub fn course(self, triangles: &[[u32; 3]]) -> [u32; 2] {
        [0, 1].map(|next| triangles[self.triangle()][(self.corner() + next) % 3])
    }

    /// The vertex of its triangle that is opposite to it.
    pub fn opposite(self, triangles: &[[u32; 3]]) -> u32 {
        triangles[self.triangle()][(self.corner() + 2) % 3]
    }

    /// The number of the corner of its triangle that one of its ends is, counted through all triangles.
    pub fn corner_at(self, triangles: &[[u32; 3]], end: u32) -> u32 {
        let after = 3 * self.triangle() + (self.corner() + 1) % 3;
        if self.course(triangles)[0] == end { self.number } else { after as u32 }
    }
}

/// The sides of triangles, those of one edge together: by edges in rising order, then by triangles.
///
/// ```
/// use muslin::mesh::SortedSides;
///
/// let triangles = [[0, 1, 2], [2, 1, 3]];
/// let sides = SortedSides::of(&triangles);
/// let shared: Vec<_> = sides.by_edge().filter(|(_, sides)| sides.len() == 2).collect();
/// let (edge, sides) = shared[0];
/// assert_eq!((shared.len(), edge), (1, [1, 2]));
/// assert_eq!([sides[0].opposite(&triangles), sides[1].opposite(&triangles)], [0, 3]);
/// ```
#[derive(Debug, Clone)]
pub struct SortedSides(Vec<Side>);

impl SortedSides {
    /// The sides of some triangles.
    pub fn of(triangles: &[[u32; 3]]) -> Self {
        let all = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        let mut sides: Vec<Side> = all.zip(0..).map(|(ends, number)| Side { ends: unordered(ends), number }).collect();
        sides.sort_unstable();
        Self(sides)
    }

    /// The same without sides from a vertex to itself, as triangles have that stand for lines.
    #[must_use]
    pub fn proper(mut self) -> Self {
        self.0.retain(|side| side.ends[0] != side.ends[1]);
        self
    }

    /// Every edge once, with its sides.
    pub fn by_edge(&self) -> impl Iterator<Item = ([u32; 2], &[Side])> {
        self.0.chunk_by(|one, other| one.ends == other.ends).map(|sides| (sides[0].ends, sides))
    }
}

/// Sets that grow together. Each is known by its lowest member.
#[derive(Debug, Clone)]
pub struct DisjointSets(Vec<u32>);

impl DisjointSets {
    /// Every member by itself.
    pub fn new(members: usize) -> Self {
        Self((0..members as u32).collect())
    }

    /// The lowest member of the set that holds a member; shortens the path to it on the way.
    pub fn lowest(&mut self, mut member: u32) -> u32 {
        while self.0[member as usize] != member {
            let above = self.0[member as usize];
            self.0[member as usize] = self.0[above as usize];
            member = above;
        }
        member
    }

    /// Makes one set of those that hold two members.
    pub fn join(&mut self, one: u32, other: u32) {
        let [one, other] = [one, other].map(|member| self.lowest(member));
        self.0[one.max(other) as usize] = one.min(other);
    }

    /// For each member the lowest one of its set.
    pub fn into_lowest(mut self) -> Vec<u32> {
        for member in 0..self.0.len() {
            // What is above a member never exceeds it, so those below are final already.
            self.0[member] = self.0[self.0[member] as usize];
        }
        self.0
    }
}

/// For each of some vertices, the elements that are incident to it.
#[derive(Debug, Clone, Default)]
pub struct Incidence<T = u32> {
    /// Where the things of each vertex begin, and the end.
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy + Default> Incidence<T> {
    /// Collects `(vertex, thing)` pairs by vertex, in the order given.
    pub fn of(vertices: usize, pairs: impl Iterator<Item = (u32, T)> + Clone) -> Self {
        let mut starts = vec![0u32; vertices + 1];
        for (vertex, _) in pairs.clone() {
            starts[vertex as usize + 1] += 1;
        }
        for vertex in 0..vertices {
            starts[vertex + 1] += starts[vertex];
        }
        let mut next = starts.clone();
        let mut items = vec![T::default(); starts[vertices] as usize];
        for (vertex, item) in pairs {
            items[next[vertex as usize] as usize] = item;
            next[vertex as usize] += 1;
        }
        Self { starts, items }
    }

    /// The elements that are incident to a vertex.
    pub fn at(&self, vertex: usize) -> &[T] {
        &self.items[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }

    /// How many vertices there are.
    pub fn vertices(&self) -> usize {
        self.starts.len() - 1
    }
}

/// Which entries of a list of keys are equal.
///
/// [`SortedSides`] has edges in rising order; the physics needs them as they first appear in the mesh, and of polygons.
pub(super) struct Groups {
    /// Entries, those of one group side by side and in rising order.
    order: Vec<u32>,
    /// Where each group begins and ends in `order`; groups stand in the order in which their keys first appear.
    ranges: Vec<(u32, u32)>,
}

impl Groups {
    /// Groups equal keys.
    pub(super) fn of<K: Ord + Copy>(keys: &[K]) -> Self {
        // Keys are stored with their entries: looked up from afar, sorting would take several times as long.
        let mut sorted: Vec<(K, u32)> = keys.iter().copied().zip(0..).collect();
        sorted.sort_unstable();
        let mut ranges = Vec::new();
        let mut start = 0;
        for group in sorted.chunk_by(|a, b| a.0 == b.0) {
            let end = start + group.len() as u32;
            ranges.push((group[0].1, start, end));
            start = end;
        }
        ranges.sort_unstable();
        let order = sorted.into_iter().map(|(_, entry)| entry).collect();
        Self { order, ranges: ranges.into_iter().map(|(_, start, end)| (start, end)).collect() }
    }

    /// The groups in order of first appearance, each with its entries in rising order and at least one of them.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[u32]> {
        self.ranges.iter().map(|&(start, end)| &self.order[start as usize..end as usize])
    }
}

/// The same pair whichever end comes first.
pub(crate) fn unordered([a, b]: [u32; 2]) -> [u32; 2] {
    [a.min(b), a.max(b)]
}
