"""A Go API as declared in its sources, complete and unchecked.

`read.py` creates it, and `apigen.inputs.go.specs` converts it to specs.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from apigen.dataclass import dataclass
from apigen.diagnostics import Place


@dataclass(frozen=True, slots=True)
class Marker:
    """A comment line that begins with `+`, from the plus sign, without a remark after ` //`."""

    text: str
    place: Place

    @property
    def name(self) -> str:
        """The text before the first `=` or `(`: `+k8s:alpha`, `+featureGate`."""
        return self.text.partition("=")[0].partition("(")[0]


@dataclass(frozen=True, slots=True)
class GoType:
    """A type expression: `text` as written, `resolved` with the full import paths of qualified names."""

    text: str
    resolved: str


@dataclass(frozen=True, slots=True)
class ProtobufTag:
    """The `protobuf:"…"` of a struct tag. `number` is None for `-`; `extra` has the other keys, such as casttype."""

    wire: str | None
    number: int | None
    label: str | None
    name: str | None
    extra: tuple[tuple[str, str], ...] = ()
    skip: bool = False


@dataclass(frozen=True, slots=True)
class GoField:
    """A field of a struct. `json` is None without a JSON name (inline, or no tag). `as_string`: the tag has the option
    `string`, by which Go writes numbers and booleans as strings.

    `inline`: declared by the tag, or an embedded type without a name in the tag. In JSON, the fields of such a struct
    belong to its parent.
    """

    go: str
    type: GoType
    place: Place
    json: str | None
    embedded: bool = False
    inline: bool = False
    omitempty: bool = False
    omitzero: bool = False
    as_string: bool = False
    json_skip: bool = False
    has_json_tag: bool = True
    protobuf: ProtobufTag | None = None
    patch_strategy: str | None = None
    patch_merge_key: str | None = None
    markers: tuple[Marker, ...] = ()
    doc: str | None = None


class TombstoneForm(StrEnum):
    """The form of a tombstone."""

    MARKER = "marker"
    COMMENTED = "commented"


class TombstoneWords(StrEnum):
    """The words next to a commented-out field."""

    MARKER = "marker"
    TOMBSTONE = "tombstone"
    MUST_NOT_USE = "must not use"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class GoTombstone:
    """A removed field. `after` is the Go name of the existing field before it. It is `real` if it is a marker, or a
    commented-out field with a number and a remark.
    """

    form: TombstoneForm
    json: str | None
    number: int | None
    place: Place
    go: str | None = None
    type: str | None = None
    wire: str | None = None
    words: TombstoneWords = TombstoneWords.NOTHING
    real: bool = False
    after: str | None = None
    number_now_of: str | None = None
    markers: tuple[Marker, ...] = ()


@dataclass(frozen=True, slots=True)
class GoConstant:
    """A constant. `value` is None, with the `expression`, if it depends on a package that was not read."""

    go: str
    type: str | None
    value: str | int | float | bool | None
    expression: str | None
    place: Place
    markers: tuple[Marker, ...] = ()
    doc: str | None = None


class GoKind(StrEnum):
    """The kind of a type declaration."""

    STRUCT = "struct"
    NAMED = "named"
    LIST = "list"
    MAP = "map"
    ALIAS = "alias"
    INTERFACE = "interface"
    FUNC = "func"


@dataclass(frozen=True, slots=True)
class GoTypeDeclaration:
    """A type. `underlying` is None for structs; `root` embeds TypeMeta; `markers` as Kubernetes' generators collect
    them.
    """

    go: str
    kind: GoKind
    place: Place
    underlying: GoType | None = None
    root: bool = False
    fields: tuple[GoField, ...] = ()
    tombstones: tuple[GoTombstone, ...] = ()
    constants: tuple[GoConstant, ...] = ()
    markers: tuple[Marker, ...] = ()
    detached_markers: tuple[Marker, ...] = ()
    doc: str | None = None
    json_methods: tuple[str, ...] = ()
    """Own methods such as `UnmarshalJSON`, which Go's JSON encoding uses instead of the fields."""

    @property
    def used_types(self) -> Iterator[GoType]:
        """The types of its fields, and its underlying type."""
        yield from (field.type for field in self.fields)
        if self.underlying is not None:
            yield self.underlying

    @property
    def is_no_message(self) -> bool:
        """Return whether a marker declares that the type is not a protobuf message."""
        return any(marker.text == "+protobuf=false" for marker in self.markers)


@dataclass(frozen=True, slots=True)
class GoPackage:
    """A package: its import path, the group that its `GroupName` constant or `+groupName` declares, and its version."""

    path: str
    group: str
    version: str
    types: tuple[GoTypeDeclaration, ...]
    constants: tuple[GoConstant, ...]
    markers: tuple[Marker, ...]
    registered: tuple[str, ...] = ()
    """Kinds that its `register.go` registers (`Pod`, `metav1.Status`, as written in the file)."""
    registers_machinery: bool = False
    """Whether it calls meta/v1's AddToGroupVersion, which registers the option kinds and WatchEvent in its version."""
    name: str = ""
    """The name in the package clause."""
    referred: bool = False
    """Whether the package is not imported itself, but only read to resolve types that imported packages refer to."""

    @property
    def place(self) -> Place:
        """Return the file of its first type, or its path if it has no types."""
        return Place(self.types[0].place.file) if self.types else Place(self.path)
