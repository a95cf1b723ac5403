//! What `muslin compare` says to bad input. Nothing is written.

mod common;

use common::Place;

/// Holds the message for arguments that are wrong.
macro_rules! wrong {
    ($($name:ident: $($argument:literal)*;)*) => {$(
        #[test]
        fn $name() {
            let place = Place::new();
            let done = place.muslin(&["compare", $($argument),*]).exits(2);
            assert_eq!((done.stdout.as_str(), place.list(".").len()), ("", 0), "{done:?}");
            insta::assert_snapshot!(done.stderr);
        }
    )*};
}

wrong! {
    compare_by_an_unknown_limiter: "hang" "--limiters" "none,bridsen";
    compare_by_a_limiter_like_none: "hang" "--limiters" "xyzzy";
    compare_by_nothing_between_commas: "hang" "--limiters" "none,,provot";
    compare_without_limiters: "hang";
    compare_an_unknown_scene: "hnag" "--limiters" "all";
    compare_with_a_wrong_set: "hang" "--limiters" "none,provot" "--set" "limiter.strech=0.1";
    compare_with_a_wrong_value: "hang" "--limiters" "none,provot" "--set" "limiter.tethers=maybe";
    compare_with_a_contradiction: "hang" "--limiters" "none" "--set" "integrator.method=exact"
        "--set" "integrator.max_cg=3";
    compare_with_a_wrong_mesh: "hang" "--limiters" "all" "--set" "cloth.0.pins.0.corner=[2,2]";
    compare_with_resume: "hang" "--limiters" "none" "--resume";
}
