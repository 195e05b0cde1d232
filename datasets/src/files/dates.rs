//! Dates as days.

use super::reading::DateOrder;

/// The days from 1970-01-01 to a date in the Gregorian calendar, with the time of day as a fraction; `None` for
/// a text that is no date in this order. A time zone is not read.
pub(super) fn days(text: &str, order: DateOrder) -> Option<f64> {
    let (date, time) = match text.find(['T', ' ']) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    let separator = ['-', '/', '.'].into_iter().find(|sign| date.contains(*sign))?;
    let mut parts = date.split(separator);
    let parts = [parts.next()?, parts.next()?, parts.next().filter(|_| parts.next().is_none())?];
    let [year, month, day] = match order {
        DateOrder::YearFirst => parts,
        DateOrder::DayFirst => [parts[2], parts[1], parts[0]],
        DateOrder::MonthFirst => [parts[2], parts[0], parts[1]],
    };
    if year.len() != 4 {
        return None;
    }
    let (year, month, day) = (whole(year, 4)?, whole(month, 2)?, whole(day, 2)?);
    let length = match month {
        4 | 6 | 9 | 11 => 30,
        2 if is_leap(year) => 29,
        2 => 28,
        1..=12 => 31,
        _ => return None,
    };
    if !(1..=length).contains(&day) {
        return None;
    }
    let fraction = time.map_or(Some(0.0), fraction_of_day)?;
    Some(f64::from(days_before(year) + days_of_months(year, month) + day - 1) + fraction)
}

/// Microseconds of a day.
#[cfg(feature = "parquet")]
pub(super) const MICROS: i64 = 86_400_000_000;

/// The date of these microseconds since 1970-01-01, with the time of day unless it is 0, as ISO 8601 has it; of a
/// year that has not four digits, the number of days.
#[cfg(feature = "parquet")]
pub(super) fn iso(micros: i64) -> String {
    let (day, within) = (micros.div_euclid(MICROS), micros.rem_euclid(MICROS));
    let first = |year: i64| i32::try_from(year).map_or(i64::MAX, |year| i64::from(days_before(year)));
    let mut year = 1970 + day.clamp(-1_000_000, 4_000_000) * 400 / 146_097;
    while first(year) > day && year > 0 {
        year -= 1;
    }
    while first(year + 1) <= day && year < 10_000 {
        year += 1;
    }
    if !(1..10_000).contains(&year) {
        return (micros as f64 / MICROS as f64).to_string();
    }
    let of_year = (day - first(year)) as i32;
    let is_before = |month: &i32| days_of_months(year as i32, *month) <= of_year;
    let month = (1..=12).rev().find(is_before).unwrap_or(1);
    let date = format!("{year:04}-{month:02}-{:02}", of_year - days_of_months(year as i32, month) + 1);
    if within == 0 {
        return date;
    }
    let (seconds, rest) = (within / 1_000_000, within % 1_000_000);
    let fraction = if rest == 0 { String::new() } else { format!(".{rest:06}") };
    format!("{date}T{:02}:{:02}:{:02}{fraction}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// The order in which a text is a date; where several fit, the first of year, day and month first.
pub(super) fn order(text: &str) -> Option<DateOrder> {
    [DateOrder::YearFirst, DateOrder::DayFirst, DateOrder::MonthFirst]
        .into_iter()
        .find(|order| days(text, *order).is_some())
}

/// A whole number of at most `most` digits.
fn whole(text: &str, most: usize) -> Option<i32> {
    let is_number = (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

fn is_leap(year: i32) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

/// The days from 1970-01-01 to the first day of a year.
fn days_before(year: i32) -> i32 {
    // Leap years up to the end of the year before.
    let leap_years = |year: i32| {
        let last = year - 1;
        last.div_euclid(4) - last.div_euclid(100) + last.div_euclid(400)
    };
    365 * (year - 1970) + leap_years(year) - leap_years(1970)
}

/// The days of a year before the first day of a month.
fn days_of_months(year: i32, month: i32) -> i32 {
    const BEFORE: [i32; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
    BEFORE[month as usize - 1] + i32::from(month > 2 && is_leap(year))
}

/// `12:30`, `12:30:15` or `12:30:15.25`, a `Z` behind it or not, as a fraction of a day.
fn fraction_of_day(text: &str) -> Option<f64> {
    let mut parts = text.strip_suffix('Z').unwrap_or(text).split(':');
    let (hours, minutes) = (whole(parts.next()?, 2)?, whole(parts.next()?, 2)?);
    let seconds = match parts.next() {
        Some(text) => {
            let (whole_part, rest) = text.split_once('.').unwrap_or((text, "0"));
            let is_number = whole(whole_part, 2).is_some() && rest.bytes().all(|byte| byte.is_ascii_digit());
            text.parse::<f64>().ok().filter(|_| is_number)?
        }
        None => 0.0,
    };
    let is_time = hours < 24 && minutes < 60 && seconds < 61.0 && parts.next().is_none();
    is_time.then(|| (f64::from(60 * hours + minutes) * 60.0 + seconds) / 86_400.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_from_1970() {
        // Recorded with Python: (date(Y, M, D) - date(1970, 1, 1)).days
        for (text, expected) in [
            ("1970-01-01", 0.0),
            ("1969-12-31", -1.0),
            ("2000-02-29", 11_016.0),
            ("2021-01-01", 18_628.0),
            ("1900-03-01", -25_508.0),
            ("0001-01-01", -719_162.0),
            ("9999-12-31", 2_932_896.0),
            ("2021-01-01T12:00", 18_628.5),
            ("2021-01-01 06:00:00Z", 18_628.25),
        ] {
            assert_eq!(days(text, DateOrder::YearFirst), Some(expected), "{text}");
        }
        assert_eq!(days("31.12.2020", DateOrder::DayFirst), Some(18_627.0));
        assert_eq!(days("12/31/2020", DateOrder::MonthFirst), Some(18_627.0));
    }

    #[cfg(feature = "parquet")]
    #[test]
    fn dates_are_written_as_they_are_read() {
        for text in
            ["0001-01-01", "1899-12-31", "1969-12-31", "1970-01-01", "2000-02-29", "2024-12-31", "9999-12-31"]
        {
            let day = days(text, DateOrder::YearFirst).expect("a date") as i64;
            assert_eq!(iso(day * MICROS), text);
        }
        assert_eq!(iso(18_628 * MICROS + 45_015_250_000), "2021-01-01T12:30:15.250000");
        assert_eq!(iso(-1), "1969-12-31T23:59:59.999999");
        assert!(iso(i64::MAX).parse::<f64>().is_ok() && iso(i64::MIN).parse::<f64>().is_ok());
    }

    #[test]
    fn texts_that_are_no_dates() {
        for text in ["", "2021", "2021-13-01", "2021-02-29", "21-02-03", "1.5", "2021-01-01T25:00", "a-b-c"] {
            assert_eq!(order(text), None, "{text}");
        }
        assert_eq!(order("31.12.2020"), Some(DateOrder::DayFirst));
        assert_eq!(order("12/31/2020"), Some(DateOrder::MonthFirst));
    }
}
