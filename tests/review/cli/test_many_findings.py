"""A text for people tells a thousand findings, and counts the rest."""

from __future__ import annotations

from pathlib import Path

import pytest

from apigen.cli.main import main

DEFINITION = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {{name: things.example.com}}
spec:
  group: example.com
  names: {{kind: Thing, plural: things, singular: thing, listKind: ThingList}}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          size: {{type: string, enum: [{values}]}}
"""


@pytest.mark.parametrize(("more", "told", "rest"), [((), 1000, True), (("--verbose",), 1100, False)])
def test_the_most_that_is_told(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    more: tuple[str, ...],
    told: int,
    rest: bool,
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, letter in (("old", "a"), ("new", "b")):
        values = ", ".join(f"{letter}{number}" for number in range(550))
        Path(f"{name}.yaml").write_text(DEFINITION.format(values=values))
    assert main(["diff", "old.yaml", "new.yaml", "--no-witnesses", "--no-cache", *more]) == 1
    text = capsys.readouterr().out
    assert text.count("fingerprint ") == told
    assert ("… 100 more; --verbose shows them" in text) is rest
    assert "1100 errors" in text.splitlines()[-1].replace(",", "")
