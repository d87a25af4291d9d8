"""Random APIs of two groups for property tests: structs that refer to each other, some of them kinds, in several
versions.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hypothesis import strategies as st

GROUPS = ("a.example.com", "b.example.com")
VERSIONS = ("v1beta1", "v1")
NAMES = ("Ant", "Bee", "Cat", "Dog", "Eel", "Fox")
GATES = ("GateOne", "GateTwo", "GateThree")
SCALARS = ("string", "int32", "bool", "Quantity", "Time")
DEFAULTS = {"string": "x", "int32": "5", "bool": "true"}


@dataclass(frozen=True)
class Randomized:
    """The files of an API by path, and the kinds that are chosen of it (`Ant.a.example.com`)."""

    files: dict[str, str]
    chosen: tuple[str, ...]

    def write(self, folder: Path) -> Path:
        for path, text in self.files.items():
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        return folder


@st.composite
def randomized_apis(draw: st.DrawFn) -> Randomized:
    """Types are the same in all versions, but for fields that v1beta1 does not have."""
    files: dict[str, str] = {}
    kinds: list[str] = []
    far: list[str] = []
    for group in GROUPS:
        has_hub = draw(st.booleans())
        roots = draw(st.lists(st.sampled_from(NAMES[:3]), min_size=1, unique=True))
        names = [*roots, *draw(st.lists(st.sampled_from(NAMES[3:]), unique=True))]
        types = {name: draw(_fields(names, far, name in roots)) for name in names}
        kinds += [f"{name}.{group}" for name in roots]
        files[f"{group}/group.yaml"] = _header(group, has_hub, roots)
        for version in VERSIONS:
            gone = {name: draw(_gone(fields)) if version != "v1" else set() for name, fields in types.items()}
            files[f"{group}/{version}.yaml"] = _version(types, gone, version, has_hub)
        far = [f"{group}/{'{version}' if has_hub else 'v1'}.{name}" for name in names]  # without hub, types stay theirs
    files["features.yaml"] = "".join(f'{gate}: {{stages: [{{release: "1.0", stage: alpha}}]}}\n' for gate in GATES)
    return Randomized(files, tuple(draw(st.lists(st.sampled_from(kinds), min_size=1, unique=True))))


def _header(group: str, has_hub: bool, kinds: list[str]) -> str:
    lines = [f"group: {group}", "versions:"]
    lines += ['  v1beta1: {introduced: "1.0", deprecated: "1.1", removed: "1.9"}']
    lines += [f'  v1: {{introduced: "1.1", storage: {str(has_hub).lower()}}}']
    lines += ["hub: v1"] if has_hub else []
    lines += ["kinds:", *(f"  {kind}: {{scope: Namespaced, plural: {kind.lower()}s, list: false}}" for kind in kinds)]
    return "\n".join(lines) + "\n"


@st.composite
def _fields(draw: st.DrawFn, names: list[str], far: list[str], is_kind: bool) -> dict[str, str]:
    fields = {"metadata": "{type: meta/v1.ObjectMeta, required: false}"} if is_kind else {}
    fields["note"] = "{type: string, optional: true}"
    for scalar in draw(st.lists(st.sampled_from(SCALARS), unique=True, min_size=1)):
        gate = draw(st.sampled_from(["", *GATES]))
        default = ""
        if scalar in DEFAULTS and draw(st.booleans()):
            value = DEFAULTS[scalar]
            default = f", default: {{value: {value}, when: {{gate: {gate}}}}}" if gate else f", default: {value}"
        mark = f", featureGate: {gate}" if gate else ""
        fields[scalar.lower()] = f"{{type: {scalar}, optional: true{default}{mark}}}"
    for name in draw(st.lists(st.sampled_from(names), unique=True, max_size=2)):
        fields[f"{name.lower()}s"] = f'{{type: "[]{name}", optional: true, listType: atomic}}'
    for name in draw(st.lists(st.sampled_from(far), unique=True, max_size=1)) if far else ():
        fields["far"] = f"{{type: {name}, optional: true}}"
    return fields


def _gone(fields: dict[str, str]) -> st.SearchStrategy[set[str]]:
    return st.sets(st.sampled_from(sorted(fields.keys() - {"metadata", "note"})), max_size=2)


def _version(types: dict[str, dict[str, str]], gone: dict[str, set[str]], version: str, has_hub: bool) -> str:
    lines = ["types:"]
    for name, fields in types.items():
        there = [f"{field}: {said}" for field, said in fields.items() if field not in gone[name]]
        lines += [f"  {name}:", "    fields:", *(f"      {line}".replace("{version}", version) for line in there)]
        if has_hub and gone[name]:
            lines += ["    hubOnly:", *(f"      {field}: {{drop: v1beta1 is old}}" for field in sorted(gone[name]))]
    return "\n".join(lines) + "\n"
