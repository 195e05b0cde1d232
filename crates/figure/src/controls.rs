//! Characters that terminals and pages interpret and do not show.

use std::borrow::Cow;
use std::fmt::Write;

/// Whether it is a control, a noncharacter, or one that changes the order of others.
pub fn is_control(c: char) -> bool {
    c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The text with control characters escaped as in JSON (`\u001b`), except tabs and line breaks;
/// within JSON, the content is the same.
pub fn escaped(text: &str) -> Cow<'_, str> {
    let plain = |c: char| ['\t', '\n'].contains(&c) || !is_control(c);
    if text.chars().all(plain) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if plain(c) {
            out.push(c);
        } else {
            write!(out, "\\u{:04x}", u32::from(c)).expect("writing to a string cannot fail");
        }
    }
    Cow::Owned(out)
}

/// The text without control characters, except tabs and line breaks.
pub fn without_controls(mut text: String) -> String {
    text.retain(|c| ['\t', '\n'].contains(&c) || !is_control(c));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_are_escaped_and_text_is_kept() {
        assert_eq!(escaped("a\u{1b}[31m\u{7f}b\u{9b}c\u{202e}d"), "a\\u001b[31m\\u007fb\\u009bc\\u202ed");
        assert!(matches!(escaped("Größe\t1\n"), Cow::Borrowed("Größe\t1\n")));
    }

    #[test]
    fn json_that_is_escaped_has_the_same_content() {
        let controls: String = (0..=0x9f).map(char::from).collect();
        let json = serde_json::to_string(&controls).expect("text");
        assert!(json.contains('\u{7f}') && !escaped(&json).chars().any(is_control));
        assert_eq!(serde_json::from_str::<String>(&escaped(&json)).expect("JSON"), controls);
    }
}
