//! Plain shapes on pictures.

use glam::IVec2;

use crate::{Picture, text::covered};

/// A rectangle of whole pixels; it may reach out of the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Area {
    pub(crate) left: i32,
    pub(crate) top: i32,
    pub(crate) width: i32,
    pub(crate) height: i32,
}

impl Area {
    pub(crate) fn new(top_left: IVec2, width: i32, height: i32) -> Self {
        Self { left: top_left.x, top: top_left.y, width, height }
    }

    /// The area with `margin` more on all sides.
    pub(crate) fn grown(self, margin: i32) -> Self {
        Self {
            left: self.left - margin,
            top: self.top - margin,
            width: self.width + 2 * margin,
            height: self.height + 2 * margin,
        }
    }
}

/// Calls `change` for each pixel of the area that is in the picture, with the pixel's column within the area.
fn for_each_pixel(picture: &mut Picture, area: Area, mut change: impl FnMut(i32, &mut [u8; 3])) {
    let clip = |start: i32, length: i32, size: u32| {
        let end = i64::from(start) + i64::from(length);
        (i64::from(start).clamp(0, i64::from(size)) as usize, end.clamp(0, i64::from(size)) as usize)
    };
    let (left, right) = clip(area.left, area.width, picture.width);
    let (top, bottom) = clip(area.top, area.height, picture.height);
    for row in top..bottom {
        for column in left..right {
            change(column as i32 - area.left, &mut picture.pixels[row * picture.width as usize + column]);
        }
    }
}

/// Fills an area with a colour that covers `coverage` (0 to 1) of what is below.
pub(crate) fn fill(picture: &mut Picture, area: Area, colour: [u8; 3], coverage: f32) {
    for_each_pixel(picture, area, |_, pixel| *pixel = covered(*pixel, colour, coverage));
}

/// Fills an area with colours from left (0) to right (1).
pub(crate) fn fill_scale(picture: &mut Picture, area: Area, colour: impl Fn(f32) -> [u8; 3]) {
    for_each_pixel(picture, area, |column, pixel| *pixel = colour((column as f32 + 0.5) / area.width as f32));
}

/// Puts a picture onto another, cut at the edges.
pub(crate) fn paste(onto: &mut Picture, top_left: IVec2, picture: &Picture) {
    for (row, pixels) in picture.pixels.chunks(picture.width.max(1) as usize).enumerate() {
        let area = Area::new(top_left + IVec2::new(0, row as i32), picture.width as i32, 1);
        for_each_pixel(onto, area, |column, pixel| *pixel = pixels[column as usize]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(picture: &Picture) -> Vec<usize> {
        (0..picture.pixels.len()).filter(|&index| picture.pixels[index] != [0; 3]).collect()
    }

    #[test]
    fn areas_are_cut_at_the_edges() {
        let mut picture = Picture::filled(4, 3, [0; 3]);
        fill(&mut picture, Area { left: 2, top: -5, width: 9, height: 6 }, [255; 3], 1.0);
        assert_eq!(marked(&picture), [2, 3]);
        fill(&mut picture, Area { left: i32::MAX, top: 0, width: i32::MAX, height: 2 }, [255; 3], 1.0);
        assert_eq!(marked(&picture), [2, 3]);
    }

    #[test]
    fn a_picture_that_reaches_out_is_cut() {
        let mut onto = Picture::filled(3, 3, [0; 3]);
        let mut small = Picture::filled(2, 2, [9; 3]);
        small.pixels[3] = [1, 2, 3];
        paste(&mut onto, IVec2::new(-1, -1), &small);
        assert_eq!((marked(&onto), onto.pixels[0]), (vec![0], [1, 2, 3]));
    }

    #[test]
    fn a_scale_has_its_ends_at_the_middles_of_the_outer_pixels() {
        let mut picture = Picture::filled(4, 1, [0; 3]);
        fill_scale(&mut picture, Area { left: 0, top: 0, width: 4, height: 1 }, |fraction| [(fraction * 8.0) as u8; 3]);
        assert_eq!(picture.pixels, [[1; 3], [3; 3], [5; 3], [7; 3]]);
    }
}
