"""§21.12: conversion, hub, generated code, documentation."""

from __future__ import annotations

ROWS: dict[str, tuple[str, ...]] = {
    "conversion became lossy between served versions (no counterpart, no preserve)": (
        "lossy-conversion",
        "field-in-some-versions-only",
    ),
    "preserve-annotation key changed or removed": ("annotation-key-changed",),
    "custom converter/hook removed or now identity": ("converter-removed", "conversion-changed"),
    "Python class/module/attr removed or renamed": ("type-removed", "hub-type-changed"),
    "description changed": ("description-changed", "promise-changed"),
}

LEFT_OUT: dict[str, str] = {
    "unclassified difference": "a change that no rule handles is reported as unclassified-change, which is not in the registry",
    "rename/typeChanged annotation missing (remove+add look-alike)": (
        "no finding of its own: the fix of the removal declares the rename"
    ),
    "storage-version field absent in older n-1 schema": (
        "the rule for new fields covers a rollback; a whole version is storage-advanced-too-early"
    ),
    "hub field orphaned (no version maps to it)": (
        "the hub has the fields that versions map to it; a field of hub.yaml without a mapping is an error of the planner"
    ),
    "constructor parameter moved, became positional/required, default changed": (
        "arguments of generated classes are keyword-only; required fields and defaults have rules of their own"
    ),
    "annotation widened/narrowed, frozen/slots/eq/order flipped": (
        "annotations follow from the types and presence of fields, which have rules; all classes have the same form"
    ),
    "converter/defaulter function signature changed": (
        "signatures follow from the names of types and versions, which have rules; a hand-written function with another"
        " signature is an error of the build"
    ),
}
