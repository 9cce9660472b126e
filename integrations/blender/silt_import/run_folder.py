"""What is in a run folder: which files, of which frames, and how silt itself looked at it. Knows nothing of Blender.

The folder may be anybody's: only names that silt itself would list lead to a file, and no link is followed."""

import json
import os
import re
import stat

FRAME_FILE = re.compile(r"^cache/(.+)\.(\d{4,9})\.(\w+)$")
# One entry of a folder that silt has, as in its own run_directory.cpp: no dot at its beginning, no control letters.
RUN_FILE = re.compile(r"(cache|checkpoints|pictures)/([^./\0-\x1f\x7f][^/\0-\x1f\x7f]*)")
LARGEST_RUN_JSON = 64 << 10  # bytes


# The look of a run from an older silt, which did not tell it; scales [1/m] and depth [m] are for a domain a metre wide.
USUAL_LOOK = {"water": (0.25, 0.68, 0.80), "water_depth": 0.5, "smoke": (0.98, 0.98, 0.98), "solid": (0.62, 0.23, 0.09),
              "ground": (0.155, 0.165, 0.180), "grain": (0.58, 0.44, 0.27), "density_scale": 34, "flame_scale": 8}


def is_run_file(name):
    match = isinstance(name, str) and RUN_FILE.fullmatch(name)
    return bool(match) and len(match[2].encode("utf-8", "surrogatepass")) <= 255


def is_entry(entry):
    """Whether a line of the manifest is one of silt's."""
    if not isinstance(entry, dict) or not is_run_file(entry.get("name")):
        return False
    return entry.get("removed") is True or (isinstance(entry.get("kind"), str) and type(entry.get("size")) is int)


def is_plain(path, kind=stat.S_ISREG):
    """A file (or folder) itself, and no link to one."""
    try:
        return kind(os.lstat(path).st_mode)
    except (OSError, ValueError):
        return False


def pattern_of(stem, ending):
    """For str.format with a frame's number. A name may have braces in it."""
    return stem.replace("{", "{{").replace("}", "}}") + ".{:04}." + ending


class RunError(Exception):
    """The message is a whole sentence, for the user."""


class Series:
    """One thing that changes from frame to frame, with a file for each."""

    def __init__(self, name, kind):
        self.name = name    # "water.surface"
        self.kind = kind    # as the manifest has it: "volume", "points", "mesh", ...
        self.files = {}     # frame -> path

    @property
    def frames(self):
        return sorted(self.files)

    @property
    def is_gapless(self):
        frames = self.frames
        return frames[-1] - frames[0] + 1 == len(frames)


class Run:
    def __init__(self, folder):
        self.folder = os.path.abspath(folder)
        self.name = os.path.basename(self.folder)
        if not is_plain(os.path.join(self.folder, "manifest.jsonl")):
            raise RunError(f"{folder} is not a run folder of silt: it has no manifest.jsonl")
        for place in ("cache", "export", os.path.join("export", "blender")):
            path = os.path.join(self.folder, place)
            if os.path.lexists(path) and not is_plain(path, stat.S_ISDIR):
                raise RunError(f"{path} is a link, or no folder, and silt makes none: put in its place what it leads to")
        self.view = self._view()
        self.series = self._series()
        if not self.series:
            raise RunError(f"{folder} has no frames yet")

    def _view(self):
        """Pace, domain and camera, or None where an older silt did not say."""
        path = os.path.join(self.folder, "run.json")
        if not is_plain(path):
            return None
        try:
            with open(path, encoding="utf-8") as file:
                status = json.loads(file.read(LARGEST_RUN_JSON))
        except (OSError, ValueError, RecursionError):
            return None
        return status.get("view") if isinstance(status, dict) else None

    def look(self):
        """Colours, linear, and the scales of what takes up light."""
        if self.view and "look" in self.view:
            return self.view["look"]
        look = dict(USUAL_LOOK)
        if self.view:
            lower, upper = self.view["domain"]["lower"], self.view["domain"]["upper"]
            narrow = min(upper[0] - lower[0], upper[1] - lower[1])
            look.update(water_depth=look["water_depth"] * narrow, density_scale=look["density_scale"] / narrow,
                        flame_scale=look["flame_scale"] / narrow)
        return look

    def entries(self):
        """Finished files in the manifest: the last line about a name counts; one that is torn, damaged or not silt's is
        none."""
        found = {}
        with open(os.path.join(self.folder, "manifest.jsonl"), encoding="utf-8", errors="replace") as file:
            for line in file:
                try:
                    entry = json.loads(line)
                except (ValueError, RecursionError):
                    continue
                if not is_entry(entry):
                    continue
                if entry.get("removed"):
                    found.pop(entry["name"], None)
                else:
                    found[entry["name"]] = entry
        return found

    def _series(self):
        series = {}
        for name, entry in self.entries().items():
            match = FRAME_FILE.match(name)
            # A file that is cut short is as good as gone: the frame is left out, and all the others are shown.
            if not match or not self._is_whole(name, entry):
                continue
            path = os.path.join(self.folder, *name.split("/"))
            one = series.setdefault((match[1], entry["kind"]), Series(match[1], entry["kind"]))
            one.files[int(match[2])] = path
        return series

    def of_kind(self, kind):
        return [s for _, s in sorted(self.series.items()) if s.kind == kind]

    def _is_whole(self, name, entry):
        path = os.path.join(self.folder, *name.split("/"))
        return is_plain(path) and os.path.getsize(path) == entry["size"]

    def lost(self):
        """Files that are in the manifest and cannot be used: name -> kind."""
        return {name: entry["kind"] for name, entry in self.entries().items()
                if name.startswith("cache/") and not self._is_whole(name, entry)}

    def shapes(self):
        """Names of the shapes of bodies that can be used; the files of bodies may name others."""
        return {name for name, entry in self.entries().items() if entry["kind"] == "shape" and FRAME_FILE.match(name)
                and self._is_whole(name, entry)}

    @property
    def frames(self):
        return sorted({frame for s in self.series.values() for frame in s.files})
