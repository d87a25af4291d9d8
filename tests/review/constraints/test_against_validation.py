"""Results compared with generated validation: values in safe directions are accepted, and examples show their finding."""

from __future__ import annotations

import importlib
import json
import re
from pathlib import Path
from typing import Any

import pytest

from apigen.diagnostics import Report
from apigen.inputs.source import Setting
from apigen.review.finding import Finding, Review
from apigen.review.results import ABSENT, Direction, Example, Side
from apigen.review.review import review
from apigen.review.sources.loading import load
from tests.generating import generate_package
from tests.review.cases import write_specs
from tests.review.constraints.randomized import Pair, pairs

_NUMBER = 80
_PLACE = re.compile(r"(?:f|Union|Enum)(\d+)x")


class Server:
    """Generated code of one side."""

    def __init__(self, made: list[Pair], side: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        types = {"Thing": {"fields": {"spec": {"type": "ThingSpec", "required": False}}}}
        types["ThingSpec"] = {"fields": {pair.name: pair.fields[side] for pair in made}}
        for pair in made:
            types |= pair.types[side]
        specs = write_specs({"types": types, "hub": "v1"}, folder / str(side))
        report = Report()
        surface = load(str(specs), Setting(folder), report)
        assert surface is not None and not report.has_errors
        self.surface = surface
        monkeypatch.syspath_prepend(folder)
        self._scheme: Any = importlib.import_module(f"{generate_package(specs, folder)}.scheme")
        self._strategy = self._scheme.strategy("Thing")

    def rejects(self, pair: Pair, members: dict[str, Any], *, is_stored: bool = False) -> str:
        """Why a value of a pair is rejected; empty if it is not. One that is stored is sent again as it is."""
        thing = {"apiVersion": "things.example.com/v1", "kind": "Thing", "spec": members}
        try:
            decoded = self._scheme.decode(json.dumps(thing).encode(), "application/json")
        except ValueError as error:
            return str(error)
        hub = self._scheme.convert(decoded, "hub")
        features = self._scheme.features()
        if is_stored:
            errors = self._strategy.validate_update(hub, self._scheme.copy(hub), features=features)
        else:
            errors = self._strategy.validate(hub, features=features)
        return "; ".join(str(error) for error in errors if f"spec.{pair.name}" in error.path)


def findings(of: Review, number: int) -> dict[int, list[Finding]]:
    """The findings by the number of the pair that they are about."""
    found: dict[int, list[Finding]] = {index: [] for index in range(number)}
    for finding in of.findings:
        match = _PLACE.match(finding.element.path) or _PLACE.match(finding.element.type)
        if match is not None:
            found[int(match[1])].append(finding)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_results_agree_with_validation(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = pairs(seed, _NUMBER)
    old, new = (Server(made, side, tmp_path, monkeypatch) for side in (0, 1))
    by_pair = findings(review(old.surface, new.surface), _NUMBER)
    wrong: list[str] = []
    for index, pair in enumerate(made):
        effect = {direction for finding in by_pair[index] for direction in finding.effects}
        for value in pair.values:
            members = {pair.name: value}
            before, after = old.rejects(pair, members), new.rejects(pair, members)
            if after and not before and Direction.OLD_CLIENT not in effect:
                wrong.append(f"{pair} forward with {value!r}: {after}")
            if before and not after and Direction.NEW_CLIENT not in effect:
                wrong.append(f"{pair} backward with {value!r}: {before}")
            stuck = old.rejects(pair, members, is_stored=True)
            if stuck and not after and Direction.ROLLBACK not in effect:
                wrong.append(f"{pair} after a rollback with {value!r}: {stuck}")
        for finding in by_pair[index]:
            wrong.extend(_wrong_examples(pair, finding, old, new))
    assert wrong == []
    assert "unclassified-change" not in {each.rule for found in by_pair.values() for each in found}


def _wrong_examples(pair: Pair, finding: Finding, old: Server, new: Server) -> list[str]:
    """Return the examples that their own side rejects. Counterexamples test what the other side does with them."""
    found = []
    for example in finding.result.examples:
        if finding.rule.startswith("rule-") or "default" in finding.rule:
            continue
        server = old if example.written_by is Side.OLD else new
        rejected = server.rejects(pair, {pair.name: _value(pair, example)})
        if rejected:
            found.append(f"{finding.rule} of {pair}: {example} is rejected by its own side: {rejected}")
    return found


def _value(pair: Pair, example: Example) -> Any:
    return dict(example.siblings) if example.value is ABSENT else example.value
