"""What is written far below a field, where the caller allows sharing: only what is on the way there must be new."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.lenses.test_lens_cases import CASES, document, load_scheme

GIVEN = {
    "metadata": {"annotations": {"example.com/rollback": "3", "mine": "x"}},
    "spec": {"names": ["a"], "owner": {"title": "b", "number": 4}},
}
ROLLBACK = "      spec.rollback.revision: {annotation: example.com/rollback, format: decimal, empty: absent}\n"
NUMBER = "      spec.owner.number: {annotation: example.com/number, format: decimal, empty: absent}\n"
FIELD = "      number: {type: int64, omitEmpty: true}\n"


def decoded(scheme: Any, given: Any = GIVEN) -> Any:
    return scheme.decode(document("v1beta1", given), "application/yaml", default=False)


def test_values_next_to_the_annotated_struct_are_shared(tmp_path: Path) -> None:
    """The version does not have the struct that contains the annotations."""
    scheme = load_scheme(CASES / "annotation_below", tmp_path)
    obj = decoded(scheme)
    hub = scheme.convert(obj, "hub", share=True)
    assert hub.spec.rollback.revision == 3
    assert hub.spec.names is obj.spec.names
    assert obj == decoded(scheme)
    apart = scheme.convert(obj, "hub")
    assert apart == hub and apart.spec.names is not obj.spec.names


def test_struct_of_the_version_itself_is_not_shared(tmp_path: Path) -> None:
    """A number of the owner comes from an annotation, so the owner of the hub is not that of the version."""
    changed = tmp_path / "specs" / "lens.example.com"
    changed.mkdir(parents=True)
    for path in (CASES / "annotation_below" / "specs" / "lens.example.com").iterdir():
        text = path.read_text()
        if path.stem == "v1beta1":
            text = text.replace(ROLLBACK, ROLLBACK + NUMBER).replace(FIELD, "")
        (changed / path.name).write_text(text)
    scheme = load_scheme(tmp_path, tmp_path)
    given = GIVEN | {"metadata": {"annotations": {"example.com/number": "4"}}, "spec": {"owner": {"title": "b"}}}
    obj = decoded(scheme, given)
    hub = scheme.convert(obj, "hub", share=True)
    assert (hub.spec.owner.title, hub.spec.owner.number) == ("b", 4)
    assert hub.spec.owner is not obj.spec.owner
    assert obj == decoded(scheme, given)
