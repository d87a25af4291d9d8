"""Other generators of Python on Kubernetes' API: they show how fast the machine is, and what is usual."""

from __future__ import annotations

import shutil
from pathlib import Path

from benchmarks.measuring import ProcessCost, cost_of_process, plain_environment
from benchmarks.peers.places import MODELS, PYTHON

OUTPUT = MODELS / "scale"


def cost_of_scale() -> ProcessCost:
    """One run of openapi-python-client on Kubernetes' OpenAPI document."""
    shutil.rmtree(OUTPUT, ignore_errors=True)
    command = [str(PYTHON.with_name("openapi-python-client")), "generate", "--path", str(MODELS / "openapi3.json")]
    command += ["--output-path", str(OUTPUT), "--meta", "none"]
    return cost_of_process(command, plain_environment(), str(MODELS))


def cost_of_datamodel_codegen() -> ProcessCost:
    """One run of datamodel-codegen, with msgspec's Structs and its faster formatter."""
    command = [str(PYTHON.with_name("datamodel-codegen")), "--input", str(MODELS / "openapi3.json")]
    command += ["--input-file-type", "openapi", "--disable-timestamp", "--target-python-version", "3.11"]
    command += ["--output-model-type", "msgspec.Struct", "--formatters", "ruff-format"]
    return cost_of_process([*command, "--output", str(MODELS / "scale.py")], plain_environment(), str(MODELS))


def lines_of_scale() -> int:
    """Lines of Python that openapi-python-client wrote."""
    return _lines(OUTPUT)


def _lines(folder: Path) -> int:
    return sum(path.read_bytes().count(b"\n") for path in folder.rglob("*.py"))
