//! The derive macro of the trait `embedding::Recipe`.
//!
//! The crate `embedding` re-exports the macro and documents it with the trait. A field of a recipe
//! declares its parameter by a documentation comment and the attribute `param`.
//!
//! Architecture invariant: this crate contains names and texts of `embedding` only. It depends on no
//! other crate of the workspace, and only `embedding` depends on it.

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
