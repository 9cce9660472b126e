#!/usr/bin/env python3
"""silt export: PLY and glTF equal the cache, one bad frame costs one frame, a full disk and bad words are one message."""

import json
import math
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as xml

import silt_program as program
from exported import CachedFrame, Glb, placed_corners, read_ply, triples
from silt_program import ProgramTest, silt

HALF_STEP = 2.0**-23  # of single precision, for numbers from 2 to 4
CACHE_TOOL = os.path.abspath(sys.argv.pop(2)) if __name__ == "__main__" else None


class ExportTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.run_folder = self.folder / "run"
        subprocess.run([CACHE_TOOL, "make", str(self.run_folder)], check=True)
        self.out = self.folder / "out"

    def export(self, *words):
        return self.succeed("export", self.run_folder, "--out", self.out, *words)

    def cached(self, number):
        return CachedFrame(CACHE_TOOL, self.run_folder, number, self.folder / "dump.safetensors")

    def assert_near(self, a, b, tolerance, what):
        self.assertEqual(len(a), len(b), what)
        worst = max((abs(x - y) for x, y in zip(a, b)), default=0)
        self.assertLessEqual(worst, tolerance, what)


class Formats(ExportTest):
    def test_ply_equals_the_cache(self):
        self.export("--to", "ply")
        self.assertEqual(len(list(self.out.glob("*.ply"))), 9)
        for number in [1, 2, 3]:
            cached = self.cached(number)
            points = cached.group("points/water/")
            comments, columns, triangles = read_ply(self.out / f"water.points.{number:04}.ply")
            self.assertEqual(int(comments["frame"]), number)
            self.assertEqual(float(comments["time"]), cached.time)
            self.assertEqual(triangles, [])
            for a, names in enumerate([("x", "vx"), ("y", "vy"), ("z", "vz")]):
                self.assert_near(columns[names[0]], points["P"][a::3], HALF_STEP, names[0])
                self.assertEqual(columns[names[1]], list(points["v"][a::3]))
            self.assertEqual(columns["id"], list(points["id"]))
            self.assertEqual(columns["source"], list(points["source"]))
            for name in ["age", "wetness", "heat"]:
                self.assertEqual(columns[name], list(points[name]), name)
            self.assertEqual(set(columns["pscale"]), {float(cached.metadata["points/water/radius"])})
            rgb = [r << 16 | g << 8 | b for r, g, b in zip(columns["red"], columns["green"], columns["blue"])]
            self.assertEqual(rgb, list(points["colour"]))
            mesh = cached.group("mesh/water.surface/")
            _, columns, triangles = read_ply(self.out / f"water.surface.{number:04}.ply")
            self.assertEqual(triangles, triples(mesh["triangles"]))
            self.assertEqual([tuple(v) for v in zip(columns["x"], columns["y"], columns["z"])], triples(mesh["P"]))
            self.assertEqual([tuple(v) for v in zip(columns["vx"], columns["vy"], columns["vz"])], triples(mesh["v"]))
            self.assertEqual(columns["wetness"], list(mesh["wetness"]))
            rgb = [r << 16 | g << 8 | b for r, g, b in zip(columns["red"], columns["green"], columns["blue"])]
            self.assertEqual(rgb, list(mesh["colour"]))
            places, velocities, corners = placed_corners(self.run_folder, number)
            _, columns, triangles = read_ply(self.out / f"bodies.{number:04}.ply")
            self.assertEqual(triangles, corners)
            self.assertEqual(columns["body"], [0] * len(places))
            for a, name in enumerate("xyz"):
                self.assert_near(columns[name], [x[a] for x in places], HALF_STEP, name)
                self.assert_near(columns["v" + name], [v[a] for v in velocities], HALF_STEP, name)

    def test_gltf_has_y_up_and_equals_the_cache(self):
        self.export("--to", "gltf")
        self.assertEqual([f.name for f in self.out.glob("*.glb")], ["frame.0003.glb"])  # one frame: the last
        cached = self.cached(3)
        glb = Glb(self.out / "frame.0003.glb")
        mesh = cached.group("mesh/water.surface/")
        surface = glb.primitive("water.surface")
        self.assertEqual(surface["mode"], 4)
        for name, key in [("POSITION", "P"), ("NORMAL", "N"), ("_V", "v")]:
            expected = [(x, z, -y) for x, y, z in triples(mesh[key])]
            self.assertEqual(triples(glb.accessor(surface["attributes"][name])), expected, name)
        self.assertEqual(list(glb.accessor(surface["indices"])), list(mesh["triangles"]))
        self.assertEqual(glb.accessor(surface["attributes"]["_WETNESS"]), mesh["wetness"])
        rgba = glb.accessor(surface["attributes"]["COLOR_0"])
        self.assertEqual([r << 16 | g << 8 | b for r, g, b in zip(rgba[0::4], rgba[1::4], rgba[2::4])], list(mesh["colour"]))
        points = cached.group("points/water/")
        cloud = glb.primitive("water.points")
        self.assertEqual(cloud["mode"], 0)
        expected = [value for x, y, z in triples(points["P"]) for value in (x, z, -y)]
        self.assert_near(glb.accessor(cloud["attributes"]["POSITION"]), expected, HALF_STEP, "points")
        rgba = glb.accessor(cloud["attributes"]["COLOR_0"])
        self.assertEqual([r << 16 | g << 8 | b for r, g, b in zip(rgba[0::4], rgba[1::4], rgba[2::4])],
                         list(points["colour"]))

    def test_axes_and_scale(self):
        self.export("--to", "ply", "--axes", "y_up", "--scale", "100", "--frames", "2", "--what", "points")
        self.assertEqual([f.name for f in self.out.glob("*.ply")], ["water.points.0002.ply"])
        points = self.cached(2).group("points/water/")
        _, columns, _ = read_ply(self.out / "water.points.0002.ply")
        for name, a, sign in [("x", 0, 1), ("y", 2, 1), ("z", 1, -1)]:
            self.assert_near(columns[name], [100 * sign * x for x in points["P"][a::3]], 3e-5, name)
            self.assert_near(columns["v" + name], [100 * sign * x for x in points["v"][a::3]], 1e-4, name)

    def test_bodies_in_smoke(self):
        """Nothing but volumes and bodies in the cache: formats without volumes have the bodies."""
        self.scene.write_text(program.TINY.replace("[0.4, 0.6]\nresolution = 24", "[0.4, 0.6, 0.4]\nresolution = 12")
                              .replace("0.06]", "0.06, 0.2]").replace("[0.2, 0.3]", "[0.2, 0.3, 0.2]")
                              .replace("[0, 0]", "[0, 0, 0]").replace("[0.1, 0.1]", "[0.1, 0.1, 0]"))
        self.succeed("run", self.scene, "--no-pictures", cwd=self.folder)
        self.run_folder = self.folder / "out/tiny"
        self.export("--to", "gltf")
        self.assertEqual([f.name for f in self.out.glob("*.glb")], ["frame.0003.glb"])
        self.export("--to", "ply")
        self.assertEqual(len(list(self.out.glob("bodies.*.ply"))), 3)
        self.refuse(2, "points; it has volumes", "export", self.run_folder, "--to", "ply", "--what", "points")

    def test_the_folder_beside_the_cache(self):
        done = self.succeed("export", self.run_folder, "--to", "vtk")
        self.assertIn("15 files of 3 frames", done.stdout)
        self.assertEqual(sorted(f.name for f in (self.run_folder / "export/vtk").glob("*.pvd")),
                         ["all.pvd", "bodies.pvd", "smoke.volume.pvd", "water.points.pvd", "water.surface.pvd", "water.volume.pvd"])
        self.assertEqual(silt("info", self.run_folder).returncode, 0)


class Trouble(ExportTest):
    def test_one_bad_frame_is_one_message_and_the_rest_is_done(self):
        name = "cache/water.points.0002.vdb"
        whole = (self.run_folder / name).read_bytes()
        for harm in ["cut", "gone"]:
            shutil.rmtree(self.out, ignore_errors=True)
            (self.run_folder / name).write_bytes(whole[:len(whole) // 2])
            if harm == "gone":
                (self.run_folder / name).unlink()
            for to, ending in [("vtk", "vtp"), ("ply", "ply")]:
                done = self.refuse(1, f"frame 2 is left out", "export", self.run_folder, "--to", to, "--out", self.out)
                self.assertIn(name, done.stderr)
                self.assertIn(f"export {self.run_folder} --frames 2 --to {to}", done.stderr)
                self.assertIn("of 2 frames", done.stdout)
                names = [f.name for f in self.out.glob(f"water.points.*.{ending}")]
                self.assertEqual(sorted(names), [f"water.points.{n:04}.{ending}" for n in (1, 3)])
            listed = [e.get("file") for e in xml.parse(self.out / "water.points.pvd").getroot().iter("DataSet")]
            self.assertEqual(listed, ["water.points.0001.vtp", "water.points.0003.vtp"])
        # What is not asked for need not be whole.
        self.export("--to", "vtk", "--what", "meshes,volumes")

    def test_bad_words(self):
        run = self.run_folder
        for words, says in [
            (["export", run], "--to"),
            (["export", run, "--to", "vkt"], "did you mean 'vtk'?"),
            (["export", run, "--to", "vtk", "--axes", "y-up"], "did you mean 'y_up'?"),
            (["export", run, "--to", "vtk", "--what", "volume"], "did you mean 'volumes'?"),
            (["export", run, "--to", "vtk", "--what", "points,fish"], "there is no 'fish'"),
            (["export", run, "--to", "ply", "--what", "volumes"], "'--to vtk' does"),
            (["export", run, "--to", "gltf", "--axes", "z_up"], "y up by its standard"),
            (["export", run, "--to", "vtk", "--scale", "0"], "--scale"),
            (["export", run, "--to", "vtk", "--frames", "3-1"], "a range like 1-48"),
            (["export", run, "--to", "vtk", "--frames", "7"], "no frame in 7: it has 1 to 3"),
            (["export", run, "--to", "vtk", "--out", self.scene], "choose another folder with --out"),
            (["export", run, "--to", "vtk", "--frame", "1"], "did you mean '--frames'?"),
            (["export", self.folder / "nothing", "--to", "vtk"], "no run"),
            (["exprot", run], "did you mean 'export'?"),
        ]:
            self.refuse(2, says, *words, cwd=self.folder)
        self.assertFalse((self.run_folder / "export").exists())

    def test_a_full_disk_is_one_message(self):
        self.succeed("export", self.run_folder, "--to", "vtk", "--out", self.out, )
        counted = silt("export", self.run_folder, "--to", "vtk", "--out", self.folder / "counted",
                       fault=f"count:{self.folder}/count")
        self.assertEqual(counted.returncode, 0)
        operations = int((self.folder / "count").read_text())
        self.assertGreater(operations, 40)
        for n in range(2, operations, 7):
            out = self.folder / f"full{n}"
            done = silt("export", self.run_folder, "--to", "vtk", "--out", out, fault=f"enospc:{n}")
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertEqual(done.stderr.count("silt: "), 1, done.stderr)
            self.assertIn("the disk is full", done.stderr)
            for pvd in out.glob("*.pvd"):
                for e in xml.parse(pvd).getroot().iter("DataSet"):
                    self.assertEqual((out / e.get("file")).read_bytes(), (self.out / e.get("file")).read_bytes())


if __name__ == "__main__":
    program.main()
