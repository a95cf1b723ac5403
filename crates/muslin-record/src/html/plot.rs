//! The frame every chart is drawn in: size, grid, ticks and axis labels.
//!
//! Lengths are in units of the drawing, which scales with the page: on a phone of 390 px a unit is about 0.9 px, and the
//! style sheet sets larger text there.

use super::axis::Axis;
use super::text::escape;

const WIDTH: f64 = 400.0;
const HEIGHT: f64 = 248.0;
const TOP: f64 = 36.0;
const BOTTOM: f64 = 44.0;
const RIGHT: f64 = 16.0;
/// Width of a digit at the size of a phone's text.
const LETTER: f64 = 8.0;

/// A chart's coordinate system and labels.
pub(super) struct Plot<'a> {
    /// Unique on the page.
    pub(super) id: &'a str,
    pub(super) title: &'a str,
    /// What the chart shows, in words, for those who do not see it.
    pub(super) description: &'a str,
    pub(super) x_label: &'a str,
    pub(super) y_label: &'a str,
    pub(super) x: Axis,
    pub(super) y: Axis,
    /// True when x is the time of the run [s], which the player then shows and sets.
    pub(super) over_time: bool,
}

impl Plot<'_> {
    /// The whole drawing around what the chart puts into it.
    pub(super) fn svg(&self, content: &str) -> String {
        let Self { id, title, description, .. } = self;
        format!(
            "<svg class=\"chart\" role=\"img\" aria-labelledby=\"{id}-title {id}-desc\" \
             viewBox=\"0 0 {WIDTH} {HEIGHT}\"{}>\n\
             <title id=\"{id}-title\">{}</title>\n<desc id=\"{id}-desc\">{}</desc>\n{}{content}</svg>\n",
            self.time_scale(),
            escape(title),
            escape(description),
            self.grid(),
        )
    }

    /// Which time lies where, for the player.
    fn time_scale(&self) -> String {
        if !self.over_time {
            return String::new();
        }
        format!(
            " data-chart=\"time\" data-x-min=\"{}\" data-x-max=\"{}\" data-left=\"{}\" data-right=\"{}\" \
             data-top=\"{TOP}\" data-bottom=\"{}\"",
            self.x.min,
            self.x.max,
            self.left(),
            WIDTH - RIGHT,
            HEIGHT - BOTTOM,
        )
    }

    /// Horizontal place of a value.
    pub(super) fn px(&self, value: f64) -> f64 {
        self.left() + self.x.share(value) * (WIDTH - RIGHT - self.left())
    }

    /// Vertical place of a value.
    pub(super) fn py(&self, value: f64) -> f64 {
        HEIGHT - BOTTOM - self.y.share(value) * (HEIGHT - TOP - BOTTOM)
    }

    /// A horizontal line at a value that means something, and its name.
    pub(super) fn level(&self, value: f64, name: &str) -> String {
        let (x1, x2, y) = (self.left(), WIDTH - RIGHT, self.py(value));
        // Its name stands above the drawing, behind a piece of the line: at the line it would hide what it is about.
        let key = x2 - LETTER * (name.chars().count() as f64 + 1.0);
        format!(
            "<line class=\"limit\" x1=\"{x1:.1}\" x2=\"{x2:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\n\
             <line class=\"limit\" x1=\"{:.1}\" x2=\"{key:.1}\" y1=\"10\" y2=\"10\"/>\n\
             <text class=\"limit-name\" x=\"{:.1}\" y=\"15\">{}</text>\n",
            key - 22.0,
            key + 6.0,
            escape(name),
        )
    }

    /// A vertical line at a value that means something, and its name.
    pub(super) fn upright(&self, value: f64, name: &str) -> String {
        let (x, y1, y2) = (self.px(value), TOP, HEIGHT - BOTTOM);
        let (text, anchor) = if self.x.share(value) > 0.6 { (x - 5.0, "end") } else { (x + 5.0, "start") };
        format!(
            "<line class=\"limit\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{y1}\" y2=\"{y2}\"/>\n\
             <text class=\"limit-name\" x=\"{text:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{}</text>\n",
            y1 + 13.0,
            escape(name),
        )
    }

    fn left(&self) -> f64 {
        12.0 + LETTER * self.y.label_width() as f64
    }

    fn grid(&self) -> String {
        let (left, right, bottom) = (self.left(), WIDTH - RIGHT, HEIGHT - BOTTOM);
        let across = self.y.ticks.iter().map(|tick| {
            let y = self.py(tick.value);
            format!(
                "<line class=\"grid\" x1=\"{left:.1}\" x2=\"{right:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\n",
                left - 6.0,
                y + 4.5,
                tick.label,
            )
        });
        let along = self.x.ticks.iter().map(|tick| {
            let x = self.px(tick.value);
            format!(
                "<line class=\"tick\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{bottom}\" y2=\"{}\"/>\
                 <text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                bottom + 4.0,
                bottom + 19.0,
                tick.label,
            )
        });
        let labels = format!(
            "<text class=\"label\" x=\"4\" y=\"15\">{}</text>\
             <text class=\"label\" x=\"{right}\" y=\"{}\" text-anchor=\"end\">{}</text>\n",
            escape(self.y_label),
            HEIGHT - 5.0,
            escape(self.x_label),
        );
        across.chain(along).collect::<String>() + &labels
    }
}
