//! Text on pictures, in the embedded font. No shaping: one glyph a character, without kerning.

use std::sync::LazyLock;

use ab_glyph::{Font, FontRef, GlyphId, OutlinedGlyph, PxScale, ScaleFont};
use glam::Vec2;

use crate::Picture;

/// Stroke weight of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Weight {
    /// For labels and captions.
    #[default]
    Regular,
    /// For titles and marks.
    SemiBold,
}

/// Which point of a text its x coordinate is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Anchor {
    /// Where the text begins.
    #[default]
    Left,
    /// Its middle.
    Centre,
    /// Where the text ends.
    Right,
}

/// How a text looks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TextStyle {
    /// Size of the em square \[px\], 1 to 1000; capital letters are 0.73 of it high, digits too.
    pub size: f32,
    /// Stroke weight.
    pub weight: Weight,
    /// sRGB colour.
    pub colour: [u8; 3],
}

static REGULAR: LazyLock<FontRef<'static>> = LazyLock::new(|| embedded(include_bytes!("../fonts/Inter-Regular.ttf")));
static SEMI_BOLD: LazyLock<FontRef<'static>> =
    LazyLock::new(|| embedded(include_bytes!("../fonts/Inter-SemiBold.ttf")));

fn embedded(bytes: &'static [u8]) -> FontRef<'static> {
    FontRef::try_from_slice(bytes).expect("the embedded fonts are tested to be readable")
}

fn font(weight: Weight) -> &'static FontRef<'static> {
    match weight {
        Weight::Regular => &REGULAR,
        Weight::SemiBold => &SEMI_BOLD,
    }
}

/// The font's scale for an em square of `size` pixels; the library's own unit is ascent to descent.
fn scale(font: &FontRef<'static>, size: f32) -> PxScale {
    let em = font.units_per_em().unwrap_or(2048.0);
    PxScale::from(size.clamp(1.0, 1000.0) * font.height_unscaled() / em)
}

/// Glyphs of a text with the place of each \[px\] along the baseline, and the width of all.
fn laid_out(text: &str, style: TextStyle) -> (Vec<(GlyphId, f32)>, f32) {
    let font = font(style.weight);
    let scaled = font.as_scaled(scale(font, style.size));
    let mut glyphs = Vec::new();
    let mut x = 0.0;
    for character in text.chars().filter(|character| !character.is_control()) {
        let id = font.glyph_id(character);
        glyphs.push((id, x));
        x += scaled.h_advance(id);
    }
    (glyphs, x)
}

/// Width of a text \[px\].
pub fn text_width(text: &str, style: TextStyle) -> f32 {
    laid_out(text, style).1
}

/// Draws a text with its anchor at `at` (x, and the baseline's y, in pixels from the top left). The baseline is moved
/// to the nearest row, so that horizontal strokes are crisp. What lies outside the picture is left out; characters
/// that the font lacks become an empty box.
pub fn draw_text(picture: &mut Picture, text: &str, at: Vec2, anchor: Anchor, style: TextStyle) {
    let (glyphs, width) = laid_out(text, style);
    let start = match anchor {
        Anchor::Left => at.x,
        Anchor::Centre => at.x - width / 2.0,
        Anchor::Right => at.x - width,
    };
    let font = font(style.weight);
    for (id, x) in glyphs {
        let place = ab_glyph::point(start + x, at.y.round());
        let glyph = id.with_scale_and_position(scale(font, style.size), place);
        if let Some(outline) = font.outline_glyph(glyph) {
            draw_outline(picture, &outline, style.colour);
        }
    }
}

fn draw_outline(picture: &mut Picture, outline: &OutlinedGlyph, colour: [u8; 3]) {
    let bounds = outline.px_bounds();
    let (left, top) = (bounds.min.x as i64, bounds.min.y as i64);
    let (width, height) = (i64::from(picture.width), i64::from(picture.height));
    if left >= width || top >= height || bounds.max.x <= 0.0 || bounds.max.y <= 0.0 {
        return;
    }
    outline.draw(|x, y, coverage| {
        let (x, y) = (left + i64::from(x), top + i64::from(y));
        if (0..width).contains(&x) && (0..height).contains(&y) {
            let pixel = &mut picture.pixels[(y * width + x) as usize];
            *pixel = covered(*pixel, colour, coverage);
        }
    });
}

/// Exponent of the space in which edges are blended. Mixing light itself (about 2.2) makes dark text thin, mixing sRGB
/// bytes (1) makes light text thin; between the two both keep their weight.
const BLEND_EXPONENT: f32 = 1.5;

static BLEND_OF_BYTE: LazyLock<[f32; 256]> =
    LazyLock::new(|| std::array::from_fn(|byte| libm::powf(byte as f32 / 255.0, BLEND_EXPONENT)));

/// A pixel of which `coverage` (0 to 1) lies under a shape of one colour.
pub(crate) fn covered(below: [u8; 3], colour: [u8; 3], coverage: f32) -> [u8; 3] {
    let coverage = coverage.clamp(0.0, 1.0);
    if coverage == 0.0 {
        return below;
    }
    std::array::from_fn(|channel| {
        let [from, to] = [below, colour].map(|pixel| BLEND_OF_BYTE[usize::from(pixel[channel])]);
        let mixed = from + (to - from) * coverage;
        (libm::powf(mixed, 1.0 / BLEND_EXPONENT) * 255.0 + 0.5) as u8
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAPER: [u8; 3] = [250, 248, 244];
    const INK: [u8; 3] = [20, 24, 30];

    fn style(size: f32, colour: [u8; 3]) -> TextStyle {
        TextStyle { size, weight: Weight::Regular, colour }
    }

    /// Columns and rows (first, last) that differ from the background.
    fn extent(picture: &Picture, background: [u8; 3]) -> Option<[u32; 4]> {
        let marked = picture.pixels.iter().enumerate().filter(|&(_, &pixel)| pixel != background);
        marked.map(|(index, _)| (index as u32 % picture.width, index as u32 / picture.width)).fold(
            None,
            |all, (x, y)| {
                let [left, right, top, bottom] = all.unwrap_or([x, x, y, y]);
                Some([left.min(x), right.max(x), top.min(y), bottom.max(y)])
            },
        )
    }

    fn drawn(text: &str, at: Vec2, anchor: Anchor) -> Picture {
        let mut picture = Picture::filled(200, 60, PAPER);
        draw_text(&mut picture, text, at, anchor, style(20.0, INK));
        picture
    }

    #[test]
    fn all_characters_that_labels_use_are_in_both_weights() {
        let characters = (' '..='~').chain("°·–−×µ²³≤≥…½\u{a0}".chars());
        for character in characters {
            for weight in [Weight::Regular, Weight::SemiBold] {
                assert_ne!(font(weight).glyph_id(character).0, 0, "{character:?} in {weight:?}");
            }
        }
    }

    #[test]
    fn a_capital_letter_stands_on_the_baseline_with_its_height() {
        let [left, _, top, bottom] = extent(&drawn("H", Vec2::new(50.0, 40.0), Anchor::Left), PAPER).unwrap();
        // Capitals are 1490 of 2048 units high: 14.6 px, which touch 15 rows; the last is the one above the baseline.
        assert_eq!((top, bottom), (25, 39));
        assert!((51..=52).contains(&left), "{left}");
    }

    #[test]
    fn the_anchor_is_where_the_text_begins_ends_or_has_its_middle() {
        let width = text_width("HH", style(20.0, INK));
        let extents = [Anchor::Left, Anchor::Centre, Anchor::Right]
            .map(|anchor| extent(&drawn("HH", Vec2::new(100.0, 40.0), anchor), PAPER).unwrap());
        let [left, centre, right] = extents.map(|[first, last, ..]| (first + last) as f32 / 2.0);
        // Positions are rounded to whole pixels at both ends.
        assert!((left - 100.0 - width / 2.0).abs() <= 1.0, "{left}");
        assert!((centre - 100.0).abs() <= 1.0, "{centre}");
        assert!((right - 100.0 + width / 2.0).abs() <= 1.0, "{right}");
    }

    #[test]
    fn text_is_cut_at_all_edges_without_a_panic() {
        let whole = drawn("HHHH", Vec2::new(100.0, 40.0), Anchor::Centre);
        for at in [(0.0, 40.0), (200.0, 40.0), (100.0, 5.0), (100.0, 66.0)] {
            let cut = drawn("HHHH", Vec2::from(at), Anchor::Centre);
            let marked = |picture: &Picture| picture.pixels.iter().filter(|&&pixel| pixel != PAPER).count();
            assert!(marked(&cut) > 0 && marked(&cut) < marked(&whole), "at {at:?}");
        }
        for at in [(f32::NAN, 0.0), (1e30, 1e30), (-1e30, f32::NEG_INFINITY)] {
            drawn("out of sight", Vec2::from(at), Anchor::Left);
        }
    }

    #[test]
    fn text_is_neither_thin_on_light_nor_on_dark() {
        // Ink as fine strokes add up in the eye, by light, and as flat patches are seen, nearly by bytes: light text is
        // thin by the first and dark text by the second, and which counts depends on size and distance.
        let by_light: fn([u8; 3]) -> f32 = |pixel| crate::linear_from_srgb(pixel).y;
        let by_bytes: fn([u8; 3]) -> f32 = |pixel| f32::from(pixel[1]) / 255.0;
        let ink = |paper: u8, ink: u8, measure: fn([u8; 3]) -> f32| {
            let mut picture = Picture::filled(120, 40, [paper; 3]);
            draw_text(&mut picture, "strain", Vec2::new(5.0, 25.0), Anchor::Left, style(14.0, [ink; 3]));
            picture.pixels.iter().map(|&pixel| (measure(pixel) - measure([paper; 3])).abs()).sum::<f32>()
        };
        let [light, bytes] = [by_light, by_bytes].map(|measure| ink(255, 0, measure) / ink(0, 255, measure));
        // Balanced: the two errors cancel, to a tenth.
        assert!((light * bytes - 1.0).abs() < 0.1, "dark against light text: {light} by light, {bytes} by bytes");
    }

    #[test]
    fn control_characters_take_no_room() {
        let style = style(14.0, INK);
        assert_eq!(text_width("a\nb\t", style), text_width("ab", style));
    }
}
