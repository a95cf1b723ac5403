//! The header of a PLY file.

use super::super::{Fault, quoted};

/// What a PLY file says about itself.
pub(super) struct Header {
    pub(super) format: Format,
    pub(super) elements: Vec<Element>,
    /// Bytes up to the first value.
    pub(super) length: usize,
    /// Lines up to the first value.
    pub(super) lines: usize,
}

/// How values are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Text,
    Binary(ByteOrder),
}

/// Which byte of a number comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ByteOrder {
    LeastFirst,
    MostFirst,
}

/// A table of values.
pub(super) struct Element {
    pub(super) name: String,
    /// How many rows the header says there are; the file need not have them.
    pub(super) count: u64,
    pub(super) properties: Vec<Property>,
}

/// A column of a table.
pub(super) struct Property {
    pub(super) name: String,
    /// Type of its value, or of the entries of its list.
    pub(super) scalar: Scalar,
    /// Type of the number that gives the length of the list; none for a single value.
    pub(super) list_length: Option<Scalar>,
}

/// Type of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Scalar {
    fn parse(name: &str) -> Result<Self, String> {
        Ok(match name {
            "char" | "int8" => Self::I8,
            "uchar" | "uint8" => Self::U8,
            "short" | "int16" => Self::I16,
            "ushort" | "uint16" => Self::U16,
            "int" | "int32" => Self::I32,
            "uint" | "uint32" => Self::U32,
            "float" | "float32" => Self::F32,
            "double" | "float64" => Self::F64,
            _ => return Err(format!("expected a type such as `float` or `uchar`, found {}", quoted(name))),
        })
    }

    /// Bytes in a binary file.
    pub(super) fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    fn is_integer(self) -> bool {
        !matches!(self, Self::F32 | Self::F64)
    }
}

impl Element {
    /// Which of its properties has a name.
    pub(super) fn position(&self, name: &str) -> Option<usize> {
        self.properties.iter().position(|property| property.name == name)
    }
}

impl Header {
    /// Reads the header of a file.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, Fault> {
        let mut length = 0;
        let mut format = None;
        let mut elements = Vec::new();
        for (number, line) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
            length += line.len();
            let text = String::from_utf8_lossy(line);
            let words: Vec<&str> = text.split_ascii_whitespace().collect();
            let fault = |message| Fault::at_line(number + 1, message);
            match words.as_slice() {
                ["ply"] if number == 0 => {}
                _ if number == 0 => {
                    return Err(fault(format!("a PLY file starts with `ply`, found {}", quoted(&text))));
                }
                [] | ["comment" | "obj_info", ..] => {}
                ["format", name, _] => format = Some(parse_format(name).map_err(fault)?),
                ["element", name, count] => elements.push(parse_element(name, count).map_err(fault)?),
                ["property", rest @ ..] => add_property(&mut elements, rest).map_err(fault)?,
                ["end_header"] => {
                    let format = format.ok_or_else(|| fault("the header names no `format`".to_owned()))?;
                    return Ok(Self { format, elements, length, lines: number + 1 });
                }
                _ => return Err(fault(format!("this is not a line of a PLY header: {}", quoted(text.trim_end())))),
            }
        }
        Err(Fault::new(super::FilePlace::End, "the header has no end (a line `end_header`)"))
    }
}

fn parse_format(name: &str) -> Result<Format, String> {
    match name {
        "ascii" => Ok(Format::Text),
        "binary_little_endian" => Ok(Format::Binary(ByteOrder::LeastFirst)),
        "binary_big_endian" => Ok(Format::Binary(ByteOrder::MostFirst)),
        _ => Err(format!(
            "expected the format `ascii`, `binary_little_endian` or `binary_big_endian`, found {}",
            quoted(name)
        )),
    }
}

fn parse_element(name: &str, count: &str) -> Result<Element, String> {
    let count = count.parse().map_err(|_| format!("expected the number of `{name}` rows, found {}", quoted(count)))?;
    Ok(Element { name: name.to_owned(), count, properties: Vec::new() })
}

fn add_property(elements: &mut [Element], words: &[&str]) -> Result<(), String> {
    let element = elements.last_mut().ok_or("a property needs an `element` before it")?;
    let (list_length, scalar, name) = match words {
        ["list", length, scalar, name] => (Some(Scalar::parse(length)?), Scalar::parse(scalar)?, *name),
        [scalar, name] => (None, Scalar::parse(scalar)?, *name),
        _ => return Err("expected `property TYPE NAME` or `property list TYPE TYPE NAME`".to_owned()),
    };
    if list_length.is_some_and(|length| !length.is_integer()) {
        return Err(format!("the length of the list `{name}` must be of an integer type"));
    }
    let is_index = matches!(name, "vertex_indices" | "vertex_index" | "vertex1" | "vertex2");
    if is_index && !scalar.is_integer() {
        return Err(format!("`{name}` must be of an integer type"));
    }
    let is_list = matches!(name, "vertex_indices" | "vertex_index");
    if element.name == "face" && is_list && list_length.is_none() {
        return Err(format!("`{name}` must be a list"));
    }
    element.properties.push(Property { name: name.to_owned(), scalar, list_length });
    Ok(())
}
