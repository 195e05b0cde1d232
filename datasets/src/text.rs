//! Conversion of texts to points: bag of words.

use std::collections::BTreeMap;

use embedding::{Error, PointSet};
use serde::{Deserialize, Serialize};

/// A bag-of-words model with one column per term.
///
/// A token is a sequence of at least two letters or digits, converted to lower case, so
/// "don't" gives `don` and its `t` is dropped. A term is a token that is not a stop word
/// and occurs in at least `least_texts` texts.
///
/// ```
/// use datasets::text::{BagOfWords, Weighting};
/// let bag = BagOfWords { least_texts: 1, weighting: Weighting::Counts, ..BagOfWords::default() };
/// let words = bag.fit(&["The cat sees a cat.", "The dog sees it."])?;
/// assert_eq!(words.terms, ["cat", "dog", "sees"]);
/// assert_eq!(words.points.view().values(), [2.0, 0.0, 1.0, 0.0, 1.0, 1.0]);
/// # Ok::<(), embedding::Error>(())
/// ```
///
/// O(total length) time; n × terms doubles of memory, since points are dense.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct BagOfWords {
    /// Words to ignore; default [`StopWords::English`].
    pub stop_words: StopWords,
    /// Smallest number of texts in which a term must occur; default 2, since a word that
    /// occurs in only one text does not relate it to others.
    pub least_texts: usize,
    /// Weighting of the table's entries; default [`Weighting::TfIdf`].
    pub weighting: Weighting,
}

/// Frequent words without information.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StopWords {
    /// No stop words.
    None,
    /// Articles, pronouns, prepositions and auxiliaries of English.
    English,
    /// A given list, in lower case.
    Words(Vec<String>),
}

/// Weighting of the table's entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Weighting {
    /// The number of occurrences of the term in the text.
    Counts,
    /// The count times 1 + ln((1 + n) / (1 + texts with the term)), with each row
    /// normalized to length 1: squared distances are 2 − 2 cos of the angle, so Euclidean
    /// neighbors are cosine neighbors.
    TfIdf,
}

/// Texts as points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Words {
    /// The terms in alphabetical order, one per column of `points`.
    pub terms: Vec<String>,
    /// One row per text; zeros for a text without any term.
    pub points: PointSet,
}

impl Default for BagOfWords {
    fn default() -> Self {
        Self { stop_words: StopWords::English, least_texts: 2, weighting: Weighting::TfIdf }
    }
}

impl BagOfWords {
    /// Collects the terms and computes the table.
    ///
    /// Fails if there are no texts, if `least_texts` is 0, or if no term is left.
    pub fn fit(&self, texts: &[impl AsRef<str>]) -> Result<Words, Error> {
        if texts.is_empty() {
            return Err(Error::TooFewPoints { what: "a bag of words", needed: 1, got: 0 });
        }
        if self.least_texts == 0 {
            return Err(Error::parameter("least_texts", "at least 1", 0));
        }
        let counts: Vec<BTreeMap<String, usize>> =
            texts.iter().map(|text| self.count(text.as_ref())).collect();
        let mut spread: BTreeMap<&str, usize> = BTreeMap::new();
        for term in counts.iter().flat_map(BTreeMap::keys) {
            *spread.entry(term).or_default() += 1;
        }
        spread.retain(|_, texts| *texts >= self.least_texts);
        if spread.is_empty() {
            let problem = format!(
                "no word other than stop words occurs in at least {} of the {} texts",
                self.least_texts,
                texts.len()
            );
            return Err(Error::degenerate(problem, "reduce least_texts or use longer texts"));
        }
        let column: BTreeMap<&str, usize> = spread.keys().enumerate().map(|(i, term)| (*term, i)).collect();
        let mut values = vec![0.0; texts.len() * spread.len()];
        for (row, counts) in values.chunks_exact_mut(spread.len()).zip(&counts) {
            for (term, count) in counts {
                if let Some(&column) = column.get(term.as_str()) {
                    row[column] = *count as f64;
                }
            }
        }
        if self.weighting == Weighting::TfIdf {
            let rarity: Vec<f64> = spread
                .values()
                .map(|&with| 1.0 + ((1.0 + texts.len() as f64) / (1.0 + with as f64)).ln())
                .collect();
            values.chunks_exact_mut(rarity.len()).for_each(|row| weigh(row, &rarity));
        }
        let terms: Vec<String> = spread.into_keys().map(str::to_owned).collect();
        Ok(Words { points: PointSet::new(values, terms.len())?, terms })
    }

    fn count(&self, text: &str) -> BTreeMap<String, usize> {
        let mut counts = BTreeMap::new();
        for token in tokens(text).filter(|token| !self.stop_words.contains(token)) {
            *counts.entry(token).or_default() += 1;
        }
        counts
    }
}

/// Iterates over sequences of at least two letters or digits, in lower case.
pub fn tokens(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|run| run.chars().nth(1).is_some())
        .map(str::to_lowercase)
}

fn weigh(row: &mut [f64], rarity: &[f64]) {
    row.iter_mut().zip(rarity).for_each(|(cell, rarity)| *cell *= rarity);
    let length = row.iter().map(|cell| cell * cell).sum::<f64>().sqrt();
    if length > 0.0 {
        row.iter_mut().for_each(|cell| *cell /= length);
    }
}

impl StopWords {
    fn contains(&self, word: &str) -> bool {
        match self {
            Self::None => false,
            Self::English => ENGLISH.split_ascii_whitespace().any(|stop| stop == word),
            Self::Words(words) => words.iter().any(|stop| stop == word),
        }
    }
}

/// Function words of English, and fragments left by apostrophes.
const ENGLISH: &str = "
the an this that these those another each every either neither some any no none all both half such
it its itself he him his himself she her hers herself they them their theirs themselves
we us our ours ourselves you your yours yourself yourselves me my mine myself one ones
who whom whose which what whatever whoever whichever there here where when why how
of in on at by for with from to into onto upon about above below over under between among through
during before after since until till against toward towards across along around behind beside besides
beyond near off out up down within without per via than as like
and or but nor so yet if then else because although though while whereas unless whether
be am is are was were been being have has had having do does did done doing
will would shall should can could may might must ought
not only just also too very more most much many few less least other others own same again
once ever even still now already however therefore thus
don doesn didn isn aren wasn weren hasn haven hadn won wouldn shouldn couldn mustn ain
ll ve re
";
