"""Second hubs: types of other groups' hubs that a type is seen as too (`alsoHub:`)."""

from __future__ import annotations

import re

from apigen.diagnostics.quoting import quote
from apigen.ir.kinds import hub_type_names, may_have_type
from apigen.ir.model import SecondHub
from apigen.ir.names import snake_case
from apigen.ir.reserved import HUB_VERSION
from apigen.ir.run import Run
from apigen.ir.types import TypeId
from apigen.language.model import ApiSpec, GroupSpec, Located, SecondHubSpec


def second_hub(spec: SecondHubSpec, id_: TypeId) -> SecondHub:
    """What `alsoHub:` says of a struct, bound."""
    hub = _hub_id(spec.hub)
    face = TypeId(id_.group, id_.version, id_.name, seen_as=str(hub))
    group = re.sub(r"[^0-9A-Za-z]", "_", hub.group).lower()
    snake_name = f"{snake_case(id_.name)}_as_{group}_{snake_case(hub.name)}"
    return SecondHub(hub, face, snake_name, spec.hub.place, spec.lenses, spec.hub_only)


def check_second_hubs(spec: ApiSpec, run: Run) -> None:
    """AG0327 for what is no type of the hub named. A group that is not among the specs is omitted in silence.

    An output may hold a group without those that its types are seen as.
    """
    groups = {group.folder: group for group in spec.groups}
    for group in spec.groups:
        for file in group.version_files:
            for type_ in file.types:
                for also in type_.also_hub:
                    _check(also.hub, group, groups.get(_hub_id(also.hub).group), run)


def _check(text: Located[str], own: GroupSpec, group: GroupSpec | None, run: Run) -> None:
    name = _hub_id(text).name
    if group is own:
        message = f"{quote(text.value)} is of the type's own hub, which it has anyway"
        run.error("AG0327", text.place, message, hint="`hub:` says what a type is called there")
    elif group is not None and not run.broken.group(group.folder):
        names = hub_type_names(group)
        if group.hub is None:
            run.error("AG0327", text.place, f"group {quote(group.folder)} has no hub")
        elif name not in names and not may_have_type(group, name, run):
            hint = run.did_you_mean(name, sorted(names))
            run.error("AG0327", text.place, f"nothing of {quote(group.folder)} is {quote(name)} in its hub", hint=hint)


def _hub_id(text: Located[str]) -> TypeId:
    folder, _, name = text.value.partition(f"/{HUB_VERSION}.")
    return TypeId(folder, HUB_VERSION, name)
