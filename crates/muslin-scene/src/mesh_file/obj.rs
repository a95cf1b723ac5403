//! Wavefront OBJ: `v`, `vt`, `f` and `l`. All objects and groups of a file make one mesh; normals, materials and the
//! rest are passed over.

use std::borrow::Cow;

use muslin::mesh::UvMap;
use muslin::{DVec2, DVec3, Mesh};

use super::{Fault, FilePlace, finite_number, quoted};

/// A file as far as it has been read.
#[derive(Default)]
struct Reader {
    positions: Vec<DVec3>,
    texture: Vec<DVec2>,
    faces: Vec<Vec<u32>>,
    /// Texture coordinate of each face corner, where it has one.
    face_texture: Vec<Vec<Option<u32>>>,
    lines: Vec<[u32; 2]>,
    /// Faces and lines may name what comes later in the file, so what they named is checked at the end.
    named: Vec<Named>,
}

/// The greatest indices named in a line of the file.
struct Named {
    line: usize,
    vertex: u32,
    texture: Option<u32>,
}

/// A mesh from the content of an OBJ file. Texture coordinates are kept if every face corner has one.
pub(super) fn parse(bytes: &[u8]) -> Result<Mesh, Fault> {
    let mut reader = Reader::default();
    for (line, statement) in statements(bytes) {
        reader.take(line, &statement).map_err(|message| Fault::at_line(line, message))?;
    }
    reader.finish()
}

impl Reader {
    fn take(&mut self, line: usize, statement: &str) -> Result<(), String> {
        let mut words = statement.split_ascii_whitespace();
        match words.next() {
            Some("v") => {
                let [x, y, z] = numbers(words, "v", "three coordinates")?;
                self.positions.push(DVec3::new(x, y, z));
            }
            // One-dimensional textures leave out v.
            Some("vt") => {
                let [u, v] = numbers(words.chain(["0"]), "vt", "two coordinates")?;
                self.texture.push(DVec2::new(u, v));
            }
            Some("f") => self.face(line, words)?,
            Some("l") => self.polyline(line, words)?,
            _ => {}
        }
        Ok(())
    }

    fn face<'a>(&mut self, line: usize, words: impl Iterator<Item = &'a str>) -> Result<(), String> {
        let corners = self.corners(line, words)?;
        if corners.len() < 3 {
            return Err(format!("a face needs at least three vertices, found {}", corners.len()));
        }
        self.faces.push(corners.iter().map(|corner| corner.0).collect());
        self.face_texture.push(corners.iter().map(|corner| corner.1).collect());
        Ok(())
    }

    fn polyline<'a>(&mut self, line: usize, words: impl Iterator<Item = &'a str>) -> Result<(), String> {
        let corners = self.corners(line, words)?;
        if corners.len() < 2 {
            return Err(format!("a line needs at least two vertices, found {}", corners.len()));
        }
        self.lines.extend(corners.windows(2).map(|pair| [pair[0].0, pair[1].0]));
        Ok(())
    }

    /// The vertices named by `vertex`, `vertex/texture`, `vertex//normal` or `vertex/texture/normal`.
    fn corners<'a>(
        &mut self,
        line: usize,
        words: impl Iterator<Item = &'a str>,
    ) -> Result<Vec<(u32, Option<u32>)>, String> {
        let corner = |word: &str| {
            let mut parts = word.split('/');
            let vertex = index(parts.next().unwrap_or_default(), self.positions.len(), "vertex")?;
            let texture = match parts.next() {
                None | Some("") => None,
                Some(text) => Some(index(text, self.texture.len(), "texture coordinate")?),
            };
            Ok((vertex, texture))
        };
        let corners = words.map(corner).collect::<Result<Vec<_>, String>>()?;
        if let Some(vertex) = corners.iter().map(|corner| corner.0).max() {
            let texture = corners.iter().filter_map(|corner| corner.1).max();
            self.named.push(Named { line, vertex, texture });
        }
        Ok(corners)
    }

    fn finish(self) -> Result<Mesh, Fault> {
        if self.positions.is_empty() {
            return Err(Fault::new(FilePlace::End, "no vertices were found (lines such as `v 0.1 0.2 0.3`)"));
        }
        for Named { line, vertex, texture } in self.named {
            check_named(vertex, self.positions.len(), "vertex", "vertices").map_err(|m| Fault::at_line(line, m))?;
            if let Some(texture) = texture {
                check_named(texture, self.texture.len(), "texture coordinate", "texture coordinates")
                    .map_err(|m| Fault::at_line(line, m))?;
            }
        }
        let corners: Option<Vec<Vec<u32>>> =
            self.face_texture.into_iter().map(|face| face.into_iter().collect()).collect();
        let uvs = corners.filter(|corners| !corners.is_empty()).map(|corners| UvMap { coords: self.texture, corners });
        Ok(Mesh { positions: self.positions, faces: self.faces, lines: self.lines, uvs, ..Mesh::default() })
    }
}

fn check_named(index: u32, count: usize, one: &str, several: &str) -> Result<(), String> {
    if (index as usize) < count {
        return Ok(());
    }
    Err(format!("uses {one} {}, but the file has {count} {several}, counted from 1", u64::from(index) + 1))
}

/// An index counted from 0. The file counts from 1, or with negative numbers back from the last one so far.
fn index(text: &str, so_far: usize, what: &str) -> Result<u32, String> {
    let number: i64 = text.parse().map_err(|_| format!("expected the number of a {what}, found {}", quoted(text)))?;
    let from_zero = match number {
        0 => return Err(format!("found {what} 0, but OBJ files count from 1")),
        1.. => number - 1,
        _ => (so_far as i64)
            .checked_add(number)
            .filter(|&index| index >= 0)
            .ok_or_else(|| format!("{what} {number} counts back past the first: there are {so_far} so far"))?,
    };
    u32::try_from(from_zero).map_err(|_| format!("{what} {number} is too large"))
}

/// The first few words as finite numbers. What follows them (weights, colours) is passed over.
fn numbers<'a, const N: usize>(
    mut words: impl Iterator<Item = &'a str>,
    keyword: &str,
    needs: &str,
) -> Result<[f64; N], String> {
    let mut numbers = [0.0; N];
    for (found, number) in numbers.iter_mut().enumerate() {
        let word = words.next().ok_or_else(|| format!("`{keyword}` needs {needs}, found {found}"))?;
        *number = finite_number(word)?;
    }
    Ok(numbers)
}

/// The statements of a file, each with the number of the line where it starts: comments are cut off, and lines that end
/// in a backslash go on in the next.
fn statements(bytes: &[u8]) -> impl Iterator<Item = (usize, Cow<'_, str>)> {
    let mut lines = bytes.split(|&byte| byte == b'\n').enumerate();
    std::iter::from_fn(move || {
        let (number, bytes) = lines.next()?;
        let mut statement = without_comment(bytes);
        while statement.ends_with('\\') {
            let joined = statement.to_mut();
            joined.pop();
            joined.push(' ');
            joined.push_str(&lines.next().map(|(_, bytes)| without_comment(bytes)).unwrap_or_default());
        }
        Some((number + 1, statement))
    })
}

/// A line up to its comment. Names in old encodings are read as best they can be: only the numbers matter.
fn without_comment(line: &[u8]) -> Cow<'_, str> {
    let line = line.split(|&byte| byte == b'#').next().unwrap_or_default();
    String::from_utf8_lossy(line.trim_ascii_end())
}
