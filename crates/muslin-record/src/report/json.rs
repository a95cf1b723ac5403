//! JSON that people read too: objects over several lines, lists of numbers on one.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{Formatter, PrettyFormatter, Serializer};

/// A value as text, ending in a line break. Numbers read back to the same bits.
pub(crate) fn to_text(value: &impl Serialize) -> Result<Vec<u8>, serde_json::Error> {
    let mut text = Vec::new();
    let layout = Layout { objects: PrettyFormatter::new() };
    value.serialize(&mut Serializer::with_formatter(&mut text, layout))?;
    text.push(b'\n');
    Ok(text)
}

/// Lays objects out like [`PrettyFormatter`] and keeps arrays on their line.
struct Layout {
    objects: PrettyFormatter<'static>,
}

impl Formatter for Layout {
    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        if first { Ok(()) } else { out.write_all(b", ") }
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.objects.begin_object(out)
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.objects.end_object(out)
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.objects.begin_object_key(out, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.objects.begin_object_value(out)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.objects.end_object_value(out)
    }
}

#[cfg(test)]
mod tests {
    use super::to_text;

    #[test]
    fn objects_take_lines_and_lists_do_not() {
        let value = serde_json::json!({"a": [1, 2.5], "b": {"c": null}, "d": [{"e": 1}, {"e": 2}], "f": {}, "g": []});
        let text = String::from_utf8(to_text(&value).unwrap()).unwrap();
        let wanted = r#"{
  "a": [1, 2.5],
  "b": {
    "c": null
  },
  "d": [{
    "e": 1
  }, {
    "e": 2
  }],
  "f": {},
  "g": []
}
"#;
        assert_eq!(text, wanted);
    }
}
