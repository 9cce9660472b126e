#!/usr/bin/env python3
"""Checks that every file of src/silt includes only what tests/rooms.txt allows its room.

  include_check.py [ROOT]      check ROOT/src/silt against ROOT/tests/rooms.txt; ROOT is the folder above this one
  include_check.py --selftest  make small trees with one mistake each, and see every one of them reported

Reported as file:line: message. Exit code 0: clean; 1: something is wrong; 2: rooms.txt cannot be used.
Only the C++ text is read; comments and strings are blanked first, and #if is not evaluated: both branches must obey.
"""

import re
import sys
import tempfile
from pathlib import Path

SOURCES = {".cpp", ".cu", ".h", ".cuh"}
HEADERS = {".h", ".cuh"}
PUBLIC = {"scene.h", "simulation.h", "frame.h", "render.h"}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)', re.M)
# The C++ library has no dots in its names; these are what else a kernel may see.
KERNEL_SYSTEM_HEADERS = {"omp.h", "cuda_runtime.h"}
CUDA_FOLDER = "core/cuda/"
PRINTS = re.compile(
    r"\b(?:std\s*::\s*(?:cout|cerr|clog|wcout|wcerr|print|println)|stdout|stderr)\b"
    r"|(?<![\w.>])(?:std\s*::\s*)?(?:printf|vprintf|puts|putchar|perror|exit|quick_exit)\s*\("
)


class TableError(Exception):
    pass


class Table:
    """rooms.txt: `rooms` maps a room to all it may include, itself too; `libraries` a prefix to its rooms."""

    def __init__(self, text):
        self.rooms, self.kernels, self.libraries = {}, set(), {}
        section = None
        for number, line in enumerate(text.splitlines(), 1):
            line = line.split("#")[0].strip()
            if not line:
                continue
            if line.startswith("["):
                section = line.strip("[]")
            elif section == "kernels":
                self.kernels |= self.known(line.split(), number)
            else:
                name, colon, names = (part.strip() for part in line.partition(":"))
                if not colon or section not in ("rooms", "libraries"):
                    raise TableError(f"rooms.txt:{number}: not 'name : rooms'")
                allowed = self.known(names.split(), number)
                if section == "libraries":
                    self.libraries[name] = allowed
                elif name in self.rooms:
                    raise TableError(f"rooms.txt:{number}: '{name}' stands here twice")
                else:
                    self.rooms[name] = {name}.union(*(self.rooms[room] for room in allowed))

    def known(self, names, number):
        """The rooms these names stand for. All must be listed already, so the table cannot hold a circle."""
        found = set()
        for name in names:
            if name == "all":
                match = set(self.rooms)
            elif name.endswith("/*"):
                match = {room for room in self.rooms if room.startswith(name[:-1])}
            else:
                match = {name} & set(self.rooms)
            if not match:
                raise TableError(f"rooms.txt:{number}: no room '{name}' above this line")
            found |= match
        return found

    def library(self, header):
        for name in self.libraries:
            if header == name or (name.endswith("/") and header.startswith(name)):
                return name
        return None


def room_of(path):
    """The room of a path below src/silt: 'physics/smoke/x.h' is of physics/smoke, a public header of 'public'."""
    parts = path.split("/")
    if len(parts) == 1:
        return "public" if path in PUBLIC else None
    return "/".join(parts[:2]) if parts[0] == "physics" and len(parts) > 2 else parts[0]


def blank(text):
    """Comments, and what strings hold, become spaces; line numbers and #include names stay."""
    token = re.compile(
        r'//(?:\\\n|[^\n])*|/\*.*?\*/|R"(?P<tag>[^()\\\s]{0,16})\(.*?\)(?P=tag)"'
        r'|"(?:\\.|[^"\\\n])*"|(?<![0-9A-Fa-f])\'(?:\\.|[^\'\\\n])*\'|^[ \t]*#[ \t]*include[^\n]*',
        re.S | re.M,
    )

    def replace(match):
        found = match.group()
        if found.lstrip().startswith("#"):
            return found.split("//")[0].split("/*")[0]
        return re.sub(r"[^\n]", " ", found)

    return token.sub(replace, text)


class Source:
    def __init__(self, path, text):
        self.path, self.room = path, room_of(path)
        self.text = blank(text)
        self.is_header = Path(path).suffix in HEADERS
        self.is_test = path.endswith("_test.cpp")
        self.is_test_header = Path(path).name == "test_tools.h"
        self.project, self.outside = [], []  # (line, path below src/silt), (line, header)
        self.unrooted = []
        for match in INCLUDE.finditer(self.text):
            line = self.text.count("\n", 0, match.start()) + 1
            quoted, angled = match.groups()
            name = quoted or angled
            if name.startswith("silt/"):
                self.project.append((line, name[len("silt/"):]))
            elif quoted and not angled:
                self.unrooted.append((line, quoted))
            if not name.startswith("silt/"):
                self.outside.append((line, name))


def kernel_sources(base):
    """The KERNELS of every silt_room(...), as paths below src/silt."""
    for cmake in sorted(base.rglob("CMakeLists.txt")):
        text = re.sub(r"#[^\n]*", "", cmake.read_text())
        for call in re.findall(r"silt_room\s*\(([^)]*)\)", text):
            section = None
            for word in call.split():
                if word in ("NAME", "KERNELS", "HOST", "CUDA", "TESTS", "NEEDS"):
                    section = word
                elif section == "KERNELS":
                    yield (cmake.parent / word).relative_to(base).as_posix()


class Check:
    def __init__(self, root, table):
        self.table, self.problems = table, []
        base = root / "src" / "silt"
        self.files = {}
        for path in sorted(base.rglob("*")):
            if path.suffix in SOURCES and path.is_file():
                name = path.relative_to(base).as_posix()
                self.files[name] = Source(name, path.read_text(errors="replace"))
        for source in self.files.values():
            self.check_source(source)
        for name in kernel_sources(base):
            if name in self.files:
                self.check_kernel(self.files[name])

    def problem(self, source, line, message):
        self.problems.append(f"src/silt/{source.path}:{line}: {message}")

    def check_source(self, source):
        if source.room not in self.table.rooms:
            self.problem(source, 1, f"'{source.room or source.path}' is not a room or a public header: see tests/rooms.txt")
            return
        for line, name in source.project:
            self.check_project_include(source, line, name)
        for line, name in source.unrooted:
            if self.table.library(name) is None:
                self.problem(source, line, f'write "{name}" as "silt/<room>/{Path(name).name}"')
        for line, name in source.outside:
            self.check_library(source, line, name)
        if source.room != "app":
            for match in PRINTS.finditer(source.text):
                line = source.text.count("\n", 0, match.start()) + 1
                self.problem(source, line, f"only app prints or exits: '{match.group().strip(' (')}'")

    def check_project_include(self, source, line, name):
        room = room_of(name)
        if room not in self.table.rooms:
            self.problem(source, line, f"'silt/{name}' is in no room of tests/rooms.txt")
        elif room not in self.table.rooms[source.room]:
            self.problem(source, line, f"{source.room} may not include {room} (silt/{name})")

    def check_library(self, source, line, name):
        if name == "iostream" and source.room != "app":
            self.problem(source, line, "only app prints: <iostream>")
        if name.startswith(("gtest/", "gmock/")) and not (source.is_test or source.is_test_header):
            self.problem(source, line, f"<{name}> belongs in x_test.cpp")
        if name.startswith("cuda") and not source.path.startswith(CUDA_FOLDER):
            self.problem(source, line, f"<{name}> belongs in {CUDA_FOLDER}")
        library = self.table.library(name)
        if library is None:
            return
        if source.room not in self.table.libraries[library]:
            rooms = " ".join(sorted(self.table.libraries[library])) or "no room"
            self.problem(source, line, f"{source.room} may not include <{name}>: {rooms} may")
        if library in ("thrust/", "cub/") and not source.path.startswith(CUDA_FOLDER):
            self.problem(source, line, f"<{name}> belongs in {CUDA_FOLDER}")
        if source.is_header and not name.endswith("_fwd.hpp"):  # forward declarations weigh nothing
            self.problem(source, line, f"<{name}> is heavy: never in a header")

    def check_kernel(self, kernel):
        """nvcc sees what the headers include too, so follow them; the place reported is where the forbidden name stands."""
        allowed = self.table.kernels | {kernel.room}
        seen, waiting = {kernel.path}, [kernel]
        while waiting:
            source = waiting.pop()
            through = "" if source is kernel else f" (KERNELS source {kernel.path} reaches this header)"
            for line, name in source.project:
                room = room_of(name)
                if room not in allowed:
                    self.problem(source, line, f"a KERNELS source may not include silt/{name}{through}")
                elif name in self.files and name not in seen:
                    seen.add(name)
                    waiting.append(self.files[name])
            for line, name in source.outside:
                standard = re.fullmatch(r"[a-z_0-9]+", name) or name in KERNEL_SYSTEM_HEADERS
                if not standard and not source.path.startswith(CUDA_FOLDER):
                    self.problem(source, line, f"a KERNELS source may not include <{name}>{through}")


def run(root, rooms):
    check = Check(root, Table(rooms.read_text()))
    for line in sorted(set(check.problems)):
        print(line)
    print(f"include check: {len(check.files)} files, {len(set(check.problems))} problems")
    if not check.files:
        print(f"no sources under {root}/src/silt")
    return 0 if check.files and not check.problems else 1


# --- selftest ---------------------------------------------------------------------------------------------------------

CLEAN = {
    "core/vec.h": '#pragma once\n#include <cmath>\n',
    "core/cuda/launch.cuh": "#include <cuda_runtime.h>\n",
    "core/cuda/sort.cu": "#include <cub/device/device_scan.cuh>\n",
    "core/loops.h": '#include "silt/core/cuda/launch.cuh"\n',
    "fields/field.h": '#include "silt/core/vec.h"\n',
    "fields/halo.cpp": '#include "silt/core/loops.h"\n#include "silt/fields/field.h"\n',
    "fields/CMakeLists.txt": "silt_room(NAME fields KERNELS halo.cpp  # comment\n  NEEDS silt_core)\n",
    "scene/reader.cpp": "#include <toml++/toml.h>\nint n = 1'000'000;  // std::cout << \"//\"\n",
    "physics/common/stage.h": '#include "silt/scene/value.h"\n',
    "physics/smoke/state.h": '#include "silt/fields/field.h"\n',
    "physics/smoke/kernels.cpp": '#include "silt/physics/smoke/state.h"\n',
    "physics/smoke/stepper.cpp": '#include "silt/physics/common/stage.h"\n#include "silt/solve/pcg.h"\n',
    "physics/smoke/CMakeLists.txt": "silt_room(NAME smoke\n  KERNELS kernels.cpp\n  HOST stepper.cpp)\n",
    "cache/text.cpp": 'void f(char* s) { snprintf(s, 4, "printf(%d)", 1); file.printf(1); }\n',
    "cache/text_test.cpp": "#include <gtest/gtest.h>\n",
    "simulation.h": '#include "silt/physics/smoke/state.h"\n',
    "sim/simulation.cpp": '#include "silt/simulation.h"\n#include "silt/cache/run_folder.h"\n#include "silt/render/tables.h"\n',
    "sim/machine.h": "#include <cstdint>\n",
    "app/main.cpp": '#include <iostream>\n#include <CLI/CLI.hpp>\n#include "silt/simulation.h"\nint main() { std::cout << 1; }\n',
}

# (what, file, text, the line and a part of the message expected there)
MISTAKES = [
    ("upward", "core/a.h", '\n#include "silt/fields/field.h"\n', 2, "core may not include fields"),
    ("sideways", "scene/a.cpp", '#include "silt/fields/field.h"\n', 1, "scene may not include fields"),
    ("transitive is fine, upward is not", "cache/a.h", '#include "silt/sim/machine.h"\n', 1, "cache may not include sim"),
    ("materials are apart", "physics/liquid/a.h", '#include "silt/physics/smoke/state.h"\n', 1, "may not include physics/smoke"),
    ("common knows no material", "physics/common/a.h", '#include "silt/physics/smoke/state.h"\n', 1, "may not include"),
    ("public headers are for sim and app", "cache/a.cpp", '#include "silt/simulation.h"\n', 1, "cache may not include public"),
    ("public headers know no sim", "scene.h", '#include "silt/sim/machine.h"\n', 1, "public may not include sim"),
    ("unknown room", "attic/a.h", "\n", 1, "'attic' is not a room"),
    ("include of an unknown room", "sim/a.h", '#include "silt/attic/a.h"\n', 1, "is in no room"),
    ("a file in no room", "other.h", "\n", 1, "not a room or a public header"),
    ("relative include", "core/a.cpp", '#include "vec.h"\n', 1, 'write "vec.h" as'),
    ("angled project include", "core/a.h", "#include <silt/fields/field.h>\n", 1, "core may not include fields"),
    ("spaces and branches", "core/a.h", '#if 0\n #  include  "silt/sim/machine.h"\n#endif\n', 2, "core may not include sim"),
    ("library in another room", "sim/a.cpp", "#include <fmt/format.h>\n", 1, "sim may not include <fmt/format.h>"),
    ("library in a header", "cache/a.h", "#include <openvdb/openvdb.h>\n", 1, "never in a header"),
    ("quoted library", "sim/a.cpp", '#include "toml++/toml.h"\n', 1, "sim may not include <toml++/toml.h>"),
    ("thrust outside core/cuda", "core/a.cu", "#include <thrust/sort.h>\n", 1, "belongs in core/cuda/"),
    ("CUDA outside core/cuda", "fields/a.cpp", "#include <cuda_runtime.h>\n", 1, "belongs in core/cuda/"),
    ("gtest outside a test", "core/a.h", "#include <gtest/gtest.h>\n", 1, "belongs in x_test.cpp"),
    ("iostream", "sim/a.cpp", "#include <iostream>\n", 1, "only app prints"),
    ("cout", "sim/a.cpp", "/* a\n b */\nvoid f() { std::cout << 1; }\n", 3, "only app prints"),
    ("printf after a string", "sim/a.cpp", 'auto s = "//"; void f() { std::printf("x"); }\n', 1, "only app prints"),
    ("stderr", "cache/a.cpp", 'void f() { fprintf(stderr, "x"); }\n', 1, "only app prints"),
    ("exit", "sim/a.cpp", "void f() {\n  std::exit(1);\n}\n", 2, "only app prints or exits"),
    ("kernel includes scene", "fields/halo.cpp", '#include "silt/scene/value.h"\n', 1, "KERNELS source may not include silt/scene"),
    ("kernel header includes scene", "physics/smoke/state.h", '#include "silt/scene/value.h"\n', 1, "kernels.cpp reaches this"),
    ("kernel includes a library", "fields/field.h", "#include <Eigen/Core>\n", 1, "KERNELS source may not include <Eigen/Core>"),
]

BAD_TABLES = ["[rooms]\na : b\nb :\n", "[rooms]\na : a\n", "[rooms]\na :\na :\n", "[rooms]\nwords\n", "[kernels]\na\n"]


def problems_of(tree, table):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in tree.items():
            path = Path(folder, "src", "silt", name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return Check(Path(folder), table).problems


def selftest(rooms):
    table = Table(rooms.read_text())
    failures = [f"a clean tree is reported: {problem}" for problem in problems_of(CLEAN, table)]
    for what, name, text, line, message in MISTAKES:
        found = problems_of({**CLEAN, name: text}, table)
        if not any(p.startswith(f"src/silt/{name}:{line}: ") and message in p for p in found):
            failures.append(f"{what}: expected {name}:{line}: ...{message}..., got {found}")
    for text in BAD_TABLES:
        try:
            Table(text)
            failures.append(f"a bad table is taken: {text!r}")
        except TableError:
            pass
    print("\n".join(failures + [f"include check selftest: {len(MISTAKES)} mistakes, {len(failures)} missed"]))
    return 1 if failures else 0


def main(arguments):
    here = Path(__file__).resolve().parent
    try:
        if arguments == ["--selftest"]:
            return selftest(here / "rooms.txt")
        root = Path(arguments[0]).resolve() if arguments else here.parent
        return run(root, root / "tests" / "rooms.txt")
    except (TableError, OSError) as error:
        print(error)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
