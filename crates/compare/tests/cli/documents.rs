//! README and documents agree with the program.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::temp_folder::TempFolder;

/// The documents with command lines, at the root of the repository.
const DOCUMENTS: [&str; 6] = [
    "README.md",
    "docs/command-line.md",
    "docs/library.md",
    "docs/methods.md",
    "datasets/README.md",
    "CONTRIBUTING.md",
];
const OPTIONS: &str = "docs/command-line.md";
/// Commands without options of their own.
const WITHOUT_OPTIONS: [&str; 2] = ["explain", "list"];
/// Options of every command that are in no table.
const OF_ALL: [&str; 2] = ["help", "version"];

fn document(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)).unwrap()
}

/// The cells of a row of a table.
fn cells(row: &str) -> Vec<&str> {
    row.trim().trim_matches('|').split('|').map(str::trim).collect()
}

/// The rows of the table whose head begins with this cell, the head first.
fn table<'a>(text: &'a str, first: &str) -> Vec<Vec<&'a str>> {
    let is_head = |line: &&str| line.starts_with('|') && cells(line)[0] == first;
    let rows = text.lines().skip_while(|line| !is_head(line)).take_while(|line| line.starts_with('|'));
    rows.map(cells).filter(|row| !row[0].starts_with("---")).collect()
}

/// The option that a word begins with.
fn option(word: &str) -> Option<&str> {
    let name = word.strip_prefix("--")?;
    let end = name.find(|letter: char| !letter.is_ascii_lowercase() && letter != '-');
    Some(&name[..end.unwrap_or(name.len())]).filter(|name| !name.is_empty())
}

/// The options that `compare COMMAND --help` lists.
fn options(folder: &TempFolder, command: &str) -> BTreeSet<String> {
    let help = folder.compare(&format!("{command} --help"));
    // Options are indented less than their explanations.
    let names = help.lines().filter(|line| !line.starts_with(&" ".repeat(10)));
    let listed = names.filter_map(|line| {
        let line = line.trim_start();
        let long = line.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
        option(long.map_or(line, |short| short.split_once(", ").map_or("", |(_, long)| long)))
    });
    listed.filter(|name| !OF_ALL.contains(name)).map(str::to_owned).collect()
}

/// The words of a line of a shell, without its comment.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let (mut quote, mut before) = (None, ' ');
    for letter in line.chars() {
        match (quote, letter) {
            (None, '#') if before == ' ' => break,
            (None, '"' | '\'') => quote = Some(letter),
            (Some(open), close) if open == close => quote = None,
            (None, ' ') => words.push(String::new()),
            _ => words.last_mut().unwrap().push(letter),
        }
        before = letter;
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The arguments of every call of `compare` in the shell blocks of a document.
fn calls(text: &str) -> Vec<Vec<String>> {
    let blocks = text.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let lines = blocks.flat_map(|block| {
        let joined = block.replace("\\\n", " ");
        joined.lines().map(str::to_owned).collect::<Vec<_>>()
    });
    lines
        .filter_map(|line| {
            let words = words(&line);
            let after = |prefix: &[&str]| {
                words.iter().map(String::as_str).take(prefix.len()).eq(prefix.iter().copied())
            };
            let from = if after(&["cargo", "run", "-p", "compare", "--"]) {
                5
            } else if after(&["compare"]) {
                1
            } else {
                return None;
            };
            Some(words[from..].to_vec())
        })
        .collect()
}

#[test]
fn the_table_of_commands_lists_all() {
    let text = document(OPTIONS);
    let listed = table(&text, "command");
    let listed: Vec<&str> = listed.iter().skip(1).map(|row| row[0].trim_matches('`')).collect();
    let help = TempFolder::new().compare("--help");
    let section = help.split_once("Commands:\n").unwrap().1.split("\n\n").next().unwrap();
    let indented = section.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let commands: BTreeSet<&str> = indented.filter_map(|line| line.split_whitespace().next()).collect();
    let expected: BTreeSet<&str> = listed.iter().copied().chain(["help"]).collect();
    assert_eq!(expected, commands, "the table of commands in {OPTIONS}");
}

#[test]
fn the_table_of_options_is_the_help() {
    let (text, folder) = (document(OPTIONS), TempFolder::new());
    let rows = table(&text, "option");
    let commands = &rows[0][1..];
    let all = table(&text, "command").iter().skip(1).count();
    assert_eq!(commands.len() + WITHOUT_OPTIONS.len(), all, "columns of the table of options");
    for (column, command) in commands.iter().enumerate() {
        let ticked = rows[1..].iter().filter(|row| !row[column + 1].is_empty());
        let documented: BTreeSet<String> =
            ticked.map(|row| option(row[0].trim_matches('`')).unwrap().to_owned()).collect();
        assert_eq!(documented, options(&folder, command), "options of {command}: {OPTIONS}, then --help");
    }
    let common = options(&folder, WITHOUT_OPTIONS[0]);
    for command in WITHOUT_OPTIONS {
        assert_eq!(options(&folder, command), common, "{command} has options of its own");
    }
}

/// Every option that is named in the text belongs to a command.
#[test]
fn options_in_the_text_exist() {
    let folder = TempFolder::new();
    let text = document(OPTIONS);
    let commands = table(&text, "option")[0][1..].to_vec();
    let known: BTreeSet<String> = commands.iter().flat_map(|command| options(&folder, command)).collect();
    for name in ["README.md", OPTIONS] {
        let text = document(name);
        let named = text.split('`').flat_map(str::split_whitespace).filter(|word| !word.ends_with("---"));
        for option in named.filter_map(option) {
            let foreign = OF_ALL.contains(&option) || ["depth", "workspace", "features"].contains(&option);
            assert!(foreign || known.contains(option), "{name}: no command has --{option}");
        }
    }
}

/// Every command line is accepted, up to the files that it names.
#[test]
fn command_lines_in_documents_are_accepted() {
    let (folder, mut checked) = (TempFolder::new(), 0);
    for name in DOCUMENTS {
        for arguments in calls(&document(name)) {
            let output = folder.command("").args(&arguments).arg("--help").output().unwrap();
            let refused = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{name}: compare {}\n{refused}", arguments.join(" "));
            checked += 1;
        }
    }
    assert!(checked > 30, "{checked} command lines");
}

#[test]
fn lines_of_a_shell_are_read_as_words() {
    let read = words("compare embed --title \"My photos\"  --set a=1 # as a picture");
    assert_eq!(read, ["compare", "embed", "--title", "My photos", "--set", "a=1"]);
    assert_eq!(option("--grid ROWSxCOLUMNS"), Some("grid"));
    assert_eq!(option("-k"), None);
    let text = "```sh\ncargo run -p compare -- list methods\ncompare run \\\n  --k 3\nls\n```\n";
    assert_eq!(calls(text), [vec!["list", "methods"], vec!["run", "--k", "3"]]);
}
