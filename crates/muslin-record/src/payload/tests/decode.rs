//! A reader of payloads, written from the contract with `web/` and not from the encoder.

use base64::Engine;
use glam::DVec3;
use serde_json::Value;

use crate::payload::Payload;

/// Everything a payload holds.
pub(super) struct Decoded {
    pub(super) header: Value,
    /// Numbers of the stored frames.
    pub(super) frames: Vec<u64>,
    pub(super) cloths: Vec<DecodedCloth>,
    pub(super) solids: Vec<DecodedSolid>,
}

#[derive(Default)]
pub(super) struct DecodedSolid {
    pub(super) triangles: Vec<u32>,
    /// By stored frame; one that does not move has one.
    pub(super) positions: Vec<Vec<DVec3>>,
}

#[derive(Default)]
pub(super) struct DecodedCloth {
    pub(super) triangles: Vec<u32>,
    pub(super) lines: Vec<u32>,
    /// The vertex of each display vertex.
    pub(super) origins: Vec<u32>,
    pub(super) coords: Vec<f32>,
    /// By stored frame.
    pub(super) positions: Vec<Vec<DVec3>>,
    pub(super) strains: Vec<Vec<u8>>,
}

pub(super) fn decode(payload: &Payload) -> Decoded {
    let header: Value = serde_json::from_str(&payload.header).unwrap();
    let packed = base64::engine::general_purpose::STANDARD.decode(&payload.frames).unwrap();
    let bytes = miniz_oxide::inflate::decompress_to_vec(&packed).unwrap();
    let mut reader = Reader { bytes: &bytes };
    let frames: Vec<u64> = header["frames"].as_array().unwrap().iter().map(|frame| frame.as_u64().unwrap()).collect();
    let parts = header["cloths"].as_array().unwrap();
    let mut cloths: Vec<_> = parts.iter().map(|part| reader.shape(part)).collect();
    let mut codes: Vec<_> = parts.iter().map(|part| Codes::new(number(part, "vertices"))).collect();
    let solid_parts = header["colliders"].as_array().unwrap();
    let triangles = |part: &Value, reader: &mut Reader| reader.numbers(3 * number(part, "triangles"));
    let mut solids: Vec<_> = solid_parts
        .iter()
        .map(|part| DecodedSolid { triangles: triangles(part, &mut reader), ..DecodedSolid::default() })
        .collect();
    let mut solid_codes: Vec<_> = solid_parts.iter().map(|part| Codes::new(number(part, "vertices"))).collect();
    for slot in 0..frames.len() {
        for ((cloth, codes), part) in cloths.iter_mut().zip(&mut codes).zip(parts) {
            reader.places(codes);
            reader.strains(codes);
            cloth.positions.push(codes.positions(&part["box"]));
            cloth.strains.push(codes.strains.clone());
        }
        for ((solid, codes), part) in solids.iter_mut().zip(&mut solid_codes).zip(solid_parts) {
            if slot == 0 || part["moves"].as_bool().unwrap() {
                reader.places(codes);
                solid.positions.push(codes.positions(&part["box"]));
            }
        }
    }
    assert!(reader.bytes.is_empty(), "{} bytes too many", reader.bytes.len());
    Decoded { header, frames, cloths, solids }
}

fn number(part: &Value, key: &str) -> usize {
    part[key].as_u64().unwrap() as usize
}

/// Codes of the frame read last.
struct Codes {
    places: [Vec<u16>; 3],
    strains: Vec<u8>,
}

impl Codes {
    fn new(vertices: usize) -> Self {
        Self { places: [0; 3].map(|_: i32| vec![0; vertices]), strains: vec![0; vertices] }
    }

    fn positions(&self, bounds: &Value) -> Vec<DVec3> {
        let vector = |key: &str| DVec3::from([0, 1, 2].map(|axis| bounds[key][axis].as_f64().unwrap()));
        let (min, size) = (vector("min"), vector("size"));
        let code = |vertex: usize| DVec3::from([0, 1, 2].map(|axis| f64::from(self.places[axis][vertex])));
        (0..self.strains.len()).map(|vertex| min + size * code(vertex) / 65535.0).collect()
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
}

impl Reader<'_> {
    fn take(&mut self, count: usize) -> &[u8] {
        let (taken, rest) = self.bytes.split_at(count);
        self.bytes = rest;
        taken
    }

    fn numbers(&mut self, count: usize) -> Vec<u32> {
        let (numbers, _) = self.take(4 * count).as_chunks::<4>();
        numbers.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect()
    }

    fn shape(&mut self, part: &Value) -> DecodedCloth {
        let (vertices, display) = (number(part, "vertices"), number(part, "display_vertices"));
        let triangles = self.numbers(3 * number(part, "triangles"));
        let lines = self.numbers(2 * number(part, "lines"));
        let origins = if display == vertices { (0..vertices as u32).collect() } else { self.numbers(display) };
        let coords = if part["coords"].as_bool().unwrap() { self.numbers(2 * display) } else { Vec::new() };
        let coords = coords.into_iter().map(f32::from_bits).collect();
        DecodedCloth { triangles, lines, origins, coords, ..DecodedCloth::default() }
    }

    fn places(&mut self, codes: &mut Codes) {
        for places in &mut codes.places {
            let (low, high) = (self.take(places.len()).to_vec(), self.take(places.len()).to_vec());
            for (place, change) in places.iter_mut().zip(low.into_iter().zip(high)) {
                *place = place.wrapping_add(u16::from_le_bytes([change.0, change.1]));
            }
        }
    }

    fn strains(&mut self, codes: &mut Codes) {
        let changes = self.take(codes.strains.len()).to_vec();
        for (strain, change) in codes.strains.iter_mut().zip(changes) {
            *strain = strain.wrapping_add(change);
        }
    }
}
