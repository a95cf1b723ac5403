//! Cloth that does not stretch past the limit you set, does not pass through solids, moves right, and says so with
//! numbers after every step. On the CPU, in `f64`, the same bits for any number of threads.
//!
//! # A first program
//!
//! ```
//! use muslin::prelude::*;
//!
//! // A square metre of cotton in 441 particles, pinned at two corners.
//! let cotton = materials::find("cotton").expect("one of the presets").material();
//! let sheet = Cloth::new("sheet", GridSpec::square(1.0, 21).build()?, cotton);
//! let sheet = sheet.pinned(&Select::Corner(DVec2::ZERO))?.pinned(&Select::Corner(DVec2::X))?;
//!
//! let mut builder = Simulation::builder();
//! let sheet = builder.cloth(sheet);
//! builder.collider(Collider::shape("floor", Shape::Plane, DVec3::NEG_Y * 1.2));
//! let mut simulation = builder.limit(0.01).build()?;
//!
//! for _ in 0..60 {
//!     let report = simulation.step(())?;
//!     assert!(report.worst_strain <= 0.01);
//! }
//! println!("{} vertices after {} s", simulation.positions(sheet).len(), simulation.time());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Scene files do the same in TOML: `muslin_scene::Scene::load("hang", &[])?.prepare()?` is a [`Simulation`] too.
//!
//! # Units
//!
//! SI throughout: metres, seconds, kilograms, newtons; y is up. Fabrics are given per area and width
//! ([`model::Material`]), so that the same cloth behaves alike at any resolution; [`materials`] has seven, each figure
//! with its source.
//!
//! # Moving things
//!
//! What a game or a viewer wants in a step are its [`Inputs`]; `()` stands for none.
//!
//! ```
//! # use muslin::prelude::*;
//! # let silk = materials::find("silk").expect("a preset").material();
//! # let sheet = Cloth::new("sheet", GridSpec::square(1.0, 11).build()?, silk).pinned(&Select::Corner(DVec2::ZERO))?;
//! # let mut builder = Simulation::builder();
//! # let sheet = builder.cloth(sheet);
//! # let ball = builder.collider(Collider::shape("ball", Shape::Sphere { radius: 0.1 }, DVec3::new(0.5, -0.3, 0.5)));
//! # let mut simulation = builder.build()?;
//! let pin = simulation.model().pins_of(sheet).next().expect("one pin");
//! let mut inputs = Inputs::default();
//! inputs.shift_pin(pin, DVec3::new(0.0, 0.01, 0.0));                       // stays there until the next shift
//! inputs.pose_collider(ball, Pose::at(DVec3::new(0.5, -0.28, 0.5)));       // so does a solid, and pushes cloth
//! inputs.pull(Pull::new(120, DVec3::new(2.0, 1.0, 2.0), 0.5));             // for this step, with up to half a newton
//! inputs.blow(DVec3::new(0.0, 0.0, 3.0));                                  // wind [m/s]
//! simulation.step(&inputs)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A pin that is moved where the cloth cannot reach contradicts the limit, and the step is refused with a [`StepError`]
//! that names the pins; the state is as it was. A pull is never a reason to refuse a step: where it is too much, the
//! step goes without, and [`report::Work`] says so.
//!
//! Pins and solids are swept to where they go. A respawn is no motion: [`Simulation::teleport`] puts everything
//! elsewhere at once, [`Simulation::teleport_cloth`] and [`Simulation::teleport_collider`] one thing.
//!
//! # Drawing it
//!
//! Triangles and texture coordinates never change; positions and normals are read after each step.
//!
//! ```
//! # use muslin::prelude::*;
//! # let silk = materials::find("silk").expect("a preset").material();
//! # let mut builder = Simulation::builder();
//! # let sheet = builder.cloth(Cloth::new("sheet", GridSpec::square(1.0, 11).build()?, silk));
//! # let mut simulation = builder.build()?;
//! let indices = simulation.triangles(sheet).as_flattened().to_vec();
//! let mut normals = Vec::new();
//! simulation.step(())?;
//! simulation.normals(sheet, &mut normals);
//! let vertices: Vec<[f32; 3]> = simulation.positions(sheet).iter().map(|x| x.as_vec3().to_array()).collect();
//! assert_eq!((indices.len(), vertices.len(), normals.len()), (600, 121, 121));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Reading results
//!
//! Every step returns a [`StepReport`]: the worst strain and its edge, the centre, and what it took.
//! [`Simulation::energies`] has kinetic and potential energy of each cloth with the work that pins, solids, pulls and
//! air did; [`contact::survey`] measures the least distance to solids and counts crossings with exact predicates,
//! [`contact::survey_cloth`] does so for cloth against itself and other cloth.
//! [`Simulation::snapshot`], [`Simulation::fork`], [`Simulation::save`] and [`Simulation::load`] keep states, and
//! refuse damaged ones and those of another model; [`State::hash`] is a fingerprint to the last bit.
//!
//! # Choosing a limit, and what it costs
//!
//! 1 % is what most fabrics do under their weight, and the default. Work grows with (1 %/limit)^0.7: a tenth of the
//! limit takes five times as long. It grows with particles to the power of 1.5, and not with the step, which is divided
//! into as many substeps as the size of the cloth and its resolution need. In real time at 1 % a sheet of 41 × 41
//! threads without bending takes about a tenth of one core, one of cotton in air about a third. Cloth that is caught
//! hard, by a gale or a fast solid, takes more in those steps. Within a looser limit soft fabrics stretch as they are:
//! a knit at 10 % hangs deeper than at 1 %.
//!
//! # Threads
//!
//! Several cloths run on several threads of the current `rayon` pool, one cloth on one; results do not depend on it.
//! For many small simulations fork one and step the forks in parallel (`examples/thousand.rs`).
//! [`Simulation::interrupt`] stops a long step from another thread; the next one goes on from the state before it.
//!
//! # Methods
//!
//! [`settings::LimitMethod`] lists the strain limiters of the literature beside `certified`, the default, which alone
//! keeps its limit in every step. A [`Model`] never changes, a [`State`] is what changes, a [`Stepper`] is how:
//! [`Simulation`] is the three together. The crate knows no files and no command line.
//!
//! The limiters of the literature, and the solver library they need, are the feature `limiters`, on by default. A game
//! that needs `certified` alone leaves it out: `muslin = { version = "…", default-features = false }`. Scene files, run
//! folders and pictures are crates of their own: `muslin-scene`, `muslin-record`, `muslin-render`.

mod certified;
pub mod collide;
#[cfg_attr(not(feature = "limiters"), allow(dead_code, unused_imports, reason = "rows of contact are for limiters"))]
pub mod contact;
pub mod drivers;
pub mod energy;
pub mod error;
pub mod forces;
pub mod inputs;
pub mod integrate;
mod interrupt;
pub mod limit;
pub mod linalg;
pub mod materials;
pub mod measure;
pub mod mesh;
pub mod model;
pub mod prelude;
pub mod report;
pub mod rows;
pub mod settings;
mod simd;
pub mod simulation;
mod staged;
pub mod state;
pub mod step;
pub mod stuck;
pub mod timing;

pub use energy::ClothEnergy;
pub use error::{Stage, StepError};
pub use glam::{DQuat, DVec2, DVec3};
pub use inputs::{AsInputs, Inputs, Pull};
pub use interrupt::Interrupt;
pub use mesh::Mesh;
pub use model::Model;
pub use report::StepReport;
pub use settings::Settings;
pub use simulation::Simulation;
pub use state::State;
pub use step::Stepper;
