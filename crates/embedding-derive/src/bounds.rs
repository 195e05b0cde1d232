//! Ranges written as they are printed: `"1 to n - 1"`, `"above 0"`.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Error, LitStr};

/// The sizes that a bound may name, with their fields in `embedding::implement::Sizes`.
const SIZES: [(&str, &str); 7] = [
    ("n", "points"),
    ("D", "columns"),
    ("k", "neighbors"),
    ("landmarks", "landmarks"),
    ("basis", "basis"),
    ("classes", "classes"),
    ("dim", "dim"),
];

/// The `embedding::implement::Range` that prints as `text`.
pub(crate) fn range(text: &LitStr) -> Result<TokenStream, Error> {
    let words = text.value();
    let bound = |bound: &str| bound_of(bound).ok_or_else(|| refused(text));
    let between = |low: &str, high: &str| Ok::<_, Error>((bound(low)?, bound(high)?));
    if words == "above 0" {
        return Ok(quote!(::embedding::implement::Range::positive()));
    }
    if let Some(ends) = words.strip_prefix("above ") {
        let (low, high) = ends.split_once(" and below ").ok_or_else(|| refused(text))?;
        let (low, high) = between(low, high)?;
        return Ok(quote!(::embedding::implement::Range::inside(#low, #high)));
    }
    if let Some(ends) = words.strip_prefix("at least ") {
        let Some((low, high)) = ends.split_once(" and below ") else {
            let low = bound(ends)?;
            return Ok(quote!(::embedding::implement::Range::at_least(#low)));
        };
        let (low, high) = between(low, high)?;
        return Ok(quote!(::embedding::implement::Range::below(#low, #high)));
    }
    let (low, high) = words.split_once(" to ").ok_or_else(|| refused(text))?;
    let (low, high) = between(low, high)?;
    Ok(quote!(::embedding::implement::Range::between(#low, #high)))
}

/// A number, a size, a size less a number, or the least of several such bounds, which depends on
/// all of them.
fn bound_of(text: &str) -> Option<TokenStream> {
    if let Some(value) = number(text) {
        return Some(
            quote!(::embedding::implement::Bound::new(#text, |_| ::core::option::Option::Some(#value))),
        );
    }
    let parts = text.strip_prefix("min(").and_then(|text| text.strip_suffix(')')).unwrap_or(text);
    let values: Vec<TokenStream> = parts.split(", ").map(value_of).collect::<Option<_>>()?;
    let (first, others) = values.split_first()?;
    Some(quote! {
        ::embedding::implement::Bound::new(#text, |sizes| {
            let least: f64 = #first;
            #(let least = least.min(#others);)*
            ::core::option::Option::Some(least)
        })
    })
}

/// A size, or a size less a number.
fn value_of(text: &str) -> Option<TokenStream> {
    let (size, less) = match text.split_once(" - ") {
        Some((size, less)) => (size, number(less)?),
        None => (text, 0.0),
    };
    let field = SIZES.iter().find(|(name, _)| *name == size).map(|(_, field)| format_ident!("{field}"))?;
    Some(quote!((sizes.#field? as f64 - #less)))
}

fn number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|value: &f64| value.is_finite())
}

fn refused(text: &LitStr) -> Error {
    let names: Vec<&str> = SIZES.iter().map(|(name, _)| *name).collect();
    let forms = "`A to B`, `at least A`, `at least A and below B`, `above 0` or `above A and below B`";
    let bounds = format!("a number, one of {}, one of these less a number, or `min(A, B)`", names.join(", "));
    Error::new(text.span(), format!("a range is {forms}, where A and B are {bounds}"))
}

#[cfg(test)]
mod tests {
    use proc_macro2::Span;

    use super::*;

    fn range_of(text: &str) -> Result<String, Error> {
        range(&LitStr::new(text, Span::call_site())).map(|range| crate::text::code(&range))
    }

    #[test]
    fn every_printed_form_is_read() {
        for (text, constructor) in [
            ("1 to n - 1", "between"),
            ("0 to 1e6", "between"),
            ("at least 1", "at_least"),
            ("at least 0 and below 1", "below"),
            ("above 0", "positive"),
            ("above 0 and below 1", "inside"),
            ("1 to landmarks - 1", "between"),
            ("-1 to 1", "between"),
            ("1 to min(n - 1, D)", "between"),
        ] {
            let range = range_of(text).expect(text);
            assert!(range.contains(&format!("Range::{constructor}(")), "{text}: {range}");
        }
    }

    #[test]
    fn other_words_and_sizes_are_refused() {
        for text in ["", "0", "1 to x", "from 1 to 2", "above 1", "at least n + 1", "at most 3", "0 to nan"] {
            let error = range_of(text).expect_err(text).to_string();
            assert!(error.starts_with("a range is `A to B`"), "{text}: {error}");
        }
    }
}
