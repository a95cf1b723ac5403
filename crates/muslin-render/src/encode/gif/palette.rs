//! One palette for a whole animation.
//!
//! The samples' colours are counted in bins of five bits a channel. A bin counts as the square root of its pixels, so
//! that a small red spot is worth colours of its own beside a large background. The bins are parted where their
//! variance is greatest until there are enough parts, and the parts' means are improved by a few rounds of k-means.

use crate::Picture;

/// Colours in a palette; one more of GIF's 256 means "as before".
pub(super) const COLOURS: usize = 255;

const BINS_A_CHANNEL: usize = 32;
const ROUNDS: usize = 8;

#[derive(Debug, Clone, Copy)]
struct Bin {
    colour: [f64; 3],
    weight: f64,
}

/// The palette of all samples' colours, 255 at most, without repetition.
pub(super) fn palette(samples: &[Picture]) -> Vec<[u8; 3]> {
    let bins = bins(samples);
    let mut centres: Vec<[f64; 3]> = parts(bins.clone()).iter().map(|part| mean(part)).collect();
    for _ in 0..ROUNDS {
        improve(&mut centres, &bins);
    }
    let mut colours: Vec<[u8; 3]> = centres.iter().map(|centre| centre.map(|channel| (channel + 0.5) as u8)).collect();
    colours.sort_unstable();
    colours.dedup();
    colours
}

/// The mean colour of the pixels of each bin that has any.
fn bins(samples: &[Picture]) -> Vec<Bin> {
    let mut sums = vec![([0_u64; 3], 0_u64); BINS_A_CHANNEL.pow(3)];
    for pixel in samples.iter().flat_map(|picture| &picture.pixels) {
        let [red, green, blue] = pixel.map(|channel| usize::from(channel >> 3));
        let (sum, count) = &mut sums[(red * BINS_A_CHANNEL + green) * BINS_A_CHANNEL + blue];
        for channel in 0..3 {
            sum[channel] += u64::from(pixel[channel]);
        }
        *count += 1;
    }
    let filled = sums.iter().filter(|(_, count)| *count > 0);
    filled
        .map(|(sum, count)| Bin {
            colour: sum.map(|channel| channel as f64 / *count as f64),
            weight: (*count as f64).sqrt(),
        })
        .collect()
}

/// Bins in as many parts as there are colours, or fewer if there are fewer bins.
fn parts(bins: Vec<Bin>) -> Vec<Vec<Bin>> {
    let mut parts = vec![bins];
    while parts.len() < COLOURS {
        let spreads = parts.iter().map(|part| widest_channel(part));
        let widest = spreads.enumerate().max_by(|(_, one), (_, other)| one.1.total_cmp(&other.1));
        let Some((index, (channel, spread))) = widest else { break };
        if spread <= 0.0 {
            break;
        }
        let middle = mean(&parts[index])[channel];
        let (low, high) = parts[index].iter().partition(|bin| bin.colour[channel] <= middle);
        parts[index] = low;
        parts.push(high);
    }
    parts.retain(|part| !part.is_empty());
    parts
}

fn mean(bins: &[Bin]) -> [f64; 3] {
    let weight: f64 = bins.iter().map(|bin| bin.weight).sum();
    std::array::from_fn(|channel| bins.iter().map(|bin| bin.weight * bin.colour[channel]).sum::<f64>() / weight)
}

/// The channel in which a part varies most, and its sum of squares there.
fn widest_channel(part: &[Bin]) -> (usize, f64) {
    if part.len() < 2 {
        return (0, 0.0);
    }
    let middle = mean(part);
    let squares = |channel: usize| -> f64 {
        let offset = |bin: &Bin| bin.colour[channel] - middle[channel];
        part.iter().map(|bin| bin.weight * offset(bin) * offset(bin)).sum()
    };
    let widest = (0..3).map(|channel| (channel, squares(channel))).max_by(|one, other| one.1.total_cmp(&other.1));
    widest.unwrap_or((0, 0.0))
}

/// One round of k-means: each centre moves to the mean of the bins that are nearest to it.
fn improve(centres: &mut [[f64; 3]], bins: &[Bin]) {
    let mut sums = vec![([0.0; 3], 0.0); centres.len()];
    for bin in bins {
        let (sum, weight): &mut ([f64; 3], f64) = &mut sums[nearest_centre(centres, bin.colour)];
        for channel in 0..3 {
            sum[channel] += bin.weight * bin.colour[channel];
        }
        *weight += bin.weight;
    }
    for (centre, (sum, weight)) in centres.iter_mut().zip(sums) {
        if weight > 0.0 {
            *centre = sum.map(|channel| channel / weight);
        }
    }
}

fn nearest_centre(centres: &[[f64; 3]], colour: [f64; 3]) -> usize {
    let distance = |centre: &[f64; 3]| -> f64 { centre.iter().zip(colour).map(|(a, b)| (a - b) * (a - b)).sum() };
    let mut nearest = (0, f64::INFINITY);
    for (index, centre) in centres.iter().enumerate() {
        let distance = distance(centre);
        if distance < nearest.1 {
            nearest = (index, distance);
        }
    }
    nearest.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_colours_are_kept_exactly() {
        let mut picture = Picture::filled(10, 10, [200, 100, 50]);
        picture.pixels[7] = [1, 2, 3];
        picture.pixels[8] = [250, 250, 250];
        assert_eq!(palette(&[picture]), [[1, 2, 3], [200, 100, 50], [250, 250, 250]]);
    }

    #[test]
    fn a_small_spot_keeps_its_colour_beside_a_large_gradient() {
        let pixels =
            (0..300 * 300).map(|index| [(index % 300 * 255 / 299) as u8, (index / 300 * 255 / 299) as u8, 120]);
        let mut picture = Picture { width: 300, height: 300, pixels: pixels.collect() };
        picture.pixels[..20].fill([255, 0, 0]);
        let palette = palette(&[picture]);
        assert_eq!(palette.len(), COLOURS);
        let distance = |colour: &[u8; 3]| colour.iter().zip([255, 0, 0]).map(|(&a, b)| a.abs_diff(b)).max();
        assert!(palette.iter().filter_map(distance).min() < Some(6), "no red among {palette:?}");
    }

    #[test]
    fn one_colour_is_enough() {
        assert_eq!(palette(&[Picture::filled(4, 4, [7, 8, 9])]), [[7, 8, 9]]);
    }
}
