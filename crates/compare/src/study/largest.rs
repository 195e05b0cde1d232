//! Subsampling to fit the memory limit.

use std::collections::HashMap;

use embedding::implement::Limits;
use embedding::{
    About, DynMethod, DynModel, Embedding, Error, FactInfo, Input, MemoryLimit, Model, ParameterInfo,
    PointSet, Report, Rows, TrainingRows, Transform,
};
use figure::number::{bytes, count};
use neighbor_graph::{NeighborSearch, Neighborhood, Neighbors};
use serde_json::Value;

use crate::results::DatasetResults;

/// A method that takes fewer points when one of its stages needs more memory than the given limit,
/// or than 4 GB where no limit was given. Memory that happens to be free does not decide the
/// number of points: where there is less, the method is refused.
///
/// It is first tried on all points. Each memory error states the needed and the allowed bytes.
/// Memory grows as the square of the number of points, so that the next attempt divides this
/// number by the square root of the ratio; its points are evenly spaced. The embedding
/// has the rows that were used, a note states their number and the reason, and the fact
/// `points` is their number.
pub(crate) struct LargestThatFits {
    /// The method that is fitted.
    pub method: Box<dyn DynMethod>,
}

/// Smallest number of points.
const FEWEST: usize = 10;

/// Each attempt uses at most this fraction of the points of the previous one.
const SHRINK: f64 = 0.97;

/// Name of the fact with the number of points.
const POINTS: &str = "points";

impl DynMethod for LargestThatFits {
    fn about(&self) -> &'static About {
        self.method.about()
    }

    fn parameters(&self) -> Vec<ParameterInfo> {
        self.method.parameters()
    }

    fn limits(&self, input: &Input<'_>) -> Vec<Option<Limits>> {
        self.method.limits(input)
    }

    fn limits_of_data(&self, input: &Input<'_>) -> Vec<Option<Limits>> {
        self.method.limits_of_data(input)
    }

    fn facts(&self) -> Vec<FactInfo> {
        let mut facts = self.method.facts();
        facts.push(FactInfo {
            name: POINTS,
            meaning: "number of points that were fitted, where the memory did not suffice for all",
        });
        facts
    }

    fn set_dyn(&mut self, name: &str, text: &str) -> Result<(), Error> {
        self.method.set_dyn(name, text)
    }

    fn accepts_sparse(&self) -> bool {
        self.method.accepts_sparse()
    }

    fn neighborhood_dyn(&self, n: usize) -> Option<Neighborhood> {
        self.method.neighborhood_dyn(n)
    }

    fn fit_dyn(&self, input: &Input<'_>) -> Result<Box<dyn DynModel>, Error> {
        let n = input.len();
        let given = input.memory_limit();
        let limit = if given.bytes > given.selecting() { MemoryLimit::new(given.selecting()) } else { given };
        let input = &input.with_memory_limit(limit);
        let mut refusal = match self.method.fit_dyn(input) {
            Err(error @ Error::Memory { .. }) => error,
            other => return other,
        };
        let whole = refusal.clone();
        let mut tried = n;
        while let Error::Memory { needed, .. } = refusal {
            if needed <= limit.selecting() {
                return Err(refusal);
            }
            let fraction = (limit.selecting() as f64 / needed as f64).sqrt().min(SHRINK);
            tried = (tried as f64 * fraction) as usize;
            if tried < FEWEST {
                return Err(whole);
            }
            let part = Part::new(self.method.as_ref(), input, tried)?;
            refusal = match self.method.fit_dyn(&part.input(input)) {
                Ok(fitted) => return Ok(Box::new(FittedPart::new(fitted, &part, n, whole))),
                Err(error) => error,
            };
        }
        Err(refusal)
    }

    fn load(&self, bytes: &[u8]) -> Result<Box<dyn DynModel>, Error> {
        self.method.load(bytes)
    }

    fn boxed(&self) -> Box<dyn DynMethod> {
        Box::new(Self { method: self.method.boxed() })
    }
}

/// Evenly spaced rows with everything that a method needs of them.
struct Part {
    rows: Vec<u32>,
    points: PointSet,
    labels: Option<Vec<Option<u32>>>,
    neighbors: Option<Neighbors>,
}

impl Part {
    fn new(method: &dyn DynMethod, input: &Input<'_>, count: usize) -> Result<Self, Error> {
        let n = input.len();
        let rows: Vec<u32> = (0..count).map(|i| (i * n / count) as u32).collect();
        let points = input.require_points()?.select(&rows);
        let labels = input.labels().map(|labels| labels.select(&rows));
        let searched = Input::from(&points).with_metric(input.metric()).with_observer(input.observer());
        let search = |rule| NeighborSearch::from(rule).find(searched);
        let neighbors = method.neighborhood_dyn(count).map(search).transpose()?;
        Ok(Self { rows, points, labels, neighbors })
    }

    fn input<'a>(&'a self, whole: &Input<'a>) -> Input<'a> {
        let limit = whole.memory_limit().beside(self.points.view().bytes());
        let mut input = Input::from(&self.points).with_observer(whole.observer()).with_memory_limit(limit);
        input = input.with_metric(whole.metric());
        if let Some(labels) = &self.labels {
            input = input.with_partial_labels(labels);
        }
        if let Some(neighbors) = &self.neighbors {
            input = input.with_neighbors(neighbors);
        }
        input
    }
}

/// A model of a subset of the points.
struct FittedPart {
    fitted: Box<dyn DynModel>,
    embedding: Embedding,
    /// Points fitted, and all points.
    counts: (usize, usize),
    /// Why not all of them.
    refusal: Error,
}

impl FittedPart {
    fn new(fitted: Box<dyn DynModel>, part: &Part, n: usize, refusal: Error) -> Self {
        let rows = fitted.embedding().input_rows().map(|row| part.rows[row as usize]).collect();
        let embedding = fitted.embedding().clone().of_rows(rows);
        Self { fitted, embedding, counts: (part.rows.len(), n), refusal }
    }
}

impl Model for FittedPart {
    fn embedding(&self) -> &Embedding {
        &self.embedding
    }
}

impl Transform for FittedPart {
    fn place(&self, rows: Rows<'_>, known: TrainingRows<'_>) -> Result<Embedding, Error> {
        let TrainingRows::LeftOut(left_out) = known else { return self.fitted.place(rows, known) };
        let own = self.embedding.input_rows().zip(self.fitted.embedding().input_rows());
        let own: HashMap<u32, u32> = own.collect();
        let left_out: Vec<Option<u32>> = left_out.iter().map(|row| own.get(&(*row)?).copied()).collect();
        self.fitted.place(rows, TrainingRows::LeftOut(&left_out))
    }
}

impl DynModel for FittedPart {
    fn report(&self) -> Report {
        let mut report = self.fitted.report();
        let (fitted, all) = self.counts;
        if let Some(rows) = report.facts.get_mut("rows") {
            *rows = self.embedding.input_rows().collect();
        }
        report.facts.insert(POINTS.to_owned(), fitted.into());
        let mut note = format!(
            "{} of {} points, evenly spaced: the largest number that the memory limit allows",
            count(fitted),
            count(all)
        );
        if let Error::Memory { stage, needed, allowed, .. } = &self.refusal {
            note +=
                &format!("; {stage} of all would take {}, of {} allowed", bytes(*needed), bytes(*allowed));
        }
        report.notes.push(note);
        report
    }

    fn save(&self) -> Result<Vec<u8>, Error> {
        self.fitted.save()
    }
}

/// Sets the number of points of methods that used fewer points.
pub(crate) fn note_sizes(dataset: &mut DatasetResults) {
    for method in &mut dataset.methods {
        if let Some(points) = method.facts.get(POINTS).and_then(Value::as_u64) {
            method.n = points as usize;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::methods::find;

    fn isomap() -> LargestThatFits {
        let mut method = find("isomap").expect("a method");
        method.set_dyn("k", "8").expect("legal");
        LargestThatFits { method }
    }

    fn fit(n: usize, limit: MemoryLimit) -> Result<Box<dyn DynModel>, Error> {
        let data = datasets::generate("swiss-roll", n, 0).expect("a roll");
        let fitted = isomap().fit_dyn(&Input::from(&data.points).with_memory_limit(limit))?;
        let report = fitted.report();
        let rows = fitted.embedding().placed_rows().map(<[u32]>::len);
        assert_eq!(rows.map(|rows| rows as u64), report.facts.get(POINTS).and_then(Value::as_u64));
        assert_eq!(
            report.notes.iter().any(|note| note.contains("the largest number that the memory limit allows")),
            rows.is_some()
        );
        Ok(fitted)
    }

    /// The memory of Isomap grows nearly as n²: with half of that for 480 points, about 339
    /// points fit, to within one step.
    #[test]
    fn half_the_memory_takes_as_many_points_as_fit_and_says_so() {
        let all = fit(480, MemoryLimit::UNLIMITED).expect("enough memory");
        assert_eq!(all.embedding().placed_rows(), None);
        let Err(Error::Memory { needed, .. }) = fit(480, MemoryLimit::new(100)) else {
            panic!("480 points in 100 bytes");
        };
        let part = fit(480, MemoryLimit::new(needed / 2)).expect("a part fits");
        let rows = part.embedding().placed_rows().expect("a part");
        assert!((320..=340).contains(&rows.len()), "{}", rows.len());
        assert!(rows.windows(2).all(|pair| pair[0] < pair[1]) && rows[0] == 0);
        assert_eq!(part.embedding().len(), rows.len());
    }

    /// Little free memory refuses, where a limit of as many bytes would take fewer points.
    #[test]
    fn free_memory_does_not_decide_the_number_of_points() {
        let Err(Error::Memory { needed, .. }) = fit(600, MemoryLimit::new(100)) else {
            panic!("600 points in 100 bytes");
        };
        assert!(fit(600, MemoryLimit::new(needed / 2)).is_ok());
        let refused = fit(600, MemoryLimit::free(needed / 2)).map(drop);
        assert!(
            matches!(&refused, Err(Error::Memory { allowed, .. }) if *allowed == needed / 2),
            "{refused:?}"
        );
    }

    #[test]
    fn no_memory_at_all_is_refused_with_the_numbers_of_the_whole() {
        let Err(Error::Memory { needed, allowed, .. }) = fit(600, MemoryLimit::new(100)) else {
            panic!("nothing fits into 100 bytes");
        };
        assert!(needed > 600 * 600 && allowed == 100);
    }
}
