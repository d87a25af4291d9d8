"""Where the specs of a release come from: imported from its Go modules if they are at hand, else as they are committed."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.inputs.go.modules import MissingModule, find_module
from tests.kubernetes.whole.packing import pack, packed_releases, unpack
from tests.kubernetes.whole.releases import REFERENCE
from tests.kubernetes.whole.shared import ROOT

API, MACHINERY = "k8s.io/api", "k8s.io/apimachinery"
COMMITTED = ROOT / "api-specs" / "kubernetes"
CACHE = ROOT / "build" / "go-modules"

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Modules:
    """Folders that were given; a module that is not is looked for, unless `offline`."""

    api: Path | None = None
    apimachinery: Path | None = None
    features: Sequence[Path] | None = None
    offline: bool = False

    def find(self, module: str, release: str) -> Path | str:
        """Return the folder of a module, or why it is missing."""
        given = self.api if module == API else self.apimachinery
        if self.offline and given is None:
            return "not looked for"
        found = find_module(module, release, given=given, cache=CACHE)
        return str(found) if isinstance(found, MissingModule) else found.folder


def specs_of(release: str, folder: Path, modules: Modules, say: Say) -> Path:
    """Return the folder of specs of a release, refreshed if its Go modules exist. Raises SystemExit if there are no
    specs.
    """
    specs = _present(release, folder)
    found = {module: modules.find(module, release) for module in (API, MACHINERY)}
    missing = {module: why for module, why in found.items() if isinstance(why, str)}
    if missing:
        for module, why in missing.items():
            say(f"{module} {release}: {why}")
        if specs is None:
            raise SystemExit(f"there are no specs of {release}, and nothing to import them from")
        say("the specs are used as they are committed")
        return specs
    is_new = specs is None
    specs = specs or folder / "api-specs"
    specs.mkdir(parents=True, exist_ok=True)
    if is_new:
        (specs / "features.yaml").write_text(series_of(release), encoding="utf-8")
    changed = import_into(specs, release, Path(found[API]), Path(found[MACHINERY]), modules.features or ())
    if is_new:
        say("this release has no lenses: its types and codecs are compiled, without conversions")
        _take_out_hubs(specs)
    say(f"imported from the Go modules: {'the specs have changed' if changed else 'nothing has changed'}")
    if changed and release in packed_releases():
        say(f"packed again: {pack(specs, release).relative_to(ROOT)}")
    return specs


def _present(release: str, folder: Path) -> Path | None:
    if release == REFERENCE:
        return COMMITTED
    shutil.rmtree(folder / "api-specs", ignore_errors=True)
    return unpack(release, folder) if release in packed_releases() else None


def series_of(release: str) -> str:
    """The line of features.yaml that makes specs those of a release of Kubernetes: v0.36.6 of the Go modules is 1.36."""
    return f'series: {{name: kubernetes, release: "1.{release.split(".")[1]}"}}\n'


def import_into(specs: Path, release: str, api: Path, machinery: Path, features: Sequence[Path] = ()) -> frozenset[str]:
    """Import the Go modules of a release into its folder of specs; returns the files that changed, relative to it.

    Raises SystemExit with the output of `apigen import go` if that fails.
    """
    before = _contents(specs)
    command = [
        sys.executable,
        "-m",
        "apigen",
        "import",
        "go",
        str(api),
        str(machinery / "pkg" / "apis" / "meta" / "v1"),
    ]
    command += ["--module", f"{MACHINERY}={machinery}", "--release", release, "--specs", str(specs)]
    for each in features:
        command += ["--features", str(each)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"importing {release} failed\n{done.stdout[-6000:]}{done.stderr[-2000:]}")
    return frozenset(path for path, _ in before.items() ^ _contents(specs).items())


def _take_out_hubs(specs: Path) -> None:
    """Without `hub:` a group is used unconverted; fields that its versions do not share are no loss then."""
    for path in specs.glob("*/group.yaml"):
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        kept = [re.sub(r", storage: true|storage: true", "", line) for line in lines if not line.startswith("hub:")]
        path.write_text("".join(kept), encoding="utf-8")


def _contents(specs: Path) -> dict[str, bytes]:
    """The spec files below a folder, without the records of imports: these specs are not edited, so they need none."""
    found = (path for path in specs.rglob("*.yaml") if ".imported" not in path.parts)
    return {path.relative_to(specs).as_posix(): path.read_bytes() for path in found}
