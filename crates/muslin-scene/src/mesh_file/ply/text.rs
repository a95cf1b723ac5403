//! Values written as text, one row of an element a line.

use std::borrow::Cow;

use super::super::{Fault, FilePlace, quoted};
use super::Source;
use super::header::Property;

/// The lines of a file after its header.
pub(super) struct Lines<'a> {
    rest: &'a [u8],
    /// Number of the line under way, counted from 1.
    line: usize,
    /// Its words not taken yet, last first.
    words: Vec<Cow<'a, str>>,
}

impl<'a> Lines<'a> {
    /// Of the bytes after a header of so many lines.
    pub(super) fn new(rest: &'a [u8], header_lines: usize) -> Self {
        Self { rest, line: header_lines, words: Vec::new() }
    }

    /// The words of the next line that has any; false at the end of the file.
    fn next_line(&mut self) -> bool {
        while !self.rest.is_empty() {
            let end = self.rest.iter().position(|&byte| byte == b'\n').unwrap_or(self.rest.len());
            let line = &self.rest[..end];
            self.rest = self.rest.get(end + 1..).unwrap_or_default();
            self.line += 1;
            let words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
            self.words = words.map(String::from_utf8_lossy).collect();
            self.words.reverse();
            if !self.words.is_empty() {
                return true;
            }
        }
        false
    }

    fn number(&mut self) -> Result<f64, String> {
        let word = self.words.pop().ok_or("the line has too few values")?;
        word.parse().map_err(|_| format!("expected a number, found {}", quoted(&word)))
    }
}

impl Source for Lines<'_> {
    fn begin(&mut self) -> Result<FilePlace, Fault> {
        if self.next_line() {
            return Ok(FilePlace::Line(self.line));
        }
        Err(Fault::new(FilePlace::End, "the file has fewer rows than its header states"))
    }

    fn value(&mut self, property: &Property, to: &mut Vec<f64>) -> Result<(), String> {
        if property.list_length.is_none() {
            to.push(self.number()?);
            return Ok(());
        }
        let length = self.number()?;
        if length.fract() != 0.0 || !(0.0..=self.words.len() as f64).contains(&length) {
            return Err(format!("the list should have {length} entries, but {} follow", self.words.len()));
        }
        for _ in 0..length as usize {
            to.push(self.number()?);
        }
        Ok(())
    }

    fn end(&mut self) -> Result<(), Fault> {
        match self.words.last() {
            None => Ok(()),
            Some(word) => {
                let message = format!("the line has too many values, from {} on", quoted(word));
                Err(Fault::at_line(self.line, message))
            }
        }
    }

    fn finish(&mut self) -> Result<(), Fault> {
        if self.next_line() {
            return Err(Fault::at_line(self.line, "the file has more rows than its header states"));
        }
        Ok(())
    }
}
