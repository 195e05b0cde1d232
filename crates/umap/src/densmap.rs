//! The recipe of densMAP.

use embedding::{About, Bound, Error, Explanation, Input, Method, ONE, Parameter, Range, Scale, ZERO, field};
use neighbor_graph::{Merged, fit_merged};
use serde::{Deserialize, Serialize};

use crate::density::Density;
use crate::{FittedUmap, Umap};

/// Density-augmented UMAP.
///
#[doc = include_str!("densmap.md")]
///
/// **Details.** Everything that densMAP shares with [`Umap`] is a parameter of it. A method of
/// its own rather than a parameter of [`Umap`]: lists and comparisons then show both maps.
/// [`FittedUmap::radii`] are the radii of the definition, for both.
///
/// **Cost.** That of [`Umap`], 200 more epochs by default, and all edges twice in each of the
/// four steps of a last epoch, where other steps visit some.
///
/// ```
/// use umap::{Densmap, Method, PointSet};
/// // A dense and a sparse group.
/// let row = |i: i32| [f64::from(i % 2) * 50.0 + f64::from(i % 7), f64::from(i % 11) * f64::from(1 + i % 2 * 4)];
/// let points = PointSet::from_rows(&(0..60).map(row).collect::<Vec<_>>())?;
/// let fitted = Densmap::default().fit(&points)?;
/// assert!(fitted.radii().correlation() > Some(0.8));
/// # Ok::<(), umap::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Densmap {
    /// What both methods have; by default 200 more epochs than UMAP, which has 1000 for up to
    /// 10,000 points, else 200. A larger learning rate lowers the cross entropy, and the accuracy of
    /// classes with it: on 10,000 digits of MNIST, means of five seeds, 0.25, 0.5 and 1 gave 3,290,000,
    /// 2,893,000 and 2,512,000, correlations of radii of 0.952, 0.958 and 0.964, and an accuracy of
    /// 0.921, 0.915 and 0.913.
    pub umap: Umap,
    /// Weight λ of the correlation of radii, 0 to 1e6; default 2.
    pub weight: f64,
    /// Fraction of the epochs that have the term, the last ones; default 0.3.
    pub fraction: f64,
    /// Added to the variance of log radii of the map in the correlation, so that radii that
    /// hardly differ do not count as much; default 0.1.
    pub shift: f64,
}

/// Largest weight, far above any that a map survives.
const HEAVIEST: Bound = Bound::new("1e6", |_| Some(1e6));

impl Default for Densmap {
    fn default() -> Self {
        Self { umap: Umap::default(), weight: 2.0, fraction: 0.3, shift: 0.1 }
    }
}

impl Method for Densmap {
    type Fitted = Merged<FittedUmap>;

    const ABOUT: About = About {
        name: "densmap",
        title: "densMAP",
        summary: "UMAP with local radii of the map that follow those of the data.",
        preserves: "neighborhoods, clusters and local density; no distances",
        cost: "that of UMAP, and time n k for each of the last epochs",
        new_points: "as by UMAP, without regard to density; does not interpolate: beside a training row up to 6 % of the map's extent from its place in the median of 13 trials (300 digits or points of a roll), up to 28 % in all of them, more where classes overlap",
        explanation: Explanation::new(include_str!("densmap.md")),
        ..Umap::ABOUT
    };

    const WIDEST: bool = true;

    const LABEL_PARAMETER: Option<&'static str> = Umap::LABEL_PARAMETER;

    fn parameters() -> Vec<Parameter<Self>> {
        let own: [Parameter<Self>; 3] = [
            Parameter::ranged(
                "density-weight",
                "weight of the correlation of local radii in data and map",
                field!(weight),
                Range::between(ZERO, HEAVIEST),
            ),
            Parameter::ranged(
                "density-fraction",
                "fraction of the epochs that have this term, the last ones",
                field!(fraction),
                Range::between(ZERO, ONE),
            ),
            Parameter::ranged(
                "density-shift",
                "added to the variance of log radii of the map in the correlation",
                field!(shift),
                Range::at_least(ZERO),
            ),
        ];
        let within = |parameter: Parameter<Umap>| -> Parameter<Self> { parameter.inside(field!(umap)) };
        Umap::parameters().into_iter().map(within).chain(own).collect()
    }

    fn neighborhood(&self, n: usize) -> Option<crate::Neighborhood> {
        self.umap.neighborhood(n)
    }

    fn divided(&self, scale: Scale) -> Self {
        Self { umap: self.umap.divided(scale), ..self.clone() }
    }

    /// Errors and stages as [`Umap`].
    fn fit_input(&self, input: &Input<'_>) -> Result<Merged<FittedUmap>, Error> {
        let Self { weight, fraction, shift, .. } = *self;
        fit_merged(self, self.umap.duplicates, input, |input, copies| {
            self.umap.of_distinct(copies)?.fit_with(input, Some(Density { weight, fraction, shift }))
        })
    }
}
