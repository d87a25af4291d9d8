"""The types of each version and hub, for backends with a module per version."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.codegen.backend_input import Compilation
from apigen.dataclass import dataclass
from apigen.ir.model import Alias, Struct, TypeDef
from apigen.ir.names import HUB_VERSION


@dataclass(frozen=True, slots=True)
class VersionTypes:
    """The types of one version (or `hub`) of a group, in order; `api_version` is the one of its kinds."""

    group: str
    version: str
    api_version: str
    types: tuple[TypeDef, ...]
    has_protobuf: bool = True

    @property
    def is_hub(self) -> bool:
        """Return whether these are the types of a hub."""
        return self.version == HUB_VERSION

    @property
    def title(self) -> str:
        """The name of the version in documentation, e.g. `meta/v1` or `the hub of apps`."""
        return f"the hub of {self.group}" if self.is_hub else f"{self.group}/{self.version}"

    @property
    def structs(self) -> tuple[Struct, ...]:
        """The structs among the types."""
        return tuple(t for t in self.types if isinstance(t, Struct))

    @property
    def aliases(self) -> tuple[Alias, ...]:
        """The other names of types among the types."""
        return tuple(t for t in self.types if isinstance(t, Alias))


def versions(compilation: Compilation) -> Iterator[VersionTypes]:
    """The types of each version that has any, groups and versions in order."""
    for group in compilation.api.groups:
        for version in group.versions:
            types = tuple(compilation.types[id_] for id_ in version.types)
            if types:
                yield VersionTypes(
                    group.folder, version.name, group.api_version(version.name), types, group.has_protobuf
                )


def versions_and_hubs(compilation: Compilation) -> Iterator[VersionTypes]:
    """All versions, then the types of each hub, in order of the groups."""
    yield from versions(compilation)
    by_group: dict[str, list[TypeDef]] = {}
    for id_, type_ in compilation.hub.types.items():
        by_group.setdefault(id_.group, []).append(type_)
    for group in compilation.api.groups:
        if group.folder in by_group:
            yield VersionTypes(group.folder, HUB_VERSION, "", tuple(by_group[group.folder]))
