"""Builds the programs of a cluster from their Go modules, once for a machine: `python -m tests.cluster.programs`.

They are kept in `$XDG_CACHE_HOME/apigen-test/NAME-VERSION` (`~/.cache` without it), outside of the clone.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

MODULE = Path(__file__).with_name("programs")
KUBERNETES = "1.36.3"
VERSIONS = {"etcd": "3.6.8", "kubectl": KUBERNETES, "kube-apiserver": KUBERNETES, "structural": KUBERNETES}
"""The programs and their versions, which are those of `programs/go.mod`."""

NOT_BUILT = "not built:"
"""How the reason of a skipped test begins whose programs are built in the background: `make test-cluster` runs it then."""

_FLAGS = f"-s -w -X k8s.io/component-base/version.gitVersion=v{KUBERNETES}"


def cache() -> Path:
    """The folder in which programs are kept."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "apigen-test")


def program(name: str) -> Path | None:
    """A program that was built; None where it was not."""
    path = cache() / f"{name}-{VERSIONS[name]}" / name
    return path if path.is_file() else None


def unbuilt(names: Iterable[str] = VERSIONS) -> list[str]:
    """Those of the names whose programs were not built."""
    return [name for name in names if program(name) is None]


def why_unbuilt(names: Iterable[str] = VERSIONS) -> str:
    """The reason to skip a test that needs these programs, which CI accepts; empty if all were built."""
    missing = unbuilt(names)
    return f"{NOT_BUILT} {', '.join(missing)}; run `make test-cluster`" if missing else ""


def build(name: str) -> None:
    """Build a program. It appears in its place when it is complete, so that two runs may build it at once.

    Raises subprocess.CalledProcessError if Go fails, and FileNotFoundError if there is no Go.
    """
    folder = cache() / f"{name}-{VERSIONS[name]}"
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as temporary:
        made = Path(temporary) / name
        environment = {**os.environ, "CGO_ENABLED": "0", "GOFLAGS": "-buildvcs=false -mod=mod -trimpath"}
        command = ["go", "build", "-ldflags", _FLAGS, "-o", str(made), f"./{name}"]
        subprocess.run(command, cwd=MODULE, env=environment, check=True)
        made.replace(folder / name)


def main(words: Sequence[str]) -> int:
    """Build what is missing, or with `--unbuilt` print its names; 1 if that fails."""
    if words == ["--unbuilt"]:
        print(" ".join(unbuilt()))
        return 0
    for name in unbuilt():
        try:
            build(name)
        except (subprocess.CalledProcessError, FileNotFoundError) as error:
            print(f"{name} cannot be built: {error}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
