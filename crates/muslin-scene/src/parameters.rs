//! Parameters of limiters and integrators, each stated once: key, meaning, values, whose it is. Defaults are the
//! core's, by the same key. From these tables come what a method accepts and what errors say of it, the schema with its
//! descriptions, the scene reference, `muslin methods`, and the tables in `docs/methods`.
//!
//! A new parameter is a field of the core's settings and a row here.

use std::fmt::Display;

use schemars::Schema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::example;
use crate::methods::{IntegratorMethod, LimiterMethod};

/// A method of limiting or integrating.
pub trait Method: Copy + PartialEq + Default + 'static {
    /// The core's settings of such methods. They serialise to a table with `method` and a value for every parameter, by
    /// its key.
    type Settings: Serialize + DeserializeOwned;
    /// The table of scene files that chooses it.
    const TABLE: &'static str;
    /// All methods, in the order of lists.
    const ALL: &'static [Self];
    /// The parameters of all of them, in the order of lists.
    const PARAMETERS: &'static [Parameter<Self>];

    /// The name as scene files and the core's settings spell it.
    fn name(self) -> &'static str;

    /// What it does, in sentences.
    fn about(self) -> String;

    /// The core's settings without any parameter given.
    fn defaults(self) -> Self::Settings;

    /// The same where some are given that others have their defaults by.
    fn defaults_beside(self, _given: &Map<String, Value>) -> Self::Settings {
        self.defaults()
    }

    /// The parameters that it has.
    fn parameters(self) -> impl Iterator<Item = &'static Parameter<Self>> {
        Self::PARAMETERS.iter().filter(move |parameter| parameter.methods.contains(&self))
    }

    /// Whether it has a parameter of this key.
    fn has(self, key: &str) -> bool {
        self.parameters().any(|parameter| parameter.key == key)
    }
}

/// A parameter of methods.
#[derive(Debug)]
pub struct Parameter<M: 'static> {
    /// Its key, in scene files and in the core's settings.
    pub key: &'static str,
    /// What it is, with its unit, in sentences; the first one alone must make sense.
    pub about: &'static str,
    /// What it may be.
    pub values: Values,
    /// What leaving it out means, where the core's default is to have no value.
    pub unset: &'static str,
    /// The methods that have it.
    pub methods: &'static [M],
    /// Those of them that take no number below a bound of their own, with that bound.
    pub least: &'static [(M, f64)],
    /// The solvers that it means something to, where a method has a choice of them; none listed: all.
    pub solvers: &'static [&'static str],
}

/// What a parameter may be.
#[derive(Debug)]
pub enum Values {
    /// True or false.
    Switch,
    /// Whole numbers from 1.
    Count,
    /// Numbers within bounds, by the names that JSON Schema has for them, and one to show.
    Number(&'static [(&'static str, f64)], f64),
    /// Words, each with its meaning.
    Words(&'static [(&'static str, &'static str)]),
}

/// The parameters of integrators.
pub(crate) const INTEGRATOR: &[Parameter<IntegratorMethod>] = {
    use IntegratorMethod::{BackwardEuler, Bdf2, Newmark};
    &[
        Parameter {
            key: "max_newton",
            about: "Most Newton rounds per step. 1 is a single linear solve.",
            values: Values::Count,
            methods: &[BackwardEuler, Bdf2],
            ..Parameter::EMPTY
        },
        Parameter {
            key: "tolerance",
            about: "A step is solved when a Newton round changes no particle's velocity by more than this [m/s].",
            values: Values::Number(&[("exclusiveMinimum", 0.0), ("maximum", 1.0)], 0.01),
            methods: &[BackwardEuler, Bdf2],
            ..Parameter::EMPTY
        },
        Parameter {
            key: "max_cg",
            about: "Most conjugate-gradient iterations per Newton round.",
            values: Values::Count,
            methods: &[BackwardEuler, Bdf2],
            ..Parameter::EMPTY
        },
        Parameter {
            key: "end_velocity",
            about: "How the last stage of Newmark's scheme makes end velocities.",
            values: Values::Words(&[
                ("half", "Half a step of force from the mid-step velocity: second order."),
                ("printed", "A whole step of force from the start velocity, as the paper prints it: first order."),
            ]),
            methods: &[Newmark],
            ..Parameter::EMPTY
        },
    ]
};

/// The parameters of limiters.
pub(crate) const LIMITER: &[Parameter<LimiterMethod>] = {
    use LimiterMethod::{Bridson, Certified, Impulse, ImpulseNewton, Inequality, Iterative, Provot, Sle};
    &[
        Parameter {
            key: "stretch",
            about: "Greatest strain of a structural edge [1]: 0.01 is 1 %. Every method is judged by it, \"none\" too.",
            values: Values::Number(&[("minimum", 0.0)], 0.01),
            methods: &LimiterMethod::ALL,
            least: &[(Certified, muslin::settings::Certified::LEAST_STRETCH)],
            ..Parameter::EMPTY
        },
        Parameter {
            key: "compress",
            about: "Greatest compression of a structural edge [1]: 0.02 is 2 %.",
            values: Values::Number(&[("minimum", 0.0), ("exclusiveMaximum", 1.0)], 0.02),
            unset: "none: edges may shorten freely",
            methods: &[Provot, Bridson, Impulse, ImpulseNewton, Inequality],
            ..Parameter::EMPTY
        },
        Parameter {
            key: "reading",
            about: "How the method's document is read. The method's page says what the readings have different.",
            values: Values::Words(&[
                ("intended", "With the smallest departures by which what the document says comes out."),
                ("printed", "To the letter: directions at the start of the step; one solve by impulse-newton and sle."),
            ]),
            methods: &[Impulse, ImpulseNewton, Iterative, Sle, Inequality],
            ..Parameter::EMPTY
        },
        Parameter {
            key: "tolerance",
            about: "How near to its goal a method goes before it stops, as a fraction of the edge's length [1].",
            values: Values::Number(&[("exclusiveMinimum", 0.0)], 1e-4),
            unset: "`stretch`",
            methods: &[ImpulseNewton, Iterative, Sle, Inequality],
            ..Parameter::EMPTY
        },
        Parameter {
            key: "max_iterations",
            about: "Most rounds per step. More keep the limit better and cost time.",
            values: Values::Count,
            methods: &[Provot, Bridson, ImpulseNewton, Iterative, Sle, Inequality, Certified],
            ..Parameter::EMPTY
        },
        Parameter {
            key: "direction",
            about: "Where impulses point.",
            values: Values::Words(&[
                ("start", "The edge's direction at the start of the step: angular momentum is kept."),
                ("current", "The edge's direction in the preview: converges more easily, loses angular momentum."),
            ]),
            methods: &[Impulse, ImpulseNewton, Iterative, Sle],
            ..Parameter::EMPTY
        },
        Parameter {
            key: "jacobian",
            about: "The matrix of a Newton round.",
            values: Values::Words(&[
                ("exact", "The derivative itself."),
                ("frozen", "The symmetric matrix of the start directions, factored once."),
            ]),
            methods: &[ImpulseNewton],
            ..Parameter::EMPTY
        },
        Parameter {
            key: "velocity_pass",
            about: "Whether velocities along edges are removed too, after positions have moved.",
            values: Values::Switch,
            methods: &[Iterative, Sle],
            ..Parameter::EMPTY
        },
        Parameter {
            key: "solver",
            about: "How the system of impulses is solved.",
            values: Values::Words(&[("ldlt", "Sparse factorisation."), ("pcg", "Preconditioned conjugate gradients.")]),
            methods: &[Impulse, Sle],
            ..Parameter::EMPTY
        },
        Parameter {
            key: "solver",
            about: "How the problem of one-sided limits is solved. With `compress`, which is not convex, and in the \
                    reading \"printed\" it is \"active-set\" unless given.",
            values: Values::Words(&[
                ("active-set", "Targets that tighten, with the limits over them active: the document's own."),
                ("barrier", "A logarithmic barrier whose weight falls, by Newton's method."),
                ("primal-dual", "Interior points and multipliers together: the fastest, and the most exact."),
            ]),
            methods: &[Inequality],
            ..Parameter::EMPTY
        },
        Parameter {
            key: "barrier",
            about: "Weight of the barrier that is left standing, in units of mean particle mass times mean edge length \
                    squared [1]. 0: it is lowered until it makes no difference.",
            values: Values::Number(&[("minimum", 0.0)], 0.1),
            methods: &[Inequality],
            solvers: &["barrier"],
            ..Parameter::EMPTY
        },
        Parameter {
            key: "preconditioner",
            about: "What speeds up the solver \"pcg\".",
            values: Values::Words(&[
                ("jacobi", "The diagonal."),
                ("incomplete-cholesky", "An incomplete Cholesky factor."),
            ]),
            methods: &[Impulse, Sle],
            solvers: &["pcg"],
            ..Parameter::EMPTY
        },
        Parameter {
            key: "ordering",
            about: "In which order the solver \"ldlt\" eliminates.",
            values: Values::Words(&[
                ("amd", "Approximate minimum degree."),
                ("nested-dissection", "Geometric nested dissection of the rest shape."),
            ]),
            methods: &[Impulse, ImpulseNewton, Sle],
            solvers: &["ldlt"],
            ..Parameter::EMPTY
        },
        Parameter {
            key: "sequence",
            about: "Length of the sequence of targets of the solver \"active-set\", from the worst violation down to \
                    none.",
            values: Values::Count,
            methods: &[Inequality],
            solvers: &["active-set"],
            ..Parameter::EMPTY
        },
        Parameter {
            key: "cross_edges",
            about: "Whether the two vertices opposite an edge are limited too, which resists shear.",
            values: Values::Switch,
            methods: &[Inequality],
            ..Parameter::EMPTY
        },
        Parameter {
            key: "tethers",
            about: "Whether distances to pins are limited too, by the shortest path along edges. The limit of the \
                    edges is the same without, but work and motion are not: `bench-hang` then takes nine times the \
                    CPU time, and gains energy.",
            values: Values::Switch,
            methods: &[Certified],
            ..Parameter::EMPTY
        },
    ]
};

impl<M: Method> Parameter<M> {
    /// For rows that leave out what they do not need.
    const EMPTY: Self =
        Self { key: "", about: "", values: Values::Switch, unset: "", methods: &[], least: &[], solvers: &[] };

    /// The core's default for a method, null where that is to have no value.
    pub fn default(&self, method: M) -> Value {
        table(&method.defaults()).remove(self.key).unwrap_or_default()
    }

    /// The same in words.
    pub fn default_text(&self, method: M) -> String {
        match self.default(method) {
            Value::Null => self.unset.to_owned(),
            value => value.to_string(),
        }
    }

    /// The least number that a method takes, where it has a bound of its own.
    pub fn least(&self, method: M) -> Option<f64> {
        self.least.iter().find(|(own, _)| *own == method).map(|(_, least)| *least)
    }

    /// False when it takes words, but not this one.
    fn takes(&self, value: &Value) -> bool {
        match self.values {
            Values::Words(words) => words.iter().any(|(word, _)| value == word),
            _ => true,
        }
    }

    /// What it may be with a method.
    pub fn values_text(&self, method: M) -> String {
        self.least(method).map_or_else(|| self.values.to_string(), |least| format!("at least {least:e}"))
    }

    /// The schema of its values, with its description and, where methods agree on one, its default.
    fn schema(&self) -> Value {
        let mut schema = self.values.schema();
        schema["description"] = self.description().into();
        let mut defaults = self.methods.iter().map(|method| self.default(*method));
        let first = defaults.next().unwrap_or_default();
        if !first.is_null() && defaults.all(|other| other == first) {
            schema["default"] = first;
        }
        schema
    }

    /// Meaning, bounds, default, and whose it is.
    fn description(&self) -> String {
        let defaults: Vec<_> = self.methods.iter().map(|method| (self.default_text(*method), method.name())).collect();
        let agreed = defaults.iter().all(|(default, _)| *default == defaults[0].0);
        let default = if agreed { defaults[0].0.clone() } else { by_value(&defaults) };
        let own = self.least.iter().map(|(method, least)| format!(", for {} at least {least:e}", method.name()));
        let bounds = self.values.bounds() + &own.collect::<String>();
        let limits = if bounds.is_empty() { String::new() } else { format!("{}; ", capital(&bounds)) };
        let fallback = if limits.is_empty() { "Default" } else { "default" };
        // Defaults that differ name the methods.
        let whose = if agreed && self.methods.len() < M::ALL.len() {
            format!(" Methods: {}.", defaults.iter().map(|(_, name)| *name).collect::<Vec<_>>().join(", "))
        } else {
            String::new()
        };
        format!("{} {limits}{fallback} {default}.{whose}", self.about)
    }
}

impl Values {
    fn schema(&self) -> Value {
        match self {
            Self::Switch => json!({ "type": "boolean" }),
            Self::Count => json!({ "type": "integer", "format": "uint32", "minimum": 1 }),
            Self::Number(bounds, example) => {
                let mut schema = json!({ "type": "number", "format": "double", "examples": [example] });
                bounds.iter().for_each(|(name, bound)| schema[*name] = json!(bound));
                schema
            }
            Self::Words(words) => one_of(words),
        }
    }

    fn bounds(&self) -> String {
        example::bounds(&self.schema()).collect::<Vec<_>>().join(", ")
    }
}

/// `true or false`, `more than 0`, `"start" or "current"`.
impl Display for Values {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Switch => f.write_str("true or false"),
            Self::Count | Self::Number(..) => f.write_str(&self.bounds()),
            Self::Words(words) => {
                f.write_str(&words.iter().map(|(word, _)| format!("\"{word}\"")).collect::<Vec<_>>().join(" or "))
            }
        }
    }
}

/// The schema of a table that chooses a method.
pub(crate) fn schema<M: Method>() -> Schema {
    let methods: Vec<_> = M::ALL.iter().map(|method| (method.name(), method.about())).collect();
    let mut method = one_of(&methods);
    let default = M::default().name();
    method["description"] = format!("The method. Default \"{default}\".").into();
    method["default"] = default.into();
    let mut properties = Map::from_iter([("method".to_owned(), method)]);
    for parameter in M::PARAMETERS {
        match properties.get_mut(parameter.key) {
            Some(known) => merge(known, &parameter.schema()),
            None => drop(properties.insert(parameter.key.to_owned(), parameter.schema())),
        }
    }
    schemars::json_schema!({ "type": "object", "properties": properties, "additionalProperties": false })
}

/// Parameters of one key that take other words with other methods: all words, and both descriptions. Which method takes
/// which is checked later ([`foreign_words`]).
fn merge(known: &mut Value, other: &Value) {
    let text = |schema: &Value| schema["description"].as_str().unwrap_or_default().to_owned();
    known["description"] = format!("{} {}", text(known), text(other)).into();
    if let (Some(words), Some(more)) = (known["oneOf"].as_array_mut(), other["oneOf"].as_array()) {
        words.extend_from_slice(more);
    }
    if let Some(table) = known.as_object_mut() {
        table.remove("default");
    }
}

fn one_of(words: &[(&str, impl Serialize)]) -> Value {
    let word = |(word, about): &(&str, _)| json!({ "type": "string", "const": word, "description": about });
    json!({ "oneOf": words.iter().map(word).collect::<Vec<_>>() })
}

/// The core's settings of a method: its defaults, and in their place what is given of its own parameters.
pub(crate) fn settings<M: Method>(method: M, given: &Map<String, Value>) -> M::Settings {
    let mut settings = table(&method.defaults_beside(given));
    let own = method
        .parameters()
        .filter_map(|parameter| given.get_key_value(parameter.key).filter(|(_, value)| parameter.takes(value)));
    settings.extend(own.map(|(key, value)| (key.clone(), value.clone())));
    serde_json::from_value(settings.into()).expect("the schema allows what the core takes")
}

/// The solver that a limiter uses, where it has a choice.
pub(crate) fn solver(method: LimiterMethod, given: &Map<String, Value>) -> Option<String> {
    let parameter = method.parameters().find(|parameter| parameter.key == "solver")?;
    let own = given.get("solver").filter(|word| parameter.takes(word)).cloned();
    let solver = own.or_else(|| table(&method.defaults_beside(given)).remove("solver"))?;
    solver.as_str().map(str::to_owned)
}

/// Parameters whose words are given, but are those of another method.
pub(crate) fn foreign_words<M: Method>(
    method: M,
    given: &Map<String, Value>,
) -> impl Iterator<Item = &'static Parameter<M>> {
    method.parameters().filter(|parameter| given.get(parameter.key).is_some_and(|word| !parameter.takes(word)))
}

/// The parameters of a limiter that mean nothing to one of its solvers.
pub(crate) fn idle(method: LimiterMethod, solver: &str) -> impl Iterator<Item = &'static Parameter<LimiterMethod>> {
    method.parameters().filter(move |parameter| !parameter.solvers.is_empty() && !parameter.solvers.contains(&solver))
}

fn table(settings: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(settings) {
        Ok(Value::Object(table)) => table,
        other => unreachable!("settings are tables, not {other:?}"),
    }
}

/// "bdf2 for none, provot; exact for sle": names by the value they share.
pub(crate) fn by_value(pairs: &[(impl AsRef<str>, &str)]) -> String {
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for (value, name) in pairs {
        match groups.iter_mut().find(|(known, _)| *known == value.as_ref()) {
            Some((_, names)) => names.push(name),
            None => groups.push((value.as_ref(), vec![name])),
        }
    }
    let groups: Vec<_> = groups.iter().map(|(value, names)| format!("{value} for {}", names.join(", "))).collect();
    groups.join("; ")
}

fn capital(text: &str) -> String {
    text[..1].to_uppercase() + &text[1..]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fields of the core's settings that scene files have no key for.
    const WITHOUT_KEY: [&str; 1] = ["fineness"];

    /// The tables name the fields that the core's settings have, and no others. What all limiters share in the core is
    /// not every limiter's parameter.
    fn compare_with_the_core<M: Method>(shared: &[&str]) {
        for method in M::ALL.iter().filter(|method| method.name() != "auto") {
            let core = table(&method.defaults());
            for parameter in method.parameters() {
                assert!(core.contains_key(parameter.key), "{}: the core has no `{}`", method.name(), parameter.key);
                let text = parameter.default_text(*method);
                assert!(!text.is_empty(), "{}: `{}` needs words for no value", method.name(), parameter.key);
            }
            let fields = core.keys().map(String::as_str).filter(|key| *key != "method");
            for key in fields.filter(|key| !shared.contains(key) && !WITHOUT_KEY.contains(key)) {
                assert!(method.has(key), "{}: the table has no `{key}`", method.name());
            }
            assert_eq!(table(&settings(*method, &core)), core, "{}", method.name());
        }
    }

    #[test]
    fn parameters_are_the_fields_of_the_cores_settings() {
        compare_with_the_core::<LimiterMethod>(&["compress", "max_iterations"]);
        compare_with_the_core::<IntegratorMethod>(&[]);
    }

    #[test]
    fn the_core_takes_all_words_and_no_others() {
        fn words<M: Method>() {
            for (parameter, method) in M::PARAMETERS.iter().flat_map(|p| p.methods.iter().map(move |m| (p, *m))) {
                let Values::Words(words) = parameter.values else { continue };
                for (word, _) in words {
                    let given = Map::from_iter([(parameter.key.to_owned(), json!(word))]);
                    assert_eq!(table(&settings(method, &given))[parameter.key], json!(word));
                }
                let mut wrong = table(&method.defaults());
                wrong[parameter.key] = json!("no such word");
                let error = serde_json::from_value::<M::Settings>(wrong.into()).err().expect("refused").to_string();
                let known = words.iter().map(|(word, _)| format!("`{word}`")).collect::<Vec<_>>();
                let (and, or) = (known.join(", "), known.join(" or "));
                assert!(error.contains(&and) || error.contains(&or), "{}: {error}", parameter.key);
            }
        }
        words::<LimiterMethod>();
        words::<IntegratorMethod>();
    }
}
