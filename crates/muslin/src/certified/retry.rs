//! What is tried next, for which trouble.
//!
//! | trouble of an attempt | next attempt |
//! |---|---|
//! | cloth starts the run in a solid, or through one | none: the step is refused before any attempt (`cloth.rs`); with `contact.yield = "contact"` it goes on |
//! | interrupted | none: the step ends, and the state is as it was |
//! | an edge over its limit that repairs of positions do not bring back, blocked by a solid, or not finite (forces that burst in long substeps need not in short ones) | the step again from its start in twice as many substeps, [`MOST_DOUBLINGS`] times, half as often where limit, contact or pulls may be given up, those of earlier steps included but for what is blocked; only once more where pins are further apart than cloth can reach |
//! | the same, all that done, pulls act (`Inputs`) | from the first number of substeps on without them: a pull is never a reason to refuse a step, or to give up limit or contact |
//! | the same, all that done, `contact.yield = "stop"` | none: the step is refused |
//! | … `contact.yield = "strain"` | edges may end over their limit: rows aim at the rest length as ever; then at 1, 2, 4, … times the strain that the cloth has already |
//! | … `contact.yield = "contact"` | nothing is verified: solids push as ever; then they push no more |
//!
//! Where limit or contact is given up, each stage is tried in shorter and shorter substeps again, from the planned ones
//! on. A step that is refused leaves the state as it was.
//!
//! A step starts with as many doublings as the one before needed, or one less where it needed no more than it started
//! with. Where pulls were left out, or limit or contact was given up, it starts with as many as that one did. Rows are
//! the edges as constraints.

use super::intervals::Firmness;
use crate::settings::Yield;

/// Times that the number of substeps is doubled before a step is refused; half of it where something may be given
/// up instead. With 5 large sheets under a spinning box are refused.
const MOST_DOUBLINGS: u32 = 8;

/// Why an attempt at a step failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trouble {
    /// An edge is over its limit, and repairs do not bring it back.
    Overstretched,
    /// A solid blocks every motion that was tried.
    Blocked,
    /// A position stopped being a number.
    NotFinite,
    /// The user has asked to stop.
    Interrupted,
}

impl Trouble {
    /// Doublings of a step at most, those of earlier steps that it starts with included. Cloth past a solid gets by in
    /// substeps as short as they need to be: where it is 0.03 mm thick, 16 were needed. Edges are as stiff in any
    /// number of substeps: more than a few hundred times as many only take longer.
    fn most_ever(self) -> u32 {
        if self == Self::Blocked { 2 * MOST_DOUBLINGS } else { MOST_DOUBLINGS }
    }
}

/// How an attempt is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Trial {
    /// How often the planned number of substeps is doubled.
    pub(super) doublings: u32,
    /// What it does not insist on.
    pub(super) waived: Waived,
    /// False: pulls do not act in it.
    pub(super) pulls: bool,
}

/// What the attempts of a step have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Case {
    /// Doublings of the first attempt.
    pub(super) first: u32,
    /// What is given up where strain limit and contact cannot both be kept.
    pub(super) policy: Yield,
    /// True when pulls act.
    pub(super) pulls: bool,
}

/// What an attempt does not insist on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Waived {
    /// It insists on both.
    Nothing,
    /// Edges may end over their limit; where `loose`, rows aim at more than the rest length.
    Strain { loose: bool },
    /// Cloth may end in solids; where they do not `push`, nothing keeps it out.
    Contact { push: bool },
}

impl Trial {
    /// The first attempt of a step, after so many doublings in the step before.
    pub(super) fn first(doublings: u32) -> Self {
        Self { doublings, waived: Waived::Nothing, pulls: true }
    }

    /// What is tried when this attempt met with a trouble; none: nothing is left. `apart` says whether pins are further
    /// apart than cloth can reach.
    pub(super) fn next(self, trouble: Trouble, case: Case, apart: impl FnOnce() -> bool) -> Option<Self> {
        let Self { doublings, waived, pulls } = self;
        let Case { first, policy, .. } = case;
        if trouble == Trouble::Interrupted {
            return None;
        }
        let pulled = pulls && case.pulls;
        let may_give_up = pulled || policy != Yield::Stop;
        let most = if may_give_up { MOST_DOUBLINGS / 2 } else { MOST_DOUBLINGS };
        let from = if self.insists() { first } else { 0 };
        // Pins that are too far apart stay so in any number of substeps, with pulls or without.
        let hopeless = self.insists() && doublings == first + 1 && apart();
        if doublings < (from + most).min(trouble.most_ever()) && !hopeless {
            return Some(Self { doublings: doublings + 1, ..self });
        }
        if self.insists() && pulled && !hopeless {
            return Some(Self { doublings: first, pulls: false, ..self });
        }
        let waived = match (waived, policy) {
            (Waived::Nothing, Yield::Strain) => Waived::Strain { loose: false },
            (Waived::Nothing, Yield::Contact) => Waived::Contact { push: true },
            (Waived::Strain { loose: false }, _) => Waived::Strain { loose: true },
            (Waived::Contact { push: true }, _) => Waived::Contact { push: false },
            (Waived::Nothing | Waived::Strain { .. } | Waived::Contact { .. }, _) => return None,
        };
        Some(Self { doublings: 0, waived, pulls: false })
    }

    /// True when both limit and contact are insisted on.
    pub(super) fn insists(self) -> bool {
        self.waived == Waived::Nothing
    }

    /// The doublings that the next step starts with, when this attempt was accepted. Don't carry extra ones over from a
    /// step in which something was given up; later steps may succeed without them.
    pub(super) fn carried_over(self, first: u32) -> u32 {
        match self.waived {
            Waived::Nothing if self.pulls && self.doublings > first => self.doublings,
            Waived::Nothing if self.pulls => first.saturating_sub(1),
            Waived::Nothing | Waived::Strain { .. } | Waived::Contact { .. } => first,
        }
    }

    /// How firm solids are.
    pub(super) fn firmness(self) -> Firmness {
        match self.waived {
            Waived::Nothing | Waived::Strain { .. } => Firmness::Verified,
            Waived::Contact { push: true } => Firmness::Pushing,
            Waived::Contact { push: false } => Firmness::None,
        }
    }

    /// The strain that rows aim at, for cloth with a strain already: more than 0 only where they are loose.
    pub(super) fn loose_strain(self, already: f64) -> f64 {
        if self.waived == (Waived::Strain { loose: true }) { already * f64::from(1 << self.doublings) } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All attempts at a step that always meets with the same trouble.
    fn attempts(trouble: Trouble, first: u32, policy: Yield, apart: bool) -> Vec<Trial> {
        tries(trouble, Case { first, policy, pulls: false }, apart)
    }

    fn tries(trouble: Trouble, case: Case, apart: bool) -> Vec<Trial> {
        std::iter::successors(Some(Trial::first(case.first)), |trial| trial.next(trouble, case, || apart)).collect()
    }

    fn doublings(trials: &[Trial], waived: Waived) -> Vec<u32> {
        trials.iter().filter(|trial| trial.waived == waived).map(|trial| trial.doublings).collect()
    }

    #[test]
    fn troubles_double_the_substeps_until_the_step_is_refused() {
        for trouble in [Trouble::Overstretched, Trouble::Blocked, Trouble::NotFinite] {
            let trials = attempts(trouble, 0, Yield::Stop, false);
            assert_eq!(doublings(&trials, Waived::Nothing), (0..=8).collect::<Vec<_>>());
            assert_eq!(trials.len(), 9);
        }
    }

    #[test]
    fn an_interrupt_ends_the_step_at_once() {
        for policy in [Yield::Stop, Yield::Strain, Yield::Contact] {
            assert_eq!(attempts(Trouble::Interrupted, 0, policy, false).len(), 1);
        }
    }

    #[test]
    fn pins_out_of_reach_are_tried_twice() {
        assert_eq!(attempts(Trouble::Overstretched, 3, Yield::Stop, true), [Trial::first(3), Trial::first(4)]);
    }

    #[test]
    fn limit_or_contact_is_given_up_in_two_stages_each_in_shorter_and_shorter_substeps() {
        let strain = attempts(Trouble::Blocked, 1, Yield::Strain, false);
        assert_eq!(doublings(&strain, Waived::Nothing), [1, 2, 3, 4, 5]);
        assert_eq!(doublings(&strain, Waived::Strain { loose: false }), [0, 1, 2, 3, 4]);
        assert_eq!(doublings(&strain, Waived::Strain { loose: true }), [0, 1, 2, 3, 4]);
        assert_eq!(strain.len(), 15);
        assert_eq!(strain.iter().map(|trial| trial.loose_strain(0.5)).fold(0.0, f64::max), 8.0);
        let contact = attempts(Trouble::Overstretched, 0, Yield::Contact, false);
        assert_eq!(doublings(&contact, Waived::Contact { push: true }), [0, 1, 2, 3, 4]);
        assert_eq!(doublings(&contact, Waived::Contact { push: false }), [0, 1, 2, 3, 4]);
        assert_eq!(contact.len(), 15);
    }

    #[test]
    fn pulls_are_given_up_before_a_step_is_refused_and_before_limit_or_contact() {
        let case = Case { first: 1, policy: Yield::Stop, pulls: true };
        let trials = tries(Trouble::Overstretched, case, false);
        assert_eq!(doublings(&trials, Waived::Nothing), [1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 6, 7, 8]);
        assert!(trials[..5].iter().all(|trial| trial.pulls) && trials[5..].iter().all(|trial| !trial.pulls));
        let trials = tries(Trouble::Blocked, Case { policy: Yield::Strain, ..case }, false);
        assert_eq!(trials.len(), 20);
        assert!(trials[5..10].iter().all(|trial| trial.insists() && !trial.pulls));
        assert!(trials[10..].iter().all(|trial| !trial.insists() && !trial.pulls));
        // Pins out of reach are so without pulls too.
        assert_eq!(tries(Trouble::Overstretched, case, true), [Trial::first(1), Trial::first(2)]);
    }

    #[test]
    fn doublings_end_however_many_steps_need_them() {
        let last = |trouble| attempts(trouble, 7, Yield::Stop, false).last().map(|trial| trial.doublings);
        assert_eq!(last(Trouble::Overstretched), Some(8));
        assert_eq!(last(Trouble::Blocked), Some(15));
        assert_eq!(attempts(Trouble::Blocked, 14, Yield::Stop, false).len(), 3);
    }

    #[test]
    fn the_next_step_starts_with_what_this_one_needed_or_one_doubling_less() {
        assert_eq!(Trial::first(3).carried_over(3), 2);
        assert_eq!(Trial::first(0).carried_over(0), 0);
        assert_eq!(Trial::first(5).carried_over(3), 5);
        assert_eq!(Trial { waived: Waived::Contact { push: true }, ..Trial::first(4) }.carried_over(3), 3);
        assert_eq!(Trial { pulls: false, ..Trial::first(3) }.carried_over(3), 3);
    }
}
