#!/usr/bin/env python3
"""A run, imported by the add-on into Blender without a screen: counts and bounds against `silt info --json`, saved and
opened again, and one frame by Cycles. Skipped where Blender is missing."""

import importlib.util
import json
import math
import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

import silt_program as program
from silt_program import ProgramTest

SKIPPED = 77  # ctest counts it as skipped, not as passed
CACHE_TOOL = os.path.abspath(sys.argv.pop(2)) if __name__ == "__main__" else None
ADD_ON = Path(__file__).resolve().parent.parent / "integrations/blender"


class Folder(ProgramTest):
    """What the add-on believes of a run folder that somebody made to do harm. Needs no Blender."""

    def setUp(self):
        super().setUp()
        # By itself: the package around it is Blender's.
        spec = importlib.util.spec_from_file_location("run_folder", ADD_ON / "silt_import/run_folder.py")
        self.run_folder = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.run_folder)
        self.home = self.folder / "home"
        self.home.mkdir()
        self.secret = self.home / "water.surface.0001.ply"
        self.secret.write_text("years of work")
        self.run = self.folder / "run"
        subprocess.run([CACHE_TOOL, "make", str(self.run)], check=True)
        self.wanted = self.seen()
        self.assertTrue(self.wanted["files"] and self.wanted["shapes"])
        self.assertEqual(self.wanted["lost"], {})

    def seen(self):
        run = self.run_folder.Run(str(self.run))
        return {"files": sorted(path for series in run.series.values() for path in series.files.values()),
                "shapes": run.shapes(), "lost": run.lost(), "view": run.view}

    def add_line(self, text):
        with open(self.run / "manifest.jsonl", "ab") as file:
            file.write(text.encode() + b"\n" if isinstance(text, str) else text)

    def test_names_lead_nowhere_else(self):
        size = self.secret.stat().st_size
        for name in ["../home/water.surface.0001.ply", str(self.secret), "cache/../../home/water.surface.0001.ply",
                     "cache/./water.surface.0001.ply", "/cache/water.surface.0001.ply", "cache//water.surface.0001.ply",
                     "cache/.hidden.0001.ply", "home/water.surface.0001.ply", "cache/a\nb.0001.ply", "cache/", "cache",
                     "..", "", "cache/" + 300 * "a" + ".0001.ply", "cache/\0.0001.ply"]:
            for kind in ["mesh", "shape", "volume"]:
                self.add_line(json.dumps({"name": name, "size": size, "kind": kind, "frame": 1}))
        self.assertEqual(self.seen(), self.wanted)

    def test_lines_that_are_not_silts_say_nothing(self):
        for text in ["[]", "1", "null", '"x"', "{", '{"removed": true}', '{"name": 3, "size": 1, "kind": "mesh"}',
                     '{"name": ["x"], "removed": true}', '{"name": "cache/a.0001.ply", "size": "13", "kind": "mesh"}',
                     '{"name": "cache/a.0001.ply", "size": 13, "kind": ["mesh"]}', '{"name": "cache/a.0001.ply"}',
                     100000 * "[", 100000 * '{"a":', b"\0\xff garbage\n"]:
            self.add_line(text)
        self.assertEqual(self.seen(), self.wanted)

    def test_links_are_not_followed(self):
        for file in map(Path, self.wanted["files"]):
            target = self.home / file.name
            file.rename(target)
            file.symlink_to(target)
        seen = self.seen_or_error()
        self.assertIn("has no frames yet", seen)
        (self.run / "cache").rename(self.home / "cache")
        (self.run / "cache").symlink_to(self.home / "cache")
        self.assertIn("cache is a link", self.seen_or_error())

    def test_folders_that_are_exported_to_are_no_links(self):
        (self.run / "export").mkdir(exist_ok=True)
        (self.run / "export/blender").symlink_to(self.home)
        self.assertIn("export/blender is a link", self.seen_or_error())

    def seen_or_error(self):
        with self.assertRaises(self.run_folder.RunError) as caught:
            self.seen()
        return str(caught.exception)

    def test_a_status_that_is_not_silts(self):
        for text in ["[]", "3", 100000 * "[", '{"view": null}']:
            (self.run / "run.json").write_text(text)
            self.assertIsNone(self.seen()["view"])

    def test_braces_in_names_are_letters(self):
        self.assertEqual(self.run_folder.pattern_of("cache/{0.real}", "ply").format(7), "cache/{0.real}.0007.ply")


class Blender(ProgramTest):
    def imported(self, scene, *words, frame):
        run = self.folder / "run"
        self.succeed("run", scene, "--out", run, "--no-pictures", *words)
        return self.import_run(run, frame)

    def import_run(self, run, frame, *glb):
        script = Path(__file__).with_name("blender_import.py")
        # Debian's Blender takes the first python of its version on the path for its own.
        environment = {"PATH": "/usr/bin:/bin", "HOME": str(self.folder), "OMP_WAIT_POLICY": "passive"}
        done = subprocess.run([shutil.which("blender"), "-b", "--factory-startup", "--python-exit-code", "1", "--python", script, "--",
                               ADD_ON, run, program.SILT, str(frame), self.folder, *glb],
                              env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.said = done.stdout
        told = json.loads((self.folder / "told.json").read_text())
        view = json.loads(program.silt("info", run, "--json").stdout)["run"]["view"]
        if view:
            self.assert_stage(told, view)
        return run, told["objects"], told

    def info(self, file):
        return json.loads(self.succeed("info", file, "--json").stdout)

    def assert_close(self, a, b, tolerance, what):
        for x, y in zip(sum(a, []), sum(b, [])):
            self.assertAlmostEqual(x, y, delta=tolerance, msg=f"{what}: {a} {b}")

    def assert_stage(self, told, view):
        objects = told["objects"]
        domain = view["domain"]
        self.assert_close(objects["domain"]["bounds"], [domain["lower"], domain["upper"]], 1e-6, "domain")
        if not domain["flat"]:  # those are seen straight on
            self.assert_close([objects["silt camera"]["position"]], [view["camera"]["position"]], 1e-5, "camera")
            self.assert_close([objects["silt camera"]["forward"]], [view["camera"]["forward"]], 1e-5, "camera")
        self.assertAlmostEqual(told["fps"], view["fps"], 5)

    def assert_volume(self, told, file):
        """All grids under their names, and the box round what is in them."""
        grids = self.info(file)["volumes"]["grids"]
        self.assertEqual(sorted(told["grids"]), sorted(g["name"] for g in grids))
        self.assertEqual(told["file"], file.name)
        self.assertEqual(told["velocity"], ["velocity", "SECOND"])
        used = [g for g in grids if g["active_voxels"]]
        lo = [min(g["world_lo"][a] for g in used) for a in range(3)]
        hi = [max(g["world_hi"][a] for g in used) for a in range(3)]
        # Blender's box is that of whole blocks of 8 voxels, from centre to centre.
        h = grids[0]["voxel_size"][0]
        for a in range(3):
            self.assertTrue(-8 * h <= told["bounds"][0][a] - lo[a] <= h, f"{told['bounds']} {lo} {hi}")
            self.assertTrue(-h <= told["bounds"][1][a] - hi[a] <= 8 * h, f"{told['bounds']} {lo} {hi}")

    def assert_points(self, told, file):
        grid = self.info(file)["volumes"]["grids"][0]
        self.assertEqual(told["vertices"], grid["points"])
        for a in range(3):
            self.assertGreaterEqual(told["bounds"][0][a], grid["world_lo"][a] - 1e-6)
            self.assertLessEqual(told["bounds"][1][a], grid["world_hi"][a] + 1e-6)
        self.assert_close(told["bounds"], [grid["world_lo"], grid["world_hi"]], grid["voxel_size"][0], "points")
        for name in grid["attributes"]:
            self.assertIn({"P": "position", "v": "velocity"}.get(name, name), [*told["attributes"], "position"])

    def assert_mesh(self, told, file):
        mesh = self.info(file)["mesh"]
        self.assertEqual((told["vertices"], told["faces"]), (mesh["vertices"], mesh["triangles"]))
        self.assert_close(told["bounds"], [mesh["lo"], mesh["hi"]], 1e-6, file)

    def assert_seen(self, told):
        """The run is in the picture: many pixels are not what they are without it."""
        pairs = list(zip(told["pixels"], told["empty_pixels"]))
        changed = sum(abs(a - b) > 0.02 for a, b in pairs)
        self.assertGreater(changed, len(pairs) // 50)
        self.assertGreater(max(told["pixels"][0::4]), 0.05)

    def test_water(self):
        """Points, a surface from the volume or a mesh, an obstacle."""
        run, objects, told = self.imported(
            "dam_break", "--scale", "0.25", "--frames", "4", "--set", "look.water_colour=[0.9,0.6,0.2]",
            "--set", "look.water_depth=0.1", "--set", "look.solid_colour=[0.2,0.3,0.4]", frame=3)
        self.assertEqual(told["frames"], [1, 4])
        self.assert_points(objects["water.points"], run / "cache/water.points.0003.vdb")
        self.assert_volume(objects["water.volume"], run / "cache/water.volume.0003.vdb")
        self.assertGreater(objects["water.points"]["fastest"], 0.1)
        self.assertGreater(objects["water.surface"]["drawn_vertices"], 100)
        self.assert_mesh(objects["post"], run / "cache/post.shape.0001.ply")
        self.assertEqual(objects["water.surface"]["materials"], ["silt water"])
        self.assertTrue(objects["water.points"]["hidden"])
        # Colours are those of silt's own pictures: water's is what is left of light after a way of its depth.
        for a, left in zip(told["absorbed"]["silt water"], [0.9, 0.6, 0.2]):
            self.assertAlmostEqual(math.exp(-a * 0.1), left, 5)
        self.assert_close([told["painted"]["silt solid"]], [[0.2, 0.3, 0.4]], 1e-6, "the post")
        self.assertNotIn("Could not find grid", self.said)
        self.assertIn(f"silt surface '{run}'", self.said)
        self.assert_seen(told)

    def test_everything(self):
        """A run with one of everything, from an older silt that did not tell its camera."""
        run = self.folder / "run"
        subprocess.run([CACHE_TOOL, "make", run], check=True)
        self.succeed("export", run, "--to", "gltf", "--frames", "2", "--out", self.folder)
        _, objects, told = self.import_run(run, 2, self.folder / "frame.0002.glb")
        self.assertIn("place one yourself", self.said)
        self.assert_mesh(objects["water.surface"], run / "cache/water.surface.0002.ply")
        for name in ["velocity", "wetness", "wet", "Cd"]:
            self.assertIn(name, objects["water.surface"]["attributes"])
        self.assertAlmostEqual(objects["water.surface"]["fastest"] / 1e9, 1, 5)
        self.assertEqual(told["tints"]["silt water"], ["Cd"])
        self.assert_points(objects["water.points"], run / "cache/water.points.0002.vdb")
        for name in ["Cd", "pscale", "id", "age", "source", "wetness", "heat"]:
            self.assertIn(name, objects["water.points"]["attributes"])
        self.assert_volume(objects["smoke.volume"], run / "cache/smoke.volume.0002.vdb")
        # Blender turns glTF's axes back: all is where it was.
        for name in ["water.surface", "water.points", "crate"]:
            from_gltf = next(told["gltf"][n] for n in told["gltf"] if n.startswith(name))
            self.assertEqual(from_gltf["vertices"], objects[name]["vertices"])
            self.assert_close(from_gltf["bounds"], objects[name]["bounds"], 1e-6, name)

    def test_damage(self):
        """A body's shape with a triangle of corners that are not there, though its size is right: it has no form, it is
        named once, and all else comes in."""
        run = self.folder / "run"
        subprocess.run([CACHE_TOOL, "make", run], check=True)
        shape = next(run.glob("cache/crate.shape.*.ply"))
        shape.write_bytes(shape.read_bytes()[:-4] + b"\xff\xff\xff\x7f")
        _, objects, told = self.import_run(run, 2)
        self.assertEqual(self.said.count(shape.name), 1, self.said)
        self.assertEqual(objects["crate"]["vertices"], 0)
        body = json.loads((run / "cache/bodies.0002.json").read_text())["bodies"][0]
        self.assert_close([[row[3] for row in objects["crate"]["place"][:3]]], [body["translation"]], 1e-6, "crate")
        self.assert_mesh(objects["water.surface"], run / "cache/water.surface.0002.ply")
        self.assert_volume(objects["smoke.volume"], run / "cache/smoke.volume.0002.vdb")
        # Gone altogether, and where it was: the same.
        shape.unlink()
        bodies = run / "cache/bodies.0002.json"
        bodies.write_text("[" + " " * (bodies.stat().st_size - 1))
        _, objects, told = self.import_run(run, 2)
        self.assertEqual(self.said.count(shape.name), 1, self.said)
        self.assertEqual(self.said.count(bodies.name), 1, self.said)
        self.assertEqual(objects["crate"]["vertices"], 0)
        self.assert_mesh(objects["water.surface"], run / "cache/water.surface.0002.ply")

    def test_flat(self):
        """A run in a plane is seen as a whole, whatever the form of the picture."""
        for width, height in [(32, 64), (96, 64)]:
            run = self.folder / f"run{width}"
            self.succeed("run", self.scene, "--out", run, "--no-pictures", "--frames", "2", "--set",
                         f"camera.width={width}", "--set", f"camera.height={height}")
            _, _, told = self.import_run(run, 2)
            for axis in range(2):
                places = [corner[axis] for corner in told["domain_seen"]]
                self.assertGreater(min(places), 0)
                self.assertLess(max(places), 1)
            widest = max(max(c[a] for c in told["domain_seen"]) - min(c[a] for c in told["domain_seen"]) for a in range(2))
            self.assertAlmostEqual(widest, 1 / 1.05, 3)

    def test_smoke(self):
        """With an obstacle that moves, and a frame that is cut short."""
        run = self.folder / "run"
        self.succeed("run", "smoke_plume", "--out", run, "--no-pictures", "--scale", "0.25", "--frames", "12", "--set",
                     "obstacle.ball.motion={position={keys=[[0,[0,0,0]],[1,[0.1,0,0.2]]]},spin=90,spin_axis=[1,1,0]}")
        cut = run / "cache/smoke.volume.0011.vdb"
        cut.write_bytes(cut.read_bytes()[:1000])
        _, objects, told = self.import_run(run, 11)
        self.assertEqual(self.said.count("smoke.volume.0011.vdb"), 1)
        self.assert_volume(objects["smoke.volume"], run / "cache/smoke.volume.0010.vdb")  # the last that is whole stays
        self.assertEqual(objects["smoke.volume"]["materials"], ["smoke.volume"])
        self.assert_seen(told)
        body = json.loads((run / "cache/bodies.0011.json").read_text())["bodies"][0]
        place = objects["ball"]["place"]
        self.assert_close([[row[3] for row in place[:3]]], [body["translation"]], 1e-6, "ball")
        self.assert_close([row[:3] for row in place[:3]], body["rotation"], 1e-5, "ball")


if __name__ == "__main__":
    if sys.argv[-1] != "Folder" and not shutil.which("blender"):
        print("skipped: there is no program blender here (Debian: blender, python3-numpy)")
        sys.exit(SKIPPED)
    program.main()
