"""A generated package needs the standard library and nothing else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from textwrap import dedent

FROBBER = '{"apiVersion": "things.example.com/v6", "kind": "Frobber", "height": 3, "knobs": [{"name": "a"}]}'

PRELUDE = """
import sys
sys.path.insert(0, FOLDER)
for name in ("yaml", "orjson", "apigen", "hypothesis", "google.protobuf"):
    try:
        __import__(name)
    except ImportError:
        continue
    raise SystemExit(f"{name} is there")
from api import scheme
"""


def run(project: Path, script: str, *flags: str) -> str:
    """What a script prints in an interpreter without site-packages and without anything of the environment."""
    text = f"FOLDER = {str(project)!r}\nFROBBER = {FROBBER!r}\n{PRELUDE}{dedent(script)}"
    command = [sys.executable, "-I", "-S", "-W", "error", *flags, "-c", text]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_module_imports(project: Path) -> None:
    """All but the tests that come with the package, which need Hypothesis."""
    folder = project / "api"
    paths = (path.relative_to(project).with_suffix("") for path in folder.rglob("*.py"))
    names = sorted(".".join(path.parts).removesuffix(".__init__") for path in paths)
    names = [name for name in names if not name.startswith("api.tests")]
    assert len(names) > 50
    script = f"from importlib import import_module\nfor name in {names!r}: import_module(name)\nprint('good')"
    assert run(project, script) == "good\n"


def test_json_and_protobuf(project: Path) -> None:
    script = """
        obj = scheme.decode(FROBBER, unknown="error")
        new = scheme.convert(obj, "things.example.com/v7alpha1")
        data = scheme.encode(new, "application/vnd.kubernetes.protobuf")
        assert data.startswith(b"k8s\\0")
        again = scheme.decode(data, "application/vnd.kubernetes.protobuf")
        assert scheme.equal(new, again)
        hub = scheme.convert(again, "hub")
        features = scheme.features(release="1.11")
        strategy = scheme.strategy("Frobber")
        hub.width = 5
        print(*strategy.prepare_for_create(hub, features=features))
        print(strategy.validate(hub, features=features))
        print(scheme.encode(scheme.convert(again, "things.example.com/v7alpha1")).decode())
    """
    assert run(project, script).splitlines() == [
        "width: dropped because the Frobber2D feature is disabled",
        "[]",
        '{"kind":"Frobber","apiVersion":"things.example.com/v7alpha1","metadata":{},"size":{"height":3},"frobs":"",'
        '"restartPolicy":"Always","status":{},"knobs":{"a":{}},"limits":{}}',
    ]


def test_yaml_is_written(project: Path) -> None:
    script = 'print(scheme.encode(scheme.decode(FROBBER), "application/yaml").decode(), end="")'
    assert run(project, script).splitlines()[:4] == [
        "apiVersion: things.example.com/v6",
        "height: 3",
        "kind: Frobber",
        "knobs:",
    ]


def test_yaml_is_not_read_without_pyyaml(project: Path) -> None:
    script = """
        try:
            scheme.decode("apiVersion: v1", "application/yaml")
        except Exception as error:
            print(type(error).__name__, error, sep=": ")
    """
    printed = run(project, script)
    assert "PyYAML" in printed and printed.count("\n") == 1, printed


def test_versions_are_loaded_on_first_use(project: Path) -> None:
    script = """
        def loaded():
            return sorted(name for name in sys.modules if name.startswith("api.") and "runtime" not in name)
        print(loaded())
        scheme.decode(FROBBER)
        print([name for name in loaded() if "v7alpha1" in name or "networking" in name or "hub" in name])
    """
    assert run(project, script).splitlines() == ["['api.scheme']", "[]"]


def test_invalid_input_raises_the_same_error(project: Path) -> None:
    script = """
        for data in ("", "{", "[" * 100000, FROBBER.replace("3", "1e400"), FROBBER.replace("3", '"3"')):
            try:
                scheme.decode(data)
            except Exception as error:
                print(type(error).__name__)
    """
    assert run(project, script).splitlines() == ["DecodeError"] * 5


def test_optimized_mode(project: Path) -> None:
    """Nothing hangs on `assert` or on docstrings."""
    assert run(project, "print(scheme.decode(FROBBER).height)", "-OO") == "3\n"
