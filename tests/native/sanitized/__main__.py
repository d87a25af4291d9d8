"""`python -m tests.native.sanitized`: builds the extension with sanitizers, in a folder of its own, and bends what it reads.

Exits with 1 where a sanitizer finds something; what it says, with the place in C, is printed. Needs gcc or clang.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.native.building import ROOT, build

FLAGS = "-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer -g -O1"
OPTIONS = {
    "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=0",  # Python keeps a lot to its end
    "UBSAN_OPTIONS": "print_stacktrace=1",
    "PYTHONMALLOC": "malloc",  # so that the sanitizer sees each object
}


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m tests.native.sanitized", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="how long")
    parser.add_argument("--seed", type=int, default=1, help="what is bent and how")
    chosen = parser.parse_args()
    with TemporaryDirectory(prefix="apigen-native-sanitized-") as folder:
        build(Path(folder), {"CFLAGS": FLAGS, "LDFLAGS": FLAGS})
        environment = {
            **os.environ,
            **OPTIONS,
            "LD_PRELOAD": _library("libasan.so"),
            "PYTHONPATH": os.pathsep.join((str(Path(folder) / "built"), str(ROOT))),
        }
        bending = [sys.executable, "-m", "tests.native.sanitized.bending"]
        arguments = ["--seconds", str(chosen.seconds), "--seed", str(chosen.seed)]
        return int(subprocess.run([*bending, *arguments], env=environment, cwd=ROOT, check=False).returncode != 0)


def _library(name: str) -> str:
    compiler = os.environ.get("CC", "gcc").split()
    found = subprocess.run([*compiler, f"-print-file-name={name}"], capture_output=True, text=True, check=True)
    return found.stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
