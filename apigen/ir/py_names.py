"""Gives every field and enum value its Python name: the given one, the locked one, or one derived from the JSON name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from apigen.diagnostics import Place
from apigen.diagnostics.quoting import quote
from apigen.ir.history import remembered
from apigen.ir.names import field_name, given_name_problem, member_name
from apigen.ir.run import Run
from apigen.language.model import EnumValueSpec, FieldSpec, Located, LockedType


class PyNames:
    """Names the members of one type; `locked` is what the lock has for it, `lock` where."""

    def __init__(self, locked: LockedType | None, lock: Place | None, run: Run) -> None:
        self._given = {given.json_name: given for given in locked.fields} if locked else {}
        self._known = {name: given.py_name for name, given in self._given.items() if given.py_name}
        self._lock = lock
        self._run = run

    def fields(self, specs: Iterable[FieldSpec]) -> Mapping[str, str]:
        """The Python names of a struct's fields by JSON name; those that cannot be named are omitted."""
        names: dict[str, str] = {}
        for spec in specs:
            if not spec.inline:
                self._name(spec.name, spec.place, spec.py_name, field_name(spec.name), names)
        return names

    def values(self, specs: Iterable[EnumValueSpec]) -> Mapping[str, str]:
        """The member names of an enum by value; those that cannot be named are omitted."""
        names: dict[str, str] = {}
        for spec in specs:
            self._name(spec.name, spec.place, spec.py_name, member_name(spec.name), names)
        return names

    def _name(
        self, name: str, place: Place, given: Located[str] | None, derived: str | None, names: dict[str, str]
    ) -> None:
        known = self._known.get(name)
        if given is not None:
            if self._is_usable(name, given, known):
                names[name] = given.value
        elif known is not None:
            names[name] = known
        elif derived is not None:
            names[name] = derived
        else:
            self._run.error(
                "AG0311",
                place,
                f"no Python name can be derived from {quote(name)}",
                hint="set one with `pyName:`",
            )

    def _is_usable(self, name: str, given: Located[str], known: str | None) -> bool:
        problem = given_name_problem(given.value)
        if problem is not None:
            self._run.error("AG0312", given.place, f"the Python name {quote(given.value)} {problem}")
            return False
        if known is not None and known != given.value:
            self._run.error(
                "AG0410",
                given.place,
                f"{quote(name)} has the assigned Python name `{known}`, not {quote(given.value)}",
                hint=f"write `pyName: {known}`, or remove it",
                related=remembered(self._given.get(name), self._lock, f"`{known}`"),
            )
            return False
        return True
