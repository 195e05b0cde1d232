//! Text layout: the embedded font, text widths and line breaks.

use std::sync::Once;

use plotters::style::{FontFamily, FontStyle, IntoFont, register_font};

use crate::scene::{Type, Weight};

/// Line height of the font in em; plotters specifies font sizes by line height.
pub(super) const LINE_PER_EM: f64 = 1.164;

/// The family name under which the font is registered.
pub(super) const FAMILY: FontFamily<'static> = FontFamily::Name("DejaVu Sans");

/// Registers the font with plotters.
pub(super) fn ensure_font() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let faces = [(FontStyle::Normal, dejavu::sans::regular()), (FontStyle::Bold, dejavu::sans::bold())];
        for (style, bytes) in faces {
            assert!(register_font(FAMILY.as_str(), style, bytes).is_ok(), "the embedded font is valid");
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

/// Returns the width of a text.
pub fn width(text: &str, style: Type) -> f64 {
    ensure_font();
    const FINE: f64 = 1000.0;
    let font = (FAMILY, FINE * LINE_PER_EM, style.weight.style()).into_font();
    let wide = font.layout_box(text).map_or(0, |((left, _), (right, _))| right - left);
    f64::from(wide) * style.size / FINE
}

/// Breaks a text at spaces into lines no wider than `available`; if more than `most` lines
/// would be needed, the last one ends in an ellipsis.
pub(crate) fn wrap(text: &str, style: Type, available: f64, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let longer = lines.last().map(|line| format!("{line} {word}"));
        match longer {
            Some(longer) if width(&longer, style) <= available => {
                lines.pop();
                lines.push(longer);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    if lines.len() > most {
        lines.truncate(most);
        if let Some(last) = lines.last_mut() {
            *last = shorten(&format!("{last} …"), style, available);
        }
    }
    lines.iter().map(|line| shorten(line, style, available)).collect()
}

/// Truncates a text with an ellipsis if it is wider than `available`.
pub(crate) fn shorten(text: &str, style: Type, available: f64) -> String {
    if width(text, style) <= available {
        return text.to_owned();
    }
    let mut kept: Vec<char> = text.chars().collect();
    while kept.pop().is_some() {
        let candidate = format!("{}…", kept.iter().collect::<String>().trim_end_matches([' ', '…', ',']));
        if width(&candidate, style) <= available {
            return candidate;
        }
    }
    String::new()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::color::INK;

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
