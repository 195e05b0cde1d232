//! What a figure consists of, before it becomes pixels or SVG.

use std::sync::Arc;

use super::color::Color;

/// Things to draw, in order, on a page of the given size.
/// Lengths are CSS pixels; y grows downward.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
    /// From back to front.
    pub items: Vec<Item>,
}

/// One thing to draw.
#[derive(Clone, Debug)]
pub enum Item {
    /// A cloud of points.
    Discs {
        /// From back to front.
        discs: Vec<Disc>,
    },
    /// A connected line.
    Line {
        /// Its corners.
        path: Vec<[f64; 2]>,
        /// Thickness.
        width: f64,
        /// Color.
        color: Color,
    },
    /// A filled rectangle.
    Rect {
        /// Where.
        area: Area,
        /// Color.
        fill: Color,
    },
    /// The border of a rectangle, one pixel thick.
    Frame {
        /// Where.
        area: Area,
        /// Color.
        color: Color,
    },
    /// One line of text.
    Text {
        /// The end of the baseline that `anchor` names.
        at: [f64; 2],
        /// What it says.
        text: String,
        /// How it looks.
        style: Type,
        /// Which part of the text is at `at`.
        anchor: Anchor,
    },
    /// A small picture, magnified or shrunk to its area.
    Picture {
        /// Where.
        area: Area,
        /// What.
        picture: Arc<Picture>,
    },
}

/// A filled circle.
#[derive(Clone, Copy, Debug)]
pub struct Disc {
    /// Center.
    pub at: [f64; 2],
    /// Radius.
    pub radius: f64,
    /// Color.
    pub color: Color,
}

/// An upright rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    /// Left edge.
    pub x: f64,
    /// Upper edge.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

/// How text looks.
#[derive(Clone, Copy, Debug)]
pub struct Type {
    /// The em, as CSS counts it.
    pub size: f64,
    /// Bold or not.
    pub weight: Weight,
    /// Color.
    pub color: Color,
}

/// The thickness of letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// As usual.
    Regular,
    /// For headings.
    Bold,
}

/// Which part of a text a position means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Its beginning.
    Start,
    /// Its middle.
    Middle,
    /// Its end.
    End,
}

/// Pixels, red, green, blue, row by row from the top left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Pixels per row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Three bytes per pixel.
    pub pixels: Vec<u8>,
}

impl Scene {
    /// An empty page.
    pub fn new(width: f64, height: f64) -> Self {
        Self { width, height, items: Vec::new() }
    }

    /// Adds an item in front.
    pub fn push(&mut self, item: Item) {
        self.items.push(item);
    }

    /// Adds one line of text in front.
    pub fn text(&mut self, at: [f64; 2], text: impl Into<String>, style: Type, anchor: Anchor) {
        self.push(Item::Text { at, text: text.into(), style, anchor });
    }
}

impl Area {
    /// The rectangle with a margin taken off all around.
    pub fn inset(self, margin: f64) -> Self {
        Self {
            x: self.x + margin,
            y: self.y + margin,
            width: self.width - 2.0 * margin,
            height: self.height - 2.0 * margin,
        }
    }

    /// Its middle.
    pub fn center(self) -> [f64; 2] {
        [self.x + 0.5 * self.width, self.y + 0.5 * self.height]
    }

    /// Its right edge.
    pub fn right(self) -> f64 {
        self.x + self.width
    }

    /// Its lower edge.
    pub fn bottom(self) -> f64 {
        self.y + self.height
    }
}

impl Type {
    /// Regular letters.
    pub const fn regular(size: f64, color: Color) -> Self {
        Self { size, weight: Weight::Regular, color }
    }

    /// Bold letters.
    pub const fn bold(size: f64, color: Color) -> Self {
        Self { size, weight: Weight::Bold, color }
    }
}
