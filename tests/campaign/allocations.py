"""No memory, at one allocation of a run after the other: a message, exit code 1, and nothing lost."""

import os
import re
import shutil
import subprocess
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import silt_program as program
from runs import PLACE, Case, Lost, require, require_sane, require_same
from scenes import SCENES

FRAMES = 2
MODES = ["once", "from"]  # that allocation alone; it and all after it
# Libraries that do not look whether they got what they asked malloc for: the program ends by a signal.
CARELESS = {"libblosc.so.1"}
SAYS = re.compile(r"out of memory|no memory|insufficient memory|cannot allocate memory", re.IGNORECASE)


def without_memory(mode, value, *words):
    """The program for tests whose allocations fail as SILT_MEMORY says."""
    environment = {**os.environ, "SILT_MEMORY": f"{mode}:{value}", "OMP_WAIT_POLICY": "passive"}
    return subprocess.run([program.SILT.removesuffix("/silt") + "/silt_without_memory", *map(str, words)],
                          env=environment, timeout=120, text=True, errors="replace", stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def count(case, out, *words):
    done = without_memory("count", out.parent / "count", *case.command(out, *words))
    require(done.returncode == 0, f"{case.name} does not run\n{done.stderr}")
    return int((out.parent / "count").read_text())


def check_end(done, case, out):
    """How it ended, in words."""
    whose = re.search(r"SILT_MEMORY: none for (\S+)", done.stderr)
    if done.returncode < 0 and whose and whose[1] in CARELESS:
        return f"a signal, in {whose[1]}"
    require(done.returncode >= 0, f"signal {-done.returncode}\n{done.stderr}")
    if done.returncode == 0:
        require_same(out, case.expected)
        return "went on without"
    require(done.returncode == 1, f"exit code {done.returncode}\n{done.stderr}")
    require(SAYS.search(done.stderr), f"no message of memory\n{done.stderr}")
    require(done.stderr.count("error:") <= 1 and "mistake in silt" not in done.stderr, done.stderr)
    return "said so, exit code 1"


def fail_once(case, folder, mode, n, words, before=None):
    """A run, or the resuming of a copy of `before`, without memory at n; then resumed with it."""
    out = folder / "_".join([*words, f"{mode}{n}"])
    try:
        if before:
            shutil.copytree(before, out)
        done = without_memory(mode, n, *case.command(out, *words))
        how = check_end(done, case, out)
        if out.exists() and any(out.iterdir()):
            require_sane(out)
        case.resume(out)
    except Exception as e:
        raise Lost(f"{case.name}, SILT_MEMORY={mode}:{n}, {' '.join(words)}, kept in {out}: {e}") from e
    shutil.rmtree(out)
    return how


def campaign(stride, names=None, jobs=2, modes=MODES, enough=10, keep=lambda figures: None):
    """Every stride-th allocation of a run of each scene, and of the resuming of one that was stopped half-way. It takes
    long: keep(figures) after each."""
    begun = time.monotonic()
    folder = Path(tempfile.mkdtemp(prefix="silt_memory_", dir=PLACE))
    rows, lost = [], []
    for name in names or SCENES:
        case = Case(folder / name, name, SCENES[name], ["--frames", FRAMES, "--threads", 2])
        half = folder / name / "half"
        for what, words, before in [("run", [], None), ("resume", ["--resume"], half)]:
            if before:
                done = program.silt("run", case.scene, "--out", half, "--frames", 1, "--threads", 2)
                require(done.returncode == 0, done.stderr)
                shutil.copytree(half, folder / name / "counted")
            allocations = count(case, folder / name / "counted", *words)
            shutil.rmtree(folder / name / "counted")
            ends = Counter()

            def fail(job):
                if len(lost) >= enough:
                    return ""
                try:
                    return fail_once(case, case.folder, *job, words, before)
                except Lost as e:
                    lost.append(str(e))
                    print(e, flush=True)
                    return ""

            numbers = [(mode, n) for mode in modes for n in range(1, allocations + 1, stride)]
            with ThreadPoolExecutor(max_workers=jobs) as pool:
                ends.update(how for how in pool.map(fail, numbers) if how)
            rows.append({"scene": name, "what": what, "allocations": allocations, "every": stride, "tried": sum(ends.values()),
                         "ends": dict(sorted(ends.items()))})
            keep({"rows": rows, "lost": lost})
    if not lost:
        shutil.rmtree(folder)
    return {"seconds": round(time.monotonic() - begun), "rows": rows, "lost": lost}
