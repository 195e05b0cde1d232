//! Subsampling to fit the memory limit.

use embedding::{Embedding, Error, Observer, PointSet, Points};
use faer::Mat;
use neighbor_graph::{Neighborhood, Neighbors};
use serde_json::{Map, Value};

use crate::figure::number::{bytes, count};
use crate::methods::{Fitted, Input, Method, Recipe, Report};
use crate::results::DatasetResults;

/// A recipe that uses fewer points if a stage would exceed its memory limit.
///
/// It is first tried on all points. Each memory error states the bytes needed and
/// allowed; since memory grows as the square of the number of points, the next attempt
/// reduces that number by the square root of their ratio, evenly spaced. The rows used
/// are those of the embedding, a note states their number and the reason, and the fact
/// `points` is their number.
pub struct LargestThatFits {
    /// The recipe to run.
    pub recipe: Box<dyn Recipe>,
}

/// Smallest number of points.
const FEWEST: usize = 10;

/// Each attempt uses at most this fraction of the points of the previous one.
const SHRINK: f64 = 0.97;

/// Name of the fact with the number of points.
const POINTS: &str = "points";

impl Recipe for LargestThatFits {
    fn method(&self) -> &'static dyn Method {
        self.recipe.method()
    }

    fn parameters(&self) -> Map<String, Value> {
        self.recipe.parameters()
    }

    fn neighborhood(&self, n: usize) -> Option<Neighborhood> {
        self.recipe.neighborhood(n)
    }

    fn fit(&self, input: Input<'_>, observer: &dyn Observer) -> Result<Box<dyn Fitted>, Error> {
        let n = input.points.len();
        let mut refusal = match self.recipe.fit(input, observer) {
            Err(error @ Error::Memory { .. }) => error,
            other => return other,
        };
        let whole = refusal.clone();
        let mut tried = n;
        while let Error::Memory { needed, allowed, .. } = refusal {
            let fraction = (allowed as f64 / needed.max(1) as f64).sqrt().min(SHRINK);
            tried = (tried as f64 * fraction) as usize;
            if tried < FEWEST {
                return Err(whole);
            }
            let part = Part::new(self.recipe.as_ref(), input, tried, observer)?;
            refusal = match self.recipe.fit(part.input(), observer) {
                Ok(fitted) => return Ok(Box::new(FittedPart::new(fitted, part, n, whole))),
                Err(error) => error,
            };
        }
        Err(refusal)
    }
}

/// Evenly spaced rows with the corresponding inputs of a recipe.
struct Part {
    rows: Vec<u32>,
    points: PointSet,
    labels: Option<Vec<u32>>,
    neighbors: Option<Neighbors>,
}

impl Part {
    fn new(
        recipe: &dyn Recipe,
        input: Input<'_>,
        count: usize,
        observer: &dyn Observer,
    ) -> Result<Self, Error> {
        let n = input.points.len();
        let rows: Vec<u32> = (0..count).map(|i| (i * n / count) as u32).collect();
        let points = input.points.select(&rows);
        let labels = input.labels.map(|labels| rows.iter().map(|&row| labels[row as usize]).collect());
        let neighborhood = recipe.neighborhood(count);
        let neighbors = neighborhood
            .map(|neighborhood| Neighbors::find(points.view(), neighborhood, observer))
            .transpose()?;
        Ok(Self { rows, points, labels, neighbors })
    }

    fn input(&self) -> Input<'_> {
        Input {
            points: self.points.view(),
            labels: self.labels.as_deref(),
            neighbors: self.neighbors.as_ref(),
        }
    }
}

/// A model of a subset of the points.
struct FittedPart {
    fitted: Box<dyn Fitted>,
    part: Part,
    embedding: Embedding,
    n: usize,
    /// The error for all points.
    refusal: Error,
}

impl FittedPart {
    fn new(fitted: Box<dyn Fitted>, part: Part, n: usize, refusal: Error) -> Self {
        let mut embedding = fitted.embedding().clone();
        embedding.rows = Some(match embedding.rows {
            None => part.rows.clone(),
            Some(rows) => rows.iter().map(|&row| part.rows[row as usize]).collect(),
        });
        Self { fitted, part, embedding, n, refusal }
    }
}

impl Fitted for FittedPart {
    fn embedding(&self) -> &Embedding {
        &self.embedding
    }

    fn report(&self, _: Input<'_>) -> Report {
        let mut report = self.fitted.report(self.part.input());
        if report.facts.contains_key("rows") {
            report.fact("rows", &self.embedding.rows);
        }
        report.fact(POINTS, self.part.rows.len());
        let mut note = format!(
            "{} of {} points, evenly spaced: the largest number that the memory limit allows",
            count(self.part.rows.len()),
            count(self.n)
        );
        if let Error::Memory { stage, needed, allowed, .. } = &self.refusal {
            note +=
                &format!("; {stage} of all would take {}, of {} allowed", bytes(*needed), bytes(*allowed));
        }
        report.note(note);
        report
    }

    fn transform(&self, new: Points<'_>) -> Option<Result<Mat<f64>, Error>> {
        self.fitted.transform(new)
    }

    fn save(&self) -> Result<Vec<u8>, Error> {
        self.fitted.save()
    }
}

/// Sets the number of points of methods that used fewer points.
pub fn note_sizes(dataset: &mut DatasetResults) {
    for method in &mut dataset.methods {
        if let Some(points) = method.facts.get(POINTS).and_then(Value::as_u64) {
            method.n = points as usize;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::methods::{Setting, find};
    use embedding::Silent;

    fn isomap(limit: &str) -> LargestThatFits {
        let setting = |name: &str, value: &str| Setting { name: name.to_owned(), value: value.to_owned() };
        let method = find("isomap").expect("a method");
        let recipe = method.recipe(&[setting("k", "8"), setting("memory-limit", limit)]).expect("legal");
        LargestThatFits { recipe }
    }

    fn fit(recipe: &LargestThatFits, n: usize) -> Result<Box<dyn Fitted>, Error> {
        let data = datasets::generate("swiss-roll", n, 0).expect("a roll");
        let neighborhood = recipe.neighborhood(n).expect("isomap has neighbors");
        let neighbors = Neighbors::find(data.points.view(), neighborhood, &Silent).expect("neighbors");
        let input = Input { points: data.points.view(), labels: None, neighbors: Some(&neighbors) };
        let fitted = recipe.fit(input, &Silent)?;
        let report = fitted.report(input);
        let rows = fitted.embedding().rows.as_ref().map(Vec::len);
        assert_eq!(rows.map(|rows| rows as u64), report.facts.get(POINTS).and_then(Value::as_u64));
        assert_eq!(
            report.notes.iter().any(|note| note.contains("the largest number that the memory limit allows")),
            rows.is_some()
        );
        Ok(fitted)
    }

    /// Isomap uses about 2 n² bytes: with half the memory for 600 points, about 424
    /// points fit, to within one step.
    #[test]
    fn half_the_memory_takes_as_many_points_as_fit_and_says_so() {
        let all = fit(&isomap("unlimited"), 600).expect("enough memory");
        assert_eq!(all.embedding().rows, None);
        let part = fit(&isomap("360kB"), 600).expect("a part fits");
        let rows = part.embedding().rows.clone().expect("a part");
        assert!((400..=425).contains(&rows.len()), "{}", rows.len());
        assert!(rows.windows(2).all(|pair| pair[0] < pair[1]) && rows[0] == 0);
        assert_eq!(part.embedding().coordinates.nrows(), rows.len());
    }

    #[test]
    fn no_memory_at_all_is_refused_with_the_numbers_of_the_whole() {
        let Err(Error::Memory { needed, allowed, .. }) = fit(&isomap("100"), 600) else {
            panic!("nothing fits into 100 bytes");
        };
        assert!(needed > 600 * 600 && allowed == 100);
    }
}
