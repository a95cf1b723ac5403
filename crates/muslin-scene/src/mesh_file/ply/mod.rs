//! PLY: text, or binary of either byte order.
//!
//! The header names elements and their properties; what muslin knows is taken, the rest is passed over: of `vertex` the
//! properties `x y z` and a texture coordinate, of `face` the list of vertices and a list of texture coordinates per
//! corner, of `edge` its two ends, which become lines.

mod binary;
mod header;
mod text;

use header::{Element, Format, Header, Property};
use muslin::mesh::UvMap;
use muslin::{DVec2, DVec3, Mesh};

use super::{Fault, FilePlace};
use crate::shape::GREATEST_NUMBER;

/// A mesh from the content of a PLY file.
pub(super) fn parse(bytes: &[u8]) -> Result<Mesh, Fault> {
    let header = Header::parse(bytes)?;
    let mut source: Box<dyn Source> = match header.format {
        Format::Text => Box::new(text::Lines::new(&bytes[header.length..], header.lines)),
        Format::Binary(order) => Box::new(binary::Bytes::new(bytes, header.length, order)),
    };
    let mut parts = Parts::default();
    let mut row = Row::default();
    for element in &header.elements {
        // An element without properties takes no room in the file, however many of it there are said to be.
        let rows = if element.properties.is_empty() { 0 } else { element.count };
        for number in 0..rows {
            let place = source.begin()?;
            let fault = |message| Fault::new(place, format!("{} {number}: {message}", element.name));
            row.read(element, source.as_mut()).map_err(fault)?;
            source.end()?;
            parts.take(element, &row).map_err(fault)?;
        }
    }
    source.finish()?;
    parts.finish()
}

/// Where values come from: lines of text, or bytes.
trait Source {
    /// Goes to the next row of an element and returns where it is.
    fn begin(&mut self) -> Result<FilePlace, Fault>;
    /// Appends the next value: one number, or the numbers of a list.
    fn value(&mut self, property: &Property, to: &mut Vec<f64>) -> Result<(), String>;
    /// Ends a row.
    fn end(&mut self) -> Result<(), Fault>;
    /// Ends the file.
    fn finish(&mut self) -> Result<(), Fault>;
}

/// A row of an element. One is used for all rows: a large file has millions.
#[derive(Default)]
struct Row {
    numbers: Vec<f64>,
    /// Where the numbers of each property end.
    ends: Vec<usize>,
}

impl Row {
    fn read(&mut self, element: &Element, source: &mut dyn Source) -> Result<(), String> {
        self.numbers.clear();
        self.ends.clear();
        for property in &element.properties {
            let value = source.value(property, &mut self.numbers);
            value.map_err(|message| format!("`{}`: {message}", property.name))?;
            self.ends.push(self.numbers.len());
        }
        Ok(())
    }

    /// The numbers of a property.
    fn numbers(&self, property: usize) -> &[f64] {
        let start = if property == 0 { 0 } else { self.ends[property - 1] };
        &self.numbers[start..self.ends[property]]
    }
}

/// A file as far as it has been read.
#[derive(Default)]
struct Parts {
    positions: Vec<DVec3>,
    /// One for each vertex, or none at all.
    vertex_texture: Vec<DVec2>,
    faces: Vec<Vec<u32>>,
    /// One for each corner of the faces that have any.
    corner_texture: Vec<DVec2>,
    lines: Vec<[u32; 2]>,
}

/// Names under which programs write the texture coordinate of a vertex.
const TEXTURE_NAMES: [[&str; 2]; 4] = [["s", "t"], ["u", "v"], ["texture_u", "texture_v"], ["texture_s", "texture_t"]];

impl Parts {
    fn take(&mut self, element: &Element, row: &Row) -> Result<(), String> {
        let numbers = |name: &str| element.position(name).map(|property| row.numbers(property));
        let number = |name: &str| numbers(name).and_then(|numbers| numbers.first().copied());
        match element.name.as_str() {
            "vertex" => {
                let (Some(x), Some(y), Some(z)) = (number("x"), number("y"), number("z")) else {
                    return Err("the header gives vertices no `x`, `y` and `z`".to_owned());
                };
                self.positions.push(finite(DVec3::new(x, y, z))?);
                let texture = TEXTURE_NAMES.iter().find_map(|[u, v]| number(u).zip(number(v)));
                self.vertex_texture.extend(texture.map(|(u, v)| DVec2::new(u, v)));
            }
            "face" => {
                let indices = numbers("vertex_indices").or_else(|| numbers("vertex_index"));
                let face = indices.ok_or("the header gives faces no list `vertex_indices`")?;
                if face.len() < 3 {
                    return Err(format!("a face needs at least three vertices, found {}", face.len()));
                }
                self.faces.push(face.iter().map(|&index| whole(index)).collect::<Result<_, _>>()?);
                let texture = numbers("texcoord").filter(|texture| texture.len() == 2 * face.len());
                let pairs = texture.unwrap_or_default().chunks_exact(2);
                self.corner_texture.extend(pairs.map(|pair| DVec2::new(pair[0], pair[1])));
            }
            "edge" => {
                let ends = number("vertex1").zip(number("vertex2"));
                let (a, b) = ends.ok_or("the header gives edges no `vertex1` and `vertex2`")?;
                self.lines.push([whole(a)?, whole(b)?]);
            }
            "tristrips" => return Err("triangle strips are not supported: export the mesh with faces".to_owned()),
            _ => {}
        }
        Ok(())
    }

    fn finish(self) -> Result<Mesh, Fault> {
        let at_end = |message: String| Fault::new(FilePlace::End, message);
        let count = self.positions.len();
        if count == 0 {
            return Err(at_end("no vertices were found".to_owned()));
        }
        let exists = |vertices: &[u32]| vertices.iter().find(|&&vertex| vertex as usize >= count).copied();
        let bad_face = self.faces.iter().enumerate().find_map(|(n, face)| exists(face).map(|v| ("face", n, v)));
        let bad_line = self.lines.iter().enumerate().find_map(|(n, line)| exists(line).map(|v| ("edge", n, v)));
        if let Some((what, number, vertex)) = bad_face.or(bad_line) {
            let message =
                format!("{what} {number} uses vertex {vertex}, but the file has {count} vertices, counted from 0");
            return Err(at_end(message));
        }
        let uvs = self.uvs();
        Ok(Mesh { positions: self.positions, faces: self.faces, lines: self.lines, uvs, ..Mesh::default() })
    }

    /// Texture coordinates by corner if every corner has one, else by vertex if every vertex has one. Coordinates that
    /// are not finite are as good as none.
    fn uvs(&self) -> Option<UvMap> {
        let corner_count: usize = self.faces.iter().map(Vec::len).sum();
        let usable =
            |uvs: &[DVec2], count: usize| count > 0 && uvs.len() == count && uvs.iter().all(|uv| uv.is_finite());
        if usable(&self.corner_texture, corner_count) {
            let mut next = 0..corner_count as u32;
            let corners = self.faces.iter().map(|face| next.by_ref().take(face.len()).collect()).collect();
            Some(UvMap { coords: self.corner_texture.clone(), corners })
        } else if usable(&self.vertex_texture, self.positions.len()) && corner_count > 0 {
            Some(UvMap { coords: self.vertex_texture.clone(), corners: self.faces.clone() })
        } else {
            None
        }
    }
}

fn finite(p: DVec3) -> Result<DVec3, String> {
    if !p.is_finite() {
        return Err(format!("its coordinates {p} are not all finite"));
    }
    let within = p.abs().max_element() <= GREATEST_NUMBER;
    if within { Ok(p) } else { Err(format!("its coordinates {p} are not all within {GREATEST_NUMBER:e}")) }
}

/// A vertex number. Every integer type of PLY fits a float exactly, so the conversion loses nothing.
fn whole(number: f64) -> Result<u32, String> {
    if number >= 0.0 && number <= f64::from(u32::MAX) && number.fract() == 0.0 {
        Ok(number as u32)
    } else {
        Err(format!("{number} is not a vertex number"))
    }
}
