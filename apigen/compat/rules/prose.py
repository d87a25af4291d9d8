"""Title, explanation and fix of each rule, from the Markdown file next to the module that defines it.

A section per rule: a heading `## <id>: <title>`, paragraphs that explain it, a paragraph `Fix: …`, and where no finding
of the rule can have a counterexample a paragraph `No counterexample: …` with the reason. It is read when a report shows a
finding of the rule, by `explain` and by the docs.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from apigen.dataclass import dataclass

_HEADING = re.compile(r"^## ([a-z0-9-]+): (.+)$", re.MULTILINE)
_FIX = "Fix: "
_NO_COUNTEREXAMPLE = "No counterexample: "
_PACKAGE = __name__.rpartition(".")[0]


@dataclass(frozen=True, slots=True)
class RuleProse:
    """What people read about a rule; `no_witness` is empty if its findings can have a counterexample."""

    title: str
    explanation: str
    fix: str
    no_witness: str = ""


def prose_of(id_: str, module: str) -> RuleProse:
    """Return the section of a rule.

    Raises:
        KeyError: the file next to `module` has no section for the rule.
    """
    return _sections(module)[id_]


@cache
def _sections(module: str) -> dict[str, RuleProse]:
    folders = module.removeprefix(f"{_PACKAGE}.").split(".")
    text = Path(__file__).parent.joinpath(*folders).with_suffix(".md").read_text(encoding="utf-8")
    _, *parts = _HEADING.split(text)
    return {id_: _section(title, body) for id_, title, body in zip(*[iter(parts)] * 3, strict=True)}


def _section(title: str, body: str) -> RuleProse:
    paragraphs = [" ".join(each.split()) for each in body.strip().split("\n\n")]
    explanation = [each for each in paragraphs if not each.startswith((_FIX, _NO_COUNTEREXAMPLE))]
    return RuleProse(title, " ".join(explanation), _item(_FIX, paragraphs), _item(_NO_COUNTEREXAMPLE, paragraphs))


def _item(name: str, paragraphs: list[str]) -> str:
    return next((each.removeprefix(name) for each in paragraphs if each.startswith(name)), "")
