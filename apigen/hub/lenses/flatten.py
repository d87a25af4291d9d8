"""`.`: the fields of a struct of this version stand in its parent in the hub."""

from __future__ import annotations

from collections.abc import Iterable

from apigen.dataclass import dataclass
from apigen.hub.lenses.move import bind_parent
from apigen.hub.lenses.request import Lens, LensRequest, allow_words
from apigen.hub.steps import Loss, LossNames, Parent, Side, Step
from apigen.hub.zero import is_zero, not_zero
from apigen.ir.field_paths import FieldPath, optional_parents, spell
from apigen.ir.model import Field
from apigen.python.field_paths import absent, attribute, present
from apigen.spec.model import LensSpec


@dataclass(frozen=True, slots=True)
class OptionalParent(Step):
    """An optional struct that one side has round mapped fields and the other has not.

    It is there when one of `members` (the fields below it that are mapped) is not zero, or always. `paired`: the
    version has the struct too, at that path, and `beside` it the fields that are moved in.
    """

    side: Side
    path: FieldPath
    members: tuple[FieldPath, ...]
    policy: Parent
    paired: FieldPath | None = None
    beside: tuple[FieldPath, ...] = ()

    def losses(self, names: LossNames) -> Iterable[Loss]:
        if self.paired is not None:
            yield from self._paired_losses(self.paired, names)
        if self.paired is None or self.policy is Parent.ALWAYS:
            yield from self._own_losses(names)

    def _paired_losses(self, paired: FieldPath, names: LossNames) -> Iterable[Loss]:
        unset = _absent(paired)
        if self.policy is Parent.ALWAYS:
            yield Loss(Side.VERSION, spell(paired), "it is absent (comes back empty)", unset, "parent: always")
            return
        filled = [" and ".join([*present("obj", optional_parents(m)), _not_zero(m, names)]) for m in self.beside]
        when = "it is absent, and a field is set that stands in it in the hub (comes back empty)"
        yield Loss(Side.VERSION, spell(paired), when, f"({unset}) and ({' or '.join(filled)})", "parent: whenSet")

    def _own_losses(self, names: LossNames) -> Iterable[Loss]:
        if self.policy is Parent.ALWAYS:
            yield Loss(
                self.side, spell(self.path), "it is absent (comes back empty)", _absent(self.path), "parent: always"
            )
            return
        above = (*optional_parents(self.path), self.path)
        test = " and ".join([*present("obj", above), *self._empty_members(names)])
        yield Loss(
            self.side, spell(self.path), "it is there with nothing in it (comes back absent)", test, "parent: whenSet"
        )

    def _empty_members(self, names: LossNames) -> Iterable[str]:
        """Python expressions: members are zero, or an optional struct between `path` and them is absent."""
        zeros: dict[tuple[FieldPath, ...], list[str]] = {}
        for member in self.members:
            between = tuple(p for p in optional_parents(member) if len(p) > len(self.path))
            zero = is_zero(attribute("obj", member), member[-1], names.runtime, names.type_name)
            zeros.setdefault(between, []).append(zero)
        for between, tests in zeros.items():
            if between:
                empty = f"({' and '.join(tests)})" if len(tests) > 1 else tests[0]
                yield f"({' or '.join([*absent('obj', between), empty])})"
            else:
                yield from tests


def _absent(path: FieldPath) -> str:
    """A Python expression: the struct at a path of `obj`, or one that contains it, is absent."""
    return " or ".join(absent("obj", (*optional_parents(path), path)))


def _not_zero(path: FieldPath, names: LossNames) -> str:
    return not_zero(attribute("obj", path), path[-1], names.runtime, names.type_name)


class FlattenLens(Lens):
    """The word `.`; the fields below are bound one by one by the planner."""

    name = "flatten"

    def matches(self, spec: LensSpec) -> bool:
        return spec.to is not None and not spec.to.steps

    def bind(self, request: LensRequest) -> Iterable[Step]:
        return ()


def flatten_policy(request: LensRequest) -> Parent | None:
    """The policy for the struct that is flattened; errors where words do not fit."""
    if not allow_words(request, "`.`", "to", "parent"):
        return None
    return bind_parent(request)


def flattens(field: Field) -> bool:
    """Whether a field's lens is `.`."""
    return field.hub is not None and field.hub.to is not None and not field.hub.to.steps
