#!/usr/bin/env python3
"""The fault campaign: kills, no memory, full disks, fuzzing and long runs, at any size, and a page of figures.

    tests/campaign/campaign.py --kills 1000 --allocations 300 --operations --long 1000 --lists 10000 --out DIR

Each part that is asked for leaves DIR/PART.json; the page is made of all that are there, so parts can be run on different
days. Ends with 1 when anything was lost."""

import argparse
import json
import os
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import allocations  # noqa: E402
import fuzz  # noqa: E402
import kills  # noqa: E402
import long_runs  # noqa: E402
import operations  # noqa: E402
import page  # noqa: E402
import silt_program as program  # noqa: E402


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="figures of each part, and what fuzzers find")
    parser.add_argument("--page", type=Path, help="default: OUT/campaign.md")
    parser.add_argument("--silt", type=Path, default=ROOT / "build/release/src/silt/app/silt",
                        help="the tests' programs lie beside it")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="runs at a time")
    parser.add_argument("--seed", type=int, default=1, help="of the kills and the fuzzers")
    parser.add_argument("--kills", type=int, metavar="N")
    parser.add_argument("--kill-run", type=int, metavar="N", help="only the N-th run of this seed")
    parser.add_argument("--allocations", metavar="STRIDE|all", help="every so many-th allocation finds no memory")
    parser.add_argument("--scenes", nargs="+", help="of those without memory; default: all")
    parser.add_argument("--operations", action="store_true", help="crash and full disk at every change of the disk")
    parser.add_argument("--long", type=int, metavar="FRAMES", help="of each material")
    parser.add_argument("--lists", type=int, metavar="FRAMES", help="for what manifests and locks cost; a tenth on disk")
    parser.add_argument("--fuzz", type=Path, metavar="BUILD", help="a build with SILT_FUZZERS")
    parser.add_argument("--fuzz-minutes", type=float, default=10, help="of each target, at most")
    parser.add_argument("--fuzz-inputs", type=int, default=10**7, help="of each target")
    return parser.parse_args()


def main():
    asked = arguments()
    asked.out.mkdir(parents=True, exist_ok=True)
    program.SILT = str(asked.silt.resolve())
    lost = []

    def keep(name, figures):
        figures = {"date": time.strftime("%Y-%m-%d"), **figures}
        (asked.out / f"{name}.json").write_text(json.dumps(figures, indent=1))
        return figures

    def part(name, run):
        print(f"{name} ...", flush=True)
        lost.extend(keep(name, run())["lost"])

    if asked.kills or asked.kill_run is not None:
        part("kills", lambda: kills.campaign(asked.kills or 1, asked.seed, asked.jobs, asked.kill_run))
    if asked.allocations:
        stride = 1 if asked.allocations == "all" else int(asked.allocations)
        part("allocations", lambda: allocations.campaign(stride, asked.scenes, asked.jobs, keep=lambda f: keep("allocations", f)))
    if asked.operations:
        part("operations", operations.campaign)
    if asked.long:
        part("long", lambda: long_runs.campaign(asked.long))
    if asked.lists:
        part("lists", lambda: long_runs.lists(asked.lists, asked.lists // 10, asked.out))
    for target in fuzz.programs(asked.fuzz) if asked.fuzz else []:
        folder = asked.out / "fuzz"
        found = fuzz.fuzz(target, asked.fuzz_minutes, asked.fuzz_inputs, folder, asked.seed)
        print(found, flush=True)
        found["date"] = time.strftime("%Y-%m-%d")
        (folder / f"{found['target']}.json").write_text(json.dumps(found, indent=1))
        lost.extend(f"{found['target']}: {name}" for name in found["findings"])
    page.write(asked.out, asked.page or asked.out / "campaign.md")
    print(f"{len(lost)} lost; the page: {asked.page or asked.out / 'campaign.md'}")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
