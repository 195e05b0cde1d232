"""A pytest plugin that puts the classes of swissroll under the names of `sklearn.manifold`.

Used by tests/test_sklearn.py, which runs scikit-learn's own tests of manifolds unchanged, from
its installed package. A test that is expected to fail is in tests/sklearn_expected.txt with its
reason; one that passes nevertheless fails the run, so that the list stays true.
"""

import functools
import importlib
from pathlib import Path

import pytest
import sklearn.manifold

import swissroll

CLASSES = ["MDS", "TSNE", "ClassicalMDS", "Isomap", "LocallyLinearEmbedding", "SpectralEmbedding"]
EXPECTED = Path(__file__).with_name("sklearn_expected.txt")

#: The tests in which a class of swissroll was fitted.
reached = set()
outcomes = {}
_current = []


def expected():
    """The reason of each test that is expected to fail, by file and function."""
    lines = EXPECTED.read_text().splitlines() if EXPECTED.exists() else []
    entries = [line for line in lines if line.strip() and not line.startswith("#")]
    return dict(entry.split(" ", 1) for entry in entries)


def _recorded(fit):
    @functools.wraps(fit)
    def recorded(self, *args, **kwargs):
        if _current:
            reached.add(_current[-1])
        return fit(self, *args, **kwargs)

    return recorded


def pytest_configure(config):
    base = importlib.import_module("swissroll._base").Embedder
    base._input = _recorded(base._input)
    swissroll.SpectralEmbedding._affinities = _recorded(swissroll.SpectralEmbedding._affinities)
    for name in CLASSES:
        module = importlib.import_module(getattr(sklearn.manifold, name).__module__)
        for place in (sklearn.manifold, module):
            setattr(place, name, getattr(swissroll, name))


def _name(item):
    return f"{item.path.stem}::{item.originalname}"


def pytest_collection_modifyitems(items):
    reasons = expected()
    known = {_name(item) for item in items}
    unknown = [
        name
        for name in reasons
        if name not in known and name.split("::")[0] in {n.split("::")[0] for n in known}
    ]
    if unknown:
        raise pytest.UsageError(f"expected failures that are no tests: {', '.join(unknown)}")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item):
    _current.append(_name(item))
    yield
    _current.pop()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    if report.when == "call" or report.failed or report.skipped:
        # A function passes where none of its cases fails, and some pass.
        before = outcomes.get(_name(item))
        rank = ["skipped", "passed", "failed"]
        outcomes[_name(item)] = max(filter(None, (before, report.outcome)), key=rank.index)


def _sides():
    """The functions that failed, and those that passed."""
    failed = {name for name, outcome in outcomes.items() if outcome == "failed"}
    return failed, {name for name, outcome in outcomes.items() if outcome == "passed"}


def pytest_sessionfinish(session):
    failed, _ = _sides()
    session.exitstatus = 1 if failed != set(expected()) & set(outcomes) else 0


def pytest_terminal_summary(terminalreporter):
    line = terminalreporter.write_line
    reasons = expected()
    failed, passed = _sides()
    line(
        f"{len(passed)} of {len(outcomes)} functions pass, {len(passed & reached)} of them by a fit of swissroll"
    )
    for name in sorted(failed - set(reasons)):
        line(f"unexpected failure: {name}")
    for name in sorted((set(reasons) & set(outcomes)) - failed):
        line(f"expected to fail, but does not: {name}")
    for name in sorted(set(outcomes) - failed - passed):
        line(f"skipped: {name}")
