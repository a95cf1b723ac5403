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

#[test]
fn links_between_documents_lead_somewhere() {
    let documents =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/guide.md", "docs/methods/README.md"];
    for document in documents.map(|name| root().join(name)) {
        let text = read(&document);
        for link in linked_paths(&text) {
            let target = link.split('#').next().unwrap_or(link);
            let folder = document.parent().unwrap_or(Path::new("."));
            assert!(folder.join(target).exists(), "{} links to `{link}`", document.display());
        }
    }
}
