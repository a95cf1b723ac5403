//! Compression that stops when there is too much.

use miniz_oxide::DataFormat;
use miniz_oxide::deflate::core::{CompressionStrategy, CompressorOxide, TDEFLFlush, compress_to_output};

/// Effort of the compressor, from 0 to 10. Lower bytes of positions are close to noise: looking harder for what repeats
/// costs time and finds nothing.
const EFFORT: u8 = 3;

/// It looks back over 2¹⁵ bytes, the most that deflate allows.
const WINDOW: u8 = 15;

/// There is no more room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Full;

/// A raw deflate stream under way.
pub(super) struct Packer {
    compressor: CompressorOxide,
    packed: Vec<u8>,
    room: usize,
}

impl Packer {
    /// A stream of at most `room` bytes.
    pub(super) fn new(room: usize) -> Self {
        let compressor = CompressorOxide::with_params(DataFormat::Raw, EFFORT, CompressionStrategy::Default, WINDOW);
        Self { compressor, packed: Vec::new(), room }
    }

    /// Adds bytes. What is full stays full.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Result<(), Full> {
        self.compress(bytes, TDEFLFlush::None)
    }

    /// The whole stream.
    pub(super) fn finish(mut self) -> Result<Vec<u8>, Full> {
        self.compress(&[], TDEFLFlush::Finish)?;
        Ok(self.packed)
    }

    fn compress(&mut self, bytes: &[u8], flush: TDEFLFlush) -> Result<(), Full> {
        let Self { compressor, packed, room } = self;
        compress_to_output(compressor, bytes, flush, |part| {
            packed.extend_from_slice(part);
            packed.len() <= *room
        });
        if packed.len() <= *room { Ok(()) } else { Err(Full) }
    }
}
