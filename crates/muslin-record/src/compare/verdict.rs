//! The result of a run, in a word and with its reasons.

use serde::{Deserialize, Serialize};

use crate::html::text::{count, millimetres, percent, percent_unlike, seconds, significant};
use crate::report::{ContactReport, EnergyReport, EnergyRise, LayerPlace, Report, StuckReport};
use crate::tally::within_limit;

/// The result of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It came to its end, and everything promised holds.
    Kept,
    /// It came to its end, but a promise was broken.
    Broken,
    /// It stopped before its end, or could not start.
    Stopped,
    /// It has not been run.
    NotRun,
}

impl Verdict {
    /// The verdict on a run that is not under way any more.
    pub fn of(report: &Report) -> Self {
        if !report.completed {
            Self::Stopped
        } else if breaches(report).is_empty() {
            Self::Kept
        } else {
            Self::Broken
        }
    }

    /// The verdict in words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::Broken => "broken",
            Self::Stopped => "stopped",
            Self::NotRun => "not run",
        }
    }
}

/// Why a run was not kept, in words: why it stopped, then what was broken; none when there is nothing to report.
pub(super) fn reasons(report: &Report) -> Option<String> {
    let stopped = report.stopped.as_ref().map(|why| format!("after frame {}: {why}", report.frames));
    let reasons: Vec<String> = stopped.into_iter().chain(breaches(report)).collect();
    (!reasons.is_empty()).then(|| reasons.join("; "))
}

/// The promises that were broken.
fn breaches(report: &Report) -> Vec<String> {
    let mut breaches = Vec::new();
    let strain = &report.strain;
    if !strain.kept {
        // The place is that of the worst frame, which can be looked at, unless only steps between frames broke the
        // limit.
        let at_place = if within_limit(strain.worst, strain.limit) { strain.worst_step } else { strain.worst };
        let [shown, worst] = [at_place, strain.worst_step].map(|fraction| percent_unlike(fraction, strain.limit));
        let between = if shown == worst { String::new() } else { format!(" ({worst} in a step between frames)") };
        breaches.push(format!("{} stretched {shown}{between}, limit {}", strain.place, percent(strain.limit)));
    }
    breaches.extend(contact_breaches(&report.contact));
    if report.promises_motion() {
        breaches.extend(energy_breach(&report.energy));
        breaches.extend(report.stuck.as_ref().map(stuck_breach));
    }
    if !report.is_solved() {
        let (unsolved, steps) = (report.work.unsolved_steps, report.steps);
        breaches.push(format!("{unsolved} of {steps} steps not solved by the integrator"));
    }
    let failed: Vec<_> = report.expectations.iter().filter(|expectation| !expectation.held).collect();
    if !failed.is_empty() {
        let names: Vec<_> = failed.iter().map(|expectation| format!("`{}`", expectation.what)).collect();
        let verb = if failed.len() == 1 { "does" } else { "do" };
        let expectations = count(failed.len(), "expectation");
        breaches.push(format!("{expectations} of the scene {verb} not hold: {}", names.join(", ")));
    }
    breaches
}

/// What was wrong with contact, and where: with solids, and of cloth with cloth.
fn contact_breaches(contact: &ContactReport) -> Vec<String> {
    let solids = (contact.solids_kept() == Some(false)).then(|| solids_breach(contact));
    let crossings = contact.intersections_cloth.filter(|_| contact.cloth_kept() == Some(false));
    let cloth = crossings.map(|count| {
        let place = contact.cloth_pair.as_ref().map_or("cloth".to_owned(), LayerPlace::in_words);
        let crossings = self::count(count as usize, "crossing");
        format!("{place}: {crossings} of cloth with cloth in all frames together")
    });
    solids.into_iter().chain(cloth).collect()
}

fn solids_breach(contact: &ContactReport) -> String {
    let inside = contact.min_gap.filter(|gap| *gap < 0.0).map(|gap| format!("{} inside a solid", millimetres(-gap)));
    let crossings = Some(contact.intersections_solids()).filter(|count| *count > 0).map(|count| {
        let crossings = self::count(count as usize, "crossing");
        format!("{crossings} of edges and triangles in all frames together")
    });
    let breach = contact.breach_m.filter(|depth| *depth > 0.0);
    let breach = breach.map(|depth| format!("a step let a breach of {} pass", millimetres(depth)));
    let what: Vec<String> = inside.into_iter().chain(crossings).chain(breach).collect();
    format!("{}: {}", contact.place.as_deref().unwrap_or("cloth"), what.join(", "))
}

/// Energy that came from nowhere, and where.
fn energy_breach(energy: &EnergyReport) -> Option<String> {
    let EnergyRise { cloth, rise_j, allowed_j, within_s, frame, .. } =
        energy.worst.as_ref().filter(|_| energy.kept == Some(false))?;
    let [rise, allowed] = [rise_j, allowed_j].map(|joules| significant(*joules, 3));
    let within = seconds(*within_s);
    Some(format!("energy of `{cloth}` rose by {rise} J within {within}, at frame {frame}; allowed {allowed} J"))
}

/// Cloth that stands still out of balance.
fn stuck_breach(StuckReport { cloth, since_s, frame, imbalance, vertex, .. }: &StuckReport) -> String {
    let (since, fraction) = (seconds(*since_s), percent(*imbalance));
    format!(
        "`{cloth}` has stood still since {since} (frame {frame}) although its forces do not balance: by {fraction} of \
         its weight, most at vertex {vertex}"
    )
}
