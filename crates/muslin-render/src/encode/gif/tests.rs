use std::{fs, path::Path};

use super::*;

/// A disc that moves over a gradient.
fn frame(step: u32) -> Picture {
    let (width, height) = (96, 64);
    let pixel = |index: u32| {
        let (x, y) = (index % width, index / width);
        let (dx, dy) = (f64::from(x) - 20.0 - 4.0 * f64::from(step), f64::from(y) - 30.0);
        if dx * dx + dy * dy < 80.0 { [220, 80, 20] } else { [180 + (x / 2) as u8, 190 + (y / 2) as u8, 225] }
    };
    Picture { width, height, pixels: (0..width * height).map(pixel).collect() }
}

fn write(path: &Path, rate: f64, frames: &[Picture]) -> Result<(), EncodeError> {
    let mut writer = Box::new(GifWriter::new(path, rate, frames)?);
    for frame in frames {
        writer.add(frame)?;
    }
    writer.finish()
}

/// What a viewer shows: each stored frame put onto the last, with its delay and the stored area.
fn played(path: &Path) -> Vec<(Picture, u16, usize)> {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::Indexed);
    let mut decoder = options.read_info(fs::File::open(path).unwrap()).unwrap();
    let palette: Vec<u8> = decoder.global_palette().unwrap().to_vec();
    let mut canvas = Picture::filled(decoder.width().into(), decoder.height().into(), [0; 3]);
    let mut shown = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        assert!(frame.palette.is_none(), "all frames have the one palette");
        for (index, &number) in frame.buffer.iter().enumerate() {
            let (x, y) = (index % usize::from(frame.width), index / usize::from(frame.width));
            let place = (y + usize::from(frame.top)) * canvas.width as usize + x + usize::from(frame.left);
            if Some(number) != frame.transparent {
                canvas.pixels[place] = std::array::from_fn(|channel| palette[3 * usize::from(number) + channel]);
            }
        }
        shown.push((canvas.clone(), frame.delay, frame.buffer.len()));
    }
    shown
}

/// Mean of the absolute differences of averages over 8 × 8 pixels: what is left of dithering from afar.
fn difference(one: &Picture, other: &Picture) -> f64 {
    let blocks = |picture: &Picture| {
        let columns = picture.width as usize / 8;
        let mut sums = vec![[0.0; 3]; columns * (picture.height as usize / 8)];
        for (index, pixel) in picture.pixels.iter().enumerate() {
            let (x, y) = (index % picture.width as usize, index / picture.width as usize);
            for channel in 0..3 {
                sums[y / 8 * columns + x / 8][channel] += f64::from(pixel[channel]) / 64.0;
            }
        }
        sums.concat()
    };
    let (one, other) = (blocks(one), blocks(other));
    one.iter().zip(&other).map(|(a, b)| (a - b).abs()).sum::<f64>() / one.len() as f64
}

#[test]
fn a_gif_plays_its_frames_in_their_colours_and_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.gif");
    let frames: Vec<Picture> = (0..12).map(frame).collect();
    write(&path, 30.0, &frames).unwrap();
    let played = played(&path);
    assert_eq!(played.len(), 12);
    assert_eq!(played.iter().map(|(_, delay, _)| u32::from(*delay)).sum::<u32>(), 40);
    for (index, (shown, ..)) in played.iter().enumerate() {
        let difference = difference(shown, &frames[index]);
        // One grey of 256 comes from distinguishing colours by seven bits, and the same again from the palette.
        assert!(difference < 2.0, "frame {index} is off by {difference}");
    }
    assert!(played[1].2 < 96 * 64 / 4, "only what changed is stored, not {} pixels", played[1].2);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside");
}

#[test]
fn what_does_not_move_does_not_flicker() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.gif");
    write(&path, 25.0, &[frame(0), frame(0), frame(0), frame(9), frame(9)]).unwrap();
    let played = played(&path);
    assert_eq!(played.iter().map(|(_, delay, _)| *delay).collect::<Vec<_>>(), [12, 8]);
    let right_edge = |picture: &Picture| picture.pixels.chunks(96).map(|row| row[80..].to_vec()).collect::<Vec<_>>();
    assert_eq!(right_edge(&played[0].0), right_edge(&played[1].0));
}

#[test]
fn the_same_frames_give_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let files = ["a.gif", "b.gif"].map(|name| {
        let path = folder.path().join(name);
        write(&path, 60.0, &[frame(0), frame(1), frame(2), frame(3)]).unwrap();
        fs::read(path).unwrap()
    });
    assert_eq!(files[0], files[1]);
}

#[test]
fn gifs_that_cannot_be_are_refused_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.gif");
    assert!(matches!(write(&path, 30.0, &[]), Err(EncodeError::NoFrames)));
    assert!(matches!(write(&path, 0.0, &[frame(0)]), Err(EncodeError::BadRate(_))));
    assert!(matches!(write(&path, f64::NAN, &[frame(0)]), Err(EncodeError::BadRate(_))));
    let wide = Picture::filled(70_000, 1, [0; 3]);
    assert!(matches!(write(&path, 30.0, &[wide]), Err(EncodeError::TooLargeForGif { .. })));
    let mut writer = GifWriter::new(&path, 30.0, &[frame(0)]).unwrap();
    let error = writer.add(&Picture::filled(3, 4, [0; 3])).unwrap_err();
    assert_eq!(error.to_string(), "a frame is 3 × 4, but the animation is 96 × 64");
    assert!(matches!(Box::new(writer).finish(), Err(EncodeError::NoFrames)));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
