//! Which frames are stored.

use crate::html::PAGE_LIMIT;

/// Most bytes of unpacked frames: a phone has to hold them.
const MOST_UNPACKED: usize = 160_000_000;

/// Frames at a regular stride, and with them the first, the worst and the last. The worst are those of strain, of
/// contact with solids, and of contact of cloth with cloth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Choice {
    last: u64,
    worst: [u64; 3],
    stride: u64,
}

impl Choice {
    /// The most frames that are worth a try, given the bytes before compression.
    pub(super) fn first(last: u64, worst: [u64; 3], still_bytes: usize, frame_bytes: usize) -> Self {
        let mut choice = Self { last, worst: worst.map(|frame| frame.min(last)), stride: 1 };
        let unpacked = |choice: &Self| still_bytes as u64 + (choice.last / choice.stride + 1) * frame_bytes as u64;
        while unpacked(&choice) > MOST_UNPACKED as u64 {
            let Some(fewer) = choice.fewer() else { break };
            choice = fewer;
        }
        choice
    }

    /// The next smaller choice, at strides of 1, 2, 3, 4, 6, 8, 12 …; none when there are no fewer frames.
    pub(super) fn fewer(&self) -> Option<Self> {
        let stride = self.stride;
        let next = if stride.is_power_of_two() { stride + stride.div_ceil(2) } else { stride / 3 * 4 };
        (stride < self.last).then_some(Self { stride: next, ..*self })
    }

    /// Their numbers, ascending.
    pub(super) fn frames(&self) -> Vec<u64> {
        let mut frames: Vec<u64> = (0..=self.last).step_by(self.stride as usize).collect();
        frames.extend(self.worst);
        frames.push(self.last);
        frames.sort_unstable();
        frames.dedup();
        frames
    }

    /// What was left out, in words; none when nothing was.
    pub(super) fn thinned(&self) -> Option<String> {
        if self.stride == 1 {
            return None;
        }
        let stored = if self.stride < self.last {
            format!("Every {} frame is stored", ordinal(self.stride))
        } else {
            "Only the first, the worst and the last frame are stored".to_owned()
        };
        let (megabytes, all) = (PAGE_LIMIT / 1_000_000, self.last + 1);
        Some(format!("{stored}, to keep this file under {megabytes} MB; the caches have all {all}."))
    }
}

/// 2nd, 4th, 32nd, 512th.
fn ordinal(number: u64) -> String {
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_run_is_stored_whole_and_says_nothing() {
        let choice = Choice::first(90, [47; 3], 40_000, 12_000);
        assert_eq!(choice.frames(), (0..=90).collect::<Vec<_>>());
        assert_eq!(choice.thinned(), None);
    }

    #[test]
    fn a_run_too_large_to_unpack_is_thinned_from_the_start() {
        let choice = Choice::first(300, [47; 3], 3_200_000, 700_000);
        let frames = choice.frames();
        assert_eq!((frames[..3].to_vec(), frames.len()), (vec![0, 2, 4], 152));
        assert!(frames.contains(&47) && frames.is_sorted());
        let said = choice.thinned().unwrap();
        assert_eq!(said, "Every 2nd frame is stored, to keep this file under 25 MB; the caches have all 301.");
    }

    #[test]
    fn thinning_ends_with_the_first_the_worst_and_the_last_frame() {
        let mut choice = Choice::first(10, [3, 7, 3], 0, 1);
        let mut strides = vec![choice.stride];
        while let Some(fewer) = choice.fewer() {
            choice = fewer;
            strides.push(choice.stride);
        }
        assert_eq!((strides, choice.frames()), (vec![1, 2, 3, 4, 6, 8, 12], vec![0, 3, 7, 10]));
        assert!(choice.thinned().unwrap().starts_with("Only the first, the worst and the last frame"));
        let start_only = Choice::first(0, [0; 3], 0, 1);
        assert_eq!((start_only.fewer(), start_only.frames()), (None, vec![0]));
    }

    #[test]
    fn numbers_have_the_endings_they_are_spoken_with() {
        assert_eq!([1, 2, 3, 4, 11, 12, 32, 512].map(ordinal).join(" "), "1st 2nd 3rd 4th 11th 12th 32nd 512th");
    }
}
