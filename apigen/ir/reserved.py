"""Names that specs cannot use, because Python, generated code or the spec language needs them. Data only."""

from __future__ import annotations

import keyword

from apigen.ir.types import Scalar, WellKnown

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
        *("ROOT", "Strategy", "ValidationOptions"),
    }
)
"""Names reserved by Python, and names that modules of a version import: `typing`, `enum`, the run-time library."""

ENUM_MEMBER_NAMES = frozenset({"mro"})
"""Names that a member of a Python enum cannot have (names with leading underscores are never derived)."""

HUB_VERSION = "hub"
"""The version under which hub types are named; no version can be called so."""
