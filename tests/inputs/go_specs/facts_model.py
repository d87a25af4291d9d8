"""The model of Go packages from the facts about Kubernetes, in place of the reader."""

from __future__ import annotations

from typing import Any

from apigen.diagnostics import Place
from apigen.inputs.go.model import (
    GoConstant,
    GoField,
    GoKind,
    GoPackage,
    GoTombstone,
    GoType,
    GoTypeDeclaration,
    Marker,
    ProtobufTag,
    TombstoneForm,
    TombstoneWords,
)

Json = dict[str, Any]


def package_of(facts: Json) -> GoPackage:
    """A file of the facts as a package."""
    return GoPackage(
        path=facts["package"],
        group=facts["group"],
        version=facts["version"],
        types=tuple(_Types(facts["package"], fact["file"]).declaration(fact) for fact in facts["types"]),
        constants=tuple(_Types(facts["package"], "").constant(fact, None) for fact in facts.get("constants", ())),
        markers=tuple(Marker(text, Place(facts["package"])) for text in facts.get("packageMarkers", ())),
    )


class _Types:
    """Reads the facts of one file of Go."""

    def __init__(self, package: str, file: str) -> None:
        self._package, self._file = package, file

    def declaration(self, fact: Json) -> GoTypeDeclaration:
        return GoTypeDeclaration(
            go=fact["go"],
            kind=GoKind(fact["kind"]),
            place=self._place(fact),
            underlying=_type(fact, "underlying") if "underlying" in fact else None,
            root=fact.get("root", False),
            fields=tuple(self._field(field) for field in fact.get("fields", ())),
            tombstones=tuple(self._tombstone(tombstone) for tombstone in fact.get("tombstones", ())),
            constants=tuple(self.constant(constant, fact["go"]) for constant in fact.get("constants", ())),
            markers=self._markers(fact, "markers"),
            detached_markers=self._markers(fact, "detachedMarkers"),
        )

    def constant(self, fact: Json, type_: str | None) -> GoConstant:
        return GoConstant(
            go=fact["go"],
            type=fact.get("type", type_),
            value=fact.get("value"),
            expression=fact.get("expr"),
            place=self._place(fact),
            markers=self._markers(fact, "markers"),
        )

    def _field(self, fact: Json) -> GoField:
        tag = fact.get("protobuf")
        return GoField(
            go=fact["go"],
            type=_type(fact, "type"),
            place=self._place(fact),
            json=fact.get("json"),
            embedded=fact.get("embedded", False),
            inline=fact.get("inline", False),
            omitempty=fact.get("omitempty", False),
            omitzero=fact.get("omitzero", False),
            json_skip=fact.get("jsonSkip", False),
            has_json_tag=not fact.get("noJsonTag", False),
            protobuf=None if tag is None else _tag(tag),
            patch_strategy=fact.get("patchStrategy"),
            patch_merge_key=fact.get("patchMergeKey"),
            markers=self._markers(fact, "markers"),
        )

    def _tombstone(self, fact: Json) -> GoTombstone:
        return GoTombstone(
            form=TombstoneForm(fact["form"]),
            json=fact.get("json"),
            number=fact.get("number"),
            place=self._place(fact),
            go=fact.get("go"),
            type=fact.get("type"),
            wire=fact.get("wire"),
            words=TombstoneWords(fact.get("says", "nothing")),
            real=fact.get("real", False),
            after=fact.get("after"),
            number_now_of=fact.get("numberNowOf"),
            markers=self._markers(fact, "markers"),
        )

    def _markers(self, fact: Json, key: str) -> tuple[Marker, ...]:
        return tuple(Marker(text, self._place(fact)) for text in fact.get(key, ()))

    def _place(self, fact: Json) -> Place:
        return Place(f"{self._package}/{fact.get('file', self._file)}", fact.get("line", 0), 1)


def _type(fact: Json, key: str) -> GoType:
    return GoType(fact[key], fact["resolved"] if "resolved" in fact else fact[key])


def _tag(tag: Json) -> ProtobufTag:
    return ProtobufTag(tag.get("wire"), tag.get("number"), tag.get("label"), tag.get("name"))
