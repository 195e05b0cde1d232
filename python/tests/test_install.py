"""Installation: what pip says without Rust, and the versions that are declared."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

PACKAGE = Path(__file__).resolve().parents[1]


def test_without_rust_pip_says_what_to_do_first(tmp_path):
    pytest.importorskip("pip")
    command = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--no-deps",
        "--target",
        tmp_path / "installed",
        PACKAGE,
    ]
    environment = {**os.environ, "PATH": str(tmp_path), "PIP_NO_INDEX": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    said = done.stdout + done.stderr
    assert done.returncode != 0 and "install Rust from" in said and "https://rustup.rs" in said, said
    assert "Traceback" not in said, said


def test_the_lowest_versions_that_are_tested_are_those_that_are_declared():
    text = (PACKAGE / "tests" / "requirements-lowest.txt").read_text()
    tested = {needed.name: needed.specifier for needed in map(Requirement, text.split())}
    for declared in tomllib.loads((PACKAGE / "pyproject.toml").read_text())["project"]["dependencies"]:
        needed = Requirement(declared)
        (least,), (version,) = needed.specifier, tested[needed.name]
        assert (least.operator, version.operator) == (">=", "=="), declared
        assert needed.specifier.contains(version.version), declared
        assert version.version.removesuffix(".0") == least.version.removesuffix(".0"), declared


def test_the_package_loads_scikit_learn_with_its_first_name():
    code = """
import sys, swissroll
assert "UMAP" in dir(swissroll) and "sklearn" not in sys.modules, "loaded with the package"
swissroll.UMAP
assert "sklearn" in sys.modules
"""
    # From another folder, so that the installed package is loaded.
    subprocess.run([sys.executable, "-c", code], cwd=PACKAGE.parent / "docs", check=True)
