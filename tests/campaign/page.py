"""The page of figures, from what the parts of the campaign have measured."""

import json
import platform
import textwrap
from pathlib import Path

HEAD = """# The fault campaign

What becomes of finished work when runs are killed, find no memory or no disk, when files are not what they claim to be,
and when runs are long. The page is written by the command

    tests/campaign/campaign.py --kills 1000 --allocations 300 --operations --long 1000 --lists 10000 --out DIR

(with `--fuzz build/fuzz` for the fuzzers), which ends with 1 when anything was lost; a form of some minutes is the test
`campaign`. The scenes are tiny: smoke, water, sand and gas in 2D and water in 3D, with sources and solids that move
(tests/campaign/scenes.py).

What it has found, and was mended: text was cut short where there was no memory for it, so that a frame got another name;
a message that memory ran out needed memory itself; several readers took the want of it for a damaged file. Not ours to
mend: libblosc, which packs volumes, does not look whether it got memory, and the run ends as if killed. OpenVDB takes
any byte of a forged file for a truth value, and adds to its places until they overflow (the findings of `vdb`), which
does no harm here.

"""


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "| " + " | ".join("---" for _ in head) + " |"]
    return "\n".join(lines + ["| " + " | ".join(str(c) for c in row) + " |" for row in rows]) + "\n\n"


def losses(lost):
    if not lost:
        return "Nothing failed.\n\n"
    return f"**{len(lost)} failed:**\n\n" + "".join(f"* `{loss.splitlines()[0]}`\n" for loss in lost) + "\n"


def total(table):
    return sum(table.values())


def kills(r):
    return (f"## Kills\n\n{r['date']}: {r['kills']} times `kill -9` at random instants of {r['runs']} runs (seed {r['seed']}), up to "
            "four of one run and its resuming, on 1 to 3 threads, with and without a film, with checkpoints after every frame, "
            "some or none. After each no child may be left and `silt info` must find nothing wrong; in the end `--resume` must "
            "give the bits of an uninterrupted run, frame by frame and file by file, and leave no file over.\n\n"
            + losses(r["lost"]) + table(["where it fell", "kills"], r["fell"].items())
            + table(["scene", "kills"], r["scenes"].items()))


def allocations(r):
    ends = sorted({end for row in r["rows"] for end in row["ends"]})
    tried = sum(row["tried"] for row in r["rows"])
    return (f"## No memory\n\n{r['date']}: one allocation after the other of a run of two frames on two threads, and of "
            "resuming one after its first frame, finds no memory: that one alone, and that one and all after it, stepping "
            f"through them as `every` says; {tried} runs. Each must end with exit code 1 and a message that memory ran out, or go on without and give the same bits; no "
            "other end is good. Then `silt info` must find nothing wrong, and `--resume` give the bits of an "
            "uninterrupted run.\n\n" + losses(r["lost"])
            + table(["scene", "of", "allocations", "every", "tried", *ends],
                    [[row["scene"], row["what"], row["allocations"], row["every"], row["tried"],
                      *(row["ends"].get(end, 0) for end in ends)] for row in r["rows"]])
            + ("The library that ended by a signal does not look whether it got what it asked `malloc` for, and "
               "cannot be asked to: the run is as good as killed, and resumes.\n\n"
               if any(end.startswith("a signal") for end in ends) else ""))


def operations(r):
    return (f"## Crash and full disk\n\n{r['date']}: the program ends at a change of the disk, half a write done, or finds "
            "the disk full from there on (tests/fault_test.py): in a run, its resuming and its overwriting, and while "
            "pictures and film, surfaces and exported files are made of it. Doing it again must give the same bits.\n\n"
            + losses(r["lost"]) + table(["of", "changes of the disk", "tried"], r["rows"]))


def long(r):
    rows = [[row["scene"], row["frames"], *("{:.1f}, {:.1f}".format(*row["memory"]).split("|")),
             "{:g}, {:g}".format(*row["descriptors"]), "{:.2f}, {:.2f}".format(*row["milliseconds"]),
             f"{row['drift']:.1e}"] for row in r["rows"]]
    return (f"## Long runs\n\n{r['date']}: closed boxes without sources, pictures made. Medians, and the processor's time a "
            "frame, of the sixth tenth of the frames and of the last: from the first to the second, memory may grow "
            "by 5 % and 1 MB, time by a quarter and 0.5 ms, descriptors not at all; and the mass may drift by 1e-5.\n\n"
            + losses(r["lost"])
            + table(["scene", "frames", "resident [MB]", "descriptors", "a frame [ms]", "drift of the mass"], rows))


def lists(r):
    rows = []
    for place, name in (("memory", "in memory"), ("disk", "on a disk")):
        row = r[place]
        clock = {k: f"{v['seconds']:.2f} s in {v['calls']}" for k, v in row["clock"].items()}
        rows.append([name, row["frames"], row["seconds"], clock["manifest"], clock["lock"], f"{100 * row['share']:.2f} %",
                     clock["stats"], clock["status"]])
    return (f"## What lists and locks cost\n\n{r['date']}: tiny frames of smoke (16 x 16 cells), measured inside of the program by "
            "a clock around these functions. Bound: 2 % of the time in manifest and locks, in memory. On a disk each line "
            "of a list waits until it is there for good, and so does each file: frames as tiny as these do nothing but "
            "wait.\n\n" + losses(r["lost"])
            + table(["folder", "frames", "seconds", "manifest.jsonl", "locks", "both, of the time", "stats.jsonl", "run.json"], rows))


def fuzz(rows):
    done = [[r["target"], f"{r['inputs']:,}", r["seconds"], f"{r['rate']:,}", r["coverage"], len(r["findings"]), r["date"]]
            for r in rows]
    return ("## Fuzzing\n\nCoverage-guided (libFuzzer, address and undefined sanitizers), one process, inputs of up to 8 kB, from "
            "the corpus that is kept. Whatever is no error of silt's own is a finding: a crash, a leak, an overflow, 2 GB "
            "of memory, 20 s.\n\n" + table(["target", "inputs", "seconds", "a second", "edges", "findings", "date"], done))


def wrapped(line):
    """As the pages that people write."""
    return line if line.startswith(("|", "#", "*", " ")) else textwrap.fill(line, 120, break_on_hyphens=False)


def write(parts, page):
    """`parts` is the folder with a .json of each part that was run."""
    read = {f.stem: json.loads(f.read_text()) for f in Path(parts).glob("*.json")}
    text = HEAD + f"Measured on {platform.machine()}, Linux {platform.release().split('-')[0]}, with other work going on.\n\n"
    for name, make in [("kills", kills), ("allocations", allocations), ("operations", operations), ("long", long),
                       ("lists", lists)]:
        if name in read:
            text += make(read[name])
    fuzzed = [json.loads(f.read_text()) for f in sorted(Path(parts).glob("fuzz/*.json"))]
    if fuzzed:
        text += fuzz(fuzzed)
    Path(page).write_text("\n".join(map(wrapped, text.rstrip().split("\n"))) + "\n")
