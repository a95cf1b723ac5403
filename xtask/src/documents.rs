//! Documents must speak of what is there: tests only.

use std::path::{Path, PathBuf};

/// The words in back quotes that look like paths of this repository.
fn named_paths(text: &str) -> Vec<&str> {
    let quoted = text.split('`').skip(1).step_by(2);
    quoted.filter(|word| word.contains('/') && !word.contains(char::is_whitespace)).collect()
}

/// The targets of links that do not lead out of the repository.
fn linked_paths(text: &str) -> Vec<&str> {
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    targets.filter(|target| !target.contains("://") && !target.starts_with('#')).collect()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn every_path_that_architecture_names_exists() {
    let text = read(&root().join("ARCHITECTURE.md"));
    let paths = named_paths(&text);
    assert!(paths.len() > 15, "only {} paths found: {paths:?}", paths.len());
    for path in paths {
        let found = root().join(path).exists() || root().join("crates/muslin/src").join(path).exists();
        assert!(found, "ARCHITECTURE.md names `{path}`, which does not exist");
    }
}

/// The documents: those of the root, and all of `docs`.
fn documents() -> Vec<PathBuf> {
    let mut found =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(|name| root().join(name)).to_vec();
    files(&root().join("docs"), "md", &mut found);
    found
}

/// Adds all files of a folder and its folders that have an ending.
fn files(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.unwrap_or_else(|error| panic!("{}: {error}", folder.display())).path();
        if path.is_dir() {
            files(&path, ending, found);
        } else if path.extension().is_some_and(|extension| extension == ending) {
            found.push(path);
        }
    }
}

/// Whether a path begins with a folder of this repository.
fn is_ours(path: &str) -> bool {
    path.split('/').next().is_some_and(|first| !first.is_empty() && root().join(first).is_dir())
}

#[test]
fn every_path_that_a_document_cites_exists() {
    let mut cited = 0;
    // The changelog may cite what is no more.
    for document in documents().iter().filter(|document| !document.ends_with("CHANGELOG.md")) {
        let text = read(document);
        for path in named_paths(&text).into_iter().filter(|path| is_ours(path)) {
            assert!(root().join(path).exists(), "{} cites `{path}`, which does not exist", document.display());
            cited += usize::from(document.parent().is_some_and(|folder| folder.ends_with("methods")));
        }
    }
    assert!(cited > 3, "only {cited} paths found in docs/methods");
}

#[test]
fn every_path_that_a_comment_cites_exists() {
    let mut sources = Vec::new();
    for folder in ["crates", "chores", "xtask"] {
        files(&root().join(folder), "rs", &mut sources);
    }
    for source in sources {
        let text = read(&source);
        let comments = text.lines().map(str::trim_start).filter(|line| line.starts_with("//"));
        for path in comments.flat_map(named_paths).filter(|path| is_ours(path)) {
            assert!(root().join(path).exists(), "{} cites `{path}`, which does not exist", source.display());
        }
    }
}

#[test]
fn links_between_documents_lead_somewhere() {
    for document in documents() {
        let text = read(&document);
        for link in linked_paths(&text) {
            let target = link.split('#').next().unwrap_or(link);
            let folder = document.parent().unwrap_or(Path::new("."));
            assert!(folder.join(target).exists(), "{} links to `{link}`", document.display());
        }
    }
}
