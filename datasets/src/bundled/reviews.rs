//! Short reviews, by category and by sentiment.

use std::io::Read;

use embedding::Error;
use flate2::read::GzDecoder;

use crate::sample::stratified;
use crate::text::BagOfWords;
use crate::{Dataset, Geometry, Info, Labels, Request};

pub(crate) const REVIEWS: Info = Info {
    name: "reviews",
    summary: "400 short reviews of eight categories, half of each positive and half negative, as TF-IDF of their words (rows of length 1, so that Euclidean neighbors are cosine neighbors).",
    shows: "Whether an embedding of word frequencies separates subjects or opinions.",
    failure: None,
    default_n: 400,
    largest_n: Some(400),
    ambient: 1075,
    dimension: None,
    geometry: Geometry::Unknown,
    default_scale: None,
    source: "customer, movie and editorial snippets of vaderSentiment 3.3.2 (C. J. Hutto and E. Gilbert, 2014) and fine-food reviews of Debian's r-cran-modeldata 1.1.0",
    license: "MIT (both)",
    make,
};

/// The texts, for conversion to points by other means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reviews {
    /// One review per entry.
    pub texts: Vec<String>,
    /// One of eight categories per review.
    pub category: Labels,
    /// Negative or positive, per review.
    pub sentiment: Labels,
}

/// Returns the 400 reviews in the order of the file.
pub fn reviews() -> Reviews {
    let mut table = String::new();
    GzDecoder::new(&include_bytes!("../../files/reviews.tsv.gz")[..])
        .read_to_string(&mut table)
        .expect("bundled files are valid");
    let (mut texts, mut categories, mut sentiments) = (Vec::new(), Vec::new(), Vec::new());
    for line in table.lines().skip(1) {
        let mut cells = line.split('\t');
        let [category, sentiment, _source, text] =
            std::array::from_fn(|_| cells.next().expect("every row has four cells").to_owned());
        categories.push(category);
        sentiments.push(sentiment);
        texts.push(text);
    }
    let category = named("category", &categories);
    Reviews { texts, category, sentiment: named("sentiment", &sentiments) }
}

fn make(info: &Info, request: &Request) -> Result<Dataset, Error> {
    let Reviews { texts, category, sentiment } = reviews();
    // The terms are computed from all texts, so that columns mean the same in every
    // sample.
    let words = BagOfWords::default().fit(&texts)?;
    let both = category.values.iter().zip(&sentiment.values).map(|(c, s)| 2 * c + s).collect();
    let both = Labels::new("both", (0..16).map(|i| i.to_string()), both);
    let rows = stratified(&both, info.points(request.n)?, request.seed);
    let points = words.points.view().select(&rows);
    Ok(info.dataset(points).with_labels(category.select(&rows)).with_labels(sentiment.select(&rows)))
}

/// Creates labels from words, with classes in alphabetical order.
fn named(name: &str, words: &[String]) -> Labels {
    let mut classes = words.to_vec();
    classes.sort_unstable();
    classes.dedup();
    let values = words.iter().map(|word| classes.partition_point(|class| class < word) as u32).collect();
    Labels::new(name, classes, values)
}
