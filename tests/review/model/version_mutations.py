"""Changes of versions and kinds, and changes that change nothing."""

from __future__ import annotations

from copy import deepcopy
from random import Random
from typing import Any

from tests.review.model.families import Spec
from tests.review.model.registering import mutation, on_field


@mutation("no-op type renamed")
def _type_renamed(random: Random, spec: Spec) -> bool:
    for version in spec["versions"].values():
        renamed: dict[str, Any] = {}
        for name, type_ in version["types"].items():
            renamed["Piece" if name == "Part" else name] = type_
            for each in type_.get("fields", {}).values():
                each["type"] = each["type"].replace("Part", "Piece")
        version["types"] = renamed
        if "Part" not in renamed:
            renamed["Part"] = {"fields": {"unused": {"type": "string", "protobuf": 1}}}
    return True


@mutation("no-op docs")
def _docs(random: Random, spec: Spec) -> bool:
    return on_field(random, spec, lambda field: field.update(doc=f"Words {random.randint(0, 9)}."))


@mutation("no-op nothing")
def _nothing(random: Random, spec: Spec) -> bool:
    return True


@mutation("no-op alias unfolded")
def _alias_unfolded(random: Random, spec: Spec) -> bool:
    def change(field: Spec) -> None:
        field["type"] = "string"
        pattern = spec["versions"]["v1"]["types"]["Name"].get("pattern") if "v1" in spec["versions"] else None
        field.update({"pattern": pattern} if pattern else {})

    return on_field(random, spec, change, lambda field: field["type"] == "Name")


@mutation("version-removed")
def _version_removed(random: Random, spec: Spec) -> bool:
    if len(spec["versions"]) < 2:
        return False
    spec["versions"].pop("v1beta1")
    spec["versions"]["v1"]["storage"] = True
    return True


@mutation("version-added")
def _version_added(random: Random, spec: Spec) -> bool:
    if "v1beta1" in spec["versions"]:
        return False
    types = deepcopy(spec["versions"]["v1"]["types"])
    spec["versions"] = {"v1beta1": {"types": types}, **spec["versions"]}
    return True


@mutation("version not served")
def _version_unserved(random: Random, spec: Spec) -> bool:
    if len(spec["versions"]) < 2:
        return False
    spec["versions"]["v1beta1"]["served"] = False
    return True


@mutation("storage-version-moved")
def _storage_moved(random: Random, spec: Spec) -> bool:
    if len(spec["versions"]) < 2:
        return False
    for version in spec["versions"].values():
        if not version.pop("storage", False):
            version["storage"] = True
    return True


@mutation("scope-changed")
def _scope(random: Random, spec: Spec) -> bool:
    spec["kinds"]["Thing"]["scope"] = "Cluster"
    return True


@mutation("status subresource")
def _status(random: Random, spec: Spec) -> bool:
    kind = spec["kinds"]["Thing"]
    if kind.pop("subresources", None) is None:
        kind["subresources"] = {"status": {}}
    return all("status" in version["types"]["Thing"]["fields"] for version in spec["versions"].values())


@mutation("strategy-changed")
def _strategy(random: Random, spec: Spec) -> bool:
    kind = spec["kinds"]["Thing"]
    if kind.pop("strategy", None) is None:
        path = f"spec.{random.choice(list(spec['versions']['v1']['types']['Spec']['fields']))}"
        operation, words = random.choice((("create", ("reset",)), ("update", ("keep", "reset", "fill"))))
        kind["strategy"] = {operation: {random.choice(words): [path]}}
    return True


@mutation("type-meta-changed")
def _type_meta(random: Random, spec: Spec) -> bool:
    kind = spec["kinds"]["Thing"]
    kind["typeMeta"] = not kind.get("typeMeta", True)
    return True


@mutation("preferred-advanced-too-early")
def _preferred_early(random: Random, spec: Spec) -> bool:
    """Clients are sent to a version that is new, or promises less."""
    if "v1beta1" not in spec["versions"]:
        spec["versions"] = {"v1beta1": deepcopy(spec["versions"]["v1"]), **spec["versions"]}
        spec["versions"]["v1beta1"].pop("storage", None)
    for name, version in spec["versions"].items():
        version["preferred"] = name == "v1beta1"
    return True
