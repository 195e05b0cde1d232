//! PNG export of scenes: plotters draws text, lines and rectangles; discs are drawn here
//! with antialiasing, which plotters lacks.

use std::io::Write;

use embedding::Error;
use flate2::{Compression, Crc, write::ZlibEncoder};
use plotters::coord::Shift;
use plotters::element::{BitMapElement, PathElement, Rectangle, Text};
use plotters::prelude::{
    BitMapBackend, Color as _, DrawingArea, DrawingAreaErrorKind, IntoDrawingArea, RGBColor,
};
use plotters::style::{FontDesc, TextStyle};

use crate::color::{Color, PAPER};
use crate::scene::{Anchor, Area, Disc, Item, Picture, Scene, Type};
use crate::text;

type Paper<'a> = DrawingArea<BitMapBackend<'a>, Shift>;
type Drawn = Result<
    (),
    DrawingAreaErrorKind<<BitMapBackend<'static> as plotters::prelude::DrawingBackend>::ErrorType>,
>;

/// Renders a scene at `scale` pixels per unit, and encodes it as PNG.
pub fn png(scene: &Scene, scale: f64) -> Result<Vec<u8>, Error> {
    Ok(encode(&paint(scene, scale)?))
}

/// Supersampling factor per axis, for antialiasing and subpixel positions of text and
/// lines.
const FINER: usize = 2;

/// Renders a scene.
pub(crate) fn paint(scene: &Scene, scale: f64) -> Result<Picture, Error> {
    text::ensure_font();
    let (final_width, final_height) =
        ((scene.width * scale).ceil() as usize, (scene.height * scale).ceil() as usize);
    let (width, height, scale) = (FINER * final_width, FINER * final_height, FINER as f64 * scale);
    let mut pixels = vec![0; 3 * width * height];
    let painted: Drawn = (|| {
        let paper =
            BitMapBackend::with_buffer(&mut pixels, (width as u32, height as u32)).into_drawing_area();
        paper.fill(&rgb(PAPER))?;
        for item in &scene.items {
            draw(&paper, item, scale)?;
        }
        paper.present()
    })();
    painted.map_err(|problem| {
        Error::degenerate(format!("the figure cannot be drawn: {problem}"), "report this")
    })?;
    Ok(resize(&Picture { width, height, pixels }, final_width, final_height))
}

fn rgb(color: Color) -> RGBColor {
    RGBColor(color.0, color.1, color.2)
}

fn draw(paper: &Paper<'_>, item: &Item, scale: f64) -> Drawn {
    let pixel = |x: f64| (x * scale).round() as i32;
    let corners = |area: &Area| [(pixel(area.x), pixel(area.y)), (pixel(area.right()), pixel(area.bottom()))];
    match item {
        Item::Discs { discs } => discs.iter().try_for_each(|disc| draw_disc(paper, disc, scale)),
        Item::Line { path, width, color } => {
            let path: Vec<(i32, i32)> = path.iter().map(|p| (pixel(p[0]), pixel(p[1]))).collect();
            let thickness = (width * scale).round().max(1.0) as u32;
            paper.draw(&PathElement::new(path, rgb(*color).stroke_width(thickness)))
        }
        Item::Rect { area, fill } => {
            let [upper, lower] = corners(area);
            paper.draw(&Rectangle::new(
                [upper, (lower.0.max(upper.0 + 1), lower.1.max(upper.1 + 1))],
                rgb(*fill).filled(),
            ))
        }
        Item::Frame { area, color } => {
            let [a, b] = corners(area);
            let border = vec![a, (b.0, a.1), b, (a.0, b.1), a];
            paper.draw(&PathElement::new(border, rgb(*color).stroke_width(scale.round().max(1.0) as u32)))
        }
        Item::Text { at, text, style, anchor } => draw_text(paper, *at, text, *style, *anchor, scale),
        Item::Picture { area, picture } => {
            let [upper, lower] = corners(area);
            let size = ((lower.0 - upper.0).max(1) as u32, (lower.1 - upper.1).max(1) as u32);
            let magnified = resize(picture, size.0 as usize, size.1 as usize);
            match BitMapElement::with_owned_buffer(upper, size, magnified.pixels) {
                Some(element) => paper.draw(&element),
                None => Ok(()),
            }
        }
    }
}

fn draw_text(paper: &Paper<'_>, at: [f64; 2], text: &str, style: Type, anchor: Anchor, scale: f64) -> Drawn {
    let wide = text::width(text, style);
    let left = match anchor {
        Anchor::Start => at[0],
        Anchor::Middle => at[0] - 0.5 * wide,
        Anchor::End => at[0] - wide,
    };
    let line = style.size * text::LINE_PER_EM * scale;
    let font: FontDesc<'_> = (text::FAMILY, line, style.weight.style()).into();
    let color = rgb(style.color);
    let look: TextStyle<'_> = TextStyle::from(font).color(&color);
    // plotters places the baseline half a line below the position.
    let position = ((left * scale).round() as i32, (at[1] * scale - 0.5 * line).round() as i32);
    paper.draw(&Text::new(text, position, look))
}

/// Blends each pixel by the fraction of it that the disc covers, to first order.
fn draw_disc(paper: &Paper<'_>, disc: &Disc, scale: f64) -> Drawn {
    let (x, y, radius) = (disc.at[0] * scale, disc.at[1] * scale, disc.radius * scale);
    let color = rgb(disc.color);
    let span = |c: f64| ((c - radius - 1.0).floor() as i32)..=((c + radius + 1.0).ceil() as i32);
    for row in span(y) {
        for column in span(x) {
            let distance = (f64::from(column) + 0.5 - x).hypot(f64::from(row) + 0.5 - y);
            let cover = (radius + 0.5 - distance).clamp(0.0, 1.0);
            if cover > 0.0 {
                paper.draw_pixel((column, row), &color.mix(cover))?;
            }
        }
    }
    Ok(())
}

/// Resizes a picture: nearest neighbor for magnification, area average for reduction.
pub(super) fn resize(picture: &Picture, width: usize, height: usize) -> Picture {
    let span = |i: usize, from: usize, to: usize| {
        let low = i * from / to;
        low..((i + 1) * from / to).max(low + 1)
    };
    let mut pixels = Vec::with_capacity(3 * width * height);
    for y in 0..height {
        for x in 0..width {
            let (rows, columns) = (span(y, picture.height, height), span(x, picture.width, width));
            let count = rows.len() * columns.len();
            for channel in 0..3 {
                let sum: usize = rows
                    .clone()
                    .flat_map(|row| columns.clone().map(move |column| (row, column)))
                    .map(|(row, column)| {
                        usize::from(picture.pixels[3 * (row * picture.width + column) + channel])
                    })
                    .sum();
                pixels.push(((sum + count / 2) / count) as u8);
            }
        }
    }
    Picture { width, height, pixels }
}

/// Encodes a picture as PNG: 8 bits per channel, with the "up" row filter.
pub(crate) fn encode(picture: &Picture) -> Vec<u8> {
    let row_bytes = 3 * picture.width;
    let mut zlib = ZlibEncoder::new(Vec::new(), Compression::default());
    let mut above = vec![0; row_bytes];
    for row in picture.pixels.chunks_exact(row_bytes) {
        let filtered: Vec<u8> = row.iter().zip(&above).map(|(here, up)| here.wrapping_sub(*up)).collect();
        zlib.write_all(&[2]).and_then(|()| zlib.write_all(&filtered)).expect("memory takes every byte");
        above.copy_from_slice(row);
    }
    let data = zlib.finish().expect("memory takes every byte");
    let mut header = Vec::new();
    header.extend((picture.width as u32).to_be_bytes());
    header.extend((picture.height as u32).to_be_bytes());
    header.extend([8, 2, 0, 0, 0]);
    let mut file = vec![0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n'];
    for (kind, body) in [(b"IHDR", &header), (b"IDAT", &data), (b"IEND", &Vec::new())] {
        let mut crc = Crc::new();
        crc.update(kind);
        crc.update(body);
        file.extend((body.len() as u32).to_be_bytes());
        file.extend(kind);
        file.extend(body);
        file.extend(crc.sum().to_be_bytes());
    }
    file
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disc_covers_its_area_and_nothing_far() {
        let mut scene = Scene::new(40.0, 40.0);
        scene
            .push(Item::Discs { discs: vec![Disc { at: [20.3, 19.8], radius: 7.0, color: Color(0, 0, 0) }] });
        let picture = paint(&scene, 1.0).expect("it draws");
        let ink: f64 = picture.pixels.chunks_exact(3).map(|p| 1.0 - f64::from(p[0]) / 255.0).sum();
        assert!((ink / (std::f64::consts::PI * 49.0) - 1.0).abs() < 0.02, "{ink}");
        assert_eq!(picture.pixels[..3], [255, 255, 255]);
    }

    #[test]
    fn text_sits_on_its_baseline() {
        let mut scene = Scene::new(100.0, 40.0);
        scene.text([10.0, 30.0], "HHH", Type::regular(20.0, Color(0, 0, 0)), Anchor::Start);
        let picture = paint(&scene, 1.0).expect("it draws");
        let dark = |y: usize| (0..100).any(|x| picture.pixels[3 * (y * 100 + x)] < 100);
        let rows: Vec<usize> = (0..40).filter(|&y| dark(y)).collect();
        // Capitals of this font are 0.73 em high.
        assert!((14..=17).contains(&rows[0]), "{rows:?}");
        assert!((28..=31).contains(&rows[rows.len() - 1]), "{rows:?}");
    }

    #[test]
    fn shrinking_keeps_the_mean() {
        let picture = Picture {
            width: 2,
            height: 2,
            pixels: vec![0, 0, 0, 100, 100, 100, 200, 200, 200, 100, 100, 100],
        };
        assert_eq!(resize(&picture, 1, 1).pixels, vec![100, 100, 100]);
        assert_eq!(resize(&picture, 4, 4).pixels[3 * 5..3 * 6], [0, 0, 0]);
    }

    /// Decodes the output of `encode`.
    fn decode(file: &[u8]) -> Picture {
        let (mut at, mut data, mut size) = (8, Vec::new(), (0, 0));
        let word = |at: usize| u32::from_be_bytes(file[at..at + 4].try_into().expect("four bytes"));
        while at < file.len() {
            let length = word(at) as usize;
            let body = &file[at + 8..at + 8 + length];
            let mut crc = Crc::new();
            crc.update(&file[at + 4..at + 8 + length]);
            assert_eq!(crc.sum(), word(at + 8 + length));
            match &file[at + 4..at + 8] {
                b"IHDR" => size = (word(at + 8) as usize, word(at + 12) as usize),
                b"IDAT" => data.extend(body),
                _ => assert!(body.is_empty()),
            }
            at += 12 + length;
        }
        let mut raw = Vec::new();
        std::io::Read::read_to_end(&mut flate2::read::ZlibDecoder::new(&data[..]), &mut raw).expect("zlib");
        let mut above = vec![0_u8; 3 * size.0];
        let mut pixels = Vec::new();
        for row in raw.chunks(3 * size.0 + 1) {
            assert_eq!(row[0], 2);
            above.iter_mut().zip(&row[1..]).for_each(|(above, b)| *above = above.wrapping_add(*b));
            pixels.extend(&above);
        }
        Picture { width: size.0, height: size.1, pixels }
    }

    #[test]
    fn the_file_decodes_to_the_picture() {
        let pixels = (0..3 * 7 * 5).map(|i| (i * i % 256) as u8).collect();
        let picture = Picture { width: 7, height: 5, pixels };
        let file = encode(&picture);
        assert_eq!(&file[..8], b"\x89PNG\r\n\x1a\n");
        assert_eq!(decode(&file), picture);
    }
}
