"""Nothing in the specs of this project is idle: without it, the compiler rejects them or a record comes out wrong.

Taken away in turn: each lens, each default and each hand-written function, and of lenses and defaults with several words
or cases each of these.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TypeVar

import pytest

from apigen.language.model import ApiSpec
from tests.kubernetes.checking import Checker
from tests.kubernetes.compiling import Rejected, compiled, written_functions, written_spec
from tests.kubernetes.own_records import OWN_CONVERSIONS, OWN_DEFAULTINGS
from tests.kubernetes.records import DATA, Conversion, Defaulting, conversions, defaultings
from tests.kubernetes.removing import Removal, functions_in, removals, without_functions
from tests.kubernetes.whole import own

BACKENDS = ("types", "json", "copying", "defaults", "conversions")
"""Those that these records need."""

TOGETHER = {"autoscaling": ("autoscaling", "apps")}
"""Groups that are compiled together, so that there is a version to convert to. Groups that others name come by themselves."""

REMOVALS = 190
FUNCTIONS = 2
"""How many there are: the specs are not read while tests are collected."""

OWN_DEFAULTINGS_OF_GROUPS = [record for group in own.groups() for record in own.own_defaultings(group)]
OWN_CONVERSIONS_OF_GROUPS = [record for group in own.groups() for record in own.own_conversions(group)]

UNNOTICED: dict[str, str] = {}
"""What is idle today, and why. An entry that is noticed after all fails."""

R = TypeVar("R", Conversion, Defaulting)


@cache
def all_removals() -> list[Removal]:
    """The removals of lenses and defaults, of all groups."""
    return list(removals(written_spec()))


@cache
def all_functions() -> list[tuple[Path, str]]:
    """The file and the name of each hand-written function."""
    return [(file, function) for file, text in written_functions().items() for function in functions_in(text)]


def test_records_agree_without_removals(tmp_path: Path) -> None:
    """Otherwise every removal would be reported as detected."""
    groups = sorted({removal.group for removal in all_removals()})
    assert {group: found for group in groups if (found := noticed(tmp_path / group, written_spec(), group))} == {}


@pytest.mark.slow
@pytest.mark.parametrize("number", range(REMOVALS))
def test_each_removal_is_detected(tmp_path: Path, number: int) -> None:
    removal = all_removals()[number]
    concerned = None if removal.version == "hub" else f"{removal.group}/{removal.version}"
    seen = noticed(tmp_path, removal.spec, removal.group, concerned)
    if removal.what in UNNOTICED:
        assert not seen, f"{removal} is detected: delete it from UNNOTICED"
    elif not seen:
        pytest.fail(f"{removal} has no effect")


@pytest.mark.parametrize("number", range(FUNCTIONS))
def test_removal_of_hand_written_functions_is_detected(tmp_path: Path, number: int) -> None:
    file, function = all_functions()[number]
    written = written_functions()
    others = [name for name in functions_in(written[file]) if name != function]
    less = {**written, file: without_functions(written[file], others)}
    assert noticed(tmp_path, written_spec(), file.parts[0], functions=less), f"{function} has no effect"


def test_removals_cover_all_declarations() -> None:
    """Exact numbers, so that a missing removal fails the test."""
    assert len(all_removals()) == REMOVALS
    assert len(all_functions()) == FUNCTIONS
    assert UNNOTICED.keys() <= {removal.what for removal in all_removals()}


def noticed(
    folder: Path,
    spec: ApiSpec,
    group: str,
    concerned: str | None = None,
    functions: Mapping[Path, str] | None = None,
) -> str:
    """The first thing that is wrong with these specs, or "". Only records of the version `concerned` are looked at."""
    groups = TOGETHER.get(group, (group,))
    try:
        with compiled(folder, spec, functions=functions, groups=groups, backends=BACKENDS) as package:
            problems = wrong_records(Checker(package), concerned)
            return next(problems, "") or next(undeclared_defaults(spec, group), "")
    except Rejected as rejected:
        return str(rejected)


def wrong_records(checker: Checker, concerned: str | None) -> Iterator[str]:
    """What is wrong with the records of the kinds that there are."""
    for defaulting in (*OWN_DEFAULTINGS, *OWN_DEFAULTINGS_OF_GROUPS, *defaultings()):
        if checker.has(defaulting.kind, defaulting.version) and concerned in (None, defaulting.version):
            yield from told(defaulting, checker.defaulting)
    for conversion in (*OWN_CONVERSIONS, *OWN_CONVERSIONS_OF_GROUPS, *conversions()):
        versions = (conversion.source, conversion.target)
        if checker.has(conversion.kind, *versions) and (concerned is None or concerned in versions):
            yield from told(conversion, checker.conversion)


def told(record: R, checker: Callable[[R], str]) -> Iterator[str]:
    if problem := checker(record):
        yield f"{record}: {problem}"


def undeclared_defaults(spec: ApiSpec, group: str) -> Iterator[str]:
    """Defaults that Kubernetes' types declare and these specs do not have; one of zero is seen in documentation only."""
    fields = {
        (version.name, type_.name, field.name): field
        for version in next(g for g in spec.groups if g.folder == group).version_files
        for type_ in version.types
        for field in type_.fields
    }
    for path in sorted((DATA / "facts").glob("*/*.json")):
        package = json.loads(path.read_text(encoding="utf-8"))
        for type_ in package["types"] if package["group"] == group else ():
            for field in type_.get("fields", ()):
                if "default" in field and not fields[package["version"], type_["go"], field["json"]].default:
                    yield f"{package['group']}/{package['version']}.{type_['go']}.{field['json']} has a default"
