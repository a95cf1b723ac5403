//! Ordered dithering: each colour has a fixed set of eight palette colours whose mean is as near to it as can be, and
//! the place of a pixel decides which of them it gets. What does not change in colour does not flicker.

use crate::Picture;

/// Palette colours that stand for one colour.
const CHOICES: usize = 8;

/// Fraction of the error so far that the next choice makes up for. Less than 1 keeps colours apart that are far apart.
const CORRECTION: f32 = 0.8;

/// Channels are distinguished by their upper seven bits: 2 million colours, each worked out when it first occurs.
const BITS: usize = 7;

/// Bayer's matrix of 8 × 8, by interleaving the bits of x ^ y and y, reversed.
fn threshold(x: usize, y: usize) -> usize {
    let (mixed, row) = (x ^ y, y);
    (0..3).fold(0, |value, bit| value | ((mixed >> bit) & 1) << (5 - 2 * bit) | ((row >> bit) & 1) << (4 - 2 * bit))
}

/// Dithers pictures with one palette.
pub(super) struct Dither {
    palette: Vec<[u8; 3]>,
    /// Where the choices of each colour are in `choices`, from 1; 0: not worked out yet.
    of_colour: Vec<u32>,
    choices: Vec<[u8; CHOICES]>,
}

impl Dither {
    /// A palette of 1 to 256 colours.
    pub(super) fn new(palette: Vec<[u8; 3]>) -> Self {
        Self { palette, of_colour: vec![0; 1 << (3 * BITS)], choices: Vec::new() }
    }

    /// Palette numbers of all pixels.
    pub(super) fn numbers(&mut self, picture: &Picture) -> Vec<u8> {
        let width = picture.width.max(1) as usize;
        let place = |index: usize| threshold(index % width % 8, index / width % 8) * CHOICES / 64;
        picture.pixels.iter().enumerate().map(|(index, &pixel)| self.choices_of(pixel)[place(index)]).collect()
    }

    fn choices_of(&mut self, colour: [u8; 3]) -> [u8; CHOICES] {
        let key = colour.iter().fold(0, |key, &channel| key << BITS | usize::from(channel) >> (8 - BITS));
        if self.of_colour[key] == 0 {
            // Worked out for the middle of what shares the key, so that it does not matter which came first.
            let middle = colour.map(|channel| f32::from(channel & 0xfe) + 0.5);
            self.choices.push(self.choose(middle));
            self.of_colour[key] = self.choices.len() as u32;
        }
        self.choices[self.of_colour[key] as usize - 1]
    }

    /// Palette numbers whose colours have the mean `colour`, from dark to light.
    fn choose(&self, colour: [f32; 3]) -> [u8; CHOICES] {
        let mut error = [0.0; 3];
        let mut chosen = [0; CHOICES];
        for choice in &mut chosen {
            let wanted: [f32; 3] = std::array::from_fn(|channel| colour[channel] + CORRECTION * error[channel]);
            *choice = self.nearest(wanted);
            let got = self.palette[usize::from(*choice)].map(f32::from);
            for channel in 0..3 {
                error[channel] += colour[channel] - got[channel];
            }
        }
        chosen.sort_by_key(|&number| (lightness(self.palette[usize::from(number)]), number));
        chosen
    }

    fn nearest(&self, wanted: [f32; 3]) -> u8 {
        let mut nearest = (0, f32::INFINITY);
        for (number, colour) in self.palette.iter().enumerate() {
            let [red, green, blue]: [f32; 3] =
                std::array::from_fn(|channel| wanted[channel] - f32::from(colour[channel]));
            // The eye sees differences in green best, in blue least.
            let distance = 3.0 * red * red + 5.0 * green * green + 2.0 * blue * blue;
            if distance < nearest.1 {
                nearest = (number as u8, distance);
            }
        }
        nearest.0
    }
}

fn lightness([red, green, blue]: [u8; 3]) -> u32 {
    3 * u32::from(red) + 6 * u32::from(green) + u32::from(blue)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_matrix_has_each_threshold_once() {
        let mut all: Vec<usize> = (0..64).map(|index| threshold(index % 8, index / 8)).collect();
        all.sort_unstable();
        assert_eq!(all, (0..64).collect::<Vec<_>>());
    }

    #[test]
    fn two_greys_make_all_greys_between() {
        let mut dither = Dither::new(vec![[100; 3], [140; 3]]);
        for grey in 100..=140 {
            let numbers = dither.numbers(&Picture::filled(8, 8, [grey; 3]));
            let mean = numbers.iter().map(|&number| [100.0, 140.0][usize::from(number)]).sum::<f32>() / 64.0;
            // Eight steps of 5 between them, of which the nearest is at most 2.5 away; half a grey for the key.
            assert!((mean - f32::from(grey)).abs() <= 3.5, "{grey} became {mean}");
        }
    }

    #[test]
    fn colours_of_the_palette_stay_plain() {
        let mut dither = Dither::new(vec![[0; 3], [30, 60, 90], [255; 3]]);
        assert_eq!(dither.numbers(&Picture::filled(8, 8, [30, 60, 90])), [1; 64]);
    }

    #[test]
    fn the_order_in_which_pictures_come_does_not_matter() {
        let pictures = [[10, 20, 30], [11, 21, 31], [200, 100, 0]].map(|colour| Picture::filled(8, 8, colour));
        let palette = vec![[0; 3], [50; 3], [255, 128, 0], [128; 3]];
        let mut forwards = Dither::new(palette.clone());
        let mut backwards = Dither::new(palette);
        let one: Vec<_> = pictures.iter().map(|picture| forwards.numbers(picture)).collect();
        let mut other: Vec<_> = pictures.iter().rev().map(|picture| backwards.numbers(picture)).collect();
        other.reverse();
        assert_eq!(one, other);
    }
}
