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
    "unclassified difference": "what no rule claims is told as unclassified-change, which stands outside the registry",
    "rename/typeChanged annotation missing (remove+add look-alike)": (
        "no finding of its own: the finding of the removal proposes what to write"
    ),
    "storage-version field absent in older n-1 schema": (
        "the field is new, and its own rule says what a rollback does; a whole version is storage-advanced-too-early"
    ),
    "hub field orphaned (no version maps to it)": (
        "the hub is made of what versions map to it; a field of hub.yaml that none maps to is an error of the planner"
    ),
    "constructor parameter moved, became positional/required, default changed": (
        "fields of generated classes are given by name; what is required or defaulted is judged as presence and default"
    ),
    "annotation widened/narrowed, frozen/slots/eq/order flipped": (
        "annotations follow the types and presence of fields, which are judged; the form of classes is the same for all"
    ),
    "converter/defaulter function signature changed": (
        "signatures follow the names of types and versions alone, which are judged; a hand-written function that no longer"
        " fits is an error of the build"
    ),
}
