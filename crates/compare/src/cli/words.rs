//! The words of a command line.

/// The words that were typed, without the program.
pub(in crate::cli) fn typed() -> Vec<String> {
    std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect()
}

/// The command line that consists of the given words.
pub(in crate::cli) fn command(words: &[String]) -> String {
    let quoted = |word: &String| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_=.,/:".contains(c);
        if !word.is_empty() && word.chars().all(plain) {
            word.clone()
        } else {
            format!("'{}'", word.replace('\'', r"'\''"))
        }
    };
    std::iter::once("compare".to_owned()).chain(words.iter().map(quoted)).collect::<Vec<_>>().join(" ")
}
