//! The figures of the presets.

use super::Provenance::{Chosen, Measured};
use super::{Figure, KEYS, Preset, Provenance};

const WANG_DENIM: &str = "Wang, O'Brien & Ramamoorthi 2011, Data-driven elastic models for cloth (ACM TOG 30:4); data \
                          as distributed with ARCSim, fabric `11oz-black-denim`";
const WANG_DENIM_TENSILE: &str = "Wang, O'Brien & Ramamoorthi 2011, Data-driven elastic models for cloth (ACM TOG \
                                  30:4); data as distributed with ARCSim, fabric `11oz-black-denim`, small strain; the \
                                  stiffer of its two directions is taken as the warp";
const WANG_INTERLOCK: &str = "Wang, O'Brien & Ramamoorthi 2011, Data-driven elastic models for cloth (ACM TOG 30:4); \
                              data as distributed with ARCSim, fabric `gray-interlock`";

const WEIGHT: Provenance = Chosen("a common weight of this fabric in the trade");
const WOVEN: Provenance = Chosen("order of magnitude of published small-strain tensile tests of woven fabrics");
const TRELLIS: Provenance =
    Chosen("order of magnitude of published shear tests; wovens shear far more easily than they stretch");
const CANTILEVER: Provenance =
    Chosen("order of magnitude of published KES-F and cantilever tests of this kind of fabric");
const CALM: Provenance = Chosen("lets folds swing a few times before they settle; no measurement");
const NO_MASS_DAMPING: Provenance = Chosen("air drag already slows rigid motion");
const PLATE: Provenance =
    Chosen("a square plate across the stream: 1.17 (Hoerner 1965, Fluid-dynamic drag); a long strip has up to 2");
const SKIN: Provenance = Chosen(
    "both sides of a flat plate of 1 m along a laminar stream of 1 m/s: 2 · 1.328/√Re (Blasius 1908), Re = 66,000; \
     0.006 at 3 m/s, 0.019 over 0.3 m. The same for all, because yarns of 0.3 mm are smooth to such a stream",
);
const BARE: Provenance = Chosen("part of the standard comparison, which wants this left out");
const HIDE: Provenance =
    Chosen("garment leather of about 1 mm: a modulus near 40 MPa times its thickness; order of magnitude only");
const HIDE_BENDING: Provenance = Chosen("softer than a solid plate of 1 mm, for fibres slide; order of magnitude only");
const LOOPS: Provenance =
    Chosen("knits start soft and stiffen as their loops straighten; a mean over the first 10 % of strain");

type Value = (f64, Provenance);

/// All presets, lightest first, with `bare` at the end.
pub(super) static ALL: [Preset; 7] = [
    preset(
        "silk",
        "light plain-woven silk (habotai): flows, folds finely",
        &[
            (0.06, WEIGHT),
            (2000.0, WOVEN),
            (1600.0, WOVEN),
            (15.0, TRELLIS),
            (3e-6, CANTILEVER),
            (0.01, CALM),
            (0.02, CALM),
            (0.02, CALM),
            (0.0, NO_MASS_DAMPING),
            (1.2, PLATE),
            (0.01, SKIN),
        ],
    ),
    preset(
        "cotton",
        "shirting: plain-woven cotton",
        &[
            (0.15, WEIGHT),
            (3000.0, WOVEN),
            (2200.0, WOVEN),
            (40.0, TRELLIS),
            (1e-5, CANTILEVER),
            (0.02, CALM),
            (0.03, CALM),
            (0.03, CALM),
            (0.0, NO_MASS_DAMPING),
            (1.2, PLATE),
            (0.01, SKIN),
        ],
    ),
    preset(
        "knit",
        "stretchy interlock knit of cotton and polyester",
        &[
            (0.187, Measured(WANG_INTERLOCK)),
            (220.0, LOOPS),
            (160.0, LOOPS),
            (30.0, LOOPS),
            (1e-5, CANTILEVER),
            (0.05, CALM),
            (0.05, CALM),
            (0.05, CALM),
            (0.0, NO_MASS_DAMPING),
            (1.2, PLATE),
            (0.01, SKIN),
        ],
    ),
    preset(
        "wool",
        "suiting: worsted wool",
        &[
            (0.24, WEIGHT),
            (2000.0, WOVEN),
            (1500.0, WOVEN),
            (30.0, TRELLIS),
            (1.5e-5, CANTILEVER),
            (0.03, CALM),
            (0.04, CALM),
            (0.04, CALM),
            (0.0, NO_MASS_DAMPING),
            (1.2, PLATE),
            (0.01, SKIN),
        ],
    ),
    preset(
        "denim",
        "black denim of 11 ounces",
        &[
            (0.324, Measured(WANG_DENIM)),
            (1014.0, Measured(WANG_DENIM_TENSILE)),
            (205.0, Measured(WANG_DENIM_TENSILE)),
            (50.0, TRELLIS),
            (6e-5, CANTILEVER),
            (0.04, CALM),
            (0.05, CALM),
            (0.06, CALM),
            (0.0, NO_MASS_DAMPING),
            (1.2, PLATE),
            (0.01, SKIN),
        ],
    ),
    preset(
        "leather",
        "garment leather, 1 mm",
        &[
            (0.8, WEIGHT),
            (40_000.0, HIDE),
            (40_000.0, HIDE),
            (8000.0, HIDE),
            (4e-4, HIDE_BENDING),
            (0.05, CALM),
            (0.05, CALM),
            (0.08, CALM),
            (0.0, NO_MASS_DAMPING),
            (1.2, PLATE),
            (0.01, SKIN),
        ],
    ),
    preset(
        "bare",
        "mass and a membrane, nothing else: the standard comparison of limiters",
        &[
            (0.2, Chosen("the standard comparison's round figure")),
            (2000.0, Chosen("methods by force need some membrane; 0.1 % under the weight of a 1 m sheet")),
            (2000.0, Chosen("as along the warp")),
            (0.0, BARE),
            (0.0, BARE),
            (0.0, BARE),
            (0.0, BARE),
            (0.0, BARE),
            (0.0, BARE),
            (0.0, BARE),
            (0.0, BARE),
        ],
    ),
];

const fn preset(name: &'static str, about: &'static str, values: &[Value; KEYS.len()]) -> Preset {
    let mut figures = [Figure { key: "", value: 0.0, unit: "", provenance: BARE }; KEYS.len()];
    let mut at = 0;
    while at < KEYS.len() {
        let ((key, unit), (value, provenance)) = (KEYS[at], values[at]);
        figures[at] = Figure { key, value, unit, provenance };
        at += 1;
    }
    Preset { name, about, figures }
}
