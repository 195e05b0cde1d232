//! Drawing primitives of a figure, independent of the output format.

use std::sync::Arc;

use crate::color::Color;

/// Items to draw, in order, on a page of given size. Lengths are in CSS pixels; y points
/// downward.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
    /// The items, from back to front.
    pub items: Vec<Item>,
}

/// A drawing primitive.
#[derive(Clone, Debug)]
pub enum Item {
    /// A cloud of points.
    Discs {
        /// From back to front.
        discs: Vec<Disc>,
    },
    /// A polyline.
    Line {
        /// Its vertices.
        path: Vec<[f64; 2]>,
        /// Thickness.
        width: f64,
        /// Color.
        color: Color,
    },
    /// A filled rectangle.
    Rect {
        /// Position and size.
        area: Area,
        /// Color.
        fill: Color,
    },
    /// The outline of a rectangle, one pixel thick.
    Frame {
        /// Position and size.
        area: Area,
        /// Color.
        color: Color,
    },
    /// One line of text.
    Text {
        /// Position of the `anchor` point on the baseline.
        at: [f64; 2],
        /// The text.
        text: String,
        /// Font size, weight and color.
        style: Type,
        /// Which part of the text is at `at`.
        anchor: Anchor,
    },
    /// A small picture, scaled to its area.
    Picture {
        /// Position and size.
        area: Area,
        /// The pixels.
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

/// An axis-parallel rectangle.
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

/// The style of a text.
#[derive(Clone, Copy, Debug)]
pub struct Type {
    /// Font size (em) in CSS pixels.
    pub size: f64,
    /// Font weight.
    pub weight: Weight,
    /// Color.
    pub color: Color,
}

/// Font weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// Regular weight.
    Regular,
    /// Bold weight, for headings.
    Bold,
}

/// The point of a text that its position refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Its beginning.
    Start,
    /// Its middle.
    Middle,
    /// Its end.
    End,
}

/// An RGB picture, stored by rows from the top left.
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
    /// Creates an empty page.
    pub fn new(width: f64, height: f64) -> Self {
        Self { width, height, items: Vec::new() }
    }

    /// Adds an item on top.
    pub fn push(&mut self, item: Item) {
        self.items.push(item);
    }

    /// Adds one line of text on top.
    pub fn text(&mut self, at: [f64; 2], text: impl Into<String>, style: Type, anchor: Anchor) {
        self.push(Item::Text { at, text: text.into(), style, anchor });
    }
}

impl Area {
    /// Returns the rectangle reduced by a margin on all sides.
    pub fn inset(self, margin: f64) -> Self {
        Self {
            x: self.x + margin,
            y: self.y + margin,
            width: self.width - 2.0 * margin,
            height: self.height - 2.0 * margin,
        }
    }

    /// Returns the center.
    pub fn center(self) -> [f64; 2] {
        [self.x + 0.5 * self.width, self.y + 0.5 * self.height]
    }

    /// Returns the right edge.
    pub fn right(self) -> f64 {
        self.x + self.width
    }

    /// Returns the lower edge.
    pub fn bottom(self) -> f64 {
        self.y + self.height
    }
}

impl Type {
    /// Creates a style of regular weight.
    pub const fn regular(size: f64, color: Color) -> Self {
        Self { size, weight: Weight::Regular, color }
    }

    /// Creates a style of bold weight.
    pub const fn bold(size: f64, color: Color) -> Self {
        Self { size, weight: Weight::Bold, color }
    }
}
