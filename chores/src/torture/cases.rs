//! Which sheets are hung up: a design in which every two values of two parameters meet at least once.

use std::fmt;

/// Particles along a side.
const SIDES: [u32; 8] = [7, 11, 17, 21, 25, 33, 41, 45];
const MESHES: [Mesh; 3] = [Mesh::Quads, Mesh::Alternating, Mesh::Irregular];
const FABRICS: [&str; 6] = ["bare", "cotton", "knit", "denim", "silk", "leather"];
const PINS: [Pins; 3] = [Pins::TwoCorners, Pins::OneCorner, Pins::Side];
/// Steps per second.
const RATES: [u32; 3] = [24, 60, 240];
/// The two sizes whose motions are compared with each other.
pub(super) const COMPARED_SIDES: [u32; 2] = [21, 41];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mesh {
    Quads,
    Alternating,
    Irregular,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pins {
    TwoCorners,
    OneCorner,
    Side,
}

/// A sheet of a square metre that starts level and at rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sheet {
    pub(super) side: u32,
    pub(super) mesh: Mesh,
    pub(super) fabric: &'static str,
    pub(super) pins: Pins,
}

/// A sheet, and in how many steps per second it is simulated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Case {
    pub(super) sheet: Sheet,
    pub(super) rate: u32,
}

impl Sheet {
    /// True for the fabric that nothing damps.
    pub(super) fn is_bare(&self) -> bool {
        self.fabric == "bare"
    }

    /// The sheet as a scene file, without time and methods. `material` is a value of the key of that name.
    pub(super) fn scene(&self, material: &str) -> String {
        let side = self.side;
        let mesh = match self.mesh {
            Mesh::Quads if self.is_bare() => format!("grid = {{ particles = [{side}, {side}], diagonals = \"none\" }}"),
            Mesh::Quads => format!("grid = {{ particles = [{side}, {side}], diagonals = \"both\" }}"),
            Mesh::Alternating => {
                format!("grid = {{ particles = [{side}, {side}], diagonals = \"alternating\", triangles = true }}")
            }
            Mesh::Irregular => format!("irregular = {{ particles = [{side}, {side}] }}"),
        };
        let pins = match self.pins {
            Pins::TwoCorners => "[{ corner = [0, 0] }, { corner = [1, 0] }]".to_owned(),
            Pins::OneCorner => "[{ corner = [0, 0] }]".to_owned(),
            // By number: the first row of every mesh here is straight.
            Pins::Side => format!("[{{ index = {:?} }}]", (0..side).collect::<Vec<_>>()),
        };
        let air = if self.is_bare() { "[air]\ndensity = 0.0\n" } else { "" };
        format!("{air}[[cloth]]\nname = \"sheet\"\n{mesh}\nmaterial = {material}\npins = {pins}\n")
    }
}

impl fmt::Display for Sheet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mesh = match self.mesh {
            Mesh::Quads => "quads",
            Mesh::Alternating => "alternating",
            Mesh::Irregular => "irregular",
        };
        let pins = match self.pins {
            Pins::TwoCorners => "two-corners",
            Pins::OneCorner => "one-corner",
            Pins::Side => "side",
        };
        write!(f, "{} {mesh} {} {pins}", self.side, self.fabric)
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.sheet, self.rate)
    }
}

/// Every combination: for `--all`.
pub(super) fn all() -> Vec<Case> {
    let mut cases = Vec::new();
    for rate in RATES {
        for pins in PINS {
            for mesh in MESHES {
                for fabric in FABRICS {
                    cases.extend(SIDES.map(|side| Case { sheet: Sheet { side, mesh, fabric, pins }, rate }));
                }
            }
        }
    }
    cases
}

/// A few dozen of them in which every two values of two parameters meet, and those that are compared with each other.
pub(super) fn covering() -> Vec<Case> {
    let all = all();
    let mut open: Vec<Vec<(usize, usize)>> = all.iter().map(pairs).collect();
    let mut cases = Vec::new();
    loop {
        let most = open.iter().map(Vec::len).max().unwrap_or(0);
        let Some(best) = open.iter().position(|pairs| most > 0 && pairs.len() == most) else { break };
        let met = open[best].clone();
        for pairs in &mut open {
            pairs.retain(|pair| !met.contains(pair));
        }
        cases.push(all[best]);
    }
    let compared = compared_sheets().into_iter().flatten().map(|sheet| Case { sheet, rate: 60 });
    let more: Vec<Case> = compared.filter(|case| !cases.contains(case)).collect();
    cases.extend(more);
    cases
}

/// The sheets whose two sizes are compared with each other.
pub(super) fn compared_sheets() -> Vec<[Sheet; 2]> {
    let kinds = FABRICS.map(|fabric| (Mesh::Quads, fabric)).into_iter();
    let bare = [(Mesh::Alternating, "bare"), (Mesh::Irregular, "bare")];
    let sheets = |(mesh, fabric)| COMPARED_SIDES.map(|side| Sheet { side, mesh, fabric, pins: Pins::TwoCorners });
    kinds.chain(bare).map(sheets).collect()
}

/// The values of a case, numbered through, by two.
fn pairs(case: &Case) -> Vec<(usize, usize)> {
    let Case { sheet: Sheet { side, mesh, fabric, pins }, rate } = case;
    let places = [
        SIDES.iter().position(|value| value == side),
        MESHES.iter().position(|value| value == mesh),
        FABRICS.iter().position(|value| value == fabric),
        PINS.iter().position(|value| value == pins),
        RATES.iter().position(|value| value == rate),
    ];
    let values: Vec<usize> = (0..).step_by(10).zip(places).map(|(first, place)| first + place.unwrap_or(0)).collect();
    (0..values.len()).flat_map(|b| (0..b).map(move |a| (a, b))).map(|(a, b)| (values[a], values[b])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_two_values_meet_in_at_most_120_cases() {
        let cases = covering();
        let met: Vec<(usize, usize)> = cases.iter().flat_map(pairs).collect();
        assert!(all().iter().flat_map(pairs).all(|pair| met.contains(&pair)));
        assert!(cases.len() <= 120, "{}", cases.len());
    }
}
