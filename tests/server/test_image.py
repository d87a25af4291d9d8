"""The image: its pip line in an empty environment, in which the compiler cannot be imported, serves a generated package."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from .processes import PROJECT, Authority

pytestmark = pytest.mark.slow(as_file=True)

DOCKERFILE = PROJECT / "server" / "deploy" / "Dockerfile"
SECONDS = 300
PROGRAM = """
import http.client, json, ssl, subprocess, sys
command = ["apigen-server", "webhook", "--package", "generated", "--host", "127.0.0.1", "--port", "0"]
command += ["--tls-cert", "tls.crt", "--tls-key", "tls.key"]
process = subprocess.Popen([sys.prefix + "/bin/" + command[0], *command[1:]], stderr=subprocess.PIPE, text=True)
try:
    port = int(json.loads(process.stderr.readline())["address"].rpartition(":")[2])
    context = ssl.create_default_context(cafile="ca.crt")
    connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=60, context=context)
    obj = {"apiVersion": "things.example.com/v6", "kind": "Frobber", "metadata": {"name": "a"}, "param": "x"}
    request = {"uid": "u", "desiredAPIVersion": "things.example.com/v7alpha1", "objects": [obj]}
    review = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview", "request": request}
    connection.request("POST", "/convert", json.dumps(review))
    print(json.loads(connection.getresponse().read())["response"]["convertedObjects"][0]["frobs"])
finally:
    process.terminate()
    print(process.wait(60))
try:
    import apigen
except ImportError:
    print("no compiler")
"""


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the Dockerfile makes, without Docker: its files, and its pip line in an empty environment."""
    folder = tmp_path_factory.mktemp("image")
    venv.create(folder / "venv", with_pip=True)
    lines = DOCKERFILE.read_text(encoding="utf-8").splitlines()
    (install,) = (line.removeprefix("RUN ") for line in lines if line.startswith("RUN "))
    copies = dict(match.groups() for line in lines if (match := re.fullmatch(r"COPY (\S+) (\S+)", line)))
    assert copies == {"server": "/src/server", "${PACKAGE}": "/app/${PACKAGE}"}
    for source, target in copies.items():
        place = folder / target.replace("${PACKAGE}", "generated").lstrip("/")
        shutil.copytree(PROJECT / source.replace("${PACKAGE}", "generated"), place)
    words = [word.replace("/src/", f"{folder}/src/") for word in install.split()]
    assert words[0] == "pip"
    done = subprocess.run(
        [folder / "venv" / "bin" / "pip", *words[1:]], capture_output=True, text=True, check=False, timeout=SECONDS
    )
    assert done.returncode == 0, done.stderr
    return folder


def test_the_image_serves_without_the_compiler(image: Path) -> None:
    app = image / "app"
    authority = Authority(app)
    authority.issue()
    authority.ca.cert_pem.write_to_path(app / "ca.crt")
    environment = {"PATH": os.environ["PATH"], "HOME": str(image)}
    command = [image / "venv" / "bin" / "python", "-c", PROGRAM]
    done = subprocess.run(command, cwd=app, env=environment, capture_output=True, text=True, timeout=SECONDS)
    assert (done.stdout.split("\n"), done.stderr) == (["x", "0", "no compiler", ""], "")


def test_the_entry_point_is_the_installed_program(image: Path) -> None:
    (entry,) = re.findall(r'^ENTRYPOINT \["(.*)"\]$', DOCKERFILE.read_text(encoding="utf-8"), re.MULTILINE)
    done = subprocess.run([image / "venv" / "bin" / entry, "--version"], capture_output=True, text=True, timeout=60)
    assert done.stdout.startswith("apigen-server ")


def test_no_module_of_the_server_imports_the_compiler() -> None:
    program = (
        "import sys; sys.modules['apigen'] = None\n"
        "import pkgutil, importlib, apigen_server\n"
        "for found in pkgutil.walk_packages(apigen_server.__path__, 'apigen_server.'):\n"
        "    found.name.endswith('__main__') or importlib.import_module(found.name)\n"
        "print(sorted(name for name in sys.modules if name.startswith('apigen.')))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "[]\n"
