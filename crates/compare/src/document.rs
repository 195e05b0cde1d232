//! The frame of a page that needs nothing from outside.

use maud::{DOCTYPE, Markup, PreEscaped, html};

/// A page with its own style, and a policy that says what it may use.
pub(crate) fn document(title: &str, policy: &str, style: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(policy);
                title { (title) }
                style { "\n" (PreEscaped(style)) }
            }
            body { (body) }
        }
    };
    page.into_string() + "\n"
}
