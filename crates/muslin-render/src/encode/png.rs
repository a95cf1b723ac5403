//! PNG files.

use std::{fs, path::Path};

use png::{BitDepth, ColorType, Compression, Encoder, EncodingError, SrgbRenderingIntent};

use super::{EncodeError, beside::Beside};
use crate::Picture;

/// The picture as a PNG file: sRGB, eight bits a channel; the same bytes for the same picture.
pub fn png_bytes(picture: &Picture) -> Result<Vec<u8>, EncodeError> {
    encoded(picture).map_err(|_| EncodeError::BadPicture {
        width: picture.width,
        height: picture.height,
        pixels: picture.pixels.len(),
    })
}

/// Writing into memory fails only for pictures that no PNG can hold.
fn encoded(picture: &Picture) -> Result<Vec<u8>, EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, picture.width, picture.height);
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_source_srgb(SrgbRenderingIntent::Perceptual);
    encoder.set_compression(Compression::Balanced);
    encoder.add_text_chunk("Software".to_owned(), "muslin".to_owned())?;
    let mut writer = encoder.write_header()?;
    writer.write_image_data(picture.bytes())?;
    writer.finish()?;
    Ok(bytes)
}

/// Writes the picture as a PNG file.
pub fn write_png(path: &Path, picture: &Picture) -> Result<(), EncodeError> {
    let bytes = png_bytes(picture)?;
    let beside = Beside::new(path);
    fs::write(beside.path(), bytes).map_err(|source| beside.error(source))?;
    beside.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gradient() -> Picture {
        let pixels = (0..50 * 30).map(|index| [(index % 50) as u8 * 5, (index / 50) as u8 * 8, 77]).collect();
        Picture { width: 50, height: 30, pixels }
    }

    #[test]
    fn a_png_holds_the_picture_its_colour_space_and_who_made_it() {
        let bytes = png_bytes(&gradient()).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(&bytes)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        assert_eq!(pixels, gradient().bytes());
        let info = reader.info();
        assert_eq!(info.srgb, Some(SrgbRenderingIntent::Perceptual));
        let text = &info.uncompressed_latin1_text[0];
        assert_eq!((text.keyword.as_str(), text.text.as_str()), ("Software", "muslin"));
    }

    #[test]
    fn the_same_picture_gives_the_same_bytes() {
        assert_eq!(png_bytes(&gradient()).unwrap(), png_bytes(&gradient()).unwrap());
    }

    #[test]
    fn a_picture_without_pixels_is_refused_and_nothing_is_written() {
        let folder = tempfile::tempdir().unwrap();
        for picture in [Picture::filled(0, 3, [0; 3]), Picture { width: 2, height: 2, pixels: vec![[0; 3]; 3] }] {
            let error = write_png(&folder.path().join("a.png"), &picture).unwrap_err();
            assert!(matches!(error, EncodeError::BadPicture { .. }), "{error}");
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
