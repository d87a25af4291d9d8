"""Tests of the effects of gates, generated with the code that they test: `tests/test_<group>_<kind>_gates.py`.

They need only the package itself; pytest collects them, and the name of each test has the state of the gate.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import chain

from apigen.codegen.backend_input import BackendInput
from apigen.codegen.generated_tests.places import (
    KindTests,
    Place,
    Plans,
    Rows,
    constant_of,
    enum_places,
    modules_of_kinds,
    other_gates,
    sample,
)
from apigen.codegen.output import OutputFile
from apigen.codegen.python.source_text import HEADER, Imports, free_names, literal
from apigen.codegen.rendering import render
from apigen.codegen.strategies.kinds import prepare_name
from apigen.codegen.strategies.operations import CREATE, STATUS, DropStep, KindStrategy, Operation
from apigen.codegen.strategies.walks import Closed, Off, Removed, gates_of
from apigen.codegen.validation.backend import condition_words
from apigen.dataclass import replace
from apigen.ir.model import Enum, EnumValue, Release, StructType
from apigen.ir.names import Module, package_name, snake_case
from apigen.ir.places import FieldStep
from apigen.runtime.errors import with_article

MODULE_DOC = "Feature gates of {}, each enabled and disabled."


def plan(backend_input: BackendInput) -> Iterator[OutputFile]:
    """One module for each kind that has gated fields or enum values."""
    return modules_of_kinds(backend_input, "gates", _GateTests)


class _GateTests(KindTests):
    def __init__(self, strategy: KindStrategy, plans: Plans, imports: Imports) -> None:
        super().__init__(strategy, plans, imports)
        self._kind = strategy.kind.name
        self._drops: list[Mapping[str, object]] = []
        self._enums: list[Mapping[str, object]] = []

    def text(self) -> str:
        for operation in self._strategy.operations:
            for step in operation.drops:
                self._drop_tests(operation, step)
        for enum, value in self._plans.holders.rolled_out_below(self._root.id):
            if not self._plans.api.is_value(self._root.id, enum.id):
                self._enum_tests(enum, value)
        if not self._tables:
            return ""
        return render(
            "generated_tests/gates.py.jinja",
            header=HEADER,
            summary=MODULE_DOC.format(self._kind),
            rows=self._rows_type(),
            imports=self._imports.render(),
            tables=self._tables,
            drops=self._drops,
            enums=self._enums,
        )

    def _type(self) -> str:
        return self._samples.type_name(self._root.id)

    def _function(self, module: str, name: str) -> str:
        return self._imports.name(Module.of(self._root.id.group, self._root.id.version, module), name)

    # --- fields

    def _drop_tests(self, operation: Operation, step: DropStep) -> None:
        """Add the tests of one walk, by the other gates that must be enabled so that only it decides."""
        dropped = self._plans.dropped
        pairs_items = step.walk.by_place or bool(operation.excepts)  # its keys are not in samples
        samples = replace(self._samples, among_others=not pairs_items)
        groups: dict[frozenset[str], list[Place]] = {}
        for place in dropped.of(step.drop):
            others = other_gates(place, step.walk, operation, dropped)
            if others is not None and place.rule is not None and place.rule.when is None:
                groups.setdefault(others, []).append(place)
        for others, places in groups.items():
            found = (
                self._plans.row(self._root, each.steps, partial(sample, each, self._root.id, samples), samples.index)
                for each in places
            )
            rows = tuple(filter(None, found))
            states = self._states(step.walk.off, others)
            if rows and states is not None:
                self._add_drops(operation, step, rows, states)

    def _add_drops(self, operation: Operation, step: DropStep, rows: Rows, states: tuple[str, str]) -> None:
        """Add the values of the template for the tests of one operation and gate.

        `spares_used`: fields that the old object uses are kept. `without_is_unused`: an object without the field does
        not use it, so an update that adds the field drops it.
        """
        walk, name = step.walk, snake_case(operation.name)
        title = walk.off.title or f"{walk.label} ({walk.off.label})"
        spares_used = walk.by_place or (walk.use is not None and walk.use.condition is None)
        reason = f", {literal(walk.off.reason)}" if walk.off.reason else ""
        used_labels = {test["label"] for test in self._drops if test["operation"] == name}
        test = {
            "label": next(free for free in free_names(walk.label, "_") if free not in used_labels),
            "title": title,
            "operation": name,
            "is_create": operation.name == CREATE,
            "prepare": self._function("strategies", prepare_name(self._strategy, operation.name)),
            "table": self._table(
                walk.label,
                operation.name,
                rows,
                f"Functions that make {with_article(self._kind)} that uses {title}, by field.",
            ),
            "on": states[0],
            "off": states[1],
            "empty": f"{self._type()}()",
            "spares_used": spares_used,
            "without_is_unused": spares_used and not operation.excepts,
            "warning": f"{self._imports.runtime('Dropped')}(path, {literal(walk.off.title)}{reason})",
        }
        self._drops.append(test)

    def _table(self, label: str, operation: str, rows: Rows, doc: str) -> str:
        """The constant for a table; equal ones are the same."""
        longer = free_names(f"{label}_{snake_case(operation)}".upper(), "_")
        return constant_of(self._tables, rows, doc, chain((label.upper(),), longer))

    def _states(self, off: Off, others: frozenset[str]) -> tuple[str, str] | None:
        """Return the settings with the gates enabled and disabled: for a removed field, the previous release and the release of the
        removal. None if they do not exist.
        """
        find = partial(self._plans.settings, self._root)
        if isinstance(off, Closed):
            return None
        if isinstance(off, Removed):
            return _both(find(others, (), [_previous(off.release)]), find(others, (), [off.release]))
        return _both(find({*off.names, *others}, ()), find(others, off.names))

    def _states_of_value(self, value: EnumValue) -> tuple[str, str] | None:
        """The settings with which a value is accepted and rejected: with its gates enabled and disabled, in the release that
        introduces it and the one in which it is tolerated, or before the release that removes it and in that one.
        """
        removed = value.lifecycle.removed
        if value.gate is not None:
            return None if removed is not None else self._states(gates_of(value.gate), frozenset())
        if value.tolerated is None and removed is not None:
            return self._states(Removed(removed), frozenset())
        if value.tolerated is None or value.lifecycle.introduced is None:
            return None
        find = partial(self._plans.settings, self._root, (), ())
        return _both(find([value.lifecycle.introduced]), find([value.tolerated]))

    # --- enum values

    def _enum_tests(self, enum: Enum, value: EnumValue) -> None:
        states = self._states_of_value(value)
        new: list[tuple[str, str]] = []
        later: list[tuple[str, str]] = []
        for steps in enum_places(self._root.id, enum.id, self._plans.holders):
            make = partial(self._samples.holding, StructType(self._root.id), steps, literal(value.value))
            row = self._plans.row(self._root, steps, make, self._samples.index)
            if row is not None:
                first = steps[0]
                is_status = isinstance(first, FieldStep) and first.field.json_name == STATUS
                # the status is not validated on creation
                (later if is_status and STATUS in self._strategy.subresources else new).append(row)
        for rows, old in ((new, "None"), (later, f"{self._type()}()")):
            if states is None or not rows:
                continue
            label = self._enum_label(enum, value) + ("_in_status" if old != "None" else "")
            doc = f"Functions that make {with_article(self._kind)} with {value.value}, by field."
            names, titles = _states_of(value)
            test = {
                "label": label,
                "value": value.value,
                "names": names,
                "titles": titles,
                "check": self._function("validation", f"check_{self._root.snake_name}"),
                "table": self._table(label, "validation", tuple(rows), doc),
                "on": states[0],
                "off": states[1],
                "old": old,
                "error": literal(f"only allowed if {condition_words(value)}"),
            }
            self._enums.append(test)

    def _enum_label(self, enum: Enum, value: EnumValue) -> str:
        """Return the name of the tests of a value: that of its enum, with the group if two groups have an enum of that
        name.
        """
        label = f"{enum.snake_name}_{snake_case(value.value) or 'empty'}"
        others = [e.id for e, v in self._plans.holders.rolled_out_below(self._root.id) if v.value == value.value]
        if any(id_.name == enum.id.name and id_ != enum.id for id_ in others):
            return f"{package_name(enum.id.group)}_{label}"
        return label


def _previous(release: Release) -> Release:
    return Release(release.major, release.minor - 1)


def _both(on: str | None, off: str | None) -> tuple[str, str] | None:
    """Return two settings if there are both."""
    return None if on is None or off is None else (on, off)


def _states_of(value: EnumValue) -> tuple[tuple[str, str], tuple[str, str]]:
    """Return the parts of test names for the state in which a value is rejected, and for that in which it is accepted, and
    the titles of these states in docstrings.
    """
    if value.gate is not None:
        title = gates_of(value.gate).title
        return ("with_gate_off", "with_gate_on"), (f"{title} disabled", f"{title} enabled")
    if value.tolerated is None and value.lifecycle.removed is not None:
        before, after = str(value.lifecycle.removed), str(_previous(value.lifecycle.removed))
    else:
        before, after = str(value.tolerated), str(value.lifecycle.introduced)
    names = (f"in_{before}".replace(".", "_"), f"in_{after}".replace(".", "_"))
    return names, (f"Release {before}", f"Release {after}")
