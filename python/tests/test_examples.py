"""The examples in the documentation of classes and functions."""

import doctest
import inspect

import pytest

import swissroll
from swissroll import datasets, quality, regression

MODULES = (swissroll, datasets, quality, regression)


def public():
    """Every public class."""
    names = [getattr(swissroll, name) for name in swissroll.__all__]
    found = names + [getattr(regression, name) for name in regression.__all__] + [datasets.DataSet]
    classes = [member for member in found if inspect.isclass(member)]
    return [kind for kind in classes if not issubclass(kind, Exception)]


def examples():
    """The documentation of public classes and functions that has examples, by name."""
    finder = doctest.DocTestFinder(recurse=False)
    functions = [
        member
        for module in MODULES
        for name, member in vars(module).items()
        if inspect.isfunction(member) and not name.startswith("_") and "swissroll" in member.__module__
    ]
    found = {}
    for member in [*public(), *functions]:
        for test in finder.find(member, member.__qualname__, module=False, globs={}):
            if test.examples:
                found[test.name] = test
    return found


EXAMPLES = examples()


@pytest.mark.parametrize("kind", public(), ids=lambda kind: kind.__name__)
def test_every_class_has_an_example(kind):
    assert kind.__name__ in EXAMPLES and "Examples\n    --------" in kind.__doc__


@pytest.mark.filterwarnings("ignore:The number of connected components")
@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_give_what_they_say(name):
    said = []
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(EXAMPLES[name], out=said.append)
    assert runner.failures == 0, "".join(said)
