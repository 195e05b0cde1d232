//! Letters: the font that travels with the program, widths, line breaks.

use std::sync::Once;

use plotters::style::{FontFamily, FontStyle, IntoFont, register_font};

use super::scene::{Type, Weight};

/// Line height of the font in units of the em: plotters counts the former.
pub(super) const LINE_PER_EM: f64 = 1.164;

/// The family under which the font is registered.
pub(super) const FAMILY: FontFamily<'static> = FontFamily::Name("DejaVu Sans");

/// Makes the font known to plotters.
pub(super) fn ensure_font() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let faces = [(FontStyle::Normal, dejavu::sans::regular()), (FontStyle::Bold, dejavu::sans::bold())];
        for (style, bytes) in faces {
            assert!(
                register_font(FAMILY.as_str(), style, bytes).is_ok(),
                "the font that is linked in is a font"
            );
        }
    });
}

impl Weight {
    pub(super) fn style(self) -> FontStyle {
        match self {
            Self::Regular => FontStyle::Normal,
            Self::Bold => FontStyle::Bold,
        }
    }
}

/// The width of a text.
pub fn width(text: &str, style: Type) -> f64 {
    ensure_font();
    const FINE: f64 = 1000.0;
    let font = (FAMILY, FINE * LINE_PER_EM, style.weight.style()).into_font();
    let wide = font.layout_box(text).map_or(0, |((left, _), (right, _))| right - left);
    f64::from(wide) * style.size / FINE
}

/// The text broken at spaces into lines no wider than `room`; the last line
/// ends in an ellipsis where more than `most` lines would be needed.
pub fn wrap(text: &str, style: Type, room: f64, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let longer = lines.last().map(|line| format!("{line} {word}"));
        match longer {
            Some(longer) if width(&longer, style) <= room => {
                lines.pop();
                lines.push(longer);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    if lines.len() > most {
        lines.truncate(most);
        if let Some(last) = lines.last_mut() {
            *last = shorten(&format!("{last} …"), style, room);
        }
    }
    lines.iter().map(|line| shorten(line, style, room)).collect()
}

/// The text, cut with an ellipsis where it is wider than `room`.
pub fn shorten(text: &str, style: Type, room: f64) -> String {
    if width(text, style) <= room {
        return text.to_owned();
    }
    let mut kept: Vec<char> = text.chars().collect();
    while kept.pop().is_some() {
        let candidate = format!("{}…", kept.iter().collect::<String>().trim_end_matches([' ', '…', ',']));
        if width(&candidate, style) <= room {
            return candidate;
        }
    }
    String::new()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::color::INK;

    #[test]
    fn lines_fit_and_say_when_they_were_cut() {
        let style = Type::regular(12.0, INK);
        let text = "the neighbor graph must be connected, but it falls into 2 components";
        let whole = wrap(text, style, 120.0, 99);
        assert!(whole.iter().all(|line| width(line, style) <= 120.0));
        assert_eq!(whole.join(" "), text);
        let cut = wrap(text, style, 120.0, 2);
        assert_eq!(cut.len(), 2);
        assert!(cut[1].ends_with('…') && width(&cut[1], style) <= 120.0);
    }

    #[test]
    fn bold_is_wider_and_width_is_proportional_to_size() {
        let regular = Type::regular(10.0, INK);
        assert!(width("Isomap", Type::bold(10.0, INK)) > width("Isomap", regular));
        let ratio = width("Isomap", Type::regular(20.0, INK)) / width("Isomap", regular);
        assert!((ratio - 2.0).abs() < 1e-12);
    }
}
