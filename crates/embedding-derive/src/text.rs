//! The text of documentation comments and of expressions.

use proc_macro2::TokenStream;
use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// The first sentence of a documentation comment as a phrase: without its period, and in lower
/// case unless it begins with an abbreviation or a symbol. `None` without documentation.
pub(crate) fn meaning(attributes: &[Attribute]) -> Option<String> {
    let lines: Vec<String> = attributes.iter().filter_map(doc_line).collect();
    let paragraph = lines.iter().map(|line| line.trim()).skip_while(|line| line.is_empty());
    let paragraph = paragraph.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    let end = paragraph.match_indices(". ").map(|(at, _)| at);
    let capital = |at: &usize| paragraph[at + 2..].starts_with(char::is_uppercase);
    let sentence = end.into_iter().find(capital).map_or(paragraph.as_str(), |at| &paragraph[..at]);
    let sentence = sentence.strip_suffix('.').unwrap_or(sentence);
    let mut letters = sentence.chars();
    let first = letters.next()?;
    if letters.as_str().starts_with(|second: char| second.is_lowercase() || second == ' ') {
        return Some(first.to_lowercase().chain(letters).collect());
    }
    Some(sentence.to_owned())
}

fn doc_line(attribute: &Attribute) -> Option<String> {
    match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    }
}

/// Code as a person would write it.
pub(crate) fn code(tokens: &TokenStream) -> String {
    let mut text = tokens.to_string();
    for (spaced, plain) in [
        (" :: ", "::"),
        (":: ", "::"),
        (" ::", "::"),
        (" : ", ": "),
        (" . ", "."),
        (" , ", ", "),
        (" (", "("),
        ("( ", "("),
        (" )", ")"),
        (" < ", "<"),
        (" >", ">"),
    ] {
        text = text.replace(spaced, plain);
    }
    text
}

#[cfg(test)]
mod tests {
    use quote::quote;
    use syn::{Field, parse_quote};

    use super::*;

    #[test]
    fn the_meaning_is_the_first_sentence_as_a_phrase() {
        let of = |field: Field| meaning(&field.attrs);
        let phrase = |text: &str| Some(text.to_owned());
        assert_eq!(
            of(parse_quote!(
                /// Target dimension d.
                dim: usize
            )),
            phrase("target dimension d")
        );
        assert_eq!(
            of(parse_quote!(
                /// Passes over the edges; auto is 1000,
                /// e.g. for few points. With more, 200.
                ///
                /// Advice.
                epochs: usize
            )),
            phrase("passes over the edges; auto is 1000, e.g. for few points")
        );
        assert_eq!(
            of(parse_quote!(
                /// RBF kernel.
                kernel: Kernel
            )),
            phrase("RBF kernel")
        );
        assert_eq!(
            of(parse_quote!(
                /// A fraction.
                mix: f64
            )),
            phrase("a fraction")
        );
        assert_eq!(of(parse_quote!(dim: usize)), None);
    }

    #[test]
    fn code_has_the_usual_spaces() {
        for text in ["Neighborhood::Nearest { k: 14 }", "Bound::of(1e6)", "0.1", "Option<usize>"] {
            let tokens: TokenStream = text.parse().expect("Rust tokens");
            assert_eq!(code(&tokens), text);
        }
        assert_eq!(code(&quote!(Start::Pca)), "Start::Pca");
    }
}
