"""Packages of groups and versions: their names are there at once, their modules load when they are first used."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from textwrap import dedent

import pytest

from apigen.codegen.pipeline import Sources, check, generate
from apigen.diagnostics import Report

GROUPS = {
    "things.example.com/group.yaml": """
        group: things.example.com
        versions: {v1: {introduced: "1.8", storage: true}, v1beta1: {introduced: "1.8"}}
        hub: v1
        kinds: {Thing: {}}
        """,
    "things.example.com/v1.yaml": """
        types:
          Thing:
            fields:
              metadata: {type: meta/v1.ObjectMeta, required: false, protobuf: 1}
              color: {type: Color, optional: true, protobuf: 2}
              size: {type: Size, protobuf: 3}
          Color: {enum: {Red: {}, Green: {}}}
          Size: {fields: {times: {type: int32, protobuf: 1}}}
        """,
    "things.example.com/v1beta1.yaml": """
        types:
          Thing:
            fields:
              metadata: {type: meta/v1.ObjectMeta, required: false, protobuf: 1}
              color: {type: things.example.com/v1.Color, optional: true, protobuf: 2}
              size: {type: things.example.com/v1.Size, protobuf: 3}
        """,
    "meta/group.yaml": 'group: meta\nversions: {v1: {introduced: "1.2"}}\n',
    "meta/v1.yaml": """
        types:
          ObjectMeta: {fields: {name: {type: string, omitEmpty: true, protobuf: 1}}}
          ListMeta: {fields: {continue: {type: string, omitEmpty: true, protobuf: 1}}}
        """,
}

Run = Callable[[str], str]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Runs a program in a new interpreter that finds the package `made`, and returns what it prints."""
    folder = tmp_path_factory.mktemp("packages")
    for path, text in GROUPS.items():
        (folder / "specs" / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / "specs" / path).write_text(dedent(text))
    report = Report()
    checked = check(Sources(folder / "specs", None, folder), report)
    assert checked.backend_input is not None, [str(each.message) for each in report.diagnostics]
    for file in generate(checked.backend_input):
        (folder / "made" / file.path).parent.mkdir(parents=True, exist_ok=True)
        (folder / "made" / file.path).write_bytes(file.content)

    def run(program: str) -> str:
        command = [sys.executable, "-S", "-c", dedent(program)]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    return run


def test_all_names_are_accessible_from_the_package(run: Run) -> None:
    program = """
        import made, sys
        before = set(sys.modules)
        print(made.things_example_com.v1.Thing is made.things_example_com.v1.types.Thing)
        print(made.things_example_com.hub.copying.copy_thing(made.things_example_com.hub.Thing()) is None)
        print(made.scheme.kinds(), made.features.GATES, made.runtime.Time(0))
        """
    assert run(program).splitlines() == ["True", "False", "('Thing',) () 1970-01-01T00:00:00Z"]


def test_only_used_modules_are_loaded(run: Run) -> None:
    program = """
        import sys
        import made.things_example_com.v1beta1.types
        import made.things_example_com.v1beta1.json_codec, made.things_example_com.v1beta1.conversions
        of_versions = [name for name in sys.modules if name.startswith("made.") and name.count(".") == 3]
        print(*sorted(of_versions))
        made.things_example_com.v1beta1.Thing()
        print("made.meta.v1.types" in sys.modules)
        """
    modules = [f"made.things_example_com.v1beta1.{name}" for name in ("conversions", "json_codec", "types")]
    assert run(program).splitlines() == [" ".join(modules), "True"]


def test_a_package_lists_its_names(run: Run) -> None:
    program = """
        from made.things_example_com import v1
        print([name for name in dir(v1) if not name.startswith("_")])
        from made.things_example_com.v1 import *
        print(Thing.__module__, Color.RED, types.__name__)
        """
    listed, names = run(program).splitlines()
    for name in ("Color", "Thing", "conversions", "json_codec", "types"):
        assert repr(name) in listed
    assert names == "made.things_example_com.v1.types Red made.things_example_com.v1.types"


@pytest.mark.parametrize(
    ("package", "name"), [("v1", "Thingy"), ("v1", "__wrapped__"), ("v1", "dataclass"), ("v2", "")]
)
def test_unknown_name_raises_attribute_error(run: Run, package: str, name: str) -> None:
    program = f"""
        import made.things_example_com as group
        try:
            group.{package}{name and "."}{name}
        except AttributeError as error:
            print(error)
        """
    expected = f"made.things_example_com.v1' has no attribute '{name}'" if name else "has no attribute 'v2'"
    assert expected in run(program)


def test_class_names_are_resolved_by_introspection_tools(run: Run) -> None:
    program = """
        import copy, dataclasses, pickle, pydoc, typing
        from made.things_example_com import v1beta1
        from made.meta.v1 import ObjectMeta
        thing = v1beta1.Thing(metadata=ObjectMeta(name="a"))
        print(typing.get_type_hints(v1beta1.Thing)["metadata"] is ObjectMeta)
        print(typing.get_type_hints(v1beta1.json_codec.decode_thing)["return"] is v1beta1.Thing)
        print(pickle.loads(pickle.dumps(thing)) == copy.deepcopy(thing) == dataclasses.replace(thing) == thing)
        print([field.name for field in dataclasses.fields(thing)], dataclasses.asdict(thing)["metadata"])
        print("class Thing" in pydoc.render_doc(v1beta1.Thing), "v1beta1" in pydoc.render_doc(v1beta1))
        """
    assert run(program).splitlines() == [
        "True",
        "True",
        "True",
        "['api_version', 'kind', 'metadata', 'color', 'size'] {'name': 'a'}",
        "True True",
    ]


def test_concurrent_loading_returns_the_same_objects(run: Run) -> None:
    program = """
        import sys, threading
        sys.setswitchinterval(1e-6)
        import made
        barrier = threading.Barrier(16)
        found = []
        def load(turn):
            barrier.wait()
            versions = [made.things_example_com.v1, made.things_example_com.v1beta1, made.things_example_com.hub]
            versions = versions[turn % 3:] + versions[:turn % 3]
            modules = sorted((version.copying.__name__, id(version.copying), id(version.Thing)) for version in versions)
            thing = made.scheme.decode(b'{"apiVersion": "things.example.com/v1beta1", "kind": "Thing"}')
            found.append((modules, type(made.scheme.convert(thing, "hub")) is made.things_example_com.hub.Thing))
        threads = [threading.Thread(target=load, args=(turn,)) for turn in range(16)]
        [thread.start() for thread in threads], [thread.join() for thread in threads]
        print(len(found), all(each == found[0] for each in found), found[0][1])
        """
    assert run(program) == "16 True True"


@pytest.mark.slow
def test_static_module_finders_find_lazily_loaded_modules(run: Run) -> None:
    program = """
import modulefinder, pathlib, sys
pathlib.Path("program.py").write_text("from made import scheme")
finder = modulefinder.ModuleFinder(path=[".", *sys.path[1:]])
finder.run_script("program.py")
made = [p.with_suffix("") for p in pathlib.Path("made").rglob("*.py") if not {"tests", "runtime"} & set(p.parts)]
names = {".".join(p.parts).removesuffix(".__init__") for p in made}
print(len(names) > 20, sorted(names - finder.modules.keys()))
used = {name for name in finder.modules if name.startswith("made.runtime.")}
print(sorted({"dataclasses", "dataclass_methods", "json_quick", "native", "wire_writing"} - {name[13:] for name in used}))
"""
    assert run(program) == "True []\n[]"


def test_basic_use_loads_no_typing_modules(run: Run) -> None:
    program = """
import sys
sys.modules["orjson"] = None  # it loads `dataclasses`
from made import scheme
from made.things_example_com.v1 import Size, Thing
data = scheme.encode(Thing(size=Size(times=2)))
stored = scheme.encode(scheme.convert(scheme.decode(data), "things.example.com/v1beta1"), "application/vnd.kubernetes.protobuf")
print(scheme.copy(scheme.decode(stored, "application/vnd.kubernetes.protobuf")).size.times)
print({"dataclasses", "inspect", "typing"} & set(sys.modules))
"""
    assert run(program) == "2\nset()"
