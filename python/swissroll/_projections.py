"""What FastICA and random projections have besides a fit: unmixing, and a dimension by the error."""

import numpy as np
from scipy import linalg, sparse
from sklearn.random_projection import johnson_lindenstrauss_min_dim

from ._base import Estimator, Floats


class IndependentComponents(Estimator):
    """FastICA with the inverse of its unmixing matrix."""

    components_: Floats
    mixing_: Floats

    def _keep(self, model, n, dtype):
        super()._keep(model, n, dtype)
        self.mixing_ = linalg.pinv(self.components_)


class RandomDirections(Estimator):
    """A random projection with a dimension by the lemma of Johnson and Lindenstrauss, and sparse rows."""

    #: Numbers of a block of rows whose zeros are filled in.
    _BLOCK = 2**22

    _special = {"n_components": ("auto",)}
    _numbers = {"eps": "real"}

    n_components: int | str
    eps: float
    n_components_: int

    def _check_types(self):
        super()._check_types()
        if not 0 < self.eps < 1:
            raise ValueError(f"eps must be above 0 and below 1, but is {self.eps}")

    def _target(self):
        return self._dimension

    def _blocks(self, rows):
        """Sparse rows as dense blocks."""
        step = max(self._BLOCK // rows.shape[1], 2)
        return (rows[first : first + step].toarray() for first in range(0, rows.shape[0], step))

    def _run(self, rows, distances, neighbors, labels, settings=None):
        n, columns = rows.shape
        self._dimension = self.n_components
        if self.n_components == "auto":
            self._dimension = int(johnson_lindenstrauss_min_dim(n, eps=self.eps))
            if self._dimension > columns:
                raise ValueError(
                    f"n_components='auto' needs {self._dimension} dimensions for {n} rows and eps={self.eps}, "
                    f"but X has {columns} columns; use a larger eps or a number"
                )
        self._later = None
        if not sparse.issparse(rows):
            return super()._run(rows, distances, neighbors, labels)
        # The directions depend on the number of columns alone.
        blocks = self._blocks(rows)
        model = super()._run(next(blocks), distances, neighbors, labels)
        self._later = blocks
        return model

    def _keep(self, model, n, dtype):
        super()._keep(model, n, dtype)
        self.n_components_ = self.embedding_.shape[1]
        later, self._later = getattr(self, "_later", None), None
        if later is not None:
            parts = [self.embedding_, *(super(RandomDirections, self)._place(block) for block in later)]
            self.embedding_ = np.concatenate(parts).astype(dtype, copy=False)

    def _place(self, rows):
        if not sparse.issparse(rows):
            return super()._place(rows)
        return np.concatenate([super(RandomDirections, self)._place(block) for block in self._blocks(rows)])
