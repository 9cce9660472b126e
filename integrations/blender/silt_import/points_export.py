"""Points as PLY files. silt keeps them as OpenVDB points, which Blender does not read (Debian's 3.4 ends when it meets
them), so the program silt is asked to write them again, once for every frame. Knows nothing of Blender."""

import os
import shutil
import subprocess

FOLDER = os.path.join("export", "blender")


def find_silt(preferred=""):
    """The program: as set in the add-on's preferences, $SILT, on the path, or in the checkout this file lies in."""
    here = os.path.dirname(os.path.realpath(__file__))
    checkout = os.path.join(here, "..", "..", "..", "silt")
    for name in [preferred, os.environ.get("SILT", ""), shutil.which("silt") or "", checkout]:
        if name and os.path.isfile(name) and os.access(name, os.X_OK):
            return os.path.normpath(name)
    return None


def is_stale(source, made):
    return not os.path.isfile(made) or os.path.getmtime(made) < os.path.getmtime(source)


def ranges(frames):
    """[1, 2, 3, 7] -> ["1-3", "7-7"]."""
    found = []
    for frame in frames:
        if found and frame == found[-1][1] + 1:
            found[-1][1] = frame
        else:
            found.append([frame, frame])
    return [f"{first}-{last}" for first, last in found]


def export(run, series, silt):
    """Writes what is not there yet or older than the cache. Returns {name of series: frames that there are now} and
    what went wrong, as sentences."""
    folder = os.path.join(run.folder, FOLDER)

    def made(one, frame):
        return os.path.join(folder, f"{one.name}.{frame:04}.ply")

    stale = sorted({f for one in series for f, source in one.files.items() if is_stale(source, made(one, f))})
    problems = []
    if stale and not silt:
        problems.append("points are not shown: the program silt was not found; set it in the add-on's preferences")
    elif stale:
        for frames in ranges(stale):
            done = subprocess.run([silt, "export", run.folder, "--to", "ply", "--what", "points", "--frames", frames,
                                   "--out", folder], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE, text=True)
            problems += [line for line in done.stderr.splitlines() if line]
    there = {one.name: [f for f in one.frames if os.path.isfile(made(one, f))] for one in series}
    return {name: frames for name, frames in there.items() if frames}, problems
