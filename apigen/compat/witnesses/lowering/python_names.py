"""Python names of fields and values in specs that are thrown away: an input may have no name, or one for two of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from apigen.ir.names import given_name_problem


def given_names(names: Iterable[str], derived: Callable[[str], str | None], otherwise: str) -> dict[str, str]:
    """The `pyName`s of those that cannot have the derived one, or not alone: `otherwise` with a number."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for number, name in enumerate(names):
        own = derived(name)
        if own is None or own in taken or given_name_problem(own) is not None:
            own = found[name] = f"{otherwise}{number}"
        taken.add(own)
    return found
