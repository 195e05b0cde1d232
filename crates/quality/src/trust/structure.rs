//! Whether a map shows structure that data without structure do not have.

use embedding::{DynMethod, Embedding, Error, Input, PointSet, Points, Rows};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde::{Deserialize, Serialize};

use crate::RowSample;
use crate::map_rows::map_rows;
use crate::ranks::coranking;
use crate::trust::fit_rows::fit_rows;

/// The comparison of a map with maps of data without structure, made by the same method.
///
/// *Idea.* Permuting every column independently keeps the values of each column and removes every relation
/// between columns. If the permuted data have maps as good as the map of the data, the map does not show
/// structure.
///
/// *Definition.* Quality is the area under R_NX, the preservation of neighborhoods of all sizes in terms of
/// ranks ([`Coranking::area`](crate::ranks::Coranking::area)), which no method optimizes. With the area a
/// of the map, and mean m and standard deviation s of the areas of B maps of permuted data, each compared
/// with its own data, t = (a − m) / (s √(1 + 1/B)). The p-value is the upper tail of Student's
/// distribution with B − 1 degrees of freedom. Structure is found where p < 0.01.
///
/// *Values.* Noise in 100 dimensions has nearly uniform p-values, whatever the method and its parameters,
/// since its columns are independent: permuted noise is noise again.
///
/// *What it does not say.* It concerns the map as a whole. Correlated columns are structure, and a map of
/// an elongated cloud shows it.
///
/// *Cost.* B fits, and the cost of [`coranking`] for each.
///
/// *References.* Permutation as null model: Johnson, Kath and Mani, EMBEDR, Patterns 3 (2022), 100443,
/// doi:10.1016/j.patter.2022.100443. The area: Lee, Peluffo-Ordóñez and Verleysen, Neurocomputing 169
/// (2015), doi:10.1016/j.neucom.2014.12.095.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Structure {
    /// Number of permuted data sets B, at least 2; default 10.
    pub permutations: usize,
    /// Seed of the permutations; default 0.
    pub seed: u64,
    /// The rows over which the area is averaged; default all.
    pub rows: RowSample,
}

impl Default for Structure {
    fn default() -> Self {
        Self { permutations: 10, seed: 0, rows: RowSample::All }
    }
}

/// Differences of areas, which are at most 1, up to this are rounding.
const ROUNDING: f64 = 1e-12;

/// The quality of a map and of maps of permuted data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StructureFound {
    /// The area of the map, at most 1; about 0 for a random map.
    pub area: f64,
    /// The areas of the maps of permuted data.
    pub permuted: Vec<f64>,
    /// The probability of such an area, or a larger one, without structure.
    pub p: f64,
}

impl StructureFound {
    /// The p-value below which a map shows structure.
    pub const LEVEL: f64 = 0.01;

    /// Compares the area of a map with the areas of at least two maps of permuted data.
    pub(crate) fn new(area: f64, permuted: Vec<f64>) -> Self {
        let count = permuted.len() as f64;
        let mean = permuted.iter().sum::<f64>() / count;
        let deviation = (permuted.iter().map(|a| (a - mean).powi(2)).sum::<f64>() / (count - 1.0)).sqrt();
        let gap = area - mean;
        // Equal areas differ by rounding alone.
        let p = if gap.abs() <= ROUNDING {
            1.0
        } else {
            upper_tail(gap / (deviation * (1.0 + 1.0 / count).sqrt()), permuted.len() - 1)
        };
        Self { area, permuted, p }
    }

    /// Whether the map shows structure.
    pub fn found(&self) -> bool {
        self.p < Self::LEVEL
    }

    /// The verdict in one sentence.
    pub fn sentence(&self) -> String {
        let mean = self.permuted.iter().sum::<f64>() / self.permuted.len() as f64;
        let Self { area, p, .. } = self;
        let p = if *p < 1e-4 { "p < 0.0001".to_owned() } else { format!("p = {p:.4}") };
        let areas = format!("area under R_NX {area:.3}, without structure {mean:.3} on average, {p}");
        if self.found() {
            format!(
                "The map shows structure: it is better than maps of data with permuted columns ({areas})."
            )
        } else {
            format!(
                "The map shows no structure: data with permuted columns give a map as good as this one ({areas})."
            )
        }
    }
}

impl Structure {
    /// Compares the map that `method` made of the points of `input` with maps of permuted points. Labels
    /// stay with their rows.
    ///
    /// Fails as the fits, as [`area`], and with [`Error::Parameter`] for fewer than two permutations or two
    /// columns, for which a permutation only reorders the rows.
    pub fn test(
        &self,
        method: &dyn DynMethod,
        map: &Embedding,
        input: &Input<'_>,
    ) -> Result<StructureFound, Error> {
        let points = input.require_points()?;
        if self.permutations < 2 {
            return Err(Error::parameter("the number of permutations", "at least 2", self.permutations));
        }
        if points.dim() < 2 {
            let requirement = "at least 2 for a test of structure, which permutes columns independently";
            return Err(Error::parameter("the number of columns", requirement, points.dim()));
        }
        let own = area(map, input, self.rows)?;
        let labels =
            input.labels().map(|labels| (0..labels.len()).map(|row| labels.of(row)).collect::<Vec<_>>());
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        let mut permuted = Vec::with_capacity(self.permutations);
        for _ in 0..self.permutations {
            let data = permute_columns(points, &mut random)?;
            let fitted =
                fit_rows(method, input, Rows::Dense(data.view()), (labels.as_deref(), input.targets()))?;
            let without = Input::from(&data).with_metric(input.metric());
            permuted.push(area(fitted.embedding(), &without, self.rows)?);
        }
        Ok(StructureFound::new(own, permuted))
    }
}

/// The area under R_NX of a map of the points of `input`, over the rows that it places, or a sample of
/// them; see [`Coranking::area`](crate::ranks::Coranking::area).
///
/// Fails with [`Error::Degenerate`] for an input without dense points, with [`Error::Parameter`] for a
/// metric other than Euclidean, with [`Error::Shape`] where the map has rows that the points do not have,
/// and with [`Error::TooFewPoints`] for fewer than three rows.
pub fn area(map: &Embedding, input: &Input<'_>, rows: RowSample) -> Result<f64, Error> {
    let (_, data) = map_rows(map, input)?;
    if !input.metric().is_euclidean() {
        return Err(Error::parameter("the metric", "euclidean for the area under R_NX", input.metric()));
    }
    let places = PointSet::from_mat(map.coordinates())?;
    Ok(coranking(data.view(), places.view(), rows)?.area())
}

/// The points with the values of each column in random order.
fn permute_columns(points: Points<'_>, random: &mut ChaCha8Rng) -> Result<PointSet, Error> {
    let (n, dim) = (points.len(), points.dim());
    let mut values = points.values().to_vec();
    for column in 0..dim {
        for i in (1..n).rev() {
            let j = random.random_range(0..=i);
            values.swap(i * dim + column, j * dim + column);
        }
    }
    PointSet::new(values, dim)
}

/// The probability that Student's t with a number of degrees of freedom exceeds `t`: the finite sums 26.7.3
/// and 26.7.4 of Abramowitz and Stegun, Handbook of Mathematical Functions.
fn upper_tail(t: f64, freedom: usize) -> f64 {
    if t.is_infinite() {
        return if t > 0.0 { 0.0 } else { 1.0 };
    }
    let angle = (t / (freedom as f64).sqrt()).atan();
    let (sine, cosine) = (angle.sin(), angle.cos());
    // The terms of the sum are cos^e Π (2l − 1)/(2l) for even, and cos^e Π 2l/(2l + 1) for odd degrees.
    let odd = freedom % 2;
    let (mut term, mut sum) = (if odd == 1 { cosine } else { 1.0 }, 0.0);
    let mut factor = odd + 1;
    while factor < freedom {
        sum += term;
        term *= cosine * cosine * factor as f64 / (factor + 1) as f64;
        factor += 2;
    }
    let within = if odd == 1 { 2.0 / std::f64::consts::PI * (angle + sine * sum) } else { sine * sum };
    // Far in the tail the difference is below rounding.
    (0.5 * (1.0 - within)).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Quantiles of tables of Student's distribution.
    #[test]
    fn the_tail_is_students() {
        let table = [
            (1, 1.0, 0.25),
            (1, 31.820_515_95, 0.01),
            (2, 6.964_556_73, 0.01),
            (3, 4.540_702_86, 0.01),
            (4, 3.746_947_39, 0.01),
            (5, 3.364_930_00, 0.01),
            (9, 2.821_437_92, 0.01),
            (10, 1.812_461_12, 0.05),
        ];
        for (freedom, t, tail) in table {
            let got = upper_tail(t, freedom);
            assert!((got - tail).abs() < 1e-6, "{freedom} {t}: {got}");
            assert!((upper_tail(-t, freedom) - (1.0 - tail)).abs() < 1e-6);
        }
        assert_eq!((upper_tail(f64::INFINITY, 4), upper_tail(f64::NEG_INFINITY, 4)), (0.0, 1.0));
    }

    /// Equal areas have no deviation: a larger one is structure, an equal one is not.
    #[test]
    fn areas_without_deviation_are_compared() {
        assert_eq!(StructureFound::new(0.5, vec![0.2; 3]).p, 0.0);
        assert_eq!(StructureFound::new(0.2, vec![0.2; 3]).p, 1.0);
        assert_eq!(StructureFound::new(0.1, vec![0.2; 3]).p, 1.0);
    }

    #[test]
    fn columns_keep_their_values() {
        let points: Vec<f64> = (0..60).map(f64::from).collect();
        let points = Points::new(&points, 3).expect("finite");
        let permuted = permute_columns(points, &mut ChaCha8Rng::seed_from_u64(1)).expect("finite");
        let mut relations = 0;
        for c in 0..3 {
            let mut column: Vec<f64> = permuted.view().rows().map(|row| row[c]).collect();
            relations += column.iter().enumerate().filter(|(i, v)| **v == (3 * i + c) as f64).count();
            column.sort_by(f64::total_cmp);
            assert_eq!(column, points.rows().map(|row| row[c]).collect::<Vec<f64>>());
        }
        assert!(relations < 15, "{relations} values stayed");
    }
}
