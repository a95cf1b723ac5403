//! A number that differs between models.

use xxhash_rust::xxh3::Xxh3;

use super::Model;

impl Model {
    /// A fingerprint of what a state of the model refers to: its cloths with their particles, masses, edges, hinges and
    /// pins, and its colliders. Gravity, air and stiffness may be others: a state can be gone on with under another
    /// wind.
    pub fn fingerprint(&self) -> u64 {
        let mut hasher = Xxh3::new();
        let mut add = |number: u64| hasher.update(&number.to_le_bytes());
        add(self.cloths.len() as u64);
        for cloth in &self.cloths {
            add_text(&mut add, &cloth.name);
            add(cloth.particles.len() as u64);
            add(cloth.edges.len() as u64);
        }
        self.mass.iter().for_each(|mass| add(mass.to_bits()));
        for edge in &self.edges {
            [u64::from(edge.a), u64::from(edge.b), edge.rest.to_bits()].into_iter().for_each(&mut add);
        }
        add(self.hinges.len() as u64);
        self.hinges.iter().flat_map(|hinge| hinge.particles).for_each(|particle| add(particle.into()));
        add(self.pins.len() as u64);
        for pin in &self.pins {
            add(pin.particles.len() as u64);
            pin.particles.iter().for_each(|&particle| add(particle.into()));
        }
        add(self.colliders.len() as u64);
        self.colliders.iter().for_each(|collider| add_text(&mut add, &collider.name));
        hasher.digest()
    }
}

/// With its length, so that names next to each other stay apart.
fn add_text(add: &mut impl FnMut(u64), text: &str) {
    add(text.len() as u64);
    text.bytes().for_each(|byte| add(byte.into()));
}
