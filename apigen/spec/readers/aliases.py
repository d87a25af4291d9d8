"""Types with `is`: names for other types, with constraints of their own."""

from __future__ import annotations

from apigen.spec.keys import Found, Key, KeySet
from apigen.spec.model import TypeForm, TypeSpec
from apigen.spec.nodes import Scalar
from apigen.spec.readers.common import DOC, HUB, IGNORE, LIFECYCLE_KEYS, TYPE_MERGE_KEYS, lifecycle, merging
from apigen.spec.readers.constraints import (
    INNER_CONSTRAINT_KEYS,
    ITEMS,
    KEYS,
    TYPE_CONSTRAINT_KEYS,
    VALUES,
    constraints,
    inner_constraints,
)
from apigen.spec.words import FLAG, TYPE

IS = Key("is", TYPE, "Another name for a type.", required=True)
NULLABLE = Key("nullable", FLAG, "A value of the type may be `None`, in a map too.")

ALIAS_KEYS: KeySet = (
    IS,
    DOC,
    HUB,
    NULLABLE,
    *TYPE_CONSTRAINT_KEYS,
    *INNER_CONSTRAINT_KEYS,
    *TYPE_MERGE_KEYS,
    *LIFECYCLE_KEYS,
    IGNORE,
)


def alias(name: Scalar, found: Found) -> TypeSpec | None:
    """A name for another type."""
    target = found.get(IS)
    if target is None:
        return None
    return TypeSpec(
        name=name.text,
        place=name.place,
        form=TypeForm.ALIAS,
        doc=found.get(DOC),
        hub=found.get(HUB),
        constraints=constraints(found),
        item_constraints=inner_constraints(found, ITEMS),
        key_constraints=inner_constraints(found, KEYS),
        value_constraints=inner_constraints(found, VALUES),
        merge=merging(found),
        alias=target,
        nullable=found.is_on(NULLABLE),
        lifecycle=lifecycle(found),
        ignore=found.some(IGNORE),
    )
