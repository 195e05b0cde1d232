//! Formatting of numbers for readers, with few significant digits.

pub use embedding::implement::number::{count, counted, score};

/// Formats a duration in a suitable unit.
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 0.000_95 => format!("{:.0} µs", s * 1e6),
        s if s < 0.0995 => format!("{} ms", significant(s * 1e3, 2)),
        s if s < 99.5 => format!("{} s", significant(s, 2)),
        s => format!("{:.0} min {:02.0} s", (s.round() / 60.0).floor(), s.round() % 60.0),
    }
}

/// Formats a number of bytes.
pub fn bytes(count: u64) -> String {
    match count as f64 {
        1.0 => "1 byte".to_owned(),
        c if c < 1_000.0 => format!("{c} bytes"),
        c if c < 999_500.0 => format!("{:.0} kB", c / 1e3),
        c if c < 999_500_000.0 => format!("{:.0} MB", c / 1e6),
        c => format!("{:.1} GB", c / 1e9),
    }
}

/// A fraction in percent.
pub fn percent(fraction: f64) -> String {
    format!("{:.1} %", 100.0 * fraction)
}

/// A fraction in percent, such as an error, which is not rounded to 0.
pub fn part(fraction: f64) -> String {
    match fraction {
        0.0 => "0 %".to_owned(),
        f if f < 0.0005 => "less than 0.1 %".to_owned(),
        f if f > 9.995 => format!("{} times", significant(f, 3)),
        f => percent(f),
    }
}

/// A number on an axis or in a legend: three digits at most.
pub fn tick(value: f64) -> String {
    let short = match value.abs() {
        0.0 => "0".to_owned(),
        v if (0.001..99_999.5).contains(&v) => significant(value, 3),
        _ => format!("{value:.1e}").replace(".0e", "e"),
    };
    short.replace('-', "−")
}

/// The ends of a range, with as many digits as distinguish them.
pub fn ends(low: f64, high: f64) -> [String; 2] {
    let short = [low, high].map(tick);
    if short[0] != short[1] || low == high {
        return short;
    }
    let decimals = (2.0 - (high - low).log10()).ceil().clamp(0.0, 17.0) as usize;
    let large = low.abs().max(high.abs()) >= 1e15;
    let long = |value: f64| if large { format!("{value:e}") } else { format!("{value:.decimals$}") };
    [low, high].map(|value| long(value).replace('-', "−"))
}

/// Formats a number with `digits` significant digits, without trailing zeros.
fn significant(value: f64, digits: i32) -> String {
    let exponent = if value == 0.0 { 0 } else { value.abs().log10().floor() as i32 };
    let decimals = (digits - 1 - exponent).max(0) as usize;
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        let times = [0.000_02, 0.0123, 0.5, 1.26, 59.0, 125.4, 179.8].map(duration);
        assert_eq!(times, ["20 µs", "12 ms", "0.5 s", "1.3 s", "59 s", "2 min 05 s", "3 min 00 s"]);
        assert_eq!([0.0, 0.25, 100.0, -3.0, 1e-7].map(tick), ["0", "0.25", "100", "−3", "1e−7"]);
        assert_eq!(ends(0.0, 2.5), ["0", "2.5"]);
        assert_eq!(ends(3.0, 3.0), ["3", "3"]);
        assert_eq!(ends(20_240_101.0, 20_241_231.0), ["20240101", "20241231"]);
        assert_eq!(ends(-100_000.7, -100_000.1), ["−100000.700", "−100000.100"]);
        assert_eq!(ends(1.0001e300, 1.0002e300), ["1.0001e300", "1.0002e300"]);
        let parts = [0.0, 1e-12, 0.106, 0.511, 1.5, 20.0].map(part);
        assert_eq!(parts, ["0 %", "less than 0.1 %", "10.6 %", "51.1 %", "150.0 %", "20 times"]);
        assert_eq!([12_000, 5_000_000, 4_000_000_000].map(bytes), ["12 kB", "5 MB", "4.0 GB"]);
        assert_eq!([0, 1, 999, 1_000].map(bytes), ["0 bytes", "1 byte", "999 bytes", "1 kB"]);
    }
}
