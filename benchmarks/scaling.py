"""Specs of several times the size of Kubernetes' API: each group again under other names, so that statistics stay what they are.

Copies refer to copies: `apps-2/v1.Deployment` to `core-2/v1.PodTemplateSpec`. meta/v1 and the gates are there once, as they would be.
"""

from __future__ import annotations

import re
from pathlib import Path

from apigen.python.modules import package_name
from benchmarks.peers.places import ROOT

SPECS = ROOT / "api-specs" / "kubernetes"
HANDWRITTEN = ROOT / "handwritten"
ONCE = "meta"
_FIELD = re.compile(r"^ {6}[\w./$-]+:", re.MULTILINE)
_GROUP = re.compile(r'^group: "?([\w.]*)"?', re.MULTILINE)


def write_scaled(times: int, specs: Path, handwritten: Path) -> None:
    """Write specs of `times` Kubernetes, and the hand-written functions that belong to them."""
    names = sorted(path.name for path in SPECS.iterdir() if path.is_dir() and path.name != ONCE)
    referred = re.compile(rf"(?<![\w./-])({'|'.join(map(re.escape, names))})(?=/(?:v\d\w*|hub)\b)")
    packages = "|".join(package_name(name) for name in names)
    imported = re.compile(rf"(?<=generated\.)({packages})(?=\.| import)|(?<=_as_)({packages})(?=_)")
    for path in sorted(SPECS.rglob("*.yaml")):
        text, place = path.read_text(encoding="utf-8"), path.relative_to(SPECS)
        copies = 1 if place.parts[0] not in names else times
        for number in range(1, copies + 1):
            _write(specs / _place(place, number), _copied(text, referred, number) if number > 1 else text)
    for path in sorted(HANDWRITTEN.rglob("*.py")):
        text, place = path.read_text(encoding="utf-8"), path.relative_to(HANDWRITTEN)
        for number in range(1, times + 1):
            new = imported.sub(rf"\g<0>_{number}", text) if number > 1 else text
            _write(handwritten / _place(place, number, "_"), new)


def number_of_fields(specs: Path) -> int:
    """About how many fields the specs have: lines that begin one, in files of versions."""
    files = (path for path in specs.rglob("v*.yaml") if not path.name.endswith(".lock.yaml"))
    return sum(len(_FIELD.findall(path.read_text(encoding="utf-8"))) for path in files)


def _place(place: Path, number: int, sign: str = "-") -> Path:
    return place if number == 1 else Path(f"{place.parts[0]}{sign}{number}", *place.parts[1:])


def _copied(text: str, referred: re.Pattern[str], number: int) -> str:
    renamed = referred.sub(rf"\1-{number}", text)
    return _GROUP.sub(lambda found: f"group: {_renamed(found[1] or 'core', number)}", renamed)


def _renamed(group: str, number: int) -> str:
    """Another group: the number goes to its first label."""
    first, dot, rest = group.partition(".")
    return f"{first}-{number}{dot}{rest}"


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
