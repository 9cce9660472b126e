#!/usr/bin/env python3
"""The command line as a user sees it: exit codes, messages, the rules of the run folder, stopping and resuming."""

import fcntl
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import time
import unittest

import silt_program as program
from silt_program import ProgramTest, product, silt, stats, status


class Usage(ProgramTest):
    def test_bad_words_are_named_with_a_suggestion(self):
        for words, says in [
            (["rum"], "unknown command 'rum'; did you mean 'run'?"),
            (["extrude", "x"], "unknown command 'extrude'"),
            (["--versoin"], "unknown option '--versoin'; did you mean '--version'?"),
            (["run", self.scene, "--thread", "2"], "unknown option '--thread' of 'run'; did you mean '--threads'?"),
            (["run", self.scene, "--threads", "two"], "--threads"),
            (["run", self.scene, "--threads", "0"], "--threads"),
            (["run", self.scene, "--frames", "0"], "--frames"),
            (["run", self.scene, "--frames", "1000001"], "--frames"),
            (["run", self.scene, "--scale", "-1"], "--scale"),
            (["run", self.scene, "--scale", "0"], "--scale: takes a number from 0.001 to 1000, not '0'"),
            (["run", self.scene, "--scale", "nan"], "not 'nan'"),
            (["check", self.scene, "--scale", "inf"], "not 'inf'"),
            (["gallery", "--scale", "nan"], "not 'nan'"),
            (["export", self.folder, "--to", "vtk", "--scale", "nan"], "not 'nan'"),
            (["export", self.folder, "--to", "vtk", "--scale=-inf"], "not '-inf'"),
            (["surface", self.folder, "--voxel", "nan"], "not 'nan'"),
            (["surface", "--attributes", "agee", self.folder], "did you mean 'age'"),
            (["surface", "--attributes", "age", self.folder], "not a run folder"),  # which is none of the list
            (["surface", self.folder, "--voxel", "0"], "takes a number from 1e-09 to 1e+09, not '0'"),
            (["render", self.folder, "--seed", "-1"], "not '-1'"),
            (["gallery", "nosuch"], "scenes' lists them"),
            (["gallery", "--out", "/proc/silt"], "choose another folder with --out"),
            (["run", self.scene, "--device", "tpu"], "--device"),
            (["run", self.scene, "--resume", "--overwrite"], "--resume"),
            (["run", self.scene, "--out", ""], "needs the name of a folder"),
            (["run", self.scene, "--out=", "--json"], "'--out=' has no value"),
            (["run", self.scene, "--out", self.scene / "below"], "choose another folder with --out"),
            (["run", self.scene, "--out", "/proc/silt"], "choose another folder with --out"),
            (["run"], "SCENE"),
            (["run", "smoke_plum"], "no scene 'smoke_plum'"),
            (["run", self.scene, "another"], "another"),
            (["run", self.folder], "without a scene.toml"),
            (["info"], "PATH"),
            (["info", self.folder / "nothing"], "there is no"),
            (["info", self.scene], "neither a run folder"),
            (["render", self.folder], "not a run folder"),
            (["render", self.folder / "nothing"], "no run"),
            (["help", "rnder"], "did you mean 'render'?"),
        ]:
            self.refuse(2, says, *words, cwd=self.folder)
        self.assertFalse((self.folder / "out").exists())

    def test_no_words_show_what_there_is(self):
        done = silt()
        self.assertEqual(done.returncode, 2)
        for command in ["run", "check", "render", "export", "surface", "info", "scenes", "validate", "bench", "help"]:
            self.assertIn(f"\n  {command} ", done.stderr)

    def test_help_version_scenes_check(self):
        self.assertRegex(self.succeed("--version").stdout, r"^silt \d+\.\d+\.\d+\n$")
        self.assertIn("--overwrite", self.succeed("help", "run").stdout)
        self.assertIn("--overwrite", self.succeed("run", "--help").stdout)
        self.assertIn("check", self.succeed("help").stdout)
        self.assertIn("[smoke]", self.succeed("help", "scene").stdout)
        self.assertIn("| `cfl` |", self.succeed("help", "scene", "--markdown").stdout)
        self.assertIn("smoke_plume", self.succeed("scenes").stdout)
        self.assertIn("16 x 24 cells", self.succeed("check", self.scene).stdout)
        self.assertIn("8 x 12 cells", self.succeed("check", self.scene, "--scale", "0.5").stdout)
        self.assertRegex(self.succeed("check", "explosion").stdout, r"fills +charge\n")
        self.assertRegex(self.succeed("check", "chimney").stdout, r"sources +fire\n")

    def test_check_promises_the_memory(self):
        """Within a quarter of the process's peak, with pictures and without."""
        units = {"kB": 1e-3, "MB": 1, "GB": 1e3}
        for scene, scale, frames, pictures in [
                ("smoke_plume", "1", 3, True), ("explosion", "1", 2, False), ("sand_column", "0.5", 3, True),
                ("dam_break", "0.4", 24, False), ("karman", "1", 3, True)]:
            words = [scene, "--scale", scale, "--frames", str(frames)]
            told = re.search(r"memory +about (\S+) (\w+), (\S+) (\w+) with --no-pictures",
                             self.succeed("check", *words).stdout)
            promised = float(told[1]) * units[told[2]] if pictures else float(told[3]) * units[told[4]]
            self.succeed("run", *words, *([] if pictures else ["--no-pictures"]), "--out", self.folder / scene)
            taken = stats(self.folder / scene)[-1]["peak_memory_mb"]
            self.assertLess(abs(promised / taken - 1), 0.25, f"{scene}: {promised} promised, {taken} taken")
            shutil.rmtree(self.folder / scene)

    def test_a_run_that_memory_cannot_take_is_refused(self):
        def limit():  # of address space: 2 GB
            resource.setrlimit(resource.RLIMIT_AS, (2_000_000_000, 2_000_000_000))

        words = ["run", "smoke_plume", "--scale", "2", "--frames", "1", "--no-pictures", "--out", self.folder / "big"]
        done = subprocess.run([program.SILT, *map(str, words), "--set", "domain.size=[4, 4, 4]"], preexec_fn=limit,
                              capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("of memory", done.stderr)
        self.assertFalse((self.folder / "big").exists())

    def test_a_run_that_the_disk_cannot_take_is_refused(self):
        words = ["run", self.scene, "--set", "run.frames=1000000", "--set", "domain.resolution=2000", "--out",
                 self.folder / "long"]
        self.refuse(2, "are free on that disk: make room", *words)
        self.refuse(2, "--force runs it all the same", *words)
        self.assertFalse((self.folder / "long").exists())

    def test_a_run_says_what_it_will_take(self):
        done = self.succeed("run", self.scene, "--out", self.folder / "small")
        self.assertRegex(done.stdout, r"needs about [\d.]+ MB of memory \(.* free\) and [\d.]+ .B of disk \(.* free\)")

    def test_mistakes_in_a_scene_are_reported_together(self):
        self.scene.write_text(program.TINY.replace("temperature", "temprature").replace("frames = 3", "frames = 0"))
        for command in ["run", "check"]:
            done = silt(command, self.scene, cwd=self.folder)
            self.assertEqual(done.returncode, 2)
            self.assertIn("tiny.toml:3:10: error:", done.stderr)
            self.assertIn("did you mean 'temperature'?", done.stderr)
        self.assertFalse((self.folder / "out").exists())


class Trials(ProgramTest):
    """silt validate and silt bench: programs of their own, behind the same command line."""

    def has(self, command):
        return silt(command, "--list").returncode == 0

    def test_list_and_help(self):
        for command, name in [("validate", "taylor_green"), ("bench", "kernels")]:
            if not self.has(command):
                continue  # not part of this build
            for line in self.succeed(command, "--list").stdout.splitlines():
                self.assertRegex(line, r"^\w+  +\S.*$")
            self.assertIn(f"{name}  ", self.succeed(command, "--list").stdout)
            for words in [["help", command], [command, "--help"]]:
                self.assertIn("--quick", self.succeed(*words).stdout)

    def test_unknown_names_and_options_are_named_with_a_suggestion(self):
        for command, word, meant in [("validate", "taylor_gren", "'taylor_green'"), ("validate", "--jsn", "'--json'"),
                                     ("bench", "kernel", "'kernels'"), ("bench", "--sise=64", "'--size'")]:
            if self.has(command):
                self.refuse(2, f"did you mean {meant}?", command, word, cwd=self.folder)
        self.assertEqual([f.name for f in self.folder.iterdir()], ["tiny.toml"])

    def test_json_is_one_array_of_measures(self):
        for command, name in [("validate", "taylor_green"), ("bench", "kernels")]:
            if not self.has(command):
                continue
            done = silt(command, name, "--quick", "--json", cwd=self.folder)
            measures = json.loads(done.stdout)
            self.assertGreater(len(measures), 0)
            for measure in measures:
                self.assertEqual(sorted(measure), ["bound", "measured", "name", "pass"])
                self.assertTrue(measure["name"].startswith(name + "."))
            self.assertEqual(done.returncode, 0 if all(m["pass"] for m in measures) else 1)
        self.assertEqual([f.name for f in self.folder.iterdir()], ["tiny.toml"])

    def test_a_page_goes_where_it_is_told_to(self):
        if self.has("validate"):
            out = self.succeed("validate", "taylor_green", "--quick", "--out", "here", cwd=self.folder).stdout
            self.assertIn("here/taylor_green.md", out)
            page = (self.folder / "here/taylor_green.md").read_text()
            self.assertIn("| pass |", page)
            self.assertNotIn(str(self.folder), page)
            self.assertTrue(list((self.folder / "here/data").glob("taylor_green_*.csv")))
        if self.has("bench"):
            self.succeed("bench", "threads", "--quick", "--out", "here", cwd=self.folder)
            self.assertFalse((self.folder / "here/threads.md").exists())  # that would be an experiment's
            page = (self.folder / "here/bench_threads.md").read_text()
            self.assertIn("Made by `./silt bench threads --quick`.", page)
            self.assertIn("of copy", page)
            for column in ["cpu", "of_copy", "ratio"]:
                self.assertIn(f"| `threads.substep.{column}` |", page)

    def test_what_cannot_be_done_is_said_before_the_run(self):
        for command in ["validate", "bench"]:
            if self.has(command):
                self.refuse(2, "is a file, not a folder", command, "--out", self.scene, cwd=self.folder)
                names = json.loads(self.succeed(command, "--list", "--json").stdout)
                self.assertEqual(sorted(names[0]), ["name", "summary"])


class RunFolder(ProgramTest):
    def run_tiny(self, *words):
        return self.succeed("run", self.scene, "--no-pictures", *words, cwd=self.folder)

    def test_the_rules_of_a_folder_that_is_there(self):
        self.run_tiny()
        before = (self.folder / "out/tiny/stats.jsonl").read_text()
        self.assertIn("finished", self.run_tiny().stdout)
        self.assertIn("finished", self.run_tiny("--resume").stdout)
        self.assertEqual((self.folder / "out/tiny/stats.jsonl").read_text(), before)
        self.refuse(2, "--resume", "run", self.scene, "--frames", "5", cwd=self.folder)
        self.refuse(2, "--overwrite", "run", self.scene, "--set", "smoke.buoyancy=2", cwd=self.folder)
        self.refuse(2, "'smoke.buoyancy'", "run", self.scene, "--resume", "--set", "smoke.buoyancy=2", cwd=self.folder)
        self.run_tiny("--overwrite", "--set", "smoke.buoyancy=2")
        self.assertNotEqual((self.folder / "out/tiny/stats.jsonl").read_text(), before)
        (self.folder / "mine").mkdir()
        (self.folder / "mine/letter.txt").write_text("dear")
        for words in [[], ["--resume"], ["--overwrite"]]:
            self.refuse(2, "not a run folder", "run", self.scene, "--out", "mine", *words, cwd=self.folder)
        self.assertEqual([f.name for f in (self.folder / "mine").iterdir()], ["letter.txt"])

    def test_a_finished_run_can_be_made_longer(self):
        self.run_tiny("--frames", "5", "--out", "whole")
        self.run_tiny("--resume")  # nothing there: it just starts
        self.run_tiny("--resume", "--frames", "5")
        self.assert_same_product(self.folder / "out/tiny", product(self.folder / "whole"))

    def test_a_damaged_status_does_not_keep_a_run_from_going_on(self):
        self.run_tiny("--frames", "2")
        (self.folder / "out/tiny/run.json").write_text("{")
        self.refuse(2, "--resume", "run", self.scene, cwd=self.folder)
        self.assertIn("warning:", self.run_tiny("--resume").stderr)
        self.assertEqual(status(self.folder / "out/tiny"), "finished")
        self.assertEqual(len(stats(self.folder / "out/tiny")), 3)

    def test_a_run_folder_is_a_scene(self):
        self.run_tiny("--out", "a", "--set", "smoke.buoyancy=2")
        self.assertIn("finished", self.succeed("run", "a", cwd=self.folder).stdout)
        self.succeed("run", "a", "--frames", "4", "--resume", "--no-pictures", cwd=self.folder)
        self.assertEqual(len(stats(self.folder / "a")), 4)
        self.succeed("run", "a/scene.toml", "--out", "b", "--no-pictures", cwd=self.folder)
        self.assertEqual(product(self.folder / "b"), product(self.folder / "a"))

    def test_json_is_all_there_is_on_standard_output(self):
        done = self.run_tiny("--json")
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([line.get("frame") for line in lines[:-1]], [1, 2, 3])
        self.assertEqual(lines[0]["time"], 0)
        self.assertEqual(lines[2]["time"], 2 / 24)
        self.assertEqual(lines[-1]["done"], True)
        self.assertEqual(lines[-1]["state_hash"], lines[2]["state_hash"])
        for name in ("substeps dt_min dt_max cells particles mass momentum kinetic_energy max_speed max_divergence volume "
                     "inside_solid swallowed refused squeezed left solves seconds peak_memory_mb state_hash").split():
            self.assertIn(name, lines[2])
        self.assertTrue(json.loads(self.run_tiny("--json").stdout)["done"])
        self.assertEqual(json.loads(self.succeed("info", self.folder / "out/tiny", "--json").stdout)["run"]["frame"], 3)

    def test_json_says_why_a_run_failed(self):
        for code, words, says in [(1, ["--set", "smoke.max_iterations=1"], "after 1 iteration"),
                                  (2, ["--set", "smoke.cfl=-1"], "smoke.cfl")]:
            done = silt("run", self.scene, "--json", "--overwrite", *words, cwd=self.folder)
            self.assertEqual(done.returncode, code)
            last = json.loads(done.stdout.splitlines()[-1])
            self.assertEqual(last["done"], False)
            self.assertIn(says, last["error"])

    def test_messages_read_well(self):
        self.scene.write_text(program.TINY.replace("size = [0.4, 0.6]\nresolution = 24", "size = [0.4, 0.61]\ncell_size = 0.025"))
        done = self.run_tiny("--threads", "1")
        self.assertRegex(done.stderr, r"^\S*tiny.toml:6:\d+: warning: ")
        self.assertEqual(done.stderr.count("warning:"), 1)
        self.assertIn("16 x 24 cells, 3 frames, 1 thread, into", done.stdout)
        self.assertIn(" 1 thread\n", self.succeed("info", self.folder / "out/tiny").stdout)

    def test_pictures_and_film_again_from_the_cache(self):
        self.succeed("run", self.scene, "--set", "output.film=true", cwd=self.folder)
        run = self.folder / "out/tiny"
        names = sorted(f.name for f in (run / "pictures").iterdir())
        self.assertEqual(names, ["film.mp4", "frame.0001.png", "frame.0002.png", "frame.0003.png"])
        film = (run / "pictures/film.mp4").stat().st_mtime_ns
        self.succeed("render", run, "--size", "100x50", "--frames", "2-3", "--no-film")
        width = [(run / f"pictures/frame.000{i}.png").read_bytes()[16:24].hex() for i in (1, 2, 3)]
        self.assertEqual(width, ["0000004000000040", "0000006400000032", "0000006400000032"])
        self.assertEqual((run / "pictures/film.mp4").stat().st_mtime_ns, film)
        self.succeed("render", run)
        self.assertNotEqual((run / "pictures/film.mp4").stat().st_mtime_ns, film)
        self.succeed("info", run)
        self.refuse(2, "--frames", "render", run, "--frames", "x")
        self.refuse(2, "--size", "render", run, "--size", "10")
        self.refuse(2, "at most 16384x16384", "render", run, "--size", "16386x100")
        self.refuse(2, "--camera", "render", run, "--camera", "1,2")
        self.refuse(2, "--camera", "render", run, "--camera", "1,2,3:x")
        self.succeed("render", run, "--camera", "top", "--samples", "2", "--seed", "3", "--quick", "--no-denoise", "--no-film")

    def test_a_sheet_is_made_as_asked_for(self):
        self.scene.write_text("silt = 1\n[run]\nframes = 1\nfps = 24\n[domain]\nsize = [1, 1, 1]\nresolution = 8\n[smoke]\n"
                              "[shape.ball]\nsphere = { center = [0.5, 0.5, 0.5], radius = 0.3 }\n"
                              "[fill.ball]\nshape = \"ball\"\nmaterial = \"smoke\"\ndensity = 1\n")
        self.succeed("run", self.scene, "--no-pictures", cwd=self.folder)
        run = self.folder / "out/tiny"
        sheets = []
        for words in [(), ("--seed", "2"), ("--no-denoise",), ()]:
            self.succeed("render", run, "--sheet", "1", "--size", "64x64", *words)
            sheets.append((run / "pictures/sheet.png").read_bytes())
        self.assertEqual(len(set(sheets)), 3)
        self.assertEqual(sheets[0], sheets[3])

    def test_a_damaged_frame_does_not_keep_others_from_being_drawn(self):
        self.succeed("run", self.scene, "--no-pictures", cwd=self.folder)
        run = self.folder / "out/tiny"
        volume = run / "cache/smoke.volume.0002.vdb"
        volume.write_bytes(volume.read_bytes()[:-1])
        said = self.refuse(1, "smoke.volume.0002.vdb is damaged", "render", run, "--no-film")
        self.assertIn("2 pictures", said.stdout)
        self.assertTrue((run / "pictures/frame.0003.png").exists())
        self.assertFalse((run / "pictures/frame.0002.png").exists())

    def test_what_was_meant_and_what_is_there_is_said(self):
        self.run_tiny()
        run = self.folder / "out/tiny"
        for command in ["render", "info", "surface"]:
            self.refuse(2, "did you mean 'out/tiny'?", command, "tiny", cwd=self.folder)
        self.refuse(2, "no frame in 99: it has 1 to 3", "render", run, "--frames", "99")
        self.refuse(2, "no particles", "surface", run)
        volume = run / "cache/smoke.volume.0002.vdb"
        whole = volume.read_bytes()
        volume.write_bytes(whole[:-1])
        self.refuse(1, f"{program.SILT} render {run} --frames 2", "render", run, "--no-film")
        said = silt("info", run)
        self.assertEqual((said.stdout + said.stderr).count("0002.vdb is damaged"), 1)
        volume.write_bytes(whole)
        (run / "scene.toml").unlink()
        for words in [("render", run), ("run", self.scene, "--out", run), ("run", self.scene, "--out", run, "--resume")]:
            self.refuse(2, "get it back from a copy", *words)

    @unittest.skipIf(os.geteuid() == 0, "root may write anywhere")
    def test_a_run_that_cannot_be_written_to(self):
        self.run_tiny()
        run = self.folder / "out/tiny"
        run.chmod(0o555)
        self.addCleanup(run.chmod, 0o755)
        for command in ["render", "surface"]:
            self.refuse(2, "copy it to a place of your own", command, run)

    def test_surfaces_replace_what_they_stand_for(self):
        tap = self.folder / "tap.toml"
        tap.write_text(program.TAP)
        self.succeed("run", tap, "--no-pictures", cwd=self.folder)
        run = self.folder / "out/tap"

        def names():
            return sorted(f.name.removeprefix("water.surface.") for f in run.glob("cache/water.surface.*"))

        own = [f"000{n}.{ending}" for n in (1, 2, 3) for ending in ("ply", "vdb")]
        self.succeed("surface", run, "--between", "2")
        self.assertEqual(names(), sorted(own + [f"{i}of3.000{n}.ply" for n in (1, 2) for i in (1, 2)]))
        self.succeed("surface", run, "--between", "1")
        self.assertEqual(names(), sorted(own + [f"1of2.000{n}.ply" for n in (1, 2)]))
        self.succeed("surface", run, "--between", "1", "--frames", "1-2")  # what follows frame 2 is still good
        self.assertEqual(names(), sorted(own + [f"1of2.000{n}.ply" for n in (1, 2)]))
        self.succeed("surface", run, "--no-level-set", "--resolution", "20")
        self.assertEqual(names(), [f"000{n}.ply" for n in (1, 2, 3)])
        self.succeed("info", run)
        self.refuse(2, "--resolution takes ", "surface", run, "--resolution", "100000")

    def test_surfaces_from_the_cache(self):
        self.succeed("run", "water_drop", "--scale", "0.25", "--frames", "3", "--no-pictures", "--out", "drop",
                     "--set", "output.surface=true", cwd=self.folder)
        run = self.folder / "drop"
        meshes = [run / f"cache/water.surface.000{i}.ply" for i in (1, 2, 3)]
        def corners(mesh):
            return json.loads(self.succeed("info", mesh, "--json").stdout)["mesh"]["vertices"]

        by_run = [corners(mesh) for mesh in meshes]
        self.succeed("surface", run)
        made = [mesh.read_bytes() for mesh in meshes]
        for mesh, count in zip(meshes, by_run):  # the same, but for what the cache rounds
            self.assertAlmostEqual(corners(mesh) / count, 1, delta=0.01)
        self.assertIn("triangles", self.succeed("info", meshes[1]).stdout)
        self.assertIn("surface", self.succeed("info", meshes[1].with_suffix(".vdb")).stdout)
        self.succeed("surface", run, "--frames", "2-3", "--between", "1", "--voxel", "0.1", "--jobs", "2")
        self.assertTrue((run / "cache/water.surface.1of2.0002.ply").exists())
        self.assertEqual(meshes[0].read_bytes(), made[0])
        self.assertNotEqual(meshes[2].read_bytes(), made[2])

        (run / "cache/water.points.0002.vdb").write_bytes(b"cut")
        (run / "cache/water.points.0003.vdb").unlink()
        for mesh in meshes:
            mesh.unlink()
        done = silt("surface", run)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.count("error:"), 2)
        self.assertIn("frame 2: ", done.stderr)
        self.assertIn("frame 3: ", done.stderr)
        self.assertEqual([mesh.exists() for mesh in meshes], [True, False, False])
        # Surfaces between frames: each of the two is named in its own turn, and what went well is not blamed.
        done = silt("surface", run, "--between", "1")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.count("error:"), 2, done.stderr)
        self.assertNotIn("frame 1: ", done.stderr)
        self.assertIn("--frames 1-3 --between 1", done.stderr)
        self.assertIn("1 surface of 1 frame ", done.stdout)
        self.refuse(2, "--frames", "surface", run, "--frames", "x")
        self.succeed("run", self.scene, cwd=self.folder)
        self.refuse(2, "no particles", "surface", self.folder / "out/tiny")

    @unittest.skipUnless(shutil.which("ffmpeg") and shutil.which("ffprobe"), "needs ffmpeg")
    def test_the_film_has_all_the_pictures_there_are(self):
        run = self.folder / "out/tiny"

        def rate_and_frames():
            asked = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-show_entries",
                                    "stream=r_frame_rate,nb_read_frames", "-of", "csv=p=0", run / "pictures/film.mp4"],
                                   text=True, stdout=subprocess.PIPE)
            return asked.stdout.strip()

        self.run_tiny("--frames", "7", "--set", "output.every=2")
        self.assertIn("film of 4 pictures, frames 1 to 7", self.succeed("render", run).stdout)
        self.assertEqual(rate_and_frames(), "12/1,4")
        done = self.succeed("render", run, "--frames", "3", "--size", "40x40")
        self.assertIn("frame 3 is left out of the film: its picture is not 64x64", done.stderr)
        self.assertIn("film of 3 pictures, frames 1 to 7", done.stdout)
        self.run_tiny("--overwrite")
        done = self.succeed("run", self.scene, "--resume", "--frames", "5", "--set", "output.film=true", cwd=self.folder)
        self.assertEqual(done.stderr, "")
        self.assertEqual(rate_and_frames(), "24/1,2")  # pictures were made from frame 4 on

    def test_without_ffmpeg_the_run_succeeds_with_a_warning(self):
        done = self.succeed("run", self.scene, "--set", "output.film=true", cwd=self.folder, env={"PATH": "/nowhere"})
        self.assertIn("silt: warning: ffmpeg was not found", done.stderr)
        self.assertEqual(status(self.folder / "out/tiny"), "finished")

    def test_a_diverging_solve_stops_the_run_and_says_where(self):
        done = self.refuse(1, "did not converge", "run", self.scene, "--set", "smoke.max_iterations=1", cwd=self.folder)
        self.assertRegex(done.stderr, r"frame 1, t = 0 s: the pressure solve did not converge")
        self.assertEqual(status(self.folder / "out/tiny"), "failed")
        self.assertFalse((self.folder / "out/tiny/stats.jsonl").exists())
        self.succeed("info", self.folder / "out/tiny")
        line = re.search(r"^  (.* --resume)$", done.stderr, re.M).group(1)
        self.assertIn("--set smoke.cfl=1 --set smoke.max_iterations=2000", line)
        again = subprocess.run(["sh", "-c", line], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(again.returncode, 0, again.stdout)
        self.assertEqual(len(stats(self.folder / "out/tiny")), 3)

    def test_a_run_that_needs_more_substeps_says_how_to_allow_them(self):
        few = ["--set", "smoke.cfl=0.1", "--set", "run.max_substeps=2"]
        done = self.refuse(1, "run.max_substeps = 2", "run", self.scene, *few, "--no-pictures", cwd=self.folder)
        line = re.search(r"^  (.* --resume)$", done.stderr, re.M).group(1)
        self.assertIn("--set smoke.cfl=0.1 --set run.max_substeps=20", line)
        again = subprocess.run(["sh", "-c", line], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(again.returncode, 0, again.stdout)

    def test_fluid_with_nowhere_to_go_is_warned_of_once(self):
        vented = self.run_tiny()
        self.assertNotIn("cannot leave", vented.stderr)
        piston = "box = { min = [-1, -1], max = [0.1, 2] }"
        self.scene.write_text(program.TINY.replace('sides = { y_max = "open" }', "")
                              .replace("sphere = { center = [0.2, 0.3], radius = 0.08 }", piston))
        sealed = self.succeed("run", self.scene, "--overwrite", cwd=self.folder)
        self.assertEqual(sealed.stderr.count("presses fluid into a part of the domain that it cannot leave"), 1)
        self.assertGreater(stats(self.folder / "out/tiny")[-1]["solves"]["pressure"]["imbalance"], 0.01)

    def test_what_solids_swallow_is_warned_of_once(self):
        jaws = """silt = 1
[run]
frames = 5
[domain]
size = [0.6, 0.4]
cell_size = 0.02
[sand]
[shape.bed]
box = { min = [0, 0], max = [0.6, 0.1] }
[fill.bed]
shape = "bed"
material = "sand"
[shape.left]
box = { min = [0, 0], max = [0.25, 0.2] }
[obstacle.left]
shape = "left"
[shape.right]
box = { min = [0.35, 0], max = [0.5, 0.2] }
[obstacle.right]
shape = "right"
motion = { position = { keys = [[0, [0, 0]], [0.1, [-0.15, 0]]] } }
"""
        words = ["run", self.scene, "--no-pictures", "--overwrite"]
        self.scene.write_text(jaws.replace("[-0.15, 0]", "[-0.04, 0]"))
        apart = self.succeed(*words, cwd=self.folder)
        self.assertNotIn("swallowed", apart.stderr)
        self.assertEqual([line["swallowed"] for line in stats(self.folder / "out/tiny")], 5 * [0])
        self.scene.write_text(jaws)
        closed = self.succeed(*words, cwd=self.folder)
        lines = stats(self.folder / "out/tiny")
        lost = sum(line["swallowed"] for line in lines)
        self.assertGreater(lost, 10)
        self.assertEqual(lines[0]["particles"] - lines[-1]["particles"], lost)
        first = next(line for line in lines if line["swallowed"])
        said = re.findall(r"frame (\d+), t = .* have swallowed (\d+) particles of sand", closed.stderr)
        self.assertEqual(said, [(str(first["frame"]), str(first["swallowed"]))], closed.stderr)
        self.assertIn("two cells before they touch", closed.stderr)
        in_all = f"swallowed {lost} particles of sand in all"
        self.assertEqual(closed.stderr.count(in_all), int(lost > first["swallowed"]), closed.stderr)

    def test_what_cannot_be_squeezed_is_told_of_once(self):
        piston = """silt = 1
[run]
frames = 8
[domain]
size = [0.8, 0.8]
cell_size = 0.05
[MATERIAL]
[shape.pool]
box = { min = [0, 0], max = [0.8, 0.5] }
[fill.pool]
shape = "pool"
material = "MATERIAL"
[shape.plate]
box = { min = [-0.1, 0.55], max = [0.9, 0.9] }
[obstacle.plate]
shape = "plate"
motion = { position = { keys = [[0, [0, 0]], [0.29, [0, -0.2]]] } }
"""
        for material in ("water", "sand"):
            self.scene.write_text(piston.replace("MATERIAL", material))
            done = self.succeed("run", self.scene, "--no-pictures", "--overwrite", cwd=self.folder)
            self.assertEqual(done.stderr.count(f"presses {material} into a room that it cannot leave"), 1, done.stderr)
            lines = stats(self.folder / "out/tiny")
            self.assertEqual(lines[0]["squeezed"], 0)
            room = 16 * 7 * 4
            self.assertEqual(lines[-1]["squeezed"], lines[-1]["particles"] - room)
            self.assertEqual(sum(line["retries"] for line in lines), 0)
            self.assertEqual(lines[-1]["inside_solid"], 0)

    def test_what_goes_out_of_reach_is_counted_and_told_of_once(self):
        fall = """silt = 1
[run]
frames = 12
[domain]
size = [0.5, 0.5]
cell_size = 0.05
sides = { y_min = "open" }
[MATERIAL]
reach = 0.3
[shape.drop]
box = { min = [0.1, 0.1], max = [0.4, 0.4] }
[fill.drop]
shape = "drop"
material = "MATERIAL"
"""
        for material in ("water", "sand"):
            self.scene.write_text(fall.replace("MATERIAL", material))
            done = self.succeed("run", self.scene, "--no-pictures", "--overwrite", cwd=self.folder)
            lines = stats(self.folder / "out/tiny")
            lost = sum(line["left"] for line in lines)
            self.assertGreater(lost, 20)
            self.assertEqual(lines[0]["particles"] - lines[-1]["particles"], lost)
            self.assertEqual(done.stderr.count("is out of reach"), 1, done.stderr)


class LongRun(ProgramTest):
    """A run that is caught in the act."""

    fine = ["--scale", "4", "--no-pictures", "--threads", "1"]
    long = [*fine, "--frames", "400"]

    def start(self, *words, frames=400, **how):
        command = [program.SILT, "run", str(self.scene), *self.fine, "--frames", str(frames), *words]
        run = subprocess.Popen(command, cwd=self.folder, text=True,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **how)
        self.addCleanup(run.communicate)
        self.addCleanup(run.kill)
        return run

    def wait_for_frames(self, run, frames, folder="out/tiny"):
        for _ in range(3000):
            path = self.folder / folder / "stats.jsonl"
            if path.exists() and path.read_text().count("\n") >= frames:
                return
            self.assertIsNone(run.poll(), "it ended early")
            time.sleep(0.01)
        self.fail("no frames")

    def test_a_signal_stops_it_and_the_printed_line_resumes_to_the_same_bits(self):
        for number in [signal.SIGTERM, signal.SIGINT]:
            out = f"it's {number}"
            run = self.start("--out", out)
            self.wait_for_frames(run, 3, out)
            run.send_signal(number)
            said, errors = run.communicate(timeout=60)
            self.assertEqual(run.returncode, 3, said + errors)
            self.assertEqual(errors, "")
            self.assertEqual(status(self.folder / out), "stopped")
            frames = len(stats(self.folder / out))
            self.refuse(2, "--resume", "run", self.scene, *self.long, "--out", out, cwd=self.folder)
            line = re.search(r"^  (.* --resume)$", said, re.M).group(1)
            line = line.replace("--frames 400", f"--frames {frames + 3}")
            done = subprocess.run(["sh", "-c", line], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            self.assertEqual(done.returncode, 0, done.stdout)
            self.succeed("run", self.scene, *self.fine, "--frames", frames + 3, "--out", "whole", "--overwrite", cwd=self.folder)
            self.assert_same_product(self.folder / out, product(self.folder / "whole"))

    def test_a_signal_that_is_ignored_stays_ignored(self):
        run = self.start(preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))  # as nohup does
        self.wait_for_frames(run, 1)
        run.send_signal(signal.SIGHUP)
        self.wait_for_frames(run, len(stats(self.folder / "out/tiny")) + 3)
        run.send_signal(signal.SIGTERM)
        self.assertEqual(run.wait(60), 3)

    def test_a_reader_that_leaves_does_not_stop_the_run(self):
        for words in [[], ["--json"]]:
            run = self.start("--overwrite", *words, frames=8)
            run.stdout.readline()
            run.stdout.close()
            errors = run.stderr.read()
            self.assertEqual(run.wait(60), 0, errors)
            self.assertEqual(errors, "")
            self.assertEqual(len(stats(self.folder / "out/tiny")), 8)

    def test_one_folder_holds_one_run_at_a_time(self):
        run = self.start()
        self.wait_for_frames(run, 1)
        for words in [[], ["--resume"], ["--overwrite"]]:
            self.refuse(2, f"is in use by process {run.pid}", "run", self.scene, *self.long, *words, cwd=self.folder)
        self.assertIn(f"process {run.pid}", self.succeed("info", self.folder / "out/tiny").stdout)
        self.succeed("render", self.folder / "out/tiny", "--frames", "1", "--no-film")
        self.assertIsNone(run.poll())
        with open(self.folder / "out/tiny/.render.lock", "r+") as lock:  # as another render would hold it
            fcntl.flock(lock, fcntl.LOCK_EX)
            lock.truncate()
            lock.write("silt process 4321\n")
            lock.flush()
            self.refuse(2, "is being rendered by process 4321", "render", self.folder / "out/tiny")
        run.send_signal(signal.SIGINT)
        self.assertEqual(run.wait(60), 3)

    @unittest.skipUnless(shutil.which("ffmpeg"), "needs ffmpeg")
    def test_the_film_waits_for_surfaces_and_sheets(self):
        """Who makes those beside the run makes no film; who makes a film is not waited for."""
        for out, note, says in [("waits", "", ": the film is made when it has ended"),
                                ("leaves", " film", ", so the run leaves the film to it")]:
            film = self.folder / out / "pictures/film.mp4"
            command = [program.SILT, "run", str(self.scene), "--frames", "40", "--set", "output.film=true", "--out", out]
            run = subprocess.Popen(command, cwd=self.folder, text=True, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            self.addCleanup(run.communicate)
            self.addCleanup(run.kill)
            self.wait_for_frames(run, 1, out)
            with open(self.folder / out / ".render.lock", "w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                lock.write(f"silt process 4321{note}\n")
                lock.flush()
                self.assertIn("process 4321" + says, run.stderr.readline())
                self.assertFalse(film.exists())
                if not note:
                    time.sleep(0.3)
                    self.assertIsNone(run.poll())
            self.assertEqual(run.wait(60), 0)
            self.assertEqual(run.stderr.read(), "")
            self.assertEqual(film.exists(), not note)


if __name__ == "__main__":
    program.main()
