"""What a scheme knows of each kind: a version of it, and its hub."""

from __future__ import annotations

from .dataclasses import dataclass

HUB = "hub"
"""What stands for the hub where a version is asked for."""


@dataclass(frozen=True, slots=True)
class KindVersion:
    """A kind in one version: where its generated functions stand.

    `package` is relative to the generated package (`flowcontrol_apiserver_k8s_io.v1`), `functions` the part of
    function names (`flow_schema`), `has_defaults` whether the version defaults it, `has_deprecations` whether it holds
    fields or values that are deprecated, `has_singulars` whether requests may know fields as singular that became
    plural, `type_meta` whether its objects say `apiVersion` and `kind`. The three releases
    and the replacement (`group/version`, kind) are those of its lifecycle. `also` are the hub types that it is seen as
    besides, each with the part of the names of functions for that.
    """

    group: str
    version: str
    kind: str
    package: str
    functions: str
    hub: str
    has_defaults: bool = False
    has_deprecations: bool = False
    has_singulars: bool = False
    is_list: bool = False
    type_meta: bool = True
    storage: bool = False
    served: bool = True
    preferred: bool = False
    introduced: str = ""
    deprecated: str = ""
    removed: str = ""
    replacement: tuple[str, str] | None = None
    also: tuple[tuple[str, str], ...] = ()

    @property
    def api_version(self) -> str:
        """What stands in `apiVersion`."""
        return f"{self.group}/{self.version}" if self.group else self.version


@dataclass(frozen=True, slots=True)
class HubKind:
    """A kind in the hub. `package` is that of its types, strategies and validation."""

    key: str
    package: str
    kind: str
    functions: str
    subresources: tuple[str, ...] = ()
