//! `frames.csv`: a row a frame, for spreadsheets, scripts and the charts of the report.

use std::fs::{self, File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use glam::DVec3;
use muslin::report::{Energies, FrameReport, Momenta, Strain};

use crate::error::RecordError;
use crate::tally::FrameContact;

/// The columns that every table has; three for each probe follow. Edges are numbered through all cloths. Cells of what
/// was not measured are empty.
const COLUMNS: [&str; 34] = [
    "frame",
    "time_s",
    "steps",
    "strain_worst",
    "strain_worst_edge",
    "strain_p99",
    "strain_mean",
    "strain_compressed_worst",
    "strain_compressed_edge",
    "kinetic_j",
    "gravity_j",
    "stretch_j",
    "shear_j",
    "bending_j",
    "total_j",
    "momentum_x_kg_m_s",
    "momentum_y_kg_m_s",
    "momentum_z_kg_m_s",
    "angular_momentum_x_kg_m2_s",
    "angular_momentum_y_kg_m2_s",
    "angular_momentum_z_kg_m2_s",
    "centre_x_m",
    "centre_y_m",
    "centre_z_m",
    "wall_s",
    "cpu_s",
    "gap_min_m",
    "crossings",
    "contacts_mean",
    "contacts_most",
    "truncated_steps",
    "cloth_gap_min_m",
    "layer_gap_min_m",
    "crossings_cloth",
];

/// What the table says of one frame.
#[derive(Debug, Clone, PartialEq)]
pub struct FrameRow {
    /// The frame; 0 is the start.
    pub frame: u64,
    /// What was measured.
    pub report: FrameReport,
    /// Time on the clock spent stepping so far [s].
    pub wall_s: f64,
    /// Processor time spent stepping so far [s].
    pub cpu_s: f64,
    /// Contact in the frame, and in the steps that led to it.
    pub contact: FrameContact,
    /// Where the probes are [m].
    pub probes: Vec<DVec3>,
}

impl FrameRow {
    /// The row as a line. Numbers have as many digits as it takes to read the same value back.
    fn line(&self) -> String {
        let FrameReport { time, steps, strain, energies, momenta, centre } = &self.report;
        let edge = |edge: Option<usize>| edge.map_or_else(String::new, |edge| edge.to_string());
        let count = |count: Option<u64>| count.map_or_else(String::new, |count| count.to_string());
        let FrameContact { min_gap, crossings, contacts_mean, contacts_most, truncated_steps, .. } = self.contact;
        let FrameContact { cloth_gap, layer_gap, crossings_cloth, .. } = self.contact;
        let mut cells = vec![self.frame.to_string(), number(*time), steps.to_string(), number(strain.worst)];
        cells.push(edge(strain.worst_edge));
        cells.extend([strain.p99, strain.mean, strain.compressed_worst].map(number));
        cells.push(edge(strain.compressed_edge));
        cells.extend([energies.kinetic, energies.gravity, energies.stretch].map(number));
        cells.extend([energies.shear, energies.bending, energies.total()].map(number));
        for vector in [momenta.linear, momenta.angular, *centre] {
            cells.extend(vector.to_array().map(number));
        }
        cells.extend([self.wall_s, self.cpu_s].map(number));
        cells.extend([min_gap.map_or_else(String::new, number), count(crossings)]);
        cells.extend([number(contacts_mean), contacts_most.to_string(), truncated_steps.to_string()]);
        cells.extend([cloth_gap, layer_gap].map(|gap| gap.map_or_else(String::new, number)));
        cells.push(count(crossings_cloth));
        cells.extend(self.probes.iter().flat_map(|probe| probe.to_array().map(number)));
        cells.join(",") + "\n"
    }

    /// The row that a line holds, or what is wrong with it.
    fn parse(line: &str, columns: usize) -> Result<Self, String> {
        let cells: Vec<&str> = line.split(',').collect();
        if cells.len() != columns {
            return Err(format!("{} cells, but the header has {columns}", cells.len()));
        }
        let real = |at: usize| cell::<f64>(&cells, at);
        let vector = |at: usize| Ok::<_, String>(DVec3::new(real(at)?, real(at + 1)?, real(at + 2)?));
        let strain = Strain {
            worst: real(3)?,
            worst_edge: optional(&cells, 4)?,
            p99: real(5)?,
            mean: real(6)?,
            compressed_worst: real(7)?,
            compressed_edge: optional(&cells, 8)?,
        };
        let energies = Energies {
            kinetic: real(9)?,
            gravity: real(10)?,
            stretch: real(11)?,
            shear: real(12)?,
            bending: real(13)?,
        };
        let momenta = Momenta { linear: vector(15)?, angular: vector(18)? };
        let (time, steps, centre) = (real(1)?, cell(&cells, 2)?, vector(21)?);
        let contact = FrameContact {
            min_gap: optional(&cells, 26)?,
            crossings: optional(&cells, 27)?,
            contacts_mean: real(28)?,
            contacts_most: cell(&cells, 29)?,
            truncated_steps: cell(&cells, 30)?,
            cloth_gap: optional(&cells, 31)?,
            layer_gap: optional(&cells, 32)?,
            crossings_cloth: optional(&cells, 33)?,
        };
        Ok(Self {
            frame: cell(&cells, 0)?,
            report: FrameReport { time, steps, strain, energies, momenta, centre },
            wall_s: real(24)?,
            cpu_s: real(25)?,
            contact,
            probes: (COLUMNS.len()..columns).step_by(3).map(vector).collect::<Result<_, _>>()?,
        })
    }
}

fn number(value: f64) -> String {
    format!("{value:?}")
}

fn cell<T: std::str::FromStr>(cells: &[&str], at: usize) -> Result<T, String> {
    cells[at].parse().map_err(|_| format!("`{}` in column {} is not a number of its kind", cells[at], at + 1))
}

/// A cell that may be empty.
fn optional<T: std::str::FromStr>(cells: &[&str], at: usize) -> Result<Option<T>, String> {
    if cells[at].is_empty() { Ok(None) } else { cell(cells, at).map(Some) }
}

/// The first `rows` rows of a table.
pub(crate) fn read(path: &Path, rows: u64) -> Result<Vec<FrameRow>, RecordError> {
    let text = fs::read_to_string(path).map_err(RecordError::io("read", path))?;
    let (header, body) = text.split_once('\n').unwrap_or((&text, ""));
    let wrong = |(line, problem)| RecordError::Csv { path: path.into(), line, problem };
    Ok(parse_rows(body, columns_of(header), rows).map_err(wrong)?.0)
}

/// The table under way.
#[derive(Debug)]
pub struct FramesCsv {
    path: PathBuf,
    file: File,
}

impl FramesCsv {
    /// Makes a new table without rows. The file must not exist.
    pub fn create<'a>(path: &Path, probes: impl Iterator<Item = &'a str>) -> Result<Self, RecordError> {
        let mut file =
            OpenOptions::new().write(true).create_new(true).open(path).map_err(RecordError::io("create", path))?;
        file.write_all(header(probes).as_bytes()).map_err(RecordError::io("write", path))?;
        Ok(Self { path: path.into(), file })
    }

    /// Goes on with a table after its first `rows` rows, which are given back; what lies behind them is cut off.
    pub fn open_at<'a>(
        path: &Path,
        probes: impl Iterator<Item = &'a str>,
        rows: u64,
    ) -> Result<(Self, Vec<FrameRow>), RecordError> {
        let text = fs::read_to_string(path).map_err(RecordError::io("read", path))?;
        let header = header(probes);
        let wrong = |line, problem| RecordError::Csv { path: path.into(), line, problem };
        let Some(body) = text.strip_prefix(&header) else {
            return Err(wrong(1, "not the header that this run would write".to_owned()));
        };
        let (kept, length) = parse_rows(body, columns_of(&header), rows).map_err(|(line, what)| wrong(line, what))?;
        let mut file = OpenOptions::new().write(true).open(path).map_err(RecordError::io("open", path))?;
        let end = (header.len() + length) as u64;
        file.set_len(end).map_err(RecordError::io("shorten", path))?;
        file.seek(SeekFrom::Start(end)).map_err(RecordError::io("write", path))?;
        Ok((Self { path: path.into(), file }, kept))
    }

    /// Adds a row.
    pub fn write_row(&mut self, row: &FrameRow) -> Result<(), RecordError> {
        self.file.write_all(row.line().as_bytes()).map_err(RecordError::io("write", &self.path))
    }
}

/// The first `rows` rows of a table's body and the bytes they take; else the line that is wrong and why.
fn parse_rows(body: &str, columns: usize, rows: u64) -> Result<(Vec<FrameRow>, usize), (usize, String)> {
    let mut kept = Vec::new();
    let mut length = 0;
    for (index, line) in body.split_inclusive('\n').take(rows as usize).enumerate() {
        let Some(cells) = line.strip_suffix('\n') else { break };
        kept.push(FrameRow::parse(cells, columns).map_err(|problem| (index + 2, problem))?);
        length += line.len();
    }
    if kept.len() as u64 != rows {
        return Err((kept.len() + 2, format!("{rows} rows should be there, {} are", kept.len())));
    }
    Ok((kept, length))
}

fn header<'a>(probes: impl Iterator<Item = &'a str>) -> String {
    let mut text = COLUMNS.join(",");
    for probe in probes {
        for axis in ["x", "y", "z"] {
            text.push(',');
            text.push_str(&quoted(&format!("{probe}_{axis}_m")));
        }
    }
    text + "\n"
}

/// Columns of a header made by [`header`]: commas inside quotes belong to a name.
fn columns_of(header: &str) -> usize {
    let mut inside = false;
    1 + header
        .chars()
        .filter(|&letter| {
            inside ^= letter == '"';
            letter == ',' && !inside
        })
        .count()
}

/// A name as a cell of a table (RFC 4180). Line breaks would break the count of rows, so they become spaces.
fn quoted(name: &str) -> String {
    let name = name.replace(['\n', '\r'], " ");
    if name.contains([',', '"']) { format!("\"{}\"", name.replace('"', "\"\"")) } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::tempdir;

    fn row(frame: u64) -> FrameRow {
        let t = frame as f64 / 30.0;
        let strain =
            Strain { worst: t / 3.0, worst_edge: (frame > 0).then_some(7), p99: 1e-9 * t, ..Strain::default() };
        let energies = Energies { kinetic: t * t, gravity: -t, ..Energies::default() };
        let momenta = Momenta { linear: DVec3::new(t, -t, 0.1), angular: DVec3::splat(1e-20) };
        let report =
            FrameReport { time: t, steps: 4 * frame, strain, energies, momenta, centre: DVec3::splat(t / 7.0) };
        let contact = FrameContact {
            min_gap: (frame > 1).then_some(-t / 7.0),
            crossings: (frame > 1).then_some(frame),
            contacts_mean: t / 3.0,
            contacts_most: 5,
            truncated_steps: 2,
            cloth_gap: (frame > 1).then_some(t / 9.0),
            layer_gap: None,
            crossings_cloth: (frame > 1).then_some(1),
        };
        FrameRow { frame, report, wall_s: 0.5 * t, cpu_s: t, contact, probes: vec![DVec3::splat(t / 9.0); 2] }
    }

    const PROBES: [&str; 2] = ["bob", "left, \"upper\""];

    fn table(path: &Path, rows: u64) {
        let mut csv = FramesCsv::create(path, PROBES.into_iter()).unwrap();
        (0..rows).for_each(|frame| csv.write_row(&row(frame)).unwrap());
    }

    #[test]
    fn a_table_that_is_continued_equals_one_written_in_one_go() {
        let dir = tempdir().unwrap();
        let (whole, parts) = (dir.path().join("whole.csv"), dir.path().join("parts.csv"));
        table(&whole, 6);
        table(&parts, 5);
        let (mut csv, kept) = FramesCsv::open_at(&parts, PROBES.into_iter(), 3).unwrap();
        assert_eq!(kept, (0..3).map(row).collect::<Vec<_>>());
        (3..6).for_each(|frame| csv.write_row(&row(frame)).unwrap());
        assert_eq!(fs::read_to_string(&parts).unwrap(), fs::read_to_string(&whole).unwrap());
        assert_eq!(read(&parts, 6).unwrap(), (0..6).map(row).collect::<Vec<_>>());
    }

    #[test]
    fn a_row_cut_off_by_a_kill_is_dropped_and_a_lost_one_is_reported() {
        let dir = tempdir().unwrap();
        let path = dir.path().join("frames.csv");
        table(&path, 3);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, &text[..text.len() - 9]).unwrap();
        assert_eq!(FramesCsv::open_at(&path, PROBES.into_iter(), 2).unwrap().1.len(), 2);
        let error = FramesCsv::open_at(&path, PROBES.into_iter(), 3).unwrap_err();
        assert!(error.to_string().contains("3 rows should be there, 2 are"), "{error}");
    }

    #[test]
    fn a_cell_that_is_no_number_is_named_with_its_line() {
        let dir = tempdir().unwrap();
        let path = dir.path().join("frames.csv");
        table(&path, 2);
        let text = fs::read_to_string(&path).unwrap().replacen("\n1,", "\none,", 1);
        fs::write(&path, text).unwrap();
        let error = FramesCsv::open_at(&path, PROBES.into_iter(), 2).unwrap_err().to_string();
        assert!(error.contains("line 3") && error.contains("`one` in column 1"), "{error}");
    }

    #[test]
    fn the_header_names_units_and_quotes_probe_names() {
        let header = header(PROBES.into_iter());
        assert!(header.starts_with("frame,time_s,steps,strain_worst,"), "{header}");
        assert!(header.contains(",crossings_cloth,bob_x_m,bob_y_m,bob_z_m,\"left, \"\"upper\"\"_x_m\","), "{header}");
        assert_eq!(columns_of(&header), COLUMNS.len() + 6);
    }
}
