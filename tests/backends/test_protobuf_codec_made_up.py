"""Made-up APIs of all shapes against Google's protobuf: it reads what our codecs write, and they what it writes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from made_up_messages import apis, objects
from protobuf_peer import Generated, generate, settled

from apigen.ir.model import Struct
from apigen.ir.types import TypeId
from apigen.runtime.errors import DecodeError

SLOW = settings(deadline=None, max_examples=25, suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with TemporaryDirectory() as name:
        yield Path(name)


@SLOW
@given(api=apis(), data=st.data())
def test_both_sides_understand_each_other(folder: Path, api: object, data: st.DataObject) -> None:
    generated = generate(api, folder)
    for id_ in structs(generated):
        obj = data.draw(objects(api, generated.classes, id_))
        ours = generated.encode(id_, obj)
        theirs = generated.message(id_, obj)
        assert type(theirs).FromString(ours) == theirs
        assert generated.decode(id_, ours) == settled(generated, id_, obj)
        assert generated.decode(id_, theirs.SerializeToString()) == settled(generated, id_, obj)


def structs(generated: Generated) -> list[TypeId]:
    return [id_ for id_, type_ in generated.api.types.items() if isinstance(type_, Struct)]
