//! What can go wrong with run folders.

use std::io;
use std::path::{Path, PathBuf};

use muslin_cache::{CacheError, CacheProblem};

use crate::checkpoint::CheckpointProblem;

/// Why something of a run folder could not be written or read. Every message names the file or folder.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The system refused.
    #[error("cannot {doing} `{}`: {source}", path.display())]
    Io {
        /// What was tried, e.g. `write`.
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A run folder would be overwritten.
    #[error("`{}` is not empty", path.display())]
    FolderInUse {
        /// The folder.
        path: PathBuf,
    },
    /// A folder of a comparison would be overwritten.
    #[error("`{}` is not empty", path.display())]
    ComparisonInUse {
        /// The folder.
        path: PathBuf,
    },
    /// Something that is no folder has the folder's name.
    #[error("`{}` exists and is not a folder", path.display())]
    NotAFolder {
        /// What is there.
        path: PathBuf,
    },
    /// A file that no run wrote has the name of one that this run would write.
    #[error("`{}` exists and was not written by muslin, so it is not replaced", path.display())]
    ForeignFile {
        /// The file.
        path: PathBuf,
    },
    /// There is nothing to resume.
    #[error("`{}` holds no run that could be resumed: it has no `checkpoint.bin`", path.display())]
    NothingToResume {
        /// The folder.
        path: PathBuf,
    },
    /// There is nothing to look at.
    #[error("`{}` is not a run folder: it has no `report.json`", path.display())]
    NotARun {
        /// The folder.
        path: PathBuf,
    },
    /// A name that cannot be part of a file name.
    #[error("`{name}` cannot be the name of a file in a run folder")]
    BadName {
        /// The name.
        name: String,
    },
    /// Two things would be stored in one file.
    #[error("two parts of the scene would both be stored as `{name}`")]
    SameName {
        /// The file's name.
        name: String,
    },
    /// A point cache is not what it should be.
    #[error("`{}` {problem}", path.display())]
    Cache {
        /// The cache.
        path: PathBuf,
        /// What is wrong.
        problem: CacheProblem,
    },
    /// A table of frames is not what it should be.
    #[error("`{}`, line {line}: {problem}", path.display())]
    Csv {
        /// The table.
        path: PathBuf,
        /// Line, counted from 1.
        line: usize,
        /// What is wrong.
        problem: String,
    },
    /// A checkpoint cannot be used.
    #[error("`{}` {problem}", path.display())]
    Checkpoint {
        /// The checkpoint.
        path: PathBuf,
        /// What is wrong.
        problem: CheckpointProblem,
    },
    /// A report is not what it should be.
    #[error("`{}` is not a report of this version of muslin: {problem}", path.display())]
    Report {
        /// The report.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// Something could not be turned into the bytes of its file.
    #[error("cannot encode `{name}`: {problem}")]
    Encode {
        /// The file's name.
        name: &'static str,
        /// What the encoder said.
        problem: String,
    },
}

impl RecordError {
    /// For `map_err`: an [`RecordError::Io`] that knows what was tried and where.
    pub(crate) fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_path_buf();
        move |source| Self::Io { doing, path, source }
    }

    /// What the user can do about it, when there is something particular to say.
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::FolderInUse { .. } => {
                "`--force` replaces the run that is there, `--resume` continues it, `--out DIR` puts this one elsewhere"
            }
            Self::ComparisonInUse { .. } => {
                "`--force` replaces the comparison that is there, `--out DIR` puts this one elsewhere"
            }
            Self::NotAFolder { .. } => "name a folder with `--out DIR`",
            Self::ForeignFile { .. } => "move the file away, or name another folder with `--out DIR`",
            Self::NothingToResume { .. } => "start the run without `--resume`",
            Self::NotARun { .. } => "`muslin run SCENE` makes one, in `runs/NAME` unless `--out DIR` says otherwise",
            Self::BadName { .. } => "use letters, digits, `-` and `_`",
            Self::SameName { .. } => {
                "give each cloth and each collider its own name; names that differ only in upper and lower case count \
                 as equal"
            }
            Self::Checkpoint { problem, .. } => return Some(problem.hint().to_owned()),
            Self::Csv { .. } | Self::Report { .. } => {
                "the file is damaged, or from another version of muslin: run the scene again with `--force`"
            }
            Self::Cache { .. } => {
                "the folder no longer holds the run as it was written: run it again, from its `scene.toml`"
            }
            Self::Io { doing, source, .. } => return about_io(doing, source.kind()).map(str::to_owned),
            Self::Encode { .. } => return None,
        };
        Some(hint.to_owned())
    }
}

/// What the user can do when the system refuses something.
fn about_io(doing: &str, kind: io::ErrorKind) -> Option<&'static str> {
    let reads = matches!(doing, "open" | "read");
    match kind {
        io::ErrorKind::NotFound if reads => {
            Some("a file of the run is missing: put it back, or run the scene again with `--force`")
        }
        io::ErrorKind::PermissionDenied if reads => Some("check that you have permission to read it"),
        io::ErrorKind::StorageFull => Some("free some disk space; `--resume` continues a run that has begun"),
        _ if reads => None,
        _ => Some("check the path and your permissions, or name another folder with `--out DIR`"),
    }
}

impl From<CacheError> for RecordError {
    fn from(error: CacheError) -> Self {
        match error {
            CacheError::Io { doing, path, source } => Self::Io { doing, path, source },
            CacheError::Wrong { path, problem } => Self::Cache { path, problem },
        }
    }
}
