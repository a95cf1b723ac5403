//! The schema that editors complete by.

use muslin::settings::Yield;
use muslin_scene::{builtin, schema};
use serde_json::Value;

#[test]
fn names_of_yield_policies_are_the_cores() {
    let wanted = [Yield::Stop, Yield::Strain, Yield::Contact].map(|name| serde_json::to_value(name).expect("a name"));
    let schema = schema();
    let choices = schema["properties"]["contact"]["properties"]["yield"]["oneOf"].as_array().expect("choices");
    assert_eq!(choices.iter().map(|choice| choice["const"].clone()).collect::<Vec<_>>(), wanted);
}

/// Calls `visit` with the path and schema of every key.
fn each_key(schema: &Value, path: &str, visit: &mut dyn FnMut(&str, &Value)) {
    for branch in ["anyOf", "oneOf"].iter().filter_map(|name| schema.get(name)?.as_array()).flatten() {
        each_key(branch, path, visit);
    }
    if let Some(items) = schema.get("items") {
        each_key(items, path, visit);
    }
    if let Some(values) = schema.get("additionalProperties").filter(|values| values.is_object()) {
        visit(&format!("{path}.*"), values);
    }
    for (key, rule) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let here = format!("{path}.{key}");
        visit(&here, rule);
        each_key(rule, &here, visit);
    }
}

#[test]
fn every_key_is_described() {
    let mut keys = 0;
    each_key(&schema(), "", &mut |path, rule| {
        keys += 1;
        assert!(rule.get("description").is_some(), "`{path}` has no description");
    });
    assert!(keys > 90, "the walk reaches all keys, not {keys}");
}

#[test]
fn nothing_is_said_about_null() {
    assert!(!schema().to_string().contains("null"), "TOML has no null");
}

#[test]
fn unknown_keys_are_forbidden_in_every_table() {
    fn tables(schema: &Value) {
        if schema.get("properties").is_some() {
            assert_eq!(schema.get("additionalProperties"), Some(&Value::Bool(false)), "{schema}");
        }
        match schema {
            Value::Object(object) => object.values().for_each(tables),
            Value::Array(list) => list.iter().for_each(tables),
            _ => {}
        }
    }
    tables(&schema());
}

#[test]
fn bounds_and_choices_reach_the_schema() {
    let schema = schema();
    let limiter = &schema["properties"]["limiter"]["properties"];
    assert_eq!(limiter["stretch"]["minimum"], 0.0);
    assert_eq!(limiter["compress"]["exclusiveMaximum"], 1.0);
    assert_eq!(limiter["method"]["oneOf"][2]["const"], "bridson");
    // No default in the schema: it depends on the method.
    assert_eq!((&limiter["max_iterations"]["minimum"], limiter["max_iterations"].get("default")), (&1.into(), None));
    let grid = &schema["properties"]["cloth"]["items"]["properties"]["grid"]["properties"];
    assert_eq!(grid["particles"]["items"]["minimum"], 2);
}

/// Calls `visit` with the path of every key that a file has.
fn written(value: &toml::Value, path: &str, visit: &mut dyn FnMut(&str)) {
    match value {
        toml::Value::Table(table) => table.iter().for_each(|(key, value)| {
            let here = format!("{path}.{key}");
            visit(&here);
            written(value, &here, visit);
        }),
        toml::Value::Array(list) => list.iter().for_each(|value| written(value, path, visit)),
        _ => {}
    }
}

#[test]
fn keys_of_the_built_in_scenes_occur_in_the_schema() {
    let mut known = std::collections::BTreeSet::new();
    each_key(&schema(), "", &mut |path, _| {
        known.insert(path.to_owned());
    });
    for scene in builtin::list() {
        let value: toml::Value = toml::from_str(scene.text).unwrap();
        // Below some keys there are names of cloths.
        let is_name =
            |path: &str| path.rsplit_once('.').is_some_and(|(table, _)| known.contains(&format!("{table}.*")));
        written(&value, "", &mut |path| assert!(known.contains(path) || is_name(path), "{}: `{path}`", scene.name));
    }
}
