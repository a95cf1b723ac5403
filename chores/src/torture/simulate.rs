//! One sheet, from its start to the end, by the method under test or by one that it is compared with.

use std::path::PathBuf;
use std::time::Instant;

use muslin::integrate::auto_step;
use muslin::settings::LimitMethod;
use muslin::stuck::Balance;
use muslin::{DVec3, Model, Settings, State, Stepper, measure};
use muslin_record::tally::{EnergyTally, Moment};
use muslin_scene::{Scene, Source};

use super::cases::Sheet;

/// How a sheet is simulated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Method {
    /// `certified`, in so many steps per second, with a multiple of its substeps.
    Certified { rate: u32, fineness: f64 },
    /// Nothing limited, BDF2 in so many steps per second; `stiffened`: of a sheet that stretches less; `tilt`: that
    /// starts turned about a side by so much [degrees].
    Bdf2 { rate: u32, stiffened: bool, tilt: f64 },
    /// Nothing limited, but springs so stiff that they hardly stretch, by symplectic Euler.
    StiffSprings,
}

/// Samples per second of methods whose steps are too short to keep them all.
const SAMPLES: u32 = 240;
/// Stretch stiffness that stands for none at all [N/m].
const STIFF: f64 = 2e5;
/// Stretch stiffness with which the softest fabrics stay within 1 % [N/m]; twice as much gives the same motion.
const STIFFENED: f64 = 1e4;

/// What became of a sheet, sampled at equal intervals from its start on.
#[derive(Debug, Clone)]
pub(super) struct Path {
    /// Between samples [s].
    pub(super) interval: f64,
    /// Distance of the centre of mass from plumb, in the horizontal direction of the start [m].
    pub(super) swing: Vec<f64>,
    /// Centre of mass, from the mean of the pins [m].
    pub(super) centre: Vec<DVec3>,
    /// Kinetic energy [J].
    pub(super) kinetic: Vec<f64>,
    /// Energy less the work done on the sheet since its start [J].
    pub(super) energy: Vec<f64>,
    /// Whether any came from nowhere, and whether the sheet is stuck.
    pub(super) verdict: EnergyTally,
    /// Greatest strain of any edge in any step, and the greatest one that only a hundredth of all edges is above.
    pub(super) worst_strain: [f64; 2],
    /// The strain limit.
    pub(super) limit: f64,
    /// Why it ended before its time.
    pub(super) refused: Option<String>,
    /// What it took [s].
    pub(super) took: f64,
}

impl Path {
    pub(super) fn duration(&self) -> f64 {
        (self.swing.len() - 1) as f64 * self.interval
    }

    /// The part of the swing from one time to another [s].
    pub(super) fn swing_between(&self, from: f64, to: f64) -> &[f64] {
        let at = |time: f64| ((time / self.interval).round() as usize).min(self.swing.len());
        &self.swing[at(from)..at(to + self.interval)]
    }
}

/// Simulates a sheet for at most `duration` [s], until `enough` says so; it is asked twice a second.
pub(super) fn simulate(
    sheet: &Sheet,
    method: Method,
    duration: f64,
    enough: impl Fn(&Path) -> bool,
) -> Result<Path, String> {
    let start = Instant::now();
    let (model, settings, steps_per_sample) = set_up(sheet, method)?;
    let mut run = Run::new(&model, &settings, steps_per_sample);
    let samples = (duration / run.path.interval).round() as usize;
    let half_second = (0.5 / run.path.interval).round() as usize;
    for sample in 1..=samples {
        if let Err(problem) = run.sample() {
            run.path.refused = Some(problem);
            break;
        }
        if sample.is_multiple_of(half_second) && enough(&run.path) {
            break;
        }
    }
    run.path.took = start.elapsed().as_secs_f64();
    Ok(run.path)
}

/// Model, settings and steps per sample.
fn set_up(sheet: &Sheet, method: Method) -> Result<(Model, Settings, u32), String> {
    let stretch = match method {
        Method::Certified { .. } | Method::Bdf2 { stiffened: false, .. } => None,
        Method::Bdf2 { stiffened: true, .. } => Some(STIFFENED),
        Method::StiffSprings => Some(STIFF),
    };
    let material = match stretch {
        None => format!("\"{}\"", sheet.fabric),
        Some(stretch) => {
            format!("{{ base = \"{}\", stretch_warp = {stretch:?}, stretch_weft = {stretch:?} }}", sheet.fabric)
        }
    };
    let (rate, methods) = match method {
        Method::Certified { rate, .. } => (rate, ""),
        Method::Bdf2 { rate, .. } => (rate, "[limiter]\nmethod = \"none\"\n[integrator]\nmethod = \"bdf2\"\n"),
        Method::StiffSprings => {
            (SAMPLES, "[limiter]\nmethod = \"none\"\n[integrator]\nmethod = \"symplectic-euler\"\n")
        }
    };
    let transform = match method {
        Method::Bdf2 { tilt, .. } => {
            format!("transform = {{ rotate = {{ axis = [1, 0, 0], degrees = {tilt:?} }} }}\n")
        }
        _ => String::new(),
    };
    let text = format!("{methods}[time]\nframes_per_second = {rate}\n{}{transform}", sheet.scene(&material));
    let source = Source { name: sheet.to_string(), text, base_dir: PathBuf::new() };
    let scene = Scene::from_source(&source, &[]).map_err(|error| error.render())?;
    let model = scene.build().map_err(|error| error.render())?.model;
    let frame = scene.frame_length();
    let steps = match method {
        Method::StiffSprings => (frame / auto_step(&scene.integrator, &model, frame)).ceil() as u32,
        _ => 1,
    };
    let mut settings = scene.settings(steps);
    // The references pass through themselves.
    settings.contact.own = false;
    if let (LimitMethod::Certified(own), Method::Certified { fineness, .. }) = (&mut settings.limiter.method, method) {
        own.fineness = fineness;
    }
    Ok((model, settings, steps))
}

struct Run<'a> {
    model: &'a Model,
    stepper: Stepper,
    state: State,
    balance: Balance,
    steps_per_sample: u32,
    plumb: DVec3,
    direction: DVec3,
    work: f64,
    path: Path,
}

impl<'a> Run<'a> {
    fn new(model: &'a Model, settings: &Settings, steps_per_sample: u32) -> Self {
        let pins: Vec<DVec3> =
            model.pins.iter().flat_map(|pin| &pin.particles).map(|&i| model.start[i as usize]).collect();
        let plumb = pins.iter().sum::<DVec3>() / pins.len() as f64;
        let centre = measure::centre_of_mass(model, &model.start) - plumb;
        let direction = DVec3::new(centre.x, 0.0, centre.z).normalize();
        let state = State::start(model);
        let start = measure::energies(model, &state);
        let path = Path {
            interval: settings.step * f64::from(steps_per_sample),
            swing: vec![centre.dot(direction)],
            centre: vec![centre],
            kinetic: vec![0.0],
            energy: vec![start.total()],
            verdict: EnergyTally::new(model, &state, start),
            worst_strain: [0.0; 2],
            limit: settings.limiter.stretch,
            refused: None,
            took: 0.0,
        };
        let stepper = Stepper::new(model, settings);
        let balance = Balance::new(model, settings);
        Self { model, stepper, state, balance, steps_per_sample, plumb, direction, work: 0.0, path }
    }

    /// Goes on to the next sample.
    fn sample(&mut self) -> Result<(), String> {
        let sample = self.path.swing.len() as u64;
        for _ in 0..self.steps_per_sample {
            let step = self.stepper.step(self.model, &mut self.state, ()).map_err(|error| error.to_string())?;
            self.path.worst_strain[0] = self.path.worst_strain[0].max(step.worst_strain);
            self.work += self.stepper.energies()[0].work.unwrap_or(0.0);
            let at = Moment { frame: sample, step: step.step, time: step.time };
            self.path.verdict.step(at, self.stepper.energies());
        }
        let centre = measure::centre_of_mass(self.model, &self.state.x) - self.plumb;
        let energy = self.stepper.energies()[0];
        let path = &mut self.path;
        path.swing.push(centre.dot(self.direction));
        path.centre.push(centre);
        path.kinetic.push(energy.kinetic);
        path.energy.push(energy.total() - self.work);
        path.verdict.look(sample, self.model, &self.state, &mut self.balance);
        path.worst_strain[1] = path.worst_strain[1].max(measure::strain(self.model, &self.state.x).p99);
        Ok(())
    }
}
