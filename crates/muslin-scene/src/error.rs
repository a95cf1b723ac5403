//! What can be wrong with a scene, described so that it can be fixed: the line quoted, the key, the value, and a hint.

use std::fmt;
use std::ops::Range;

use miette::{Diagnostic, LabeledSpan, NamedSource, SourceCode};

use crate::document;

/// Longest piece of a value that a message repeats [characters].
const LONGEST_VALUE: usize = 60;

/// Everything that is wrong with a scene. It renders by any miette handler, or plainly by [`SceneError::render`].
#[derive(Debug, Clone)]
pub struct SceneError {
    inner: Box<Inner>,
}

#[derive(Debug, Clone)]
struct Inner {
    source: Option<NamedSource<String>>,
    problems: Vec<Problem>,
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Problem {
    /// What is wrong, in a sentence that names the key and the value.
    pub message: String,
    /// The key concerned, as a dotted path (`cloth.0.pins.1.index`); empty when it is not about a key.
    pub key: String,
    /// The value as the file has it; empty when there is none.
    pub value: Box<str>,
    /// What stands beside the quoted line.
    pub label: Box<str>,
    /// What to do about it.
    pub help: Box<str>,
    /// Where it is in the text [bytes]; none: nothing to quote.
    pub span: Option<Range<usize>>,
}

impl Problem {
    /// A problem of the value of a key; the line is found from the key later.
    pub(crate) fn at(key: impl Into<String>, message: impl Into<String>) -> Self {
        Self { key: key.into(), message: message.into(), label: "here".into(), ..Self::default() }
    }

    /// A problem of no particular key.
    pub(crate) fn general(message: impl Into<String>) -> Self {
        Self { message: message.into(), ..Self::default() }
    }

    pub(crate) fn label(mut self, label: impl Into<Box<str>>) -> Self {
        self.label = label.into();
        self
    }

    pub(crate) fn help(mut self, help: impl Into<Box<str>>) -> Self {
        self.help = help.into();
        self
    }

    pub(crate) fn span(mut self, span: Range<usize>) -> Self {
        self.span = Some(span);
        self
    }

    /// Finds the line and the value that the key stands for; without a line to quote, the message names the file.
    fn resolve(mut self, name: &str, text: &str) -> Self {
        if self.span.is_none() && !self.key.is_empty() {
            self.span = document::locate(text, &self.key);
        }
        if self.span.is_none() {
            self.message = format!("{name}: {}", self.message);
        }
        if let (Some(span), true) = (&self.span, self.value.is_empty() && !self.key.is_empty()) {
            self.value = excerpt(text.get(span.clone()).unwrap_or_default()).into();
        }
        self
    }
}

/// The start of a value, on one line.
pub(crate) fn excerpt(value: &str) -> String {
    let line = value.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= LONGEST_VALUE {
        return line;
    }
    line.chars().take(LONGEST_VALUE).chain(['…']).collect()
}

impl SceneError {
    /// Problems in a text, in the order of its lines.
    pub(crate) fn in_text(name: &str, text: &str, problems: Vec<Problem>) -> Self {
        let mut problems: Vec<_> = problems.into_iter().map(|problem| problem.resolve(name, text)).collect();
        problems.sort_by_key(|problem| problem.span.as_ref().map_or(usize::MAX, |span| span.start));
        let source = NamedSource::new(name, text.to_owned());
        Self { inner: Box::new(Inner { source: Some(source), problems }) }
    }

    /// A problem that no text can be quoted for.
    pub(crate) fn without_text(problem: Problem) -> Self {
        Self { inner: Box::new(Inner { source: None, problems: vec![problem] }) }
    }

    /// All that is wrong, in the order of the file; never empty.
    pub fn problems(&self) -> &[Problem] {
        &self.inner.problems
    }

    /// The name of the file or built-in scene, if the text is known.
    pub fn source_name(&self) -> Option<&str> {
        self.inner.source.as_ref().map(NamedSource::name)
    }

    /// The whole message with quoted lines, without colour, in plain characters.
    pub fn render(&self) -> String {
        let mut out = String::new();
        let theme = miette::GraphicalTheme::none();
        let handler = miette::GraphicalReportHandler::new_themed(theme).with_width(100).with_links(false);
        match handler.render_report(&mut out, self) {
            Ok(()) => out,
            Err(fmt::Error) => self.to_string(),
        }
    }

    fn only(&self) -> Option<&Problem> {
        match self.inner.problems.as_slice() {
            [problem] => Some(problem),
            _ => None,
        }
    }
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.only() {
            Some(problem) => f.write_str(&problem.message),
            None => write!(f, "{} things are wrong with this scene", self.inner.problems.len()),
        }
    }
}

impl std::error::Error for SceneError {}

impl Diagnostic for SceneError {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.only().and_then(Diagnostic::help)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.inner.source.as_ref().map(|source| source as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        self.only().and_then(Diagnostic::labels)
    }

    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn Diagnostic> + 'a>> {
        if self.only().is_some() {
            return None;
        }
        Some(Box::new(self.inner.problems.iter().map(|problem| problem as &dyn Diagnostic)))
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Problem {}

impl Diagnostic for Problem {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        (!self.help.is_empty()).then(|| Box::new(&self.help) as Box<dyn fmt::Display>)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let span = self.span.clone()?;
        let label = LabeledSpan::new_with_span(Some(self.label.to_string()), span);
        Some(Box::new(std::iter::once(label)))
    }
}
