//! One field of a recipe and its attribute `param`.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{Error, LitStr, Token, Type};

use crate::{bounds, text};

/// A field with the parameters that it declares.
pub(crate) struct Field<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) ty: &'a Type,
    pub(crate) default: Option<TokenStream>,
    pub(crate) role: Role,
}

/// The parameters that a field declares.
pub(crate) enum Role {
    /// One, of the field's own type.
    Parameter { name: String, meaning: String, range: Option<Range> },
    /// All parameters of the field's type, or the parameters that a function returns.
    Flatten { listed: Option<TokenStream> },
    /// None.
    Skip,
}

/// A legal range, and how documentation prints it.
pub(crate) struct Range {
    pub(crate) tokens: TokenStream,
    pub(crate) printed: String,
}

impl<'a> Field<'a> {
    pub(crate) fn new(field: &'a syn::Field) -> Result<Self, Error> {
        let ident =
            field.ident.as_ref().ok_or_else(|| Error::new(field.span(), "a recipe has named fields"))?;
        let mut settings = Settings::default();
        for attribute in field.attrs.iter().filter(|attribute| attribute.path().is_ident("param")) {
            settings.0.extend(attribute.parse_args::<Settings>()?.0);
        }
        let (name, range) = (settings.take("name")?, settings.take("range")?);
        let (flatten, skip) = (settings.take("flatten")?, settings.take("skip")?);
        let default = settings.take("default")?.map(|setting| setting.value("default")).transpose()?;
        settings.finish()?;
        if let (Some(setting), Some(_)) =
            (name.as_ref().or(range.as_ref()), flatten.as_ref().or(skip.as_ref()))
        {
            let message =
                "`name` and `range` describe one parameter, which `flatten` and `skip` do not declare";
            return Err(Error::new(setting.key.span(), message));
        }
        let role = match (flatten, skip) {
            (Some(setting), None) => Role::Flatten { listed: setting.value },
            (None, Some(_)) => Role::Skip,
            (Some(_), Some(skip)) => {
                return Err(Error::new(skip.key.span(), "a field has `flatten` or `skip`, not both"));
            }
            (None, None) => Role::Parameter {
                name: match name {
                    Some(setting) => syn::parse2::<LitStr>(setting.value("name")?)?.value(),
                    None => ident.to_string().replace('_', "-"),
                },
                meaning: meaning(field)?,
                range: range.map(|setting| Range::new(setting.value("range")?)).transpose()?,
            },
        };
        Ok(Self { ident, ty: &field.ty, default, role })
    }

    /// The value of the field in a default recipe.
    pub(crate) fn default(&self) -> TokenStream {
        self.default.clone().unwrap_or_else(|| quote!(::core::default::Default::default()))
    }
}

impl Range {
    /// Text as it is printed, or an expression.
    fn new(tokens: TokenStream) -> Result<Self, Error> {
        match syn::parse2::<LitStr>(tokens.clone()) {
            Ok(text) => Ok(Self { tokens: bounds::range(&text)?, printed: text.value() }),
            Err(_) => Ok(Self { printed: format!("`{}`", text::code(&tokens)), tokens }),
        }
    }
}

/// The meaning of a parameter, which lists and terminals print.
fn meaning(field: &syn::Field) -> Result<String, Error> {
    let Some(meaning) = text::meaning(&field.attrs) else {
        let message = "a parameter has a documentation comment, whose first sentence is its meaning wherever it is listed";
        return Err(Error::new(field.span(), message));
    };
    if meaning.contains(['`', '[']) {
        let message =
            format!("the meaning of a parameter is printed in terminals, without links and code: {meaning}");
        return Err(Error::new(field.span(), message));
    }
    Ok(meaning)
}

/// The entries `key` or `key = value` of an attribute.
#[derive(Default)]
struct Settings(Vec<Setting>);

struct Setting {
    key: Ident,
    value: Option<TokenStream>,
}

impl Setting {
    fn value(self, key: &str) -> Result<TokenStream, Error> {
        self.value.ok_or_else(|| Error::new(self.key.span(), format!("`{key}` has a value: `{key} = …`")))
    }
}

impl Settings {
    /// The setting of this key, removed.
    fn take(&mut self, key: &str) -> Result<Option<Setting>, Error> {
        let at = self.0.iter().position(|setting| setting.key == key);
        let found = at.map(|at| self.0.remove(at));
        match self.0.iter().find(|setting| setting.key == key) {
            Some(second) => Err(Error::new(second.key.span(), format!("`{key}` is set twice"))),
            None => Ok(found),
        }
    }

    /// Fails where settings are left.
    fn finish(self) -> Result<(), Error> {
        self.0.first().map_or(Ok(()), |Setting { key, .. }| {
            let message =
                format!("`{key}` is no setting of a parameter: name, default, range, flatten and skip are");
            Err(Error::new(key.span(), message))
        })
    }
}

impl Parse for Settings {
    fn parse(input: ParseStream<'_>) -> Result<Self, Error> {
        let mut settings = Vec::new();
        while !input.is_empty() {
            let key: Ident = input.parse()?;
            let assigned: Option<Token![=]> = input.parse()?;
            let value = assigned.map(|_| until_comma(input)).transpose()?;
            settings.push(Setting { key, value });
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(Self(settings))
    }
}

/// An expression, which ends before the next comma outside of brackets.
fn until_comma(input: ParseStream<'_>) -> Result<TokenStream, Error> {
    let mut tokens = TokenStream::new();
    while !input.is_empty() && !input.peek(Token![,]) {
        tokens.extend([input.parse::<TokenTree>()?]);
    }
    if tokens.is_empty() { Err(input.error("a value follows `=`")) } else { Ok(tokens) }
}
