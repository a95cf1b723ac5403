//! What people see when a scene is wrong. Each snapshot is the whole message: the line, the key, the value, and a hint.

mod common;

use common::{message, message_with_sets};

/// A scene that is right, for cases that spoil one thing.
const CLOTH: &str = "[[cloth]]\ngrid = { size = [1, 1], particles = [5, 5] }\n";

/// Holds the message of a wrong scene.
macro_rules! wrong {
    ($($(#[$attribute:meta])* $name:ident: $text:expr;)*) => {$(
        #[test]
        $(#[$attribute])*
        fn $name() {
            insta::assert_snapshot!(message(&$text));
        }
    )*};
}

wrong! {
    syntax_text_without_quotes: format!("[limiter]\nmethod = bridson\n{CLOTH}");
    syntax_header_not_closed: "[[cloth]\ngrid = {}\n";
    syntax_json: "{ \"time\": { \"duration\": 3 } }";
    syntax_key_twice: format!("seed = 1\nseed = 2\n{CLOTH}");
    unknown_key_like_a_known_one: format!("{CLOTH}[limiter]\nstrech = 0.01\n");
    unknown_key_like_none: format!("{CLOTH}[time]\nxyzzy = 1\n");
    unknown_table: format!("{CLOTH}[integratr]\nmethod = \"bdf2\"\n");
    unknown_key_in_a_pin: "[[cloth]]\ngrid = {}\npins = [{ corner = [0, 0], relase = 1.0 }]\n";
    wrong_type_text_for_number: format!("{CLOTH}[time]\nduration = \"three seconds\"\n");
    wrong_type_number_for_list: "[[cloth]]\ngrid = { size = 1.0 }\n";
    wrong_type_fraction_for_count: "[[cloth]]\ngrid = { particles = [40.5, 41] }\n";
    wrong_type_short_list: "[[cloth]]\ngrid = {}\ntransform = { translate = [0, 1] }\n";
    wrong_type_single_cloth: "[cloth]\ngrid = {}\n";
    wrong_type_number_for_material: "[[cloth]]\ngrid = {}\nmaterial = 7\n";
    unknown_method: format!("{CLOTH}[limiter]\nmethod = \"bridsen\"\n");
    unknown_diagonals: "[[cloth]]\ngrid = { diagonals = \"cross\" }\n";
    range_negative_density: "[[cloth]]\ngrid = {}\nmaterial = { base = \"cotton\", density = -0.2 }\n";
    range_limit_below_zero: format!("{CLOTH}[limiter]\nstretch = -0.01\n");
    range_compress_of_one: format!("{CLOTH}[limiter]\ncompress = 1.0\n");
    range_not_a_number: format!("{CLOTH}[world]\ngravity = [0, nan, 0]\n");
    range_infinite_size: "[[cloth]]\ngrid = { size = [1, inf] }\n";
    range_no_duration: format!("{CLOTH}[time]\nduration = 0\n");
    range_one_particle: "[[cloth]]\ngrid = { particles = [1, 41] }\n";
    range_negative_bob: "[[cloth]]\nchain = { from = [0, 0, 0], to = [1, 0, 0], stiffness = 10, bob = -1 }\n";
    range_beyond_physics: format!("{CLOTH}[world]\ngravity = [0, -1e200, 0]\n");
    range_huge_count: "[[cloth]]\ndisc = { rings = 99999999999 }\n";
    range_release_before_the_start: "[[cloth]]\ngrid = {}\npins = [{ corner = [0, 0], release = -1 }]\n";
    expectation_of_an_unknown_probe: format!(
        "{CLOTH}[[probe]]\nname = \"hem\"\nindex = 3\n[[expect]]\nreport = \"probes.hen.last.1\"\nat_most = 1\n"
    );
    missing_key: "[[cloth]]\nchain = { from = [0, 0, 0], to = [1, 0, 0] }\n";
    duration_under_a_frame: format!("{CLOTH}[time]\nduration = 0.01\n");
    step_longer_than_a_frame: format!("{CLOTH}[time]\nframes_per_second = 30\nstep = 0.05\n");
    step_that_does_not_divide_a_frame: format!("{CLOTH}[time]\nframes_per_second = 30\nstep = \"1/100\"\n");
    step_in_words: format!("{CLOTH}[time]\nstep = \"fast\"\n");
    foreign_integrator_parameter: format!(
        "{CLOTH}[limiter]\nmethod = \"none\"\n[integrator]\nmethod = \"symplectic-euler\"\nmax_cg = 10\n"
    );
    foreign_limiter_tolerance: format!("{CLOTH}[limiter]\ntolerance = 1e-6\n");
    foreign_key_of_another_limiter: format!("{CLOTH}[limiter]\nmethod = \"certified\"\nsequence = 4\n");
    foreign_keys_without_any_limiter: format!("{CLOTH}[limiter]\nmethod = \"none\"\ncompress = 0.02\ntethers = true\n");
    idle_preconditioner: format!("{CLOTH}[limiter]\nmethod = \"impulse\"\npreconditioner = \"jacobi\"\n");
    idle_ordering: format!("{CLOTH}[limiter]\nmethod = \"sle\"\nsolver = \"pcg\"\nordering = \"amd\"\n");
    unknown_direction: format!("{CLOTH}[limiter]\nmethod = \"impulse\"\ndirection = \"preview\"\n");
    range_tolerance_of_nothing: format!("{CLOTH}[limiter]\nmethod = \"iterative\"\ntolerance = 0.0\n");
    range_sequence_of_nothing: format!("{CLOTH}[limiter]\nmethod = \"inequality\"\nsequence = 0\n");
    idle_sequence: format!("{CLOTH}[limiter]\nmethod = \"inequality\"\nsequence = 4\n");
    solver_of_another_limiter: format!("{CLOTH}[limiter]\nmethod = \"inequality\"\nsolver = \"pcg\"\n");
    lower_limits_are_not_convex:
        format!("{CLOTH}[limiter]\nmethod = \"inequality\"\nsolver = \"primal-dual\"\ncompress = 0.02\n");
    substeps_without_certified: format!(
        "{CLOTH}[integrator]\nmethod = \"substeps\"\n[limiter]\nmethod = \"provot\"\n"
    );
    certified_with_another_integrator: format!(
        "{CLOTH}[integrator]\nmethod = \"bdf2\"\n[limiter]\nmethod = \"certified\"\n"
    );
    no_cloth: "[time]\nduration = 1\n";
    no_mesh: "[[cloth]]\nname = \"sheet\"\n";
    two_meshes: "[[cloth]]\ngrid = {}\ndisc = {}\n";
    same_name_twice: format!("{CLOTH}name = \"a\"\n{CLOTH}name = \"A\"\n");
    name_that_is_no_file_name: format!("{CLOTH}name = \"my sheet\"\n");
    unknown_material: "[[cloth]]\ngrid = {}\nmaterial = \"coton\"\n";
    unknown_base: "[[cloth]]\ngrid = {}\nmaterial = { base = \"plutonium\" }\n";
    missing_mesh_file: "[[cloth]]\nmesh = \"shrit.obj\"\n";
    missing_folder: "[[cloth]]\nmesh = { file = \"meshes/shirt.obj\", scale = 0.01 }\n";
    pin_without_vertices: "[[cloth]]\ngrid = {}\npins = [{ release = 1 }]\n";
    pin_with_two_choices: "[[cloth]]\ngrid = {}\npins = [{ corner = [0, 0], index = 3 }]\n";
    pin_index_outside: "[[cloth]]\ngrid = { particles = [5, 5] }\npins = [{ index = [3, 25] }]\n";
    pin_box_empty: "[[cloth]]\ngrid = {}\npins = [{ box = { min = [2, 0, 0], max = [3, 0, 0] } }]\n";
    pin_corner_of_a_chain: "[[cloth]]\nchain = { from = [0, 0, 0], to = [1, 0, 0], stiffness = 10, mass = 1 }\n\
                            pins = [{ corner = [0, 0] }]\n";
    pin_corner_that_is_none: "[[cloth]]\ngrid = {}\npins = [{ corner = [0.5, 0] }]\n";
    pin_plane_and_line: "[[cloth]]\ngrid = {}\npins = [{ index = 0, plane = [0, 1, 0], line = [1, 0, 0] }]\n";
    pin_motion_on_a_line: "[[cloth]]\ngrid = {}\n\
                           pins = [{ index = 0, line = [1, 0, 0], motion = { keys = [{ time = 0 }] } }]\n";
    pin_direction_zero: "[[cloth]]\ngrid = {}\npins = [{ index = 0, plane = [0, 0, 0] }]\n";
    keys_not_rising: "[[cloth]]\ngrid = {}\n[[cloth.pins]]\nindex = 0\n\
                      motion.keys = [\n  { time = 1 },\n  { time = 0.5 },\n]\n";
    triangles_without_a_diagonal: "[[cloth]]\ngrid = { triangles = true, diagonals = \"both\" }\n";
    chain_without_mass: "[[cloth]]\nchain = { from = [0, 0, 0], to = [1, 0, 0], stiffness = 10 }\n";
    chain_particle_without_mass: "[[cloth]]\nchain = { from = [0, 0, 0], to = [1, 0, 0], stiffness = 10, bob = 1 }\n";
    material_of_a_block: "[[cloth]]\nblock = {}\nmaterial = \"wool\"\n";
    probe_of_an_unknown_cloth: format!("{CLOTH}name = \"sheet\"\n[[probe]]\nname = \"p\"\n\
                                        cloth = \"sheeet\"\nindex = 0\n");
    probe_index_outside: format!("{CLOTH}[[probe]]\nname = \"p\"\nindex = 25\n");
    pull_of_no_vertices: format!("{CLOTH}[[pull]]\ncap = 0.1\n");
    pull_of_an_unknown_cloth: format!("{CLOTH}name = \"sheet\"\n[[pull]]\ncloth = \"sheeet\"\nindex = 0\n");
    pull_index_outside: format!("{CLOTH}[[pull]]\nindex = [3, 25]\n");
    pull_without_force: format!("{CLOTH}[[pull]]\ncorner = [0, 0]\ncap = 0\n");
    pull_that_ends_before_it_begins: format!("{CLOTH}[[pull]]\ncorner = [0, 0]\nfrom = 2\nuntil = 1\n");
    pull_with_the_release_of_a_pin: format!(
        "{CLOTH}[[pull]]\nindex = 0\nmotion = {{ keys = [{{ time = 1 }}, {{ time = 0.5 }}] }}\nrelease = 3\n"
    );
    pull_keys_out_of_order: format!(
        "{CLOTH}[[pull]]\nindex = 0\nmotion = {{ keys = [{{ time = 1 }}, {{ time = 0.5 }}] }}\n"
    );
    expect_without_a_bound: format!("{CLOTH}[[expect]]\nreport = \"motion.fall_s\"\n");
    expect_that_cannot_hold: format!("{CLOTH}[[expect]]\nreport = \"wall_s\"\nat_least = 2\nat_most = 1\n");
    start_from_no_run: format!("{CLOTH}[start_from]\nrun = \"runs/nothing\"\nframe = 3\n");
    camera_at_its_target: format!("{CLOTH}[camera]\neye = [1, 2, 3]\ntarget = [1, 2, 3]\n");
    camera_without_a_target: format!("{CLOTH}[camera]\neye = [1, 2, 3]\n");
    camera_that_sees_all_around: format!(
        "{CLOTH}[camera]\neye = [0, 0, 3]\ntarget = [0, 0, 0]\nfield_of_view = 180\n"
    );
    collider_of_two_shapes: format!("{CLOTH}[[collider]]\nsphere = {{ radius = 1 }}\nplane = {{}}\n");
    collider_of_no_shape: format!("{CLOTH}[[collider]]\nname = \"table\"\n");
    collider_of_negative_size: format!("{CLOTH}[[collider]]\nbox = {{ size = [1, -0.1, 1] }}\n");
    collider_of_no_number: format!("{CLOTH}[[collider]]\nsphere = {{ radius = nan }}\n");
    collider_without_a_radius: format!("{CLOTH}[[collider]]\ncapsule = {{ length = 1 }}\n");
    collider_plane_with_a_key: format!("{CLOTH}[[collider]]\nplane = {{ normal = [0, 1, 0] }}\n");
    collider_plane_with_a_size: format!("{CLOTH}[[collider]]\nplane = {{}}\ntransform = {{ scale = 2 }}\n");
    collider_named_like_a_cloth: format!("{CLOTH}name = \"sheet\"\n[[collider]]\nname = \"Sheet\"\nplane = {{}}\n");
    collider_named_like_another: format!(
        "{CLOTH}[[collider]]\nplane = {{}}\n[[collider]]\nname = \"collider\"\nplane = {{}}\n"
    );
    collider_friction_with_an_unknown_cloth: format!(
        "{CLOTH}name = \"sheet\"\n[[collider]]\nplane = {{}}\nfriction_with = {{ shete = 0.5 }}\n"
    );
    collider_friction_below_zero: format!("{CLOTH}[[collider]]\nplane = {{}}\nfriction_with = {{ cloth = -0.5 }}\n");
    collider_missing_mesh: format!("{CLOTH}[[collider]]\nmesh = {{ file = \"shrit.obj\" }}\n");
    collider_level_set_of_an_open_mesh: format!(
        "{CLOTH}[[collider]]\nmesh = \"shirt.obj\"\nlevel_set = {{ cell = 0.1 }}\n"
    );
    collider_level_set_of_a_shape: format!("{CLOTH}[[collider]]\nplane = {{}}\nlevel_set = {{ cell = 0.1 }}\n");
    collider_level_set_too_fine: format!("{CLOTH}[[collider]]\ntorus_knot = {{}}\nlevel_set = {{ cell = 1e-4 }}\n");
    collider_level_set_too_coarse: format!("{CLOTH}[[collider]]\ntorus_knot = {{}}\nlevel_set = {{ cell = 0.5 }}\n");
    collider_named_at_length: format!("{CLOTH}[[collider]]\nname = \"{}\"\nplane = {{}}\n", "x".repeat(300));
    collider_that_spins_too_fast: format!(
        "{CLOTH}[[collider]]\nplane = {{}}\nmotion = {{ spin = {{ axis = [0, 1, 0], degrees_per_second = 1e9 }} }}\n"
    );
    collider_deform_of_a_shape: format!("{CLOTH}[[collider]]\nplane = {{}}\ndeform = {{ file = \"walk.pc2\" }}\n");
    collider_spin_and_keys: format!(
        "{CLOTH}[[collider]]\nplane = {{}}\n[collider.motion]\nkeys = [{{ time = 0 }}]\n\
         spin = {{ axis = [0, 1, 0], degrees_per_second = 90 }}\n"
    );
    collider_motion_of_nothing: format!("{CLOTH}[[collider]]\nplane = {{}}\nmotion = {{}}\n");
    collider_eased_spin: format!(
        "{CLOTH}[[collider]]\nplane = {{}}\n[collider.motion]\nease = \"linear\"\n\
         spin = {{ axis = [0, 0, 0], degrees_per_second = 90 }}\n"
    );
    collider_knot_too_thick: format!("{CLOTH}[[collider]]\ntorus_knot = {{ rope = 0.2 }}\n");
    collider_knot_of_several_ropes: format!("{CLOTH}[[collider]]\ntorus_knot = {{ turns = [2, 4] }}\n");
    contact_thickness_of_nothing: format!("{CLOTH}thickness = 0\n[contact]\nthickness = 0\n");
    contact_too_thin_for_certified: format!(
        "{CLOTH}thickness = 2e-6\n{CLOTH}[contact]\nthickness = 1e-6\n[[collider]]\nplane = {{}}\n"
    );
    contact_has_an_unknown_yield_policy: format!("{CLOTH}[contact]\nyield = \"streches\"\n");
    output_of_an_unknown_format: format!("{CLOTH}[output]\ncaches = [\"pc2\", \"mdt\"]\n");
    output_of_no_cache: format!("{CLOTH}[output]\ncaches = []\n");
    output_without_pc2: format!("{CLOTH}[output]\ncaches = [\"mdd\"]\n");
    several_at_once: "[time]\nduration = -1\n\n[limiter]\nmethod = \"brids\"\nstrech = 0.1\n\n\
                      [[cloth]]\ngrid = { size = [1, 0] }\n";
    several_contradictions_at_once: "[time]\nstep = 0.05\n\n[[cloth]]\ngrid = {}\nmaterial = \"wolo\"\n\
                                     pins = [{ index = 0, release = 1, nearest = [0, 0, 0] }]\n";
}

/// Holds the message of a wrong `--set` option.
macro_rules! wrong_set {
    ($($name:ident: $set:expr;)*) => {$(
        #[test]
        fn $name() {
            insta::assert_snapshot!(message_with_sets(CLOTH, &[$set]));
        }
    )*};
}

wrong_set! {
    set_without_value: "limiter.stretch";
    set_unknown_key: "limiter.strech=0.1";
    set_unknown_table: "limit.stretch=0.1";
    set_index_outside: "cloth.1.grid.particles=[3, 3]";
    set_name_for_an_index: "cloth.sheet.grid.particles=[3, 3]";
    set_inside_a_value: "limiter.stretch.most=0.1";
    set_wrong_type: "cloth.0.grid.particles=[81,81";
    set_key_of_no_keys: "collider.0.plane.normal=[0, 1, 0]";
    set_wrong_word: "limiter.method=non";
}

#[test]
fn unknown_scene_name() {
    insta::assert_snapshot!(muslin_scene::Scene::load("hnag", &[]).unwrap_err().render());
}

#[test]
fn errors_carry_key_and_value_for_programs() {
    let error = common::error("[[cloth]]\ngrid = { size = [1, -2] }\n", &[]);
    let [problem] = error.problems() else { panic!("one problem, not {:?}", error.problems()) };
    assert_eq!((problem.key.as_str(), &*problem.value), ("cloth.0.grid.size.1", "-2"));
}
