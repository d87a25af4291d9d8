"""What must hold of any document, checked with the extension and without it."""

from __future__ import annotations

import re
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.fuzz.packages import MEDIA, Document, Package

MOST_RATIO = 10
"""No document may take more than this times the CPU of a clean one of its size."""
LEAST_CLEAN = 3
"""Of so many clean documents of a size, the time is known."""
REPEATS = 3
"""So often in a row, before it counts."""


class TooLong(BaseException):
    """A document keeps the process for too long."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong with a document. Findings with the same `cause` are the same for people."""

    kind: str
    cause: str
    message: str


@dataclass(slots=True)
class Result:
    """What came of a document: whether it was decoded, and what distinguishes it from other documents."""

    is_clean: bool
    feature: str
    findings: list[Finding] = field(default_factory=list)
    ratio: float = 0.0


def normalized(text: str) -> str:
    """The text of an error without the values and places in it."""
    text = re.sub(r"\[[^\]]*\]", "[]", text[:300])
    text = re.sub(r"\"[^\"]*\"|'[^']*'|b'.*", "…", text)
    return re.sub(r"\d+", "0", text)[:120]


class Checker:
    """Checks documents of a package. `calibrate` first: until then no time is compared."""

    def __init__(self, package: Package, most_ratio: float = MOST_RATIO) -> None:
        self._package = package
        self._most_ratio = most_ratio
        self._expected: dict[str, dict[int, float]] = {}
        self._samples: dict[tuple[str, int], list[Document]] = {}
        self._sample_seconds: dict[tuple[str, int], float] = {}
        by_hub: dict[str, list[str]] = {}
        for entry in package.kinds:
            by_hub.setdefault(entry.hub, []).append(entry.api_version)
        self._targets = {(entry.api_version, entry.kind): ["hub", *by_hub[entry.hub]] for entry in package.kinds}

    # --- calls --------------------------------------------------------------------------------------------------------

    def _call(
        self, findings: list[Finding], what: str, call: Callable[..., Any], *arguments: Any, **more: Any
    ) -> tuple[str, Any]:
        """(text, result) of a call, the text empty for anything but an ApiError; any other error is a finding."""
        try:
            return "", call(*arguments, **more)
        except self._package.api_error as error:
            return f"{type(error).__name__}: {error}", None
        except Exception as error:
            trace, name = error.__traceback__, type(error).__name__
            while trace is not None and trace.tb_next is not None:
                trace = trace.tb_next
            code = trace.tb_frame.f_code if trace is not None else None
            place = f"{code.co_filename.rpartition('/')[2]}:{code.co_name}" if code is not None else "?"
            findings.append(
                Finding("raises", f"{what} {name} {place}", f"{what} raises {name} in {place}: {str(error)[:200]}")
            )
            return f"{name}: {error}", None

    def _both(self, findings: list[Finding], verb: str, what: str, *arguments: Any, **more: Any) -> tuple[str, Any]:
        """What plain Python gives; a finding if the extension gives anything else."""
        wanted = self._call(findings, f"{what} (Python)", getattr(self._package.pure, verb), *arguments, **more)
        self._compare(findings, verb, what, wanted, *arguments, **more)
        return wanted

    def _compare(
        self, findings: list[Finding], verb: str, what: str, wanted: tuple[str, Any], *arguments: Any, **more: Any
    ) -> None:
        found = self._call(findings, f"{what} (extension)", getattr(self._package.native, verb), *arguments, **more)
        if found[0] != wanted[0] or not _same(found[1], wanted[1]):
            told = [text or f"{type(value).__name__} {value!r:.300}" for text, value in (found, wanted)]
            cause = " / ".join(normalized(text) if text else "result" for text, _ in (found, wanted))
            findings.append(
                Finding(
                    "differs",
                    f"{what}: {cause}",
                    f"{what} gives with the extension\n  {told[0]}\nand without\n  {told[1]}",
                )
            )

    # --- time ---------------------------------------------------------------------------------------------------------

    def calibrate(self, documents: list[Document]) -> None:
        """Measure what decoding a clean document of each size takes, by format, in plain Python."""
        taken: dict[str, dict[int, list[float]]] = {}
        for _ in range(2):  # modules are imported in the first round
            taken.clear()
            for document in documents:
                seconds, text = self._timed(document, self._package.pure)
                if not text:
                    taken.setdefault(document.suffix, {}).setdefault(len(document.data).bit_length(), []).append(
                        seconds
                    )
        for suffix, sizes in taken.items():
            medians = {size: _median(all_) for size, all_ in sizes.items() if len(all_) >= LEAST_CLEAN}
            self._expected[suffix] = medians
        for document in documents:
            samples = self._samples.setdefault((document.suffix, len(document.data).bit_length()), [])
            if len(samples) < LEAST_CLEAN:
                samples.append(document)
        self._sample_seconds = {size: self._time_of_samples(*size) for size in self._samples}

    def _clean_seconds(self, document: Document) -> float:
        """The CPU time of a clean document of this size; per byte beyond those that are known."""
        known = self._expected.get(document.suffix)
        if not known:
            return float("inf")
        nearest = self._nearest_size(document)
        return max(known[each] for each in known if each <= nearest) * max(1.0, len(document.data) / (1 << nearest))

    def _nearest_size(self, document: Document) -> int:
        """The largest known size of clean documents up to that of a document, as a number of bits."""
        known = self._expected[document.suffix]
        size = len(document.data).bit_length()
        return max((each for each in known if each <= size), default=min(known))

    def _slowdown(self, document: Document) -> float:
        """How much slower clean documents of this size are decoded now than when they were measured; at least 1.

        Other work on the machine slows everything down, small documents by up to five times.
        """
        size = document.suffix, self._nearest_size(document)
        return max(1.0, self._time_of_samples(*size) / self._sample_seconds[size])

    def _time_of_samples(self, suffix: str, size: int) -> float:
        return _median([self._timed(each, self._package.pure)[0] for each in self._samples[suffix, size]])

    def _timed(self, document: Document, scheme: Any) -> tuple[float, str]:
        ignored: list[Finding] = []
        before = time.thread_time()
        text, _ = self._call(ignored, "decode", scheme.decode, document.data, document.media_type, default=False)
        return time.thread_time() - before, text

    def _ratio(self, document: Document, first: float) -> float:
        """How many times the CPU of a clean document this one takes: the least of several tries, if the first is high."""
        expected = self._clean_seconds(document)
        ratio = first / expected
        if ratio > self._most_ratio:
            expected *= self._slowdown(document)
            ratio = first / expected
        for _ in range(REPEATS - 1):
            if ratio <= self._most_ratio / 2:
                break
            ratio = min(ratio, self._timed(document, self._package.pure)[0] / expected)
        for _ in range(REPEATS):
            if ratio > self._most_ratio:
                break
            with_extension = self._timed(document, self._package.native)[0] / expected
            if with_extension <= self._most_ratio:
                break
        else:
            return with_extension
        return ratio

    # --- documents ----------------------------------------------------------------------------------------------------

    def check(self, document: Document) -> Result:
        """Decode, encode, decode again, copy and convert."""
        findings: list[Finding] = []
        data, media_type = document.data, document.media_type
        choice = zlib.crc32(data)
        try:
            before = time.thread_time()
            wanted = self._call(findings, "decode (Python)", self._package.pure.decode, data, media_type, default=False)
            seconds = time.thread_time() - before
            self._compare(findings, "decode", "decode", wanted, data, media_type, default=False)
            text, obj = wanted
            ratio = self._ratio(document, seconds) if self._expected else 0.0
            if ratio > self._most_ratio:
                findings.append(
                    Finding(
                        "slow",
                        f"{document.suffix} {normalized(text)}",
                        f"takes {ratio:.1f} times the CPU of a clean document",
                    )
                )
            if choice % 16 == 0:
                self._both(findings, "decode", "decode strictly", data, media_type, unknown="error")
            if obj is not None:
                self._use(findings, document, obj, choice)
        except TooLong:
            return self.too_long(document, findings)
        feature = f"{document.suffix} {type(obj).__name__ if obj is not None else normalized(text)}"
        return Result(obj is not None, feature, findings, ratio)

    def too_long(self, document: Document, findings: list[Finding] | None = None) -> Result:
        """The result of a document that was given up."""
        found = [*(findings or ()), Finding("slow", f"{document.suffix} is given up", "takes too long")]
        return Result(is_clean=False, feature="too long", findings=found, ratio=float("inf"))

    def reach(self, document: Document) -> None:
        """Only decode and encode, in plain Python: what a trace is to see."""
        ignored: list[Finding] = []
        pure = self._package.pure
        _, obj = self._call(ignored, "decode", pure.decode, document.data, document.media_type, default=False)
        if obj is not None:
            self._call(ignored, "encode", pure.encode, obj, document.media_type)

    def _use(self, findings: list[Finding], document: Document, obj: Any, choice: int) -> None:
        others = [document.media_type, list(MEDIA.values())[choice % 3]]
        for media_type in dict.fromkeys(others):
            _, written = self._both(findings, "encode", f"encode {media_type}", obj, media_type)
            if written is None:
                continue
            again_text, again = self._both(
                findings, "decode", f"decode what was encoded {media_type}", written, media_type, default=False
            )
            if again_text:
                cause = f"{media_type} {normalized(again_text)}"
                findings.append(
                    Finding("round trip", cause, f"what was encoded as {media_type} is rejected: {again_text[:300]}")
                )
            elif not self._is_same_object(findings, obj, again, written, media_type):
                findings.append(
                    Finding(
                        "round trip",
                        f"{media_type} {type(obj).__name__}",
                        f"encoded as {media_type} and decoded, it is another object",
                    )
                )
        self._both(findings, "copy", "copy", obj)
        if choice % 4 == 0:
            self._both(findings, "decode", "decode and default", document.data, document.media_type)
        targets = self._targets.get((getattr(obj, "api_version", ""), getattr(obj, "kind", "")), ["hub"])
        for to in dict.fromkeys(("hub", targets[choice // 4 % len(targets)])):
            self._both(findings, "convert", f"convert to {to}", obj, to)

    def _is_same_object(self, findings: list[Finding], obj: Any, again: Any, written: bytes, media_type: str) -> bool:
        """Whether the object is written alike again, or means the same.

        As in Go, protobuf has no null for the bytes in a map, and JSON reads a raw null as a value that is omitted.
        """
        _, rewritten = self._call(findings, "encode again", self._package.pure.encode, again, media_type)
        if rewritten is not None and _readable(rewritten) == _readable(written):
            return True
        if self._call(findings, "equal", self._package.pure.equal, obj, again)[1] is True:
            return True
        trees = [self._call(findings, "to_dict", self._package.pure.to_dict, each)[1] for each in (obj, again)]
        return None not in trees and _without_nulls(trees[0]) == _without_nulls(trees[1])


def _median(values: list[float]) -> float:
    return sorted(values)[len(values) // 2]


def _without_nulls(tree: Any) -> Any:
    if isinstance(tree, dict):
        return {name: _without_nulls(value) for name, value in tree.items() if value is not None}
    return [_without_nulls(item) for item in tree] if isinstance(tree, list) else tree


def _same(one: Any, other: Any) -> bool:
    """Whether two results are the same; NaN is the same as NaN."""
    return type(one) is type(other) and (one == other or repr(one) == repr(other))


def _readable(written: bytes) -> bytes:
    """Go, and so the codec, escapes the replacement of a byte that is not UTF-8; once decoded, it is an ordinary character."""
    return written.replace(b"\\ufffd", "\ufffd".encode())
