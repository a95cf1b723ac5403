//! Whether an edge meets a triangle, without rounding.
//!
//! ```text
//! orient(a, b, c, d) = sign of the volume of the tetrahedron a b c d
//! p and q on different sides of a b c, and  orient(p, q, a, b), orient(p, q, b, c), orient(p, q, c, a)  of one sign
//! ```
//!
//! p q edge, a b c triangle [m]. Signs come from adaptive expansions [She97] (crate `robust`): they are those of exact
//! arithmetic on the numbers given, as long as products of three lengths neither overflow nor underflow. All cases are
//! decided, degenerate ones too. Where all five points are in a plane they meet in space exactly when their shadows
//! meet along all three axes, because at least one of the shadows is faithful.
//!
//! Exact signs of what is nearly in a plane take long, and neighbours on a flat cloth are. [`separated`] answers most
//! of those pairs by an axis u that has all of the edge on one side of all of the triangle, by more than rounding:
//!
//! ```text
//! u = n, n × side, n × edge, edge × side;  n = (b - a) × (c - a); a dot product u·r rounds by 8 ε Σ|u| max|r| at most
//! ```

use glam::{DVec2, DVec3};
use robust::{Coord, Coord3D, orient2d, orient3d};

/// How an edge lies to a triangle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meeting {
    /// They share no point.
    Apart,
    /// They share a point, but the edge does not go from one side through the inside to the other: an end on the
    /// triangle, a side or corner hit exactly, or all in one plane.
    Touching,
    /// The edge goes through the inside of the triangle.
    Through,
}

/// Whether the edge and the triangle, borders included, share a point.
///
/// ```
/// use muslin::DVec3;
/// use muslin::collide::{Meeting, edge_meets_triangle};
///
/// let triangle = [DVec3::ZERO, DVec3::X, DVec3::Z];
/// let across = |x: f64| [DVec3::new(x, -1.0, 0.25), DVec3::new(x, 1.0, 0.25)];
/// assert_eq!(edge_meets_triangle(across(0.25), triangle), Meeting::Through);
/// assert_eq!(edge_meets_triangle(across(0.75), triangle), Meeting::Touching);
/// assert_eq!(edge_meets_triangle(across(0.75_f64.next_up()), triangle), Meeting::Apart);
/// ```
pub fn edge_meets_triangle([p, q]: [DVec3; 2], [a, b, c]: [DVec3; 3]) -> Meeting {
    let ends = [side(a, b, c, p), side(a, b, c, q)];
    if ends[0] * ends[1] > 0 {
        return Meeting::Apart;
    }
    let around = [side(p, q, a, b), side(p, q, b, c), side(p, q, c, a)];
    if ends == [0, 0] {
        let flat = around == [0, 0, 0];
        let shadows = flat && [0, 1, 2].iter().all(|&axis| shadows_meet([p, q], [a, b, c], axis));
        return if shadows { Meeting::Touching } else { Meeting::Apart };
    }
    if around.contains(&1) && around.contains(&-1) {
        Meeting::Apart
    } else if around.contains(&0) || ends.contains(&0) {
        Meeting::Touching
    } else {
        Meeting::Through
    }
}

/// Whether an axis parts the edge from the triangle by more than rounding; false says nothing. Quick.
pub fn separated([p, q]: [DVec3; 2], [a, b, c]: [DVec3; 3]) -> bool {
    let (sides, edge) = ([b - a, c - b, a - c], q - p);
    let from_a = [p - a, q - a, b - a, c - a];
    let size = from_a.iter().map(|r| r.abs().max_element()).fold(0.0, f64::max);
    let parts = |axis: DVec3| {
        let [p, q, b, c] = from_a.map(|r| axis.dot(r));
        let apart = (p.min(q) - b.max(c).max(0.0)).max(b.min(c).min(0.0) - p.max(q));
        apart > 16.0 * f64::EPSILON * axis.abs().element_sum() * size
    };
    let n = sides[0].cross(sides[1]);
    parts(n)
        || sides.iter().any(|side| parts(n.cross(*side)))
        || parts(n.cross(edge))
        || sides.iter().any(|side| parts(edge.cross(*side)))
}

/// Sign of the volume of a tetrahedron.
fn side(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> i32 {
    let coord = |p: DVec3| Coord3D { x: p.x, y: p.y, z: p.z };
    sign(orient3d(coord(a), coord(b), coord(c), coord(d)))
}

/// Sign of the area of a flat triangle.
fn turn(a: DVec2, b: DVec2, c: DVec2) -> i32 {
    let coord = |p: DVec2| Coord { x: p.x, y: p.y };
    sign(orient2d(coord(a), coord(b), coord(c)))
}

fn sign(value: f64) -> i32 {
    i32::from(value > 0.0) - i32::from(value < 0.0)
}

/// Whether edge and triangle share a point when seen along an axis.
fn shadows_meet(edge: [DVec3; 2], triangle: [DVec3; 3], axis: usize) -> bool {
    let shadow = |p: DVec3| DVec2::new(p[(axis + 1) % 3], p[(axis + 2) % 3]);
    let [p, q] = edge.map(shadow);
    let [a, b, c] = triangle.map(shadow);
    // An edge that crosses no side is all inside or all outside.
    holds([a, b, c], p)
        || segments_meet([p, q], [a, b])
        || segments_meet([p, q], [b, c])
        || segments_meet([p, q], [c, a])
}

/// Whether a point is in a flat triangle with an area; border included.
fn holds([a, b, c]: [DVec2; 3], p: DVec2) -> bool {
    let around = [turn(a, b, p), turn(b, c, p), turn(c, a, p)];
    turn(a, b, c) != 0 && !(around.contains(&1) && around.contains(&-1))
}

/// Whether two flat segments share a point.
fn segments_meet([p, q]: [DVec2; 2], [a, b]: [DVec2; 2]) -> bool {
    let (pa, pb) = (turn(p, q, a), turn(p, q, b));
    let (ap, aq) = (turn(a, b, p), turn(a, b, q));
    if pa * pb < 0 && ap * aq < 0 {
        return true;
    }
    // Otherwise an end lies on the other segment, or they are apart.
    let within = |point: DVec2, a: DVec2, b: DVec2| a.min(b).cmple(point).all() && point.cmple(a.max(b)).all();
    (pa == 0 && within(a, p, q))
        || (pb == 0 && within(b, p, q))
        || (ap == 0 && within(p, a, b))
        || (aq == 0 && within(q, a, b))
}
