"""One case for each tag and rule of Kubernetes' declarative validation, with what it says of new and changed objects."""

from __future__ import annotations

import ast
import importlib
import json
from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent, indent
from typing import Any

import pytest

from tests.generating import generate_package
from tests.validation.case_files import RESULTS, CaseFile, case_files

GROUP = "things.example.com"
GATES = """\
    Off: {owner: sig-frob, stages: [{release: "1.10", stage: alpha}]}
    """
ROOT = Path(__file__).resolve().parents[2]
FILES = {file.name: file for file in case_files()}

RULES = (
    *(f"ratcheting-{number}" for number in range(1, 8)),
    *(
        "required",
        "optional",
        "forbidden",
        "minimum",
        "maximum",
        "min-length",
        "max-length",
        "max-bytes",
        "format",
        "enum",
    ),
    *("enum-exclude", "neq", "monotonic", "min-items", "max-items", "min-properties", "max-properties", "list-type"),
    *(
        "list-map-key",
        "unique",
        "custom-unique",
        "each-val",
        "each-key",
        "item",
        "subfield",
        "if-enabled",
        "if-disabled",
    ),
    *("union-member", "union-discriminator", "zero-or-one-of-member", "mode-discriminator", "if-mode"),
    *("dependent-required", "dependent-forbidden", "immutable", "update", "opaque-type", "custom-validation", "alpha"),
    *("beta", "test-tags", "generator-tags", "lint-rules", "not-implemented"),
)
"""The rules of ratcheting, and all tags that Kubernetes' generator registers."""


def spec_files(file: CaseFile) -> dict[str, str]:
    """The specs of a case file."""
    fields = indent(dedent(file.fields).strip("\n"), "      ")
    unions = f"    unions: {file.unions}\n" if file.unions else ""
    types = indent(dedent(file.types).strip("\n"), "  ")
    return {
        "features.yaml": dedent(GATES),
        f"{GROUP}/group.yaml": (
            f'group: {GROUP}\nversions: {{v1: {{introduced: "1.8", storage: true}}}}\nhub: v1\n'
            "kinds: {Frobber: {scope: Namespaced, plural: frobbers, list: false}}\n"
        ),
        f"{GROUP}/v1.yaml": f"types:\n  Frobber:\n    fields:\n{fields}\n{unions}{types}\n",
    }


class Validator:
    """Validates objects of the kind of a case file, given as JSON values."""

    def __init__(self, file: CaseFile, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        for path, text in spec_files(file).items():
            (folder / "specs" / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / "specs" / path).write_text(text, encoding="utf-8")
        monkeypatch.syspath_prepend(folder)
        self._scheme = importlib.import_module(f"{generate_package(folder / 'specs', folder)}.scheme")

    def errors(self, new: Mapping[str, Any], old: Mapping[str, Any] | None, gates: str) -> list[str]:
        features = self._scheme.features(release="1.13")
        features.set_text(gates)
        strategy = self._scheme.strategy("Frobber")
        if old is None:
            return [str(error) for error in strategy.validate(self._hub(new), features=features)]
        found = strategy.validate_update(self._hub(new), self._hub(old), features=features)
        return [str(error) for error in found]

    def _hub(self, members: Mapping[str, Any]) -> Any:
        document = {"apiVersion": f"{GROUP}/v1", "kind": "Frobber", **members}
        return self._scheme.convert(self._scheme.decode(json.dumps(document).encode(), "application/json"), "hub")


@pytest.mark.parametrize("name", [name for name, file in FILES.items() if file.cases])
def test_cases(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = FILES[name]
    validator = Validator(file, tmp_path, monkeypatch)
    found = {case.says: validator.errors(case.new, case.old, case.gates) for case in file.cases}
    assert found == {case.says: list(case.errors) for case in file.cases}


def test_every_rule_and_tag_has_a_file() -> None:
    assert sorted(FILES) == sorted(RULES)


@pytest.mark.parametrize("file", FILES.values(), ids=FILES)
def test_case_files_have_required_entries(file: CaseFile) -> None:
    assert file.result in RESULTS
    assert file.kubernetes and file.does and file.ours
    assert bool(file.why) == (file.result != "same"), "every difference has a reason"
    assert file.cases or file.tested or file.result == "omitted", "every rule that is not omitted has cases"
    differs = any(list(case.errors) != list(case.kubernetes) for case in file.cases)
    assert not differs or file.result == "different"


@pytest.mark.parametrize("file", [f for f in FILES.values() if f.tested], ids=lambda f: f.name)
def test_referenced_tests_exist(file: CaseFile) -> None:
    for reference in file.tested.split():
        path, _, name = reference.partition("::")
        tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, reference
