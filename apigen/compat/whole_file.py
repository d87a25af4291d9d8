"""Writes a file whole, or not at all."""

from __future__ import annotations

import os
from pathlib import Path


def write_whole(path: Path, data: bytes) -> None:
    """Write a file, whole or not at all, whoever else writes it and whenever the run is stopped. Raises OSError, which names the file.

    A link stays one, and permissions stay. What is no file (a pipe, `/dev/stdout`) has nothing to lose, and is written to.
    """
    try:
        _write(path, data)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def _write(path: Path, data: bytes) -> None:
    real = Path(os.path.realpath(path))
    if (real.exists() and not real.is_file()) or path.absolute().is_relative_to("/dev"):
        real.write_bytes(data)
        return
    beside = real.with_name(f".{real.name}.{os.getpid()}.new")
    try:
        with beside.open("wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        if real.exists():
            import shutil  # brings what archives need along

            shutil.copymode(real, beside)
        beside.replace(real)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
