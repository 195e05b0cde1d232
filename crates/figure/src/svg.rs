//! SVG export of scenes, with exact positions and few bytes per point.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::color::{Color, PANEL, PAPER};
use crate::controls::is_control;
use crate::png::{encode, paint};
use crate::scene::{Anchor, Area, Disc, Item, Scene, Weight};

/// Number of discs above which a cloud is embedded as a raster image, which is then
/// smaller and faster to display.
const MOST_DISCS: usize = 3000;

/// Exports a scene.
pub fn svg(scene: &Scene) -> String {
    document(scene, "")
}

/// Exports a scene for a page, with a text alternative.
pub fn inline_svg(scene: &Scene, words: &str) -> String {
    document(scene, &format!("role=\"img\" aria-label=\"{}\" ", escape(words)))
}

fn document(scene: &Scene, attributes: &str) -> String {
    let mut out = String::new();
    let (width, height) = (scene.width.ceil(), scene.height.ceil());
    out.push_str(&format!(
        "<svg {attributes}xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"DejaVu Sans, Verdana, sans-serif\">\n"
    ));
    rect(&mut out, Area { x: 0.0, y: 0.0, width, height }, &format!("fill=\"{}\"", PAPER.hex()));
    for item in &scene.items {
        write_item(&mut out, item);
    }
    out.push_str("</svg>\n");
    out
}

fn write_item(out: &mut String, item: &Item) {
    match item {
        Item::Discs { discs } if discs.len() > MOST_DISCS => write_item(out, &as_picture(discs)),
        Item::Discs { discs } => write_discs(out, discs),
        Item::Line { path, width, color } => {
            out.push_str("<polyline fill=\"none\" points=\"");
            path.iter().for_each(|p| put(out, format_args!("{:.1},{:.1} ", p[0], p[1])));
            put(out, format_args!("\" stroke=\"{}\" stroke-width=\"{width}\"/>\n", color.hex()));
        }
        Item::Rect { area, fill } => rect(out, *area, &format!("fill=\"{}\"", fill.hex())),
        Item::Frame { area, color } => rect(out, *area, &format!("fill=\"none\" stroke=\"{}\"", color.hex())),
        Item::Text { at, text, style, anchor } => {
            let anchor = match anchor {
                Anchor::Start => "",
                Anchor::Middle => " text-anchor=\"middle\"",
                Anchor::End => " text-anchor=\"end\"",
            };
            let weight = if style.weight == Weight::Bold { " font-weight=\"bold\"" } else { "" };
            let (x, y) = (at[0], at[1]);
            put(
                out,
                format_args!(
                    "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{}\" fill=\"{}\"{weight}{anchor}>{}</text>\n",
                    style.size,
                    style.color.hex(),
                    escape(text)
                ),
            );
        }
        Item::Picture { area, picture } => {
            let Area { x, y, width, height } = area;
            // Small pictures are magnified without smoothing.
            let small = (picture.width as f64) < 1.5 * width;
            let look = if small { "style=\"image-rendering:pixelated\" " } else { "" };
            put(
                out,
                format_args!(
                    "<image x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" \
                     preserveAspectRatio=\"none\" {look}\
                     href=\"data:image/png;base64,{}\"/>\n",
                    STANDARD.encode(encode(picture))
                ),
            );
        }
    }
}

/// Renders a cloud on the panel background, at twice the page resolution.
fn as_picture(discs: &[Disc]) -> Item {
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for disc in discs {
        for axis in 0..2 {
            low[axis] = low[axis].min((disc.at[axis] - disc.radius - 1.0).floor());
            high[axis] = high[axis].max((disc.at[axis] + disc.radius + 1.0).ceil());
        }
    }
    let area = Area { x: low[0], y: low[1], width: high[0] - low[0], height: high[1] - low[1] };
    let mut scene = Scene::new(area.width, area.height);
    scene.push(Item::Rect { area: Area { x: 0.0, y: 0.0, ..area }, fill: PANEL });
    let moved = |disc: &Disc| Disc { at: [disc.at[0] - low[0], disc.at[1] - low[1]], ..*disc };
    scene.push(Item::Discs { discs: discs.iter().map(moved).collect() });
    let picture = paint(&scene, 2.0).expect("rectangles and discs need no font and always draw");
    Item::Picture { area, picture: Arc::new(picture) }
}

/// Units per pixel of the positions of discs.
const UNITS: f64 = 10.0;

/// Writes discs of equal radius and color as one path of dots with round caps, each from the
/// one before in tenths of a pixel. They are written in several rounds, so that no color
/// hides all others.
fn write_discs(out: &mut String, discs: &[Disc]) {
    const ROUNDS: usize = 2;
    for round in discs.chunks(discs.len().div_ceil(ROUNDS).max(1)) {
        let mut groups: BTreeMap<u64, BTreeMap<[u8; 3], Vec<&Disc>>> = BTreeMap::new();
        for disc in round {
            let Color(r, g, b) = disc.color;
            // Radii are rounded to hundredths, and colors in the same step of 16 are drawn as the
            // first of them.
            let group = groups.entry((disc.radius * 100.0).round() as u64).or_default();
            group.entry([r & !15, g & !15, b & !15]).or_default().push(disc);
        }
        for (radius, paths) in groups {
            let (scale, width) = (UNITS.recip(), UNITS * radius as f64 / 50.0);
            put(
                out,
                format_args!(
                    "<g transform=\"scale({scale})\" stroke-width=\"{width}\" stroke-linecap=\"round\">\n"
                ),
            );
            for discs in paths.into_values() {
                put(out, format_args!("<path stroke=\"{}\" d=\"", discs[0].color.hex()));
                write_dots(
                    out,
                    discs.iter().map(|disc| disc.at.map(|v| (UNITS * v).round() as i64)).collect(),
                );
                out.push_str("\"/>\n");
            }
            out.push_str("</g>\n");
        }
    }
}

/// Writes dots row by row of the picture, so that the steps between them are short.
fn write_dots(out: &mut String, mut dots: Vec<[i64; 2]>) {
    const ROW: i64 = 200;
    dots.sort_by_key(|[x, y]| (y.div_euclid(ROW), *x, *y));
    let mut last = [0, 0];
    for dot in dots {
        let step = [dot[0] - last[0], dot[1] - last[1]];
        let space = if step[1] < 0 { "" } else { " " };
        put(out, format_args!("m{}{space}{}h0", step[0], step[1]));
        last = dot;
    }
}

fn rect(out: &mut String, area: Area, look: &str) {
    let Area { x, y, width, height } = area;
    put(
        out,
        format_args!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" {look}/>\n"
        ),
    );
}

fn put(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("writing to a string cannot fail");
}

/// Escapes text for SVG, and removes the characters that it may not contain or that change the
/// order of others: controls, noncharacters, directional overrides.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' => out.push(' '),
            _ if is_control(c) => {}
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::color::{INK, class};
    use crate::scene::{Picture, Type};

    #[test]
    fn text_that_would_break_a_page_is_escaped_or_removed() {
        assert_eq!(escape("a<b & \"c\" 'd'>"), "a&lt;b &amp; &quot;c&quot; &#39;d&#39;&gt;");
        let controls: String = (0..=0x9f).map(char::from).filter(|c| c.is_control()).collect();
        assert_eq!(escape(&controls), "  ", "a tab and a line break are spaces");
        assert_eq!(escape("a\u{0}b\u{202e}c\u{2066}d\u{ffff}e"), "abcde");
    }

    fn every_kind() -> Scene {
        let area = Area { x: 10.0, y: 10.0, width: 30.0, height: 20.0 };
        let picture = Picture { width: 1, height: 1, pixels: vec![9, 8, 7] };
        let mut scene = Scene::new(100.0, 60.0);
        scene.push(Item::Rect { area, fill: class(0) });
        scene.push(Item::Frame { area, color: INK });
        scene.push(Item::Line { path: vec![[0.0, 0.0], [5.0, 5.0]], width: 2.0, color: INK });
        scene.push(Item::Picture { area, picture: picture.into() });
        scene.push(Item::Discs { discs: vec![Disc { at: [50.0, 30.0], radius: 2.0, color: class(1) }] });
        scene.text([5.0, 55.0], "a < b & \"c\"", Type::bold(10.0, INK), Anchor::End);
        scene
    }

    /// Checks that elements are closed and no character needs escaping.
    fn well_formed(svg: &str) -> bool {
        let mut open: Vec<&str> = Vec::new();
        for tag in svg.split('<').skip(1) {
            let Some((tag, text)) = tag.split_once('>') else { return false };
            let entities = text
                .split('&')
                .skip(1)
                .all(|e| ["amp;", "lt;", "gt;", "quot;"].iter().any(|k| e.starts_with(k)));
            if text.contains('>') || !entities || !tag.matches('"').count().is_multiple_of(2) {
                return false;
            }
            let name = tag.split_whitespace().next().unwrap_or_default();
            match name.strip_prefix('/') {
                Some(name) if open.pop() != Some(name) => return false,
                None if !tag.ends_with('/') => open.push(name),
                _ => {}
            }
        }
        open.is_empty()
    }

    #[test]
    fn svg_is_well_formed_and_stable() {
        let scene = every_kind();
        let written = svg(&scene);
        assert!(well_formed(&written), "{written}");
        assert!(!well_formed(&written.replace("&amp;", "&")), "the check must see a bare ampersand");
        assert_eq!(written, svg(&scene.clone()));
        assert!(written.contains("a &lt; b &amp; &quot;c&quot;"));
    }

    #[test]
    fn a_point_costs_few_bytes() {
        let discs = (0..2000)
            .map(|i| Disc {
                at: [f64::from(i % 300), f64::from(i / 10)],
                radius: 1.5,
                color: class(i as usize % 10),
            })
            .collect();
        let mut scene = Scene::new(300.0, 200.0);
        scene.push(Item::Discs { discs });
        let bytes = svg(&scene).len();
        assert!(bytes < 10 * 2000, "{bytes}");
    }

    /// The places of dots, from their steps, equal the places of the discs to a twentieth of a pixel.
    #[test]
    fn steps_lead_to_every_disc() {
        let at = |i: u32| [f64::from(i * 37 % 301) * 0.53 + 3.0, f64::from(i * 53 % 199) * 0.91 + 4.0];
        let discs: Vec<Disc> =
            (0..500).map(|i| Disc { at: at(i), radius: 1.0, color: class(i as usize % 10) }).collect();
        let mut scene = Scene::new(300.0, 200.0);
        scene.push(Item::Discs { discs: discs.clone() });
        let written = svg(&scene);
        let mut dots: Vec<[i64; 2]> = Vec::new();
        for path in written.split(" d=\"").skip(1) {
            let mut place = [0, 0];
            for step in path.split('"').next().expect("a path").split("h0").filter(|step| !step.is_empty()) {
                let step = step.strip_prefix('m').expect("a step").replace('-', " -");
                let step: Vec<i64> = step.split_whitespace().map(|v| v.parse().expect("a number")).collect();
                place = [place[0] + step[0], place[1] + step[1]];
                dots.push(place);
            }
        }
        let mut expected: Vec<[i64; 2]> =
            discs.iter().map(|disc| disc.at.map(|v| (10.0 * v).round() as i64)).collect();
        dots.sort_unstable();
        expected.sort_unstable();
        assert_eq!(dots, expected);
    }

    #[test]
    fn no_two_classes_are_one_color_of_a_path() {
        const CLASSES: usize = 20;
        let coarse = (0..CLASSES).map(|i| {
            let Color(r, g, b) = class(i);
            [r & !15, g & !15, b & !15]
        });
        let different: std::collections::BTreeSet<_> = coarse.collect();
        assert_eq!(different.len(), CLASSES);
    }

    #[test]
    fn a_large_cloud_becomes_a_picture() {
        let discs = |n: u32| {
            let at = |i: u32| [f64::from(i % 170) + 10.0, f64::from(i / 170) + 10.0];
            (0..n).map(|i| Disc { at: at(i), radius: 1.0, color: class(i as usize % 10) }).collect()
        };
        let mut scene = Scene::new(200.0, 450.0);
        scene.push(Item::Discs { discs: discs(70_000) });
        let large = svg(&scene);
        assert!(well_formed(&large) && large.matches("<image").count() == 1 && !large.contains("<path"));
        assert!(large.len() < 700_000, "{}", large.len());
        scene.items[0] = Item::Discs { discs: discs(3000) };
        assert!(!svg(&scene).contains("<image"));
    }
}
