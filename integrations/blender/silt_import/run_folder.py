"""What is in a run folder: which files, of which frames, and how silt itself looked at it. Knows nothing of Blender."""

import json
import os
import re

FRAME_FILE = re.compile(r"^cache/(.+)\.(\d{4,})\.(\w+)$")


# The look of a run from an older silt, which did not tell it; scales [1/m] and depth [m] are for a domain a metre wide.
USUAL_LOOK = {"water": (0.25, 0.68, 0.80), "water_depth": 0.5, "smoke": (0.98, 0.98, 0.98), "solid": (0.62, 0.23, 0.09),
              "ground": (0.155, 0.165, 0.180), "grain": (0.58, 0.44, 0.27), "density_scale": 34, "flame_scale": 8}


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
        if not os.path.isfile(os.path.join(self.folder, "manifest.jsonl")):
            raise RunError(f"{folder} is not a run folder of silt: it has no manifest.jsonl")
        self.view = self._view()
        self.series = self._series()
        if not self.series:
            raise RunError(f"{folder} has no frames yet")

    def _view(self):
        """Pace, domain and camera, or None where an older silt did not say."""
        try:
            with open(os.path.join(self.folder, "run.json"), encoding="utf-8") as file:
                return json.load(file).get("view")
        except (OSError, ValueError):
            return None

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
        """Finished files in the manifest: the last line about a name counts, and a torn last line is none."""
        found = {}
        with open(os.path.join(self.folder, "manifest.jsonl"), encoding="utf-8") as file:
            for line in file:
                try:
                    entry = json.loads(line)
                except ValueError:
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
            path = os.path.join(self.folder, *name.split("/"))
            # A file that is cut short is as good as gone: the frame is left out, and all the others are shown.
            if not match or not os.path.isfile(path) or os.path.getsize(path) != entry.get("size"):
                continue
            one = series.setdefault((match[1], entry["kind"]), Series(match[1], entry["kind"]))
            one.files[int(match[2])] = path
        return series

    def of_kind(self, kind):
        return [s for _, s in sorted(self.series.items()) if s.kind == kind]

    def lost(self):
        """Files that are in the manifest and cannot be used: name -> kind."""
        found = {}
        for name, entry in self.entries().items():
            path = os.path.join(self.folder, *name.split("/"))
            if name.startswith("cache/") and (not os.path.isfile(path) or os.path.getsize(path) != entry.get("size")):
                found[name] = entry["kind"]
        return found

    @property
    def frames(self):
        return sorted({frame for s in self.series.values() for frame in s.files})
