"""Long runs: memory, descriptors, mass and time a frame at their beginning and at their end; and what lists cost."""

import json
import os
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import silt_program as program
from runs import PLACE, Lost, require
from scenes import LONG

MEGABYTE = 1 << 20
# What may grow from the sixth tenth of the frames to the last: before that sand settles and lists find their size.
MOST_MEMORY = 1.05, 1.0  # times, and beyond that [MB]
MOST_TIME = 1.25, 0.5  # times, and beyond that [ms]: on a machine with other work
MOST_DRIFT = 1e-5  # of the mass, over all frames: it is summed from floats
MOST_IN_LISTS = 0.02  # of the time, in memory


def sample(process):
    """Resident bytes, open descriptors, and seconds of the processor so far.

    Pages of the program's and the libraries' files do not count: the kernel brings in and drops them as it likes.
    """
    place = Path(f"/proc/{process}")
    own = next((line for line in (place / "status").read_text().splitlines() if line.startswith("RssAnon:")), "RssAnon: 0")
    nanoseconds = sum(int(task.read_text().split()[0]) for task in place.glob("task/*/schedstat"))
    return (1024 * int(own.split()[1]), len(list((place / "fd").iterdir())),
            1e-9 * nanoseconds)


def follow(words):
    """A sample and the line of each frame of a run."""
    frames = []
    with subprocess.Popen([program.SILT, *map(str, words), "--json"], stdin=subprocess.DEVNULL, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env={**os.environ, "OMP_WAIT_POLICY": "passive"}) as child:
        for line in child.stdout:
            told = json.loads(line)
            if "state_hash" in told and "done" not in told:
                frames.append((told, *sample(child.pid)))
        said = child.stderr.read()
    require(child.returncode == 0, f"it ended with {child.returncode}\n{said}")
    return frames


def compare(frames):
    """Of the sixth tenth of the frames and of the last."""
    tenth = len(frames) // 10
    early, late = frames[5 * tenth:6 * tenth], frames[-tenth:]
    memory = [statistics.median(f[1] for f in part) / MEGABYTE for part in (early, late)]
    descriptors = [statistics.median(f[2] for f in part) for part in (early, late)]
    milliseconds = [1000 * (part[-1][3] - part[0][3]) / (tenth - 1) for part in (early, late)]
    masses = [f[0]["mass"] for f in frames]
    return {"frames": len(frames), "memory": memory, "descriptors": descriptors, "milliseconds": milliseconds,
            "drift": max(abs(m / masses[0] - 1) for m in masses)}


def check(row):
    (m0, m1), (t0, t1), (d0, d1) = row["memory"], row["milliseconds"], row["descriptors"]
    require(m1 <= m0 * MOST_MEMORY[0] + MOST_MEMORY[1], f"memory grows from {m0:.1f} to {m1:.1f} MB")
    require(d1 <= d0, f"descriptors grow from {d0} to {d1}")
    require(t1 <= t0 * MOST_TIME[0] + MOST_TIME[1], f"frames take {t0:.2f}, and at the end {t1:.2f} ms")
    require(row["drift"] <= MOST_DRIFT, f"the mass drifts by {row['drift']:.1e}")


def campaign(frames, names=None):
    """So many frames of each material, in a closed box without sources; pictures too."""
    begun, rows, lost = time.monotonic(), [], []
    folder = Path(tempfile.mkdtemp(prefix="silt_long_", dir=PLACE))
    for name in names or LONG:
        scene = folder / "scene.toml"
        scene.write_text(LONG[name])
        out = folder / name
        row = {"scene": name}
        try:
            row |= compare(follow(["run", scene, "--out", out, "--frames", frames, "--threads", 2]))
            rows.append(row)
            check(row)
        except Lost as e:
            lost.append(f"{name}, {frames} frames: {e}")
            print(lost[-1], flush=True)
        shutil.rmtree(out, ignore_errors=True)
    shutil.rmtree(folder)
    return {"seconds": round(time.monotonic() - begun), "rows": rows, "lost": lost}


def cost_of_lists(frames, place):
    """Of a run of tiny frames in a folder at `place`: seconds in all, and in lists and locks."""
    folder = Path(tempfile.mkdtemp(prefix="silt_lists_", dir=place))
    try:
        scene = folder / "scene.toml"
        scene.write_text(LONG["smoke"])
        start = time.monotonic()
        done = subprocess.run([program.SILT + "_with_clock", "run", scene, "--out", folder / "run", "--no-pictures",
                               "--frames", str(frames), "--threads", "1"], stdin=subprocess.DEVNULL, text=True,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              env={**os.environ, "OMP_WAIT_POLICY": "passive", "SILT_CLOCK": folder / "clock"})
        seconds = time.monotonic() - start
        require(done.returncode == 0, f"it ended with {done.returncode}\n{done.stderr}")
        clock = json.loads((folder / "clock").read_text())
    finally:
        shutil.rmtree(folder)
    require(clock["manifest"]["calls"] > frames and clock["lock"]["calls"] > 0,
            f"the clock does not see the lists: {clock}")
    share = (clock["manifest"]["seconds"] + clock["lock"]["seconds"]) / seconds
    return {"frames": frames, "seconds": round(seconds, 1), "share": share, "clock": clock}


def lists(frames, frames_on_disk, disk, most=MOST_IN_LISTS):
    """In memory, where the share is bounded; and on a disk, where each line of a list is synced."""
    lost = []
    in_memory = cost_of_lists(frames, PLACE)
    if in_memory["share"] > most:
        lost.append(f"{frames} frames: {100 * in_memory['share']:.1f} % of the time in manifests and locks")
        print(lost[-1], flush=True)
    return {"memory": in_memory, "disk": cost_of_lists(frames_on_disk, disk), "lost": lost}
