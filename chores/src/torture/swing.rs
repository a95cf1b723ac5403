//! The swing of a sheet: when and where its centre turns back.

/// A path that turns back by less has not turned back [m].
const RIPPLE: f64 = 0.002;

/// A place at which the centre turns back.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Turn {
    /// When [s].
    pub(super) time: f64,
    /// How far from plumb, along the direction of the start [m].
    pub(super) place: f64,
}

/// The path from one turn to the next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Swing {
    /// Half way in time [s].
    pub(super) time: f64,
    /// Half of the distance between its turns [m].
    pub(super) amplitude: f64,
}

/// The turns of a path that is given at equal intervals from time 0 on. The start is one of them.
pub(super) fn turns(path: &[f64], interval: f64) -> Vec<Turn> {
    let mut turns = Vec::new();
    // 1.0: away from plumb, -1.0: back; the start is where the path turns to.
    let (mut direction, mut candidate) = (0.0, 0);
    for (at, place) in path.iter().enumerate() {
        let back = direction * (path[candidate] - place);
        if direction == 0.0 && (place - path[0]).abs() > RIPPLE {
            turns.push(Turn { time: 0.0, place: path[0] });
            (direction, candidate) = ((place - path[0]).signum(), at);
        } else if back > RIPPLE {
            turns.push(vertex(path, candidate, interval));
            (direction, candidate) = (-direction, at);
        } else if back <= 0.0 {
            candidate = at;
        }
    }
    turns
}

/// Between turns.
pub(super) fn swings(turns: &[Turn]) -> Vec<Swing> {
    let swing = |two: &[Turn]| Swing {
        time: 0.5 * (two[0].time + two[1].time),
        amplitude: 0.5 * (two[1].place - two[0].place).abs(),
    };
    turns.windows(2).map(swing).collect()
}

/// What three successive turns swing about [m], exact where each swing is the same fraction of the one before.
///
/// ```text
/// e_i = c + a (-r)^i      c = (e_0 e_2 - e_1²)/(e_0 - 2 e_1 + e_2)
/// ```
///
/// The mean of two would be off by a (1 - r)/2, which for cloth in air is far more than what is looked for.
pub(super) fn middle(three: &[Turn]) -> f64 {
    let [a, b, c] = [three[0].place, three[1].place, three[2].place];
    (a * c - b * b) / (a - 2.0 * b + c)
}

/// The vertex of the parabola through a sample and its neighbours.
fn vertex(path: &[f64], at: usize, interval: f64) -> Turn {
    let time = at as f64 * interval;
    let (Some(&before), Some(&after)) = (path.get(at.wrapping_sub(1)), path.get(at + 1)) else {
        return Turn { time, place: path[at] };
    };
    let (slope, curvature) = (0.5 * (after - before), after - 2.0 * path[at] + before);
    if curvature == 0.0 {
        return Turn { time, place: path[at] };
    }
    Turn { time: time - interval * slope / curvature, place: path[at] - 0.5 * slope * slope / curvature }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A damped swing about 3 cm off plumb, with a ripple.
    fn path(interval: f64) -> Vec<f64> {
        let place = |t: f64| 0.03 + 0.5 * libm::exp(-0.4 * t) * libm::cos(3.5 * t) + 3e-4 * libm::sin(90.0 * t);
        (0..720).map(|i| place(f64::from(i) * interval)).collect()
    }

    #[test]
    fn turns_are_found_in_spite_of_ripples_and_give_amplitude_and_middle() {
        let turns = turns(&path(1.0 / 60.0), 1.0 / 60.0);
        // The start, and one for each of 13 half periods in 12 s.
        assert!(turns.len() == 14, "{turns:?}");
        let ratio = libm::exp(-0.4 * std::f64::consts::PI / 3.5);
        let swings = swings(&turns);
        for (one, next) in swings.iter().zip(&swings[1..]) {
            assert!((next.amplitude - ratio * one.amplitude).abs() < 2e-3, "{swings:?}");
        }
        for three in turns.windows(3) {
            assert!((middle(three) - 0.03).abs() < 2e-3, "{three:?}: {}", middle(three));
        }
    }
}
