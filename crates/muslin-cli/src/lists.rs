//! `muslin scenes`, `methods`, `materials`, `schema`: what there is.

use muslin::materials::{self, Preset, Provenance};
use muslin_scene::builtin;
use serde_json::json;

use crate::args::Format;
use crate::console::print;
use crate::exit::{Exit, Failure};
use crate::methods::{INTEGRATORS, LIMITERS, Method};

pub(crate) fn scenes(format: &Format) -> Result<Exit, Failure> {
    let scenes: Vec<_> = builtin::list().iter().map(|scene| (scene.name, scene.about())).collect();
    if format.json {
        let list =
            scenes.iter().map(|(name, (title, about))| json!({ "name": name, "title": title, "description": about }));
        return print_json(&json!(list.collect::<Vec<_>>()));
    }
    let width = scenes.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let lines = scenes.iter().map(|(name, (title, _))| format!("{name:width$}  {title}\n"));
    print(
        &(lines.collect::<String>()
            + "\nRun one with `muslin run NAME`; `muslin scenes --json` has their descriptions.\n"),
    )
}

pub(crate) fn methods(format: &Format) -> Result<Exit, Failure> {
    if format.json {
        return print_json(&json!({ "integrators": INTEGRATORS, "limiters": LIMITERS }));
    }
    let section = |title: &str, methods: &[Method]| -> String {
        let rows = methods.iter().map(|method| {
            let parameters =
                if method.parameters.is_empty() { "none".to_owned() } else { method.parameters.join(", ") };
            format!(
                "  {:17} {}\n{:20}source: {}; parameters: {parameters}\n",
                method.name, method.about, "", method.source
            )
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
    let describe = |preset: &Preset| {
        let rows = preset.figures.iter().map(|figure| {
            let (mark, why) = match figure.provenance {
                Provenance::Measured(source) => ("measured", source),
                Provenance::Chosen(reason) => ("chosen", reason),
            };
            format!("  {:16} {:>9} {:6} {mark}: {why}\n", figure.key, figure.value, figure.unit)
        });
        format!("{}: {}\n{}", preset.name, preset.about, rows.collect::<String>())
    };
    print(&materials::list().iter().map(describe).collect::<Vec<_>>().join("\n"))
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

    /// The names that a scene file accepts for `PART.method`, read off the schema.
    fn accepted(part: &str) -> Vec<String> {
        fn find<'a>(value: &'a serde_json::Value, name: &str) -> Option<&'a serde_json::Value> {
            let here = value.get("properties").and_then(|properties| properties.get(name));
            here.or_else(|| value.as_object()?.values().find_map(|inner| find(inner, name)))
        }
        let schema = muslin_scene::schema();
        let part = find(&schema, part).cloned().unwrap_or_default();
        let choices = find(&part, "method").and_then(|method| method["oneOf"].as_array()).cloned().unwrap_or_default();
        choices.iter().filter_map(|choice| choice["const"].as_str().map(str::to_owned)).collect()
    }

    #[test]
    fn the_methods_listed_are_those_that_scenes_accept() {
        for (part, methods) in [("integrator", &INTEGRATORS[..]), ("limiter", &LIMITERS[..])] {
            let listed: Vec<_> = methods.iter().map(|method| method.name).collect();
            assert_eq!(accepted(part), listed);
        }
    }
}
