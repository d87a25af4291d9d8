"""The kinds of a generated package: the entries of its scheme for each, and the table that finds them and their functions.

A package registers hundreds of them when its scheme is imported, so the classes of entries are plain: the standard library's
dataclasses, frozen ones above all, take ten times as long. Registered objects are never changed.
"""

from __future__ import annotations

import sys

from .documents import LIST
from .errors import (
    DecodeError,
    SchemeError,
    UnknownKindError,
    class_name,
    describe,
)

TYPE_CHECKING = False  # True for type checkers, which alone need `typing`
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import ModuleType
    from typing import Any, TypeAlias

    Kind: TypeAlias = "str | tuple[str, str, str] | type[Any]"
    """The name of a kind: `Kind`, `Kind.group`, `(group, version, kind)`, or its class of a version or of the hub."""


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


_SHOWN = 8
"""Maximum number of kinds that an error lists."""


class KindTable:
    """Every kind of a generated package, in every version and in the hub.

    `versions` are by `apiVersion` and `kind`, `hubs` by their key, `by_hub` the versions of a hub's key by their
    `apiVersion`, `names` the versions of each kind by the name that users call it: `Kind` where only one group has it
    (and for the core group), else `Kind.group`. Lists of kinds have no such name.
    """

    def __init__(
        self, package: str, versions: Iterable[KindVersion], hubs: Iterable[HubKind]
    ) -> None:
        self._package = package
        self.versions = {(v.api_version, v.kind): v for v in versions}
        self.hubs = {h.key: h for h in hubs}
        self._by_class = {
            (f"{package}.{v.package}.types", v.kind): v for v in self.versions.values()
        }
        self._hub_by_class = {
            (f"{package}.{h.package}.types", h.kind): h for h in self.hubs.values()
        }
        self.by_hub: dict[str, dict[str, KindVersion]] = {}
        for version in self.versions.values():
            self.by_hub.setdefault(version.hub, {})[version.api_version] = version
        self.names = _kind_names(self.versions.values())
        self._found: dict[Kind, tuple[KindVersion, ...]] = dict(self.names.items())
        self._expected: dict[Kind, tuple[str, tuple[KindVersion, ...]]] = {}
        self._places: dict[type[object], KindVersion | HubKind] = {}
        self._functions: dict[tuple[str, str, str], Callable[..., Any]] = {}

    def module(self, place: KindVersion | HubKind, name: str) -> ModuleType:
        """Return a module of the package of a version or hub; imports it on first use."""
        module = f"{self._package}.{place.package}.{name}"
        __import__(module)
        return sys.modules[module]

    def function(
        self, place: KindVersion | HubKind, module: str, name: str
    ) -> Callable[..., Any]:
        """Return a function of a generated module. It is cached, because the lookup takes time.

        Raises SchemeError if the output has no such module.
        """
        key = (place.package, module, name)
        function = self._functions.get(key)
        if function is None:
            try:
                function = getattr(self.module(place, module), name)
            except ModuleNotFoundError as error:
                if error.name != f"{self._package}.{place.package}.{module}":
                    raise
                problem = f"{place.package} has no {module}: it was not generated"
                raise SchemeError("", problem) from None
            self._functions[key] = function
        return function

    def entry(self, obj: object) -> KindVersion:
        """Return the version of an object's kind. Raises SchemeError."""
        place = self.place(obj)
        if isinstance(place, HubKind):
            # it may be a version as well, which is used without conversion
            version = self._by_class.get(_class_key(obj))
            if version is None:
                raise self.wrong_object(obj, of_version=True)
            return version
        return place

    def place(self, obj: object) -> KindVersion | HubKind:
        """Return the version or hub of an object's kind. Raises SchemeError."""
        place = self._places.get(type(obj))
        if place is None:
            key = _class_key(obj)
            place = self._hub_by_class.get(key) or self._by_class.get(key)
            if place is None:
                raise self.wrong_object(obj, of_version=False)
            self._places[type(obj)] = place
        return place

    def hub_key(self, place: KindVersion | HubKind) -> str:
        """Return the key of a hub, or of the hub that a version converts to."""
        return place.hub if isinstance(place, KindVersion) else place.key

    def expected(self, kind: Kind) -> tuple[str, tuple[KindVersion, ...]]:
        """Return the name of an expected kind for messages, and its accepted versions.

        A class or a triple has one version, a name all versions of its kind. Raises SchemeError.
        """
        try:
            found = self._expected.get(kind)
        except TypeError:  # not hashable, so not a kind
            found = None
        if found is None:
            found = self._expected[kind] = self._find_expected(kind)
        return found

    def _find_expected(self, kind: Kind) -> tuple[str, tuple[KindVersion, ...]]:
        versions = self.kind(kind)
        if isinstance(kind, str):
            return kind, versions
        if isinstance(kind, tuple):
            entry = self.versions[_api_version(kind[0], kind[1]), kind[2]]
        else:
            named = self._by_class.get((kind.__module__, kind.__name__))
            if named is None:
                raise SchemeError(
                    "",
                    f"{class_name(kind)} is a class of the hub, and documents have a version; expect a class of a"
                    f" version, or the kind by its name: {self.name(versions[0])!r}",
                )
            entry = named
        return f"{entry.api_version} {entry.kind}", (entry,)

    def target(self, to: Kind) -> str:
        """Return the version or hub that a class or a triple names, in the form for `convert`. Raises SchemeError."""
        if isinstance(to, str):
            return str(to)
        if isinstance(to, type):
            key = (to.__module__, to.__name__)
            hub = self._hub_by_class.get(key)
            if hub is not None and key not in self._by_class:
                return hub.key
        return self.expected(to)[1][0].api_version

    def is_of(self, obj: object, kind: type | tuple[str, str, str]) -> bool:
        """Return whether an object is of a class, or of the version that a triple names."""
        if isinstance(kind, type):
            return type(obj) is kind
        return self.place(obj) is self.expected(kind)[1][0]

    def kind(self, kind: Kind) -> tuple[KindVersion, ...]:
        """The versions of a kind, in the order of the specs. Raises SchemeError.

        A list of a kind is found by its class and its triple.
        """
        try:
            found = self._found.get(kind)
        except TypeError:  # not hashable, so not a kind
            found = None
        if found is None:
            found = self._found[kind] = self._find(kind)
        return found

    def _find(self, kind: Kind) -> tuple[KindVersion, ...]:
        found: tuple[KindVersion, ...] = ()
        if isinstance(kind, str):
            found = self._by_full_name(kind)
        elif isinstance(kind, type):
            found = self._by_its_class(kind)
        elif (
            isinstance(kind, tuple)
            and len(kind) == 3
            and all(isinstance(part, str) for part in kind)
        ):
            if (_api_version(kind[0], kind[1]), kind[2]) in self.versions:
                found = self._of_group(kind[2], kind[0])
        else:
            raise SchemeError(
                "",
                "expected a kind as `Kind`, `Kind.group`, (group, version, kind) or a class of it,"
                f" found {describe(kind)}",
            )
        if not found:
            raise self._no_kind(kind)
        return found

    def item_class(self, version: KindVersion) -> type:
        """The class of the items of a list of a kind."""
        cls = getattr(self.module(version, "types"), version.kind)
        members = self.module(version, "layouts").LAYOUTS[cls]
        found: type = next(member[2][1] for member in members if member[0] == "items")
        return found

    def name(self, version: KindVersion) -> str:
        """The name that users call the kind of a version."""
        short = self.names.get(version.kind, ())
        if version in short or not version.group:
            return version.kind
        return f"{version.kind}.{version.group}"

    def _by_full_name(self, name: str) -> tuple[KindVersion, ...]:
        kind, dot, group = name.partition(".")
        found = self._of_group(kind, group) if dot else ()
        return () if any(version.is_list for version in found) else found

    def _by_its_class(self, cls: type) -> tuple[KindVersion, ...]:
        key = (cls.__module__, cls.__name__)
        version = self._by_class.get(key)
        if version is not None:
            return self._of_group(version.kind, version.group)
        hub = self._hub_by_class.get(key)
        if hub is None:
            return ()
        versions = tuple(self.by_hub.get(hub.key, {}).values())
        group = hub.package.partition(".")[0]
        own = tuple(v for v in versions if v.package.partition(".")[0] == group)
        return own or versions  # which other groups share with this one

    def _of_group(self, kind: str, group: str) -> tuple[KindVersion, ...]:
        return tuple(
            v for v in self.versions.values() if v.kind == kind and v.group == group
        )

    def _no_kind(self, kind: Kind) -> SchemeError:
        """The error for a kind that is not known, with the kinds that may be meant."""
        if isinstance(kind, str):
            shared = [name for name in self.names if name.startswith(f"{kind}.")]
            if shared:
                hint = f"several groups have a kind {kind!r}: {' or '.join(shared)}"
                return SchemeError("", hint)
            text, near = repr(kind), kind
        elif isinstance(kind, tuple):
            text, near = f"{kind[2]!r} in version {_api_version(*kind[:2])!r}", kind[2]
            versions = [
                f"({v.group!r}, {v.version!r}, {v.kind!r})"
                for v in self.versions.values()
                if v.kind == kind[2]
            ]
            if versions:
                hint = f"there is no kind {text}; there is {', '.join(versions)}"
                return SchemeError("", hint)
        else:
            hint = self._hint(kind.__name__)
            return SchemeError("", f"{class_name(kind)} is not a class of a kind{hint}")
        return SchemeError("", f"there is no kind {text}{self._hint(near)}")

    def _hint(self, name: str) -> str:
        """Return the kinds that may be meant by a name, or else all kinds, for a hint."""
        from difflib import get_close_matches

        short = name.partition(".")[0]
        near = [known for known in self.names if known.partition(".")[0] == short]
        near = near or get_close_matches(name, self.names, n=3)
        if near:
            return f"; did you mean {' or '.join(near)}?"
        names = [*self.names]
        more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
        return f"; the kinds are {', '.join(names[:_SHOWN])}{more}"

    def wrong_object(self, obj: object, of_version: bool) -> SchemeError:
        """The error for an object that is not of a kind, or of its hub where a version is needed."""
        cls = type(obj)
        key = (cls.__module__, cls.__name__)
        hub = self._hub_by_class.get(key)
        if hub is not None and of_version:
            versions = ", ".join(self.by_hub.get(hub.key, {}))
            return SchemeError(
                "",
                f"expected an object of a version, found one of the hub ({class_name(cls)});"
                f" convert it to a version first: {versions}",
            )
        module = cls.__module__
        if module == "builtins":
            return SchemeError(
                "", f"expected an object of a kind, found {describe(obj)}"
            )
        inside = module.startswith(f"{self._package}.")
        hint = "" if inside else self._hint(cls.__name__)
        return SchemeError(
            "",
            f"expected an object of a kind, found an object of {class_name(cls)}{hint}",
        )

    def found(self, api_version: str, kind: str) -> KindVersion:
        """Return the version of the kind in a document. Raises DecodeError."""
        if not kind:
            raise DecodeError("", "`kind` is missing")
        if not api_version:
            raise DecodeError("", "`apiVersion` is missing")
        if api_version.count("/") > 1:
            raise DecodeError(
                "apiVersion", f"expected group/version, found {api_version!r}"
            )
        entry = self.versions.get((api_version, kind))
        if entry is None and (api_version, kind) == LIST:
            raise DecodeError(
                "", "a List holds several objects; read them with `decode_all`"
            )
        if entry is None:
            raise UnknownKindError(
                "", f"there is no kind {kind!r} in version {api_version!r}"
            )
        return entry


def _kind_names(versions: Iterable[KindVersion]) -> dict[str, tuple[KindVersion, ...]]:
    by_group: dict[tuple[str, str], list[KindVersion]] = {}
    for version in versions:
        if not version.is_list:
            by_group.setdefault((version.kind, version.group), []).append(version)
    groups: dict[str, int] = {}
    for kind, _ in by_group:
        groups[kind] = groups.get(kind, 0) + 1
    return {
        (kind if groups[kind] == 1 else f"{kind}.{group}" if group else kind): tuple(
            found
        )
        for (kind, group), found in by_group.items()
    }


def _class_key(obj: object) -> tuple[str, str]:
    return type(obj).__module__, type(obj).__name__


def _api_version(group: str, version: str) -> str:
    return f"{group}/{version}" if group else version
