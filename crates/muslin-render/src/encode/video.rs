//! MP4 files through `ffmpeg`: raw pictures go into its standard input, one at a time.

use std::{
    collections::VecDeque,
    ffi::OsString,
    io::{self, BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStderr, Command, Stdio},
    thread::{self, JoinHandle},
};

use super::{AnimationWriter, EncodeError, FrameSize, beside::Beside, check_rate};
use crate::Picture;

/// Lines of the program's complaints that are kept.
const LINES_KEPT: usize = 8;

/// Writes an MP4 file (H.264, 4:2:0) frame by frame. Odd sizes, which H.264 cannot have, are made even by repeating the
/// last column or row.
pub struct VideoWriter {
    program: PathBuf,
    size: FrameSize,
    running: Option<Running>,
    beside: Option<Beside>,
    frames: u64,
}

/// The program at work.
struct Running {
    child: Child,
    said: JoinHandle<String>,
}

impl VideoWriter {
    /// Starts `program` (`ffmpeg`, looked for as the system does, or a path) for frames of a size \[px\].
    pub fn new(
        path: &Path,
        program: &Path,
        frames_per_second: f64,
        width: u32,
        height: u32,
    ) -> Result<Self, EncodeError> {
        check_rate(frames_per_second)?;
        if width == 0 || height == 0 {
            return Err(EncodeError::BadPicture { width, height, pixels: 0 });
        }
        let size = FrameSize { width, height };
        let beside = Beside::new(path);
        // Says what is wrong with the file itself before the program says it in its own words.
        beside.create()?;
        let running = Running::start(program, &arguments(beside.path(), frames_per_second, even(size)))?;
        Ok(Self { program: program.to_owned(), size, running: Some(running), beside: Some(beside), frames: 0 })
    }

    /// Waits for the program to end.
    fn end(&mut self) -> Result<(), EncodeError> {
        let Some(running) = self.running.take() else { return Ok(()) };
        let (status, said) =
            running.wait().map_err(|source| EncodeError::FfmpegNotStarted { program: self.program.clone(), source })?;
        if status.success() {
            return Ok(());
        }
        Err(EncodeError::FfmpegFailed { program: self.program.clone(), status: status.to_string(), said })
    }

    /// Why the program no longer listens.
    fn why_it_stopped(&mut self, source: &io::Error) -> EncodeError {
        match self.end() {
            Err(error) => error,
            Ok(()) => EncodeError::FfmpegFailed {
                program: self.program.clone(),
                status: "ended before the last frame".to_owned(),
                said: source.to_string(),
            },
        }
    }
}

impl AnimationWriter for VideoWriter {
    fn add(&mut self, frame: &Picture) -> Result<(), EncodeError> {
        self.size.check(frame)?;
        let written = match self.running.as_mut().and_then(|running| running.child.stdin.as_mut()) {
            Some(input) => input.write_all(&padded(frame)),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        };
        written.map_err(|source| self.why_it_stopped(&source))?;
        self.frames += 1;
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<(), EncodeError> {
        if self.frames == 0 {
            return Err(EncodeError::NoFrames);
        }
        self.end()?;
        self.beside.take().map_or(Ok(()), Beside::finish)
    }
}

impl Drop for VideoWriter {
    fn drop(&mut self) {
        if let Some(mut running) = self.running.take() {
            // It may have ended by itself; then there is nothing to stop.
            let _ = running.child.kill();
            let _ = running.wait();
        }
    }
}

impl Running {
    fn start(program: &Path, arguments: &[OsString]) -> Result<Self, EncodeError> {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|source| match source.kind() {
            io::ErrorKind::NotFound => EncodeError::FfmpegNotFound { program: program.to_owned() },
            _ => EncodeError::FfmpegNotStarted { program: program.to_owned(), source },
        })?;
        let errors = child.stderr.take();
        // Read at all times, or the program would stop when the pipe is full.
        let said = thread::spawn(move || errors.map_or_else(String::new, last_lines));
        Ok(Self { child, said })
    }

    /// Ends the input, and waits. How the program ended, and the last lines of what it said.
    fn wait(mut self) -> io::Result<(std::process::ExitStatus, String)> {
        drop(self.child.stdin.take());
        let status = self.child.wait()?;
        Ok((status, self.said.join().unwrap_or_default()))
    }
}

fn last_lines(errors: ChildStderr) -> String {
    let mut kept = VecDeque::new();
    for line in BufReader::new(errors).split(b'\n').map_while(Result::ok) {
        let line = String::from_utf8_lossy(&line).trim().to_owned();
        if !line.is_empty() {
            kept.push_back(line);
        }
        if kept.len() > LINES_KEPT {
            kept.pop_front();
        }
    }
    Vec::from(kept).join("\n")
}

/// The size with one more column or row where it is odd.
fn even(size: FrameSize) -> FrameSize {
    FrameSize { width: size.width.next_multiple_of(2), height: size.height.next_multiple_of(2) }
}

/// Bytes of the picture, made even by repeating its last column and row.
fn padded(picture: &Picture) -> Vec<u8> {
    let even = even(FrameSize { width: picture.width, height: picture.height });
    let mut bytes = Vec::with_capacity(3 * even.width as usize * even.height as usize);
    for y in 0..even.height {
        let row = y.min(picture.height - 1) as usize * picture.width as usize;
        let pixels = &picture.pixels[row..row + picture.width as usize];
        bytes.extend_from_slice(pixels.as_flattened());
        if even.width > picture.width {
            bytes.extend_from_slice(&pixels[pixels.len() - 1]);
        }
    }
    bytes
}

fn arguments(output: &Path, frames_per_second: f64, size: FrameSize) -> Vec<OsString> {
    let input = format!(
        "-hide_banner -loglevel error -y -f rawvideo -pixel_format rgb24 \
         -video_size {}x{} -framerate {frames_per_second} -i pipe:0",
        size.width, size.height
    );
    // The colours are said to be BT.709 and made so: else players guess, by the size.
    let coded = "-an -vf scale=out_color_matrix=bt709:out_range=tv,format=yuv420p -c:v libx264 -preset medium -crf 18 \
                 -colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv -movflags +faststart -f mp4";
    let mut arguments: Vec<OsString> =
        input.split_whitespace().chain(coded.split_whitespace()).map(OsString::from).collect();
    // With the protocol, no name can be taken for an option or an address.
    let mut file = OsString::from("file:");
    file.push(output);
    arguments.push(file);
    arguments
}

#[cfg(test)]
mod tests;
