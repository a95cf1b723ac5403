//! Names of cloths and colliders: names of files, so each is there once.

use super::Checker;
use crate::error::{Problem, excerpt};
use crate::typed;

/// Most letters of a name: file systems take 255 with what is added, and tables are to be read.
const LONGEST: usize = 100;

/// The names of all that a scene holds, as given or by default.
pub(super) struct Names {
    pub(super) cloths: Vec<String>,
    pub(super) colliders: Vec<String>,
}

pub(super) fn check(check: &mut Checker<'_>, file: &typed::File) -> Names {
    let mut taken = Vec::new();
    let cloths = file.cloth.iter().map(|cloth| cloth.name.as_deref());
    let cloths = of_kind(check, "cloth", cloths, &mut taken);
    let colliders = file.collider.iter().map(|collider| collider.name.as_deref());
    let colliders = of_kind(check, "collider", colliders, &mut taken);
    Names { cloths, colliders }
}

/// Names as given, else "cloth", "cloth-2", …; `taken` holds those before them, each with its path.
fn of_kind<'n>(
    check: &mut Checker<'_>,
    kind: &str,
    given: impl Iterator<Item = Option<&'n str>>,
    taken: &mut Vec<(String, String)>,
) -> Vec<String> {
    let mut names = Vec::new();
    for (number, given) in given.enumerate() {
        let default = || if number == 0 { kind.to_owned() } else { format!("{kind}-{}", number + 1) };
        let name = given.map_or_else(default, str::to_owned);
        let path = format!("{kind}.{number}");
        let key = format!("{path}.name");
        let fit = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if name.is_empty() || !name.chars().all(fit) {
            let message = format!("`{key}` cannot be \"{}\"", excerpt(&name));
            let help = format!("names of {kind}s are names of files: letters a–z and A–Z, digits, `-` and `_`");
            check.report(Problem::at(&key, message).help(help));
        }
        if name.len() > LONGEST {
            let message = format!("`{key}` has {} letters: \"{}\"", name.len(), excerpt(&name));
            let help = format!("names of {kind}s are names of files: at most {LONGEST} letters");
            check.report(Problem::at(&key, message).label("too long").help(help));
        }
        // File names that differ only in case are one file on some systems.
        if let Some((other, same)) = taken.iter().find(|(_, other)| other.eq_ignore_ascii_case(&name)) {
            let message = format!("`{other}` (\"{same}\") and `{path}` (\"{name}\") share a name");
            let help = format!("names are file names, whatever their case: try \"{name}-{}\"", number + 1);
            check.report(Problem::at(&key, message).label("the name again").help(help));
        }
        taken.push((path, name.clone()));
        names.push(name);
    }
    names
}
