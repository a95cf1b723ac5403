//! What the command says of itself.

mod common;

use common::Place;

/// Holds the help text of a command.
macro_rules! help {
    ($($name:ident: $($argument:literal)*;)*) => {$(
        #[test]
        fn $name() {
            insta::assert_snapshot!(Place::new().muslin(&[$($argument,)* "--help"]).exits(0).stdout);
        }
    )*};
}

help! {
    help:;
    help_run: "run";
    help_check: "check";
    help_compare: "compare";
    help_render: "render";
    help_scenes: "scenes";
    help_methods: "methods";
    help_materials: "materials";
    help_schema: "schema";
    help_completions: "completions";
    help_man: "man";
}

#[test]
fn methods_in_words() {
    insta::assert_snapshot!(Place::new().muslin(&["methods"]).exits(0).stdout);
}

#[test]
fn the_version_is_a_name_and_three_numbers() {
    let said = Place::new().muslin(&["--version"]).exits(0).stdout;
    let version = said.strip_prefix("muslin ").and_then(|rest| rest.strip_suffix('\n')).expect("muslin and a version");
    assert_eq!(version.split('.').filter(|part| part.parse::<u32>().is_ok()).count(), 3, "{said}");
}

#[test]
fn no_command_at_all_shows_the_help_and_is_bad_input() {
    let done = Place::new().muslin(&[]).exits(2);
    assert!(done.stdout.is_empty() && done.stderr.contains("Usage: muslin <COMMAND>"), "{done:?}");
}

#[test]
fn every_list_is_there_in_words_and_for_programs() {
    let place = Place::new();
    for list in ["scenes", "methods", "materials"] {
        let words = place.muslin(&[list]).exits(0);
        assert!(words.stdout.lines().count() > 3 && words.stderr.is_empty(), "{words:?}");
        let data = place.muslin(&[list, "--json"]).exits(0);
        let entries = data.json();
        let count = entries.as_array().map_or_else(|| entries.as_object().map_or(0, serde_json::Map::len), Vec::len);
        assert!(count >= 2, "{list}: {entries}");
    }
}

#[test]
fn scenes_are_listed_with_their_titles() {
    let place = Place::new();
    let scenes = place.muslin(&["scenes", "--json"]).exits(0).json();
    let words = place.muslin(&["scenes"]).stdout;
    for scene in scenes.as_array().expect("a list") {
        let (name, title) = (scene["name"].as_str().expect("a name"), scene["title"].as_str().expect("a title"));
        assert!(words.contains(name) && words.contains(title) && !title.is_empty(), "{name}: {words}");
    }
}

#[test]
fn the_schema_is_json_that_knows_the_fixed_keys() {
    let schema = Place::new().muslin(&["schema"]).exits(0).json();
    for key in ["time", "integrator", "limiter", "cloth", "seed"] {
        assert!(schema["properties"][key].is_object(), "`{key}` is missing: {}", schema["properties"]);
    }
}
