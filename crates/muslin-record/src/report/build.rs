//! From what was added up to the report.

use std::collections::BTreeMap;

use muslin::Model;

use super::{
    ClothEnergyReport, ContactReport, EdgePlace, EnergyParts, EnergyReport, EnergyRise, Histograms, MotionReport,
    ProbeReport, Report, Size, StrainReport, StuckReport, Timings,
};
use crate::recorder::{Outcome, RunInfo};
use crate::tally::{ClothTally, EdgePeak, ProbeTally, Rise, StrainTally, Stuck, Tally, within_limit};

/// Everything a report is made of.
#[derive(Debug)]
pub(crate) struct Builder<'a> {
    pub(crate) model: &'a Model,
    pub(crate) info: &'a RunInfo,
    pub(crate) tally: &'a Tally,
    pub(crate) timings: &'a Timings,
    pub(crate) frame: u64,
    pub(crate) state_hash: u64,
    pub(crate) files: &'a [String],
}

impl Builder<'_> {
    pub(crate) fn build(&self, outcome: &Outcome) -> Report {
        let Self { model, info, tally, timings, .. } = *self;
        Report {
            muslin: env!("CARGO_PKG_VERSION").to_owned(),
            scene: info.scene.clone(),
            units: "SI: metres, kilograms, seconds, joules; strain as a fraction of the rest length; y is up"
                .to_owned(),
            completed: outcome.completed,
            stopped: outcome.stopped.clone(),
            frames: self.frame,
            frames_planned: info.frames_planned,
            steps: tally.last.steps,
            step_s: info.settings.step,
            simulated_s: tally.last.time,
            wall_s: timings.wall_s,
            cpu_s: timings.cpu_s,
            process_wall_s: timings.process_wall_s,
            process_cpu_s: timings.process_cpu_s,
            threads: info.threads,
            seed: info.seed,
            size: Size { cloths: model.cloths.len(), particles: model.len(), edges: model.edges.len() },
            integrator: info.settings.integrator,
            limiter: info.settings.limiter,
            strain: strain(model, tally),
            contact: ContactReport::of(model, tally),
            motion: motion(tally),
            energy: energy(model, tally),
            stuck: stuck(model, tally),
            work: tally.work,
            probes: probes(model, &tally.probes),
            expectations: outcome.expectations.clone(),
            notes: info.notes.clone(),
            stages: timings.stages.clone(),
            state_hash: format!("{:016x}", self.state_hash),
            files: self.files.to_vec(),
        }
    }
}

fn strain(model: &Model, tally: &Tally) -> StrainReport {
    let strain = &tally.strain;
    StrainReport {
        limit: strain.limit,
        kept: strain.kept(),
        place: place_in_words(model, strain),
        worst: strain.worst.strain,
        worst_step: strain.worst_step.strain,
        worst_frame: strain.worst.at,
        worst_edge: edge_place(model, &strain.worst),
        worst_step_number: strain.worst_step.at,
        worst_step_edge: edge_place(model, &strain.worst_step),
        p99: strain.p99,
        mean: strain.mean,
        compressed_worst: strain.compressed_worst,
        compressed_worst_step: (-strain.least).max(0.0),
        last: tally.last.strain,
        histogram: Histograms { last: strain.histogram_last.clone(), worst: strain.histogram_worst.clone() },
    }
}

/// The edge in the numbering of its cloth's mesh.
fn edge_place(model: &Model, peak: &EdgePeak) -> Option<EdgePlace> {
    let index = peak.edge?;
    let edge = model.edges.get(index)?;
    let part = model.cloths.iter().find(|part| part.edges.contains(&index))?;
    let vertex = |particle: u32| particle - part.particles.start as u32;
    Some(EdgePlace {
        cloth: part.name.clone(),
        edge: index - part.edges.start,
        vertices: [vertex(edge.a), vertex(edge.b)],
        position: peak.position,
    })
}

/// Speaks of the worst frame, which the user can look at, unless only a step between frames went over the limit.
fn place_in_words(model: &Model, strain: &StrainTally) -> String {
    let between_frames =
        within_limit(strain.worst.strain, strain.limit) && !within_limit(strain.worst_step.strain, strain.limit);
    let (peak, moment) = if between_frames { (&strain.worst_step, "step") } else { (&strain.worst, "frame") };
    match edge_place(model, peak) {
        Some(EdgePlace { cloth, vertices: [a, b], .. }) => {
            format!("edge {a}–{b} of `{cloth}` in {moment} {} (at {:.4} s)", peak.at, peak.time)
        }
        None => "nowhere: there are no structural edges".to_owned(),
    }
}

fn motion(tally: &Tally) -> MotionReport {
    let last = &tally.last;
    MotionReport {
        fall_s: tally.motion.fall_s(),
        rebound: tally.motion.rebound(),
        kinetic_j: last.energies.kinetic,
        potential_j: last.energies.potential(),
        linear_momentum: last.momenta.linear,
        angular_momentum: last.momenta.angular,
        centre_m: last.centre,
    }
}

fn energy(model: &Model, tally: &Tally) -> EnergyReport {
    let cloth = |number: usize, cloth: &ClothTally| ClothEnergyReport {
        cloth: model.cloths[number].name.clone(),
        kept: cloth.kept(),
        judged_steps: cloth.judged_steps,
        unjudged_steps: cloth.unjudged_steps,
        greatest_kinetic_j: cloth.greatest_kinetic,
        worst: cloth.worst.map(|worst| rise(model, number, &worst)),
    };
    EnergyReport {
        start: EnergyParts::from(&tally.energy.start),
        end: EnergyParts::from(&tally.last.energies),
        greatest_rise_j: tally.energy.greatest_rise,
        greatest_rise_frame: tally.energy.greatest_rise_frame,
        kept: tally.energy.kept(),
        worst: tally.energy.worst().map(|(number, worst)| rise(model, number, &worst)),
        cloths: tally.energy.cloths.iter().enumerate().map(|(number, tally)| cloth(number, tally)).collect(),
    }
}

fn rise(model: &Model, cloth: usize, rise: &Rise) -> EnergyRise {
    let Rise { rise, allowed, within, step, frame, time } = *rise;
    let cloth = model.cloths[cloth].name.clone();
    EnergyRise { cloth, rise_j: rise, allowed_j: allowed, within_s: within, step, frame, time_s: time }
}

fn stuck(model: &Model, tally: &Tally) -> Option<StuckReport> {
    let (number, Stuck { since, frame, imbalance, particle, position }) = tally.energy.stuck()?;
    let part = &model.cloths[number];
    let vertex = particle - part.particles.start;
    Some(StuckReport { cloth: part.name.clone(), since_s: since, frame, imbalance, vertex, position })
}

/// From one probe to each of the others [m].
fn distances(from: &ProbeTally, probes: &[ProbeTally]) -> BTreeMap<String, f64> {
    let others = probes.iter().filter(|other| other.probe.name != from.probe.name);
    others.map(|other| (other.probe.name.clone(), from.last.distance(other.last))).collect()
}

fn probes(model: &Model, probes: &[ProbeTally]) -> BTreeMap<String, ProbeReport> {
    let report = |tally: &ProbeTally| {
        let owner = model.owner(tally.probe.particle as usize);
        let (cloth, vertex) = owner.map_or((String::new(), 0), |(part, vertex)| (part.name.clone(), vertex));
        ProbeReport {
            cloth,
            vertex,
            last: tally.last,
            min: tally.min,
            max: tally.max,
            period_s: tally.swings.map(|swing| swing.period_s()).into(),
            passages: tally.swings.map(|swing| swing.passages).into(),
            distance_m: distances(tally, probes),
        }
    };
    probes.iter().map(|tally| (tally.probe.name.clone(), report(tally))).collect()
}
