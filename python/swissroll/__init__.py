"""Manifold learning, made to be compared.

Every method is an estimator of scikit-learn's interface::

    import swissroll
    X, t = swissroll.datasets.make_swiss_roll(1500)
    Y = swissroll.LTSA(n_neighbors=10).fit_transform(X)

Same input and seed give the same bytes at any number of threads; every method places new
points by ``transform``. `datasets` has data with known coordinates, `quality` the measures,
`regression` the way from places of a map back to data.
"""

import lazy_loader

# The names of __init__.pyi. The module of a name is loaded when the name is first used, because that loads
# scikit-learn, which takes about a second.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
