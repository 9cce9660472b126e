#!/usr/bin/env python3
"""The fault campaign in small: each part finds nothing, and finds what is put there to be found."""

import signal
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import allocations  # noqa: E402
import kills  # noqa: E402
import long_runs  # noqa: E402
import runs  # noqa: E402
import silt_program as program  # noqa: E402
from runs import Case, Lost  # noqa: E402
from scenes import SCENES  # noqa: E402
from silt_program import ProgramTest, silt  # noqa: E402


class Kills(ProgramTest):
    def test_forty(self):
        self.assertEqual(kills.campaign(40, seed=20)["lost"], [])

    def hurt(self, out, harm):
        """A finished run, hurt and resumed."""
        case = Case(self.folder / "case", "smoke", SCENES["smoke"], ["--frames", 3])
        self.assertEqual(silt(*case.command(out)).returncode, 0)
        harm(out)
        case.resume(out)

    def test_a_bit_that_is_another_is_found(self):
        def flip(out):
            picture = out / "pictures/frame.0002.png"
            picture.write_bytes(picture.read_bytes()[:-1] + b"?")

        with self.assertRaisesRegex(Lost, "bytes differ.*frame.0002.png"):
            self.hurt(self.folder / "run", flip)

    def test_a_file_left_over_is_found(self):
        with self.assertRaisesRegex(Lost, "1-2.tmp"):
            self.hurt(self.folder / "run", lambda out: (out / "cache/.frame.1-2.tmp").write_text("half"))

    def test_damage_is_found(self):
        def cut(out):
            (out / "cache/smoke.volume.0002.vdb").write_bytes(b"")
            runs.require_sane(out)

        with self.assertRaisesRegex(Lost, "info says"):
            self.hurt(self.folder / "run", cut)

    def test_a_child_left_behind_is_found(self):
        child = runs.start("run", self.scene, "--frames", 100000, "--no-pictures", "--out", self.folder / "run")
        try:
            with self.assertRaisesRegex(Lost, f"{child.pid}.* left behind"):
                runs.require_no_child(child.pid, patience=0.1)
        finally:
            child.send_signal(signal.SIGKILL)
            child.wait()


class NoMemory(ProgramTest):
    def test_some_allocations(self):
        self.assertEqual(allocations.campaign(2500, ["smoke", "water, 3D"])["lost"], [])

    def test_a_bad_end_is_found(self):
        case = Case(self.folder / "case", "smoke", SCENES["smoke"], ["--frames", 2])
        done = silt("run", case.scene, "--out", self.folder / "run", "--set", "smoke.buoyancy=2", "--frames", 2)
        with self.assertRaisesRegex(Lost, "differ"):
            allocations.check_end(done, case, self.folder / "run")
        for code, said in [(1, "silt: error: the disk is full"), (2, "out of memory"), (-6, "out of memory")]:
            done.returncode, done.stderr = code, said
            with self.assertRaises(Lost):
                allocations.check_end(done, case, self.folder / "run")


class Long(ProgramTest):
    def test_each_material(self):
        """Of memory the campaign tells and this does not: holes in the heap still grow, by up to 30 kB a frame."""
        lost = long_runs.campaign(600)["lost"]
        self.assertEqual([what for what in lost if "memory grows" not in what], [])

    def test_lists(self):
        """A loose bound: other tests run at the same time, and they write too."""
        self.assertEqual(long_runs.lists(200, 20, self.folder, most=0.1)["lost"], [])
        self.assertEqual(len(long_runs.lists(20, 20, self.folder, most=1e-6)["lost"]), 1)

    def test_what_grows_is_found(self):
        good = {"memory": [50, 50], "descriptors": [8, 8], "milliseconds": [3, 3], "drift": 0}
        long_runs.check(good)
        for name, bad in [("memory", [50, 60]), ("descriptors", [8, 9]), ("milliseconds", [3, 6]), ("drift", 1e-3)]:
            with self.assertRaises(Lost):
                long_runs.check({**good, name: bad})


if __name__ == "__main__":
    program.main()
