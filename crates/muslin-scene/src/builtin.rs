//! Scenes that are part of muslin: the files of `scenes/`, inside the binary.

use crate::typed;

/// A built-in scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BuiltIn {
    /// The name that commands use.
    pub name: &'static str,
    /// The file's text.
    pub text: &'static str,
}

/// Names the file once for both its name and its text.
macro_rules! scenes {
    ($($name:literal),* $(,)?) => {
        &[$(BuiltIn { name: $name, text: include_str!(concat!("../scenes/", $name, ".toml")) }),*]
    };
}

/// Every file of `scenes/`; a test checks that none is forgotten.
static SCENES: &[BuiltIn] = scenes![
    "bb08-10",
    "bb08-20",
    "bb08-30",
    "bb08-40",
    "bb08-50",
    "bb08-scrambled",
    "bb08-sphere",
    "bb08-tolerance",
    "bench-hang",
    "block",
    "buckling",
    "curtain-pull",
    "curtain-rod",
    "dampers",
    "drape-mesh",
    "drape-table",
    "flag",
    "fold",
    "funnel",
    "hang",
    "hang-release",
    "incline",
    "isotropic-meshes",
    "jlgf17-against",
    "jlgf17-against-equality",
    "jlgf17-against-two-sided",
    "jlgf17-along",
    "jlgf17-along-equality",
    "jlgf17-along-two-sided",
    "jlgf17-bending",
    "jlgf17-cross",
    "jlgf17-histogram",
    "jlgf17-no-cross",
    "jlgf17-unstructured",
    "jlgf17-unstructured-equality",
    "jlgf17-unstructured-two-sided",
    "laundry",
    "needles",
    "pendulum",
    "pinch",
    "ribbon-knot",
    "sculpted-fold",
    "selfdrape",
    "shear-ladder",
    "spin-sphere",
    "spring",
    "spring-constants",
    "stack-10",
    "twist",
    "walker",
    "ye08-ball",
    "ye08-corners",
    "ye08-explicit",
    "ye08-realtime",
    "ye08-rugged",
    "ye08-steps",
    "ywg05-hang",
];

/// Files of `scenes/` that built-in scenes read, by name.
static FILES: &[(&str, &[u8])] = &[
    ("funnel.obj", include_bytes!("../scenes/funnel.obj")),
    ("ribbon-left.obj", include_bytes!("../scenes/ribbon-left.obj")),
    ("ribbon-rest.obj", include_bytes!("../scenes/ribbon-rest.obj")),
    ("ribbon-right.obj", include_bytes!("../scenes/ribbon-right.obj")),
    ("turned.obj", include_bytes!("../scenes/turned.obj")),
    ("walker.obj", include_bytes!("../scenes/walker.obj")),
    ("walker.pc2", include_bytes!("../scenes/walker.pc2")),
];

/// The content of a file inside muslin.
pub(crate) fn file(name: &str) -> Option<&'static [u8]> {
    FILES.iter().find(|(known, _)| *known == name).map(|(_, content)| *content)
}

/// All built-in scenes, by name.
pub fn list() -> &'static [BuiltIn] {
    SCENES
}

/// A built-in scene by name.
pub fn find(name: &str) -> Option<&'static BuiltIn> {
    SCENES.iter().find(|scene| scene.name == name)
}

impl BuiltIn {
    /// Its title and description, as the file has them.
    pub fn about(&self) -> (String, String) {
        let file: typed::File = toml::from_str(self.text).unwrap_or_default();
        (file.title.unwrap_or_default(), file.description.unwrap_or_default())
    }
}
