"""The rules of this folder, in the order in which they are asked."""

from __future__ import annotations

from apigen.compat.changes.change import Trait
from apigen.compat.rules.claims import added, altered, removed
from apigen.compat.rules.listed import Listed, OnChange
from apigen.compat.surface.elements import ElementKind

NUMBERS_RULES: tuple[Listed, ...] = (
    OnChange("numbers/default-of-readers-changed", altered(Trait.DEFAULT)),
    OnChange("numbers/enum-and-scalar-swapped", altered(Trait.TYPE)),
    OnChange("numbers/field-number-changed", altered(Trait.NUMBER, ElementKind.FIELD)),
    OnChange("numbers/field-number-reused", added(ElementKind.FIELD)),
    OnChange("numbers/wire-encoding-changed", altered(Trait.TYPE)),
    OnChange("numbers/message-encoding-changed", altered(Trait.OPTIONS, ElementKind.FIELD)),
    OnChange("numbers/packing-changed", altered(Trait.OPTIONS, ElementKind.FIELD)),
    OnChange("numbers/utf8-validation-changed", altered(Trait.OPTIONS, ElementKind.FIELD)),
    OnChange("numbers/json-format-changed", altered(Trait.OPTIONS, ElementKind.STRUCT, ElementKind.ENUM)),
    OnChange("numbers/enum-openness-changed", altered(Trait.OPTIONS, ElementKind.ENUM)),
    OnChange("numbers/enum-zero-changed", altered(Trait.OPTIONS, ElementKind.ENUM)),
    OnChange("numbers/enum-number-changed", altered(Trait.NUMBER, ElementKind.ENUM_VALUE)),
    OnChange("numbers/wire-name-changed", altered(Trait.WIRE_NAME)),
    OnChange("numbers/oneof-membership-changed", altered(Trait.ONEOF, ElementKind.FIELD)),
    OnChange("numbers/oneof-member-added", altered(Trait.MEMBERS, ElementKind.UNION)),
    OnChange("numbers/oneof-removed", removed(ElementKind.UNION), added(ElementKind.UNION)),
    OnChange("numbers/extension-range-narrowed", altered(Trait.OPTIONS, ElementKind.STRUCT)),
    OnChange("numbers/message-set-changed", altered(Trait.OPTIONS, ElementKind.STRUCT)),
    OnChange(
        "numbers/generated-code-option-changed",
        altered(Trait.OPTIONS, ElementKind.STRUCT, ElementKind.ENUM, ElementKind.FIELD),
        altered(Trait.OPTIONS, ElementKind.ENUM_VALUE, ElementKind.UNION),
    ),
    OnChange("numbers/custom-option-changed", altered(Trait.OPTIONS)),
    OnChange("numbers/type-moved-to-another-file", altered(Trait.FILE, ElementKind.STRUCT, ElementKind.ENUM)),
    OnChange("numbers/file-package-changed", removed(ElementKind.FILE)),
    OnChange("numbers/file-removed", removed(ElementKind.FILE), added(ElementKind.FILE)),
    OnChange("numbers/file-syntax-changed", altered(Trait.SYNTAX, ElementKind.FILE)),
    OnChange("numbers/file-option-changed", altered(Trait.OPTIONS, ElementKind.FILE)),
)
