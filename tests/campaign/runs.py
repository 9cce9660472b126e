"""A run of a tiny scene that may be hurt and is resumed, and whether anything of it was lost."""

import json
import os
import shutil
import subprocess
import time
from pathlib import Path

import silt_program as program
from silt_program import product, silt, status

PLACE = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # the program syncs a lot


class Lost(Exception):
    """What must never happen."""


def require(holds, what):
    if not holds:
        raise Lost(what)


class Case:
    """A scene with its words, and what an uninterrupted run of it gives."""

    def __init__(self, folder, name, text, words=()):
        self.name, self.words = name, [*map(str, words)]
        self.folder = Path(folder)
        self.folder.mkdir(parents=True)
        self.scene = self.folder / "scene.toml"
        self.scene.write_text(text)
        start = time.monotonic()
        whole = self.folder / "whole"
        done = silt(*self.command(whole))
        self.seconds = time.monotonic() - start
        require(done.returncode == 0, f"{name} does not run\n{done.stderr}")
        self.expected, self.names = product(whole), names_in(whole)
        shutil.rmtree(whole)

    def command(self, out, *more):
        return ["run", self.scene, "--out", out, *self.words, *more]

    def resume(self, out, *more):
        """To the end, and nothing may be missing, different or left over."""
        done = silt(*self.command(out, "--resume", *more))
        require(done.returncode == 0, f"resume ends with {done.returncode}\n{done.stdout}{done.stderr}")
        require(done.stderr == "", f"resume says\n{done.stderr}")
        require_same(out, self.expected)
        require(names_in(out) == self.names, f"left over or missing: {names_in(out) ^ self.names}")
        require_sane(out)


def names_in(folder):
    """Of all files but locks, hidden ones too. How many checkpoints there are depends on where it was resumed."""
    files = [f.relative_to(folder) for f in Path(folder).rglob("*") if f.is_file() and not f.name.endswith(".lock")]
    return {str(f) for f in files if f.parent.name != "checkpoints" or f.name.startswith(".")}


def require_same(folder, expected):
    hashes, files = product(folder)
    require(hashes == expected[0], f"hashes of the frames differ: {hashes}, {expected[0]}")
    require(sorted(files) == sorted(expected[1]), f"files differ: {set(files) ^ set(expected[1])}")
    differ = [name for name, data in files.items() if data != expected[1][name]]
    require(not differ, f"bytes differ: {differ}")
    require(status(folder) == "finished", f"status is {status(folder)}")


def require_sane(folder):
    """`silt info` must find nothing wrong; of a folder that has no run yet it must say that. Whether there is one."""
    folder = Path(folder)
    looked = silt("info", folder, "--json")
    if not (folder / "run.json").exists() or (folder / ".silt-incomplete").exists():
        require(looked.returncode == 2 and looked.stderr.count("error:") == 1, f"info says\n{looked.stdout}{looked.stderr}")
        return False
    require(looked.returncode == 0, f"info says\n{looked.stdout}{looked.stderr}")
    problems = json.loads(looked.stdout)["run"]["problems"]
    require(not problems, f"info finds {problems}")
    return True


def start(*words):
    """The program in a session of its own, so that its children are known by that."""
    environment = {**os.environ, "OMP_WAIT_POLICY": "passive"}
    return subprocess.Popen([program.SILT, *map(str, words)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL, env=environment, start_new_session=True)


def children_of(session):
    """Processes that are still there of a session, but for those that have ended."""
    left = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            state, *numbers = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(numbers[2]) == session and state != "Z":
            left.append(int(entry.name))
    return left


def require_no_child(session, patience=5):
    end = time.monotonic() + patience
    while (left := children_of(session)) and time.monotonic() < end:
        time.sleep(0.01)
    require(not left, f"processes {left} were left behind")
