//! Keeps numbers inside what JSON can hold.
//!
//! Positions and velocities are finite, or the step would have failed; but sums of squares of huge ones may overflow.
//! JSON has no infinity, so such a number is stored as ±1e300, which no sum of a few of them overflows again.

use glam::DVec3;
use muslin::report::{Energies, FrameReport, Momenta, StepReport, Strain};

const LARGEST: f64 = 1e300;

pub(super) fn number(value: f64) -> f64 {
    // What is no number comes from infinity less infinity: too large as well. Adding 0 makes -0 a plain 0.
    if value.is_nan() { LARGEST } else { value.clamp(-LARGEST, LARGEST) + 0.0 }
}

pub(super) fn vector(value: DVec3) -> DVec3 {
    DVec3::from_array(value.to_array().map(number))
}

/// A step's report in finite numbers.
pub(super) fn step(report: &StepReport) -> StepReport {
    let mut finite = *report;
    finite.worst_strain = number(report.worst_strain);
    finite.least_strain = number(report.least_strain);
    finite.centre = vector(report.centre);
    finite
}

/// A frame's report in finite numbers.
pub(super) fn frame(report: &FrameReport) -> FrameReport {
    let FrameReport { strain, energies, momenta, .. } = report;
    FrameReport {
        strain: Strain {
            worst: number(strain.worst),
            p99: number(strain.p99),
            mean: number(strain.mean),
            compressed_worst: number(strain.compressed_worst),
            ..*strain
        },
        energies: Energies {
            kinetic: number(energies.kinetic),
            gravity: number(energies.gravity),
            stretch: number(energies.stretch),
            shear: number(energies.shear),
            bending: number(energies.bending),
        },
        momenta: Momenta { linear: vector(momenta.linear), angular: vector(momenta.angular) },
        centre: vector(report.centre),
        ..*report
    }
}
