"""Checks that each `byHand` has a hand-written function."""

from __future__ import annotations

from collections.abc import Mapping

from apigen.diagnostics import Report
from apigen.hub.holding import structs_in_fields
from apigen.hub.lenses.drop import ByHand
from apigen.hub.proof import Plans, Types
from apigen.ir.graphs import reached
from apigen.ir.hand_written import HandWritten, ModuleName, Role
from apigen.ir.model import TypeId
from apigen.ir.names import package_name


def check_hand_written(plans: Plans, types: Types, hand_written: HandWritten, folder: str, report: Report) -> None:
    """Report `byHand` if neither the type nor a containing type has hand-written conversions in `folder` (AG0804).

    Of a type and the types that it contains, only the containing one is reported.
    """
    above: dict[TypeId, set[TypeId]] = {}
    for id_ in types:
        for inner_id in structs_in_fields(id_, types):
            above.setdefault(inner_id, set()).add(id_)

    def upwards(id_: TypeId) -> frozenset[TypeId]:
        return reached([id_], lambda inner: above.get(inner, ()))

    written = {id_ for id_, role in hand_written.functions if role in (Role.TO_HUB, Role.FROM_HUB)}
    taking = {id_ for (id_, _), function in hand_written.functions.items() if function.takes_context}
    missing: dict[TypeId, list[ByHand]] = {}
    for id_, plan in plans.items():
        steps_with_context = [step for step in plan.steps if isinstance(step, ByHand) and step.has_context]
        above_it = upwards(id_)
        if steps_with_context and written & above_it and not taking & above_it:
            function = next(f for (type_, _), f in hand_written.functions.items() if type_ in above_it)
            report.error(
                "AG0802",
                function.place,
                f"`byHand` of {id_.version} `{id_.name}` declares a context for `{steps_with_context[0].place}`, but `{function.name}` has no parameter `context`",
                hint="add a last parameter `context` to the functions that need it, or remove `context: true`",
            )
        steps_by_hand = [step for step in plan.steps if isinstance(step, ByHand)]
        if steps_by_hand and not written & above_it:
            missing[id_] = steps_by_hand
    for id_, steps in missing.items():
        outer = upwards(id_)
        if any(other in outer and id_ not in upwards(other) for other in missing):
            continue  # functions of the containing type convert this one, too
        inner = [
            (f"{other.name}.{step.place}", step)
            for other in missing
            if other != id_ and id_ in upwards(other)
            for step in missing[other]
        ]
        by_place = dict([*((step.place, step) for step in steps), *inner])
        struct = types[id_]
        report.error(
            "AG0804",
            struct.place,
            f"{id_.version} `{id_.name}` declares `byHand` for `{steps[0].place}`, but neither it nor a containing type has a hand-written conversion",
            hint=_skeleton(struct.snake_name, id_, by_place, folder),
        )


_SKELETON = """\
write the functions into {path}:
def {name}_to_hub(source, generated{context}):
    result = generated(source)  # converts everything else
    # convert {places} here
    return result


def {name}_from_hub(hub, generated{context}):
    result = generated(hub)
    # convert them back here
    return result"""


def _skeleton(name: str, id_: TypeId, by_place: Mapping[str, ByHand], folder: str) -> str:
    """Return the path and a skeleton of the two functions, for a hint."""
    module = ModuleName(package_name(id_.group), id_.version, "conversions")
    context = ", context" if any(step.has_context for step in by_place.values()) else ""
    return _SKELETON.format(path=f"{folder}/{module.path}", name=name, places=", ".join(by_place), context=context)
