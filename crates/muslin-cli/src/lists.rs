//! `muslin scenes`, `methods`, `materials`, `schema`: what there is.

use muslin_scene::builtin;
use muslin_scene::materials::{self, Provenance};
use serde_json::json;

use crate::args::Format;
use crate::exit::{Exit, Failure};
use crate::methods::{INTEGRATORS, LIMITERS, Method};
use crate::print;

pub(crate) fn scenes(format: &Format) -> Result<Exit, Failure> {
    let scenes: Vec<_> = builtin::list().iter().map(|scene| (scene.name, scene.about())).collect();
    if format.json {
        let list = scenes.iter().map(|(name, (title, about))| json!({ "name": name, "title": title, "description": about }));
        return print_json(&json!(list.collect::<Vec<_>>()));
    }
    let width = scenes.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let lines = scenes.iter().map(|(name, (title, _))| format!("{name:width$}  {title}\n"));
    print(&(lines.collect::<String>() + "\nRun one with `muslin run NAME`; `muslin scenes --json` has their descriptions.\n"))
}

pub(crate) fn methods(format: &Format) -> Result<Exit, Failure> {
    if format.json {
        return print_json(&json!({ "integrators": INTEGRATORS, "limiters": LIMITERS }));
    }
    let section = |title: &str, methods: &[Method]| -> String {
        let rows = methods.iter().map(|method| {
            let parameters = if method.parameters.is_empty() { "none".to_owned() } else { method.parameters.join(", ") };
            format!("  {:17} {}\n{:20}source: {}; parameters: {parameters}\n", method.name, method.about, "", method.source)
        });
        format!("{title}\n{}", rows.collect::<String>())
    };
    print(&format!(
        "{}\n{}\nChoose one in a scene, or with --set, e.g. `muslin run hang --set limiter.method=provot`.\n",
        section("integrator.method", &INTEGRATORS),
        section("limiter.method", &LIMITERS)
    ))
}

pub(crate) fn materials(format: &Format) -> Result<Exit, Failure> {
    if format.json {
        return print_json(&json!(materials::list()));
    }
    let mut text = String::new();
    for preset in materials::list() {
        text += &format!("{}: {}\n", preset.name, preset.about);
        for figure in &preset.figures {
            let (mark, why) = match figure.provenance {
                Provenance::Measured(source) => ("measured", source),
                Provenance::Chosen(reason) => ("chosen", reason),
            };
            text += &format!("  {:16} {:>9} {:6} {mark}: {why}\n", figure.key, figure.value, figure.unit);
        }
        text += "\n";
    }
    print(&text)
}

pub(crate) fn schema() -> Result<Exit, Failure> {
    print_json(&muslin_scene::schema())
}

fn print_json(value: &serde_json::Value) -> Result<Exit, Failure> {
    print(&format!("{}\n", serde_json::to_string_pretty(value).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names that a scene file accepts, read off the schema.
    fn accepted(schema: &serde_json::Value, part: &str) -> Vec<String> {
        let text = schema.to_string();
        let names: Vec<String> = match part {
            "integrator" => INTEGRATORS.iter(),
            _ => LIMITERS.iter(),
        }
        .map(|method| method.name.to_owned())
        .collect();
        names.into_iter().filter(|name| text.contains(&format!("\"{name}\""))).collect()
    }

    #[test]
    fn every_method_listed_can_be_chosen() {
        for (part, methods) in [("integrator", &INTEGRATORS[..]), ("limiter", &LIMITERS[..])] {
            assert_eq!(accepted(&muslin_scene::schema(), part).len(), methods.len());
            for method in methods {
                let set = format!("{part}.method={}", method.name);
                assert!(muslin_scene::Scene::load("hang", &[set]).is_ok(), "{part} {}", method.name);
            }
        }
    }
}
