#!/usr/bin/env python3
"""Every shipped scene runs: three frames at a small scale, with pictures and a film, checked and finite."""

import json
import math

import silt_program as program
from silt_program import ProgramTest, silt, stats, status


class Scenes(ProgramTest):
    def test_every_scene(self):
        names = [line.split()[0] for line in self.succeed("scenes").stdout.splitlines()]
        self.assertGreaterEqual(len(names), 3)
        for name in names:
            with self.subTest(scene=name):
                self.assertIn(": good\n", self.succeed("check", name).stdout)
                small = ["--scale", "0.3", "--frames", "3", "--threads", "2", "--set", "camera.width=160", "--set",
                         "camera.height=120", "--out", self.folder / name]
                self.succeed("run", name, *small)
                lines = stats(self.folder / name)
                self.assertEqual([line["frame"] for line in lines], [1, 2, 3])
                self.assertGreater(lines[-1]["max_speed"], 0)
                self.assertTrue(all(line["max_speed"] is not None for line in lines))  # JSON has no infinity
                self.assertTrue(all(math.isfinite(line["kinetic_energy"]) for line in lines))
                self.assertEqual([line["inside_solid"] for line in lines], [0, 0, 0])
                self.assertEqual(lines[-1]["particles"] > 0, lines[-1]["volume"] > 0)
                self.assertTrue(all(solve["converged"] for line in lines for solve in line["solves"].values()))
                self.assertEqual(status(self.folder / name), "finished")
                info = json.loads(self.succeed("info", self.folder / name, "--json").stdout)
                kinds = [file["kind"] for file in info["run"]["files"]]
                self.assertEqual((kinds.count("volume"), kinds.count("picture"), kinds.count("film")), (3, 3, 1))

    def test_the_written_out_scene_runs_to_the_same_bits(self):
        for name in [line.split()[0] for line in self.succeed("scenes").stdout.splitlines()]:
            with self.subTest(scene=name):
                words = ["--frames", "2", "--no-pictures", "--threads", "2"]
                self.succeed("run", name, "--scale", "0.2", *words, "--out", self.folder / name)
                self.succeed("run", self.folder / name / "scene.toml", *words, "--out", self.folder / "again", "--overwrite")
                self.assertEqual(stats(self.folder / name)[-1]["state_hash"], stats(self.folder / "again")[-1]["state_hash"])


if __name__ == "__main__":
    program.main()
