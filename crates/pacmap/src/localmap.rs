//! The recipe of LocalMAP.

use embedding::{About, Bound, Error, Explanation, Input, Method, ONE, Parameter, Range, ZERO, field};
use neighbor_graph::{Merged, fit_merged};
use serde::{Deserialize, Serialize};

use crate::loss::SCALE;
use crate::nearby::Nearby;
use crate::{FittedPacmap, Pacmap};

/// PaCMAP with a locally adjusted graph.
///
#[doc = include_str!("localmap.md")]
///
/// **Details.** Phases one and two, and how new points are placed, are those of [`Pacmap`];
/// the term that a new point minimizes is that of the third phase.
///
/// **Cost.** That of [`Pacmap`], and O(n k `further_ratio` `tries`) for every draw of further
/// pairs at most.
///
/// ```
/// use pacmap::{Localmap, Method, Model, PointSet};
/// let two_groups = (0..60).flat_map(|i| [f64::from(i % 2) * 50.0 + f64::from(i) * 0.1, f64::from(i * 7 % 11)]);
/// let points = PointSet::new(two_groups.collect(), 2)?;
/// let fitted = Localmap { distance: 5.0, ..Localmap::default() }.fit(&points)?;
/// assert_eq!(fitted.embedding().len(), 60);
/// # Ok::<(), embedding::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Localmap {
    /// What both methods have.
    pub pacmap: Pacmap,
    /// Distance in the map, t: near pairs below t / 2 are drawn together more than by PaCMAP,
    /// those beyond less, and further pairs are drawn among points up to t apart; default 10.
    pub distance: f64,
    /// Iterations of the third phase between draws of further pairs; default 10.
    pub every: usize,
    /// Random points that are tried for a further pair, before it is kept; default 100.
    pub tries: usize,
}

impl Default for Localmap {
    fn default() -> Self {
        Self { pacmap: Pacmap::default(), distance: 10.0, every: 10, tries: 100 }
    }
}

impl Method for Localmap {
    type Fitted = Merged<FittedPacmap>;

    const ABOUT: About = About {
        name: "localmap",
        title: "LocalMAP",
        summary: "PaCMAP with near pairs reweighted and further pairs drawn nearby, which separates clusters.",
        preserves: "clusters and neighborhoods in them; no distances",
        cost: "that of PaCMAP, and draws of further pairs",
        explanation: Explanation::new(include_str!("localmap.md")),
        ..Pacmap::ABOUT
    };

    const WIDEST: bool = true;

    fn parameters() -> Vec<Parameter<Self>> {
        let own: [Parameter<Self>; 3] = [
            Parameter::ranged(
                "distance",
                "distance in the map within which further pairs are drawn again; near pairs are \
                 weighted by its half over their distance",
                field!(distance),
                SCALE,
            ),
            Parameter::ranged(
                "every",
                "iterations of the third phase between draws of further pairs",
                field!(every),
                Range::at_least(ONE),
            ),
            Parameter::ranged(
                "tries",
                "random points that are tried for a further pair, before it is kept",
                field!(tries),
                Range::between(ZERO, Bound::new("1000000", |_| Some(1e6))),
            ),
        ];
        let within = |parameter: Parameter<Pacmap>| -> Parameter<Self> { parameter.inside(field!(pacmap)) };
        Pacmap::parameters().into_iter().map(within).chain(own).collect()
    }

    /// Stages as [`Pacmap`].
    fn fit_input(&self, input: &Input<'_>) -> Result<Merged<FittedPacmap>, Error> {
        let Self { distance, every, tries, .. } = *self;
        fit_merged(self, self.pacmap.duplicates, input, |input, copies| {
            self.pacmap.of_distinct(copies)?.fit_with(input, Some(Nearby { distance, every, tries }))
        })
    }
}
