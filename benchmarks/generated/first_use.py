"""What a program pays until its first object is there, in CPU seconds: importing what that takes, and the work itself."""

from __future__ import annotations

import subprocess
import sys
from functools import cache

from benchmarks.generated.importing import PACKAGE, seconds_of
from benchmarks.measuring import plain_environment
from benchmarks.peers.places import BUILT, PYTHON

_POD = (
    '{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web", "labels": {"app": "web"}}, "spec": {"containers":'
    ' [{"name": "web", "image": "nginx", "ports": [{"containerPort": 80}], "resources": {"limits": {"cpu": "500m"}}}]}}'
)
_WRITTEN = (
    f"from {PACKAGE.name} import scheme\n"
    f"print(scheme.encode(scheme.decode({_POD!r}), 'application/vnd.kubernetes.protobuf').hex())\n"
)
_TYPES = f"from {PACKAGE.name}.core.v1 import Container, Pod, PodSpec\n"
_MADE = f"{_TYPES}pod = Pod(spec=PodSpec(containers=[Container(name='web', image='nginx')]))\n"
_USES = {
    "a Pod made": _MADE,
    "a Pod made and written as JSON": f"{_MADE}from {PACKAGE.name} import scheme\nscheme.encode(pod)\n",
    "a Pod read from JSON": f"from {PACKAGE.name} import scheme\nscheme.decode({_POD!r})\n",
    "a Pod read from protobuf": (
        f"from {PACKAGE.name} import scheme\n"
        "scheme.decode(bytes.fromhex('{written}'), 'application/vnd.kubernetes.protobuf')\n"
    ),
}
USES = tuple(_USES)
"""What is done first, in words."""
_ALONE = f"import sys\nsys.path.insert(0, {str(BUILT)!r})\nsys.modules['orjson'] = None\n"
"""The standard library is all that there is."""


def first_use(use: str) -> float | None:
    """The time of one process that does this and nothing else; None where it fails, and says so."""
    return seconds_of(_ALONE + _USES[use].replace("{written}", _written()))


@cache
def _written() -> str:
    """The Pod in protobuf, as hexadecimal digits."""
    command = [str(PYTHON), "-c", _ALONE + _WRITTEN]
    done = subprocess.run(command, env=plain_environment(), capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"a Pod cannot be written: {done.stderr.strip()[-300:]}", file=sys.stderr)
    return done.stdout.strip()
