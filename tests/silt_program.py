"""What the tests of the whole program share: the binary, a tiny scene, folders that go away, and comparing runs."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SILT = None  # set by main()

TINY = """silt = 1
[run]
frames = 3
fps = 24
[domain]
size = [0.4, 0.6]
resolution = 24
sides = { y_max = "open" }
[smoke]
[shape.vent]
sphere = { center = [0.2, 0.06], radius = 0.06 }
[source.vent]
shape = "vent"
material = "smoke"
density = 1
temperature = 600
[shape.ball]
sphere = { center = [0.2, 0.3], radius = 0.08 }
[obstacle.ball]
shape = "ball"
motion = { position = { keys = [[0, [0, 0]], [1, [0.1, 0.1]]] } }
[camera]
width = 64
height = 64
[output]
film = false
"""

TAP = """silt = 1
[run]
frames = 3
fps = 24
[domain]
size = [0.4, 0.4, 0.6]
resolution = 15
[water]
[shape.tap]
sphere = { center = [0.2, 0.2, 0.5], radius = 0.06 }
[source.tap]
shape = "tap"
material = "water"
velocity = [0, 0, -1]
enabled = { keys = [[0, false], [0.03, true]] }
[camera]
width = 64
height = 64
[output]
film = false
"""


def silt(*words, fault=None, cwd=None, env=None, timeout=120):
    """Runs the program to its end."""
    environment = dict(os.environ if env is None else env)
    environment.pop("SILT_FAULT", None)
    environment["OMP_WAIT_POLICY"] = "passive"  # many small programs at once on few cores: spinning would starve them
    if fault:
        environment["SILT_FAULT"] = fault
    program = SILT + "_with_faults" if fault else SILT  # beside it; what users run knows no SILT_FAULT
    return subprocess.run([program, *map(str, words)], cwd=cwd, env=environment, timeout=timeout, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def stats(folder):
    return [json.loads(line) for line in (Path(folder) / "stats.jsonl").read_text().splitlines()]


def status(folder):
    return json.loads((Path(folder) / "run.json").read_text())["status"]


def product(folder):
    """All that a run is for: hashes of every frame, and the bytes of volumes, pictures and film."""
    folder = Path(folder)
    files = [*folder.glob("cache/*"), *folder.glob("pictures/*")]
    return [line["state_hash"] for line in stats(folder)], {str(f.relative_to(folder)): f.read_bytes() for f in files}


class ProgramTest(unittest.TestCase):
    def setUp(self):
        # In memory where the machine has such a place: the program syncs a lot.
        place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        self.folder = Path(tempfile.mkdtemp(prefix="silt_test_", dir=place))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.scene = self.folder / "tiny.toml"
        self.scene.write_text(TINY)

    def succeed(self, *words, **how):
        done = silt(*words, **how)
        self.assertEqual(done.returncode, 0, f"{words}\n{done.stdout}{done.stderr}")
        return done

    def refuse(self, code, says, *words, **how):
        """The program must end with this code and say this, in one message and without a crash."""
        done = silt(*words, **how)
        self.assertEqual(done.returncode, code, f"{words}\n{done.stdout}{done.stderr}")
        self.assertIn(says, done.stderr, f"{words}")
        self.assertEqual(done.stderr.count("error:"), 1, done.stderr)
        return done

    def assert_same_product(self, folder, expected, what=""):
        hashes, files = product(folder)
        self.assertEqual(hashes, expected[0], what)
        self.assertEqual(sorted(files), sorted(expected[1]), what)
        for name, data in files.items():
            self.assertTrue(data == expected[1][name], f"{name} differs {what}")
        self.assertEqual(status(folder), "finished", what)


def main():
    """unittest.main, with the program's path as the first argument."""
    global SILT
    if len(sys.argv) < 2:
        sys.exit("usage: TEST path/to/silt [unittest's arguments]")
    SILT = os.path.abspath(sys.argv.pop(1))
    sys.modules["silt_program"].SILT = SILT
    unittest.main(module="__main__", verbosity=2)
