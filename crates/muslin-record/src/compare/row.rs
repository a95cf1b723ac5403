//! The figures of one method.

use serde::{Deserialize, Serialize};

use super::verdict::{Verdict, reasons};
use super::{RanTrial, Trial, TrialResult, spin};
use crate::frames::FrameRow;
use crate::report::Report;

/// Energy at the start below this fraction of the greatest kinetic energy is no measure of what is left at the end.
const LEAST_START_ENERGY: f64 = 0.1;

/// A method's row of the table. What a run does not report, or a scene gives no meaning to, is null.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MethodRow {
    /// The limiter.
    pub method: String,
    /// The integrator it ran with.
    pub integrator: Option<String>,
    /// The result.
    pub verdict: Verdict,
    /// Why it was not kept, in words.
    pub why: Option<String>,
    /// Its run folder, beside `compare.json`.
    pub run: Option<String>,
    /// Its strip of pictures, beside `compare.json`.
    pub strip: Option<String>,
    /// The last frame written.
    pub frames: Option<u64>,
    /// Steps up to that frame.
    pub steps: Option<u64>,
    /// Length of a step [s].
    pub step_s: Option<f64>,
    /// Time simulated [s].
    pub simulated_s: Option<f64>,
    /// True when no edge was over the limit, in any step.
    pub strain_kept: Option<bool>,
    /// Greatest strain of an edge in a frame written.
    pub worst_strain: Option<f64>,
    /// Greatest strain of an edge in any accepted step.
    pub worst_strain_step: Option<f64>,
    /// Greatest compression of an edge in a frame written, as a positive fraction.
    pub worst_compression: Option<f64>,
    /// True when nothing passed into a solid, nor through cloth where the method promises that; null where there are no
    /// solids and nothing is promised.
    pub contact_kept: Option<bool>,
    /// Least gap to a solid in a frame written [m]; negative inside.
    pub min_gap_m: Option<f64>,
    /// Least gap of layers of cloth in a frame written [m]; null when none were near.
    #[serde(default)]
    pub layer_gap_m: Option<f64>,
    /// Crossings of edges and triangles, of cloth with solids and with cloth, in all frames written together.
    pub intersections: Option<u64>,
    /// Those of cloth with cloth among them.
    #[serde(default)]
    pub intersections_cloth: Option<u64>,
    /// Time for the centre of mass to drop 0.25 m [s].
    pub fall_s: Option<f64>,
    /// Rise of the centre of mass after its lowest point of the first 0.9 s, as a fraction of the fall to it.
    pub rebound: Option<f64>,
    /// Total energy at the start [J]; that of height counts from there.
    pub energy_start_j: Option<f64>,
    /// Total energy at the last frame [J].
    pub energy_end_j: Option<f64>,
    /// `energy_end_j` over `energy_start_j`, where the start has enough energy to be a measure.
    pub energy_ratio: Option<f64>,
    /// Greatest rise of the total energy from one frame to the next [J].
    pub energy_greatest_rise_j: Option<f64>,
    /// True when no energy came from nowhere; null when no step could be judged.
    #[serde(default)]
    pub energy_kept: Option<bool>,
    /// Since when cloth has stood still out of balance [s]; null when it never did.
    #[serde(default)]
    pub stuck_since_s: Option<f64>,
    /// Change of the angular momentum about the centre of mass, as a fraction of that at the start; only where nothing
    /// outside turns the cloth.
    pub angular_momentum_drift: Option<f64>,
    /// Rounds of the limiter over positions, mean per step.
    pub rounds_per_step: Option<f64>,
    /// Rounds of the limiter over velocities, mean per step.
    pub velocity_rounds_per_step: Option<f64>,
    /// Most rounds over positions in a step.
    pub most_rounds: Option<u32>,
    /// Steps in which rounds ran out before the method's own goal was reached.
    pub unfinished_steps: Option<u64>,
    /// Processor time per simulated second [ms].
    pub cpu_ms_per_simulated_s: Option<f64>,
    /// Time on the clock per simulated second [ms].
    pub wall_ms_per_simulated_s: Option<f64>,
    /// What was changed in the scene for the method, in words.
    pub notes: Vec<String>,
}

impl MethodRow {
    pub(super) fn of(trial: &Trial, least_spin: Option<f64>, energy_scale: Option<f64>) -> Self {
        let bare = Self::without_run(trial);
        match &trial.result {
            TrialResult::NotRun => bare,
            TrialResult::Failed(why) => Self { verdict: Verdict::Stopped, why: Some(why.clone()), ..bare },
            TrialResult::Ran(ran) => bare.with_run(ran, least_spin, energy_scale),
        }
    }

    fn without_run(trial: &Trial) -> Self {
        Self {
            method: trial.method.clone(),
            integrator: None,
            verdict: Verdict::NotRun,
            why: None,
            run: None,
            strip: trial.strip_name(),
            frames: None,
            steps: None,
            step_s: None,
            simulated_s: None,
            strain_kept: None,
            worst_strain: None,
            worst_strain_step: None,
            worst_compression: None,
            contact_kept: None,
            min_gap_m: None,
            layer_gap_m: None,
            intersections: None,
            intersections_cloth: None,
            fall_s: None,
            rebound: None,
            energy_start_j: None,
            energy_end_j: None,
            energy_ratio: None,
            energy_greatest_rise_j: None,
            energy_kept: None,
            stuck_since_s: None,
            angular_momentum_drift: None,
            rounds_per_step: None,
            velocity_rounds_per_step: None,
            most_rounds: None,
            unfinished_steps: None,
            cpu_ms_per_simulated_s: None,
            wall_ms_per_simulated_s: None,
            notes: trial.notes.clone(),
        }
    }

    fn with_run(self, ran: &RanTrial, least_spin: Option<f64>, energy_scale: Option<f64>) -> Self {
        let RanTrial { report, rows } = ran;
        let Report { strain, contact, motion, energy, work, .. } = report;
        let (start, end) = (energy.start.total_j, energy.end.total_j);
        let is_meaningful = energy_scale.is_some_and(|scale| start > 0.0 && start >= LEAST_START_ENERGY * scale);
        let per_step = |count: u64| (report.steps > 0).then(|| count as f64 / report.steps as f64);
        let per_second = |time: f64| (report.simulated_s > 0.0).then(|| 1000.0 * time / report.simulated_s);
        Self {
            integrator: integrator_name(report),
            verdict: Verdict::of(report),
            why: reasons(report),
            run: Some(self.method.clone()),
            frames: Some(report.frames),
            steps: Some(report.steps),
            step_s: Some(report.step_s),
            simulated_s: Some(report.simulated_s),
            strain_kept: Some(strain.kept),
            worst_strain: Some(strain.worst),
            worst_strain_step: Some(strain.worst_step),
            worst_compression: Some(strain.compressed_worst),
            contact_kept: contact.kept,
            min_gap_m: contact.min_gap,
            layer_gap_m: contact.layer_gap,
            intersections: contact.intersections,
            intersections_cloth: contact.intersections_cloth,
            fall_s: motion.fall_s,
            rebound: motion.rebound,
            energy_start_j: Some(start),
            energy_end_j: Some(end),
            energy_ratio: is_meaningful.then(|| end / start),
            energy_greatest_rise_j: Some(energy.greatest_rise_j),
            energy_kept: energy.kept,
            stuck_since_s: report.stuck.as_ref().map(|stuck| stuck.since_s),
            angular_momentum_drift: least_spin.and_then(|least| spin::drift(rows, least)),
            rounds_per_step: per_step(work.limiter_rounds),
            velocity_rounds_per_step: per_step(work.limiter_velocity_rounds),
            most_rounds: Some(work.most_limiter_rounds),
            unfinished_steps: Some(work.limiter_unfinished_steps),
            cpu_ms_per_simulated_s: per_second(report.cpu_s),
            wall_ms_per_simulated_s: per_second(report.wall_s),
            ..self
        }
    }
}

/// The greatest kinetic energy of the calmest run that moved on [J]: a method that blew up is no measure.
pub(super) fn energy_scale(trials: &[Trial]) -> Option<f64> {
    let greatest =
        |rows: &[FrameRow]| rows.iter().map(|row| row.report.energies.kinetic).reduce(f64::max).unwrap_or(0.0);
    let ran = trials.iter().filter_map(Trial::ran).filter(|ran| ran.rows.len() > 1);
    ran.map(|ran| greatest(&ran.rows)).reduce(f64::min)
}

fn integrator_name(report: &Report) -> Option<String> {
    let integrator = serde_json::to_value(report.integrator).ok()?;
    integrator["method"].as_str().map(str::to_owned)
}
