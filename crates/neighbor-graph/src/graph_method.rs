//! The four doors of a method on a neighbor graph, the same for each.

/// Gives a recipe its `fit`, `fit_pieces`, `fit_neighbors` and its `Embedder`.
///
/// The recipe has the fields `neighborhood` and `components` and a method
/// `fit_manifold(&self, Manifold, &dyn Observer)`; what is named last is a method
/// that takes all points and refuses what cannot succeed, before the neighbors
/// are searched. For the crates of this workspace, whose methods so behave alike;
/// it names the crates `embedding` and `neighbor_graph`.
#[macro_export]
macro_rules! graph_method {
    ($recipe:ty, $fitted:ty, $name:literal $(, $check:ident)?) => {
        impl $recipe {
            /// Fits one connected manifold; fails with
            /// [`Error::Disconnected`](::embedding::Error::Disconnected) where the
            /// component policy leaves several pieces.
            ///
            /// Stage `"neighbors"`, then those of `fit_manifold`.
            pub fn fit(
                &self,
                points: ::embedding::Points<'_>,
                observer: &dyn ::embedding::Observer,
            ) -> Result<$fitted, ::embedding::Error> {
                self.fit_pieces(points, observer)?.into_single()
            }

            /// Fits every piece that the component policy leaves.
            pub fn fit_pieces(
                &self,
                points: ::embedding::Points<'_>,
                observer: &dyn ::embedding::Observer,
            ) -> Result<$crate::Pieces<$fitted>, ::embedding::Error> {
                $(self.$check(points)?;)?
                let neighbors = $crate::Neighbors::find(points, self.neighborhood, observer)?;
                self.fit_neighbors(points, &neighbors, observer)
            }

            /// The same on given neighbor lists, which several methods may share.
            pub fn fit_neighbors(
                &self,
                points: ::embedding::Points<'_>,
                neighbors: &$crate::Neighbors,
                observer: &dyn ::embedding::Observer,
            ) -> Result<$crate::Pieces<$fitted>, ::embedding::Error> {
                $crate::Pieces::fit(points, neighbors, self.components, observer, |manifold, observer| {
                    self.fit_manifold(manifold, observer)
                })
            }
        }

        impl ::embedding::Embedder for $recipe {
            fn name(&self) -> &'static str {
                $name
            }

            fn embed(
                &self,
                points: ::embedding::Points<'_>,
                observer: &dyn ::embedding::Observer,
            ) -> Result<::embedding::Embedding, ::embedding::Error> {
                Ok(::embedding::Model::embedding(&self.fit_pieces(points, observer)?).clone())
            }
        }
    };
}
