"""Specs of several times the size of Kubernetes' API: each group again under other names, so that statistics stay what they are.

Names of copies are as long as those that they copy: longer ones would break more lines of the output.
Copies refer to copies: `app2/v1.Deployment` to `cor2/v1.PodTemplateSpec`. meta/v1 and the gates are there once, as they would be.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from apigen.ir.names import package_name
from benchmarks.peers.places import ROOT

SPECS = ROOT / "api-specs" / "kubernetes"
HANDWRITTEN = ROOT / "handwritten"
ONCE = "meta"
_SIGNS = "23456789jkquvwx"
"""Replacements of the last letter of a name in each copy: none is the last letter of a group's name."""
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
        _write(specs / place, text)
        for sign in _SIGNS[: copies - 1]:
            _write(specs / _place(place, sign), _copied(text, referred, sign))
    for path in sorted(HANDWRITTEN.rglob("*.py")):
        text, place = path.read_text(encoding="utf-8"), path.relative_to(HANDWRITTEN)
        _write(handwritten / place, text)
        for sign in _SIGNS[: times - 1]:
            _write(handwritten / _place(place, sign), imported.sub(_renaming(sign), text))


def number_of_fields(specs: Path) -> int:
    """About how many fields the specs have: lines that begin one, in files of versions."""
    files = (path for path in specs.rglob("v*.yaml") if not path.name.endswith(".lock.yaml"))
    return sum(len(_FIELD.findall(path.read_text(encoding="utf-8"))) for path in files)


def _place(place: Path, sign: str) -> Path:
    return Path(_renamed(place.parts[0], sign), *place.parts[1:])


def _copied(text: str, referred: re.Pattern[str], sign: str) -> str:
    return _GROUP.sub(lambda found: f"group: {_renamed(found[1] or 'core', sign)}", referred.sub(_renaming(sign), text))


def _renaming(sign: str) -> Callable[[re.Match[str]], str]:
    return lambda found: _renamed(found[0], sign)


def _renamed(name: str, sign: str) -> str:
    """The name of a group or of its package in a copy: `apps` is `app2`, `admission.k8s.io` is `admissio2.k8s.io`."""
    first = re.split("[._]", name, maxsplit=1)[0]
    return first[:-1] + sign + name[len(first) :]


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
