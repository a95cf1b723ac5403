//! The same cloth behaves alike at any resolution: a strip of cotton hanging under its weight, and bent as a
//! cantilever, on grids from 11 × 11 to 81 × 81; and both against an independent answer.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::path::PathBuf;

use glam::DVec3;
use muslin::model::Material;
use muslin::{State, Stepper, materials};
use muslin_scene::{Scene, Source};

const G: f64 = 9.81;
const GRIDS: [u32; 4] = [11, 21, 41, 81];

fn cotton() -> Material {
    materials::find("cotton").unwrap().material()
}

/// Simulates to rest by large steps of backward Euler with heavy damping, which does not change where the rest is, and
/// returns the lowest point [m].
fn lowest_at_rest(cloth: &str, step: f64, steps: u32) -> f64 {
    let text = format!(
        "[time]\nstep = {step}\nframes_per_second = {}\nduration = 100.0\n[air]\ndensity = 0.0\n\
         [integrator]\nmethod = \"backward-euler\"\nmax_newton = 60\ntolerance = 1e-3\nmax_cg = 2000\n\
         [limiter]\nmethod = \"none\"\n[[cloth]]\n\
         material = {{ base = \"cotton\", damping = {{ mass = 40.0 }} }}\n{cloth}",
        1.0 / step
    );
    let source = Source { name: "strip".into(), text, base_dir: PathBuf::from(".") };
    let scene = Scene::from_source(&source, &[]).unwrap_or_else(|error| panic!("{}", error.render()));
    let model = scene.build().unwrap_or_else(|error| panic!("{}", error.render())).model;
    let mut state = State::start(&model);
    let mut stepper = Stepper::new(&model, &scene.settings(1));
    for _ in 0..steps {
        stepper.step(&model, &mut state, ()).unwrap();
    }
    let fastest = state.v.iter().map(|v| v.length()).fold(0.0, f64::max);
    assert!(fastest < 2e-3, "still moving at {fastest} m/s");
    state.x.iter().map(|x: &DVec3| x.y).fold(f64::INFINITY, f64::min)
}

/// The greatest relative difference between values.
fn spread(values: &[f64]) -> f64 {
    let (low, high) = values.iter().fold((f64::INFINITY, 0.0_f64), |(low, high), v| (low.min(*v), high.max(*v)));
    high / low - 1.0
}

/// Elongation of a strip of 0.2 m × 1 m under its weight on each grid [m]. The warp runs along it.
fn elongations(shear: &str) -> [f64; GRIDS.len()] {
    GRIDS.map(|n| {
        let cloth = format!(
            "grid = {{ size = [0.2, 1.0], particles = [{n}, {n}] }}\nshear = \"{shear}\"\n\
             transform = {{ rotate = {{ axis = [1, 0, 0], degrees = 90 }} }}\n\
             pins = [{{ box = {{ min = [-1, -0.001, -1], max = [1, 0.001, 1] }} }}]\n"
        );
        -lowest_at_rest(&cloth, 0.1, 5) - 1.0
    })
}

/// Droop of the elastica: B θ'' = -w (L - s) cos θ, clamped level at s = 0, free at s = L, by shooting for θ'(0).
fn elastica_droop(bending: f64, weight: f64, length: f64) -> f64 {
    let steps = 20_000;
    let h = length / f64::from(steps);
    let shoot = |slope: f64| {
        let (mut theta, mut curvature, mut droop) = (0.0_f64, slope, 0.0);
        for k in 0..steps {
            let s = (f64::from(k) + 0.5) * h;
            let middle = theta + 0.5 * h * curvature;
            droop += h * middle.sin();
            theta = middle + 0.5 * h * (curvature - h * weight * (length - s) * middle.cos() / bending);
            curvature -= h * weight * (length - s) * middle.cos() / bending;
        }
        (curvature, droop)
    };
    let (mut low, mut high) = (0.0, weight * length * length / bending);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if shoot(middle).0 > 0.0 { high = middle } else { low = middle }
    }
    shoot(low).1
}

mod slow {
    use super::*;

    #[test]
    fn a_strip_hanging_under_its_weight_is_as_long_on_any_grid() {
        let Material { density, stretch_warp, shear, .. } = cotton();
        // Diagonals of cells of l × w help the threads along l by G l²/w²; corners do not.
        for (elements, membrane) in [("corners", stretch_warp), ("diagonals", stretch_warp + shear * 25.0)] {
            let measured = elongations(elements);
            let closed_form = density * G / (2.0 * membrane);
            assert!(spread(&measured) < 0.01, "{elements}: {measured:?}");
            for elongation in measured {
                // The pinned row cannot become narrower, which stiffens the first cells a little.
                assert!(
                    (elongation / closed_form - 1.0).abs() < 0.01,
                    "{elements}: {elongation} against {closed_form}"
                );
            }
        }
    }

    #[test]
    fn a_cantilever_droops_alike_on_any_grid() {
        let (length, clamped) = (0.0375, 0.0075);
        let droops = GRIDS.map(|n| {
            let cloth = format!(
                "grid = {{ size = [{length}, {length}], particles = [{n}, {n}] }}\n\
                 pins = [{{ box = {{ min = [-1, -1, -1], max = [1, 1, {}] }} }}]\n",
                clamped + 1e-6
            );
            -lowest_at_rest(&cloth, 0.05, 9)
        });
        let expected = elastica_droop(cotton().bending, cotton().density * G, length - clamped);
        assert!(spread(&droops) < 0.05, "{droops:?}");
        for droop in droops {
            assert!((droop / expected - 1.0).abs() < 0.05, "{droop} against {expected}");
        }
    }
}
