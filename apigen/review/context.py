"""The context of rules: facts about the two surfaces of a comparison, computed on first use."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property
from typing import TypeVar, cast

from apigen.dataclass import replace
from apigen.ir.graphs import reached
from apigen.ir.model import FeatureStage
from apigen.ir.stability import Stability, stability
from apigen.ir.surface import (
    Element,
    GateMark,
    ListOf,
    MapOf,
    Messages,
    Surface,
    TypeDef,
    TypeName,
    field_of,
    slot_at,
    struct_of,
    with_type,
    without_aliases,
)
from apigen.language.model import Stage
from apigen.review.changes.change import AnyChange
from apigen.review.effects.nested_defaults import OuterDefaults, fields_at
from apigen.review.effects.validation import NotValidated
from apigen.review.gating import Openness, mark_of
from apigen.review.links import ITEM, Links, Owner, Reachability, is_live, names_in_slot
from apigen.review.prover.whole_schemas import WholeSchemas
from apigen.review.results import NestedChange, Preset
from apigen.review.served import Difference, served_differences

T = TypeVar("T")

_STAGES = {Stage.ALPHA: Stability.ALPHA, Stage.BETA: Stability.BETA}


class SideFacts:
    """Facts about one side of a comparison."""

    def __init__(self, surface: Surface, other: Surface, links: Links) -> None:
        self._surface, self._other = surface, other
        self.links = links
        """The references between its types."""

    @cached_property
    def reach(self) -> Reachability:
        """The types that served kinds contain."""
        return Reachability(self._surface, is_live, self.links.of)

    @cached_property
    def known(self) -> Reachability:
        """The types that all kinds contain: objects of a kind that is not served now may have been stored before."""
        are_all_live = all(is_live(version, kind) for version, kind in self._surface.kinds())
        return self.reach if are_all_live else Reachability(self._surface, lambda *_: True, self.links.of)

    @cached_property
    def openness(self) -> Openness:
        """The types that objects can have with all gates at their defaults."""
        return Openness(self._surface, self.known, self.links)

    @cached_property
    def served(self) -> tuple[Difference, ...]:
        """The differences between the served versions, without those that the other side has, too."""
        return tuple(served_differences(self._surface, self._other))

    @cached_property
    def outer_defaults(self) -> OuterDefaults:
        """The defaults that set fields which do not declare them."""
        return OuterDefaults.of(self._surface)

    @cached_property
    def set_by_updates(self) -> frozenset[Owner]:
        """The fields that each update of some kind clears or sets itself."""
        found: set[Owner] = set()
        for version, kind in self._surface.kinds():
            declared = self._surface.groups[version.group].kinds.get(kind.kind)
            for path in () if declared is None else declared.set_by_updates:
                found.update(fields_at(self._surface, kind.root, path))
        return frozenset(found)

    @cached_property
    def _in_atomic_lists(self) -> frozenset[TypeName]:
        """The types of values that an atomic list of some kind contains."""
        structs = (each for each in self._surface.structs() if self.known.kinds(each.name))
        waiting = [field.slot for struct in structs for field in struct.fields.values()]
        found: set[TypeName] = set()
        seen: set[int] = set()
        while waiting:
            slot = without_aliases(self._surface, waiting.pop())
            if not isinstance(slot.type, ListOf | MapOf):
                continue
            inner = slot.type.item if isinstance(slot.type, ListOf) else slot.type.value
            if isinstance(slot.type, ListOf) and slot.merge.is_atomic_list:
                found.update(names_in_slot(inner))
            elif id(inner) not in seen:  # an alias may contain itself
                seen.add(id(inner))
                waiting.append(inner)
        return reached(found, self.links.of)

    def is_in_atomic_list(self, element: Element) -> bool:
        """Return whether an element is part of the elements of an atomic list, all of which are validated if one changes."""
        if element.type_name in self._in_atomic_lists:
            return True
        lists = (element.path[: each.start()] for each in re.finditer(re.escape(ITEM), element.path))
        slots = (slot_at(self._surface, replace(element, path=path)) for path in lists)
        return any(slot and without_aliases(self._surface, slot).merge.is_atomic_list for slot in slots)

    @cached_property
    def gated_groups(self) -> frozenset[str]:
        """The groups that have a gated field; ungated fields are reported only in these."""
        structs = self._surface.structs()
        return frozenset(each.name.group for each in structs if any(field.gate for field in each.fields.values()))


class Context:
    """Both sides of a comparison, with facts about them that are computed on first use and cached.

    `evaluate` applies the rules to a nested change; `preset` is the promise under review. `old_types` is the unchanged base:
    inside a replaced type, `old` has the old type under the new name. `depth` counts such types.
    """

    def __init__(
        self,
        old: Surface,
        new: Surface,
        evaluate: Callable[[AnyChange, Context], NestedChange] | None = None,
        preset: Preset = Preset.API,
    ) -> None:
        self.old = old
        self.new = new
        self.evaluate = evaluate or _without_rules
        self.preset = preset
        self.comparing: dict[tuple[TypeName, TypeName], tuple[NestedChange, ...]] = {}
        self.depth = 0
        self.old_types = old
        self.compared: dict[tuple[TypeName, TypeName], tuple[NestedChange, ...]] = {}
        self._latest: dict[object, tuple[object, object]] = {}
        links = Links(old)
        self.old_facts, self.new_facts = SideFacts(old, new, links), SideFacts(new, old, Links(new, links))

    def is_on_wire(self, element: Element) -> bool:
        """Return whether an element is in a field with a number on both sides, or in a type whose fields have numbers."""
        return all(_has_number(surface, element) for surface in (self.old, self.new))

    def for_replacement(self, old: TypeDef, name: TypeName) -> Context:
        """Return the context for comparing the content of a type with that of the type that it replaced: in it, the base has
        the old type under the new name.
        """
        inside = Context(with_type(self.old, old, name), self.new, self.evaluate, self.preset)
        inside.comparing, inside.compared, inside.depth = self.comparing, self.compared, self.depth + 1
        inside.old_types = self.old_types
        inside.old_facts.outer_defaults = self.old_facts.outer_defaults.with_name(name, old.name)
        inside.new_facts.outer_defaults = self.new_facts.outer_defaults
        return inside

    def cached(self, find: Callable[[Context], T]) -> T:
        """Return the cached result of a function on this comparison."""
        return self.latest(find, self)

    def latest(self, find: Callable[..., T], *of: object) -> T:
        """Return the result of a function of some values; the latest result of each function is cached."""
        known = self._latest.get(find)
        if known is None or known[0] != of:
            known = self._latest[find] = of, find(*of)
        return cast(T, known[1])

    def facts(self, side: Surface) -> SideFacts:
        """Return the facts about a side."""
        return self.new_facts if side is self.new else self.old_facts

    @cached_property
    def not_validated(self) -> tuple[NotValidated, NotValidated]:
        """Return the structs that may be zero in an accepted object without being validated, for base and revision."""
        sides = (self.old_types, self.old_facts), (self.new, self.new_facts)
        before, after = (NotValidated.of(surface, facts.outer_defaults) for surface, facts in sides)
        return before, after

    @cached_property
    def whole_schemas(self) -> WholeSchemas:
        """Return the comparison of whole schemas of both sides."""
        return WholeSchemas(self.old_types, self.new)

    def stability(self, element: Element) -> Stability:
        """Return the stability of the element's version, or of the gates on which it depends, if they are less stable."""
        marks = (mark_of(element, side) for side in (self.new, self.old))
        return self.stability_behind(next((mark for mark in marks if mark is not None), None), element.version)

    def stability_behind(self, mark: GateMark | None, version: str) -> Stability:
        """Return the stability of an element of a version that depends on the gates of a mark."""
        of_version = stability(version)
        if mark is None or not mark.is_dropped:
            return of_version
        of_gates = max if mark.is_any else min
        return min(of_version, of_gates(self._gate_stability(gate) for gate in mark.gates))

    def messages(self, element: Element) -> Messages | None:
        """Return whether an element is part of requests, responses or both; None for types of stored objects."""
        groups = (side.groups.get(element.group) for side in (self.new, self.old))
        return next((group.messages for group in groups if group is not None and group.messages is not None), None)

    def gate(self, side: Surface, name: str) -> FeatureStage | None:
        """Return the stage of a gate in the release of a side; None if the gate is unknown or removed."""
        found = side.gates.get(name)
        return None if found is None else found.at(side.release_of(found.series))

    def _gate_stability(self, name: str) -> Stability:
        stages = [stage for stage in (self.gate(side, name) for side in (self.new, self.old)) if stage is not None]
        return _STAGES.get(stages[0].stage, Stability.STABLE) if stages else Stability.STABLE

    def kinds(self, name: TypeName) -> tuple[str, ...]:
        """Return the served kinds of both sides that contain a type, as `group/version Kind`."""
        return tuple(sorted(self.old_facts.reach.kinds(name) | self.new_facts.reach.kinds(name)))


def _without_rules(change: AnyChange, context: Context) -> NestedChange:
    raise LookupError(f"no rules for the nested change of {change.element}")


def _has_number(surface: Surface, element: Element) -> bool:
    struct = struct_of(surface, element)
    if struct is not None:
        field = field_of(struct, element.path)
        return field is not None and field.number is not None
    version = surface.version(element.group, element.version)
    return version is not None and version.is_numbered
