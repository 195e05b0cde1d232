//! The recipe of LocalMAP.

use embedding::implement::{Division, StartScale};
use embedding::{About, Error, Explanation, Input, Method, Recipe};
use neighbor_graph::{Deduplicated, implement::fit_deduplicated};
use serde::{Deserialize, Serialize};

use crate::loss::SCALE;
use crate::nearby::Nearby;
use crate::{FittedPacmap, Pacmap, Start};

/// PaCMAP with a locally adjusted graph.
///
#[doc = include_str!("localmap.md")]
///
/// **Details.** Phases one and two, and how new points are placed, are the same as in [`Pacmap`]; a new point
/// minimizes the term of the third phase.
///
/// **Cost.** As [`Pacmap`], and at most O(n k `further_ratio` `tries`) for every draw of further pairs.
///
/// ```
/// use pacmap::{Localmap, Method, Model, PointSet};
/// let two_groups = (0..60).flat_map(|i| [f64::from(i % 2) * 50.0 + f64::from(i) * 0.1, f64::from(i * 7 % 11)]);
/// let points = PointSet::new(two_groups.collect(), 2)?;
/// let fitted = Localmap { distance: 5.0, ..Localmap::default() }.fit(&points)?;
/// assert_eq!(fitted.embedding().len(), 60);
/// # Ok::<(), embedding::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Recipe)]
#[serde(default, deny_unknown_fields)]
pub struct Localmap {
    /// The parameters of PaCMAP.
    #[param(flatten)]
    pub pacmap: Pacmap,
    /// Distance in the map within which further pairs are drawn again; near pairs are weighted by its half
    /// over their distance. Compared with PaCMAP, pairs nearer than this half attract more, and pairs beyond
    /// it less.
    #[param(default = 10.0, range = SCALE)]
    pub distance: f64,
    /// Iterations of the third phase between draws of further pairs.
    #[param(default = 10, range = "at least 1")]
    pub every: usize,
    /// Random points that are tried for a further pair, before it is kept.
    #[param(default = 100, range = "0 to 1000000")]
    pub tries: usize,
}

impl Method for Localmap {
    type Fitted = Deduplicated<FittedPacmap>;

    const ABOUT: About = About {
        name: "localmap",
        title: "LocalMAP",
        summary: "PaCMAP with near pairs reweighted and further pairs drawn nearby, which separates clusters.",
        preserves: "clusters and neighborhoods in them; no distances",
        cost: "as PaCMAP, and draws of further pairs",
        explanation: Explanation::new(include_str!("localmap.md")),
        ..Pacmap::ABOUT
    };

    const DIVISION: Option<Division> = Some(Division::Least);

    const SPARSE: bool = true;

    const START: Option<StartScale> = Some(Start::SCALE);

    const FIXES: bool = true;

    /// As [`Pacmap`].
    fn resumed(&self) -> Self {
        Self { pacmap: self.pacmap.resumed(), ..self.clone() }
    }

    fn settled(&self, n: usize) -> Self {
        Self { pacmap: self.pacmap.settled(n), ..self.clone() }
    }

    /// As [`Pacmap`].
    fn check_memory_of(&self, input: &Input<'_>, n: usize) -> Result<(), Error> {
        self.pacmap.check_memory_of(input, n)
    }

    /// Stages as [`Pacmap`].
    fn fit_input(&self, input: &Input<'_>) -> Result<Deduplicated<FittedPacmap>, Error> {
        let Self { distance, every, tries, .. } = *self;
        fit_deduplicated(self, self.pacmap.duplicates, input, |input, copies| {
            self.pacmap.of_input(input, copies)?.fit_with(input, Some(Nearby { distance, every, tries }))
        })
    }
}
