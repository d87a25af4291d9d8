"""Names in Python: those derived from JSON names, those that are reserved, and those of generated modules.

Names are derived once: `podIPs` is `pod_ips`, `from` is `from_`, `OnTuesday` is `ON_TUESDAY`, the empty value of an
enum is `EMPTY` and `*` is `ALL`.

The rules are those surveyed on all names of Kubernetes: acronyms are words, so are their plurals (`podCIDRs`) and
their versions (`IPv4`); digits stay attached; punctuation separates; a keyword gets a trailing underscore.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Container, Iterable
from functools import lru_cache

from apigen.dataclass import dataclass
from apigen.ir.model import Scalar, WellKnown

BUILTIN_TYPES = frozenset({*(s.value for s in Scalar), *(k.value for k in WellKnown)})
"""Names that type expressions have without anyone declaring them."""

KEYWORDS = frozenset(keyword.kwlist)
"""Python's hard keywords with `None`, `True`, `False`. Soft ones (`match`, `case`, `type`) are good names."""

TYPE_META = {"apiVersion": "api_version", "kind": "kind"}
"""The implicit fields of every kind and list: name in JSON -> name in Python."""

TYPE_META_PY = frozenset(TYPE_META.values())
"""Python names of the same."""

GENERATED_CLASS_NAMES = frozenset(
    {
        *("None", "True", "False"),
        *(
            "Any",
            "Callable",
            "ClassVar",
            "Final",
            "Iterable",
            "Iterator",
            "Literal",
            "Mapping",
            "NamedTuple",
            "Sequence",
        ),
        *("Enum", "StrEnum", "TypeAlias", "TypeVar"),
        *(
            "ApiError",
            "ConversionError",
            "DecodeError",
            "EncodeError",
            "Dropped",
            "Features",
            "FieldError",
            "FieldPath",
        ),
        *("ROOT", "Strategy", "UnknownMembers", "ValidationOptions"),
        *("CHARACTERS", "INT32", "INT64", "SIZES", "UINT32", "UINT64"),
        "IndexError",
    }
)
"""Names reserved by Python, and names that modules of a version use: `typing`, `enum`, the run-time library, builtins."""

ENUM_MEMBER_NAMES = frozenset({"mro"})
"""Names that a member of a Python enum cannot have (names with leading underscores are never derived)."""

HUB_VERSION = "hub"
"""The version under which hub types are named; no version can be called so."""


_WORD = re.compile(
    r"""
    [A-Z]{2,}s(?![a-z])[0-9]*       # the plural of an acronym: CIDRs
  | [A-Z]{2,}v[0-9]+                # an acronym with its version: IPv4
  | [A-Z]+(?![a-z])[0-9]*           # an acronym, but not the capital that starts the next word: HTTP in HTTPPath
  | [A-Z]?[a-z]+[0-9]*              # a word
  | [0-9]+
    """,
    re.VERBOSE,
)
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_TYPE_NAME = re.compile(r"[A-Z][A-Za-z0-9]*")
_WORDLESS_MEMBERS = {"": "EMPTY", "*": "ALL"}


@lru_cache(maxsize=16_384)
def snake_case(name: str) -> str:
    """Return the words of a name in lower case, joined by `_`; empty for a name without words."""
    return "_".join(_words(name)).lower()


@lru_cache(maxsize=16_384)
def field_name(json_name: str) -> str | None:
    """The Python name of a field, or None if its JSON name cannot become one."""
    return _usable(snake_case(json_name)) if json_name.isascii() else None


def proto_json_name(name: str) -> str:
    """The JSON name that protobuf derives from the name of a field: `podIp` for `pod_ip`."""
    first, *others = name.split("_")
    return first + "".join(part[:1].upper() + part[1:] for part in others)


def member_name(value: str) -> str | None:
    """The name of an enum's member, or None if its value cannot become one."""
    if value in _WORDLESS_MEMBERS:
        return _WORDLESS_MEMBERS[value]
    return _usable("_".join(_words(value)).upper()) if value.isascii() else None


def free_name(preferred: str, used: Container[object]) -> str:
    """Return the name, with a number appended if it is already used."""
    if preferred not in used:
        return preferred
    numbered = (f"{preferred}_{number}" for number in range(2, 1_000))
    return next((name for name in numbered if name not in used), preferred)


def given_name_problem(name: str) -> str | None:
    """Return why a `pyName` is invalid, or None if it is valid."""
    problems = (
        (not _IDENTIFIER.fullmatch(name), "is not a Python identifier of ASCII letters, digits and `_`"),
        (name in KEYWORDS, "is a keyword of Python"),
        (name.startswith("_"), "starts with `_`, which Python keeps for private names"),
        (name in ENUM_MEMBER_NAMES, "is reserved by Python's enums"),
    )
    return next((problem for is_so, problem in problems if is_so), None)


def is_type_name(name: str) -> bool:
    """Return whether a type can be called so: a capital, then letters and digits."""
    return _TYPE_NAME.fullmatch(name) is not None


def is_identifier(name: str) -> bool:
    """Return whether the name is valid in protobuf and Python."""
    return _IDENTIFIER.fullmatch(name) is not None


def _words(name: str) -> Iterable[str]:
    return _WORD.findall(name)


def _usable(name: str) -> str | None:
    if name in KEYWORDS:
        return f"{name}_"
    return name if _IDENTIFIER.fullmatch(name) else None


_TAKEN = frozenset({"features", "runtime", "scheme", "tests"})
"""Modules and packages at the top of the output."""


@lru_cache(maxsize=1024)
def package_name(folder: str) -> str:
    """Return the Python name of a group's package: `things.example.com` becomes `things_example_com`.

    Names that are reserved by Python or by the output get a trailing underscore, and names with a leading digit a
    leading one.
    """
    name = re.sub(r"[^0-9A-Za-z_]", "_", folder)
    if name[:1].isdigit():
        return f"_{name}"
    return f"{name}_" if keyword.iskeyword(name) or name in _TAKEN else name


@dataclass(frozen=True, slots=True, order=True)
class Module:
    """A generated module: `(group package, version, name)`, or fewer parts nearer the root."""

    parts: tuple[str, ...]

    @classmethod
    def of(cls, group: str, version: str, name: str) -> Module:
        """The module `name` of a version (or `hub`) of a group."""
        return cls((package_name(group), version, name))

    @property
    def path(self) -> str:
        """The file, relative to the output folder."""
        return "/".join(self.parts) + ".py"
