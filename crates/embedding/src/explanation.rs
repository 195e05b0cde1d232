//! The explanation of a method or a measure: one text for its documentation, the terminal and the page.

use serde::{Serialize, Serializer};

/// The sections of the explanation of a method, in their order.
const OF_METHOD: [&str; 5] = ["Idea", "Definition", "Steps", "When it fails", "Reference"];

/// The sections of the explanation of a measure.
const OF_MEASURE: [&str; 4] = ["Idea", "Definition", "When it misleads", "Reference"];

/// The explanation of a method or a measure, for readers of its documentation, of the terminal
/// and of the page.
///
/// The text is a Markdown file, which the documentation includes too. For a method it has
/// sections that begin with `**Idea.**`, `**Definition.**`, `**Steps.**`,
/// `**When it fails.**` and `**Reference.**`; for a measure `**Idea.**`, `**Definition.**`,
/// `**When it misleads.**` and `**Reference.**`. In them are paragraphs without links or other
/// markup, one numbered list (the steps) and blocks of equations, one equation per line
/// between ```` ```text ```` and ```` ``` ````. A text without one of these sections does not
/// compile:
///
/// ```compile_fail
/// const INCOMPLETE: embedding::Explanation = embedding::Explanation::new("**Idea.** Project.");
/// ```
///
/// Equations are plain text: `x_i`, `w_ij` and `Σ_{i<j}` have subscripts, `xᵀ`, `x²` and
/// `D^{−1/2}` superscripts, `√(x)` is a root; the page typesets them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explanation {
    text: &'static str,
}

/// One section of an explanation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Section {
    /// Its title.
    pub title: &'static str,
    /// Its paragraphs, equations and steps.
    pub parts: Vec<Part>,
}

/// A part of a section.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// A paragraph.
    Text(String),
    /// Equations, one per entry.
    Equations(Vec<&'static str>),
    /// Numbered steps.
    Steps(Vec<String>),
}

impl Explanation {
    /// Takes the text of the file of a method; panics, which for a constant is an error of the
    /// compiler, where a section is missing or not in its place.
    pub const fn new(text: &'static str) -> Self {
        Self::with_sections(text, &OF_METHOD)
    }

    /// Takes the text of the file of a measure, as [`Explanation::new`] takes the text of a method.
    pub const fn of_measure(text: &'static str) -> Self {
        Self::with_sections(text, &OF_MEASURE)
    }

    const fn with_sections(text: &'static str, titles: &[&str]) -> Self {
        let (mut at, mut next) = (0, 0);
        while next < titles.len() {
            at = after_lead(text.as_bytes(), titles[next].as_bytes(), at);
            next += 1;
        }
        Self { text }
    }

    /// The sections, in order.
    pub fn sections(&self) -> Vec<Section> {
        let mut sections: Vec<Section> = Vec::new();
        for block in blocks(self.text) {
            let titled = block.strip_prefix("**").and_then(|rest| rest.split_once(".**"));
            let block = titled.map_or(block, |(_, rest)| rest).trim();
            if let Some((title, _)) = titled {
                sections.push(Section { title, parts: Vec::new() });
            }
            let Some(section) = sections.last_mut().filter(|_| !block.is_empty()) else { continue };
            section.parts.push(part(block));
        }
        sections
    }
}

impl Serialize for Explanation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.sections().serialize(serializer)
    }
}

/// The position behind `**title.**`, which must begin a line.
const fn after_lead(text: &[u8], title: &[u8], from: usize) -> usize {
    let mut at = from;
    while at + title.len() + 5 <= text.len() {
        let begins = at == 0 || text[at - 1] == b'\n';
        if begins && text[at] == b'*' && text[at + 1] == b'*' && same(text, at + 2, title) {
            let end = at + 2 + title.len();
            if text[end] == b'.' && text[end + 1] == b'*' && text[end + 2] == b'*' {
                return end + 3;
            }
        }
        at += 1;
    }
    panic!(
        "an explanation has the sections **Idea.**, **Definition.**, **Steps.**, **When it fails.** and **Reference.**, \
         in this order; the explanation of a measure has **When it misleads.** instead of the third and fourth"
    )
}

const fn same(text: &[u8], at: usize, title: &[u8]) -> bool {
    let mut i = 0;
    while i < title.len() {
        if text[at + i] != title[i] {
            return false;
        }
        i += 1;
    }
    true
}

/// Blocks between empty lines.
fn blocks(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.split("\n\n").map(str::trim).filter(|block| !block.is_empty())
}

fn part(block: &'static str) -> Part {
    if let Some(code) = block.strip_prefix("```text\n") {
        return Part::Equations(code.trim_end_matches("```").trim_end().lines().collect());
    }
    if !block.starts_with("1. ") {
        return Part::Text(joined(block));
    }
    let mut steps: Vec<String> = Vec::new();
    for line in block.lines() {
        match (line.split_once(". "), steps.last_mut()) {
            (Some((number, step)), _) if number.parse::<usize>().is_ok() => steps.push(step.to_owned()),
            (_, Some(step)) => *step = format!("{step} {}", line.trim()),
            (_, None) => {}
        }
    }
    Part::Steps(steps)
}

/// The lines of a paragraph in one line, addresses without their brackets.
fn joined(block: &str) -> String {
    let bare = |word: &str| match word.strip_prefix("<http") {
        Some(rest) => format!("http{}", rest.replacen('>', "", 1)),
        None => word.to_owned(),
    };
    block.split_whitespace().map(bare).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: Explanation = Explanation::new(
        "**Idea.** Two > one,\nlines.\n\n**Definition.** With x,\n\n```text\ny = x²\nz = y_i\n```\n\nand so on.\n\n\
         **Steps.**\n\n1. First\n   of all.\n2. Second.\n\n**When it fails.** Never.\n\n\
         **Reference.** <https://doi.org/10.1/2>.\n",
    );

    #[test]
    fn sections_have_paragraphs_equations_and_steps() {
        let sections = TEXT.sections();
        let titles: Vec<&str> = sections.iter().map(|section| section.title).collect();
        assert_eq!(titles, OF_METHOD);
        let text = |words: &str| Part::Text(words.to_owned());
        assert_eq!(sections[0].parts, [text("Two > one, lines.")]);
        let equations = Part::Equations(vec!["y = x²", "z = y_i"]);
        assert_eq!(sections[1].parts, [text("With x,"), equations, text("and so on.")]);
        assert_eq!(sections[2].parts, [Part::Steps(vec!["First of all.".into(), "Second.".into()])]);
        assert_eq!(sections[4].parts, [text("https://doi.org/10.1/2.")]);
    }

    #[test]
    #[should_panic(expected = "has the sections")]
    fn a_missing_section_is_refused() {
        Explanation::new(
            "**Idea.** One.\n\n**Definition.** Two.\n\n**Steps.** Three.\n\n**Reference.** Four.",
        );
    }

    #[test]
    #[should_panic(expected = "in this order")]
    fn the_order_is_fixed() {
        Explanation::new(
            "**Definition.** a\n**Idea.** b\n**Steps.** c\n**When it fails.** d\n**Reference.** e",
        );
    }
}
