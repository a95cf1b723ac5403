//! A finished picture.

/// Pixels in sRGB, row by row from the top left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// `width * height` colours: red, green, blue.
    pub pixels: Vec<[u8; 3]>,
}

impl Picture {
    /// A picture of one colour.
    pub fn filled(width: u32, height: u32, colour: [u8; 3]) -> Self {
        Self { width, height, pixels: vec![colour; width as usize * height as usize] }
    }

    /// The bytes of all pixels in order, three each.
    pub fn bytes(&self) -> &[u8] {
        self.pixels.as_flattened()
    }
}
