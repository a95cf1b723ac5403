//! One scene by several limiters: what stays, what goes, what is said about it.

mod common;

use std::path::Path;

use muslin::settings::{Integrator, LimitMethod, Solver};
use muslin_scene::typed::LimiterMethod;
use muslin_scene::{Scene, SceneError, Variant};

const CLOTH: &str = "[[cloth]]\ngrid = { size = [1, 1], particles = [5, 5] }\n";

fn with(text: &str, sets: &[&str], method: LimiterMethod) -> Result<Variant, SceneError> {
    let sets: Vec<String> = sets.iter().map(ToString::to_string).collect();
    Scene::with_limiter(&common::source(text, Path::new(".")), &sets, method)
}

#[track_caller]
fn variant(text: &str, method: LimiterMethod) -> Variant {
    with(text, &[], method).unwrap_or_else(|error| panic!("{method:?}: {}", error.render()))
}

#[test]
fn the_methods_are_those_of_the_schema_in_its_order() {
    let schema = muslin_scene::schema();
    let choices = schema["properties"]["limiter"]["properties"]["method"]["oneOf"].as_array().cloned();
    let choices: Vec<String> =
        choices.unwrap_or_default().iter().filter_map(|choice| Some(choice["const"].as_str()?.to_owned())).collect();
    assert_eq!(choices, LimiterMethod::ALL.map(LimiterMethod::name));
    for method in LimiterMethod::ALL {
        assert_eq!(LimiterMethod::named(method.name()).ok(), Some(method));
    }
}

#[test]
fn an_unknown_limiter_is_named_with_the_nearest_and_all() {
    insta::assert_snapshot!(LimiterMethod::named("bridsen").expect_err("there is none").render());
}

#[test]
fn stretch_and_compress_stay_and_foreign_parameters_go_with_a_note() {
    let text = format!("{CLOTH}[limiter]\nmethod = \"provot\"\nstretch = 0.1\ncompress = 0.02\nmax_iterations = 7\n");
    let bridson = variant(&text, LimiterMethod::Bridson);
    let limiter = bridson.scene.limiter;
    assert_eq!((limiter.stretch, limiter.compress, limiter.max_iterations), (0.1, Some(0.02), 7));
    assert!(bridson.notes.is_empty(), "{:?}", bridson.notes);
    let iterative = variant(&text, LimiterMethod::Iterative);
    assert_eq!((iterative.scene.limiter.stretch, iterative.scene.limiter.compress), (0.1, None));
    assert_eq!(iterative.notes, ["`limiter.compress` left out: \"iterative\" does not have it"]);
    let none = variant(&text, LimiterMethod::None);
    assert_eq!(
        none.notes,
        ["`limiter.compress`, `limiter.max_iterations` left out: \"none\" does not have them"],
        "{}",
        none.scene.text
    );
}

#[test]
fn a_variant_is_a_scene_of_its_own_that_can_be_read_again() {
    let text = format!("# mine\n{CLOTH}[limiter]\nstretch = 0.1 # loose\ncompress = 0.02\n");
    let first = variant(&text, LimiterMethod::Certified).scene;
    assert!(first.text.contains("# mine") && first.text.contains("stretch = 0.1 # loose"), "{}", first.text);
    let source = common::source(&first.text, Path::new("."));
    let again = Scene::from_source(&source, &[]).expect("nothing foreign is left");
    assert_eq!((again.limiter, again.integrator), (first.limiter, first.integrator));
}

#[test]
fn a_parameter_that_only_the_limiters_compared_have_may_be_set() {
    let set = ["limiter.solver=pcg", "limiter.ordering=amd"];
    let sle = with(CLOTH, &set, LimiterMethod::Sle).expect("it has both, one idle");
    let LimitMethod::Sle(parameters) = sle.scene.limiter.method else { panic!("{:?}", sle.scene.limiter) };
    assert_eq!(parameters.linear.solver, Solver::Pcg);
    assert_eq!(sle.notes, ["`limiter.ordering` left out: the solver \"pcg\" does not have it"]);
    let provot = with(CLOTH, &set, LimiterMethod::Provot).expect("it has neither");
    assert_eq!(provot.scene.limiter.method, LimitMethod::Provot);
}

#[test]
fn the_integrator_of_the_scene_stays_but_for_certified_and_auto_is_each_limiters_own() {
    let own = format!("{CLOTH}[integrator]\nmethod = \"newmark\"\nend_velocity = \"half\"\n");
    let auto = format!("{CLOTH}[integrator]\nmax_newton = 3\n");
    for method in LimiterMethod::ALL.into_iter().filter(|method| *method != LimiterMethod::Certified) {
        let variant = variant(&own, method);
        assert!(matches!(variant.scene.integrator, Integrator::Newmark(_)), "{method:?}");
        assert!(variant.notes.is_empty(), "{:?}", variant.notes);
    }
    let certified = variant(&own, LimiterMethod::Certified);
    assert_eq!(certified.scene.integrator, Integrator::Substeps);
    assert_eq!(
        certified.notes,
        [
            "\"certified\" brings its own integrator: here it is \"substeps\", not \"newmark\"",
            "`integrator.end_velocity` left out: the integrator \"substeps\" does not have it"
        ]
    );
    let bridson = variant(&auto, LimiterMethod::Bridson);
    assert!(matches!(bridson.scene.integrator, Integrator::Bdf2(newton) if newton.max_newton == 3));
    let iterative = variant(&auto, LimiterMethod::Iterative);
    assert_eq!(iterative.scene.integrator, Integrator::Exact);
    assert_eq!(iterative.notes, ["`integrator.max_newton` left out: the integrator \"exact\" does not have it"]);
}

#[test]
fn substeps_are_replaced_where_the_limiter_is_not_certified() {
    let text = format!("{CLOTH}[integrator]\nmethod = \"substeps\"\n[limiter]\nmethod = \"certified\"\n");
    assert_eq!(variant(&text, LimiterMethod::Certified).scene.integrator, Integrator::Substeps);
    let inequality = variant(&text, LimiterMethod::Inequality);
    assert!(matches!(inequality.scene.integrator, Integrator::Newmark(_)));
    assert_eq!(inequality.notes, ["the integrator \"substeps\" works with \"certified\" only: here it is \"newmark\""]);
}

#[test]
fn what_is_wrong_for_every_limiter_is_an_error_for_every_limiter() {
    let foreign_and_wrong = format!("{CLOTH}[limiter]\ntethers = \"yes\"\n");
    let wrong_integrator = format!("{CLOTH}[integrator]\nmethod = \"exact\"\nmax_cg = 3\n");
    for method in LimiterMethod::ALL {
        let error = with(&foreign_and_wrong, &[], method).expect_err("it is wrong").render();
        assert!(error.contains("tethers"), "{error}");
        // "certified" has another integrator, so it does not matter to it.
        if method != LimiterMethod::Certified {
            let error = with(&wrong_integrator, &[], method).expect_err("it is wrong").render();
            assert!(error.contains("max_cg"), "{error}");
        }
    }
}
