"""Tests of the unconditional steps of strategies, generated with them: `tests/test_<group>_<kind>_strategy.py`.

They cover fields that are always reset, kept and counted; each row of their tables is an object with one part set.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from apigen.codegen.backend_input import BackendInput
from apigen.codegen.generated_tests.places import KindTests, Plans, Row, constant_of, modules_of_kinds
from apigen.codegen.output import OutputFile
from apigen.codegen.python.source_text import HEADER, Imports, literal
from apigen.codegen.rendering import render
from apigen.codegen.strategies.kinds import strategy_name
from apigen.codegen.strategies.operations import CREATE, STATUS, UPDATE, KindStrategy, Operation
from apigen.codegen.strategies.walks import Gates, Tokens, covers, tokens
from apigen.ir.model import StructType
from apigen.ir.names import Module, snake_case
from apigen.ir.places import BoundPath, FieldStep
from apigen.runtime.errors import with_article

MODULE_DOC = "Fields that the server resets, keeps and counts when {} is created or updated."
_GENERATION = ("metadata", "generation")


def plan(backend_input: BackendInput) -> Iterator[OutputFile]:
    """One module for each kind of which something is reset, kept or counted in any case."""
    return modules_of_kinds(backend_input, "strategy", _StrategyTests)


class _StrategyTests(KindTests):
    def __init__(self, strategy: KindStrategy, plans: Plans, imports: Imports) -> None:
        super().__init__(strategy, plans, imports)
        self._settings = plans.settings(self._root, self._gates_of_parts(), ())

    def text(self) -> str:
        tests = [tests for tests in map(self._tests, self._strategy.operations) if tests is not None]
        if not tests:
            return ""
        strategies = [(self._function(name), literal(name)) for name in ("", *self._strategy.subresources)]
        return render(
            "generated_tests/strategy.py.jinja",
            header=HEADER,
            summary=MODULE_DOC.format(with_article(self._strategy.kind.name)),
            rows=self._rows_type(),
            imports=self._imports.render(),
            tables=self._tables,
            strategies=strategies,
            kind=literal(self._strategy.kind.name),
            title=self._strategy.kind.name,
            type=self._samples.type_name(self._root.id),
            features=self._features(),
            tests=tests,
        )

    def _function(self, subresource: str) -> str:
        module = Module.of(self._root.id.group, self._root.id.version, "strategies")
        return self._imports.name(module, strategy_name(self._strategy, subresource))

    def _tests(self, operation: Operation) -> dict[str, object] | None:
        """Return the tests of the unconditional steps of an operation; None without any.

        Those of `resets`, `keeps` and `bumps` iterate over the table of that name. `start` is the generation of a new
        object, None if that depends on the request.
        """
        if operation.when is not None or operation.fills or operation.sets or operation.adds:
            return None
        name = operation.name
        tables = {
            "resets": self._table(f"reset_by_{name}", operation.resets, operation),
            "keeps": self._table(f"kept_by_{name}", operation.keeps, operation),
            "bumps": self._table(f"counted_by_{name}", self._counted(operation), operation),
        }
        start = self._start(operation)
        if start is None and not any(tables.values()):
            return None
        strategy = self._function("" if name in (CREATE, UPDATE) else name)
        return {"operation": snake_case(name), "strategy": strategy, **tables, "start": start}

    def _counted(self, operation: Operation) -> tuple[BoundPath, ...]:
        """Return the parts whose changes increment the generation; none if other steps determine the parts."""
        if operation.resets:
            return ()
        return tuple(
            path for bump in operation.bumps if tokens(bump.counter.steps) == _GENERATION for path in bump.paths
        )

    def _start(self, operation: Operation) -> int | None:
        starts = [s for s in operation.starts if tokens(s.counter.steps) == _GENERATION and not s.at_least]
        return starts[0].value if len(starts) == 1 and not covers(operation.settled, _GENERATION) else None

    def _table(self, name: str, paths: Iterable[BoundPath], operation: Operation) -> str:
        """Return the name of a constant with an object for each path; empty if there are no objects."""
        rows_of_paths = [(path, row) for path in paths if (row := self._row(path, operation))]
        rows = tuple(row for _, row in rows_of_paths)
        if not rows:
            return ""
        parts = {tokens(path.steps)[0] for path, _ in rows_of_paths}
        part = STATUS if parts == {STATUS} else "spec" if parts.isdisjoint({STATUS, "metadata"}) else ""
        names = (free.upper() for free in (part, snake_case(name)) if free)
        return constant_of(self._tables, rows, _table_doc(with_article(self._strategy.kind.name), part), names)

    def _row(self, path: BoundPath, operation: Operation) -> Row | None:
        last = path.steps[-1]
        if not isinstance(last, FieldStep) or not all(isinstance(step, FieldStep) for step in path.steps):
            return None
        place = tokens(path.steps)
        if any(tokens(each.path.steps)[: len(place)] == place for each in operation.excepts):
            return None
        gates = self._gates_above(operation, place)
        if gates is None or (gates and self._settings is None):
            return None

        def make() -> str:
            value = self._samples.field_value(last.field)
            return self._samples.holding(StructType(self._root.id), path.steps, value)

        return self._plans.row(self._root, path.steps, make)

    # --- gates

    def _gates_of_parts(self) -> frozenset[str]:
        """The gates without which a part would be dropped before anything else happens to it."""
        found: set[str] = set()
        for operation in self._strategy.operations:
            counted = (path for bump in operation.bumps for path in bump.paths)
            for path in (*operation.resets, *operation.keeps, *counted):
                found |= self._gates_above(operation, tokens(path.steps)) or frozenset()
        return frozenset(found)

    def _gates_above(self, operation: Operation, place: Tokens) -> frozenset[str] | None:
        """Return the gates that must be enabled to keep a part; None if it is always dropped."""
        found: set[str] = set()
        for step in operation.drops:
            if self._plans.dropped.has_at_or_above(step.drop, place):
                if not isinstance(step.walk.off, Gates):
                    return None
                found |= set(step.walk.off.names)
        return frozenset(found)

    def _features(self) -> str:
        settings = self._settings or self._plans.settings(self._root, (), ())
        assert settings is not None, "no gate setting is needed"
        return settings


def _table_doc(kind: str, part: str) -> str:
    if not part:
        return f"Functions that make {kind} with one part set, by that part."
    return f"Functions that make {kind} with one field of its {part} set, by that field."
