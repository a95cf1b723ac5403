//! `muslin scenes`, `methods`, `materials`, `schema`: what there is.

use muslin::materials::{self, Preset, Provenance};
use muslin_scene::builtin;
use muslin_scene::methods::{IntegratorMethod, LimiterMethod};
use muslin_scene::parameters::Method;
use serde::Serialize;
use serde_json::json;

use crate::args::Format;
use crate::console::print;
use crate::exit::{Exit, Failure};

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
    let integrators: Vec<_> =
        IntegratorMethod::ALL.iter().map(|method| Listed::new(*method, method.source())).collect();
    let limiters: Vec<_> = LimiterMethod::ALL
        .iter()
        .map(|method| Listed { integrator: Some(method.partner().name()), ..Listed::new(*method, method.source()) })
        .collect();
    if format.json {
        return print_json(&json!({ "integrators": integrators, "limiters": limiters }));
    }
    let section = |title: &str, methods: &[Listed]| {
        format!("{title}\n{}", methods.iter().map(Listed::describe).collect::<String>())
    };
    print(&format!(
        "{}\n{}\nChoose one in a scene, or with --set, e.g. `muslin run hang --set limiter.method=provot`.\n",
        section("integrator.method", &integrators),
        section("limiter.method", &limiters)
    ))
}

/// A method that a scene can choose, as it is listed.
#[derive(Serialize)]
struct Listed {
    name: &'static str,
    about: String,
    source: &'static str,
    /// What `auto` stands for with a limiter.
    #[serde(skip_serializing_if = "Option::is_none")]
    integrator: Option<&'static str>,
    parameters: Vec<&'static str>,
}

impl Listed {
    fn new<M: Method>(method: M, source: &'static str) -> Self {
        let parameters = match method.name() {
            "auto" => vec!["those of the integrator it stands for"],
            _ => method.parameters().map(|parameter| parameter.key).collect(),
        };
        let about = method.about() + if method == M::default() { " The default." } else { "" };
        Self { name: method.name(), about, source, integrator: None, parameters }
    }

    fn describe(&self) -> String {
        let Self { name, about, source, .. } = self;
        let partner = self.integrator.map(|integrator| format!("; integrator: {integrator}")).unwrap_or_default();
        let parameters = if self.parameters.is_empty() { "none".to_owned() } else { self.parameters.join(", ") };
        format!("  {name:17} {about}\n{:20}source: {source}{partner}; parameters: {parameters}\n", "")
    }
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
