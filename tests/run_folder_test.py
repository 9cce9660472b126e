#!/usr/bin/env python3
"""What a run folder survives and refuses besides crashes: lists that are cut, files that are gone, an ffmpeg that is
left behind, and folders that somebody made to do harm."""

import json
import os
import re
import shutil
import signal
import subprocess
import time
import unittest
from pathlib import Path

import silt_program as program
from silt_program import ProgramTest, product, silt

SUBFOLDERS = ["cache", "checkpoints", "pictures"]


def contents(folder):
    """All files by name, but for locks."""
    folder = Path(folder)
    return {str(f.relative_to(folder)): f.read_bytes() for f in folder.rglob("*")
            if f.is_file() and not f.is_symlink() and not f.name.endswith(".lock")}


class RunFolderTest(ProgramTest):
    """A finished run of three frames, and copies of it."""

    def setUp(self):
        super().setUp()
        self.write_scene()
        self.succeed("run", self.scene, "--threads", "1", "--out", self.folder / "good")
        self.wanted = product(self.folder / "good")

    def write_scene(self):
        """setUp has written a small one."""

    def copy(self, name="run"):
        run = self.folder / name
        shutil.rmtree(run, ignore_errors=True)
        shutil.copytree(self.folder / "good", run, symlinks=True)
        return run

    def run_into(self, run, *words):
        return silt("run", self.scene, "--threads", "1", "--out", run, *words)


class Lists(RunFolderTest):
    def test_a_cut_manifest_loses_nothing(self):
        """However many lines are left, a run that is made longer keeps its frames and gets the same bits."""
        longer = self.run_into(self.folder / "longer", "--frames", "5")
        self.assertEqual(longer.returncode, 0, longer.stderr)
        expected = product(self.folder / "longer")
        text = (self.folder / "good/manifest.jsonl").read_text().splitlines(keepends=True)
        for lines in [*range(len(text) + 1), None]:
            run = self.copy()
            frames = {f: f.stat().st_ino for f in run.glob("cache/*")}
            if lines is None:
                (run / "manifest.jsonl").unlink()
            else:
                (run / "manifest.jsonl").write_text("".join(text[:lines]))
            for words in [["info", run], ["export", run, "--to", "vtk", "--out", self.folder / "exported"]]:
                self.succeed(*words)
            done = self.run_into(run, "--frames", "5", "--resume")
            self.assertEqual(done.returncode, 0, f"{lines}\n{done.stderr}")
            self.assertIn("resuming after frame 3", done.stdout, lines)
            self.assert_same_product(run, expected, f"{lines} lines of the manifest")
            self.assertEqual({f: f.stat().st_ino for f in frames}, frames, "frames were written again")
            self.succeed("info", run)

    def test_a_line_that_cannot_be_read_loses_nothing(self):
        """Whichever it is: it is told by all who look, who go on with all there is, and --resume mends it."""
        longer = self.run_into(self.folder / "longer", "--frames", "5")
        self.assertEqual(longer.returncode, 0, longer.stderr)
        expected = product(self.folder / "longer")
        lines = (self.folder / "good/manifest.jsonl").read_bytes().splitlines(keepends=True)
        damages = [lambda line: b"\0\xff\x1b[31m garbage\n", lambda line: line[:len(line) // 2] + b"\n",
                   lambda line: re.sub(rb'"size":', b'"size":-', line), lambda line: line[:-1] + b"?"]
        for i, line in enumerate(lines[:-1]):
            run = self.copy()
            frames = {f: f.stat().st_ino for f in run.glob("cache/*")}
            damaged = [*lines[:i], damages[i % len(damages)](line), *lines[i + 1:]]
            (run / "manifest.jsonl").write_bytes(b"".join(damaged))
            says = f"manifest.jsonl is damaged: line {i + 1} cannot be read"
            told = silt("info", run)
            self.assertEqual(told.returncode, 1)
            self.assertIn(says, told.stderr)
            self.assertIn(f"`silt run {run} --resume` mends it", told.stderr)
            done = self.succeed("export", run, "--to", "vtk", "--out", self.folder / f"exported{i}")
            self.assertIn(says, done.stderr)
            self.assertIn("of 3 frames", done.stdout)
            if i % 4 == 0:
                done = self.succeed("render", run, "--no-film")
                self.assertIn(says, done.stderr)
                self.assertIn("3 pictures", done.stdout)
                for picture in run.glob("pictures/*"):
                    shutil.copy(self.folder / "good" / picture.relative_to(run), picture)
                (run / "manifest.jsonl").write_bytes(b"".join(damaged))
            done = self.run_into(run)
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn(says, done.stderr)
            self.assertIn("--resume", done.stderr)
            done = self.run_into(run, "--frames", "5", "--resume")
            self.assertEqual(done.returncode, 0, f"{i}\n{done.stderr}")
            self.assertIn(says, done.stderr)
            self.assertIn("resuming after frame 3", done.stdout)
            self.assert_same_product(run, expected, f"line {i + 1} of the manifest")
            self.assertEqual({f: f.stat().st_ino for f in frames}, frames, "frames were written again")
            self.succeed("info", run)

    def test_a_line_that_nothing_else_proves_is_kept_and_refused(self):
        run = self.copy()
        (run / "stats.jsonl").unlink()
        manifest = run / "manifest.jsonl"
        manifest.write_text(manifest.read_text().replace("cache/smoke.volume.0002", "cache/sm?ke.volume.0002"))
        before = contents(run)
        done = self.run_into(run, "--resume", "--frames", "5")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("it does not have cache/smoke.volume.0002.vdb", done.stderr)
        throwing_away = f"`silt run {run} --overwrite`"
        self.assertIn(throwing_away, done.stderr)
        self.assertIn(throwing_away, silt("info", run).stderr)
        done = self.succeed("export", run, "--to", "vtk", "--out", self.folder / "exported")
        self.assertIn(throwing_away, done.stderr)
        self.assertIn("of 2 frames", done.stdout)
        self.assertEqual(contents(run), before)
        self.succeed("run", run, "--overwrite")
        self.assert_same_product(run, self.wanted)

    def test_what_nothing_proves_is_kept_and_refused(self):
        run = self.copy()
        (run / "manifest.jsonl").write_text("")
        (run / "stats.jsonl").unlink()
        before = contents(run)
        for words in [[], ["--resume"], ["--resume", "--frames", "7"]]:
            done = self.run_into(run, *words)
            self.assertEqual(done.returncode, 2, f"{words}\n{done.stdout}{done.stderr}")
            self.assertIn("cache/smoke.volume.0001.vdb", done.stderr)
            self.assertIn("--overwrite", done.stderr)
            self.assertEqual(contents(run), before, words)
        self.assertEqual(silt("info", run).returncode, 1)
        self.assertEqual(self.run_into(run, "--overwrite").returncode, 0)
        self.assert_same_product(run, self.wanted)

    def test_a_run_that_has_lost_its_checkpoints_does_not_begin_again(self):
        for gone in [["checkpoints"], ["checkpoints", "manifest.jsonl"], ["checkpoints", "stats.jsonl"]]:
            run = self.copy()
            for name in gone:
                shutil.rmtree(run / name) if name == "checkpoints" else (run / name).unlink()
            before = contents(run)
            done = self.run_into(run, "--resume", "--frames", "7")
            self.assertIn(done.returncode, (1, 2), done.stdout)
            self.assertIn("--overwrite", done.stderr)
            self.assertEqual(contents(run), before, gone)


    def test_a_status_that_cannot_be_read_hides_no_frames(self):
        for text in [b"", b"{", b"\0\xff" * 500, b"[]"]:
            run = self.copy()
            (run / "run.json").write_bytes(text)
            told = silt("info", run, "--json")
            self.assertEqual(told.returncode, 1)
            self.assertIn("run.json is damaged", told.stderr)
            self.assertEqual(json.loads(told.stdout)["run"]["frame"], 3)
            self.assertIn("3 frames", self.succeed("export", run, "--to", "vtk", "--out", self.folder / "x").stdout)
            self.assertIn("3 pictures", self.succeed("render", run, "--no-film").stdout)
            shutil.rmtree(run / "checkpoints")
            before = contents(run)
            done = self.run_into(run, "--resume")  # not from the beginning: its frames would go
            self.assertIn(done.returncode, (1, 2), done.stdout)
            self.assertIn("--overwrite", done.stderr)
            self.assertEqual(contents(run), before)

    def test_info_beside_a_run(self):
        """The lock is held, and files may be ahead of their lists: none of it is a problem."""
        run = self.folder / "going"
        going = subprocess.Popen([program.SILT, "run", str(self.scene), "--frames", "100000", "--no-pictures", "--out",
                                  str(run)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            while not (run / "stats.jsonl").exists():
                self.assertIsNone(going.poll())
            for _ in range(30):
                told = json.loads(self.succeed("info", run, "--json").stdout)["run"]
                self.assertEqual((told["status"], told["in_use_by"], told["problems"]), ("running", going.pid, []))
            self.assertIn(f"process {going.pid}", self.succeed("info", run).stdout)
        finally:
            going.send_signal(signal.SIGINT)
            going.communicate()
        told = json.loads(self.succeed("info", run, "--json").stdout)["run"]
        self.assertEqual((told["status"], told["in_use_by"]), ("stopped", 0))


class Crowd(ProgramTest):
    def test_as_many_obstacles_as_there_may_be(self):
        """A checkpoint of all of them, moving, and the same bits after it."""
        many = 20000 - 1  # and the ball
        self.scene.write_text(program.TINY.replace("0.4, 0.6]\nresolution = 24", "0.8, 0.6]\nresolution = 800") +
                              "[shape.dot]\nsphere = { center = [0, 0], radius = 0.0008 }\n" + "".join(
            f'[obstacle.o{i}]\nshape = "dot"\nmotion = {{ position = {{ keys = [[0, {place(0)}], [1, {place(0.01)}]] }} }}\n'
            for i in range(many) for place in [lambda d: [0.002 + i % 200 * 0.004 + d, 0.398 + i // 200 * 0.002]]))
        words = ["run", self.scene, "--no-pictures", "--set", "run.frames=2", "--out"]
        self.succeed(*words, self.folder / "whole", timeout=300)
        self.succeed(*words, self.folder / "resumed", "--frames", "1", timeout=300)
        done = self.succeed(*words, self.folder / "resumed", "--resume", "--frames", "2", timeout=300)
        self.assertIn("resuming after frame 1", done.stdout)
        self.assert_same_product(self.folder / "resumed", product(self.folder / "whole"))


class Mending(RunFolderTest):
    """In 3D, where bodies and their shapes are filed too."""

    files = ["cache/smoke.volume.0002.vdb", "cache/bodies.0003.json", "cache/ball.shape.0001.ply"]

    def write_scene(self):
        self.scene.write_text(program.TINY.replace("0.4, 0.6]\nresolution = 24", "0.4, 0.2, 0.6]\nresolution = 12")
                              .replace("0.2, 0.06]", "0.2, 0.1, 0.06]").replace("0.2, 0.3]", "0.2, 0.1, 0.3]")
                              .replace("[0, 0]", "[0, 0, 0]").replace("[0.1, 0.1]", "[0.1, 0, 0.1]")
                              .replace("y_max", "z_max"))

    def harm(self, file, how):
        if how == "gone":
            file.unlink()
        elif how == "cut":
            file.write_bytes(file.read_bytes()[:-1])
        else:
            data = bytearray(file.read_bytes())
            data[len(data) // 2] ^= 1
            file.write_bytes(data)

    def test_a_finished_run_that_lacks_files_is_named_and_made_whole(self):
        names = self.files
        for how in ["gone", "cut", "flipped"]:
            for lists in ["both", "stats.jsonl"]:
                run = self.copy()
                for name in names:
                    self.harm(run / name, how)
                if lists != "both":
                    (run / "manifest.jsonl").unlink()
                before = contents(run)
                done = self.run_into(run)
                self.assertEqual(done.returncode, 2, done.stdout)
                self.assertIn("--resume", done.stderr)
                looked = silt("info", run)
                self.assertEqual(looked.returncode, 1)
                for said in [done.stderr, looked.stderr]:
                    for name in names:
                        self.assertIn(name, said)
                for words in [["render", run, "--no-film"], ["export", run, "--to", "vtk", "--out", self.folder / "x"]]:
                    done = silt(*words)
                    self.assertEqual(done.returncode, 1, words)
                    self.assertIn("cache/smoke.volume.0002.vdb", done.stderr)
                self.assertEqual(set(contents(run)), set(before))

                run = self.copy("mended")
                for name in names:
                    self.harm(run / name, how)
                if lists != "both":
                    (run / "manifest.jsonl").unlink()
                done = self.run_into(run, "--resume")
                self.assertEqual(done.returncode, 0, done.stderr)
                for name in names:
                    self.assertIn(name, done.stderr)
                self.assert_same_product(run, self.wanted, f"{how} {lists}")
                self.succeed("info", run)
                self.assertIn("Nothing to do", self.run_into(run).stdout)

    def test_an_unfinished_run_is_made_whole_too(self):
        longer = self.run_into(self.folder / "longer", "--frames", "5")
        self.assertEqual(longer.returncode, 0, longer.stderr)
        run = self.copy()
        self.harm(run / "cache/smoke.volume.0002.vdb", "gone")
        done = self.run_into(run, "--resume", "--frames", "5")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_same_product(run, product(self.folder / "longer"))

    def test_killed_while_it_is_made_whole(self):
        """At every change of the disk: nothing further is lost, and the next one finishes it."""
        def harmed(name):
            run = self.copy(name)
            self.harm(run / "cache/smoke.volume.0002.vdb", "gone")
            self.harm(run / "cache/bodies.0003.json", "flipped")
            return run

        words = ["run", self.scene, "--threads", "1", "--resume", "--out"]
        run = harmed("counted")
        self.succeed(*words, run, fault=f"count:{self.folder}/count")
        operations = int((self.folder / "count").read_text())
        self.assertGreater(operations, 10)
        for n in range(1, operations + 1):
            run = harmed("crash")
            self.assertEqual(silt(*words, run, fault=f"crash:{n}").returncode, 86, n)
            self.succeed(*words, run)
            self.assert_same_product(run, self.wanted, f"operation {n} of {operations}")
            self.succeed("info", run)

    def test_other_bits_are_not_taken(self):
        """A scene.toml that is not what ran makes other files: what is lost stays so and is told, the rest as it is."""
        run = self.copy()
        self.harm(run / "cache/smoke.volume.0002.vdb", "gone")
        scene = run / "scene.toml"
        other = scene.read_text().replace("tolerance = 1e-05", "tolerance = 0.001")
        self.assertEqual(other.count("tolerance = 0.001"), 1)
        scene.write_text(other)
        manifest = run / "manifest.jsonl"  # off the list, as a crash leaves it
        manifest.write_text("".join(l for l in manifest.read_text().splitlines(True) if "scene.toml" not in l))
        before = contents(run / "cache")
        done = self.run_into(run, "--resume", "--set", "smoke.tolerance=0.001")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("cannot be made again", done.stderr)
        self.assertEqual(contents(run / "cache"), before)
        told = silt("info", run)
        self.assertIn("smoke.volume.0002.vdb", told.stdout + told.stderr)


class Orphan(ProgramTest):
    @unittest.skipUnless(shutil.which("ffmpeg"), "needs ffmpeg")
    def test_an_ffmpeg_that_is_left_behind_harms_no_film(self):
        """kill -9 while ffmpeg runs, then resume: the film that is certified then stays what it is."""
        bin = self.folder / "bin"
        bin.mkdir()
        slow = bin / "ffmpeg"
        slow.write_text(f"""#!/bin/sh
for last; do :; done
echo $$ > {self.folder}/ffmpeg_is
(sleep 3; echo orphan > "${{last#file:}}"; : > {self.folder}/late) &
exec sleep 60
""")
        slow.chmod(0o755)
        words = ["run", str(self.scene), "--set", "output.film=true", "--out", str(self.folder / "run")]
        environment = dict(os.environ, PATH=f"{bin}:{os.environ['PATH']}")
        run = subprocess.Popen([program.SILT, *words], env=environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        said = self.folder / "ffmpeg_is"
        while not said.exists() or not said.read_text():
            self.assertIsNone(run.poll())
            time.sleep(0.01)
        run.send_signal(signal.SIGKILL)
        run.wait()
        self.succeed(*words, "--resume")
        film = (self.folder / "run/pictures/film.mp4").read_bytes()
        for _ in range(1000):
            if (self.folder / "late").exists():
                break
            time.sleep(0.01)
        self.assertTrue((self.folder / "late").exists())
        self.assertEqual((self.folder / "run/pictures/film.mp4").read_bytes(), film)
        self.succeed("info", self.folder / "run")
        self.assertEqual(sorted(f.name for f in (self.folder / "run/pictures").iterdir()),
                         ["film.mp4", *(f"frame.000{i}.png" for i in (1, 2, 3))])
        self.assertFalse(self.is_running(said.read_text().strip()), "ffmpeg has outlived silt")

    def is_running(self, process):
        try:
            return ") Z " not in Path(f"/proc/{process}/stat").read_text()
        except FileNotFoundError:
            return False


class Hostile(RunFolderTest):
    """Run folders made to do harm: what is outside of them is as it was, and every end is a plain one."""

    def setUp(self):
        super().setUp()
        self.home = self.folder / "home"
        self.home.mkdir()
        for name in ["thesis.txt", "0001.safetensors", "smoke.volume.0001.vdb", ".a.1-2.tmp", "frame.0009.png"]:
            (self.home / name).write_text("years of work")

    def do_everything(self, run, what):
        before = {f.name: f.read_text() for f in self.home.iterdir()}
        for words in [["info", run], ["info", run, "--json"], ["render", run, "--no-film"], ["render", run],
                      ["export", run, "--to", "vtk"], ["run", self.scene, "--out", run],
                      ["run", self.scene, "--out", run, "--resume", "--frames", "4"],
                      ["run", self.scene, "--out", run, "--resume", "--frames", "6", "--set", "run.checkpoint_minutes=0"],
                      ["run", self.scene, "--out", run, "--overwrite"]]:
            done = silt(*words, timeout=60)
            self.assertIn(done.returncode, (0, 1, 2), f"{what} {words}\n{done.stderr}")
            self.assertNotIn("mistake in silt", done.stderr, f"{what} {words}")
            self.assertEqual({f.name: f.read_text() for f in self.home.iterdir()}, before, f"{what} {words}")

    def test_links_in_place_of_files_and_folders(self):
        for name in [".lock", ".render.lock", "manifest.jsonl", "stats.jsonl", "run.json", "scene.toml",
                     "cache/smoke.volume.0001.vdb", "checkpoints/0003.safetensors", "pictures/frame.0001.png",
                     "export/vtk/.export.lock", "export/vtk/all.pvd", *SUBFOLDERS, "export", "export/vtk"]:
            for hard in [False, True]:
                target = self.home if name in [*SUBFOLDERS, "export", "export/vtk"] else self.home / "thesis.txt"
                if hard and target == self.home:
                    continue
                run = self.copy()
                place = run / name
                place.parent.mkdir(parents=True, exist_ok=True)
                if place.is_dir():
                    shutil.rmtree(place)
                elif place.exists():
                    place.unlink()
                os.link(target, place) if hard else place.symlink_to(target)
                self.do_everything(run, f"{name} is a {'hard' if hard else 'symbolic'} link")

    def test_a_link_is_named_with_what_to_do(self):
        run = self.copy()
        (run / ".lock").unlink()
        (run / ".lock").symlink_to(self.home / "thesis.txt")
        done = self.run_into(run, "--resume", "--frames", "4")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(".lock is a symbolic link", done.stderr)

    @unittest.skipUnless(shutil.which("ffmpeg"), "needs ffmpeg")
    def test_a_picture_that_is_a_link_is_not_in_the_film(self):
        run = self.copy()
        (run / "pictures/frame.0002.png").unlink()
        (run / "pictures/frame.0002.png").symlink_to(self.folder / "good/pictures/frame.0001.png")
        done = silt("run", self.scene, "--out", run, "--resume", "--frames", "4", "--set", "output.film=true")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("frame.0002.png is damaged", done.stderr)

    def test_pipes_in_place_of_files(self):
        for name in [".lock", ".render.lock", "manifest.jsonl", "stats.jsonl", "run.json", "scene.toml",
                     "cache/smoke.volume.0001.vdb", "checkpoints/0003.safetensors"]:
            run = self.copy()
            (run / name).unlink(missing_ok=True)
            os.mkfifo(run / name)
            self.do_everything(run, name)

    def test_brackets_without_end(self):
        deep = '{"a": ' + 100000 * "[" + 100000 * "]" + ', "check": "0123456789abcdef"}\n'
        for name in ["manifest.jsonl", "run.json", "stats.jsonl"]:
            for text in [deep, 100000 * "[", 100000 * '{"a":']:
                run = self.copy()
                (run / name).write_text(text)
                self.do_everything(run, name)
        for name in ["manifest.jsonl", "run.json"]:
            run = self.copy()
            (run / name).write_text(deep)
            done = silt("info", run)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn(name, done.stderr)

    def test_files_that_are_too_large(self):
        """Sparse ones: refused by their size, before memory is taken."""
        for name, size in [("run.json", 20 << 30), ("manifest.jsonl", 20 << 30), ("stats.jsonl", 40 << 30)]:
            run = self.copy()
            os.truncate(run / name, size)
            start = time.monotonic()
            done = silt("info", run)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertRegex(done.stderr, rf"{name} is too large: {size} bytes, and such a file has at most \d+")
            self.assertLess(time.monotonic() - start, 10)


if __name__ == "__main__":
    program.main()
