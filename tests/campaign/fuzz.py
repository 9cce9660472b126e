"""Runs the coverage-guided fuzzers of a build, one after the other, each for some inputs or minutes."""

import os
import re
import subprocess
import time
from pathlib import Path

CORPUS = Path(__file__).parent / "corpus"
MEGABYTES = 2048  # more than any reader needs for what a fuzzer gives it


def programs(build):
    return sorted(p for p in (Path(build) / "tests/campaign").glob("fuzz_*") if p.is_file() and os.access(p, os.X_OK))


def number(text, pattern):
    found = re.findall(pattern, text)
    return int(found[-1]) if found else 0


def fuzz(program, minutes, inputs, out, seed):
    """One target. What it found lies in `out`; after a finding it goes on as long as there is time."""
    name = program.name.removeprefix("fuzz_")
    grown, findings = out / name / "corpus", out / name / "findings"
    for folder in (grown, findings):
        folder.mkdir(parents=True, exist_ok=True)
    start, done, coverage, limit = time.monotonic(), 0, 0, 60 * minutes
    while done < inputs and (left := limit - (time.monotonic() - start)) > 1:
        run = subprocess.run(
            [program, f"-runs={inputs - done}", f"-max_total_time={int(left) + 1}", "-print_final_stats=1",
             f"-rss_limit_mb={MEGABYTES}", "-timeout=20", "-max_len=8192", f"-seed={seed + done}",
             f"-artifact_prefix={findings}/", grown, CORPUS / name],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace")
        (out / name / "last.log").write_text(run.stderr)
        ran = number(run.stderr, r"stat::number_of_executed_units: (\d+)")
        done += ran
        coverage = max(coverage, number(run.stderr, r"cov: (\d+)"))
        if ran == 0:
            break  # it fails on what is kept already
    seconds = time.monotonic() - start
    return {"target": name, "inputs": done, "seconds": round(seconds, 1), "rate": round(done / seconds),
            "coverage": coverage, "findings": sorted(f.name for f in findings.iterdir())}
