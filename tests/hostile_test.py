#!/usr/bin/env python3
"""What should not be given to a program, given to it: files that are none, claims that are not true, closed streams, limits."""

import math
import os
import random
import resource
import shutil
import signal
import struct
import subprocess
import time
import unittest
import zlib

import silt_program as program
from silt_program import ProgramTest, silt

MESH = '\n[shape.m]\nmesh = "{}"\n[obstacle.m]\nshape = "m"\n'
FIELD = '\n[shape.m]\nheight_field = {{ file = "{}", min = [0, 0], max = [0.4, 0.1] }}\n[obstacle.m]\nshape = "m"\n'
DISGUISED = "evil\x1b[31m\u202egpj.toml"


def start(*words, **how):
    return subprocess.Popen([program.SILT, *map(str, words)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, **how)


class Files(ProgramTest):
    def strange(self, ending):
        """Names that lead to no file, or to too large a one, with what is to be said of each."""
        pipe, loop, folder, sparse = (self.folder / f"{name}{ending}" for name in ("pipe", "loop", "folder", "sparse"))
        os.mkfifo(pipe)
        loop.symlink_to(loop.name)
        folder.mkdir()
        with open(sparse, "wb") as file:
            file.truncate(20 << 30)
        zero = self.folder / f"zero{ending}"
        zero.symlink_to("/dev/zero")
        return [(pipe, "is a pipe"), (loop, "symbolic links"), (folder, "is a folder"), (zero, "is a device"),
                (sparse, "20 GB, and the limit is")]

    def test_scenes(self):
        for path, says in self.strange(".toml"):
            says = "not a file" if says in ("is a pipe", "is a device") else says
            says = "without a scene.toml" if says == "is a folder" else says
            self.refuse(2, says, "check", path, timeout=20)

    def test_meshes_and_pictures(self):
        for shape, ending in [(MESH, ".obj"), (MESH, ".stl"), (MESH, ".ply"), (FIELD, ".png")]:
            for path, says in self.strange(ending):
                self.scene.write_text(program.TINY + shape.format(path.name))
                done = self.refuse(2, says, "check", self.scene, timeout=20)
                self.assertIn(path.name, done.stderr)
                if ending == ".obj":
                    self.scene.write_text(program.TINY + shape.format("nothing.obj"))
                    self.refuse(2, says, "check", self.scene, "--set", f"shape.m.mesh={path}", timeout=20)

    def test_files_of_the_cache(self):
        for ending in [".vdb", ".ply", ".safetensors"]:
            for path, says in self.strange(ending):
                if says in ("is a folder", "symbolic links"):
                    continue  # which `info` takes for a run
                self.refuse(1, says, "info", path, timeout=20)

    def test_a_run_folder_that_is_a_loop(self):
        (self.folder / "loop").symlink_to("loop")
        for out in ["loop", "loop/x"]:
            done = self.refuse(2, "symbolic links", "run", self.scene, "--out", out, cwd=self.folder)
            self.assertNotIn("mistake in silt", done.stderr)


def silt_within(megabytes, *words):
    """silt, and the most memory that it had."""
    child = start(*words)
    out, err = child.communicate(timeout=120)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return child.returncode, err, peak


class Claims(ProgramTest):
    def test_a_volume_that_claims_a_text_of_4_GB(self):
        head = struct.pack("<qIII", 0x56444220, 224, 10, 0) + b"\1" + b"00000000-0000-4000-8000-000000000000"
        path = self.folder / "claim.vdb"
        path.write_bytes(head + struct.pack("<II", 1, 0xfff00000) + b"x" * 480)
        code, said, peak = silt_within(500, "info", path)
        self.assertEqual(code, 1)
        self.assertIn("it is damaged", said)
        self.assertNotIn("coarser", said)
        self.assertLess(peak, 500)

    def test_a_file_that_there_is_no_memory_for(self):
        path = self.folder / "large.vdb"
        with open(path, "wb") as file:
            file.truncate(8 << 30)
        done = subprocess.run([program.SILT, "info", path], stderr=subprocess.PIPE, text=True,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30)))
        self.assertEqual(done.returncode, 1)
        self.assertIn("it has 8192 MB, for which there is no memory", done.stderr)

    def test_a_picture_that_claims_8192_squared(self):
        def chunk(kind, data):
            return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

        png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 8192, 8192, 16, 2, 0, 0, 0))
        (self.folder / "claim.png").write_bytes(png + chunk(b"IDAT", zlib.compress(b"0" * 100)) + chunk(b"IEND", b""))
        self.scene.write_text(program.TINY + FIELD.format("claim.png"))
        self.refuse(2, "too short for the picture that it claims", "check", self.scene)


class Crowds(ProgramTest):
    """Many of a thing take long, but not for ever: each of these went on for more than half a minute."""

    def check(self, more, says, code=0, resolution=12):
        self.scene.write_text(program.TINY.replace("resolution = 24", f"resolution = {resolution}") + more)
        done = silt("check", self.scene, timeout=200)
        self.assertEqual(done.returncode, code, done.stderr[:2000])
        self.assertIn(says, done.stdout + done.stderr)

    def test_obstacles_beside_one_another(self):
        self.check("".join(f'[shape.s{i}]\nsphere = {{ center = [{i % 128 / 320}, {i // 128 / 220}], radius = 0.001 }}\n'
                           f'[obstacle.o{i}]\nshape = "s{i}"\n' for i in range(4000)), "good",
                   resolution=300)

    def test_obstacles_on_one_another(self):
        self.check("".join(f'[obstacle.o{i}]\nshape = "ball"\n' for i in range(16000)), "pairs of obstacles", code=2)

    def test_meshes_on_one_another(self):
        """79,800 pairs of them: 19 s of a processor when all others were asked at each place, less than one now."""
        corners = [(0.1 * x, 0.1 * y, 0.1 * z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
        sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
        (self.folder / "box.obj").write_text("".join(f"v {x} {y} {z}\n" for x, y, z in corners) +
                                             "".join("f " + " ".join(str(i + 1) for i in side) + "\n" for side in sides))
        self.scene.write_text("silt = 1\n[domain]\nsize = [0.4, 0.4, 0.6]\nresolution = 24\n[smoke]\n" + "".join(
            f'[shape.s{i}]\nmesh = "box.obj"\nmove = [{0.15 + i * 7 % 100 / 1000}, {0.15 + i * 13 % 100 / 1000}, '
            f'{0.2 + i * 31 % 100 / 500}]\nrotate = [{i}, {2 * i}, 0]\n[obstacle.o{i}]\nshape = "s{i}"\n'
            for i in range(400)))
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        self.succeed("check", self.scene, timeout=200)
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, 10)

    def test_more_blocks_than_the_limit(self):
        self.check("".join(f'[obstacle.o{i}]\nshape = "ball"\n' for i in range(20000)), "and the limit is 20000", code=2)

    def test_a_chain_of_copies(self):
        self.check("".join(f'[shape.c{i}]\ncopy = "c{i + 1}"\n' for i in range(10000)) + '[shape.c10000]\ncopy = "ball"\n',
                   "nested more than 100 deep", code=2)

    def test_many_references_that_lead_nowhere(self):
        self.check("".join(f'[obstacle.o{i}]\nshape = "x{i}"\n' for i in range(10000)), "no shape named 'x9999'", code=2)

    def test_triangles_round_one_edge(self):
        turns = [2 * math.pi * i / 100000 for i in range(100000)]
        fan = "v 0.2 0.3 -0.3\nv 0.2 0.3 0.3\n" + "".join(f"v {0.2 + 0.1 * math.cos(a)} {0.3 + 0.1 * math.sin(a)} 0\n"
                                                          for a in turns)
        (self.folder / "fan.obj").write_text(fan + "".join(f"f 1 2 {i + 3}\n" for i in range(100000)))
        self.check(MESH.format("fan.obj"), "lie on one another", code=2)

    def test_triangles_that_cross(self):
        numbers = random.Random(1)
        heap = "".join(f"v {numbers.random() / 3} {numbers.random() / 3} {numbers.random() - 0.5}\n" for _ in range(60000))
        (self.folder / "heap.obj").write_text(heap + "".join(f"f {i} {i + 1} {i + 2}\n" for i in range(1, 60000, 3)))
        self.check(MESH.format("heap.obj"), "is an open sheet", code=2)


class Terminal(ProgramTest):
    def assert_plain(self, done):
        for text in (done.stdout, done.stderr):
            for bad in ("\x1b", "\u202e"):
                self.assertNotIn(bad, text)

    def test_names_do_not_reach_it_raw(self):
        scene = self.folder / DISGUISED
        scene.write_text(program.TINY)
        self.assert_plain(self.succeed("check", scene))
        self.assert_plain(self.succeed("run", scene, "--frames", "1", "--no-pictures", cwd=self.folder))
        self.assert_plain(self.succeed("info", self.folder / "out" / DISGUISED.removesuffix(".toml")))
        for words in [["check", DISGUISED + "x"], [DISGUISED], ["info", DISGUISED + "x"], ["render", DISGUISED],
                      ["run", scene, "--frames", "\x1b[31m"], ["check", scene, "--set", "\x1b[31m=\u202e"], ["help", DISGUISED]]:
            done = silt(*words, cwd=self.folder)
            self.assertEqual(done.returncode, 2)
            self.assert_plain(done)
        scene.write_text(program.TINY.replace("[smoke]", '[smoke]\n"\\u001b\\u202e" = 1'))
        done = silt("check", scene)
        self.assertEqual(done.returncode, 2)
        self.assert_plain(done)


class Streams(ProgramTest):
    def test_a_closed_standard_output_gets_into_no_file(self):
        for closed in ([1], [0, 1], [0, 1, 2]):
            run = self.folder / f"closed{len(closed)}"
            done = subprocess.run([program.SILT, "run", self.scene, "--no-pictures", "--out", run],
                                  preexec_fn=lambda: [os.close(n) for n in closed])
            self.assertEqual(done.returncode, 0)
            self.assertRegex((run / ".lock").read_text(), r"^silt process \d+\n$")

    def test_output_that_is_lost_is_no_success(self):
        for words in [["check", self.scene], ["scenes"], ["help"], ["--version"]]:
            with open("/dev/full", "w") as full:
                done = subprocess.run([program.SILT, *map(str, words)], stdout=full, stderr=subprocess.PIPE, text=True)
            self.assertEqual(done.returncode, 1, words)
            self.assertIn("silt: error: standard output could not be written: No space left", done.stderr)


class Limits(ProgramTest):
    def run_limited(self, *limits, out="run", **how):
        def limit():
            for which, value in limits:
                resource.setrlimit(which, (value, value))

        return subprocess.run([program.SILT, "run", self.scene, "--out", self.folder / out, "--no-pictures"],
                              preexec_fn=limit, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60, **how)

    def test_a_file_that_may_not_grow_is_an_error_with_a_message(self):
        done = self.run_limited((resource.RLIMIT_FSIZE, 20000))
        self.assertEqual(done.returncode, 1)
        self.assertIn("File too large", done.stderr)

    @unittest.skipUnless(os.geteuid() == 0, "another user's limit can be tried by root alone")
    def test_threads_that_may_not_start_are_an_error_with_a_message(self):
        self.folder.chmod(0o777)
        nobody = 65534
        for most in (0, 1, 2, 3, 5, 8):
            done = self.run_limited((resource.RLIMIT_NPROC, most), user=nobody, out=f"run{most}")
            self.assertIn(done.returncode, (0, 1), f"{most}: {done.stderr}")
            if done.returncode == 1:
                self.assertRegex(done.stderr, "Resource temporarily unavailable", most)
                self.assertNotIn("mistake in silt", done.stderr)

    def test_what_users_run_knows_no_faults(self):
        done = subprocess.run([program.SILT, "run", self.scene, "--out", self.folder / "run", "--no-pictures"],
                              env={**os.environ, "SILT_FAULT": "crash:3"}, stdout=subprocess.DEVNULL)
        self.assertEqual(done.returncode, 0)


class Signals(ProgramTest):
    @staticmethod
    def minds(process, number):
        """Whether it is silt by now, and a signal would not end it."""
        with open(f"/proc/{process}/status") as file:
            lines = dict(line.split(":\t", 1) for line in file if ":\t" in line)
        held = int(lines["SigBlk"], 16) | int(lines["SigCgt"], 16)
        return os.readlink(f"/proc/{process}/exe") == program.SILT and held >> (number - 1) & 1

    def test_a_stop_at_any_time_after_the_start_is_a_stop(self):
        """Also while libraries are loaded, when the program starts itself again, and while the scene is read."""
        early = 0
        for i, number in enumerate([signal.SIGTERM, signal.SIGINT, signal.SIGHUP] * 10):
            out = self.folder / f"run{i}"
            child = start("run", self.scene, "--frames", "1000", "--out", out, "--no-pictures")
            while not self.minds(child.pid, number):  # until main has begun
                self.assertIsNone(child.poll())
            time.sleep(0.004 * i)
            child.send_signal(number)
            stdout, stderr = child.communicate(timeout=60)
            self.assertEqual(child.returncode, 3, f"{number} {stdout}{stderr}")
            early += "before the run folder was touched" in stdout
        self.assertGreater(early, 0)

    def test_an_early_stop_keeps_what_overwrite_would_take(self):
        out, early = self.folder / "run", 0
        words = ["run", self.scene, "--frames", "3", "--out", out, "--no-pictures"]
        self.succeed(*words)
        before = sorted(f.name for f in (out / "cache").iterdir())
        for i in range(10):
            child = start(*words, "--overwrite")
            while not self.minds(child.pid, signal.SIGINT):
                self.assertIsNone(child.poll())
            time.sleep(0.002 * i)
            child.send_signal(signal.SIGINT)
            stdout, _ = child.communicate(timeout=60)
            if "before the run folder was touched" not in stdout:
                break
            early += 1
            self.assertEqual(sorted(f.name for f in (out / "cache").iterdir()), before)
        self.assertGreater(early, 0)

    @unittest.skipUnless(shutil.which("strace"), "needs strace")
    def test_a_stop_at_the_last_moment_keeps_what_overwrite_would_take(self):
        """It comes when the scene is read, while the run folder is looked at."""
        out = self.folder / "run"
        self.succeed("run", self.scene, "--out", out, "--no-pictures")

        def contents():
            return {f: f.read_bytes() for f in out.rglob("*") if f.is_file() and not f.name.endswith(".lock")}

        before = contents()
        done = subprocess.run(["strace", "-f", "-o", "/dev/null", "-P", out, "-e", "trace=openat", "-e",
                               "inject=openat:signal=SIGINT:when=1", program.SILT, "run", self.scene, "--set",
                               "smoke.buoyancy=2", "--out", out, "--no-pictures", "--overwrite"],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if "ptrace" in done.stderr:
            self.skipTest("strace may not trace here")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("before the run folder was touched", done.stdout)
        self.assertEqual(before, contents())


if __name__ == "__main__":
    program.main()
