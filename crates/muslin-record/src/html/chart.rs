//! The charts there are: lines over the time of the run, and histograms of edge strain.

use maud::{Markup, html};

use super::plot::{Axis, Plot, tenths};
use super::text::{percent, prose, significant};
use crate::tally::{Histogram, within_limit};

/// Most points of a line. More cannot be distinguished on a screen and make the page heavy.
const MOST_POINTS: usize = 1000;

/// Least height of a bar that stands for something, in units of the drawing: one edge among thousands must be seen.
const LEAST_HEIGHT: f64 = 2.0;

const TIME: &str = "time [s]";

/// Lines over time.
pub(super) struct LineChart<'a> {
    /// Unique on the page.
    pub(super) id: &'a str,
    pub(super) title: &'a str,
    pub(super) y_label: &'a str,
    pub(super) lines: Vec<Line<'a>>,
    /// A level that means something, and its name.
    pub(super) level: Option<(f64, String)>,
    /// How values become heights.
    pub(super) scale: Scale,
    /// What has to be said below it.
    pub(super) note: Option<String>,
}

/// How values become heights.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Scale {
    /// In proportion; the axis covers what is there.
    Tight,
    /// In proportion, with 0 in the picture.
    FromZero,
    /// By powers of ten; what is below the floor, which is more than 0, is drawn at it.
    Logarithmic { floor: f64 },
}

impl Scale {
    /// The value that is drawn in proportion.
    fn linear(self, value: f64) -> f64 {
        match self {
            Self::Tight | Self::FromZero => value,
            Self::Logarithmic { floor } => value.max(floor).log10(),
        }
    }
}

/// A named line. Its place in the chart decides colour and dashes.
pub(super) struct Line<'a> {
    pub(super) name: &'a str,
    pub(super) points: Vec<[f64; 2]>,
}

impl LineChart<'_> {
    /// The chart with its title and legend.
    pub(super) fn render(&self) -> Markup {
        let plot = Plot {
            id: self.id,
            title: self.title,
            description: &self.describe(),
            x_label: TIME,
            y_label: self.y_label,
            x: self.x_axis(),
            y: self.y_axis(),
            over_time: true,
        };
        let content = html! {
            @for (index, line) in self.lines.iter().enumerate() {
                (self.draw(&plot, index, line))
            }
            @if let Some((value, name)) = &self.level {
                (plot.level(self.scale.linear(*value), name))
            }
        };
        figure(self.title, &html! { (self.legend()) (plot.svg(&content)) }, self.note.as_deref())
    }

    fn values(&self, coordinate: usize) -> impl Iterator<Item = f64> {
        self.lines.iter().flat_map(|line| &line.points).map(move |point| point[coordinate])
    }

    fn x_axis(&self) -> Axis {
        let (min, max) = self.values(0).fold((f64::MAX, f64::MIN), |(min, max), x| (min.min(x), max.max(x)));
        if min > max { Axis::tight(0.0, 1.0, 6) } else { Axis::tight(min, max, 6) }
    }

    fn y_axis(&self) -> Axis {
        let level = self.level.as_ref().map(|(value, _)| *value);
        let zero = (self.scale == Scale::FromZero).then_some(0.0);
        let all = self.values(1).chain(level).chain(zero).map(|value| self.scale.linear(value));
        let (min, max) = all.fold((f64::MAX, f64::MIN), |(min, max), y| (min.min(y), max.max(y)));
        match self.scale {
            Scale::Logarithmic { floor } if min > max => Axis::decades(floor.log10(), floor.log10()),
            Scale::Logarithmic { .. } => Axis::decades(min, max),
            _ if min > max => Axis::rounded(0.0, 1.0, 5),
            _ => Axis::rounded(min, max, 5),
        }
    }

    /// A chart of one line needs no legend.
    fn legend(&self) -> Markup {
        html! {
            @if self.lines.len() > 1 {
                ul.legend {
                    @for (index, line) in self.lines.iter().enumerate() {
                        li {
                            svg.key viewBox="0 0 36 10" aria-hidden="true" {
                                path class={ "line line-" (index) } d="M0 5H36" {}
                            }
                            (line.name)
                        }
                    }
                }
            }
        }
    }

    fn describe(&self) -> String {
        let line = |line: &Line| {
            let values = || line.points.iter().map(|point| point[1]);
            let (min, max) = (values().fold(f64::MAX, f64::min), values().fold(f64::MIN, f64::max));
            values().next_back().map_or_else(
                || format!("{}: nothing yet.", line.name),
                |last| {
                    let [min, max, last] = [min, max, last].map(|value| significant(value, 3));
                    format!("{}: {min} to {max}, {last} at the end.", line.name)
                },
            )
        };
        let level = self.level.as_ref().map(|(_, name)| format!("Marked: {name}."));
        let axes = format!("{} over {}.", self.y_label, TIME);
        std::iter::once(axes).chain(self.lines.iter().map(line)).chain(level).collect::<Vec<_>>().join(" ")
    }

    fn draw(&self, plot: &Plot, index: usize, line: &Line) -> Markup {
        let place = |point: &[f64; 2]| (tenths(plot.px(point[0])), tenths(plot.py(self.scale.linear(point[1]))));
        if let [only] = &line.points[..] {
            let (x, y) = place(only);
            return html! { circle class={ "dot dot-" (index) } cx=(x) cy=(y) r="3" {} };
        }
        let points = thinned(&line.points, MOST_POINTS);
        let path: Vec<_> = points.iter().map(place).map(|(x, y)| format!("{x},{y}")).collect();
        html! { polyline class={ "line line-" (index) } points=(path.join(" ")) {} }
    }
}

/// A chart with its title and what has to be said below it.
pub(super) fn figure(title: &str, chart: &Markup, note: Option<&str>) -> Markup {
    html! {
        figure {
            figcaption { (title) }
            (chart)
            @if let Some(note) = note { p.note { (prose(note)) } }
        }
    }
}

/// At most `most` of the points: of each segment the lowest and the highest, so that no peak is lost, and both ends.
fn thinned(points: &[[f64; 2]], most: usize) -> Vec<[f64; 2]> {
    if points.len() <= most {
        return points.to_vec();
    }
    // Two points of each segment; one place each for the ends.
    let segments = (most - 2) / 2;
    let mut kept = vec![points[0]];
    for segment in 0..segments {
        let from = segment * points.len() / segments;
        let to = (segment + 1) * points.len() / segments;
        let part = &points[from..to];
        let by_height = |a: &&[f64; 2], b: &&[f64; 2]| a[1].total_cmp(&b[1]);
        let extremes = (part.iter().min_by(by_height), part.iter().max_by(by_height));
        if let (Some(low), Some(high)) = extremes {
            let (first, second) = if low[0] <= high[0] { (low, high) } else { (high, low) };
            kept.extend([*first, *second]);
        }
    }
    kept.push(points[points.len() - 1]);
    kept
}

/// A histogram of edge strain, with the limit marked.
pub(super) fn histogram(id: &str, title: &str, histogram: &Histogram, limit: f64) -> Markup {
    let end = histogram.from + histogram.width * histogram.counts.len() as f64;
    let tallest = histogram.counts.iter().copied().max().unwrap_or(0);
    let description = count_over(histogram, limit);
    let plot = Plot {
        id,
        title,
        description: &description,
        x_label: "strain [%]",
        y_label: "edges",
        x: Axis::tight(100.0 * histogram.from, 100.0 * end, 6),
        y: Axis::rounded(0.0, tallest.max(1) as f64, 4),
        over_time: false,
    };
    let content = html! {
        @for (bin, count) in histogram.counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            (bar(&plot, histogram, limit, bin, *count))
        }
        (plot.upright(100.0 * limit, &format!("limit {}", percent(limit))))
    };
    figure(title, &plot.svg(&content), Some(&description))
}

fn bar(plot: &Plot, histogram: &Histogram, limit: f64, bin: usize, count: u64) -> Markup {
    let from = histogram.from + histogram.width * bin as f64;
    let to = from + histogram.width;
    // The bin that the limit itself falls into starts at it and holds edges that are at the limit, not over it.
    let over = !within_limit(0.5 * (from + to), limit) && histogram.over_limit > 0;
    let (x1, x2) = (plot.px(100.0 * from), plot.px(100.0 * to));
    let (bottom, top) = (plot.py(0.0), plot.py(count as f64));
    let height = (bottom - top).max(LEAST_HEIGHT);
    let width = (x2 - x1 - 0.6).max(0.6);
    html! {
        rect.bar.over[over] x=(tenths(x1)) y=(tenths(bottom - height)) width=(tenths(width)) height=(tenths(height)) {
            title { (percent(from)) " to " (percent(to)) ": " (count) }
        }
    }
}

fn count_over(histogram: &Histogram, limit: f64) -> String {
    let total = histogram.total();
    let limit = percent(limit);
    match histogram.over_limit {
        0 => format!("None of {total} edges is over the limit of {limit}."),
        1 => format!("1 of {total} edges is over the limit of {limit}."),
        over => format!("{over} of {total} edges are over the limit of {limit}."),
    }
}

#[cfg(test)]
mod tests {
    use super::thinned;

    #[test]
    fn a_single_peak_in_a_long_run_survives() {
        let mut points: Vec<_> = (0..100_000).map(|i| [f64::from(i), 0.0]).collect();
        points[54_321][1] = 1.0;
        points[77_777][1] = -2.0;
        let kept = thinned(&points, 1000);
        assert!(kept.len() <= 1000, "{}", kept.len());
        assert!(kept.contains(&[54_321.0, 1.0]) && kept.contains(&[77_777.0, -2.0]));
        assert!(kept.is_sorted_by(|a, b| a[0] <= b[0]));
        assert_eq!((kept[0], kept[kept.len() - 1]), (points[0], points[99_999]));
    }

    #[test]
    fn short_lines_stay_as_they_are() {
        let points = [[0.0, 1.0], [1.0, 2.0]];
        assert_eq!(thinned(&points, 1000), points);
    }
}
