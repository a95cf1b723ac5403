//! When frames begin, in GIF's unit of a hundredth of a second.

/// Viewers play anything shorter much too slowly.
const SHORTEST: u64 = 2;

/// Rounds each frame's beginning, not its length, so that delays are exact on average for any rate.
#[derive(Debug, Clone)]
pub(super) struct Clock {
    /// Hundredths of a second a frame.
    period: f64,
    /// Frames so far.
    frames: u64,
    /// When the frame that is shown last began.
    shown_since: Option<u64>,
}

impl Clock {
    pub(super) fn new(frames_per_second: f64) -> Self {
        Self { period: 100.0 / frames_per_second, frames: 0, shown_since: None }
    }

    fn now(&self) -> u64 {
        (self.frames as f64 * self.period).round() as u64
    }

    /// Counts a frame. `Some` if it is to be shown: with how long the one before it was; `None` if there is no time
    /// for it.
    pub(super) fn next(&mut self) -> Option<u64> {
        let now = self.now();
        self.frames += 1;
        let before = now - self.shown_since.unwrap_or(now);
        if self.shown_since.is_some() && before < SHORTEST {
            return None;
        }
        self.shown_since = Some(now);
        Some(before)
    }

    /// How long the last frame is.
    pub(super) fn last(&self) -> u64 {
        (self.now() - self.shown_since.unwrap_or(0)).max(SHORTEST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Delays of a number of frames at a rate.
    fn delays(rate: f64, frames: u32) -> Vec<u64> {
        let mut clock = Clock::new(rate);
        let mut delays: Vec<u64> = (0..frames).filter_map(|_| clock.next()).skip(1).collect();
        delays.push(clock.last());
        delays
    }

    #[test]
    fn delays_add_up_to_the_duration_at_any_rate() {
        for rate in [1.0, 12.5, 24.0, 29.97, 30.0, 33.0, 50.0, 60.0, 120.0, 240.0] {
            let frames = (10.0 * rate) as u32;
            let delays = delays(rate, frames);
            let sum = delays.iter().sum::<u64>() as f64;
            // The last frame is shown for two hundredths even if it comes at the very end.
            assert!((sum - 100.0 * f64::from(frames) / rate).abs() <= 2.0, "{rate}: {sum}");
            let (least, most) = (delays.iter().min().unwrap(), delays.iter().max().unwrap());
            assert!(*least >= SHORTEST && most - least <= 2, "{rate}: from {least} to {most}");
        }
    }

    #[test]
    fn frames_are_dropped_only_above_fifty_a_second() {
        assert_eq!(delays(50.0, 100).len(), 100);
        assert_eq!(delays(100.0, 100).len(), 50);
    }

    #[test]
    fn thirty_a_second_alternates_between_three_and_four() {
        assert_eq!(delays(30.0, 6), [3, 4, 3, 3, 4, 3]);
    }
}
