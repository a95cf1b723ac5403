//! The JSON Schema of scene files, made from the structs of [`crate::typed`]: editors complete and check by it, and so
//! does muslin itself ([`crate::shape`]), so that there is one statement of what a key may hold.

use std::sync::LazyLock;

use serde_json::{Map, Value};

use crate::typed;

static SCHEMA: LazyLock<Value> = LazyLock::new(|| {
    let settings =
        schemars::generate::SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let mut schema = settings.into_generator().into_root_schema_for::<typed::File>().to_value();
    tidy(&mut schema);
    schema
});

/// The JSON Schema (draft 2020-12) of scene files.
pub fn schema() -> Value {
    SCHEMA.clone()
}

/// The same without a copy.
pub(crate) fn shared() -> &'static Value {
    &SCHEMA
}

/// TOML has no null: an optional key is left out. What schemars says about null is removed.
fn tidy(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            drop_null(object);
            close_empty(object);
            object.values_mut().for_each(tidy);
        }
        Value::Array(list) => list.iter_mut().for_each(tidy),
        _ => {}
    }
}

/// A table without keys has properties too: none.
fn close_empty(object: &mut Map<String, Value>) {
    let closed = object.get("additionalProperties") == Some(&Value::Bool(false));
    if closed && object.get("type").is_some_and(|kind| kind == "object") {
        object.entry("properties").or_insert_with(|| Value::Object(Map::new()));
    }
}

fn drop_null(object: &mut Map<String, Value>) {
    if object.get("default").is_some_and(Value::is_null) {
        object.remove("default");
    }
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            object.insert("type".into(), only);
        }
    }
    if let Some(Value::Array(values)) = object.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    let Some(Value::Array(branches)) = object.get_mut("anyOf") else { return };
    branches.retain(|branch| branch.get("type").is_none_or(|kind| kind != "null"));
    if let [Value::Object(only)] = branches.as_slice() {
        let only = only.clone();
        object.remove("anyOf");
        for (key, value) in only {
            // What is said at the key (its description) goes before what is said at its type.
            object.entry(key).or_insert(value);
        }
    }
}
