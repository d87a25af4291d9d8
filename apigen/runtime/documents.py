"""Documents before it is known what they are: their media types, their trees, and what they say that they are."""

from __future__ import annotations

from .errors import DecodeError

JSON = "application/json"
YAML = "application/yaml"
PROTOBUF = "application/vnd.kubernetes.protobuf"

_LENGTHS = (len("kind"), len("apiVersion"))
_USUAL = frozenset(("apiVersion", "kind", "metadata", "spec", "status", "items"))
"""Names of which it is known what they are called in other capitals; others are asked one by one."""


def parse_tree(
    data: bytes | str,
    media: str,
    raw_names: frozenset[str],
    duplicates: list[str] | None,
) -> object:
    """The tree that text of a media type is, JSON or YAML. Values of `raw_names` are kept as they are written.

    Names that come twice are noted in `duplicates`, if it is given. Raises DecodeError.
    """
    if media == YAML:
        from .yaml_reader import parse_yaml

        return parse_yaml(data, duplicates)
    from .json_reader import parse_json

    return parse_json(data, raw_names, duplicates)


def api_version_and_kind(tree: object) -> tuple[str, str]:
    """`apiVersion` and `kind`, found whatever their capitals, as Kubernetes does before it knows the type."""
    if tree is None:
        tree = {}
    if not isinstance(tree, dict):
        raise DecodeError("", "expected an object")
    if tree.keys() <= _USUAL:
        version, kind = tree.get("apiVersion"), tree.get("kind")
        if type(version) is str and type(kind) is str:
            return version, kind
    found = {"apiversion": "", "kind": ""}
    for name, value in tree.items():
        if len(name) in _LENGTHS and (folded := name.lower()) in found:
            if value is None:
                continue
            if not isinstance(value, str):
                raise DecodeError(name, "expected a string")
            found[folded] = str(value)
    return found["apiversion"], found["kind"]
