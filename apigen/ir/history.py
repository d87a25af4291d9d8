"""Checks a type against its history: no name is reused, and no released name is removed without a tombstone."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from apigen.diagnostics import Place, Related
from apigen.diagnostics.quoting import quote
from apigen.ir.run import Run
from apigen.ir.stability import Stability, stability
from apigen.ir.types import TypeId
from apigen.language.model import LockedField, LockedType, Tombstone, TypeForm, TypeSpec

_PLAIN_KEY = re.compile(r"[A-Za-z_$][A-Za-z0-9_./-]*")


def check_history(id_: TypeId, spec: TypeSpec, locked: LockedType | None, lock: Place | None, run: Run) -> None:
    """Check the names of a struct's fields or an enum's values against tombstones and lock."""
    living, tombstones = _living(spec), _tombstones(spec)
    locked_names = {field.json_name for field in locked.fields if field.py_name is not None} if locked else set()
    for name, place in living.items():
        if name in tombstones:
            hint = "choose another name; to restore the element, delete the tombstone and declare `returned: RELEASE`"
            if name in locked_names:
                hint = "delete the tombstone, because the element still exists; or remove the element"
            run.error(
                "AG0406",
                place,
                f"{quote(name)} has a tombstone in `{spec.name}`, so its name must not be reused",
                hint=hint,
                related=[Related(tombstones[name].place, f"the tombstone of {quote(name)}")],
            )
    if locked is None or run.is_broken(id_) or spec.form is TypeForm.ALIAS:  # another type has its names now
        return
    used_numbers = {field.protobuf.value for field in spec.fields if field.protobuf is not None}
    for field in locked.fields:
        if field.json_name in tombstones or run.is_broken_member(id_, field.json_name):
            continue
        if field.json_name not in living:
            if field.number not in used_numbers:
                _report_removed(field, id_, spec, lock, run)
        elif field.py_name is None and field.json_name not in _inline(spec) | _returned(spec):
            _report_returned(field, living[field.json_name], spec, lock, run)


def _report_removed(field: LockedField, id_: TypeId, spec: TypeSpec, lock: Place | None, run: Run) -> None:
    name = quote(field.json_name)
    message = f"{name} was removed from {id_.version} `{spec.name}` without a tombstone"
    what = "its name and number" if field.number else "its name"
    hint = f"restore it, or reserve {what}:"
    recorded_as = None if field.recorded is None else stability(id_.version)
    if field.py_name is None:
        hint = f"restore it or its tombstone, because {what} must not be reused:"
    elif recorded_as is Stability.STABLE:
        hint = f"restore it, and deprecate it instead; only if no release enabled it by default, reserve {what}:"
    elif recorded_as is Stability.BETA:
        hint = f"restore it; only after its deprecation window, or if no release enabled it by default, reserve {what}:"
    run.error(
        "AG0408",
        spec.place,
        message,
        hint=f"{hint}\n{_tombstone_text(field)}",
        related=remembered(field, lock, quote(field.json_name)),
    )


def _report_returned(field: LockedField, place: Place, spec: TypeSpec, lock: Place | None, run: Run) -> None:
    run.error(
        "AG0407",
        place,
        f"{quote(field.json_name)} was removed from `{spec.name}` before, so its name must not be reused",
        hint="to restore the element, declare `returned: RELEASE`; otherwise choose another name, and restore the"
        f" tombstone:\n{_tombstone_text(field)}",
        related=remembered(field, lock, f"{quote(field.json_name)} as removed"),
    )


def _tombstone_text(field: LockedField) -> str:
    """The tombstone to paste into the type."""
    key = field.json_name if _PLAIN_KEY.fullmatch(field.json_name) else json.dumps(field.json_name)
    number = f"protobuf: {field.number}" if field.number else ""
    return f"tombstones:\n  {key}: {{{number}}}"


def _inline(spec: TypeSpec) -> frozenset[str]:
    """Inline fields have no Python name, in the lock neither."""
    return frozenset(field.name for field in spec.fields if field.inline)


def _returned(spec: TypeSpec) -> frozenset[str]:
    """Return the names of members with `returned:`; the rules of evolution check whether they were really removed."""
    members = spec.values if spec.form is TypeForm.ENUM else spec.fields
    return frozenset(member.name for member in members if member.lifecycle.returned is not None)


def _living(spec: TypeSpec) -> Mapping[str, Place]:
    if spec.form is TypeForm.ENUM:
        return {value.name: value.place for value in spec.values}
    return {field.name: field.place for field in spec.fields}


def _tombstones(spec: TypeSpec) -> Mapping[str, Tombstone]:
    return {tombstone.name: tombstone for tombstone in spec.tombstones}


def remembered(field: LockedField | None, lock: Place | None, text: str) -> list[Related]:
    """Return the record or the lock as a related location, with a text such as `release 1.11 has 4 for depth`."""
    if field is not None and field.recorded is not None:
        return [Related(field.recorded.place, f"release {field.recorded.value} has {text}")]
    return [Related(lock, f"the lock has {text}")] if lock else []
