//! `muslin run`: a scene in, a run folder out.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use muslin::settings::LimitMethod;
use muslin::timing::SolverStage;
use muslin::{Simulation, Stage, Stepper, measure};
use muslin_record::tally::Repair;
use muslin_record::{
    CameraView, Expectation, InputFile, Outcome, Probe, RecordError, Recorder, Report, RunFolder, RunInfo, Timings,
    Verdict,
};
use muslin_scene::{Ready, Scene};

use crate::args::RunOptions;
use crate::console::{log, print};
use crate::exit::{Exit, Failure};
use crate::progress::{Activity, Moment, Progress};
use crate::task::{Start, Task};
use crate::{interrupt, session, summary, trouble};

pub(crate) fn run(options: &RunOptions) -> Result<Exit, Failure> {
    interrupt::listen();
    let process = Process::start(use_threads(options.threads)?);
    let activity = Activity::start(options.quiet);
    activity.now("reading the scene");
    let task = Task::of(options)?;
    let session = session::ready(&task.scene, &activity)?;
    if !options.quiet {
        session.notes.iter().for_each(|note| log(format_args!("note: {note}")));
    }
    let folder = task.dir.clone();
    let report = record(task, &session, process, options.quiet, activity)?;
    if options.json {
        let text = serde_json::to_string_pretty(&report).unwrap_or_default();
        print(&format!("{text}\n"))?;
    } else if !options.quiet {
        print(&summary::of(&report, &folder))?;
    }
    if let Some(reason) = &report.stopped {
        log(format_args!("stopped: {reason}"));
    }
    Ok(verdict(&report))
}

/// Simulates a task and records it in its folder, to its end or until it stops.
pub(crate) fn record(
    task: Task,
    session: &Ready,
    process: Process,
    quiet: bool,
    activity: Activity,
) -> Result<Report, Failure> {
    let mut run = Run::prepare(task, session, process, quiet, activity)?;
    let stopped = run.simulate()?;
    run.finish(stopped)
}

/// The exit code that a report stands for.
fn verdict(report: &Report) -> Exit {
    match Verdict::of(report) {
        Verdict::Kept => Exit::Kept,
        Verdict::Broken => Exit::Broken,
        Verdict::Stopped | Verdict::NotRun => Exit::Stopped,
    }
}

/// Starts so many threads, or as many as there are cores; gives back how many.
pub(crate) fn use_threads(threads: Option<u16>) -> Result<usize, Failure> {
    let count = threads.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
    rayon::ThreadPoolBuilder::new()
        .num_threads(count)
        .build_global()
        .map_err(|error| Failure::new(Exit::Stopped, format!("cannot start {count} threads: {error}")))?;
    Ok(count)
}

/// What a run has of the machine, and since when.
pub(crate) struct Process {
    threads: usize,
    wall: Instant,
    cpu: ProcessTime,
}

impl Process {
    /// A run begins, before its scene is built.
    pub(crate) fn start(threads: usize) -> Self {
        Self { threads, wall: Instant::now(), cpu: ProcessTime::now() }
    }
}

/// A run under way.
struct Run {
    scene: Scene,
    steps_per_frame: u32,
    frames: u32,
    simulation: Simulation,
    recorder: Recorder,
    progress: Progress,
    process: Process,
}

impl Run {
    /// Opens the run folder, only now that nothing about the scene can fail any more.
    fn prepare(
        task: Task,
        session: &Ready,
        process: Process,
        quiet: bool,
        activity: Activity,
    ) -> Result<Self, Failure> {
        let bad = |error: RecordError| Failure::record(Exit::BadInput, &error);
        let mut info = run_info(&task, session, process.threads)?;
        let Task { scene, dir, frames, start, .. } = task;
        let (recorder, simulation) = if start == Start::Resume {
            activity.now("opening the run folder, and preparing the solver");
            interrupt::ends_when_saved();
            let folder = RunFolder::open(&dir).map_err(bad)?;
            let (recorder, state) = Recorder::resume(folder, &session.model, info).map_err(bad)?;
            let simulation = Simulation::from_state(Arc::clone(&session.model), session.settings.clone(), state);
            (recorder, simulation.map_err(|error| Failure::new(Exit::BadInput, error.to_string()))?)
        } else {
            let simulation = session::start(session, &activity)?;
            activity.now("opening the run folder");
            // From here on there is something to save.
            interrupt::interrupts(&simulation.interrupt());
            let (model, state) = (simulation.model(), simulation.state());
            info.repair = simulation.repair().and_then(|repair| Repair::of(model, repair));
            let folder = RunFolder::create(&dir, start == Start::Replace).map_err(bad)?;
            let first = measure::frame(model, state);
            let strains = measure::edge_strains(model, &state.x);
            (Recorder::start(folder, model, state, &first, &strains, info).map_err(bad)?, simulation)
        };
        interrupt::interrupts(&simulation.interrupt());
        drop(activity);
        let progress = Progress::start(quiet, recorder.last_frame() as u32, frames);
        Ok(Self { scene, steps_per_frame: session.steps_per_frame, frames, simulation, recorder, progress, process })
    }

    /// Steps and records to the last frame; returns why it stopped before, if it did.
    fn simulate(&mut self) -> Result<Option<String>, Failure> {
        let mut spent = Spent::default();
        let start_time = self.simulation.time();
        for frame in self.recorder.last_frame() as u32 + 1..=self.frames {
            if let Some(reason) = self.step_to_frame(frame, &mut spent) {
                return Ok(Some(reason));
            }
            self.record_frame(&spent.timings(self.simulation.stepper(), &self.process))?;
            self.progress.frame(&Moment {
                frame,
                time: self.simulation.time(),
                speed: (self.simulation.time() - start_time) / spent.wall.as_secs_f64(),
                worst_strain: self.recorder.tally().strain.worst_step.strain,
            });
        }
        Ok(None)
    }

    fn step_to_frame(&mut self, frame: u32, spent: &mut Spent) -> Option<String> {
        let (wall, cpu) = (Instant::now(), ProcessTime::now());
        let mut trouble = None;
        for _ in 0..self.steps_per_frame {
            self.progress.step(frame);
            match self.simulation.step(()) {
                Ok(report) => {
                    let Self { simulation, recorder, .. } = self;
                    recorder.step(simulation.model(), &report, simulation.energies(), simulation.state());
                }
                Err(error) => {
                    trouble = Some(trouble::describe(
                        &error,
                        self.simulation.model(),
                        self.simulation.time(),
                        self.scene.contact.repair,
                    ));
                    break;
                }
            }
        }
        spent.wall += wall.elapsed();
        spent.cpu += cpu.elapsed();
        trouble
    }

    fn record_frame(&mut self, timings: &Timings) -> Result<(), Failure> {
        let (model, state) = (self.simulation.model(), self.simulation.state());
        let report = measure::frame(model, state);
        let strains = measure::edge_strains(model, &state.x);
        let done = self.recorder.frame(model, state, &report, &strains, timings);
        done.map_err(|error| Failure::record(Exit::Stopped, &error))
    }

    fn finish(self, stopped: Option<String>) -> Result<Report, Failure> {
        let Self { scene, simulation, frames, recorder, progress, .. } = self;
        progress.end();
        let completed = stopped.is_none();
        let report = recorder.report(simulation.model());
        // What a scene promises, it promises for its whole duration.
        let whole = completed && frames >= scene.frames;
        let expectations = if whole { judge(&scene, &Report { completed, ..report }) } else { Vec::new() };
        let outcome = Outcome { completed, stopped, expectations };
        recorder.finish(simulation.model(), &outcome).map_err(|error| Failure::record(Exit::Stopped, &error))
    }
}

fn judge(scene: &Scene, report: &Report) -> Vec<Expectation> {
    let report = serde_json::to_value(report).unwrap_or_default();
    let judged = scene.expectations.iter().map(|expectation| expectation.judge(&report));
    let judgements = judged.map(|judged| Expectation {
        what: judged.what,
        held: judged.held,
        measured: judged.measured.unwrap_or_default(),
        wanted: judged.wanted,
    });
    judgements.collect()
}

fn run_info(task: &Task, session: &Ready, threads: usize) -> Result<RunInfo, Failure> {
    let scene = &task.scene;
    let mut inputs = Vec::new();
    for input in scene.inputs() {
        let contents = input.contents().map_err(|error| {
            Failure::new(Exit::BadInput, format!("cannot read `{}`: {error}", input.origin.display()))
        })?;
        let name = input.stored_as.strip_prefix("inputs/").unwrap_or(&input.stored_as).to_owned();
        inputs.push(InputFile { name, contents });
    }
    Ok(RunInfo {
        scene: scene.name.clone(),
        scene_text: if task.start == Start::Resume { scene.text.clone() } else { scene.portable_text() },
        inputs,
        settings: session.settings.clone(),
        frames_planned: u64::from(task.frames),
        mdd_frames_per_second: scene.mdd.then_some(scene.frames_per_second),
        threads: stepping_threads(&session.settings.limiter.method, session.model.cloths.len(), threads),
        seed: scene.seed,
        probes: session
            .probes
            .iter()
            .map(|(name, particle)| Probe { name: name.clone(), particle: *particle })
            .collect(),
        notes: session.notes.clone(),
        command: task.command.clone(),
        camera: scene.camera.map(|camera| CameraView {
            eye: camera.eye,
            target: camera.target,
            field_of_view_deg: camera.field_of_view,
        }),
        repair: None,
    })
}

/// Threads that stepping can use of those that there are.
fn stepping_threads(method: &LimitMethod, cloths: usize, threads: usize) -> usize {
    // `certified` steps each cloth on one; the others divide long sums and large groups of rows among all.
    if matches!(method, LimitMethod::Certified(_)) { threads.min(cloths) } else { threads }
}

/// Time spent stepping.
#[derive(Default)]
struct Spent {
    wall: Duration,
    cpu: Duration,
}

impl Spent {
    fn timings(&self, stepper: &Stepper, process: &Process) -> Timings {
        let seconds = |stage: Stage| (stage.name().to_owned(), stepper.clock().seconds(stage));
        let mut stages: BTreeMap<_, _> = Stage::ALL.into_iter().map(seconds).collect();
        for stage in SolverStage::ALL {
            let spent = stepper.solver_clock().seconds(stage);
            if spent > 0.0 {
                stages.insert(stage.name().to_owned(), spent);
            }
        }
        Timings {
            wall_s: self.wall.as_secs_f64(),
            cpu_s: self.cpu.as_secs_f64(),
            process_wall_s: process.wall.elapsed().as_secs_f64(),
            process_cpu_s: process.cpu.elapsed().as_secs_f64(),
            stages,
        }
    }
}
