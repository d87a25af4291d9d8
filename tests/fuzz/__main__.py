"""`python -m tests.fuzz`: mutated documents of all formats, with the extension and without it.

Of each document is checked: nothing but an ApiError is raised; the extension and plain Python give the same object, bytes
and error text when it is decoded, encoded, decoded again, copied and converted; what was encoded is decoded to the same
object; it takes at most ten times the CPU of a clean document of its size, three times in a row; and at the end the
process does not hold much more memory than after the first tenth. Exits with 1 after any finding; documents with one are
stored, with the command that repeats it.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import time
from pathlib import Path
from typing import Any

from tests.fuzz.checking import MOST_RATIO, REPEATS, Checker
from tests.fuzz.packages import MEDIA, Document, chosen_package, clean_documents
from tests.fuzz.working import MOST_GROWTH, SHARES, Job, Totals, work
from tests.native.building import ROOT, built

PROCESSES = 2
STALLED = 180.0
"""Seconds without a document after which a process is ended: C code does not notice that it takes too long."""
LONGEST_START = 1800.0
"""Seconds to import everything and to check the documents of the start."""
MOST_SHOWN = 40


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--documents", type=int, default=1_000_000, help="how many, in all processes")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after this time")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same documents")
    parser.add_argument(
        "--processes", type=int, default=PROCESSES, help="shares of the work; part of what the documents follow from"
    )
    parser.add_argument(
        "--package", choices=("kubernetes", "generated"), help="all of Kubernetes' API, or this project's output"
    )
    parser.add_argument(
        "--findings", type=Path, default=ROOT / "build" / "fuzz", help="where failing documents are stored"
    )
    parser.add_argument(
        "--ratio",
        type=float,
        default=MOST_RATIO,
        help="how many times the CPU of a clean document of its size one may take",
    )
    parser.add_argument("--replay", type=Path, help="check one stored document, whose suffix is json, yaml or pb")
    chosen = parser.parse_args()
    if chosen.replay is not None:
        return replay(chosen.replay, chosen.package)
    return report(fuzz(chosen), chosen)


def replay(file: Path, package: str | None) -> int:
    """Check one document, and print all that is found."""
    found = chosen_package(package)
    document = Document(file.suffix[1:], file.read_bytes())
    if document.suffix not in MEDIA:
        raise SystemExit(f"the suffix of {file} must be one of {', '.join(MEDIA)}")
    checker = Checker(found)
    checker.check(document)  # modules are imported
    checker.calibrate(clean_documents(found, list(found.documents())))
    result = checker.check(document)
    print(
        f"{len(document.data):,} bytes; {'decoded' if result.is_clean else 'rejected'}: {result.feature}; {result.ratio:.1f} times the CPU"
    )
    for finding in result.findings:
        print(f"\n{finding.kind}: {finding.message}")
    return int(bool(result.findings))


def fuzz(chosen: argparse.Namespace) -> Totals:
    """Run all shares, each in a process of its own."""
    built()  # once, before several processes want it
    chosen.findings.mkdir(parents=True, exist_ok=True)
    os.environ["PYTHONHASHSEED"] = "0"
    context = multiprocessing.get_context("spawn")
    totals, running = Totals(), []
    for share in range(chosen.processes):
        count = chosen.documents // chosen.processes + (share < chosen.documents % chosen.processes)
        job = Job(chosen.seed, share, count, chosen.seconds, chosen.package, chosen.findings, chosen.ratio)
        beat, (ours, theirs) = context.Value("Q", 0), context.Pipe(duplex=False)
        process = context.Process(target=work, args=(job, beat, theirs), daemon=True)
        process.start()
        theirs.close()
        running.append((job, beat, ours, process))
    for job, beat, ours, process in running:
        totals.add(_awaited(job, beat, ours, process))
    return totals


def _awaited(job: Job, beat: Any, pipe: Any, process: Any) -> Totals:
    """What a process came to; one that ends by itself, or stalls, is a finding with the document that it had."""
    last, since = -1, time.monotonic()
    problem = "the process ended by itself"
    try:
        while not pipe.poll(1.0):
            if beat.value != last:
                last, since = beat.value, time.monotonic()
            elif time.monotonic() - since > (STALLED if beat.value else LONGEST_START):
                process.kill()
                problem = f"no document was finished for {time.monotonic() - since:.0f} seconds"
                break
        found = pipe.recv() if problem.startswith("the process") else None
    except EOFError:
        found = None
    process.join()
    if isinstance(found, Totals):
        return found
    totals = Totals(documents=beat.value)
    totals.findings["crash"] = 1
    current = max(job.folder.glob(f"current-{job.share}.*"), key=lambda file: file.stat().st_mtime, default=None)
    name = ""
    if current is not None:
        name = f"crash-{job.seed}-{job.share}{current.suffix}"
        (job.folder / name).write_bytes(current.read_bytes())
    totals.stored.append(
        ("crash", name, found if isinstance(found, str) else f"{problem} (exit code {process.exitcode})")
    )
    return totals


def report(totals: Totals, chosen: argparse.Namespace) -> int:
    """Print the totals and the findings; 1 if there are any."""
    print(
        f"seed {chosen.seed}: {totals.documents:,} documents in {totals.seconds / chosen.processes:,.0f} s with {chosen.processes} processes"
    )
    print(f"{'format':<8}{'documents':>12}{'decoded':>12}{'rejected':>12}{'decoded %':>11}{'slowest':>10}")
    for suffix in SHARES:
        clean, rejected = totals.clean[suffix], totals.rejected[suffix]
        share = 100 * clean / max(1, clean + rejected)
        print(
            f"{suffix:<8}{clean + rejected:>12,}{clean:>12,}{rejected:>12,}{share:>11.1f}{totals.slowest.get(suffix, 0.0):>9.1f}x"
        )
    kinds = {
        kind: sum(n for key, n in totals.findings.items() if key.startswith(kind))
        for kind in ("differs", "raises", "round trip", "slow", "crash")
    }
    print("findings: " + ", ".join(f"{kind} {count:,}" for kind, count in kinds.items()))
    print(f"time: at most {chosen.ratio:g} times a clean document of its size, {REPEATS} times in a row")
    print(
        f"memory: {totals.warm_mb:.0f} MB after a tenth, {totals.last_mb:.0f} MB at the end, without the documents kept (at most {MOST_GROWTH:.0f} MB more)"
    )
    print(f"guided by {totals.lines:,} lines reached and {totals.kept:,} documents kept")
    for key, count in totals.findings.most_common(MOST_SHOWN):
        print(f"{count:>8,}  {key}")
    package = f" --package {chosen.package}" if chosen.package else ""
    for kind, name, message in totals.stored[:MOST_SHOWN]:
        print(f"\n{kind}: {message}")
        if name:
            print(f"  {Path(sys.executable).name} -m tests.fuzz{package} --replay {chosen.findings / name}")
    return int(bool(totals.findings))


if __name__ == "__main__":
    sys.exit(main())
