"""Plan the functions that find and drop gated data: one per gate and struct, shared by all kinds that contain it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from apigen.codegen.python.source_text import free_names
from apigen.codegen.strategies.places import Child, Places, Suppressed, covers, inside, replaced_by
from apigen.codegen.strategies.rules import DropRule, DropWalk, Gates, Off, Tokens, Use, tokens
from apigen.dataclass import dataclass, field, replace
from apigen.ir.conditions import parts
from apigen.ir.generated_modules import Module
from apigen.ir.types import TypeId
from apigen.language.paths import Condition, GateEnabled

NOTHING: Suppressed = frozenset()


def names_gate(condition: Condition | None) -> bool:
    """Return whether a condition depends on a gate."""
    return condition is not None and any(isinstance(part, GateEnabled) for part in parts(condition))


Walk = Use | DropWalk


@dataclass(frozen=True, slots=True)
class FunctionKey:
    """A function of `module`: a walk through a struct, except for suppressed paths."""

    walk: Walk
    struct: TypeId
    suppressed: Suppressed
    module: Module


@dataclass(frozen=True, slots=True)
class PlannedFunction:
    """A function: the rules of the struct itself, with those of their paths that no rule further out took over, and the
    functions that it calls for structs in it.
    """

    key: FunctionKey
    name: str
    rules: tuple[DropRule, ...]
    calls: tuple[tuple[Child, FunctionKey], ...]


@dataclass(slots=True)
class WalkPlanner:
    """Collects the requested functions and all functions that they call, each once, and names them."""

    places: Places
    scope: Iterable[TypeId]
    """Return the structs that kinds can contain."""
    planned: dict[FunctionKey, PlannedFunction] = field(default_factory=dict)
    _names: dict[tuple[Module, str], FunctionKey] = field(default_factory=dict)
    _reach: dict[Walk, frozenset[TypeId]] = field(default_factory=dict)
    _asking: dict[DropWalk, bool] = field(default_factory=dict)
    _rules_by_walk: dict[DropWalk | Off | Use, list[DropRule]] | None = None
    """The rules by the properties that walks distinguish; they are computed once, because there are as many walks as
    gates.
    """
    _of_module: dict[Module, list[FunctionKey]] = field(default_factory=dict)

    def walks(self, root: TypeId) -> Iterator[DropWalk]:
        """Return the walks that may drop fields of an object of a kind, in the order of its rules from the outside in."""
        found = dict.fromkeys(
            rule.walk for id_ in self.places.below(root) for rule in self.places.rules(id_) if rule.is_live
        )
        return (walk for walk in found if self._is_live(walk, root, NOTHING))

    def request(
        self, walk: Walk, struct: TypeId, suppressed: Suppressed, asking: TypeId, suffix: str = ""
    ) -> FunctionKey | None:
        """Return the function for a walk through a struct; None if no rule applies.

        A function without suppressed paths is put into the struct's module, others into that of `asking`, the type
        with the rule that suppresses them; `suffix` makes its name unique.
        """
        suppressed = frozenset(path for path in suppressed if self._matters(walk, struct, path))
        if not self._is_live(walk, struct, suppressed):
            return None
        module_of = asking if suppressed else struct
        key = FunctionKey(walk, struct, suppressed, Module.of(module_of.group, module_of.version, "strategies"))
        if key not in self.planned:
            self._plan(key, asking, suffix)
        return key

    def queries_gates(self, walk: Walk) -> bool:
        """Return whether conditions of the walk's rules name gates, so that its functions need the features."""
        if isinstance(walk, Use):
            return names_gate(walk.condition)
        if walk not in self._asking:
            self._asking[walk] = any(names_gate(rule.when) for rule in self._rules(walk))
        return self._asking[walk]

    def functions(self, module: Module) -> tuple[PlannedFunction, ...]:
        """The functions of a module, in the order of their first request."""
        return tuple(self.planned[key] for key in self._of_module.get(module, ()))

    def _plan(self, key: FunctionKey, asking: TypeId, suffix: str) -> None:
        name = self._name(key, suffix)
        self._of_module.setdefault(key.module, []).append(key)
        self.planned[key] = PlannedFunction(key, name, (), ())  # reserves the name: structs may contain themselves
        calls = []
        for child, suppressed in self._descents(key.walk, key.struct, key.suppressed):
            near = asking if key.suppressed else key.struct
            called = self.request(
                key.walk, child.struct, suppressed, near, f"_in_{self.places.struct(near).snake_name}"
            )
            if called is not None:
                calls.append((child, called))
        rules = tuple(self._remaining(key.walk, key.struct, key.suppressed))
        self.planned[key] = PlannedFunction(key, name, rules, tuple(calls))

    def _name(self, key: FunctionKey, suffix: str) -> str:
        struct = self.places.struct(key.struct).snake_name
        base = key.walk.function_name(struct)
        base += suffix if key.suppressed else ""
        longer = f"{base}{key.walk.times}"
        for name in chain((base,), free_names(longer, "_")):
            if self._names.setdefault((key.module, name), key) == key:
                return name
        raise AssertionError("there are more names than functions")

    def _remaining(self, walk: Walk, struct: TypeId, suppressed: Suppressed) -> Iterator[DropRule]:
        """Yield the rules of a walk for a struct itself, without the suppressed paths."""
        for rule in self.places.rules(struct):
            if walk.takes(rule):
                hidden = suppressed | self._replaced(walk, struct) if rule.is_mark else suppressed
                paths = tuple(path for path in rule.paths if not covers(hidden, tokens(path.steps)))
                if paths:
                    yield replace(rule, paths=paths)

    def _descents(self, walk: Walk, struct: TypeId, suppressed: Suppressed) -> Iterator[tuple[Child, Suppressed]]:
        """Yield the structs in a struct that the walk enters and that are not suppressed, each with the suppressed paths
        in it.
        """
        children = self._children(walk, struct)
        hidden = suppressed | self._replaced(walk, struct) if children else NOTHING
        for child in children:
            remaining = inside(hidden, child.tokens)
            if remaining is not None:
                yield child, remaining

    def _children(self, walk: Walk, struct: TypeId) -> list[Child]:
        """Return the structs in a struct that have, or contain a struct with, a rule of a walk."""
        reaching = self._reaching(walk)
        return [child for child in self.places.children(struct) if child.struct in reaching]

    def _replaced(self, walk: Walk, struct: TypeId) -> Suppressed:
        return replaced_by(self.places.rules(struct), walk.off) if isinstance(walk.off, Gates) else NOTHING

    def _rules(self, walk: Walk) -> list[DropRule]:
        """Yield the rules of a walk for the structs that kinds can contain."""
        if self._rules_by_walk is None:
            self._rules_by_walk = {}
            for rule in (rule for id_ in self.scope for rule in self.places.rules(id_) if rule.is_live):
                for shared in (rule.walk, rule.walk.off, *([] if rule.walk.use is None else [rule.walk.use])):
                    self._rules_by_walk.setdefault(shared, []).append(rule)
        return self._rules_by_walk.get(walk.looked_at, [])

    def _reaching(self, walk: Walk) -> frozenset[TypeId]:
        """Return the structs that have, or contain directly or indirectly a struct with, a rule of the walk."""
        if walk not in self._reach:
            self._reach[walk] = self.places.above({rule.owner for rule in self._rules(walk)})
        return self._reach[walk]

    def _is_live(self, walk: Walk, struct: TypeId, suppressed: Suppressed) -> bool:
        """Return whether a rule of the walk applies to a struct or below it, after the suppressed ones are removed."""
        if struct not in self._reaching(walk):
            return False
        queue = [(struct, suppressed)]
        seen = set(queue)
        while queue:
            place = queue.pop()
            if any(True for _ in self._remaining(walk, *place)):
                return True
            for child, remaining in self._descents(walk, *place):
                if (child.struct, remaining) not in seen:
                    seen.add((child.struct, remaining))
                    queue.append((child.struct, remaining))
        return False

    def _matters(self, walk: Walk, struct: TypeId, path: Tokens) -> bool:
        """Return whether suppressing a path makes a difference."""
        if any(covers((path,), tokens(p.steps)) for r in self.places.rules(struct) if walk.takes(r) for p in r.paths):
            return True
        for child in self._children(walk, struct):
            remaining = inside((path,), child.tokens)
            if remaining is None or any(self._matters(walk, child.struct, rest) for rest in remaining):
                return True
        return False
