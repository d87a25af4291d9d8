from pathlib import Path

from benchmarks.scaling import SPECS, number_of_fields, write_scaled


def test_copied_groups_refer_to_copies_and_shared_groups(tmp_path: Path) -> None:
    specs, handwritten = tmp_path / "specs", tmp_path / "handwritten"
    write_scaled(2, specs, handwritten)
    assert "group: apps\n" in (specs / "apps" / "group.yaml").read_text()
    assert "group: app2\n" in (specs / "app2" / "group.yaml").read_text()
    assert (
        "group: flowcontro2.apiserver.k8s.io\n" in (specs / "flowcontro2.apiserver.k8s.io" / "group.yaml").read_text()
    )
    copied = (specs / "app2" / "v1.yaml").read_text()
    assert "cor2/v1.PodTemplateSpec" in copied
    assert "core/v1." not in copied
    assert "meta/v1.ObjectMeta" in copied
    assert not (specs / "met2").exists()
    functions = (handwritten / "cor2" / "v1" / "conversions.py").read_text()
    assert "from generated.app2 import hub as apps_hub" in functions
    assert "_as_app2_replica_set_" in functions
    own = {path: path.read_bytes() for path in SPECS.rglob("*.yaml")}
    assert all((specs / path.relative_to(SPECS)).read_bytes() == content for path, content in own.items())
    assert 1.9 < number_of_fields(specs) / number_of_fields(SPECS) < 2
