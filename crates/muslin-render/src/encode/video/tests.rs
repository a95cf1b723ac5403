use std::fs;

use super::*;

/// A program that stands in for ffmpeg, from `tests/ffmpeg`.
fn stand_in(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ffmpeg").join(name)
}

fn names(folder: &Path) -> Vec<OsString> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect()
}

#[test]
fn odd_sizes_are_padded_with_the_last_column_and_row() {
    let pixels = (0..9).map(|value| [value; 3]).collect();
    let bytes = padded(&Picture { width: 3, height: 3, pixels });
    let values: Vec<u8> = bytes.chunks(3).map(|pixel| pixel[0]).collect();
    assert_eq!(values, [0, 1, 2, 2, 3, 4, 5, 5, 6, 7, 8, 8, 6, 7, 8, 8]);
    let even = Picture::filled(4, 2, [1, 2, 3]);
    assert_eq!(padded(&even), even.bytes());
}

#[test]
fn a_program_that_is_not_there_is_named_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let program = Path::new("no-such-ffmpeg");
    let error = VideoWriter::new(&folder.path().join("a.mp4"), program, 30.0, 4, 4).err().unwrap();
    assert!(matches!(error, EncodeError::FfmpegNotFound { .. }));
    let text = error.to_string();
    assert!(text.contains("no-such-ffmpeg") && text.contains("install") && text.contains("--gif"), "{text}");
    assert!(names(folder.path()).is_empty());
}

#[test]
fn a_folder_that_is_not_there_is_no_fault_of_the_program() {
    let error = VideoWriter::new(Path::new("no-such-folder/a.mp4"), Path::new("x"), 30.0, 4, 4).err().unwrap();
    assert!(matches!(error, EncodeError::Write { .. }), "{error}");
}

#[cfg(unix)]
mod with_stand_ins {
    use super::*;

    fn start(folder: &Path, name: &str) -> Box<VideoWriter> {
        Box::new(VideoWriter::new(&folder.join("a.mp4"), &stand_in(name), 25.0, 5, 3).unwrap())
    }

    #[test]
    fn all_frames_reach_the_program_with_their_size_and_rate() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = start(folder.path(), "records");
        for _ in 0..7 {
            writer.add(&Picture::filled(5, 3, [9; 3])).unwrap();
            assert_eq!(names(folder.path()), ["a.mp4.part"]);
        }
        writer.finish().unwrap();
        assert_eq!(names(folder.path()), ["a.mp4"]);
        let record = fs::read_to_string(folder.path().join("a.mp4")).unwrap();
        let (arguments, bytes) = record.trim_end().rsplit_once('\n').unwrap();
        assert_eq!(bytes.trim(), (7 * 6 * 4 * 3).to_string());
        for part in ["-video_size 6x4", "-framerate 25", "rgb24", "libx264", "yuv420p", "+faststart", "-f mp4"] {
            assert!(arguments.contains(part), "{part} is not in {arguments}");
        }
    }

    #[test]
    fn a_program_that_fails_at_the_end_is_quoted_and_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.mp4"), "old").unwrap();
        let mut writer = start(folder.path(), "fails-at-the-end");
        writer.add(&Picture::filled(5, 3, [9; 3])).unwrap();
        let text = writer.finish().unwrap_err().to_string();
        assert!(text.contains("exit status: 3") && text.contains("line 20") && !text.contains("line 12\n"), "{text}");
        assert_eq!(names(folder.path()), ["a.mp4"]);
        assert_eq!(fs::read_to_string(folder.path().join("a.mp4")).unwrap(), "old");
    }

    #[test]
    fn a_program_that_stops_listening_is_quoted() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = start(folder.path(), "fails-at-once");
        let frame = Picture::filled(5, 3, [9; 3]);
        // The pipe takes some frames before the end of its reader is seen.
        let error = (0..100_000).find_map(|_| writer.add(&frame).err()).unwrap();
        assert!(error.to_string().ends_with("failed (exit status: 1): Unknown encoder 'libx264'"), "{error}");
        assert!(writer.add(&frame).is_err());
        drop(writer);
        assert!(names(folder.path()).is_empty());
    }

    #[test]
    fn a_video_given_up_stops_the_program_and_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = start(folder.path(), "never-ends");
        writer.add(&Picture::filled(5, 3, [9; 3])).unwrap();
        let before = std::time::Instant::now();
        drop(writer);
        // The stand-in sleeps for a minute unless it is stopped.
        assert!(before.elapsed().as_secs() < 30);
        assert!(names(folder.path()).is_empty());
    }

    #[test]
    fn a_video_of_nothing_and_frames_of_other_sizes_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = start(folder.path(), "records");
        assert!(matches!(writer.add(&Picture::filled(4, 3, [0; 3])), Err(EncodeError::UnequalSizes { .. })));
        assert!(matches!(writer.finish(), Err(EncodeError::NoFrames)));
        assert!(names(folder.path()).is_empty());
    }
}
