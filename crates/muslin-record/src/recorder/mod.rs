//! The recorder: steps and frames in, the files of a run folder out.

mod caches;
mod info;
#[cfg(test)]
mod tests;

use std::fs;
use std::time::{Duration, Instant};

use muslin::contact::Surveyor;
use muslin::report::{FrameReport, StepReport};
use muslin::stuck::Balance;
use muslin::{ClothEnergy, Model, State};

use crate::checkpoint::{self, CheckpointProblem, CheckpointRef};
use crate::error::RecordError;
use crate::folder::{RunFolder, names};
use crate::frames::{FrameRow, FramesCsv};
use crate::html::{PAGE_LIMIT, Page, Player};
use crate::payload::{self, Payload};
use crate::playback::Playback;
use crate::report::{Builder, Report, Timings, json};
use crate::tally::{ContactTally, Tally};
use caches::Caches;
pub use info::{Outcome, RunInfo};

/// While a run is under way its page is written at most this often: unlike the other files it grows with the run.
const PAGE_INTERVAL: Duration = Duration::from_secs(2);

/// A run being recorded.
#[derive(Debug)]
pub struct Recorder {
    folder: RunFolder,
    info: RunInfo,
    caches: Caches,
    /// Surveys every frame for contact, if frames are to be surveyed.
    surveyor: Option<Surveyor>,
    /// Distinguishes cloth at rest from cloth that is stuck.
    balance: Balance,
    csv: FramesCsv,
    rows: Vec<FrameRow>,
    tally: Tally,
    frame: u64,
    state_hash: u64,
    files: Vec<String>,
    /// Time spent before the run was resumed.
    earlier: Timings,
    /// Time spent up to the last frame, in all.
    timings: Timings,
    page_written: Instant,
}

impl Recorder {
    /// Starts to record into a fresh folder and stores frame 0, whose measures are `first` and `edge_strains` (one per
    /// edge of the model).
    pub fn start(
        mut folder: RunFolder,
        model: &Model,
        state: &State,
        first: &FrameReport,
        edge_strains: &[f64],
        info: RunInfo,
    ) -> Result<Self, RecordError> {
        // Only inputs live in a folder of their own.
        if let Some(name) = part_names(model).find(|name| name.contains('/')) {
            return Err(RecordError::BadName { name: name.to_owned() });
        }
        let files = file_list(model, &info);
        folder.claim(&files)?;
        folder.clear()?;
        let limit = info.settings.limiter.stretch;
        let contact = ContactTally::new(model, &info.settings, info.repair.clone());
        let mut tally = Tally::new(model, state, limit, info.probes.clone(), first, edge_strains).with_contact(contact);
        let mut surveyor = surveyor(model, &info);
        survey(&mut surveyor, &mut tally, 0, model, state);
        let (timings, state_hash) = (Timings::default(), state.hash());
        // The report comes first: it lists the files of the run, by which a later `--force` knows them.
        let builder =
            Builder { model, info: &info, tally: &tally, timings: &timings, frame: 0, state_hash, files: &files };
        write_report(&folder, &builder.build(&Outcome::default()))?;
        folder.write(names::SCENE, info.scene_text.as_bytes())?;
        folder.copy_inputs(&info.inputs)?;
        let caches = Caches::create(&folder, model)?;
        let csv = FramesCsv::create(&folder.path(names::FRAMES), probe_names(&info))?;
        let mut recorder = Self {
            balance: Balance::new(model, &info.settings),
            folder,
            info,
            caches,
            surveyor,
            csv,
            rows: Vec::new(),
            tally,
            frame: 0,
            state_hash,
            files,
            earlier: Timings::default(),
            timings,
            page_written: Instant::now(),
        };
        recorder.store_frame(model, state)?;
        recorder.write_page(&recorder.report(model), Player::UNDER_WAY)?;
        Ok(recorder)
    }

    /// Goes on with the run in a folder: gives back the state of its last checkpoint. Frames written after it are
    /// dropped. The scene text must be the one the run was started with.
    pub fn resume(folder: RunFolder, model: &Model, info: RunInfo) -> Result<(Self, State), RecordError> {
        let path = folder.path(names::CHECKPOINT);
        let bytes = fs::read(&path).map_err(RecordError::io("read", &path))?;
        let unusable = |problem| RecordError::Checkpoint { path: path.clone(), problem };
        let found = checkpoint::decode(&bytes, &info.scene_text).map_err(unusable)?;
        if found.state.x.len() != model.len() {
            return Err(unusable(CheckpointProblem::OtherModel { found: found.state.x.len(), own: model.len() }));
        }
        let stored = found.frame + 1;
        let caches = Caches::open_at(&folder, model, stored)?;
        let (csv, rows) = FramesCsv::open_at(&folder.path(names::FRAMES), probe_names(&info), stored)?;
        let recorder = Self {
            files: file_list(model, &info),
            surveyor: surveyor(model, &info),
            balance: Balance::new(model, &info.settings),
            folder,
            info,
            caches,
            csv,
            rows,
            tally: found.tally,
            frame: found.frame,
            state_hash: found.state.hash(),
            earlier: found.timings.clone(),
            timings: found.timings,
            page_written: Instant::now(),
        };
        Ok((recorder, found.state))
    }

    /// Adds a step; `energies` are those of each cloth, `state` is the state at its end. Allocates nothing.
    pub fn step(&mut self, model: &Model, report: &StepReport, energies: &[ClothEnergy], state: &State) {
        self.tally.step(model, report, energies, state);
    }

    /// Stores the next frame. `timings` is the time spent since the recorder was started or resumed.
    pub fn frame(
        &mut self,
        model: &Model,
        state: &State,
        report: &FrameReport,
        edge_strains: &[f64],
        timings: &Timings,
    ) -> Result<(), RecordError> {
        self.frame += 1;
        self.state_hash = state.hash();
        self.timings = self.earlier.plus(timings);
        self.tally.frame(self.frame, model, state, report, edge_strains);
        survey(&mut self.surveyor, &mut self.tally, self.frame, model, state);
        self.tally.energy.look(self.frame, model, state, &mut self.balance);
        self.store_frame(model, state)?;
        let report = self.report(model);
        write_report(&self.folder, &report)?;
        if self.page_written.elapsed() >= PAGE_INTERVAL {
            self.write_page(&report, Player::UNDER_WAY)?;
        }
        Ok(())
    }

    /// The report as it stands: up to the last frame, of a run under way.
    pub fn report(&self, model: &Model) -> Report {
        self.report_with(model, &Outcome::default())
    }

    /// Writes MDD caches, if they are wanted, the last report, and the page that plays the run. A run that was stopped
    /// can be resumed from its last frame.
    pub fn finish(mut self, model: &Model, outcome: &Outcome) -> Result<Report, RecordError> {
        // Before the report: what it says has ended is there.
        if let Some(rate) = self.info.mdd_frames_per_second {
            caches::write_mdd(&self.folder, model, rate)?;
        }
        let report = self.report_with(model, outcome);
        write_report(&self.folder, &report)?;
        let mut playback = Playback::open(&self.folder, model, &report)?;
        match self.pack(&report, &mut playback, PAGE_LIMIT)? {
            Some(payload) => self.write_page(&report, Player::Ready(&payload))?,
            None => self.write_page(&report, Player::TOO_LARGE)?,
        }
        Ok(report)
    }

    /// The last frame stored; 0 is the start.
    pub fn last_frame(&self) -> u64 {
        self.frame
    }

    /// What has been added up so far.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The folder.
    pub fn folder(&self) -> &RunFolder {
        &self.folder
    }

    fn report_with(&self, model: &Model, outcome: &Outcome) -> Report {
        let Self { info, tally, timings, frame, state_hash, files, .. } = self;
        Builder { model, info, tally, timings, frame: *frame, state_hash: *state_hash, files }.build(outcome)
    }

    /// Caches and table first, the checkpoint last: whatever a checkpoint speaks of is there.
    fn store_frame(&mut self, model: &Model, state: &State) -> Result<(), RecordError> {
        self.caches.write_frame(model, state)?;
        let row = FrameRow {
            frame: self.frame,
            report: self.tally.last,
            wall_s: self.timings.wall_s,
            cpu_s: self.timings.cpu_s,
            contact: self.tally.contact.last,
            probes: self.tally.probe_positions(),
        };
        self.csv.write_row(&row)?;
        self.rows.push(row);
        let checkpoint = CheckpointRef { frame: self.frame, state, tally: &self.tally, timings: &self.timings };
        let bytes = checkpoint::encode(&checkpoint, &self.info.scene_text)
            .map_err(|error| RecordError::Encode { name: names::CHECKPOINT, problem: error.to_string() })?;
        self.folder.write(names::CHECKPOINT, &bytes)
    }

    /// The run as it fits on a page of at most `limit` bytes; none when it does not.
    fn pack(&self, report: &Report, playback: &mut Playback, limit: usize) -> Result<Option<Payload>, RecordError> {
        let without_run = self.page(report, Player::Ready(&Payload::default())).render().len();
        payload::encode(playback, report, self.info.camera.as_ref(), limit.saturating_sub(without_run))
    }

    fn page<'a>(&'a self, report: &'a Report, player: Player<'a>) -> Page<'a> {
        let Self { info, rows, .. } = self;
        let RunInfo { probes, scene_text, command, .. } = info;
        Page { report, rows, probes, scene_text, command, player }
    }

    fn write_page(&mut self, report: &Report, player: Player) -> Result<(), RecordError> {
        let page = self.page(report, player).render();
        self.folder.write(names::PAGE, page.as_bytes())?;
        self.page_written = Instant::now();
        Ok(())
    }
}

fn surveyor(model: &Model, info: &RunInfo) -> Option<Surveyor> {
    info.settings.contact.verify.then(|| Surveyor::new(model))
}

/// Adds the contact of a frame.
fn survey(surveyor: &mut Option<Surveyor>, tally: &mut Tally, frame: u64, model: &Model, state: &State) {
    let (solids, cloth) = (tally.contact.verified, tally.contact.layers.verified);
    let (solids, cloth) = surveyor.as_mut().map_or((None, None), |surveyor| {
        let solids = solids.then(|| surveyor.measure(model, &state.x, state));
        (solids, cloth.then(|| surveyor.measure_cloth(model, &state.x)))
    });
    tally.contact.frame(frame, state.time, solids.as_ref(), cloth.as_ref());
}

fn write_report(folder: &RunFolder, report: &Report) -> Result<(), RecordError> {
    let text = json::to_text(report)
        .map_err(|error| RecordError::Encode { name: names::REPORT, problem: error.to_string() })?;
    folder.write(names::REPORT, &text)
}

fn file_list(model: &Model, info: &RunInfo) -> Vec<String> {
    let inputs = info.inputs.iter().map(|input| format!("{}/{}", names::INPUTS, input.name));
    let caches = caches::files(model, info.mdd_frames_per_second.is_some());
    names::ALL.into_iter().map(str::to_owned).chain(caches).chain(inputs).collect()
}

/// Names of all that has files of its own.
fn part_names(model: &Model) -> impl Iterator<Item = &str> {
    let cloths = model.cloths.iter().map(|cloth| cloth.name.as_str());
    cloths.chain(model.colliders.iter().map(|collider| collider.name.as_str()))
}

fn probe_names(info: &RunInfo) -> impl Iterator<Item = &str> {
    info.probes.iter().map(|probe| probe.name.as_str())
}
