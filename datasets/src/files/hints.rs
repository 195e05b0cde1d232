//! Advice on a cell that is no number, from what the file holds around it.

use embedding::Remedy;

use super::cell_errors::{self, Decimal, Hint, Look};
use super::cells::has_decimal_comma;
use super::columns::typed;
use super::dates;
use super::missing::option_for;
use super::reading::{DateOrder, HeaderRow, Missing, Reading};
use super::text_columns::Columns;

/// Most columns that a message lists.
const LISTED: usize = 20;

/// Rows that are searched for decimal commas.
const SEARCHED: usize = 20;

/// Numbers below the words of a header that show that they are no data.
const FEW: usize = 3;

/// Most rows of words below the names of columns that a message takes for a header.
const MOST_HEADER: usize = 3;

impl Columns<'_> {
    /// What a cell that is not a number looks like; `None` where it looks like a word.
    pub(super) fn looks_like(&self, cell: &str) -> Option<Look> {
        let decimal_comma = self.reading.decimal_comma;
        // Several points and no comma indicate a date, unless groups of three digits are between the points.
        let is_number = |cell: &str| {
            cell.contains(',')
                || cell.matches('.').count() == 1
                || cell_errors::without_separators(cell).is_some()
        };
        if decimal_comma
            && cell.contains('.')
            && is_number(cell)
            && cell.replace(['.', ','], "").parse::<f64>().is_ok()
        {
            let advice = "a number has no point with --decimal-comma: leave out points between thousands, \
                          or the option";
            let (advice, remedy) = (advice.to_owned(), Some(Remedy::Reading));
            return Some(Look::Number(Hint { seen: None, advice, remedy }));
        }
        let sign = match (decimal_comma, self.start.delimiter()) {
            (true, _) => Decimal::Comma,
            (false, b',') => Decimal::Point,
            (false, _) => Decimal::Either,
        };
        cell_errors::advice(cell, sign)
    }

    /// The advice on a cell that is neither a number nor missing.
    pub(super) fn hint(&self, cell: &str, row: usize, column: usize) -> Hint {
        if self.start.delimiter() == b','
            || self.reading.decimal_comma
            || matches!(self.looks_like(cell), Some(Look::Number(_)))
            || !self.has_decimal_commas()
        {
            return self.hint_alone(cell, row, column);
        }
        // Numbers are numbers once the option is given, so that its advice comes first.
        let reading = Reading { decimal_comma: true, ..self.reading.clone() };
        let columns = Columns {
            names: self.names.clone(),
            kept: self.kept.clone(),
            colors: self.colors.clone(),
            formats: Vec::new(),
            path: self.path,
            reading: &reading,
            start: self.start.again(),
            ..*self
        };
        let Hint { seen, advice, .. } = columns.hint_alone(cell, row, column);
        let seen = seen.map(|seen| format!("{seen}; ")).unwrap_or_default();
        let advice = format!(
            "if the numbers of the file have decimal commas, say --decimal-comma; for this column: {seen}{advice}"
        );
        Hint { seen: None, advice, remedy: Some(Remedy::Reading) }
    }

    /// Whether the first rows have numbers with decimal commas.
    fn has_decimal_commas(&self) -> bool {
        let (mut cells, mut row) = (self.start.again(), 0);
        while row <= SEARCHED
            && let Ok(Some(cell)) = cells.next()
        {
            if has_decimal_comma(cell.text) {
                return true;
            }
            row += usize::from(cell.ends_row);
        }
        false
    }

    /// The same for a file whose numbers have the declared decimal sign.
    fn hint_alone(&self, cell: &str, row: usize, column: usize) -> Hint {
        let perhaps = match self.looks_like(cell) {
            Some(Look::Number(hint)) => return hint,
            Some(Look::Perhaps(hint)) => Some(hint),
            None => None,
        };
        if let Some(hint) = self.of_date(cell, column) {
            return hint;
        }
        let (header, of_header) = match self.names {
            None if row == 0 => match self.words_on_top(column) {
                Some(rows) if rows > 1 && self.reading.header == HeaderRow::Auto => {
                    let advice = format!("if the header has {rows} rows, say --header-rows {rows}");
                    return Hint { seen: None, advice, remedy: Some(Remedy::Reading) };
                }
                _ => {
                    (", and if the first row is a header, say --header yes".to_owned(), Some(Remedy::Reading))
                }
            },
            Some(_) if row == 0 => match self.words_on_top(column) {
                Some(_) if self.names.as_ref().is_some_and(|names| names.iter().any(String::is_empty)) => (
                    "; if this row holds the names of the columns, say --skip-rows 1".to_owned(),
                    Some(Remedy::Reading),
                ),
                Some(rows) => {
                    let header = 1 + rows;
                    (
                        format!("; if the header has {header} rows, say --header-rows {header}"),
                        Some(Remedy::Reading),
                    )
                }
                None => (String::new(), None),
            },
            _ => (String::new(), None),
        };
        let (numbers, others) = self.tally(column);
        if numbers > others {
            return match perhaps {
                Some(Hint { seen, advice, .. }) => {
                    Hint { seen, advice: format!("{advice}{header}"), remedy: of_header }
                }
                None => Hint {
                    seen: Some(format!("{numbers} cells of this column are numbers")),
                    advice: format!("if this one stands for a missing value, {}{header}", option_for(cell)),
                    remedy: Some(Remedy::MissingValues),
                },
            };
        }
        let otherwise = if perhaps.is_some() { "else " } else { "" };
        let seen = perhaps.and_then(|Hint { seen, advice, .. }| Some(format!("{}; {advice}", seen?)));
        let (others, known) = (self.of_words(column), column);
        let column = typed(self.name(column), column);
        let header = if self.names.is_none() { header } else { String::new() };
        let missing = if self.has_missing(known) { "; missing values: --missing drop or mean" } else { "" };
        let categories = if numbers == 0 {
            "; words as coordinates: --categories indicators, compared as words by run and embed: --metric gower"
        } else {
            ""
        };
        let advice = format!(
            "{otherwise}a column of classes is named by --label-column {column}, one of names by --name-column {column}, another that is no coordinate left out by --ignore {column}{header}{others}{categories}{missing}"
        );
        Hint { seen, advice, remedy: Some(Remedy::Reading) }
    }

    /// The orders in which all dates of the column are dates, the best first; at least the first of one cell.
    fn date_orders(&self, cell: &str, column: usize) -> Option<Vec<DateOrder>> {
        let first = dates::order(cell)?;
        let mut orders = vec![DateOrder::YearFirst, DateOrder::DayFirst, DateOrder::MonthFirst];
        let (mut cells, mut at, mut is_header) = (self.start.again(), 0, self.names.is_some());
        while let Ok(Some(cell)) = cells.next() {
            if at == column && !is_header && !self.reading.is_missing(cell.text) {
                orders.retain(|order| dates::days(cell.text, *order).is_some());
            }
            at += 1;
            if cell.ends_row {
                (at, is_header) = (0, false);
            }
        }
        Some(if orders.is_empty() { vec![first] } else { orders })
    }

    /// The option for an order of dates, where it is not in force.
    fn order_option(&self, order: DateOrder) -> &'static str {
        match order {
            _ if order == self.reading.date_order => "",
            DateOrder::YearFirst => " --date-order year-first",
            DateOrder::DayFirst => " --date-order day-first",
            DateOrder::MonthFirst => " --date-order month-first",
        }
    }

    /// The advice on a column that has too many different cells for categories, where these are dates.
    pub(super) fn advice_on_dates(&self, column: usize) -> Option<String> {
        let (mut cells, mut at, mut is_header) = (self.start.again(), 0, self.names.is_some());
        let first = loop {
            let cell = cells.next().ok()??;
            if at == column && !is_header && !self.reading.is_missing(cell.text) {
                break cell.text.to_owned();
            }
            at += 1;
            if cell.ends_row {
                (at, is_header) = (0, false);
            }
        };
        let order = self.order_option(self.date_orders(&first, column)?[0]);
        let typed = typed(self.name(column), column);
        Some(format!(
            "the cells of {typed} look like dates: read them as days (--dates-as-days{order}), or else"
        ))
    }

    /// The advice on a date.
    fn of_date(&self, cell: &str, column: usize) -> Option<Hint> {
        let orders = self.date_orders(cell, column)?;
        let order = self.order_option(orders[0]);
        let doubt = if orders.len() > 1 { ", or month-first" } else { "" };
        let all = self.without_numbers();
        let typed = |column: usize| typed(self.name(column), column);
        let all = match all.len() {
            2..=LISTED => {
                let list: Vec<String> = all.into_iter().map(typed).collect();
                format!("; all columns of dates and words are left out by --ignore {}", list.join(","))
            }
            _ => String::new(),
        };
        let typed = typed(column);
        let advice = format!(
            "it is left out by --ignore {typed}, colors maps by --color-column {typed}{order}, and is a coordinate in days by --dates-as-days{order}{doubt}{all}"
        );
        Some(Hint { seen: Some("it looks like a date".to_owned()), advice, remedy: Some(Remedy::Reading) })
    }

    /// How many rows below the names hold words in this column above numbers alone in the next rows, with empty
    /// rows between.
    fn words_on_top(&self, column: usize) -> Option<usize> {
        let mut cells = self.start.again();
        let named = usize::from(self.names.is_some());
        let most = MOST_HEADER + 1 - named;
        let (mut at, mut row, mut words, mut numbers, mut is_empty) = (0, 0, 0, 0, true);
        while numbers < FEW && words <= most {
            let Ok(Some(cell)) = cells.next() else { break };
            let is_missing = self.reading.is_missing(cell.text);
            is_empty &= is_missing;
            if at == column && row >= named && !is_missing {
                match self.reading.number(cell.text) {
                    Some(_) => numbers += 1,
                    None if numbers > 0 => return None,
                    None => words += 1,
                }
            }
            at += 1;
            if cell.ends_row {
                words += usize::from(is_empty && words > 0 && numbers == 0);
                (at, row, is_empty) = (0, row + 1, true);
            }
        }
        (numbers > 0 && words <= most).then_some(words)
    }

    /// The coordinates that are mostly no numbers.
    fn without_numbers(&self) -> Vec<usize> {
        let tallies = self.tallies();
        self.kept.iter().copied().filter(|column| tallies[*column].0 < tallies[*column].1).collect()
    }

    /// The other coordinates that are mostly words, and the option that leaves them out.
    fn of_words(&self, known: usize) -> String {
        let others: Vec<usize> =
            self.without_numbers().into_iter().filter(|column| *column != known).collect();
        let typed = |column: &usize| typed(self.name(*column), *column);
        match &others[..] {
            [] => String::new(),
            few if few.len() <= LISTED => {
                let list = few.iter().map(typed).collect::<Vec<_>>().join(",");
                let columns = if few.len() == 1 { "column" } else { "columns" };
                format!("; the other {columns} of words: --ignore {list}")
            }
            many => format!("; {} other columns are words, too", many.len()),
        }
    }

    /// Whether a coordinate other than this column, and not of words, lacks values that are refused.
    fn has_missing(&self, known: usize) -> bool {
        if self.reading.missing != Missing::Refuse {
            return false;
        }
        let tallies = self.tallies();
        let is_numbers = |column: usize| {
            column != known
                && self.kept.binary_search(&column).is_ok()
                && tallies[column].0 > tallies[column].1
        };
        let (mut cells, mut at, mut is_header) = (self.start.again(), 0, self.names.is_some());
        while let Ok(Some(cell)) = cells.next() {
            if !is_header && at < self.width && self.reading.is_missing(cell.text) && is_numbers(at) {
                return true;
            }
            at += 1;
            if cell.ends_row {
                (at, is_header) = (0, false);
            }
        }
        false
    }

    /// How many cells of a column are numbers, and how many are not; missing cells are not counted.
    fn tally(&self, column: usize) -> (usize, usize) {
        self.tallies()[column]
    }

    /// The same of all columns.
    fn tallies(&self) -> Vec<(usize, usize)> {
        let (mut cells, mut at, mut row) = (self.start.again(), 0, 0);
        let mut tallies = vec![(0, 0); self.width];
        // A cell that exceeds the memory limit ends the count.
        while let Ok(Some(cell)) = cells.next() {
            let is_name = row == 0 && self.names.is_some();
            if let Some((numbers, others)) = tallies.get_mut(at).filter(|_| !is_name)
                && !self.reading.is_missing(cell.text)
            {
                *(if self.reading.number(cell.text).is_some() { numbers } else { others }) += 1;
            }
            (at, row) = if cell.ends_row { (0, row + 1) } else { (at + 1, row) };
        }
        tallies
    }
}
