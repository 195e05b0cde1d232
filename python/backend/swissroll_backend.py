"""The build backend of the package: maturin, which is fetched once Rust has been found.

``pip install ./python`` calls these hooks (PEP 517). Without Rust they end with a sentence.
"""

import shutil
import sys

MATURIN = ["maturin>=1.14,<2"]

MISSING = """\
swissroll-learn is built from Rust, and `cargo` was not found on the PATH: install Rust from
https://rustup.rs, open a new terminal and repeat the command, or install a wheel, which needs no Rust.
"""


def _require_rust():
    if shutil.which("cargo") is None:
        # Without a traceback, which pip would print of an exception.
        sys.stderr.write(MISSING)
        sys.exit(1)


def get_requires_for_build_wheel(config_settings=None):
    _require_rust()
    return MATURIN


def get_requires_for_build_editable(config_settings=None):
    return get_requires_for_build_wheel(config_settings)


def get_requires_for_build_sdist(config_settings=None):
    return get_requires_for_build_wheel(config_settings)


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    import maturin

    return maturin.prepare_metadata_for_build_wheel(metadata_directory, config_settings)


def prepare_metadata_for_build_editable(metadata_directory, config_settings=None):
    import maturin

    return maturin.prepare_metadata_for_build_editable(metadata_directory, config_settings)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    import maturin

    return maturin.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    import maturin

    return maturin.build_editable(wheel_directory, config_settings, metadata_directory)


def build_sdist(sdist_directory, config_settings=None):
    import maturin

    return maturin.build_sdist(sdist_directory, config_settings)
