"""A text for people is a first screen, however many findings there are; all of them where asked for."""

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


@pytest.mark.parametrize("verbose", [False, True])
def test_number_of_reported_findings_is_limited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], verbose: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, letter in (("old", "a"), ("new", "b")):
        values = ", ".join(f"{letter}{number}" for number in range(550))
        Path(f"{name}.yaml").write_text(DEFINITION.format(values=values))
    more = ("--verbose",) if verbose else ()
    assert main(["diff", "old.yaml", "new.yaml", "--no-counterexamples", "--no-cache", *more]) == 1
    text = capsys.readouterr().out
    assert text.count("fingerprint ") == (1100 if verbose else 0)
    assert ("changes in detail: --verbose" in text) is not verbose
    assert (len(text.splitlines()) <= 25) is not verbose
    errors = "2 errors in 1,100 places"  # values are added, and values are removed
    assert errors in text.splitlines()[0] and errors in text.splitlines()[-1]
