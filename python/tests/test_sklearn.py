"""scikit-learn's own tests of manifolds, unchanged, with the classes of swissroll.

Of its 101 functions at least 60 pass. Some of them read functions of scikit-learn alone; how
many fit a class of swissroll is printed too, and has a limit of its own.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import sklearn.manifold

HERE = Path(__file__).parent
TESTS = Path(sklearn.manifold.__file__).parent / "tests"


def test_manifold_tests_of_scikit_learn():
    path = os.pathsep.join([str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])])
    command = [sys.executable, "-m", "pytest", "-q", "-p", "sklearn_plugin", "-p", "no:cacheprovider"]
    result = subprocess.run(
        [*command, "-p", "no:warnings", "--tb=line", str(TESTS)],
        env={**os.environ, "PYTHONPATH": path},
        # Where its fixtures are found.
        cwd=TESTS.parents[2],
        capture_output=True,
        text=True,
    )
    tail = result.stdout[-4000:] + result.stderr[-2000:]
    assert result.returncode == 0, tail
    counts = re.search(r"(\d+) of (\d+) functions pass, (\d+) of them by a fit", result.stdout)
    passed, every, fitted = map(int, counts.groups())
    print(counts[0])
    assert every >= 101 and passed >= 60 and fitted >= 36, tail
