//! The implementations that a recipe's declaration implies.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Error, Fields};

use crate::field::{Field, Role};
use crate::text::code;

/// `Recipe` and `Default` of a struct.
pub(crate) fn recipe(input: &DeriveInput) -> Result<TokenStream, Error> {
    let Data::Struct(data) = &input.data else {
        return Err(Error::new(input.ident.span(), "a recipe is a struct with named fields"));
    };
    if !input.generics.params.is_empty() {
        return Err(Error::new(input.generics.span(), "a recipe has no generic parameters"));
    }
    if let Fields::Unnamed(fields) = &data.fields {
        return Err(Error::new(fields.span(), "a recipe has named fields"));
    }
    let fields: Vec<Field<'_>> = data.fields.iter().map(Field::new).collect::<Result<_, _>>()?;
    let name = &input.ident;
    let listed = fields.iter().map(listed);
    let (idents, defaults) = (fields.iter().map(|field| field.ident), fields.iter().map(Field::default));
    let table = table(&fields);
    Ok(quote! {
        #[automatically_derived]
        impl ::embedding::Recipe for #name {
            fn parameters() -> ::std::vec::Vec<::embedding::implement::Parameter<Self>> {
                let mut parameters = ::std::vec::Vec::<::embedding::implement::Parameter<Self>>::new();
                #(#listed)*
                parameters
            }
        }

        #[automatically_derived]
        #[doc = #table]
        impl ::core::default::Default for #name {
            fn default() -> Self {
                Self { #(#idents: #defaults),* }
            }
        }
    })
}

/// The statement that lists the parameters of a field.
fn listed(field: &Field<'_>) -> TokenStream {
    let (ident, ty) = (field.ident, field.ty);
    match &field.role {
        Role::Skip => TokenStream::new(),
        Role::Flatten { listed } => {
            let listed = listed.clone().unwrap_or_else(|| quote!(<#ty as ::embedding::Recipe>::parameters));
            quote_spanned! {ty.span()=>
                parameters.extend(#listed().into_iter().map(|parameter| -> ::embedding::implement::Parameter<Self> {
                    parameter.inside(::embedding::field!(#ident))
                }));
            }
        }
        Role::Parameter { name, meaning, range } => {
            let new = quote!(::embedding::implement::Parameter::<Self>::new(#name, #meaning, ::embedding::field!(#ident)));
            let Some(range) = range.as_ref().map(|range| &range.tokens) else {
                return quote_spanned!(ty.span()=> parameters.push(#new););
            };
            let message = format!("`{ident}` has a range, but its type has no number");
            quote_spanned! {ty.span()=>
                const _: () = ::core::assert!(<#ty as ::embedding::implement::Value>::SYNTAX.has_number(), #message);
                parameters.push(#new.within(#range));
            }
        }
    }
}

/// Documentation of the defaults: a table of fields.
fn table(fields: &[Field<'_>]) -> String {
    let mut lines = vec![
        "The defaults, and the name and the range of each parameter on the command line:".to_owned(),
        String::new(),
        "| field | parameter | default | legal |".to_owned(),
        "|---|---|---|---|".to_owned(),
    ];
    lines.extend(fields.iter().map(|field| {
        let ty = code(&field.ty.to_token_stream());
        let (parameter, legal) = match &field.role {
            Role::Parameter { name, range, .. } => {
                (format!("`{name}`"), range.as_ref().map_or("", |range| &range.printed))
            }
            Role::Flatten { .. } => (format!("the parameters of `{ty}`"), ""),
            Role::Skip => (String::new(), ""),
        };
        let default = field.default.as_ref().map_or_else(|| format!("{ty}::default()"), code);
        format!("| `{}` | {parameter} | `{default}` | {legal} |", field.ident)
    }));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    use super::*;

    /// Code without spaces: generated code is spaced differently from handwritten code.
    fn dense(code: &str) -> String {
        code.split_whitespace().collect()
    }

    fn refused(input: &DeriveInput) -> String {
        recipe(input).expect_err("no recipe").to_string()
    }

    #[test]
    fn a_field_declares_its_parameter_and_its_default() {
        let input = parse_quote! {
            struct Umap {
                #[param(flatten, default = Neighborhood::Nearest { k: 14 })]
                neighborhood: Neighborhood,
                /// Distance up to which points are similar. Advice.
                #[param(default = 0.1, range = "at least 0")]
                min_dist: f64,
                /// Number of epochs.
                #[param(name = "passes", range = EPOCHS)]
                epochs: Option<usize>,
                #[param(skip)]
                other: Other,
            }
        };
        let code = dense(&recipe(&input).expect("a recipe").to_string());
        for part in [
            "<Neighborhood as ::embedding::Recipe>::parameters",
            r#"new("min-dist", "distance up to which points are similar", "#,
            r#"new("passes", "number of epochs", "#,
            "within(EPOCHS)",
            "neighborhood: Neighborhood::Nearest { k: 14 }, min_dist: 0.1, epochs: ::core::default::Default::default()",
            r"| `min_dist` | `min-dist` | `0.1` | at least 0 |\n| `epochs` | `passes` | `Option<usize>::default()` | `EPOCHS` |",
        ] {
            assert!(code.contains(&dense(part)), "{part} is not in\n{code}");
        }
    }

    #[test]
    fn a_declaration_that_is_none_is_refused_with_its_reason() {
        let cases: [(DeriveInput, &str); 10] = [
            (
                parse_quote!(
                    enum Start {
                        Pca,
                    }
                ),
                "a recipe is a struct",
            ),
            (
                parse_quote!(
                    struct Recipe(usize);
                ),
                "a recipe has named fields",
            ),
            (
                parse_quote!(
                    struct Recipe<T> {
                        dim: T,
                    }
                ),
                "a recipe has no generic parameters",
            ),
            (
                parse_quote!(
                    struct Recipe {
                        dim: usize,
                    }
                ),
                "a parameter has a documentation comment",
            ),
            (
                parse_quote!(
                    struct Recipe {
                        /// At most `spread`.
                        dim: usize,
                    }
                ),
                "the meaning of a parameter is printed in terminals",
            ),
            (
                parse_quote!(
                    struct Recipe {
                        /// Dimension.
                        #[param(fallback = 2)]
                        dim: usize,
                    }
                ),
                "`fallback` is no setting of a parameter",
            ),
            (
                parse_quote!(
                    struct Recipe {
                        /// Dimension.
                        #[param(default = 2, default = 3)]
                        dim: usize,
                    }
                ),
                "`default` is set twice",
            ),
            (
                parse_quote!(
                    struct Recipe {
                        /// Dimension.
                        #[param(default)]
                        dim: usize,
                    }
                ),
                "`default` has a value",
            ),
            (
                parse_quote!(
                    struct Recipe {
                        /// Dimension.
                        #[param(range = "from 1 on")]
                        dim: usize,
                    }
                ),
                "a range is `A to B`",
            ),
            (
                parse_quote!(
                    struct Recipe {
                        #[param(flatten, range = "above 0")]
                        schedule: Schedule,
                    }
                ),
                "`name` and `range` describe one parameter",
            ),
        ];
        for (input, reason) in &cases {
            assert!(refused(input).starts_with(reason), "{}", refused(input));
        }
    }
}
