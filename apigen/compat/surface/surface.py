"""The whole of what an API shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from apigen.compat.surface.elements import TypeName
from apigen.compat.surface.lifecycle import NO_LIFECYCLE, Gate, Lifecycle
from apigen.compat.surface.types import Struct, Tombstone, TypeDef
from apigen.compat.surface.written_schemas import WrittenSchemas
from apigen.dataclass import dataclass, field
from apigen.diagnostics import Place
from apigen.ir.model import Release


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of a group, the same for all its versions. `conversion`: how objects get from one version to another.

    `strategy`: what is done to objects before they are stored, by what it is about. `type_meta`: objects say their version and kind.
    Both are None where the form of the input has no words for it.
    """

    name: str
    place: Place = field(compare=False)
    plural: str = ""
    singular: str = ""
    list_kind: str = ""
    namespaced: bool = True
    short_names: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    conversion: str = ""
    strategy: tuple[tuple[str, str], ...] | None = None
    type_meta: bool | None = None


@dataclass(frozen=True, slots=True)
class KindVersion:
    """A kind in one version: its root type, and what is served of it there.

    `stored`: a live definition says that objects are stored in it, whether new ones are or not.
    """

    kind: str
    root: TypeName
    place: Place = field(compare=False)
    served: bool = True
    storage: bool = False
    stored: bool = field(default=False, compare=False)
    subresources: tuple[str, ...] = ()
    scale: str = ""
    selectable_fields: tuple[str, ...] = ()
    printer_columns: tuple[str, ...] = ()
    lifecycle: Lifecycle = NO_LIFECYCLE


@dataclass(frozen=True, slots=True)
class Method:
    """A method of a protobuf service."""

    name: str
    place: Place = field(compare=False)
    request: str = ""
    response: str = ""
    client_streams: bool = False
    server_streams: bool = False
    options: tuple[tuple[str, str], ...] = ()
    is_deprecated: bool = False
    places: Mapping[str, Place] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class Service:
    """A protobuf service."""

    name: str
    methods: Mapping[str, Method]
    place: Place = field(compare=False)
    file: str = ""
    options: tuple[tuple[str, str], ...] = ()
    is_deprecated: bool = False
    places: Mapping[str, Place] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file that is part of what an input shows (`.proto` files, whose names are in import statements)."""

    name: str
    place: Place = field(compare=False)
    package: str = ""
    syntax: str = ""
    options: tuple[tuple[str, str], ...] = ()
    is_deprecated: bool = False
    places: Mapping[str, Place] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class Version:
    """A version of a group. `types` by name, in written order; `kinds` by name: those that it serves or stores.

    `alike`: versions of a group with the same word there have the same types, but for their version; empty: nobody knows.
    `says_preferred`: it is `preferred` because it says so, and not because objects are stored in it.
    """

    group: str
    name: str
    place: Place = field(compare=False)
    types: Mapping[str, TypeDef] = field(default_factory=dict)
    kinds: Mapping[str, KindVersion] = field(default_factory=dict)
    services: Mapping[str, Service] = field(default_factory=dict)
    files: Mapping[str, SourceFile] = field(default_factory=dict)
    served: bool = True
    storage: bool = False
    preferred: bool = False
    lifecycle: Lifecycle = NO_LIFECYCLE
    alike: str = field(default="", compare=False)
    says_preferred: bool = field(default=False, compare=False)

    def __str__(self) -> str:
        return "/".join(part for part in (self.group, self.name) if part)


@dataclass(frozen=True, slots=True)
class Group:
    """An API group by its name on the wire (for `.proto` files: the package less its version).

    `borrowed`: it came along because something names its types, and is not what is reviewed.
    """

    name: str
    place: Place = field(compare=False)
    versions: Mapping[str, Version] = field(default_factory=dict)
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    gone: tuple[Tombstone, ...] = ()
    """Versions and kinds that never return."""
    borrowed: bool = field(default=False, compare=False)
    series: str = field(default="", compare=False)
    """The release series that its releases are of; empty for that of the project."""


@dataclass(frozen=True, slots=True)
class Unread:
    """What an input says that this review cannot judge, in words for people."""

    place: Place
    message: str


@dataclass(frozen=True, slots=True)
class Surface:
    """What one side of a comparison shows. `label` says what it is ("HEAD~3:api-specs"); `form` which source read it.

    `release` is the one that it is, or will be; None: unknown. `ratchets`: on an update, what is unchanged is not judged again.
    `has_docs`: descriptions are part of the input; records have none. `has_wide_integers`: IntOrString takes every integer, as
    values are judged by a schema and kept as they are. `tells_ends`: the input can say until when something deprecated stays.
    `describes_recursion`: whoever reads the input knows types that hold themselves, as all generators of protobuf do.
    `schemas`: by version as text, where values are judged by schemas. `moved`: what was taken over from the other side has the
    places of that side, and these are the ones that are meant. `series_releases`: the releases of other series than the project's.
    """

    label: str
    form: str
    groups: Mapping[str, Group]
    gates: Mapping[str, Gate] = field(default_factory=dict)
    release: Release | None = None
    unread: tuple[Unread, ...] = ()
    ratchets: bool = False
    has_docs: bool = True
    has_wide_integers: bool = False
    tells_ends: bool = False
    describes_recursion: bool = False
    schemas: Mapping[str, WrittenSchemas] = field(default_factory=dict, compare=False)
    series_releases: Mapping[str, Release] = field(default_factory=dict, compare=False)

    def release_of(self, series: str) -> Release | None:
        """The release of a series that this side is; None: unknown. Releases of two series are never compared."""
        return self.series_releases.get(series) if series else self.release

    def release_in(self, group: str) -> Release | None:
        """The release of a group's own series that this side is; None: unknown."""
        found = self.groups.get(group)
        return self.release if found is None else self.release_of(found.series)

    def versions_of(self, group: str) -> tuple[Version, ...]:
        """The versions of a group; none if there is no such group."""
        found = self.groups.get(group)
        return () if found is None else tuple(found.versions.values())

    def versions(self, *, own: bool = False) -> Iterator[Version]:
        """The versions of all groups; `own`: only of groups that are reviewed, not of borrowed ones."""
        for group in self.groups.values():
            if not (own and group.borrowed):
                yield from group.versions.values()

    def types(self, *, own: bool = False) -> Iterator[TypeDef]:
        """The types of these versions."""
        for version in self.versions(own=own):
            yield from version.types.values()

    def structs(self, *, own: bool = False) -> Iterator[Struct]:
        """The structs of these versions."""
        return (type_ for type_ in self.types(own=own) if isinstance(type_, Struct))

    def version(self, group: str, version: str) -> Version | None:
        """A version of a group; None if there is none."""
        found = self.groups.get(group)
        return None if found is None else found.versions.get(version)

    def type(self, name: TypeName) -> TypeDef | None:
        """A type; None if there is none of that name."""
        version = self.version(name.group, name.version)
        return None if version is None else version.types.get(name.name)
