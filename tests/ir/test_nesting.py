"""Structs that lead from one to the next: as far as every stage follows they are taken, further not, and never is it a bug."""

from __future__ import annotations

from pathlib import Path

import pytest

from apigen.cli.main import main
from apigen.ir.check_types import MAX_NESTING

GROUP = """
group: chain.example.com
versions:
  v1beta1: {introduced: "1.1", deprecated: "1.4", removed: "1.7"}
  v1: {introduced: "1.2", storage: true}
hub: v1
kinds:
  Thing: {scope: Namespaced, plural: things}
"""
LINKS = {
    "a struct": "{type: S%d, doc: Leads on}",
    "a pointer": "{type: S%d, optional: true, doc: Leads on}",
    "a list": "{type: '[]S%d', omitEmpty: true, listType: atomic, doc: Leads on}",
    "a map": "{type: 'map[string]S%d', omitEmpty: true, doc: Leads on}",
}
"""How a struct can lead to the next."""

OWN = "mode: {type: Mode, required: false, default: A, doc: A mode}, width: {type: int32, optional: true, featureGate: Wide, minimum: 0, doc: A width}"


def chain(link: str, length: int) -> str:
    """A kind and structs in a row, so many in all, each with what must be looked for in those before it."""
    steps = "".join(
        f"  S{number}: {{doc: A step, fields: {{next: {link % (number + 1)}, {OWN}}}}}\n" for number in range(2, length)
    )
    last = f"  S{length}: {{doc: The last, fields: {{{OWN}}}}}\n"
    mode = "  Mode: {doc: A mode, enum: {A: {doc: One}, B: {doc: Another, featureGate: Wide}}, unknown: A}\n"
    return f"types:\n  Thing: {{doc: A thing, fields: {{next: {link % 2}}}}}\n{steps}{last}{mode}"


def project(folder: Path, link: str, length: int) -> None:
    group = folder / "api-specs/chain.example.com"
    group.mkdir(parents=True)
    (folder / "pyproject.toml").write_text('[tool.apigen]\npackage = "chains"\n', encoding="utf-8")
    (folder / "api-specs/features.yaml").write_text(
        'Wide: {owner: somebody, doc: Widths., stages: [{release: "1.1", stage: alpha}]}\n', encoding="utf-8"
    )
    (group / "group.yaml").write_text(GROUP, encoding="utf-8")
    for version in ("v1", "v1beta1"):
        (group / f"{version}.yaml").write_text(chain(link, length), encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("name", LINKS)
def test_maximum_nesting_is_accepted_by_every_stage(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project(tmp_path, LINKS[name], MAX_NESTING)
    monkeypatch.chdir(tmp_path)
    assert main(["generate"]) == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", LINKS)
@pytest.mark.parametrize("command", ["lint", "generate"])
def test_nesting_over_the_limit_is_an_error_with_location(
    name: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project(tmp_path, LINKS[name], 1_200)
    monkeypatch.chdir(tmp_path)
    assert main([command]) == 1
    assert f"v1beta1.yaml:{MAX_NESTING + 2}:3: error AG0332: " in "".join(capsys.readouterr())


@pytest.mark.slow
def test_recursive_structs_are_exempt_from_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tree is as deep as its objects, not as its types."""
    project(tmp_path, LINKS["a pointer"], MAX_NESTING)
    path = tmp_path / "api-specs/chain.example.com/v1.yaml"
    text = path.read_text(encoding="utf-8")
    for number in range(2, MAX_NESTING):
        text = text.replace(
            f"S{number}: {{doc: A step, fields: {{",
            f"S{number}: {{doc: A step, fields: {{back: {{type: S{number // 2 + 1}, optional: true, doc: Leads back}}, ",
            1,
        )
    path.write_text(text, encoding="utf-8")
    path.with_name("v1beta1.yaml").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["lint"]) == 0
