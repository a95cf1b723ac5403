//! The histogram of edge strain.

use super::axis::Axis;
use super::plot::Plot;
use super::text::{escape, percent};
use crate::tally::{Histogram, within_limit};

/// Least height of a bar that stands for something, in units of the drawing: one edge among thousands must be seen.
const LEAST_HEIGHT: f64 = 2.0;

/// The chart, with the limit marked.
pub(super) fn render(id: &str, title: &str, histogram: &Histogram, limit: f64) -> String {
    let end = histogram.from + histogram.width * histogram.counts.len() as f64;
    let tallest = histogram.counts.iter().copied().max().unwrap_or(0);
    let description = describe(histogram, limit);
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
    let bars = histogram.counts.iter().enumerate().filter(|(_, count)| **count > 0);
    let bars: String = bars.map(|(bin, count)| bar(&plot, histogram, limit, bin, *count)).collect();
    let content = bars + &plot.upright(100.0 * limit, &format!("limit {}", percent(limit)));
    format!(
        "<figure>\n<figcaption>{}</figcaption>\n{}<p class=\"note\">{}</p>\n</figure>\n",
        escape(title),
        plot.svg(&content),
        escape(&description),
    )
}

fn bar(plot: &Plot, histogram: &Histogram, limit: f64, bin: usize, count: u64) -> String {
    let from = histogram.from + histogram.width * bin as f64;
    let to = from + histogram.width;
    // The bin that the limit itself falls into starts at it and holds edges that are at the limit, not over it.
    let over = !within_limit(0.5 * (from + to), limit) && histogram.over_limit > 0;
    let (x1, x2) = (plot.px(100.0 * from), plot.px(100.0 * to));
    let (bottom, top) = (plot.py(0.0), plot.py(count as f64));
    let height = (bottom - top).max(LEAST_HEIGHT);
    format!(
        "<rect class=\"bar{}\" x=\"{x1:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{height:.1}\">\
         <title>{} to {}: {count}</title></rect>\n",
        if over { " over" } else { "" },
        bottom - height,
        (x2 - x1 - 0.6).max(0.6),
        percent(from),
        percent(to),
    )
}

fn describe(histogram: &Histogram, limit: f64) -> String {
    let total = histogram.total();
    let limit = percent(limit);
    match histogram.over_limit {
        0 => format!("None of {total} edges is over the limit of {limit}."),
        1 => format!("1 of {total} edges is over the limit of {limit}."),
        over => format!("{over} of {total} edges are over the limit of {limit}."),
    }
}
