//! The explanations of all methods.
#![expect(clippy::expect_used, reason = "tests")]

use embedding::implement::Part;
use swissroll::methods;

/// All paragraphs, equations and steps.
fn texts(parts: &[Part]) -> Vec<String> {
    let one = |part: &Part| match part {
        Part::Text(text) => vec![text.clone()],
        Part::Equations(lines) => lines.iter().map(ToString::to_string).collect(),
        Part::Steps(steps) => steps.clone(),
    };
    parts.iter().flat_map(one).collect()
}

#[test]
fn every_method_has_an_equation_steps_and_a_paper() {
    for method in methods() {
        let about = method.about();
        let name = about.name;
        let sections = about.explanation.sections();
        for section in &sections {
            assert!(!section.parts.is_empty(), "{name}: {}", section.title);
            for text in texts(&section.parts) {
                let markup = ["**", "`", "](", "<http"].iter().find(|mark| text.contains(**mark));
                assert_eq!(markup, None, "{name}: {text}");
                assert!(!text.is_empty() && !text.contains('\n'), "{name}: {text}");
            }
        }
        let section = |title: &str| {
            sections.iter().find(|section| section.title == title).expect("checked when compiled")
        };
        let equations = section("Definition")
            .parts
            .iter()
            .any(|part| matches!(part, Part::Equations(lines) if !lines.is_empty()));
        assert!(equations, "{name} has no equation");
        let steps =
            section("Steps").parts.iter().any(|part| matches!(part, Part::Steps(steps) if steps.len() > 1));
        assert!(steps, "{name} has no steps");
        let papers = texts(&section("Reference").parts).join(" ");
        let findable = ["doi:10.", "https://", "(no DOI)"].iter().any(|word| papers.contains(word));
        assert!(findable, "{name}: {papers}");
    }
}
