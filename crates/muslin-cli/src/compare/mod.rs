//! `muslin compare`: one scene by several limiters. Each is an ordinary run in a folder of its own; beside them stand a
//! table, a page of charts, and a strip of pictures each.

mod pictures;
mod table;

use std::collections::BTreeSet;
use std::path::PathBuf;

use muslin_record::compare::{RanTrial, least_spin};
use muslin_record::{CompareFolder, CompareInfo, Comparison, RecordError, Trial, TrialResult};
use muslin_scene::parameters::Method as _;
use muslin_scene::typed::LimiterMethod;
use muslin_scene::{Scene, Source, Variant};

use crate::args::CompareOptions;
use crate::console::{log, print};
use crate::exit::{Exit, Failure};
use crate::progress::Activity;
use crate::run::{Process, record, use_threads};
use crate::task::{Start, Task, default_folder, folder_command, scene_command};
use crate::{interrupt, session};

pub(crate) fn compare(options: &CompareOptions) -> Result<Exit, Failure> {
    interrupt::listen();
    let contenders = limiters(&options.limiters)?;
    let source = Source::find(options.scene.name())?;
    let variants = contenders.iter().map(|contender| {
        let sets = [&options.scene.set[..], &contender.reading()].concat();
        Scene::with_limiter(&source, &sets, contender.method)
    });
    let variants = variants.collect::<Result<Vec<_>, _>>()?;
    let mut contest = Contest::prepare(options, contenders, &variants)?;
    for (index, variant) in variants.into_iter().enumerate() {
        if interrupt::asked() {
            break;
        }
        contest.run(index, variant)?;
    }
    pictures::take(&contest.folder, &mut contest.trials, options.quiet);
    contest.end()
}

/// A limiter that takes part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Contender {
    method: LimiterMethod,
    /// True: its document read to the letter, whatever the scene says.
    printed: bool,
}

/// What is added to the name of a method whose document is read to the letter.
const PRINTED: &str = "-printed";

impl Contender {
    fn named(name: &str) -> Result<Self, Failure> {
        let printed = name.strip_suffix(PRINTED).and_then(|stem| LimiterMethod::named(stem).ok());
        match printed.filter(|method| method.has("reading")) {
            Some(method) => Ok(Self { method, printed: true }),
            None => Ok(Self { method: LimiterMethod::named(name)?, printed: false }),
        }
    }

    /// Every method, and those with two readings in both.
    fn all() -> impl Iterator<Item = Self> {
        let readings = |method: LimiterMethod| [false, true].into_iter().take(1 + usize::from(method.has("reading")));
        LimiterMethod::ALL
            .into_iter()
            .flat_map(move |method| readings(method).map(move |printed| Self { method, printed }))
    }

    fn name(self) -> String {
        format!("{}{}", self.method.name(), if self.printed { PRINTED } else { "" })
    }

    /// The setting of its reading, where it is not the scene's.
    fn reading(self) -> Vec<String> {
        self.printed.then(|| "limiter.reading=printed".to_owned()).into_iter().collect()
    }

    /// The options by which `muslin run` runs it.
    fn options(self) -> Vec<String> {
        let method = format!("--set limiter.method={}", self.method.name());
        std::iter::once(method).chain(self.reading().iter().map(|set| format!("--set {set}"))).collect()
    }
}

/// The limiters asked for, each once, in their order.
fn limiters(names: &[String]) -> Result<Vec<Contender>, Failure> {
    let mut contenders = Vec::new();
    for name in names.iter().map(|name| name.trim()) {
        let named = if name == "all" { Contender::all().collect() } else { vec![Contender::named(name)?] };
        for contender in named {
            if !contenders.contains(&contender) {
                contenders.push(contender);
            }
        }
    }
    Ok(contenders)
}

/// A comparison under way.
struct Contest<'a> {
    options: &'a CompareOptions,
    contenders: Vec<Contender>,
    folder: CompareFolder,
    info: CompareInfo,
    trials: Vec<Trial>,
    /// Notes on the scene that were printed already: most hold for every method.
    printed: BTreeSet<String>,
}

impl<'a> Contest<'a> {
    /// Opens the folder, only now that nothing about the scene can fail any more.
    fn prepare(options: &'a CompareOptions, contenders: Vec<Contender>, variants: &[Variant]) -> Result<Self, Failure> {
        // Methods differ in what they do with a mesh, not in what they find wrong with it: one stands for all.
        let Variant { scene, .. } = &variants[0];
        let activity = Activity::start(options.quiet);
        let session = session::ready(scene, &activity)?;
        drop(activity);
        let threads = use_threads(options.threads)?;
        let names: Vec<String> = contenders.iter().map(|contender| contender.name()).collect();
        let dir = options.out.clone().unwrap_or_else(|| default_folder(&format!("{}-compare", scene.name)));
        interrupt::ends_when_saved();
        let folder = CompareFolder::create(&dir, &names.iter().map(String::as_str).collect::<Vec<_>>(), options.force)
            .map_err(|error| Failure::record(Exit::BadInput, &error))?;
        let more = [format!("--limiters {}", names.join(","))];
        let info = CompareInfo {
            scene: scene.name.clone(),
            command: scene_command("compare", &options.scene, &more, options.frames),
            frames_planned: u64::from(options.frames.unwrap_or(scene.frames)),
            threads,
            limit: scene.limiter.stretch,
            least_spin: least_spin(&session.model),
        };
        let trials = names.iter().zip(variants).map(|(name, variant)| Trial::new(name.as_str(), variant.notes.clone()));
        Ok(Self { options, contenders, folder, info, trials: trials.collect(), printed: BTreeSet::new() })
    }

    /// Runs a method and records the result, so that nothing that happens next loses it.
    fn run(&mut self, index: usize, variant: Variant) -> Result<(), Failure> {
        if !self.options.quiet {
            log(format_args!("{} ({} of {})", self.trials[index].method, index + 1, self.trials.len()));
        }
        // What was done before is on disk by now, and this one is not until it steps.
        interrupt::ends_at_once("interrupted; what was done is saved");
        let result = self.simulate(index, variant);
        interrupt::ends_when_saved();
        self.trials[index].result = match result {
            Ok(ran) => TrialResult::Ran(Box::new(ran)),
            Err(failure) => TrialResult::Failed(failure.text()),
        };
        self.write().map(|_| ())
    }

    fn simulate(&mut self, index: usize, variant: Variant) -> Result<RanTrial, Failure> {
        let process = Process::start(self.info.threads);
        let activity = Activity::start(self.options.quiet);
        let mut session = session::ready(&variant.scene, &activity)?;
        session.notes.extend(variant.notes);
        self.print_notes(&session.notes);
        let method = &self.trials[index].method;
        let task = self.task(index, variant.scene);
        let report = record(task, &session, process, self.options.quiet, activity)?;
        let rows = self.folder.rows(method, report.frames).map_err(stopped)?;
        Ok(RanTrial { report, rows })
    }

    fn print_notes(&mut self, notes: &[String]) {
        for note in notes {
            if self.printed.insert(note.clone()) && !self.options.quiet {
                log(format_args!("note: {note}"));
            }
        }
    }

    fn task(&self, index: usize, scene: Scene) -> Task {
        let CompareOptions { scene: options, frames, force, .. } = self.options;
        let trial = &self.trials[index];
        let dir = self.folder.run_dir(&trial.method);
        let start = if *force { Start::Replace } else { Start::Fresh };
        let command = if trial.notes.is_empty() {
            scene_command("run", options, &self.contenders[index].options(), *frames)
        } else {
            folder_command(&dir, *frames)
        };
        let frames = frames.unwrap_or(scene.frames);
        Task { scene, dir, frames, start, command }
    }

    fn write(&self) -> Result<Comparison, Failure> {
        self.folder.write(&self.info, &self.trials).map_err(stopped)
    }

    /// Prints the result of all runs.
    fn end(&self) -> Result<Exit, Failure> {
        let comparison = self.write()?;
        if self.options.json {
            print(&format!("{}\n", serde_json::to_string_pretty(&comparison).unwrap_or_default()))?;
        } else if !self.options.quiet {
            let page: PathBuf = self.folder.page_path();
            print(&format!("{}\npage  {}\n", table::of(&comparison), page.display()))?;
        }
        if interrupt::asked() {
            log("stopped: interrupted; what was done is saved");
            return Ok(Exit::Stopped);
        }
        let failed = self.trials.iter().filter(|trial| matches!(trial.result, TrialResult::Failed(_)));
        for trial in failed.clone() {
            log(format_args!("stopped: `{}` could not be run", trial.method));
        }
        Ok(if failed.count() > 0 { Exit::Stopped } else { Exit::Kept })
    }
}

/// What could not be written or read while runs were made.
#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
fn stopped(error: RecordError) -> Failure {
    Failure::record(Exit::Stopped, &error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(names: &[&str]) -> Vec<String> {
        let names: Vec<String> = names.iter().map(ToString::to_string).collect();
        limiters(&names).unwrap_or_default().iter().map(|contender| contender.name()).collect()
    }

    #[test]
    fn limiters_come_once_in_the_order_they_are_named() {
        assert_eq!(asked(&["provot", " none", "provot"]), ["provot", "none"]);
        let certified_first = asked(&["certified", "all"]);
        assert_eq!((certified_first[0].as_str(), certified_first.len()), ("certified", asked(&["all"]).len()));
    }

    #[test]
    fn all_are_every_limiter_and_both_readings_of_those_with_two() {
        let all = asked(&["all"]);
        assert!(LimiterMethod::ALL.iter().all(|method| all.iter().any(|name| name == method.name())));
        let printed: Vec<_> = all.iter().filter(|name| name.ends_with(PRINTED)).collect();
        assert_eq!(
            printed,
            ["impulse-printed", "impulse-newton-printed", "iterative-printed", "sle-printed", "inequality-printed"]
        );
        assert_eq!(asked(&["sle-printed", "sle"]), ["sle-printed", "sle"]);
        assert!(limiters(&["provot-printed".to_owned()]).is_err());
    }
}
