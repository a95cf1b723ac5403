//! One run: a net of threads, hung by two corners.
//!
//! The net starts level and as long as at rest: its rows hang between the pins as arcs, polylines of n edges l0 whose
//! ends are apart by l0 sin(n φ/2)/sin(φ/2), φ the angle from edge to edge; its columns are straight. So no method has
//! to repair its start, whatever the distance of the pins.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use cpu_time::ProcessTime;
use muslin::mesh::{Diagonals, GridSpec};
use muslin::model::{Cloth, Select, World};
use muslin::settings::{Contact, Integrator};
use muslin::{DVec2, DVec3, Model, Settings, Simulation, StepError, materials};

use super::cases::{EDGE, EDGES, Setup, Variant};

/// Simulated time [s]: the net falls, swings through and to the other side.
const DURATION: f64 = 1.0;
/// Most CPU time of a run [s].
pub(super) const CAP: f64 = 2.0;
/// A strain from which a run has burst and is not followed any further.
pub(super) const BURST: f64 = 10.0;

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Completed,
    /// A step was refused, or a number was no longer finite.
    Stopped,
    /// Some edge was more than [`BURST`] too long.
    Burst,
    /// At the cap of CPU time.
    Capped,
}

impl End {
    pub(super) const ALL: [(Self, &'static str); 4] =
        [(Self::Completed, "completed"), (Self::Stopped, "stopped"), (Self::Burst, "burst"), (Self::Capped, "capped")];
}

/// What came of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Outcome {
    pub(super) end: End,
    /// Until when it ran [s].
    pub(super) time: f64,
    /// Greatest strain of any step.
    pub(super) worst: f64,
    /// Least strain of any step.
    pub(super) least: f64,
    /// Rounds per step, in the mean.
    pub(super) rounds: f64,
    /// CPU time [s].
    pub(super) cpu: f64,
}

pub(super) fn run(variant: &Variant, setup: &Setup) -> Result<Outcome, String> {
    let mut simulation = simulation(variant, setup, EDGE)?;
    Ok(until_cap(&mut simulation))
}

/// Runs with an eye on the CPU time: steps can be long, so another thread interrupts.
fn until_cap(simulation: &mut Simulation) -> Outcome {
    let (interrupt, done, start) = (simulation.interrupt(), AtomicBool::new(false), ProcessTime::now());
    thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                if start.elapsed().as_secs_f64() > CAP {
                    interrupt.ask();
                }
                thread::sleep(Duration::from_millis(5));
            }
        });
        let outcome = follow(simulation);
        done.store(true, Ordering::Relaxed);
        Outcome { cpu: start.elapsed().as_secs_f64(), ..outcome }
    })
}

fn follow(simulation: &mut Simulation) -> Outcome {
    let mut outcome = Outcome { end: End::Completed, time: 0.0, worst: 0.0, least: 0.0, rounds: 0.0, cpu: 0.0 };
    let steps = (DURATION / simulation.settings().step).round();
    let mut rounds = 0.0;
    while simulation.state().step < steps as u64 {
        let step = match simulation.step(()) {
            Ok(step) => step,
            Err(error) => {
                let capped = matches!(error, StepError::Interrupted { .. });
                outcome.end = if capped { End::Capped } else { End::Stopped };
                break;
            }
        };
        outcome.worst = outcome.worst.max(step.worst_strain);
        outcome.least = outcome.least.min(step.least_strain);
        rounds += f64::from(step.work.limiter.rounds);
        outcome.rounds = rounds / step.step as f64;
        if !(outcome.worst < BURST) {
            outcome.end = End::Burst;
            break;
        }
    }
    outcome.time = simulation.time();
    outcome
}

/// The net with edges of a length [m].
fn simulation(variant: &Variant, setup: &Setup, edge: f64) -> Result<Simulation, String> {
    let limiter = variant.limiter(setup.limit);
    let mut cloth = net(setup.span, edge)?;
    if limiter.method.replaces_springs() {
        cloth.leave_stretch_to_the_limiter();
    }
    let mut model = Model::build(vec![cloth], Vec::new(), World::default()).map_err(|error| error.to_string())?;
    let lower = (EDGES * (EDGES + 1)) as usize;
    for mass in &mut model.mass[lower..] {
        *mass *= setup.mass;
    }
    let integrator = Integrator::partner_of(&limiter.method);
    let step = 1.0 / f64::from(setup.rate);
    let settings = Settings { step, integrator, limiter, contact: Contact { own: false, ..Contact::default() } };
    Simulation::new(model, settings).map_err(|error| error.to_string())
}

/// The net, its pins so many widths apart.
fn net(span: f64, edge: f64) -> Result<Cloth, String> {
    let spec = GridSpec {
        size: DVec2::splat(edge * f64::from(EDGES)),
        particles: [EDGES + 1; 2],
        diagonals: Diagonals::None,
        triangles: false,
    };
    let mesh = spec.build().map_err(|error| error.to_string())?;
    let bare = materials::find("bare").ok_or("there is no fabric `bare`")?.material();
    let mut cloth = Cloth::new("net", mesh, bare);
    let row = arc(EDGES, span);
    for (start, rest) in cloth.start.iter_mut().zip(&cloth.mesh.positions) {
        let place = edge * row[(rest.x / edge).round() as usize];
        *start = DVec3::new(place.x, place.y, rest.z);
    }
    let cloth = cloth.pinned(&Select::Corner(DVec2::ZERO)).and_then(|cloth| cloth.pinned(&Select::Corner(DVec2::X)));
    cloth.map_err(|error| error.to_string())
}

/// A polyline of so many edges of length 1, with equal angles between them, that hangs between two points at the same
/// height, `span` times its length apart.
fn arc(edges: u32, span: f64) -> Vec<DVec2> {
    let n = f64::from(edges);
    let chord = |angle: f64| libm::sin(0.5 * n * angle) / (n * libm::sin(0.5 * angle));
    // The chord falls from 1 to 0 as the arc closes to a circle.
    let (mut flat, mut round) = (1e-12, std::f64::consts::TAU / n);
    for _ in 0..100 {
        let middle = 0.5 * (flat + round);
        if chord(middle) > span { flat = middle } else { round = middle }
    }
    let angle = if span < 1.0 { flat } else { 0.0 };
    let mut place = DVec2::ZERO;
    let mut points = vec![place];
    for edge in 0..edges {
        let slope = (f64::from(edge) - 0.5 * (n - 1.0)) * angle;
        place += DVec2::new(libm::cos(slope), libm::sin(slope));
        points.push(place);
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_net_starts_without_strain_and_its_pins_are_where_they_should_be() {
        for span in [1.0, 0.999, 0.9, 0.7] {
            let points = arc(EDGES, span);
            let ends = points[EDGES as usize];
            assert!((ends.x - span * f64::from(EDGES)).abs() < 1e-9 && ends.y.abs() < 1e-9, "{span}: {ends}");
            for edge in points.windows(2) {
                assert!((edge[0].distance(edge[1]) - 1.0).abs() < 1e-12, "{edge:?}");
            }
            let lowest = points.iter().map(|point| point.y).fold(0.0, f64::min);
            assert!(lowest < 0.0 || span == 1.0, "{span}: {lowest}");
        }
    }

    /// A net without springs has only lengths l0, times h and g: edges four times as long and steps twice as long give
    /// the same strains. The powers of two make even the roundings the same.
    #[test]
    fn only_g_h2_over_l0_counts() {
        let variant = Variant::all().into_iter().find(|variant| variant.name == "iterative").expect("it is mapped");
        let worst = |rate, edge| {
            let setup = Setup { rate, limit: 0.01, span: 0.9, mass: 1.0 };
            let mut simulation = simulation(&variant, &setup, edge).expect("a net");
            let strains = (0..20).map(|_| simulation.step(()).expect("a step").worst_strain);
            strains.fold(0.0, f64::max)
        };
        let (one, other) = (worst(120, EDGE), worst(60, 4.0 * EDGE));
        assert!((one - other).abs() <= 1e-9 && one > 0.0, "{one} {other}");
    }
}
