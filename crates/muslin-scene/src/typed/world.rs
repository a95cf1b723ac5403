//! Time, gravity, air, and where a run starts from.

use schemars::JsonSchema;
use serde::Deserialize;

/// How long a run lasts, how many frames it writes, and in which steps it advances.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Time {
    /// Simulated time [s], rounded to whole frames. More than 0; default 3.
    #[schemars(extend("exclusiveMinimum" = 0.0, "maximum" = 1e6))]
    pub duration: f64,
    /// Frames written per second of simulated time [1/s], e.g. 30 or 23.976. More than 0; default 30.
    #[schemars(extend("exclusiveMinimum" = 0.0, "maximum" = 1e6))]
    pub frames_per_second: f64,
    /// The solver's step: seconds (0.008), a fraction of a second ("1/120"), a fraction of a frame ("frame/4"), or
    /// "auto", which chooses by method and stiffness. A frame must be a whole number of steps. Default "auto".
    pub step: Step,
}

impl Default for Time {
    fn default() -> Self {
        Self { duration: 3.0, frames_per_second: 30.0, step: Step::default() }
    }
}

/// Length of a step, as written.
#[derive(Debug, Clone, PartialEq, Deserialize, serde::Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Step {
    /// Seconds.
    Seconds(#[schemars(extend("exclusiveMinimum" = 0.0))] f64),
    /// "auto", "1/120" or "frame/4".
    Text(#[schemars(regex(pattern = r"^(auto|(frame|[0-9.]+) */ *[0-9.]+)$"))] String),
}

impl Default for Step {
    fn default() -> Self {
        Self::Text("auto".into())
    }
}

/// What acts on everything.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct World {
    /// Acceleration of gravity [m/s²]. Default [0, -9.81, 0]: y is up.
    pub gravity: [f64; 3],
}

impl Default for World {
    fn default() -> Self {
        Self { gravity: [0.0, -9.81, 0.0] }
    }
}

/// The air and its wind. It acts through a material's `drag` and `skin_drag`.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Air {
    /// Mass per volume [kg/m³]. At least 0 (0: vacuum); default 1.2, dry air at 20 °C.
    #[schemars(range(min = 0.0))]
    pub density: f64,
    /// Mean velocity of the wind [m/s]. Default still air.
    #[schemars(extend("examples" = [[5.0, 0.0, 0.0]]))]
    pub wind: [f64; 3],
    /// How far gusts raise and lower the wind, as a fraction: 0.3 is ±30 %. 0 to 1; default 0, a steady wind.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub gust: f64,
    /// Time from gust to gust [s]. More than 0; default 1.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub gust_period: f64,
    /// Linear drag per area of a particle [N·s/m³], the same in all directions. At least 0; default 0.
    #[schemars(range(min = 0.0))]
    pub particle_drag: f64,
}

impl Default for Air {
    fn default() -> Self {
        Self { density: 1.2, wind: [0.0; 3], gust: 0.0, gust_period: 1.0, particle_drag: 0.0 }
    }
}

/// The frame of an earlier run that this one starts from. Cloths are matched by name and vertex count.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StartFrom {
    /// Folder of the earlier run, relative to the scene file.
    #[schemars(extend("examples" = ["runs/hang"]))]
    pub run: String,
    /// Which of its frames; 0 is its start.
    pub frame: u32,
    /// True: start at rest. False (default): with the velocities of that run, from the differences of its frames.
    #[serde(default)]
    pub at_rest: bool,
    /// Frames per second of the earlier run [1/s]. Default: what the `scene.toml` in its folder says.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub frames_per_second: Option<f64>,
}
