//! The place of the player on the page, and what it needs: the run, packed, and the program itself, built from `web/`.

use maud::{Markup, PreEscaped, html};

use super::text::prose;
use crate::payload::Payload;

/// The program. It fills the section `#player` and gives life to links and charts.
pub(super) const PROGRAM: &str = include_str!("player/player.js");
/// Its part of the style sheet.
pub(super) const STYLE: &str = include_str!("player/player.css");

/// What the page has to play.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Player<'a> {
    /// A run.
    Ready(&'a Payload),
    /// Nothing, and why: a sentence, with code between backticks.
    Absent(&'a str),
}

impl Player<'_> {
    /// A run that has not ended.
    pub(crate) const UNDER_WAY: Self = Player::Absent(
        "The run can be played here once it has ended; `muslin run` with `--resume` continues one that was cut off.",
    );
    /// A run of which [`super::PAGE_LIMIT`] leaves nothing.
    pub(crate) const TOO_LARGE: Self = Player::Absent(
        "The run cannot be played here: not even its first, worst and last frame fit on a page of 25 MB. \
         `muslin render` makes pictures from the caches.",
    );

    /// The section that the program fills; without it, a sentence stands there.
    pub(super) fn section(&self) -> Markup {
        let sentence = match self {
            Self::Ready(_) => {
                "The moving picture needs a browser with JavaScript and WebGL. All else on this page does without."
            }
            Self::Absent(why) => why,
        };
        html! {
            section #player aria-label="Playback of the run" {
                p.note { (prose(sentence)) }
            }
        }
    }

    /// The program's part of the style sheet, when it is there.
    pub(super) fn style(&self) -> &'static str {
        match self {
            Self::Ready(_) => STYLE,
            Self::Absent(_) => "",
        }
    }

    /// The run and the program, as they are, because browsers do not unescape scripts. None can end its element: tests
    /// see that neither header nor base64 has a `<`, and that the program has no end tag.
    pub(super) fn scripts(&self) -> Markup {
        let Self::Ready(Payload { header, frames }) = self else { return Markup::default() };
        html! {
            script type="application/json" id="muslin-run" { (PreEscaped(header)) }
            script type="application/octet-stream" id="muslin-frames" { (PreEscaped(frames)) }
            script type="module" { (PreEscaped(PROGRAM)) }
        }
    }
}
