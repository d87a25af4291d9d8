"""Shared by the checks of complete types: they bind paths, and look up gates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from apigen.dataclass import dataclass, field
from apigen.diagnostics.quoting import quote
from apigen.ir.features import missing_gate_hint
from apigen.ir.model import Field, Struct, TypeDef, TypeId
from apigen.ir.places import BoundPath, bind_path
from apigen.ir.run import Run
from apigen.language.model import GateSpec, Located, Name, Path


@dataclass(frozen=True, slots=True)
class Checks:
    """All types with all their fields, the names of all gates, and the operations that kinds have.

    `never_defaulted` are the types of versions that say `defaulted: false`.
    """

    types: Mapping[TypeId, TypeDef]
    gates: frozenset[str]
    operations: frozenset[str]
    run: Run
    never_defaulted: frozenset[TypeId] = frozenset()
    _defaulted: dict[TypeId, frozenset[str]] = field(default_factory=dict)

    def bind(self, path: Path, holder: Struct, block: Struct | None = None) -> BoundPath | None:
        """Bind a path from `holder`, or from `block`, the type in whose block it is, if it starts with `$.`; report
        the step that does not exist.
        """
        start = block if block is not None and path.from_type else holder
        bound = bind_path(path, start, self.types)
        if isinstance(bound, BoundPath):
            return bound
        if bound.owner is None or not self.may_have(bound.owner, bound.name):
            where = f"after `{bound.reached}`: " if bound.reached else ""
            hint = self.run.did_you_mean(bound.name, bound.candidates) if bound.name else None
            last = path.text.rpartition(".")[2]
            if hint is None and not bound.reached and last in bound.candidates:  # a path from a containing type
                hint = f"did you mean `{last}`?"
            self.run.error(
                "AG0510", path.place, f"{quote(path.text)} does not exist: {where}{bound.message}", hint=hint
            )
        return None

    def is_defaulted(self, name: str, owner: Struct) -> bool:
        """Return whether a default without condition sets a field of a struct, including defaults in `defaults:` of the
        struct.
        """
        if owner.id not in self._defaulted:
            self._defaulted[owner.id] = frozenset(_defaulted(owner))
        return name in self._defaulted[owner.id]

    def field_of(self, struct: Struct, name: Located[str], code: str, purpose: str = "") -> Field | None:
        """A field of a struct; None, with an error of this code, if the struct does not have it."""
        found = struct.field(name.value)
        if found is None and not self.may_have(struct.id, name.value):
            hint = self.run.did_you_mean(name.value, [each.json_name for each in struct.fields])
            message = f"`{struct.id.name}` has no field {quote(name.value)}{purpose}"
            self.run.error(code, name.place, message, hint=hint)
        return found

    def may_have(self, owner: TypeId, name: str) -> bool:
        """Return whether a struct may have a field that is not in the IR, because of an error that was reported."""
        struct = self.types.get(owner)
        inlined = [inline.type.id for inline in struct.inlines] if isinstance(struct, Struct) else []
        return any(self.run.is_broken(id_) or self.run.is_broken_member(id_, name) for id_ in (owner, *inlined))

    def know_gate(self, gate: Located[str]) -> bool:
        """Return whether the gate exists; reported if not."""
        if gate.value in self.gates or self.run.broken.gate(gate.value):
            return True
        hint = missing_gate_hint(gate.value, sorted(self.gates), self.run)
        self.run.error("AG0550", gate.place, f"unknown feature gate {quote(gate.value)}", hint=hint)
        return False

    def know_mark(self, spec: GateSpec) -> None:
        """Report the gates and operations of a mark that do not exist."""
        for gate in spec.gates:
            self.know_gate(gate)
        for operation in spec.during or ():
            if self.operations and operation not in self.operations:
                hint = self.run.did_you_mean(operation, sorted(self.operations))
                self.run.error("AG0331", spec.place, f"no kind has an operation {quote(operation)}", hint=hint)


def _defaulted(owner: Struct) -> Iterator[str]:
    for own in owner.fields:
        if any(case.when is None for case in own.default):
            yield own.json_name
    for default in owner.defaults:
        match default.path.steps:
            case (Name(name),) if any(case.when is None for case in default.cases):
                yield name
