//! Several pictures in one, as a figure for a paper: equal cells, a caption under each, one legend for all.

use glam::{IVec2, Vec2};
use thiserror::Error;

use crate::{Anchor, Legend, Picture, TextStyle, Weight, draw_text, paint::paste};

/// Most cells in a row.
const MOST_COLUMNS: u32 = 6;

/// Most pixels that a strip may have: a gigabyte of working memory is not for one figure.
const MOST_PIXELS: u64 = 1 << 28;

/// The legend's text is a little smaller than captions.
const LEGEND_TO_CAPTION: f32 = 0.9;

const CAPTION_INK: [u8; 3] = [38, 42, 48];
const CAPTION_INK_ON_DARK: [u8; 3] = [226, 228, 231];

/// One picture of a strip.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StripCell {
    /// The picture; all cells have one size.
    pub picture: Picture,
    /// What stands under it, such as "0.60 s"; may be empty.
    pub caption: String,
}

/// How a strip is laid out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StripStyle {
    /// Cells in a row; none: up to six in one row, else balanced rows.
    pub columns: Option<u32>,
    /// sRGB colour of gaps and margins.
    pub background: [u8; 3],
    /// The legend under the last row, if colours need one.
    pub legend: Option<Legend>,
}

impl Default for StripStyle {
    fn default() -> Self {
        Self { columns: None, background: [255; 3], legend: None }
    }
}

/// Why there is no strip.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum StripError {
    /// Nothing to show.
    #[error("a strip needs at least one picture")]
    Empty,
    /// Cells are equal.
    #[error("picture {index} is {width} × {height}, but the first is {first_width} × {first_height}")]
    UnequalSizes {
        /// Number of the picture, from 0.
        index: usize,
        /// Its width \[px\].
        width: u32,
        /// Its height \[px\].
        height: u32,
        /// Width of the first \[px\].
        first_width: u32,
        /// Height of the first \[px\].
        first_height: u32,
    },
    /// More than a picture should have.
    #[error("the strip would be {width} × {height} pixels: use smaller or fewer pictures")]
    TooLarge {
        /// Its width \[px\].
        width: u64,
        /// Its height \[px\].
        height: u64,
    },
}

/// Lengths \[px\] of a strip.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Layout {
    cell: [u32; 2],
    columns: u32,
    rows: u32,
    gap: u32,
    /// Size of captions.
    text: f32,
    /// Room under a cell for its caption, 0 without captions.
    caption: u32,
    /// Height of the legend's band, 0 without one.
    legend: u32,
}

impl Layout {
    fn new(cells: &[StripCell], style: &StripStyle) -> Result<Self, StripError> {
        let first = &cells.first().ok_or(StripError::Empty)?.picture;
        for (index, StripCell { picture, .. }) in cells.iter().enumerate() {
            let (width, height, first_width, first_height) = (picture.width, picture.height, first.width, first.height);
            if (width, height) != (first_width, first_height) {
                return Err(StripError::UnequalSizes { index, width, height, first_width, first_height });
            }
        }
        let has_captions = cells.iter().any(|cell| !cell.caption.is_empty());
        Self::of(cells.len() as u32, [first.width, first.height], has_captions, style)
    }

    /// For so many cells, at least one.
    fn of(count: u32, cell: [u32; 2], has_captions: bool, style: &StripStyle) -> Result<Self, StripError> {
        let columns = style.columns.unwrap_or_else(|| balanced_columns(count)).clamp(1, count);
        let gap = (cell[0] / 120).max(2);
        let text = caption_size(columns.saturating_mul(cell[0]), cell[1]);
        let layout = Self {
            cell,
            columns,
            rows: count.div_ceil(columns),
            gap,
            text,
            caption: if has_captions { (text * 1.7).ceil() as u32 } else { 0 },
            legend: style.legend.map_or(0, |_| Legend::band_height(text * LEGEND_TO_CAPTION)),
        };
        let (width, height) = layout.size();
        if width * height > MOST_PIXELS { Err(StripError::TooLarge { width, height }) } else { Ok(layout) }
    }

    /// Width and height of the whole.
    fn size(&self) -> (u64, u64) {
        let [cell_width, cell_height] = self.cell.map(u64::from);
        let (columns, rows, gap) = (u64::from(self.columns), u64::from(self.rows), u64::from(self.gap));
        let width = columns * (cell_width + gap) + gap;
        let height = rows * (cell_height + u64::from(self.caption) + gap) + gap + u64::from(self.legend);
        (width, height)
    }

    /// Top left of a cell.
    fn place(&self, index: u32) -> IVec2 {
        let (column, row) = (index % self.columns, index / self.columns);
        let left = self.gap + column * (self.cell[0] + self.gap);
        let top = self.gap + row * (self.cell[1] + self.caption + self.gap);
        IVec2::new(left as i32, top as i32)
    }
}

/// Up to six in one row; more in as few rows as that takes, as even as they can be.
pub(crate) fn balanced_columns(count: u32) -> u32 {
    count.div_ceil(count.div_ceil(MOST_COLUMNS).max(1))
}

/// Size of captions \[px\]: readable when the figure is as wide as a page, but never large beside a cell.
fn caption_size(figure_width: u32, cell_height: u32) -> f32 {
    (figure_width as f32 / 95.0).min(cell_height as f32 * 0.1).clamp(12.0, 100.0)
}

/// Whether a strip of so many cells of a size, with captions, may be made: to be asked before they are drawn.
pub(crate) fn check_size(count: u32, cell: [u32; 2], style: &StripStyle) -> Result<(), StripError> {
    Layout::of(count.max(1), cell, true, style).map(|_| ())
}

/// Puts pictures of one size into one, row by row.
pub fn strip(cells: &[StripCell], style: &StripStyle) -> Result<Picture, StripError> {
    let layout = Layout::new(cells, style)?;
    let (width, height) = layout.size();
    let mut whole = Picture::filled(width as u32, height as u32, style.background);
    let is_dark = crate::linear_from_srgb(style.background).y < 0.2;
    let colour = if is_dark { CAPTION_INK_ON_DARK } else { CAPTION_INK };
    let text = TextStyle { size: layout.text, weight: Weight::Regular, colour };
    for (index, cell) in cells.iter().enumerate() {
        let place = layout.place(index as u32);
        paste(&mut whole, place, &cell.picture);
        let middle = place.x as f32 + layout.cell[0] as f32 / 2.0;
        let baseline = (place.y + layout.cell[1] as i32) as f32 + layout.text * 1.2;
        draw_text(&mut whole, &cell.caption, Vec2::new(middle, baseline), Anchor::Centre, text);
    }
    if let Some(legend) = style.legend {
        legend.draw_in_band(&mut whole, height as u32 - layout.legend, layout.text * LEGEND_TO_CAPTION, is_dark);
    }
    Ok(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GREY: [u8; 3] = [90; 3];

    fn cells(count: usize, caption: &str) -> Vec<StripCell> {
        vec![StripCell { picture: Picture::filled(120, 80, GREY), caption: caption.to_owned() }; count]
    }

    fn count(picture: &Picture, colour: [u8; 3]) -> usize {
        picture.pixels.iter().filter(|&&pixel| pixel == colour).count()
    }

    #[test]
    fn rows_have_six_cells_at_most_and_are_balanced() {
        let columns: Vec<u32> = (1..=14).map(balanced_columns).collect();
        assert_eq!(columns, [1, 2, 3, 4, 5, 6, 4, 4, 5, 5, 6, 6, 5, 5]);
    }

    #[test]
    fn all_cells_are_there_whole_and_apart() {
        let picture = strip(&cells(7, ""), &StripStyle::default()).unwrap();
        assert_eq!((picture.width, picture.height), (4 * 122 + 2, 2 * 82 + 2));
        assert_eq!(count(&picture, GREY), 7 * 120 * 80);
        assert_eq!(count(&picture, [255; 3]), picture.pixels.len() - 7 * 120 * 80);
    }

    #[test]
    fn captions_stand_under_their_cells_in_a_colour_that_shows() {
        for (background, expected) in [([255; 3], CAPTION_INK), ([20; 3], CAPTION_INK_ON_DARK)] {
            let style = StripStyle { background, ..StripStyle::default() };
            let picture = strip(&cells(2, "H 0.60 s"), &style).unwrap();
            let first_rows = &picture.pixels[..82 * picture.width as usize];
            assert!(!first_rows.contains(&expected), "captions are not on the pictures");
            // The stem of H covers a pixel nearly whole.
            let near = |pixel: &[u8; 3]| pixel.iter().zip(expected).all(|(&a, b)| a.abs_diff(b) < 40);
            assert!(picture.pixels[82 * picture.width as usize..].iter().any(near));
        }
    }

    #[test]
    fn one_legend_serves_all_cells() {
        let style = StripStyle { legend: Some(Legend::Strain { limit: 0.01 }), ..StripStyle::default() };
        let with = strip(&cells(3, "a"), &style).unwrap();
        let without = strip(&cells(3, "a"), &StripStyle::default()).unwrap();
        let band = (with.height - without.height) as usize;
        let (upper, lower) = with.pixels.split_at(without.pixels.len());
        assert_eq!(upper, without.pixels, "the legend is below, not on the pictures");
        assert!(band > 30 && lower.iter().any(|&pixel| pixel != [255; 3]));
    }

    #[test]
    fn unequal_none_and_far_too_many_pictures_are_refused() {
        let mut unequal = cells(2, "");
        unequal[1].picture = Picture::filled(7, 8, GREY);
        let error = strip(&unequal, &StripStyle::default()).unwrap_err();
        assert_eq!(error.to_string(), "picture 1 is 7 × 8, but the first is 120 × 80");
        assert_eq!(strip(&[], &StripStyle::default()), Err(StripError::Empty));
        let wide = Picture { width: u32::MAX, height: 1000, pixels: Vec::new() };
        let error = strip(&[StripCell { picture: wide, caption: String::new() }], &StripStyle::default()).unwrap_err();
        assert!(matches!(error, StripError::TooLarge { .. }), "{error}");
    }
}
