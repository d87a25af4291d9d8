"""The list of mutants that no test detects, each with its reason, and the differences from it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import yaml

from tests.mutation.mutants import Name
from tests.yaml_files import read_yaml

LIST = Path(__file__).with_name("survivors.yaml")


@dataclass(frozen=True, slots=True)
class Survivor:
    """An undetected mutant, and the reason why no test can or need detect it."""

    target: str
    name: Name
    reason: str


def read(path: Path = LIST) -> list[Survivor]:
    """Return the list. Raises ValueError for an entry without a reason, or a duplicate."""
    entries = read_yaml(path.read_text(encoding="utf-8")) or {}
    found = [
        Survivor(target, Name(each["function"], each["statement"], each["change"]), each.get("reason") or "")
        for target, all_ in entries.items()
        for each in all_
    ]
    for one in found:
        if not one.reason.strip():
            raise ValueError(f"{one.name}\n    has no reason")
    if len({(one.target, one.name) for one in found}) != len(found):
        raise ValueError("a survivor is listed twice")
    return found


def differences(
    survived: Iterable[tuple[str, Name]], ended: Iterable[tuple[str, Name]], known: list[Survivor]
) -> list[str]:
    """What the list does not say: a survivor that is not in it, and one in it that is killed, or is no mutant any more.

    `survived` and `ended` are the mutants of the targets that were run, by target.
    """
    survived, ended = set(survived), set(ended)
    listed = {(one.target, one.name) for one in known}
    ran = {target for target, _ in survived | ended}
    return [
        *(
            f"not detected, and not listed: {target}, {name}"
            for target, name in survived
            if (target, name) not in listed
        ),
        *(
            f"is listed as a survivor, and {'is killed' if one in ended else 'is no mutant any more'}: {one[0]}, {one[1]}"
            for one in listed
            if one[0] in ran and one not in survived
        ),
    ]


def as_yaml(target: str, names: Iterable[Name]) -> str:
    """Entries to be given reasons and put into the list."""
    entries = [{"function": n.function, "statement": n.statement, "change": n.change, "reason": ""} for n in names]
    return yaml.safe_dump({target: entries}, sort_keys=False, allow_unicode=True, width=120)
