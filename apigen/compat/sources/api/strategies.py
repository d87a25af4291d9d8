"""What a kind's strategy does to objects before they are stored, as stable text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from apigen.compat.sources.api.marks import mark_of
from apigen.compat.sources.api.words import condition_words, literal
from apigen.spec.model import ExceptionSpec, GenerationSpec, LiteralNode, OperationSpec, StrategySpec
from apigen.spec.paths import Path

Said = tuple[str, str]


def strategy_of(strategy: StrategySpec) -> tuple[Said, ...]:
    """What a strategy says beyond what every kind does, each by what it is about; order means nothing but among hooks."""
    return tuple(sorted(_said(strategy)))


def _said(strategy: StrategySpec) -> Iterator[Said]:
    if strategy.generation is not None:
        yield "generation", _generation(strategy.generation)
    for path, counter in strategy.counters:
        yield f"counter {path.text}", _generation(counter)
    for name, operation in strategy.operations:
        for what, text in _operation(operation):
            yield f"{name} {what}", text
    if strategy.hooks:
        yield "hooks", ", ".join(each.value for each in strategy.hooks)


def _generation(found: GenerationSpec) -> str:
    if found.none:
        return "none"
    words = ["as it comes" if found.start is None else f"from {found.start}{' at least' if found.at_least else ''}"]
    if found.bump is not None:
        words.append(f"moves with {_paths(found.bump)}")
    flags = (
        (found.before_drop, "before dropping"),
        (found.exact, "told exactly"),
        (found.from_new, "from the submitted object"),
    )
    return "; ".join((*words, *(word for holds, word in flags if holds)))


def _operation(operation: OperationSpec) -> Iterator[Said]:
    """Paths of one list are in no order; what is set or added is."""
    if operation.keep is not None:
        yield "keeps", _paths(operation.keep)
    if operation.except_:
        yield "changes nevertheless", ", ".join(sorted(map(_exception, operation.except_)))
    if operation.reset is not None:
        yield "resets", _paths(operation.reset)
    if operation.fill:
        yield "fills", _paths(operation.fill)
    if operation.sets:
        yield "sets", _assigned(operation.sets)
    if operation.adds:
        yield "adds", _assigned(operation.adds)
    if operation.when is not None:
        yield "when", condition_words(operation.when)


def _exception(found: ExceptionSpec) -> str:
    mark = mark_of(found.gate)
    if mark is None:
        return found.path.text
    gates = (" or " if mark.is_any else " and ").join(mark.gates)
    return f"{found.path.text} (gate {gates}{f'; {mark.words}' if mark.words else ''})"


def _assigned(found: Iterable[tuple[Path, LiteralNode]]) -> str:
    return ", ".join(f"{path.text}: {literal(value)}" for path, value in found)


def _paths(paths: Iterable[Path]) -> str:
    return ", ".join(sorted(path.text for path in paths)) or "nothing"
