//! Line charts over the time of the run.

use super::axis::Axis;
use super::plot::Plot;
use super::text::{escape, significant};
use super::thin::thinned;

/// Most points of a line. More cannot be told apart on a screen and make the page heavy.
const MOST_POINTS: usize = 1000;

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
    pub(super) fn render(&self) -> String {
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
        let level =
            self.level.as_ref().map_or_else(String::new, |(value, name)| plot.level(self.scale.linear(*value), name));
        let lines = self.lines.iter().enumerate().map(|(index, line)| self.draw(&plot, index, line));
        let content = lines.collect::<String>() + &level;
        format!(
            "<figure>\n<figcaption>{}</figcaption>\n{}{}</figure>\n",
            escape(self.title),
            self.legend(),
            plot.svg(&content)
        )
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
    fn legend(&self) -> String {
        if self.lines.len() < 2 {
            return String::new();
        }
        let item = |(index, line): (usize, &Line)| {
            format!(
                "<li><svg class=\"key\" viewBox=\"0 0 36 10\" aria-hidden=\"true\">\
                 <path class=\"line line-{index}\" d=\"M0 5H36\"/></svg>{}</li>\n",
                escape(line.name),
            )
        };
        format!("<ul class=\"legend\">\n{}</ul>\n", self.lines.iter().enumerate().map(item).collect::<String>())
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

    fn draw(&self, plot: &Plot, index: usize, line: &Line) -> String {
        let place = |point: &[f64; 2]| (plot.px(point[0]), plot.py(self.scale.linear(point[1])));
        if let [only] = &line.points[..] {
            let (x, y) = place(only);
            return format!("<circle class=\"dot dot-{index}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\"/>\n");
        }
        let points = thinned(&line.points, MOST_POINTS);
        let path: Vec<_> = points.iter().map(place).map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        format!("<polyline class=\"line line-{index}\" points=\"{}\"/>\n", path.join(" "))
    }
}
