"""Looks for each change of the Go sources among those that a comparison finds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from apigen.ir.surface import ElementKind, Enum, Field, Struct, Surface, TypeDef, TypeName
from apigen.review.changes.change import Added, Altered, AnyChange, Removed, Trait
from tests.review.kubernetes_history.index import Index
from tests.review.kubernetes_history.truth import Truth

TYPES = frozenset({ElementKind.STRUCT, ElementKind.ENUM, ElementKind.ALIAS})
_VALIDATION = frozenset({Trait.CONSTRAINT, Trait.REQUIRED, Trait.PRESENCE, Trait.DEFAULT, Trait.GATE, Trait.INTRODUCED})

Test = Callable[[AnyChange], bool]


@dataclass(frozen=True)
class Outcome:
    """What became of one change of the sources: found, or not carried by specs (`reason`), or missing (neither)."""

    truth: Truth
    found: tuple[AnyChange, ...] = ()
    reason: str = ""

    @property
    def is_missing(self) -> bool:
        """Whether nothing accounts for it."""
        return not self.found and not self.reason


@dataclass(frozen=True)
class Way:
    """How one kind of change is found. `reason`, where `is_not_carried` holds: why specs say nothing of it."""

    accepts: Test
    reason: str = ""
    is_not_carried: Callable[[Truth, Index], bool] = lambda *_: False


def look(truth: Truth, index: Index) -> Outcome:
    """What became of a change."""
    way = WAYS[truth.kind]
    keys = [(truth.group, truth.version, truth.type, truth.member)]
    if truth.constant:
        keys.append((truth.group, truth.version, truth.type, str(truth.said.get("value"))))
    if truth.kind.startswith("version"):
        keys.append((truth.group, "", "", ""))
    found = tuple(change for key in keys for change in index.at(key) if way.accepts(change))
    if found or not way.is_not_carried(truth, index):
        return Outcome(truth, found)
    return Outcome(truth, reason=way.reason)


def _came(*kinds: ElementKind) -> Test:
    return lambda change: isinstance(change, Added) and change.element.kind in kinds


def _went(*kinds: ElementKind) -> Test:
    return lambda change: isinstance(change, Removed) and change.element.kind in kinds


def _differs(*traits: Trait) -> Test:
    return lambda change: isinstance(change, Altered) and change.trait in traits


def _any(change: AnyChange) -> bool:
    return True


def _never(change: AnyChange) -> bool:
    return False


def is_equal(truth: Truth, index: Index) -> bool:
    """Whether the specs say the same of a field, or else of a type, before and after."""
    before, after = (_part(truth, side) for side in (index.old, index.new))
    return before is not None and before == after


def _part(truth: Truth, side: Surface) -> Field | TypeDef | None:
    type_ = side.type(TypeName(truth.group, truth.version, truth.type))
    if truth.member and isinstance(type_, Struct):
        return type_.fields.get(truth.member)
    return type_ if not truth.member else None


def _is_of_no_enum(truth: Truth, index: Index) -> bool:
    type_ = index.new.type(TypeName(truth.group, truth.version, truth.type)) if truth.type else None
    return not isinstance(type_, Enum)


def _is_list(truth: Truth, index: Index) -> bool:
    return truth.type.endswith("List")


def _is_deprecated(truth: Truth, index: Index) -> bool:
    """Whether the specs of the base deprecate the kind in that release; Go may omit what follows from the policy."""
    version = index.old.version(truth.group, truth.version)
    kind = None if version is None else version.kinds.get(truth.type)
    return _is_list(truth, index) or (kind is not None and str(kind.lifecycle.deprecated) == truth.said["new"])


def _is_go_only(truth: Truth, index: Index) -> bool:
    return truth.said.get("kind") in ("interface", "func")


def _always(truth: Truth, index: Index) -> bool:
    return True


_EQUAL_OPTIONAL = "the specs are equal: Go type and tag already declared the field optional or required"
_EQUAL_REQUIRED = "the specs are equal: the field was already required, or the marker is not enforced"
_EQUAL_MARKERS = (
    "the specs are equal: markers of validation that the release does not enforce, or that repeat other markers"
)
_TYPE_MARKERS = "the specs are equal: markers for code generators, or subresources and enums that the specs already had"
_CONSTANT = "a limit, label key or reason in Go code, which no type of the API uses"

WAYS: Mapping[str, Way] = {
    "version-added": Way(_came(ElementKind.VERSION, ElementKind.GROUP)),
    "version-removed": Way(_went(ElementKind.VERSION, ElementKind.GROUP)),
    "type-added": Way(_came(*TYPES), "a Go interface, which is not part of the API", _is_go_only),
    "type-removed": Way(_went(*TYPES)),
    "type-kind-changed": Way(_any),
    "type-underlying-changed": Way(_any),
    "type-enum-changed": Way(
        lambda change: _differs(Trait.FORM, Trait.OPEN)(change) or _came(ElementKind.ENUM_VALUE)(change),
        "the specs already had the values: the constants have the type of the enum",
        is_equal,
    ),
    "field-added": Way(_came(ElementKind.FIELD)),
    "field-removed": Way(_went(ElementKind.FIELD)),
    "tombstone-added": Way(_came(ElementKind.TOMBSTONE)),
    "field-label-changed": Way(_never, "`opt` in a tag: the protobuf generator uses the Go type instead", _always),
    "omitempty-changed": Way(
        _differs(Trait.PRESENCE, Trait.REQUIRED), "`omitempty` on a struct has no effect in Go's JSON", is_equal
    ),
    "omitzero-changed": Way(_differs(Trait.PRESENCE)),
    "default-changed": Way(_differs(Trait.DEFAULT)),
    "listType-changed": Way(_differs(Trait.LIST_TYPE), "the marker has no effect on bytes or a struct", is_equal),
    "listMapKeys-changed": Way(_differs(Trait.LIST_MAP_KEYS)),
    "patchStrategy-changed": Way(_differs(Trait.PATCH_STRATEGY)),
    "patchMergeKey-changed": Way(_differs(Trait.PATCH_MERGE_KEY)),
    "enum-value-added": Way(_came(ElementKind.ENUM_VALUE)),
    "constant-added": Way(
        lambda change: _came(ElementKind.ENUM_VALUE)(change) or _differs(Trait.FORM)(change), _CONSTANT, _is_of_no_enum
    ),
    "constant-removed": Way(_went(ElementKind.ENUM_VALUE), _CONSTANT, _is_of_no_enum),
    "constant-value-changed": Way(_never, _CONSTANT, _is_of_no_enum),
    "constant-retyped": Way(_never, "the same name and value; the specs already had its type as an enum", _always),
    "lifecycle-deprecated-changed": Way(
        _differs(Trait.DEPRECATED),
        "a list has the lifecycle of its kind, or the release is the default of the policy",
        _is_deprecated,
    ),
    "lifecycle-replacement-changed": Way(_differs(Trait.REPLACEMENT), "a list has the lifecycle of its kind", _is_list),
    "feature-gates-changed": Way(
        _differs(Trait.GATE), "the specs are equal: the importer already recognized the gate", is_equal
    ),
    "optional-marker-changed": Way(_differs(*_VALIDATION), _EQUAL_OPTIONAL, is_equal),
    "required-marker-changed": Way(_differs(*_VALIDATION), _EQUAL_REQUIRED, is_equal),
    "field-markers-changed": Way(_any, _EQUAL_MARKERS, is_equal),
    "type-markers-changed": Way(_any, _TYPE_MARKERS, _always),
}
"""How each kind of change of the sources is found in a comparison."""
