//! The four doors of a method on a neighbor graph, the same for each.

/// Gives a recipe with `neighborhood`, `components` and `fit_manifold` its
/// `fit`, `fit_pieces`, `fit_neighbors` and its [`embedding::Embedder`].
macro_rules! graph_method {
    ($recipe:ty, $fitted:ty, $name:literal) => {
        impl $recipe {
            /// Fits one connected manifold; fails with
            /// [`Error::Disconnected`](embedding::Error::Disconnected) where the
            /// component policy leaves several pieces.
            ///
            /// Stage `"neighbors"`, then those of `fit_manifold`.
            pub fn fit(
                &self,
                points: embedding::Points<'_>,
                observer: &dyn embedding::Observer,
            ) -> Result<$fitted, embedding::Error> {
                self.fit_pieces(points, observer)?.into_single()
            }

            /// Fits every piece that the component policy leaves.
            pub fn fit_pieces(
                &self,
                points: embedding::Points<'_>,
                observer: &dyn embedding::Observer,
            ) -> Result<neighbor_graph::Pieces<$fitted>, embedding::Error> {
                let neighbors = neighbor_graph::Neighbors::find(points, self.neighborhood, observer)?;
                self.fit_neighbors(points, &neighbors, observer)
            }

            /// The same on given neighbor lists, which several methods may share.
            pub fn fit_neighbors(
                &self,
                points: embedding::Points<'_>,
                neighbors: &neighbor_graph::Neighbors,
                observer: &dyn embedding::Observer,
            ) -> Result<neighbor_graph::Pieces<$fitted>, embedding::Error> {
                neighbor_graph::Pieces::fit(
                    points,
                    neighbors,
                    self.components,
                    observer,
                    |manifold, observer| self.fit_manifold(manifold, observer),
                )
            }
        }

        impl embedding::Embedder for $recipe {
            fn name(&self) -> &'static str {
                $name
            }

            fn embed(
                &self,
                points: embedding::Points<'_>,
                observer: &dyn embedding::Observer,
            ) -> Result<embedding::Embedding, embedding::Error> {
                Ok(embedding::Model::embedding(&self.fit_pieces(points, observer)?).clone())
            }
        }
    };
}

pub(crate) use graph_method;
