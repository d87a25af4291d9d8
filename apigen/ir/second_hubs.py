"""Second hubs: types of other groups' hubs that a type is seen as too (`alsoHub:`)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from apigen.diagnostics.quoting import quote
from apigen.ir.kinds import check_hub_type
from apigen.ir.model import Field, SecondHub
from apigen.ir.names import snake_case
from apigen.ir.reserved import HUB_VERSION
from apigen.ir.run import Run
from apigen.ir.types import TypeId, struct_in
from apigen.language.model import ApiSpec, GroupSpec, Located, SecondHubSpec


def second_hub(spec: SecondHubSpec, id_: TypeId) -> SecondHub:
    """Return the second hub that `alsoHub:` declares for a struct."""
    hub = _hub_id(spec.hub)
    face = id_._replace(seen_as=str(hub))
    return SecondHub(hub, face, _face_name(id_, hub), spec.hub.place, spec.lenses, spec.hub_only)


def _face_name(id_: TypeId, hub: TypeId) -> str:
    """The part of the names of functions for a type seen as a hub type; the group of the hub only if it is another one."""
    group = re.sub(r"[^0-9A-Za-z]", "_", hub.group).lower()
    return f"{snake_case(id_.name)}_as_{'' if hub.group == id_.group else f'{group}_'}{snake_case(hub.name)}"


def chosen_hub(field: Field, group: str) -> tuple[TypeId, str] | None:
    """Return the hub type that `hubType:` selects for the struct in the type of a field, and its part of function
    names.

    None if the field, which belongs to a type of `group`, has no `hubType:` or no struct.
    """
    base = struct_in(field.type)
    if base is None or field.hub_type is None:
        return None
    text = field.hub_type.value
    hub = _hub_id(field.hub_type) if "/" in text else TypeId(group, HUB_VERSION, text)
    return base._replace(seen_as=str(hub)), _face_name(base, hub)


def check_second_hubs(spec: ApiSpec, run: Run) -> None:
    """Report names in `alsoHub:` and `hubType:` that are not types of the named hub (AG0327).

    A group of `alsoHub:` that is not among the specs is ignored: an output may contain a group without the groups of its
    second hubs.
    """
    groups = {group.folder: group for group in spec.groups}
    for group in spec.groups:
        for file in group.version_files:
            for type_ in file.types:
                for second in type_.also_hub:
                    _check_second(second.hub, group, groups.get(_hub_id(second.hub).group), run)
                for field in type_.fields:
                    if field.hub_type is not None:
                        _check_chosen(field.hub_type, group, groups, run)


def _check_second(text: Located[str], own: GroupSpec, group: GroupSpec | None, run: Run) -> None:
    if group is own:
        message = f"{quote(text.value)} belongs to the type's own hub"
        run.error("AG0327", text.place, message, hint="use `hub:` for the name of the type in its own hub")
    elif group is not None:
        check_hub_type(text, _hub_id(text).name, group, run)


def _check_chosen(text: Located[str], own: GroupSpec, groups: Mapping[str, GroupSpec], run: Run) -> None:
    if "/" not in text.value:
        check_hub_type(text, text.value, own, run)
    elif (group := groups.get(_hub_id(text).group)) is not None:
        check_hub_type(text, _hub_id(text).name, group, run)
    else:
        hint = run.did_you_mean(_hub_id(text).group, sorted(groups)) or "name a type of a hub among these specs"
        run.error("AG0327", text.place, f"there is no group {quote(_hub_id(text).group)}", hint=hint)


def _hub_id(text: Located[str]) -> TypeId:
    folder, _, name = text.value.partition(f"/{HUB_VERSION}.")
    return TypeId(folder, HUB_VERSION, name)
