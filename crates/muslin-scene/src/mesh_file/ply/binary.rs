//! Values written as bytes.

use super::super::{Fault, FilePlace};
use super::Source;
use super::header::{ByteOrder, Property, Scalar};

/// The bytes of a file, and how far they have been read.
pub(super) struct Bytes<'a> {
    file: &'a [u8],
    next: usize,
    order: ByteOrder,
}

impl<'a> Bytes<'a> {
    /// Of a whole file whose values start at byte `next`.
    pub(super) fn new(file: &'a [u8], next: usize, order: ByteOrder) -> Self {
        Self { file, next, order }
    }

    fn left(&self) -> usize {
        self.file.len() - self.next
    }

    fn number(&mut self, scalar: Scalar) -> Result<f64, String> {
        Ok(match scalar {
            Scalar::I8 => f64::from(i8::from_le_bytes(self.take()?)),
            Scalar::U8 => f64::from(u8::from_le_bytes(self.take()?)),
            Scalar::I16 => f64::from(i16::from_le_bytes(self.take()?)),
            Scalar::U16 => f64::from(u16::from_le_bytes(self.take()?)),
            Scalar::I32 => f64::from(i32::from_le_bytes(self.take()?)),
            Scalar::U32 => f64::from(u32::from_le_bytes(self.take()?)),
            Scalar::F32 => f64::from(f32::from_le_bytes(self.take()?)),
            Scalar::F64 => f64::from_le_bytes(self.take()?),
        })
    }

    /// The next bytes, least significant first whatever the file's order.
    fn take<const N: usize>(&mut self) -> Result<[u8; N], String> {
        let mut taken = *self.file[self.next..].first_chunk::<N>().ok_or("the file ends too early")?;
        self.next += N;
        if self.order == ByteOrder::MostFirst {
            taken.reverse();
        }
        Ok(taken)
    }
}

impl Source for Bytes<'_> {
    fn begin(&mut self) -> Result<FilePlace, Fault> {
        if self.left() == 0 {
            return Err(Fault::new(FilePlace::End, "the file has fewer rows than its header states"));
        }
        Ok(FilePlace::Byte(self.next))
    }

    fn value(&mut self, property: &Property, to: &mut Vec<f64>) -> Result<(), String> {
        let Some(length_type) = property.list_length else {
            to.push(self.number(property.scalar)?);
            return Ok(());
        };
        let length = self.number(length_type)?;
        let fits = self.left() / property.scalar.size();
        // Checked before memory is asked for: a broken file may claim billions of entries.
        if !(0.0..=fits as f64).contains(&length) {
            return Err(format!("the list should have {length} entries, but the file ends after {fits}"));
        }
        for _ in 0..length as usize {
            to.push(self.number(property.scalar)?);
        }
        Ok(())
    }

    fn end(&mut self) -> Result<(), Fault> {
        Ok(())
    }

    fn finish(&mut self) -> Result<(), Fault> {
        // Some programs end the file with a line break.
        let left = &self.file[self.next..];
        if left.iter().all(u8::is_ascii_whitespace) {
            return Ok(());
        }
        let message = format!("the file has {} bytes more than its header states", left.len());
        Err(Fault::new(FilePlace::Byte(self.next), message))
    }
}
