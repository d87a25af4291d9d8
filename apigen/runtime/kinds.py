"""The entries of a scheme for each kind: a version of it, and its hub.

A package registers hundreds of them when its scheme is imported, so these classes are plain: the standard library's
dataclasses, frozen ones above all, take ten times as long. Registered objects are never changed.
"""

from __future__ import annotations

HUB = "hub"
"""Denotes the hub in parameters for a version."""


class KindVersion:
    """A kind in one version, with the names of its generated functions.

    `package` is relative to the generated package (`flowcontrol_apiserver_k8s_io.v1`), `functions` the part of
    function names (`flow_schema`), `has_defaults` whether the version defaults it, `has_deprecations` whether it contains
    deprecated fields or values, `has_required` whether `decode(missing="error")` can reject it, `has_singulars` whether
    requests may use singular fields that became plural, `type_meta` whether its objects have `apiVersion` and `kind`. The
    three releases and the replacement (`group/version`, kind) are those of its lifecycle; the releases are of the release
    series `series`, empty for that of the API itself. `also` are its second hub types, each with the part of the names of
    their functions.
    """

    __slots__ = (
        "also",
        "deprecated",
        "functions",
        "group",
        "has_defaults",
        "has_deprecations",
        "has_required",
        "has_singulars",
        "hub",
        "introduced",
        "is_list",
        "kind",
        "package",
        "preferred",
        "removed",
        "replacement",
        "series",
        "served",
        "storage",
        "type_meta",
        "version",
    )

    def __init__(
        self,
        *,
        group: str,
        version: str,
        kind: str,
        package: str,
        functions: str,
        hub: str,
        has_defaults: bool = False,
        has_deprecations: bool = False,
        has_required: bool = False,
        has_singulars: bool = False,
        is_list: bool = False,
        type_meta: bool = True,
        storage: bool = False,
        served: bool = True,
        preferred: bool = False,
        introduced: str = "",
        deprecated: str = "",
        removed: str = "",
        replacement: tuple[str, str] | None = None,
        also: tuple[tuple[str, str], ...] = (),
        series: str = "",
    ) -> None:
        self.group = group
        self.version = version
        self.kind = kind
        self.package = package
        self.functions = functions
        self.hub = hub
        self.has_defaults = has_defaults
        self.has_deprecations = has_deprecations
        self.has_required = has_required
        self.has_singulars = has_singulars
        self.is_list = is_list
        self.type_meta = type_meta
        self.storage = storage
        self.served = served
        self.preferred = preferred
        self.introduced = introduced
        self.deprecated = deprecated
        self.removed = removed
        self.replacement = replacement
        self.also = also
        self.series = series

    @property
    def api_version(self) -> str:
        """The value of `apiVersion`."""
        return f"{self.group}/{self.version}" if self.group else self.version


class HubKind:
    """A kind in the hub. `package` is that of its types, strategies and validation."""

    __slots__ = (
        "functions",
        "key",
        "kind",
        "package",
        "subresources",
    )

    def __init__(
        self,
        *,
        key: str,
        package: str,
        kind: str,
        functions: str,
        subresources: tuple[str, ...] = (),
    ) -> None:
        self.key = key
        self.package = package
        self.kind = kind
        self.functions = functions
        self.subresources = subresources
