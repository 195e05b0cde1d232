//! The recipe of densMAP.

use embedding::implement::{Division, Scale, StartScale};
use embedding::{About, Error, Explanation, Input, Method, Recipe};
use neighbor_graph::{Deduplicated, implement::fit_deduplicated};
use serde::{Deserialize, Serialize};

use crate::density::Density;
use crate::{FittedDensmap, Start, Surface, Umap};

/// Density-augmented UMAP.
///
#[doc = include_str!("densmap.md")]
///
/// **Details.** Everything that densMAP shares with [`Umap`] is a parameter of it. A method of
/// its own rather than a parameter of [`Umap`]: lists and comparisons then show both maps.
/// [`FittedUmap::radii`](crate::FittedUmap::radii) are the radii of the definition, for both.
///
/// **Cost.** As [`Umap`], with 200 more epochs by default; each of the four steps of a last epoch visits all
/// edges twice, where other steps visit some.
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Recipe)]
#[serde(default, deny_unknown_fields)]
pub struct Densmap {
    /// The parameters of UMAP. By default there are 200 more epochs. A larger learning rate lowers
    /// the cross entropy, and the accuracy of classes with it: on 10,000 digits of MNIST, means of
    /// five seeds, 0.25, 0.5 and 1 gave 3,290,000, 2,893,000 and 2,512,000, correlations of radii
    /// of 0.952, 0.958 and 0.964, and an accuracy of 0.921, 0.915 and 0.913.
    #[param(flatten)]
    pub umap: Umap,
    /// Weight of the correlation of local radii in data and map.
    #[param(name = "density-weight", default = 2.0, range = "0 to 1e6")]
    pub weight: f64,
    /// Fraction of the epochs that have this term, the last ones.
    #[param(name = "density-fraction", default = 0.3, range = "0 to 1")]
    pub fraction: f64,
    /// Added to the variance of log radii of the map in the correlation. Radii that hardly differ
    /// then count less.
    #[param(name = "density-shift", default = 0.1, range = "at least 0")]
    pub shift: f64,
}

impl Method for Densmap {
    type Fitted = Deduplicated<FittedDensmap>;

    const ABOUT: About = About {
        name: "densmap",
        title: "densMAP",
        summary: "UMAP with local radii in the map that follow the local radii in the data.",
        preserves: "neighborhoods, clusters and local density; no distances",
        cost: "as UMAP, and time n k for each of the last epochs",
        new_points: "as by UMAP, without regard to density; does not interpolate: near a training row, up to 6 % of the map's extent from its position in the median of 13 trials, and 28 % in the worst; more where classes overlap (300 digits or points of a roll)",
        explanation: Explanation::new(include_str!("densmap.md")),
        ..Umap::ABOUT
    };

    const DIVISION: Option<Division> = Some(Division::Least);

    const START: Option<StartScale> = Some(Start::SCALE);

    const FIXES: bool = true;

    const LABEL_PARAMETER: Option<&'static str> = Umap::LABEL_PARAMETER;

    fn neighborhood(&self, n: usize) -> Option<crate::Neighborhood> {
        self.umap.neighborhood(n)
    }

    fn divided(&self, scale: Scale) -> Self {
        Self { umap: self.umap.divided(scale), ..self.clone() }
    }

    fn settled(&self, n: usize) -> Self {
        let epochs = Some(self.umap.epochs_of(n, true));
        Self { umap: Umap { epochs, ..self.umap.clone() }, ..self.clone() }
    }

    /// As [`Umap`].
    fn check_memory_of(&self, input: &Input<'_>, n: usize) -> Result<(), Error> {
        self.umap.check_memory_of(input, n)
    }

    /// Errors and stages as [`Umap`]. Fails with [`Error::Parameter`] for a `surface` other than the plane.
    fn fit_input(&self, input: &Input<'_>) -> Result<Deduplicated<FittedDensmap>, Error> {
        let Self { weight, fraction, shift, .. } = *self;
        fit_deduplicated(self, self.umap.duplicates, input, |input, copies| {
            if self.umap.surface != Surface::Plane {
                let requirement = "plane for densmap, whose density term is computed in flat space";
                return Err(Error::parameter("surface", requirement, self.umap.surface));
            }
            let density = Density { weight, fraction, shift };
            self.umap.of_input(input, copies)?.fit_with(input, Some(density)).map(FittedDensmap)
        })
    }
}
