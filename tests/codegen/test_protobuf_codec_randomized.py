"""Random APIs of all shapes against Google's protobuf: it reads what our codecs write, and they read what it writes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from apigen.ir.model import Api, Struct, TypeId
from apigen.runtime.errors import DecodeError
from tests.codegen.protobuf_peer import Generated, generate, settled
from tests.codegen.randomized_messages import apis, objects

SLOW = settings(
    deadline=None,
    max_examples=25,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],  # an example takes long to try, so it is not made smaller
    report_multiple_bugs=False,
)


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with TemporaryDirectory() as name:
        yield Path(name)


@pytest.mark.slow
@SLOW
@given(api=apis(), data=st.data())
def test_both_implementations_decode_each_other(folder: Path, api: Api, data: st.DataObject) -> None:
    generated = generate(api, folder)
    for id_ in structs(generated):
        obj = data.draw(objects(api, generated.classes, id_))
        ours = generated.encode(id_, obj)
        theirs = generated.message(id_, obj)
        assert type(theirs).FromString(ours) == theirs
        assert generated.decode(id_, ours) == settled(generated, id_, obj)
        assert generated.decode(id_, theirs.SerializeToString()) == settled(generated, id_, obj)


@pytest.mark.slow(one_in=16)
@SLOW
@given(api=apis(), data=st.data())
def test_damaged_messages_decode_or_raise_an_error(folder: Path, api: Api, data: st.DataObject) -> None:
    generated = generate(api, folder)
    for id_ in structs(generated):
        whole = generated.encode(id_, data.draw(objects(api, generated.classes, id_)))
        for _ in range(8):
            damaged = data.draw(damages(whole))
            try:
                obj = generated.decode(id_, damaged)
            except DecodeError:
                continue
            again = generated.encode(id_, obj)
            assert generated.encode(id_, generated.decode(id_, again)) == again


@st.composite
def damages(draw: st.DrawFn, whole: bytes) -> bytes:
    """The bytes of a message, of which some were changed, omitted, doubled or added, or the end cut off."""
    data = bytearray(whole)
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(data)))
        to = draw(st.integers(at, min(len(data), at + 8)))
        piece = draw(st.binary(max_size=3) | st.just(bytes(data[at:to]) * 2))
        data[at : draw(st.sampled_from([at, to, len(data)]))] = piece
    return bytes(data)


def structs(generated: Generated) -> list[TypeId]:
    return [id_ for id_, type_ in generated.api.types.items() if isinstance(type_, Struct)]
