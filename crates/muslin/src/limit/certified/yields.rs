//! Steps in which both promises cannot be kept: `contact.yield` says which one gives way.
//!
//! ```text
//! strain    rows aim at the rest length as ever; then at 1, 2, 4, … times the strain that the cloth has already
//! contact   nothing is verified, solids push as ever; then they push no more
//! ```
//!
//! Each is tried in shorter and shorter substeps, and the first that succeeds is taken.

use glam::DVec3;

use super::cloth::{ClothSolver, MOST_DOUBLINGS};
use super::intervals::{self, Firmness};
use super::network::Network;
use super::substeps::Plan;
use crate::contact::Solids;
use crate::error::StepError;
use crate::integrate::StepContext;
use crate::measure;
use crate::report::{ContactWork, LimiterWork};
use crate::settings::Yield;

impl ClothSolver {
    /// Ends a step that cannot keep both promises with one of them broken, or not at all.
    pub(super) fn give_way(
        &mut self,
        context: StepContext<'_>,
        solids: &mut Solids,
        velocity: &[DVec3],
        plan: &Plan,
        done: &mut LimiterWork,
    ) -> Result<ContactWork, StepError> {
        let refusal = self.refuse(context);
        let way = match self.yields {
            Yield::Stop => None,
            Yield::Strain => self.stretch_on(context, solids, velocity, plan),
            Yield::Contact => self.pass_through(context, solids, velocity, plan, done),
        };
        let Some(doublings) = way else { return Err(refusal) };
        let h = context.h / f64::from(plan.substeps(doublings));
        let breach = if self.yields == Yield::Contact { intervals::breach(context, &self.end, false) } else { 0.0 };
        Ok(ContactWork {
            contacts: self.intervals.planes.contacts(),
            truncated: true,
            impulse: self.intervals.planes.impulse(h),
            breach,
        })
    }

    /// A motion that passes through no solid, however far edges stretch; the doublings it took.
    fn stretch_on(
        &mut self,
        context: StepContext<'_>,
        solids: &mut Solids,
        velocity: &[DVec3],
        plan: &Plan,
    ) -> Option<u32> {
        let already = measure::extreme_strains(context.model, &context.state.x).map_or(0.0, |(most, _)| most.strain);
        let strain = already.max(self.limiter.stretch);
        let mut way = (0..=MOST_DOUBLINGS / 2).find(|&n| self.advance(context, solids, velocity, plan, n).is_ok());
        way = way.or_else(|| {
            (0..=MOST_DOUBLINGS / 2).find(|&n| {
                let mut loose = Network::new(context.model, [1.0 + strain * f64::from(1 << n); 2], 0.0);
                loose.hold(context, self.own.tethers);
                let tight = std::mem::replace(&mut self.network, loose);
                let passed = self.advance(context, solids, velocity, plan, n);
                self.network = tight;
                passed.is_ok()
            })
        });
        self.slots.unsort(&self.x, &mut self.end, |x| x);
        way
    }

    /// A motion that keeps every edge within its limit, whatever solid is there; the doublings it took.
    fn pass_through(
        &mut self,
        context: StepContext<'_>,
        solids: &mut Solids,
        velocity: &[DVec3],
        plan: &Plan,
        done: &mut LimiterWork,
    ) -> Option<u32> {
        // Solids push at first; but what they stretch so may be more than can be mended.
        let way = [Firmness::Pushing, Firmness::None].into_iter().find_map(|firmness| {
            self.intervals.set_firmness(firmness);
            (0..=MOST_DOUBLINGS / 2).find(|&n| self.attempt(context, solids, velocity, plan, n, done).is_ok())
        });
        self.intervals.set_firmness(Firmness::Verified);
        way
    }
}
