//! Drawings as SVG text: maps and charts of the documents. Lengths are in units of the drawing; on a phone a unit is
//! about a pixel.

use std::fmt::Write;

/// Width of every drawing: that of a phone.
pub(crate) const WIDTH: f64 = 400.0;
/// How wide browsers show it where there is room [px].
const SHOWN: f64 = 720.0;

/// Where a text stands relative to its point.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// Size, weight and colour of a text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style {
    pub(crate) size: f64,
    pub(crate) bold: bool,
    pub(crate) colour: &'static str,
}

/// The colour of text and axes.
pub(crate) const INK: &str = "#1a1a1a";
pub(crate) const TITLE: Style = Style { size: 15.0, bold: true, colour: INK };
pub(crate) const LABEL: Style = Style { size: 11.0, bold: false, colour: INK };

/// A drawing under way.
#[derive(Debug, Default)]
pub(crate) struct Svg {
    body: String,
}

impl Svg {
    pub(crate) fn text(&mut self, [x, y]: [f64; 2], anchor: Anchor, style: Style, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let bold = if style.bold { " font-weight=\"bold\"" } else { "" };
        let Style { size, colour, .. } = style;
        let text = escaped(text);
        let _ = writeln!(
            self.body,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" fill=\"{colour}\"{bold}{anchor}>{text}</text>"
        );
    }

    /// A rectangle, with what it says on request; the fill is a colour or a pattern.
    pub(crate) fn rectangle(&mut self, [x, y]: [f64; 2], [width, height]: [f64; 2], fill: &str, says: &str) {
        let _ = write!(
            self.body,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"{fill}\""
        );
        if says.is_empty() {
            self.body.push_str("/>\n");
        } else {
            let _ = writeln!(self.body, "><title>{}</title></rect>", escaped(says));
        }
    }

    pub(crate) fn line(&mut self, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2], colour: &str, width: f64) {
        let _ = writeln!(
            self.body,
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{colour}\" \
             stroke-width=\"{width}\"/>"
        );
    }

    /// A line through points, with dashes where there are any (SVG's `stroke-dasharray`).
    pub(crate) fn polyline(&mut self, points: &[[f64; 2]], colour: &str, dashes: &str) {
        let points: Vec<_> = points.iter().map(|[x, y]| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(
            self.body,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" \
             stroke-dasharray=\"{dashes}\"/>",
            points.join(" ")
        );
    }

    /// A dot, filled or hollow, with what it says on request.
    pub(crate) fn dot(&mut self, [x, y]: [f64; 2], colour: &str, hollow: bool, says: &str) {
        let fill = if hollow { "#ffffff" } else { colour };
        let radius = if hollow { 5.0 } else { 3.5 };
        let _ = writeln!(
            self.body,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"{fill}\" stroke=\"{colour}\" \
             stroke-width=\"2\"><title>{}</title></circle>",
            escaped(says)
        );
    }

    /// The whole drawing, of a height, with a title and a description for those who do not see it.
    pub(crate) fn finish(&self, height: f64, title: &str, description: &str) -> String {
        let (title, description) = (escaped(title), escaped(description));
        let shown = SHOWN / WIDTH * height;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{SHOWN}\" \
             height=\"{shown:.0}\" role=\"img\" aria-labelledby=\"title desc\" font-family=\"system-ui, sans-serif\">\n\
             <title id=\"title\">{title}</title>\n<desc id=\"desc\">{description}</desc>\n{HATCH}\
             <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#ffffff\"/>\n{}</svg>\n",
            self.body
        )
    }
}

/// The fill `url(#hatch)`: slanted lines.
const HATCH: &str = "<defs><pattern id=\"hatch\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" \
                     patternTransform=\"rotate(45)\"><rect width=\"5\" height=\"5\" fill=\"#e4e4e4\"/>\
                     <line x1=\"0\" y1=\"0\" x2=\"0\" y2=\"5\" stroke=\"#8a8a8a\" stroke-width=\"2\"/>\
                     </pattern></defs>\n";

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// A power of ten as axes show it: plain from a hundredth to a thousand, else with an exponent.
pub(crate) fn power_of_ten(exponent: i32) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    if (-2..=3).contains(&exponent) {
        return format!("{}", 10_f64.powi(exponent));
    }
    let sign = if exponent < 0 { "⁻" } else { "" };
    let digits = exponent.unsigned_abs().to_string();
    let digits: String = digits.bytes().map(|digit| DIGITS[usize::from(digit - b'0')]).collect();
    format!("10{sign}{digits}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_ten_are_written_as_people_write_them() {
        assert_eq!([-4, -2, 0, 2, 3, 12].map(power_of_ten), ["10⁻⁴", "0.01", "1", "100", "1000", "10¹²"]);
    }

    #[test]
    fn text_cannot_break_a_drawing() {
        let mut svg = Svg::default();
        svg.text([0.0, 0.0], Anchor::Start, LABEL, "a < b & c");
        assert!(svg.finish(10.0, "<>", "&").contains(">a &lt; b &amp; c</text>"));
    }
}
