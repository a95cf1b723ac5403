//! Boxes along the axes.
//!
//! Every box is closed and holds what it was made of, rounding included: coordinates are taken as they are, and where
//! arithmetic is needed (`grown`) the result goes to the next number outwards. What is not a number is passed over, and
//! only that: a box around it and other things holds the other things.

use glam::DVec3;

/// A box along the axes; empty when `min` is above `max`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[must_use]
pub struct Bounds {
    /// Least coordinates [m].
    pub min: DVec3,
    /// Greatest coordinates [m].
    pub max: DVec3,
}

impl Bounds {
    /// Holds nothing.
    pub const EMPTY: Self = Self { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };

    /// The smallest box around points [m].
    pub fn of(points: impl IntoIterator<Item = DVec3>) -> Self {
        points
            .into_iter()
            .fold(Self::EMPTY, |bounds, p| Self { min: least(bounds.min, p), max: greatest(bounds.max, p) })
    }

    /// Further apart than `margin` [m] along an axis, rounding on the safe side.
    pub fn apart(&self, other: &Self, margin: f64) -> bool {
        let between = (other.min - self.max).max(self.min - other.max).max_element();
        // A difference rounds by no more than this fraction of itself.
        between > margin * (1.0 + 4.0 * f64::EPSILON)
    }

    /// The smallest box around both.
    pub fn union(self, other: Self) -> Self {
        Self { min: least(self.min, other.min), max: greatest(self.max, other.max) }
    }

    /// Wider by `margin` [m] on all sides, never by less.
    pub fn grown(self, margin: f64) -> Self {
        let down = |x: f64| (x - margin).next_down();
        let up = |x: f64| (x + margin).next_up();
        Self {
            min: DVec3::new(down(self.min.x), down(self.min.y), down(self.min.z)),
            max: DVec3::new(up(self.max.x), up(self.max.y), up(self.max.z)),
        }
    }

    /// Whether the two share a point.
    pub fn meets(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }

    /// Whether a point is inside or on the border.
    pub fn contains(&self, point: DVec3) -> bool {
        self.min.cmple(point).all() && point.cmple(self.max).all()
    }

    /// Squared distance from a point [m²]: 0 inside, infinite when empty.
    pub fn distance_squared(&self, point: DVec3) -> f64 {
        (self.min - point).max(point - self.max).max(DVec3::ZERO).length_squared()
    }

    /// Squared distance of two boxes [m²]: 0 when they meet, infinite when one is empty.
    pub fn apart_squared(&self, other: &Self) -> f64 {
        (self.min - other.max).max(other.min - self.max).max(DVec3::ZERO).length_squared()
    }

    /// Its greatest side [m].
    pub(super) fn size(&self) -> f64 {
        (self.max - self.min).max_element()
    }

    /// Twice the centre [m]: enough to sort by.
    pub(super) fn doubled_centre(&self) -> DVec3 {
        self.min + self.max
    }
}

/// The lesser coordinates; unlike `DVec3::min` it never drops a number for what is none.
fn least(a: DVec3, b: DVec3) -> DVec3 {
    DVec3::new(a.x.min(b.x), a.y.min(b.y), a.z.min(b.z))
}

/// The greater coordinates, likewise.
fn greatest(a: DVec3, b: DVec3) -> DVec3 {
    DVec3::new(a.x.max(b.x), a.y.max(b.y), a.z.max(b.z))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grown_box_holds_every_point_within_the_margin_although_sums_round() {
        let point = DVec3::new(1e8, -3.0, 0.1);
        let margin = 1e-9;
        let grown = Bounds::of([point]).grown(margin);
        // At 1e8 the margin is below the spacing of numbers: the box must widen nevertheless.
        assert!(grown.max.x > point.x && grown.min.x < point.x);
        assert!(grown.contains(point + DVec3::new(0.0, margin, -margin)));
    }

    #[test]
    fn an_empty_box_meets_nothing_and_is_infinitely_far() {
        let all = Bounds { min: DVec3::splat(-1e9), max: DVec3::splat(1e9) };
        assert!(!Bounds::EMPTY.meets(&all));
        assert_eq!(Bounds::EMPTY.distance_squared(DVec3::ZERO), f64::INFINITY);
        assert_eq!(Bounds::EMPTY.union(all), all);
    }

    #[test]
    fn boxes_that_share_only_a_corner_meet() {
        let a = Bounds::of([DVec3::ZERO, DVec3::ONE]);
        let b = Bounds::of([DVec3::ONE, DVec3::splat(2.0)]);
        assert!(a.meets(&b) && b.meets(&a));
        assert_eq!(a.distance_squared(DVec3::new(3.0, 0.5, 1.0)), 4.0);
        assert_eq!(a.apart_squared(&b), 0.0);
        assert_eq!(a.apart_squared(&Bounds::of([DVec3::new(4.0, 0.5, 5.0)])), 25.0);
        assert_eq!(a.apart_squared(&Bounds::EMPTY), f64::INFINITY);
    }
}
