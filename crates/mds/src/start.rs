//! Initialization of the iterative methods.

use embedding::implement::{
    Bound, Division, ONE, Range, Scale, Value, ValueSyntax, require_distinct_rows, require_shape,
};
use embedding::{Error, Observer, Points};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use spectral::centering::CenteredSquares;
use spectral::{Tolerance, largest};

use crate::distances::Distances;
use crate::squared_operator::SquaredOperator;
use crate::sweep::Columns;
use crate::{Dissimilarities, Precision};

/// The initial configuration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Start {
    /// Classical scaling, with missing pairs completed by shortest paths over known
    /// pairs. Columns beyond the positive eigenvalues start, and remain, at 0.
    #[default]
    Classical,
    /// Several runs from uniform random coordinates; the one with the lowest stress is
    /// kept (of equals, the earliest).
    Random {
        /// Seed of the generator.
        seed: u64,
        /// Number of runs, 1 to 1000.
        runs: usize,
    },
}

/// Legal numbers of runs: the initial coordinates of all of them are kept in memory.
const RUNS: Range = Range::between(ONE, Bound::new("1000", |_| Some(1000.0)));

impl Value for Start {
    const SYNTAX: ValueSyntax = ValueSyntax::Text("classical or random:RUNS:SEED");
    const RANGE: Option<Range> = Some(RUNS);

    fn show(&self) -> String {
        match self {
            Self::Classical => "classical".to_owned(),
            Self::Random { seed, runs } => format!("random:{runs}:{seed}"),
        }
    }

    fn read(text: &str) -> Option<Self> {
        match *text.split(':').collect::<Vec<_>>() {
            ["classical"] => Some(Self::Classical),
            ["random", runs, seed] => {
                Some(Self::Random { seed: Value::read(seed)?, runs: Value::read(runs)? })
            }
            _ => None,
        }
    }

    fn number(&self) -> Option<f64> {
        Some(self.runs() as f64)
    }
}

embedding::text!(Start);

impl Start {
    pub(crate) fn runs(self) -> usize {
        match self {
            Self::Classical => 1,
            Self::Random { runs, .. } => runs,
        }
    }

    /// The coordinates of the given run, n × dim.
    pub(crate) fn coordinates(
        self,
        dissimilarities: &Dissimilarities,
        dim: usize,
        run: usize,
        observer: &dyn Observer,
    ) -> Result<Columns, Error> {
        match self {
            Self::Classical => classical(dissimilarities, dim, observer),
            Self::Random { seed, .. } => Ok(random(dissimilarities, dim, seed, run)),
        }
    }
}

/// Given coordinates as columns.
pub(crate) fn of_given(given: Points<'_>, n: usize, dim: usize) -> Result<Columns, Error> {
    require_shape(given, n, dim)?;
    require_distinct_rows(given)?;
    if !Scale::of_points(given, Division::SQUARES).is_one() {
        return Err(Error::degenerate(
            "the extent of the given start is so large or small that its square leaves the range of numbers",
            "bring the start to the unit of the distances",
        ));
    }
    Ok((0..dim).map(|c| given.rows().map(|row| row[c]).collect()).collect())
}

fn classical(given: &Dissimilarities, dim: usize, observer: &dyn Observer) -> Result<Columns, Error> {
    let n = given.len();
    let largest_value = given.values().iter().fold(0.0_f64, |m, v| m.max(*v));
    let silent = &embedding::Silent;
    let missing = given.weights().is_some();
    let distances = Distances::from_rows(n, largest_value, Precision::Double, silent, |i, row| {
        if missing {
            row.copy_from_slice(&shortest(given, i)[..i]);
        } else {
            row.iter_mut().enumerate().for_each(|(j, d)| *d = given.get(i, j));
        }
    })?;
    // The start need not be accurate.
    let tolerance = Tolerance::new(1e-8)?;
    let pairs = largest(&CenteredSquares(SquaredOperator(&distances)), dim, tolerance, observer)?;
    let noise = 4.0 * n as f64 * f64::EPSILON * pairs.values[0].abs();
    let column = |j: usize| {
        let value = pairs.values[j];
        let length = if value > noise { distances.unit() * value.sqrt() } else { 0.0 };
        pairs.vectors.col(j).iter().map(|v| length * v).collect()
    };
    Ok((0..dim).map(column).collect())
}

/// Dijkstra's algorithm over the pairs of positive weight. O(n²).
fn shortest(given: &Dissimilarities, source: usize) -> Vec<f64> {
    let n = given.len();
    let (mut distance, mut open) = (vec![f64::INFINITY; n], vec![true; n]);
    distance[source] = 0.0;
    for _ in 0..n {
        let nearest = (0..n).filter(|&i| open[i]).min_by(|&a, &b| distance[a].total_cmp(&distance[b]));
        let Some(i) = nearest else { break };
        open[i] = false;
        for j in 0..n {
            if given.weight(i, j) > 0.0 {
                distance[j] = distance[j].min(distance[i] + given.get(i, j));
            }
        }
    }
    // A known pair keeps its own value, even if a path is shorter.
    for (j, d) in distance.iter_mut().enumerate() {
        if given.weight(source, j) > 0.0 {
            *d = given.get(source, j);
        }
    }
    distance
}

fn random(given: &Dissimilarities, dim: usize, seed: u64, run: usize) -> Columns {
    let n = given.len();
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    generator.set_stream(run as u64);
    let mean = given.values().par_iter().map(|v| v / (n * n) as f64).collect::<Vec<_>>().iter().sum::<f64>();
    let mut next = || mean * ((generator.next_u64() >> 11) as f64 / (1_u64 << 53) as f64 - 0.5);
    (0..dim).map(|_| (0..n).map(|_| next()).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// About equally many are on either side of 0, and no farther from 0 than points are from each other.
    #[test]
    fn random_coordinates_are_around_zero() -> Result<(), Error> {
        let n = 40;
        let equal = faer::Mat::from_fn(n, n, |i, j| if i == j { 0.0 } else { 3.0 });
        let given = Dissimilarities::from_matrix(equal.as_ref())?;
        for column in random(&given, 2, 7, 1) {
            let largest = column.iter().fold(0.0_f64, |largest, v| largest.max(v.abs()));
            let negative = column.iter().filter(|v| **v < 0.0).count();
            assert!((0.5..1.5).contains(&largest), "{largest}");
            assert!((10..=30).contains(&negative), "{negative} of {n}");
        }
        assert_ne!(random(&given, 2, 7, 1), random(&given, 2, 7, 2));
        Ok(())
    }

    /// The classical start gives the default map to the bit where it is given, whatever the start of the recipe.
    #[test]
    fn the_classical_start_given_is_the_default() -> Result<(), Error> {
        use embedding::implement::matrix;
        use embedding::{Method, Model, PointSet, Silent};

        use crate::sweep::matrix_of;
        use crate::{NonmetricMds, Sammon, Smacof};

        let rows: Vec<[f64; 3]> =
            (0..30).map(f64::from).map(|i| [i.sin(), 2.0 * (1.7 * i).cos(), (0.3 * i * i).sin()]).collect();
        let points = PointSet::from_rows(&rows)?;
        let given = Dissimilarities::euclidean(points.view(), embedding::MemoryLimit::default())?;
        let own = classical(&given, 2, &Silent)?;
        let own = PointSet::new(matrix::to_rows(matrix_of(&own).as_ref()), 2)?;
        let input = embedding::Input::from(&points).with_start(own.view());
        let start = Start::Random { seed: 1, runs: 3 };
        let expected = Smacof::default().fit(&points)?;
        assert_eq!(Smacof { start, ..Smacof::default() }.fit(input)?.embedding(), expected.embedding());
        let expected = Sammon::default().fit(&points)?;
        assert_eq!(Sammon { start, ..Sammon::default() }.fit(input)?.embedding(), expected.embedding());
        let expected = NonmetricMds::default().fit(&points)?;
        let fitted = NonmetricMds { start, ..NonmetricMds::default() }.fit(input)?;
        assert_eq!(fitted.embedding(), expected.embedding());
        Ok(())
    }
}
