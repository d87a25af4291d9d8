"""Groups, their versions and kinds."""

from __future__ import annotations

from apigen.dataclass import dataclass
from apigen.diagnostics import Place
from apigen.ir.model.lifecycle import Lifecycle, Release
from apigen.ir.types import TypeId
from apigen.spec.model import ScaleSpec, StrategySpec, TypeSpec
from apigen.spec.paths import Path


@dataclass(frozen=True, slots=True)
class Gone:
    """A version or kind of a group that never returns; `migrated`: from which release on no object is stored in it."""

    name: str
    removed: Release | None
    reason: str | None
    place: Place
    migrated: Release | None = None


@dataclass(frozen=True, slots=True)
class HubRef:
    """A kind's hub in another group."""

    group: str
    name: str


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of a group, the same for all its versions; `type_meta`: its objects say `apiVersion` and `kind`."""

    name: str
    plural: str
    singular: str
    place: Place
    namespaced: bool = True
    short_names: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    subresources: tuple[str, ...] = ()
    scale: ScaleSpec | None = None
    has_list: bool = True
    hub: HubRef | None = None
    selectable_fields: tuple[tuple[str, Path], ...] = ()
    strategy: StrategySpec = StrategySpec()
    type_meta: bool = True


@dataclass(frozen=True, slots=True)
class Version:
    """A version of a group with its types in written order, lists of kinds last.

    Unless it is `defaulted`, its objects are left as they are, and so is what they hold of other versions.
    """

    group: str
    name: str
    place: Place
    lifecycle: Lifecycle
    storage: bool
    served: bool
    types: tuple[TypeId, ...]
    defaulted: bool = True
    preferred: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """An API group. `folder` names it in specs, `name` on the wire; `hub` is the version that the hub follows.

    `kinds` are those that the output serves: where only a part of an API is wanted, other types may have the form of
    a kind (`Struct.kind`) and are no more than types of fields.

    `hub_overrides` are the types of hub.yaml as written: their type expressions mean types of the hub, which the
    hub stage makes. `series` is the release series that its releases are of; empty for the project's own.
    """

    folder: str
    name: str
    place: Place
    versions: tuple[Version, ...]
    hub: str | None
    kinds: tuple[Kind, ...]
    hub_overrides: tuple[TypeSpec, ...] = ()
    gone_versions: tuple[Gone, ...] = ()
    gone_kinds: tuple[Gone, ...] = ()
    series: str = ""

    def version(self, name: str) -> Version | None:
        """The version of that name, or None."""
        return next((v for v in self.versions if v.name == name), None)

    def kind(self, name: str) -> Kind | None:
        """The kind of that name, or None."""
        return next((k for k in self.kinds if k.name == name), None)

    def api_version(self, version: str) -> str:
        """What stands in `apiVersion`: the group's name is left out where it is empty."""
        return f"{self.name}/{version}" if self.name else version
