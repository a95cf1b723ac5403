//! Steps in which both promises cannot be kept: `contact.yield` says which one gives way.
//!
//! ```text
//! strain    rows aim at a share of the limit as ever; then at 1, 1.2, 2, 4 times the strain that the cloth has already
//! contact   nothing is verified, solids push as ever; then they push no more
//! ```
//!
//! Each is tried with shorter and shorter substeps, and the first that comes through is taken.

use super::network::Network;
use super::travel::Pace;
use super::windows::Firmness;
use super::{Certifier, windows};
use crate::contact::Solids;
use crate::error::StepError;
use crate::integrate::{Motion, StepContext};
use crate::measure;
use crate::report::Work;
use crate::settings::{Limiter, Yield};

/// How far rows are loosened, by the strain that the cloth has already.
const LOOSER: [f64; 4] = [1.0, 1.2, 2.0, 4.0];
/// Times that the number of substeps is doubled for each.
const DOUBLINGS: u32 = 4;

impl Certifier {
    /// Ends a step that cannot keep both promises with one of them broken, or not at all.
    pub(super) fn give_way(
        &mut self,
        limiter: &Limiter,
        context: StepContext<'_>,
        solids: &mut Solids,
        motion: &mut Motion,
        pace: &Pace,
        work: &mut Work,
    ) -> Result<(), StepError> {
        let refusal = self.refuse(context);
        let way = match self.yields {
            Yield::Stop => None,
            Yield::Strain => self.stretch_on(context, solids, motion, pace),
            Yield::Contact => self.pass_through(limiter, context, solids, motion, pace, work),
        };
        let Some(doublings) = way else { return Err(refusal) };
        self.hand_over(context, motion);
        work.contact = self.contact_work(context.h / f64::from(pace.substeps << doublings), true);
        if self.yields == Yield::Contact {
            work.contact.breach = windows::breach(context, &self.end, false);
        }
        Ok(())
    }

    /// A way that leaves solids alone, however far edges stretch; the doublings it took.
    fn stretch_on(
        &mut self,
        context: StepContext<'_>,
        solids: &mut Solids,
        motion: &Motion,
        pace: &Pace,
    ) -> Option<u32> {
        let already = measure::extreme_strains(context.model, &context.state.x).map_or(0.0, |(most, _)| most.strain);
        let mut way = self.travel_somehow(context, solids, motion, pace);
        for looser in LOOSER {
            if way.is_some() {
                break;
            }
            let aim = 1.0 + looser * already.max(self.stretch);
            let mut loose = Network::new(context.model, [aim; 2], self.soft.is_some());
            loose.hold(context.model, context.drivers, self.own.tethers);
            let tight = std::mem::replace(&mut self.network, loose);
            way = self.travel_somehow(context, solids, motion, pace);
            self.network = tight;
        }
        self.slots.unsort(&self.x, &mut self.end, |x| x);
        way
    }

    fn travel_somehow(
        &mut self,
        context: StepContext<'_>,
        solids: &mut Solids,
        motion: &Motion,
        pace: &Pace,
    ) -> Option<u32> {
        (0..=DOUBLINGS).find(|&doublings| self.travel(context, solids, &motion.velocity, pace, doublings))
    }

    /// A way that keeps every edge within its limit, whatever solid is there; the doublings it took.
    fn pass_through(
        &mut self,
        limiter: &Limiter,
        context: StepContext<'_>,
        solids: &mut Solids,
        motion: &Motion,
        pace: &Pace,
        work: &mut Work,
    ) -> Option<u32> {
        // Solids push at first; but what they stretch so may be more than can be mended.
        let way = [Firmness::Pushing, Firmness::None].into_iter().find_map(|firmness| {
            self.windows.set_firmness(firmness);
            (0..=DOUBLINGS).find(|&doublings| {
                self.travel(context, solids, &motion.velocity, pace, doublings)
                    && self.arrive(limiter, context, solids, &mut work.limiter)
            })
        });
        self.windows.set_firmness(Firmness::Verified);
        way
    }
}
