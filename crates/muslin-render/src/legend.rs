//! Legends: what the colours of a picture mean.

mod plan;

use glam::{IVec2, Vec2};

use crate::{
    Anchor, ContactScale, Picture, TextStyle, Weight, draw_text,
    paint::{Area, fill, fill_scale},
    text_width,
};
use plan::{Plan, Tick};

const INK: [u8; 3] = [38, 42, 48];
const SOFT: [u8; 3] = [88, 93, 101];
const PANEL: [u8; 3] = [255, 255, 255];

/// What a legend explains.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Legend {
    /// Strain against its limit.
    Strain {
        /// The limit, as a fraction of the length (0.01 is 1 %).
        limit: f64,
    },
    /// The gap between surfaces.
    Contact(ContactScale),
}

/// Where a legend lies in a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LegendPlace {
    /// At the bottom left.
    BottomLeft,
    /// At the bottom right.
    #[default]
    BottomRight,
}

/// Sizes in pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Sizes {
    text: f32,
    bar: IVec2,
    /// Between the parts.
    space: i32,
    /// Length of ticks; the mark of the limit is as long above the bar.
    tick: i32,
    /// Thickness of ticks.
    line: i32,
    /// From the bar to the outside on the left and on the right, for labels at its ends.
    side: i32,
}

impl Sizes {
    /// Sizes for a picture: as drawn for 960 × 540, smaller or larger with the picture, but never too small to read.
    fn for_picture(width: u32, height: u32) -> Self {
        let unit = (height as f32 / 540.0).min(width as f32 / 700.0).clamp(0.8, 6.0);
        Self::for_text(13.0 * unit, width)
    }

    /// Sizes that go with text of a size \[px\] in a picture of a width \[px\].
    fn for_text(text: f32, width: u32) -> Self {
        let whole = |length: f32| (length * text / 13.0).round() as i32;
        let side = whole(20.0);
        let room = (width as i32 - 4 * side).max(40);
        Self {
            text,
            bar: IVec2::new(whole(250.0).min(room), whole(10.0)),
            space: whole(5.0),
            tick: whole(4.0),
            line: whole(1.0).max(1),
            side,
        }
    }

    fn row(&self) -> i32 {
        self.text.ceil() as i32
    }

    fn width(&self) -> i32 {
        self.bar.x + 2 * self.side
    }

    /// Title, bar, ticks, labels, with space above, between and below.
    fn height(&self) -> i32 {
        2 * self.row() + self.bar.y + self.tick + 4 * self.space
    }
}

impl Legend {
    /// Draws the legend into a corner of the picture, on a light panel that lets a little of the picture through.
    pub fn draw(&self, picture: &mut Picture, place: LegendPlace) {
        let sizes = Sizes::for_picture(picture.width, picture.height);
        let margin = 2 * sizes.space;
        let left = match place {
            LegendPlace::BottomLeft => margin,
            LegendPlace::BottomRight => picture.width as i32 - margin - sizes.width(),
        };
        let top_left = IVec2::new(left, picture.height as i32 - margin - sizes.height());
        fill(picture, Area::new(top_left, sizes.width(), sizes.height()), PANEL, 0.85);
        draw_plan(&Plan::of(self), picture, top_left, &sizes);
    }

    /// Pixels that a picture has to spare for the legend below what it shows; none when it is too small for one.
    pub(crate) fn room_in(width: u32, height: u32) -> Option<u32> {
        let sizes = Sizes::for_picture(width, height);
        let room = sizes.height() + 2 * sizes.space;
        (sizes.bar.x >= sizes.text as i32 * 12 && 4 * room <= height as i32).then_some(room as u32)
    }

    /// Height \[px\] of the band that [`draw_in_band`](Self::draw_in_band) needs, with text of a size \[px\].
    pub(crate) fn band_height(text: f32) -> u32 {
        Sizes::for_text(text, u32::MAX / 2).height() as u32
    }

    /// Draws the legend at the right end of a band that begins at row `top`; on a dark band with a panel, else without.
    pub(crate) fn draw_in_band(&self, picture: &mut Picture, top: u32, text: f32, is_dark: bool) {
        let sizes = Sizes::for_text(text, picture.width);
        let top_left = IVec2::new(picture.width as i32 - sizes.width(), top as i32);
        if is_dark {
            fill(picture, Area::new(top_left, sizes.width(), sizes.height()), PANEL, 0.85);
        }
        draw_plan(&Plan::of(self), picture, top_left, &sizes);
    }
}

fn draw_plan(plan: &Plan, picture: &mut Picture, top_left: IVec2, sizes: &Sizes) {
    let bar = draw_bar(plan, picture, top_left, sizes);
    let title = TextStyle { size: sizes.text, weight: Weight::SemiBold, colour: INK };
    let title_row = (bar.top - sizes.space - sizes.line) as f32;
    let title_left = (top_left.x + sizes.side) as f32;
    draw_text(picture, plan.title, Vec2::new(title_left, title_row), Anchor::Left, title);
    for (fraction, name) in plan.marks {
        let x = place_on(bar, *fraction, sizes);
        let length = bar.height + 2 * sizes.tick;
        let line = Area::new(IVec2::new(x, bar.top - sizes.tick), sizes.line.max(2), length);
        fill(picture, line, INK, 1.0);
        let middle = x as f32 + line.width as f32 / 2.0;
        draw_text(picture, name, Vec2::new(middle, title_row), Anchor::Centre, title);
    }
    draw_ticks(&plan.ticks, picture, bar, sizes);
}

/// Draws the bar, and the swatch before it if there is one; returns where the bar is.
fn draw_bar(plan: &Plan, picture: &mut Picture, top_left: IVec2, sizes: &Sizes) -> Area {
    let corner = top_left + IVec2::new(sizes.side, 2 * sizes.space + sizes.row());
    let mut bar = Area::new(corner, sizes.bar.x, sizes.bar.y);
    if let Some((colour, name)) = plan.swatch {
        let style = TextStyle { size: sizes.text, weight: Weight::Regular, colour: SOFT };
        let room = text_width(name, style).ceil() as i32 + 3 * sizes.space;
        let swatch = Area { width: 2 * bar.height, ..bar };
        fill(picture, swatch.grown(sizes.line), SOFT, 1.0);
        fill(picture, swatch, colour, 1.0);
        let below = Vec2::new(swatch.left as f32, label_row(bar, sizes));
        draw_text(picture, name, below, Anchor::Left, style);
        bar.left += room;
        bar.width -= room;
    }
    fill(picture, bar.grown(sizes.line), SOFT, 1.0);
    fill_scale(picture, bar, |fraction| (plan.colour)(fraction));
    bar
}

/// Baseline of the labels under the bar.
fn label_row(bar: Area, sizes: &Sizes) -> f32 {
    (bar.top + bar.height + sizes.tick + sizes.space / 2 + sizes.row()) as f32 - sizes.text * 0.13
}

/// Column at a fraction of the bar.
fn place_on(bar: Area, fraction: f32, sizes: &Sizes) -> i32 {
    bar.left + (fraction * bar.width as f32).round() as i32 - sizes.line
}

/// Ticks under the bar with their labels. They come in order of importance: one whose label would touch another's is
/// left without.
fn draw_ticks(ticks: &[Tick], picture: &mut Picture, bar: Area, sizes: &Sizes) {
    let mut taken: Vec<[f32; 2]> = Vec::new();
    for tick in ticks {
        let (weight, colour) = if tick.strong { (Weight::SemiBold, INK) } else { (Weight::Regular, SOFT) };
        let x = place_on(bar, tick.fraction, sizes);
        fill(picture, Area::new(IVec2::new(x, bar.top + bar.height), sizes.line, sizes.tick), colour, 1.0);
        let style = TextStyle { size: sizes.text, weight, colour };
        let middle = x as f32 + sizes.line as f32 / 2.0;
        let half = text_width(&tick.label, style) / 2.0 + sizes.space as f32 / 2.0;
        let [left, right] = [middle - half, middle + half];
        if taken.iter().all(|other| right <= other[0] || left >= other[1]) {
            draw_text(picture, &tick.label, Vec2::new(middle, label_row(bar, sizes)), Anchor::Centre, style);
            taken.push([left, right]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::StrainScale;

    const BACKGROUND: [u8; 3] = [214, 218, 222];

    fn drawn(legend: Legend, width: u32, height: u32) -> Picture {
        let mut picture = Picture::filled(width, height, BACKGROUND);
        legend.draw(&mut picture, LegendPlace::BottomRight);
        picture
    }

    fn has(picture: &Picture, colour: [u8; 3]) -> bool {
        picture.pixels.contains(&colour)
    }

    #[test]
    fn the_legend_of_strain_shows_the_whole_scale_and_the_limit() {
        let picture = drawn(Legend::Strain { limit: 0.01 }, 960, 540);
        let scale = StrainScale::embedded();
        for r in [0.01, 0.5, 0.95, 1.05, 9.8] {
            let wanted = scale.colour(r);
            let near = picture.pixels.iter().any(|pixel| pixel.iter().zip(wanted).all(|(&a, b)| a.abs_diff(b) <= 2));
            assert!(near, "no pixel has the colour of {r} limits");
        }
        assert!(has(&picture, INK), "the limit is marked");
    }

    #[test]
    fn legends_stay_inside_their_corner() {
        for (width, height) in [(960, 540), (320, 180), (1920, 1080)] {
            for legend in [Legend::Strain { limit: 0.001 }, Legend::Contact(ContactScale::default())] {
                let picture = drawn(legend, width, height);
                let rows = picture.pixels.chunks(width as usize);
                let changed = |row: &[[u8; 3]]| row.iter().any(|&pixel| pixel != BACKGROUND);
                let first = rows.clone().position(changed).unwrap();
                assert!(first > height as usize / 2, "{legend:?} at {width} × {height} begins at row {first}");
                let last = rows.clone().rposition(changed).unwrap();
                assert!(last < height as usize - 1, "the panel keeps off the edge");
                for row in rows {
                    assert!(row[..width as usize / 20].iter().all(|&pixel| pixel == BACKGROUND));
                }
            }
        }
    }

    #[test]
    fn the_left_corner_mirrors_the_right() {
        let mut left = Picture::filled(960, 540, BACKGROUND);
        Legend::Strain { limit: 0.01 }.draw(&mut left, LegendPlace::BottomLeft);
        let right = drawn(Legend::Strain { limit: 0.01 }, 960, 540);
        assert_ne!(left, right);
        let count = |picture: &Picture| picture.pixels.iter().filter(|&&pixel| pixel != BACKGROUND).count();
        assert_eq!(count(&left), count(&right));
    }

    #[test]
    fn tiny_pictures_and_odd_limits_do_no_harm() {
        for (width, height) in [(0, 0), (1, 1), (60, 20), (20, 900)] {
            for limit in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-12, 1e12] {
                drawn(Legend::Strain { limit }, width, height);
            }
        }
    }
}
