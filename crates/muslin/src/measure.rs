//! Measuring a state: strain, energies, momenta. What the certificate says comes from here.

use glam::DVec3;

use crate::forces::total;
use crate::model::{LimitedEdge, Model};
use crate::report::{Energies, FrameReport, Momenta, Strain};
use crate::state::State;

/// Strain |d|/l0 - 1 of an edge; none for edges without rest length.
pub fn edge_strain(edge: &LimitedEdge, x: &[DVec3]) -> Option<f64> {
    (edge.rest > 0.0).then(|| x[edge.a as usize].distance(x[edge.b as usize]) / edge.rest - 1.0)
}

/// Strains of all structural edges, by edge number; 0 for those without rest length.
pub fn edge_strains(model: &Model, x: &[DVec3]) -> Vec<f64> {
    model.edges.iter().map(|edge| edge_strain(edge, x).unwrap_or(0.0)).collect()
}

/// An edge and its strain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EdgeStrain {
    /// The edge's number.
    pub edge: usize,
    /// Its strain.
    pub strain: f64,
}

/// The most stretched and the most compressed edge; none when no edge has a strain. Of equals, the first.
pub fn extreme_strains(model: &Model, x: &[DVec3]) -> Option<(EdgeStrain, EdgeStrain)> {
    let strains = model.edges.iter().enumerate();
    let mut strains = strains.filter_map(|(edge, limited)| Some(EdgeStrain { edge, strain: edge_strain(limited, x)? }));
    let first = strains.next()?;
    Some(strains.fold((first, first), |(most, least), next| {
        (if next.strain > most.strain { next } else { most }, if next.strain < least.strain { next } else { least })
    }))
}

/// Strain of the structural edges, summed up.
pub fn strain(model: &Model, x: &[DVec3]) -> Strain {
    let Some((most, least)) = extreme_strains(model, x) else { return Strain::default() };
    let mut strains: Vec<f64> = model.edges.iter().filter_map(|edge| edge_strain(edge, x)).collect();
    let mean = strains.iter().sum::<f64>() / strains.len() as f64;
    let rank = (strains.len() * 99).div_ceil(100) - 1;
    let (_, p99, _) = strains.select_nth_unstable_by(rank, f64::total_cmp);
    Strain {
        worst: most.strain,
        worst_edge: Some(most.edge),
        p99: *p99,
        mean,
        compressed_worst: (-least.strain).max(0.0),
        compressed_edge: (least.strain < 0.0).then_some(least.edge),
    }
}

/// Kinetic energy [J].
pub fn kinetic_energy(model: &Model, v: &[DVec3]) -> f64 {
    0.5 * model.mass.iter().zip(v).map(|(mass, v)| mass * v.length_squared()).sum::<f64>()
}

/// All energies [J].
pub fn energies(model: &Model, state: &State) -> Energies {
    Energies { kinetic: kinetic_energy(model, &state.v), ..total::potential_energies(model, &state.x) }
}

/// Kinetic and potential energy of each cloth [J], in the model's order.
pub fn energy_by_cloth(model: &Model, x: &[DVec3], v: &[DVec3], energies: &mut [[f64; 2]]) {
    energies.fill([0.0; 2]);
    for (part, [kinetic, potential]) in model.cloths.iter().zip(energies.iter_mut()) {
        for i in part.particles.clone() {
            *kinetic += 0.5 * model.mass[i] * v[i].length_squared();
            *potential -= model.mass[i] * model.gravity.dot(x[i] - model.start[i]);
        }
    }
    total::add_elastic_energies(model, x, |particle, energy| {
        let cloth = model.cloths.partition_point(|part| part.particles.end <= particle as usize);
        energies[cloth][1] += energy;
    });
}

/// Momenta of all particles about the origin.
pub fn momenta(model: &Model, state: &State) -> Momenta {
    let mut momenta = Momenta::default();
    for ((mass, x), v) in model.mass.iter().zip(&state.x).zip(&state.v) {
        momenta.linear += *mass * *v;
        momenta.angular += *mass * x.cross(*v);
    }
    momenta
}

/// Centre of mass [m]; the origin when there is no mass.
pub fn centre_of_mass(model: &Model, x: &[DVec3]) -> DVec3 {
    let total = model.total_mass();
    let sum: DVec3 = model.mass.iter().zip(x).map(|(mass, x)| *mass * *x).sum();
    if total > 0.0 { sum / total } else { DVec3::ZERO }
}

/// Everything a frame reports.
pub fn frame(model: &Model, state: &State) -> FrameReport {
    FrameReport {
        time: state.time,
        steps: state.step,
        strain: strain(model, &state.x),
        energies: energies(model, state),
        momenta: momenta(model, state),
        centre: centre_of_mass(model, &state.x),
    }
}
