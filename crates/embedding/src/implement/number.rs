//! Numbers in sentences, with few significant digits.

/// Formats a count with thousands separators: `70,000`.
pub fn count(value: usize) -> String {
    let digits = value.to_string();
    let first = digits.len() % 3;
    let mut out = digits[..first].to_owned();
    for group in digits.as_bytes()[first..].chunks(3) {
        if !out.is_empty() {
            out.push(',');
        }
        out.extend(group.iter().map(|&digit| char::from(digit)));
    }
    out
}

/// Formats a count with what is counted: `1 point`, `70,000 points`.
pub fn counted(value: usize, one: &str, many: &str) -> String {
    format!("{} {}", count(value), if value == 1 { one } else { many })
}

/// Formats a score: three decimals, or two significant digits if these would be zero.
pub fn score(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        v if v < 0.001 => format!("{value:.1e}").replace('-', "−"),
        v if v < 99.95 => format!("{value:.3}").replace('-', "−"),
        v if v < 99_999.5 => format!("{value:.0}").replace('-', "−"),
        _ => format!("{value:.1e}").replace('-', "−"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        let counts = [0, 7, 999, 1000, 70_000, 1_234_567].map(count);
        assert_eq!(counts, ["0", "7", "999", "1,000", "70,000", "1,234,567"]);
        assert_eq!([1, 2_000].map(|n| counted(n, "point", "points")), ["1 point", "2,000 points"]);
        assert_eq!(
            [0.9987, 0.00012, -0.5, 0.0, 1234.4].map(score),
            ["0.999", "1.2e−4", "−0.500", "0", "1234"]
        );
    }
}
