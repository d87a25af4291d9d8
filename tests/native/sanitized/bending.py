"""Has the extension read, write, convert and copy what is bent at random: `python -m tests.native.sanitized.bending`.

Nothing is compared: whatever it does wrong in memory, the sanitizers under which it runs end the process for.
"""

from __future__ import annotations

import argparse
import time
from contextlib import suppress
from random import Random

from generated import scheme
from generated.runtime.errors import ApiError
from generated.runtime.kinds import KindVersion
from generated.runtime.native import NativeCodec
from generated.runtime.scheme import Scheme
from tests.native.kinds import JSON, KINDS, PROTOBUF, class_of, layouts, ways
from tests.native.sanitized.making import bent, randomized, spoil


class Bender:
    """Bends objects and documents of all kinds, in ways that follow from the seed."""

    def __init__(self, bent_by: Scheme, codec: NativeCodec, seed: int) -> None:
        self._scheme = bent_by
        self._codec = codec
        self._random = Random(seed)

    def bend(self, entry: KindVersion) -> int:
        """One object of a kind, and its documents. Returns how many of these were read nevertheless."""
        random, codec = self._random, self._codec
        obj = randomized(layouts(), class_of(entry), random)
        self._use(entry, obj)
        done = 0
        for media in (JSON, PROTOBUF):
            data = self._scheme.encode(obj, media)
            for _ in range(4):
                found = codec.decode(bent(data, random), media, class_of(entry))
                done += found is not None
                if found is not None:
                    self._use(entry, found)
        for _ in range(random.choice((1, 1, 3))):
            spoil(layouts(), obj, random)
        self._use(entry, obj)
        return done

    def _use(self, entry: KindVersion, obj: object) -> None:
        """The extension takes an object that it may leave to Python, which may have its say of it too."""
        for media in (JSON, PROTOBUF):
            self._codec.encode(obj, media)
        self._codec.copy(obj)
        for to in ways(entry):
            share = self._random.random() < 0.5
            self._codec.convert(obj, to, share)
            if self._random.random() < 0.1:
                with suppress(ApiError, AttributeError, TypeError, ValueError, OverflowError, UnicodeError):
                    self._scheme.convert(obj, to, share=share)


def meet(codec: NativeCodec, made: Scheme) -> None:
    """Have the extension learn every kind and way."""
    for entry in KINDS:
        codec.learn(entry)
        for to in ways(entry):
            made.convert(class_of(entry)(), to)
            if to != "hub":
                made.convert(made.convert(class_of(entry)(), "hub"), to)


def main() -> None:
    """Bend until the time is over."""
    parser = argparse.ArgumentParser(prog="python -m tests.native.sanitized.bending", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    made: Scheme = scheme.encode.__self__  # type: ignore[attr-defined]
    codec = made._native
    if codec is None:
        raise SystemExit("the extension is not installed")
    meet(codec, made)
    bender, rounds, read, end = Bender(made, codec, chosen.seed), 0, 0, time.monotonic() + chosen.seconds
    while time.monotonic() < end:
        read += bender.bend(KINDS[rounds % len(KINDS)])
        rounds += 1
    print(f"seed {chosen.seed}: {rounds:,} objects and their documents bent; {read:,} bent documents were read")


if __name__ == "__main__":
    main()
