"""All facts about one field: its places in the hub and in every version, and its declaration in each recorded release."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from apigen.codegen.docs.version import PRESENCE, default_words, gate_words, life_words, limits_of
from apigen.codegen.markdown import plain
from apigen.codegen.pipeline import Checked
from apigen.dataclass import dataclass
from apigen.diagnostics.quoting import quote
from apigen.diagnostics.suggest import did_you_mean
from apigen.hub.proof import counterparts, type_at
from apigen.hub.steps import TypePlan
from apigen.ir.model import Api, Field, Group, ListType, MapType, Struct, TypeDef, TypeId, struct_in, underlying


class NoSuchFieldError(Exception):
    """No element has this name; the text has the name, and similar ones."""


@dataclass(frozen=True, slots=True)
class Home:
    """A field in one version or in the hub, with facts about it: name -> value."""

    version: str
    path: str
    facts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class FieldStory:
    """The story of a field: its homes, the hub's first, notes on its conversion, and the changes of each recorded
    release.
    """

    title: str
    doc: str
    place: str
    homes: tuple[Home, ...]
    notes: tuple[str, ...]
    history: tuple[tuple[str, str], ...]


def field_story(checked: Checked, api_version: str, name: str) -> FieldStory:
    """Return the story of the field that `name` (`Widget.spec.count`) is in a version (`example.com/v1beta1`).

    Without a group, the version is that of the first group whose version has the type. Raises NoSuchFieldError.
    """
    assert checked.api is not None and checked.backend_input is not None
    type_name, _, path = name.partition(".")
    group, version = _version(checked.api, api_version, type_name)
    api_version, names = group.api_version(version), _type_names(group, version)
    if type_name not in names:
        raise _missing("type", type_name, names, f"{api_version} has")
    id_ = TypeId(group.folder, version, type_name)
    types = checked.backend_input.types
    field, path = _field({**checked.api.types, **types}, id_, path)
    gates = {feature.name: feature for feature in checked.api.features}
    plans = checked.backend_input.hub.plans
    notes = [
        f"gate {gate.value}: "
        + ", ".join(
            f"{s.stage.value} in {s.release} ({'on' if s.default else 'off'})" for s in gates[gate.value].stages
        )
        for gate in (field.gate.gates if field.gate is not None else ())
        if gate.value in gates
    ]
    homes = [Home(api_version, f"{type_name}.{path}", tuple(_facts(field)))]
    if id_ in plans:
        hub_paths = counterparts(plans, plans[id_], path, True)
        conversions = list(_conversions(*type_at(plans, plans[id_], path)))
        notes += conversions
        if hub_paths or not conversions:  # a lens such as `select` computes the value; it has no place of its own
            homes = list(_homes(group, types, plans, id_, path, hub_paths)) or homes
        if not hub_paths and not conversions:
            notes.append("no field of the hub holds the value, so other versions do not have it")
    history = tuple(_history(checked, id_, path))
    return FieldStory(
        f"{type_name}.{path} in {api_version}", field.doc or "", str(field.place), tuple(homes), tuple(notes), history
    )


def _version(api: Api, api_version: str, type_name: str) -> tuple[Group, str]:
    versions = {
        group.api_version(version.name): (group, version.name) for group in api.groups for version in group.versions
    }
    named = [found for name, found in versions.items() if api_version in (name, found[1])]
    if not named:
        raise _missing("version", api_version, versions, "the specs have")
    exact = versions.get(api_version, named[0])
    return next((found for found in (exact, *named) if type_name in _type_names(*found)), exact)


def _type_names(group: Group, version: str) -> list[str]:
    return [id_.name for each in group.versions if each.name == version for id_ in each.types]


def _missing(element: str, name: str, known: Iterable[str], where: str) -> NoSuchFieldError:
    words = list(dict.fromkeys(known))
    some = ", ".join(words[:8]) + (", …" if len(words) > 8 else "")
    return NoSuchFieldError(f"there is no {element} {quote(name)}; {did_you_mean(name, words) or f'{where} {some}'}")


def _field(types: Mapping[TypeId, TypeDef], id_: TypeId, path: str) -> tuple[Field, str]:
    """The field at a path, and the path with the brackets of lists and maps, which may be omitted."""
    last_field: Field | None = None
    spelled_path = last = ""
    for name in (path.replace("[]", "").split(".")) if path else ():
        struct = types.get(id_)
        field = struct.field(name) if isinstance(struct, Struct) else None
        if not isinstance(struct, Struct) or field is None:
            known = [each.json_name for each in struct.fields] if isinstance(struct, Struct) else []
            raise _missing("field", name, known, f"{id_.name} has")
        spelled_path += f".{name}" if last_field is not None else name
        last_field, inner, type_ = field, struct_in(field.type), underlying(field.type)
        id_ = inner or id_._replace(name=str(field.type))
        last = spelled_path
        while isinstance(type_, ListType | MapType):
            spelled_path, type_ = f"{spelled_path}[]", underlying(
                type_.item if isinstance(type_, ListType) else type_.value
            )
    if last_field is None:
        raise NoSuchFieldError(f"which field of {id_.name}? Write `{id_.name}.FIELD`")
    return last_field, last


def _homes(
    group: Group,
    types: Mapping[TypeId, TypeDef],
    plans: Mapping[TypeId, TypePlan],
    id_: TypeId,
    path: str,
    hub_paths: tuple[str, ...],
) -> Iterator[Home]:
    """The field in the hub, and in every version that has the same hub type."""
    hub = plans[id_].hub
    for hub_path in hub_paths:
        yield Home("hub", f"{hub.name}.{hub_path}", tuple(_facts_at(types, hub, hub_path)))
    for other, plan in plans.items():
        if plan.hub == hub:
            label = f"{other.group}/{other.version}" if other.group != group.folder else other.version
            paths = (
                (path,)
                if other == id_
                else tuple(
                    dict.fromkeys(
                        other_path
                        for hub_path in hub_paths
                        for other_path in counterparts(plans, plan, hub_path, False)
                    )
                )
            )
            for other_path in paths:
                yield Home(label, f"{other.name}.{other_path}", tuple(_facts_at(types, other, other_path)))
            if not paths:
                yield Home(label, "-", (("", "has no field for it"),))


def _facts_at(types: Mapping[TypeId, TypeDef], id_: TypeId, path: str) -> Iterator[tuple[str, str]]:
    try:
        yield from _facts(_field(types, id_, path)[0])
    except NoSuchFieldError:  # an annotation, which is not a field of the specs
        return


def _facts(field: Field) -> Iterator[tuple[str, str]]:
    required = ", required" if field.required else ""
    for name, value in (
        ("type", str(field.type)),
        ("presence", PRESENCE[field.presence] + required),
        ("number", "" if field.number is None else str(field.number)),
        ("default", "; ".join(map(default_words, field.default))),
        ("limits", limits_of(field)),
        ("gate", gate_words(field.gate)),
        ("lifecycle", life_words(field.lifecycle)),
    ):
        if value:
            yield name, plain(value)


def _conversions(plan: TypePlan, path: str) -> Iterator[str]:
    """Yield the conversions of the field by lenses of the type, and their losses."""
    for step in plan.steps:
        words = step.describe()
        if words is not None and f"{step.version_field()}.".startswith(f"{path}."):
            yield f"conversion: {words}"
    yield from (loss.sentence() for step in plan.steps for loss in step.losses() if loss.place == path)


def _history(checked: Checked, id_: TypeId, path: str) -> Iterator[tuple[str, str]]:
    """Each recorded release in which the field was added, changed or removed; the specs are the last."""
    before: dict[str, str] | None = None
    assert checked.api is not None
    states = [(str(release), api) for release, api in checked.recorded.history.steps()]
    for release, api in (*states, ("next release", checked.api)) if states else ():
        try:
            now: dict[str, str] | None = dict(_facts(_field(api.types, id_, path)[0]))
        except NoSuchFieldError:
            now = None
        if (before is None) != (now is None):
            yield release, "added" if now is not None else "removed"
        elif before is not None and now is not None:
            changes = [
                f"{name} changed from {before.get(name, 'none')} to {now.get(name, 'none')}"
                for name in dict.fromkeys((*before, *now))
                if before.get(name) != now.get(name)
            ]
            if changes:
                yield release, "; ".join(changes)
        before = now


_WIDTH = 100


def story_text(story: FieldStory) -> str:
    """Return the story as text of at most 100 columns."""
    from textwrap import fill

    parts = [story.title, f"  defined in {story.place}"]
    parts += (
        [fill(" ".join(story.doc.split()), _WIDTH, initial_indent="  ", subsequent_indent="  ")] if story.doc else []
    )
    parts.append("")
    widest = max(len(location.version) for location in story.homes)
    for location in story.homes:
        parts.append(f"{location.version:<{widest}}  {location.path}")
        indent = " " * (widest + 4)
        for name, value in location.facts:
            first = f"{indent}{name + ':':<11}" if name else indent
            parts.append(fill(value, _WIDTH, initial_indent=first, subsequent_indent=" " * len(first)))
    for title, lines in (
        ("notes", story.notes),
        ("history", [f"{release}: {event}" for release, event in story.history]),
    ):
        if lines:
            parts += ["", title]
            parts += [fill(line, _WIDTH, initial_indent="  ", subsequent_indent="    ") for line in lines]
    return "\n".join(parts) + "\n"
