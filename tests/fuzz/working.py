"""One process of the fuzzer: a share of the documents, all of which follow from the seed and the number of the share."""

from __future__ import annotations

import ctypes
import gc
import hashlib
import os
import signal
import time
import traceback
import warnings
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from tests.fuzz import json_mutations, wire_mutations, yaml_mutations
from tests.fuzz.checking import Checker, Finding, TooLong
from tests.fuzz.guiding import TRACED, Corpus, Coverage
from tests.fuzz.packages import Document, chosen_package, clean_documents

MUTATE = {"json": json_mutations.mutate, "yaml": yaml_mutations.mutate, "pb": wire_mutations.mutate}
SHARES = {"json": 0.42, "pb": 0.43, "yaml": 0.15}
"""How often each format is chosen; YAML takes the longest by far."""
MOST_SECONDS = 5.0
"""CPU time after which a document is given up."""
MOST_GROWTH = 32.0
"""MB that a process may hold more at the end than after the first tenth of its documents."""
MOST_STORED = 3
"""Documents that are stored for one cause."""


@dataclass(slots=True)
class Totals:
    """What a share, or all of them, came to."""

    documents: int = 0
    clean: Counter[str] = field(default_factory=Counter)
    rejected: Counter[str] = field(default_factory=Counter)
    findings: Counter[str] = field(default_factory=Counter)
    stored: list[tuple[str, str, str]] = field(default_factory=list)
    """(kind, file, message) of findings."""
    slowest: dict[str, float] = field(default_factory=dict)
    warm_mb: float = 0.0
    last_mb: float = 0.0
    lines: int = 0
    kept: int = 0
    seconds: float = 0.0

    def add(self, other: Totals) -> None:
        """Take in what another share came to; of memory, lines and documents kept the largest."""
        self.documents += other.documents
        self.clean += other.clean
        self.rejected += other.rejected
        self.findings += other.findings
        self.stored += other.stored
        for suffix, ratio in other.slowest.items():
            self.slowest[suffix] = max(ratio, self.slowest.get(suffix, 0.0))
        if other.last_mb - other.warm_mb >= self.last_mb - self.warm_mb:
            self.warm_mb, self.last_mb = other.warm_mb, other.last_mb
        self.lines, self.kept = max(self.lines, other.lines), max(self.kept, other.kept)
        self.seconds += other.seconds


@dataclass(frozen=True, slots=True)
class Job:
    """A share: what to fuzz, and where to put documents that fail."""

    seed: int
    share: int
    documents: int
    seconds: float
    package: str | None
    folder: Path
    most_ratio: float


def resident_mb() -> float:
    """The memory that this process holds; 0 where the system does not say."""
    statm = Path("/proc/self/statm")
    return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGESIZE") / 2**20 if statm.is_file() else 0.0


def _return_free_memory() -> None:
    """Return to the system the memory that the C library keeps between used blocks: freed documents leave gaps."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def _give_up(*_: Any) -> None:
    raise TooLong


class Worker:
    """Runs a share."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._random = Random(f"{job.seed}/{job.share}")
        warnings.simplefilter("ignore")
        self.package = chosen_package(job.package)
        documents = list(self.package.documents())
        self._checker = Checker(self.package, job.most_ratio)
        self._corpus = Corpus(documents)
        self.totals = Totals()
        for (
            document
        ) in documents:  # every module is imported, and every kind is met; the documents are to be right, too
            self._note(document, self._checker.check(document).findings)
        self._checker.calibrate(clean_documents(self.package, documents))
        self._coverage = Coverage(str(self.package.folder))
        gc.collect()
        gc.freeze()

    def run(self, beat: Any = None) -> Totals:
        """All documents of the share. `beat.value` counts them, and `current` in the folder holds the one in work."""
        signal.signal(signal.SIGPROF, _give_up)
        start, totals, job = time.monotonic(), self.totals, self._job
        parent = os.getppid()
        while totals.documents < job.documents and time.monotonic() - start < job.seconds:
            if os.getppid() != parent:  # the command was killed
                break
            self._one()
            totals.documents += 1
            if totals.documents == max(500, job.documents // 10):
                totals.warm_mb = self._memory_mb()
            if beat is not None:
                beat.value = totals.documents
        totals.last_mb = self._memory_mb()
        totals.warm_mb = totals.warm_mb or totals.last_mb
        totals.lines, totals.kept = len(self._coverage), len(self._corpus)
        totals.seconds = time.monotonic() - start
        growth = totals.last_mb - totals.warm_mb
        if growth > MOST_GROWTH:
            totals.findings["memory"] += 1
            totals.stored.append(("memory", "", f"the process grew by {growth:.0f} MB"))
        return totals

    def _memory_mb(self) -> float:
        """What the process holds besides what guides the fuzzer."""
        gc.collect()
        _return_free_memory()
        return resident_mb() - (self._corpus.held_bytes + self._coverage.held_bytes) / 2**20

    def _one(self) -> None:
        random = self._random
        suffix = random.choices(list(SHARES), list(SHARES.values()))[0]
        document = Document(suffix, MUTATE[suffix](self._corpus.pick(suffix, random).data, random))
        trace = random.randrange(TRACED) == 0
        (self._job.folder / f"current-{self._job.share}.{suffix}").write_bytes(document.data)
        signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)
        before = len(self._coverage)
        try:
            result = self._checker.check(document)
            if trace:
                with self._coverage.traced():
                    self._checker.reach(document)
        except TooLong:  # between two calls
            result = self._checker.too_long(document)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        self._corpus.add(document, result.feature, len(self._coverage) - before, random)
        (self.totals.clean if result.is_clean else self.totals.rejected)[suffix] += 1
        self.totals.slowest[suffix] = max(result.ratio, self.totals.slowest.get(suffix, 0.0))
        self._note(document, result.findings)

    def _note(self, document: Document, findings: list[Finding]) -> None:
        for finding in findings:
            key = f"{finding.kind}: {finding.cause}"
            self.totals.findings[key] += 1
            if self.totals.findings[key] <= MOST_STORED:
                name = f"{hashlib.sha256(document.data).hexdigest()[:16]}.{document.suffix}"
                (self._job.folder / name).write_bytes(document.data)
                self.totals.stored.append((finding.kind, name, finding.message))


def work(job: Job, beat: Any, pipe: Any) -> None:
    """A process: sends what it came to through the pipe, or the text of an error."""
    try:
        pipe.send(Worker(job).run(beat))
    except BaseException:
        traceback.print_exc()  # at once: the other processes go on
        pipe.send(traceback.format_exc())
