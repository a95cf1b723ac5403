//! What a run writes: PC2 caches are not optional.

use super::Checker;
use crate::error::Problem;
use crate::typed::{CacheFormat, Output};

/// Whether MDD caches are to be written.
pub(super) fn check(check: &mut Checker<'_>, output: &Output) -> bool {
    let mdd = output.caches.contains(&CacheFormat::Mdd);
    if !output.caches.contains(&CacheFormat::Pc2) {
        let fault = if output.caches.is_empty() { "is empty" } else { "lacks \"pc2\"" };
        let message = format!("`output.caches` {fault}, but muslin needs PC2 caches itself");
        let wanted = if mdd { "[\"pc2\", \"mdd\"]" } else { "[\"pc2\"]" };
        let help = format!("`--resume`, `muslin render` and report.html read them: write `caches = {wanted}`");
        check.report(Problem::at("output.caches", message).label("\"pc2\" is missing").help(help));
    }
    mdd
}
