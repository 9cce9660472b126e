#!/usr/bin/env python3
"""A run cannot be lost: crashes at every change of the disk, kill -9, full disks, damaged files."""

import os
import random
import shutil
import signal
import subprocess
import unittest
from concurrent.futures import ThreadPoolExecutor

import silt_program as program
from silt_program import ProgramTest, product, silt, status

CRASHED = 86  # what SILT_FAULT=crash exits with
MOST_OF_A_PRODUCT = 25  # operations of each that are tried; the campaign tries all
STEP_ON_A_FULL_DISK = 2
tried = []  # (of which test, operations, of them tried)


class FaultTest(ProgramTest):
    words = ["--threads", "1"]

    def run_into(self, out, *words, **how):
        return silt("run", self.scene, *self.words, "--out", self.folder / out, *words, **how)

    def reference(self, *words):
        done = self.run_into("whole", *words, fault=f"count:{self.folder}/count")
        self.assertEqual(done.returncode, 0, done.stderr)
        return product(self.folder / "whole"), int((self.folder / "count").read_text())

    def for_each(self, cases, check):
        """check(case) for all cases, two at a time."""
        tried.append((self.id(), cases[-1] if isinstance(cases, range) else len(cases), len(cases)))
        with ThreadPoolExecutor(max_workers=2) as pool:
            list(pool.map(check, cases))

    def resume_and_compare(self, out, expected, what, *words):
        done = self.run_into(out, "--resume", *words)
        self.assertEqual(done.returncode, 0, f"{what}\n{done.stderr}")
        self.assertEqual(done.stderr, "", what)
        self.assert_same_product(self.folder / out, expected, what)
        looked = silt("info", self.folder / out)
        self.assertEqual(looked.returncode, 0, f"{what}\n{looked.stderr}")
        shutil.rmtree(self.folder / out)


class Crash(FaultTest):
    # A checkpoint a frame, so that crashes meet checkpoints in every state.
    words = [*FaultTest.words, "--set", "run.checkpoint_minutes=0"]

    def test_at_every_operation_of_a_run(self):
        expected, operations = self.reference()
        self.assertGreater(operations, 60)

        def check(n):
            done = self.run_into(f"crash{n}", fault=f"crash:{n}")
            self.assertEqual(done.returncode, CRASHED, f"operation {n}\n{done.stderr}")
            self.resume_and_compare(f"crash{n}", expected, f"operation {n} of {operations}")

        self.for_each(range(1, operations + 1), check)

    def test_at_every_operation_of_a_resume(self):
        """From a run that crashed in frame 3, to a longer one: files are cut back and the scene is written anew."""
        expected, _ = self.reference("--frames", "4")
        shutil.rmtree(self.folder / "whole")
        _, operations = self.reference()
        self.run_into("begun", fault=f"crash:{operations - 12}")

        shutil.copytree(self.folder / "begun", self.folder / "counted")
        done = self.run_into("counted", "--resume", "--frames", "4", fault=f"count:{self.folder}/count")
        self.assertEqual(done.returncode, 0, done.stderr)
        operations = int((self.folder / "count").read_text())
        self.assertGreater(operations, 30)

        def check(n):
            shutil.copytree(self.folder / "begun", self.folder / f"crash{n}")
            done = self.run_into(f"crash{n}", "--resume", "--frames", "4", fault=f"crash:{n}")
            self.assertEqual(done.returncode, CRASHED, f"operation {n}\n{done.stderr}")
            self.resume_and_compare(f"crash{n}", expected, f"operation {n} of {operations}", "--frames", "4")

        self.for_each(range(1, operations + 1), check)

    def test_while_the_film_is_made(self):
        film = ["--set", "output.film=true"]
        expected, operations = self.reference(*film)
        self.assertIn("pictures/film.mp4", expected[1])

        def check(n):
            done = self.run_into(f"crash{n}", *film, fault=f"crash:{n}")
            self.assertEqual(done.returncode, CRASHED, done.stderr)
            self.resume_and_compare(f"crash{n}", expected, f"operation {n}", *film)

        self.for_each(range(operations - 10, operations + 1), check)

    def test_at_every_operation_of_overwriting(self):
        """What was there before is lost, as asked; what comes after is whole."""
        expected, _ = self.reference()
        other = ["--set", "smoke.buoyancy=2", "--frames", "1"]
        self.run_into("old", *other)
        clearing = 12

        def check(n):
            shutil.copytree(self.folder / "old", self.folder / f"crash{n}")
            done = self.run_into(f"crash{n}", "--overwrite", fault=f"crash:{n}")
            self.assertEqual(done.returncode, CRASHED, done.stderr)
            done = self.run_into(f"crash{n}", "--overwrite")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assert_same_product(self.folder / f"crash{n}", expected, f"operation {n}")

        self.for_each(range(1, clearing + 1), check)


class Kill(FaultTest):
    # Some hundred milliseconds of work, with and without checkpoints along the way.
    words = [*FaultTest.words, "--frames", "10", "--scale", "2"]

    def test_nine_at_twenty_random_instants(self):
        rng = random.Random(20)
        with_checkpoints = ["--set", "run.checkpoint_minutes=0"]
        expected, _ = self.reference()
        seconds = self.time_of_a_run()

        def check(case):
            i, instant = case
            more = with_checkpoints if i % 4 else []
            run = subprocess.Popen([program.SILT, "run", str(self.scene), *self.words, "--out",
                                    str(self.folder / f"kill{i}"), *more], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                run.wait(instant)
            except subprocess.TimeoutExpired:
                run.send_signal(signal.SIGKILL)
            run.wait()
            self.resume_and_compare(f"kill{i}", expected, f"killed after {instant:.3f} s", *more)

        self.for_each(list(enumerate(rng.uniform(0, seconds) for _ in range(20))), check)

    def time_of_a_run(self):
        import time
        start = time.monotonic()
        self.run_into("timed")
        return time.monotonic() - start


class FullDisk(FaultTest):
    words = [*FaultTest.words, "--set", "run.checkpoint_minutes=0"]

    def assert_one_message(self, done, what):
        self.assertEqual(done.returncode, 1, f"{what}\n{done.stdout}{done.stderr}")
        self.assertEqual(done.stderr.count("silt: "), 1, f"{what}\n{done.stderr}")
        self.assertIn("the disk is full", done.stderr, what)

    def test_at_any_operation(self):
        expected, operations = self.reference()

        def check(n):
            done = self.run_into(f"full{n}", fault=f"enospc:{n}")
            self.assert_one_message(done, f"operation {n}")
            self.resume_and_compare(f"full{n}", expected, f"operation {n} of {operations}")

        self.for_each(range(1, operations + 1, STEP_ON_A_FULL_DISK), check)

    def test_on_a_small_disk(self):
        disk = self.folder / "disk"
        disk.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=160k", "tmpfs", str(disk)],
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT) if shutil.which("mount") else None
        if mounted is None or mounted.returncode != 0:
            self.skipTest("a small tmpfs cannot be mounted here")
        self.addCleanup(subprocess.run, ["umount", str(disk)])
        words = ["--frames", "12"]
        expected, _ = self.reference(*words)
        done = self.run_into("disk/run", *words)
        self.assert_one_message(done, "a disk of 160 kB")
        self.assertIn("--resume", done.stderr)
        self.assertTrue((disk / "run/checkpoints").exists())
        subprocess.run(["mount", "-o", "remount,size=64M", str(disk)], check=True)
        self.resume_and_compare("disk/run", expected, "after making room", *words)


class Products(FaultTest):
    """What is made of a finished run: pictures and film, surfaces, exported files. At every change of the disk, in turn,
    a crash and a full disk: nothing half-written is listed, and doing it again gives the same bits."""

    commands = {"render": ["--samples", "1"], "surface": ["--jobs", "1"], "export": ["--to", "vtk"]}

    def setUp(self):
        super().setUp()
        self.scene.write_text(program.TAP)
        done = self.run_into("good")
        self.assertEqual(done.returncode, 0, done.stderr)

    def made(self, run):
        """All but the lists, which tell of the order too."""
        lists = ("manifest.jsonl", "run.json")
        return {str(f.relative_to(run)): f.read_bytes() for f in run.rglob("*")
                if f.is_file() and f.name not in lists and not f.name.endswith(".lock")}

    def do(self, command, run, **how):
        return silt(command, run, *self.commands[command], *self.words, **how)

    def each_operation(self, command, fault):
        """(number, a fresh copy, what there should be in the end); so many of them that a test takes seconds."""
        whole = self.folder / "whole"
        shutil.copytree(self.folder / "good", whole)
        done = self.do(command, whole, fault=f"count:{self.folder}/count")
        self.assertEqual(done.returncode, 0, done.stderr)
        operations, expected = int((self.folder / "count").read_text()), self.made(whole)
        self.assertGreater(operations, 20)
        numbers = range(1, operations + 1, max(1, operations // MOST_OF_A_PRODUCT))
        tried.append((f"{self.id()},_{fault}", operations, len(numbers)))
        for n in numbers:
            run = self.folder / "run"
            shutil.rmtree(run, ignore_errors=True)
            shutil.copytree(self.folder / "good", run)
            yield n, run, expected

    def check_whole(self, command, run, expected, what):
        looked = silt("info", run)
        self.assertEqual(looked.returncode, 0, f"{what}\n{looked.stderr}")
        again = self.do(command, run)
        self.assertEqual(again.returncode, 0, f"{what}\n{again.stderr}")
        made = self.made(run)
        self.assertEqual(sorted(made), sorted(expected), what)
        for name, data in made.items():
            self.assertTrue(data == expected[name], f"{name} differs: {what}")

    def crash(self, command):
        for n, run, expected in self.each_operation(command, "crash"):
            done = self.do(command, run, fault=f"crash:{n}")
            self.assertEqual(done.returncode, CRASHED, f"{command}, operation {n}\n{done.stderr}")
            self.check_whole(command, run, expected, f"{command}, crash at {n}")

    def fill_the_disk(self, command):
        for n, run, expected in self.each_operation(command, "full disk"):
            done = self.do(command, run, fault=f"enospc:{n}")
            self.assertEqual(done.returncode, 1, f"{command}, operation {n}\n{done.stdout}{done.stderr}")
            self.assertIn("the disk is full", done.stderr)
            self.check_whole(command, run, expected, f"{command}, full disk at {n}")

    def test_pictures_and_film(self):
        self.crash("render")
        shutil.rmtree(self.folder / "whole")
        self.fill_the_disk("render")

    def test_surfaces(self):
        self.crash("surface")
        shutil.rmtree(self.folder / "whole")
        self.fill_the_disk("surface")

    def test_exports(self):
        self.crash("export")
        shutil.rmtree(self.folder / "whole")
        self.fill_the_disk("export")


class Damage(FaultTest):
    """A truncated and a bit-flipped file of every kind is named, and refused."""

    def setUp(self):
        super().setUp()
        self.scene.write_text(program.TINY.replace("film = false", "film = true"))
        done = self.run_into("good")
        self.assertEqual(done.returncode, 0, done.stderr)

    def damaged(self, name):
        """Copies of the good run in which one file has lost its second half, or has one bit flipped."""
        for harm in ["cut", "flip"]:
            run = self.folder / "harmed"
            shutil.rmtree(run, ignore_errors=True)
            shutil.copytree(self.folder / "good", run)
            data = bytearray((run / name).read_bytes())
            if harm == "cut":
                del data[len(data) // 2:]
            else:
                data[len(data) // 3] ^= 4
            (run / name).write_bytes(data)
            yield run

    def assert_refused(self, name, *words):
        done = silt(*words)
        self.assertIn(done.returncode, (1, 2), f"{name} {words}\n{done.stdout}{done.stderr}")
        self.assertIn(name, done.stderr, words)
        self.assertNotIn("mistake in silt", done.stderr)
        self.assertEqual(done.stderr.count("error:"), 1, done.stderr)

    def resume_words(self, run):
        return "run", self.scene, *self.words, "--out", run, "--resume", "--frames", "5"

    def test_files_of_the_manifest_are_refused_by_info(self):
        for name in ["cache/smoke.volume.0002.vdb", "checkpoints/0003.safetensors", "pictures/frame.0002.png",
                     "pictures/film.mp4", "scene.toml"]:
            for run in self.damaged(name):
                self.assert_refused(name, "info", run)
                if name.startswith(("cache", "checkpoints")):
                    self.assert_refused(name, "info", run / name)

    def test_volumes_are_refused_by_render(self):
        for run in self.damaged("cache/smoke.volume.0002.vdb"):
            self.assert_refused("cache/smoke.volume.0002.vdb", "render", run)

    def test_what_a_run_goes_on_from_is_refused_by_resume(self):
        for name in ["checkpoints/0003.safetensors", "scene.toml", "stats.jsonl"]:
            for run in self.damaged(name):
                before = {f: f.read_bytes() for f in run.rglob("*") if f.is_file() and f.name != ".lock"}
                self.assert_refused(name, *self.resume_words(run))
                after = {f: f.read_bytes() for f in run.rglob("*") if f.is_file() and f.name != ".lock"}
                self.assertEqual(before, after, f"a refused resume changed something: {name}")

    def test_a_status_that_cannot_be_read_is_written_anew(self):
        for run in self.damaged("run.json"):
            done = self.succeed(*self.resume_words(run))
            self.assertRegex(done.stderr, r"silt: warning: .*run.json is damaged")
            self.assertEqual(program.status(run), "finished")

    def test_the_manifest_itself(self):
        """Told of, and mended: see run_folder_test.py."""
        _, flipped = (shutil.copytree(run, self.folder / f"run{i}") for i, run in enumerate(self.damaged("manifest.jsonl")))
        self.assert_refused("manifest.jsonl", "info", flipped)
        for words in [["render", flipped], self.resume_words(flipped)]:
            self.assertRegex(self.succeed(*words).stderr, "silt: warning: .*manifest.jsonl is damaged: line")
        self.succeed("info", flipped)

    def test_an_older_checkpoint_is_used_when_the_newest_is_damaged(self):
        often = ["--set", "run.checkpoint_minutes=0"]
        self.run_into("often", *often)
        self.run_into("longer", *often, "--frames", "5")
        newest = self.folder / "often/checkpoints/0003.safetensors"
        newest.write_bytes(newest.read_bytes()[:-1])
        done = self.run_into("often", *often, "--frames", "5", "--resume")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"silt: warning: .*0003.safetensors is damaged")
        self.assert_same_product(self.folder / "often", product(self.folder / "longer"))


if __name__ == "__main__":
    program.main()
