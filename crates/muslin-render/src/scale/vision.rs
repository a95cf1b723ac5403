//! How colours look to different eyes: colour vision deficiencies by Machado, Oliveira and Fernandes (2009), severity
//! 1, and distances in CIELAB (D65).

use glam::{Mat3, Vec3};

use crate::colour::linear_from_srgb;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Eyes {
    Normal,
    Protanopia,
    Deuteranopia,
    Tritanopia,
}

pub(super) const ALL_EYES: [Eyes; 4] = [Eyes::Normal, Eyes::Protanopia, Eyes::Deuteranopia, Eyes::Tritanopia];

/// Rows of a matrix as printed.
fn rows(rows: [[f32; 3]; 3]) -> Mat3 {
    Mat3::from_cols_array_2d(&rows).transpose()
}

impl Eyes {
    /// What the eyes make of linear sRGB.
    fn matrix(self) -> Mat3 {
        match self {
            Self::Normal => Mat3::IDENTITY,
            Self::Protanopia => rows([
                [0.152_286, 1.052_583, -0.204_868],
                [0.114_503, 0.786_281, 0.099_216],
                [-0.003_882, -0.048_116, 1.051_998],
            ]),
            Self::Deuteranopia => rows([
                [0.367_322, 0.860_646, -0.227_968],
                [0.280_085, 0.672_501, 0.047_413],
                [-0.011_820, 0.042_940, 0.968_881],
            ]),
            Self::Tritanopia => rows([
                [1.255_528, -0.076_749, -0.178_779],
                [-0.078_411, 0.930_809, 0.147_602],
                [0.004_733, 0.691_367, 0.303_900],
            ]),
        }
    }

    /// L*, a*, b* of an sRGB colour as these eyes see it.
    pub(super) fn lab(self, colour: [u8; 3]) -> Vec3 {
        let seen = (self.matrix() * linear_from_srgb(colour)).clamp(Vec3::ZERO, Vec3::ONE);
        let xyz = rows([
            [0.412_456_4, 0.357_576_1, 0.180_437_5],
            [0.212_672_9, 0.715_152_2, 0.072_175],
            [0.019_333_9, 0.119_192, 0.950_304_1],
        ]) * seen;
        let [x, y, z] = (xyz / Vec3::new(0.950_47, 1.0, 1.088_83)).to_array().map(lab_curve);
        Vec3::new(116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z))
    }

    /// CIE 1976 difference of two sRGB colours; 2.3 is just noticeable.
    pub(super) fn difference(self, one: [u8; 3], other: [u8; 3]) -> f32 {
        self.lab(one).distance(self.lab(other))
    }
}

fn lab_curve(fraction: f32) -> f32 {
    if fraction > 216.0 / 24389.0 { libm::cbrtf(fraction) } else { (24389.0 / 27.0 * fraction + 16.0) / 116.0 }
}

#[test]
fn white_and_red_have_their_known_lab_values() {
    let white = Eyes::Normal.lab([255; 3]);
    assert!(white.distance(Vec3::new(100.0, 0.0, 0.0)) < 0.05, "{white}");
    let red = Eyes::Normal.lab([255, 0, 0]);
    assert!(red.distance(Vec3::new(53.24, 80.09, 67.20)) < 0.05, "{red}");
}

#[test]
fn greys_look_the_same_to_all_eyes() {
    for eyes in ALL_EYES {
        let distance = eyes.lab([128; 3]).distance(Eyes::Normal.lab([128; 3]));
        assert!(distance < 0.1, "{eyes:?}: {distance}");
    }
}
