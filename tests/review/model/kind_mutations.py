"""Changes of groups and kinds: they come, go, and get other names."""

from __future__ import annotations

from random import Random

from tests.review.model.families import ABSENT, Spec, gadget
from tests.review.model.registering import everywhere, mutation


@mutation("group-removed")
def _group_removed(random: Random, spec: Spec) -> bool:
    spec[ABSENT] = True
    return True


@mutation("kind-added")
def _kind_added(random: Random, spec: Spec) -> bool:
    if "Gadget" in spec["kinds"]:
        return False
    spec["kinds"]["Gadget"] = {"scope": random.choice(("Namespaced", "Cluster"))}
    type_ = random.choice(("Part", "Spec"))
    for types in everywhere(random, spec):
        types["Gadget"] = gadget(type_)
    return True


@mutation("kind-removed")
def _kind_removed(random: Random, spec: Spec) -> bool:
    if spec["kinds"].pop("Gadget", None) is None:
        return False
    for version in spec["versions"].values():
        version["types"].pop("Gadget", None)
    return True


@mutation("kind-removed from a version")
def _kind_left_out(random: Random, spec: Spec) -> bool:
    having = [version["types"] for version in spec["versions"].values() if "Gadget" in version["types"]]
    if len(having) < 2:
        return False
    del random.choice(having)["Gadget"]
    return True


@mutation("kind-removed, and another has its plural")
def _kind_renamed(random: Random, spec: Spec) -> bool:
    gone = spec["kinds"].pop("Gadget", None)
    if gone is None:
        return False
    spec["kinds"]["Gizmo"] = {**gone, "plural": gone.get("plural", "gadgets")}
    for version in spec["versions"].values():
        if "Gadget" in version["types"]:
            version["types"]["Gizmo"] = version["types"].pop("Gadget")
    return True


@mutation("kind-names-changed")
def _kind_names(random: Random, spec: Spec) -> bool:
    said = random.choice(({"plural": "thingies"}, {"singular": "thingy"}, {"list": False}))
    spec["kinds"]["Thing"].update(said)
    return True


@mutation("short-names-changed")
def _short_names(random: Random, spec: Spec) -> bool:
    spec["kinds"]["Thing"].update(random.choice(({"shortNames": ["th"]}, {"categories": ["all"]})))
    return True


@mutation("selectable-field-removed")
def _selectable(random: Random, spec: Spec) -> bool:
    kind = spec["kinds"]["Thing"]
    if kind.pop("selectableFields", None) is None:
        kind["selectableFields"] = {"metadata.name": "metadata.name"}
    return True
