//! One scene by several limiters: the same text with another `limiter.method`, without the parameters that belong to
//! other methods.

use toml_edit::{DocumentMut, Item};

use crate::error::{Problem, SceneError};
use crate::parameters::Method;
use crate::read::{Source, typed_file};
use crate::scene::Scene;
use crate::typed::{self, IntegratorMethod, LimiterMethod};
use crate::{parameters, set, suggest};

/// A scene with another limiter.
#[derive(Debug, Clone)]
pub struct Variant {
    /// The scene; its text has the changes.
    pub scene: Scene,
    /// What had to be left out or changed so that the limiter can run it, in words.
    pub notes: Vec<String>,
}

impl LimiterMethod {
    /// The method of a name, as scene files spell it.
    pub fn named(name: &str) -> Result<Self, SceneError> {
        Self::ALL.into_iter().find(|method| method.name() == name).ok_or_else(|| {
            let names = Self::ALL.map(Self::name);
            let problem = Problem::general(format!("there is no limiter `{name}`"));
            SceneError::without_text(problem.help(suggest::hint(name, &names)))
        })
    }
}

impl Scene {
    /// Checks a scene with another limiter than its own, `--set` options applied before. Parameters of other limiters
    /// are left out, and so are those of integrators that the limiter does not bring with it; the notes name them.
    ///
    /// ```
    /// use muslin_scene::typed::LimiterMethod;
    /// use muslin_scene::{Scene, Source};
    ///
    /// let hang = Source::find("hang")?;
    /// let bare = Scene::with_limiter(&hang, &["limiter.compress=0.1".into()], LimiterMethod::None)?;
    /// assert_eq!(bare.scene.limiter.compress, None);
    /// assert_eq!(bare.notes, ["`limiter.compress` left out: \"none\" does not have it"]);
    /// # Ok::<(), muslin_scene::SceneError>(())
    /// ```
    pub fn with_limiter(source: &Source, sets: &[String], method: LimiterMethod) -> Result<Variant, SceneError> {
        let text = set::apply(source, sets)?;
        // Errors that all methods have in common quote the text as it was given.
        let origin = source.origin(sets);
        let file = typed_file(&text).map_err(|problems| SceneError::in_text(&origin, &text, problems))?;
        let mut changed = Change::of(source, &text)?;
        changed.limiter(&file.limiter, method);
        changed.integrator(&file.integrator, method);
        let Change { text, notes } = changed;
        let origin = format!("{} with limiter.method={}", source.name, method.name());
        Ok(Variant { scene: Scene::from_text(source, &origin, &text.to_string())?, notes })
    }
}

/// A text under change, and what was done to it.
struct Change {
    text: DocumentMut,
    notes: Vec<String>,
}

impl Change {
    fn of(source: &Source, text: &str) -> Result<Self, SceneError> {
        let text = text.parse().map_err(|error: toml_edit::TomlError| {
            let problem = Problem::general(format!("this is not TOML: {}", error.message()));
            SceneError::in_text(&source.name, text, vec![problem])
        })?;
        Ok(Self { text, notes: Vec::new() })
    }

    fn limiter(&mut self, typed: &typed::Limiter, method: LimiterMethod) {
        self.put("limiter.method", method.name());
        let name = format!("\"{}\"", method.name());
        self.leave_out("limiter", &name, |key| key == "method" || method.has(key));
        let foreign: Vec<_> = parameters::foreign_words(method, &typed.given).map(|parameter| parameter.key).collect();
        self.leave_out("limiter", &name, |key| !foreign.contains(&key));
        if let Some(solver) = parameters::solver(method, &typed.given) {
            let idle: Vec<_> = parameters::idle(method, &solver).map(|parameter| parameter.key).collect();
            self.leave_out("limiter", &format!("the solver \"{solver}\""), |key| !idle.contains(&key));
        }
    }

    /// The scene's own integrator stays where the limiter can use it: "certified" has one of its own, which no other
    /// limiter can use. Otherwise the limiter brings its partner, which may not have all the parameters.
    fn integrator(&mut self, typed: &typed::Integrator, limiter: LimiterMethod) {
        let partner = limiter.partner();
        match typed.method {
            IntegratorMethod::Auto => {}
            IntegratorMethod::Substeps if limiter != LimiterMethod::Certified => {
                self.put("integrator.method", IntegratorMethod::Auto.name());
                let note = "the integrator \"substeps\" works with \"certified\" only: here it is";
                self.notes.push(format!("{note} \"{}\"", partner.name()));
            }
            method if limiter == LimiterMethod::Certified && method != IntegratorMethod::Substeps => {
                self.put("integrator.method", IntegratorMethod::Auto.name());
                let note = "\"certified\" brings its own integrator: here it is \"substeps\", not";
                self.notes.push(format!("{note} \"{}\"", method.name()));
            }
            _ => return,
        }
        let name = format!("the integrator \"{}\"", partner.name());
        self.leave_out("integrator", &name, |key| key == "method" || partner.has(key));
    }

    fn put(&mut self, key: &str, value: &str) {
        let put = set::put(&mut self.text, key, value);
        debug_assert!(put.is_ok(), "the text has the shape of a scene, so `{key}` can be set: {put:?}");
    }

    /// Removes the keys of a table that `whose` does not have.
    fn leave_out(&mut self, table: &str, whose: &str, has: impl Fn(&str) -> bool) {
        let Some(content) = self.text.get_mut(table).and_then(Item::as_table_like_mut) else { return };
        let foreign: Vec<String> = content.iter().map(|(key, _)| key.to_owned()).filter(|key| !has(key)).collect();
        for key in &foreign {
            content.remove(key);
        }
        if !foreign.is_empty() {
            let names: Vec<_> = foreign.iter().map(|key| format!("`{table}.{key}`")).collect();
            let them = if names.len() == 1 { "it" } else { "them" };
            self.notes.push(format!("{} left out: {whose} does not have {them}", names.join(", ")));
        }
    }
}
