//! placeholder
use crate::frames::FrameRow;
use crate::report::Report;
use crate::tally::Probe;
pub(crate) struct Page<'a> {
    pub(crate) report: &'a Report,
    pub(crate) rows: &'a [FrameRow],
    pub(crate) probes: &'a [Probe],
    pub(crate) scene_text: &'a str,
    pub(crate) command: &'a str,
}
impl Page<'_> {
    pub(crate) fn render(&self) -> String {
        String::new()
    }
}
