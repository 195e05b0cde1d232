//! The derive macro of the trait `embedding::Recipe`.
//!
//! A field of a recipe declares its parameter: by a documentation comment and the attribute
//! `param`. The crate `embedding` re-exports the macro; its trait `Recipe` documents the attribute.
//!
//! Architecture invariant: this crate depends on no other crate of the workspace. Only `embedding`
//! depends on it.

mod bounds;
mod expand;
mod field;
mod text;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Derives `embedding::Recipe`, whose documentation describes the attributes, and [`Default`].
#[proc_macro_derive(Recipe, attributes(param))]
pub fn recipe(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand::recipe(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}
