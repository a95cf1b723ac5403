//! The pictures: two variants side by side, one map below the other.

use super::cases::{Map, Setup, Variant};
use super::{BURST, Class, Row, class_of};
use crate::svg::{Anchor, INK, LABEL, Style, Svg, TITLE, WIDTH, power_of_ten};

/// A cell of a map.
const CELL: [f64; 2] = [23.0, 18.0];
/// Where the two columns of maps begin.
const COLUMNS: [f64; 2] = [46.0, 226.0];
const NUMBER: Style = Style { size: 8.5, bold: false, colour: INK };
const ON_DARK: Style = Style { size: 11.0, bold: true, colour: "#ffffff" };

/// Colours from light to dark, so that every eye distinguishes them, with numbers, crosses and hatching on top.
const KEPT: &str = "#4c9bd6";
const OVER: [&str; 3] = ["#fff3c4", "#f5b84a", "#d9772b"];
const BURSTING: &str = "#4a1230";
const CAPPED: &str = "url(#hatch)";

/// Times the limit up to which the first two shades reach.
const SHADES: [f64; 2] = [2.0, 10.0];

/// The picture's file: a method, or both where they are two.
pub(super) fn file_name(pair: &[Variant]) -> String {
    format!("maps-{}.svg", name(pair).join("-"))
}

fn name(pair: &[Variant]) -> Vec<&str> {
    match pair {
        [one, other] if other.name.strip_suffix("-printed") == Some(one.name) => vec![one.name],
        _ => pair.iter().map(|variant| variant.name).collect(),
    }
}

pub(super) fn picture(pair: &[Variant], rows: &[Row]) -> Result<String, String> {
    let mut svg = Svg::default();
    let title = match name(pair)[..] {
        [one] => format!("Where {one} keeps its limit"),
        ref several => format!("Where {} keep their limit", several.join(" and ")),
    };
    svg.text([8.0, 18.0], Anchor::Start, TITLE, &title);
    for (variant, left) in pair.iter().zip(COLUMNS) {
        svg.text([left, 38.0], Anchor::Start, Style { bold: true, ..LABEL }, variant.name);
    }
    let mut top = 46.0;
    for map in Map::ALL {
        let heading = match map {
            Map::Limit => "strain limit [%] over g h²/l0; pins 0.9 widths apart",
            Map::Span => "distance of the pins [widths] over g h²/l0; limit 1 %",
            Map::Mass => "mass of the lower edge [times] over g h²/l0; limit 1 %",
        };
        svg.text([8.0, top + 12.0], Anchor::Start, LABEL, heading);
        top += 20.0;
        for (variant, left) in pair.iter().zip(COLUMNS) {
            draw_map(&mut svg, map, variant, [left, top], rows)?;
        }
        row_labels(&mut svg, map, top);
        top += CELL[1] * map.rows().len() as f64 + 22.0;
    }
    legend(&mut svg, top + 6.0);
    let description = "Maps of runs, one cell each: steps from short to long across, a setting from row to row. \
                       Colours say whether every step kept the limit; the numbers are greatest strains in per cent.";
    Ok(svg.finish(top + 70.0, &title, description))
}

fn draw_map(svg: &mut Svg, map: Map, variant: &Variant, corner: [f64; 2], rows: &[Row]) -> Result<(), String> {
    let table = map.rows();
    for (down, row) in table.iter().enumerate() {
        for (across, setup) in row.iter().enumerate() {
            let place = [corner[0] + CELL[0] * across as f64, corner[1] + CELL[1] * down as f64];
            cell(svg, place, setup, class_of(rows, variant, setup)?);
        }
    }
    // Cells are centred at their g h²/l0, of which powers of ten are marked.
    let falls: Vec<f64> = table[0].iter().map(|setup| setup.fall().log10()).collect();
    let width = (falls[falls.len() - 1] - falls[0]) / (falls.len() - 1) as f64;
    let bottom = corner[1] + CELL[1] * table.len() as f64;
    for exponent in [-4, -3, -2, -1] {
        let x = corner[0] + CELL[0] * ((f64::from(exponent) - falls[0]) / width + 0.5);
        svg.line([x, bottom], [x, bottom + 3.0], INK, 1.0);
        svg.text([x, bottom + 14.0], Anchor::Middle, LABEL, &power_of_ten(exponent));
    }
    Ok(())
}

fn cell(svg: &mut Svg, [x, y]: [f64; 2], setup: &Setup, class: Class) {
    let (fill, mark, style) = match class {
        Class::Kept => (KEPT, String::new(), NUMBER),
        Class::Over(worst) => (OVER[shade(worst / setup.limit)], percent(worst), NUMBER),
        Class::Burst => (BURSTING, "×".to_owned(), ON_DARK),
        Class::Capped => (CAPPED, String::new(), NUMBER),
    };
    let says = format!(
        "h = 1/{} s, limit {} %, pins {} apart, mass {}",
        setup.rate,
        100.0 * setup.limit,
        setup.span,
        setup.mass
    );
    svg.rectangle([x + 0.5, y + 0.5], [CELL[0] - 1.0, CELL[1] - 1.0], fill, &says);
    if !mark.is_empty() {
        svg.text([x + 0.5 * CELL[0], y + 0.5 * CELL[1] + 0.36 * style.size], Anchor::Middle, style, &mark);
    }
}

/// Which shade a strain has, in times the limit.
fn shade(times: f64) -> usize {
    SHADES.iter().filter(|&&bound| times > bound).count()
}

/// A strain in per cent, as short as it fits into a cell.
fn percent(strain: f64) -> String {
    let value = 100.0 * strain;
    // A run may be over a limit of 1 % by some hundredths.
    let bounds = [0.1, 2.0, 10.0];
    let decimals = bounds.iter().filter(|&&bound| value < bound).count();
    let text = format!("{value:.decimals$}");
    text.strip_prefix('0').map_or_else(|| text.clone(), str::to_owned)
}

fn row_labels(svg: &mut Svg, map: Map, top: f64) {
    for (down, row) in map.rows().iter().enumerate() {
        let value = match map {
            Map::Limit => 100.0 * row[0].limit,
            Map::Span => row[0].span,
            Map::Mass => row[0].mass,
        };
        let y = top + CELL[1] * (down as f64 + 0.5) + 4.0;
        // Percentages of round limits are round.
        svg.text([COLUMNS[0] - 6.0, y], Anchor::End, LABEL, &format!("{}", (1e6 * value).round() / 1e6));
    }
}

fn legend(svg: &mut Svg, top: f64) {
    let entries: [(&str, &str, String); 6] = [
        (KEPT, "", "every step keeps it".to_owned()),
        (OVER[0], "1.3", format!("over, up to {} times [%]", SHADES[0])),
        (OVER[1], "7.4", format!("over, up to {} times", SHADES[1])),
        (OVER[2], "89", "further over".to_owned()),
        (BURSTING, "×", format!("over {} %, or stopped", 100.0 * BURST)),
        (CAPPED, "", "kept until the CPU cap".to_owned()),
    ];
    for (number, (fill, mark, meaning)) in entries.iter().enumerate() {
        let place = [12.0 + 0.5 * (WIDTH - 12.0) * (number % 2) as f64, top + 20.0 * (number / 2) as f64];
        svg.rectangle(place, [CELL[0] - 1.0, 14.0], fill, "");
        let style = if *fill == BURSTING { ON_DARK } else { NUMBER };
        svg.text([place[0] + 11.0, place[1] + 7.0 + 0.36 * style.size], Anchor::Middle, style, mark);
        svg.text([place[0] + 29.0, place[1] + 11.0], Anchor::Start, LABEL, meaning);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strains_fit_into_cells() {
        assert_eq!(
            [0.000_13, 0.0042, 0.0102, 0.023, 0.12, 9.9].map(percent),
            [".013", ".42", "1.02", "2.3", "12", "990"]
        );
    }

    #[test]
    fn shades_say_how_many_times_the_limit() {
        assert_eq!([1.02, 2.0, 2.1, 10.0, 11.0].map(shade), [0, 0, 1, 1, 2]);
    }
}
