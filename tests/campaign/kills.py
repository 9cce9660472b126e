"""kill -9 at random instants, of runs and of their resuming: nothing may be lost. One number gives all choices again."""

import random
import shutil
import signal
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from runs import PLACE, Case, Lost, require, require_no_child, require_sane, start
from scenes import SCENES
from silt_program import stats, status

FRAMES = 8
MOST_OF_ONE_RUN = 4  # kills
ENOUGH = 10  # losses, after which nothing more is to be learned


def cases(folder):
    """By scene and whether it makes a film."""
    return {(name, film): Case(folder / f"{name} {film}", name, text,
                               ["--frames", FRAMES, "--set", f"output.film={str(film).lower()}"])
            for name, text in SCENES.items() for film in (False, True)}


def instant_of(out):
    """How far a run was when it was killed, in words."""
    if not (out / "run.json").exists() or (out / ".silt-incomplete").exists():
        return "before the run was there"
    if status(out) == "finished":
        return "after it had finished"
    frames = len(stats(out)) if (out / "stats.jsonl").exists() else 0
    return "after the last frame" if frames == FRAMES else "before the first frame" if frames == 0 else "between frames"


def kill_once(case, out, words, instant):
    """Whether the kill fell before the end."""
    child = start(*case.command(out, *words))
    time.sleep(instant)
    alive = child.poll() is None
    child.send_signal(signal.SIGKILL)
    code = child.wait()
    require_no_child(child.pid)
    require(alive and code == -signal.SIGKILL or code == 0, f"it ended with {code}")
    return code != 0


def hurt_one_run(all_cases, folder, seed, number):
    """The words for where its kills fell."""
    rng = random.Random(f"{seed}/{number}")
    case = all_cases[rng.choice(sorted(all_cases))]
    words = ["--threads", rng.choice([1, 2, 3])]
    words += rng.choice([[], ["--set", "run.checkpoint_minutes=0"], ["--set", "run.checkpoint_minutes=0.001"]])
    fell, instants = [], []
    out = folder / f"run{number}"
    try:
        for turn in range(rng.randint(1, MOST_OF_ONE_RUN)):
            instants.append(rng.uniform(0, 1.2 * case.seconds))
            if not kill_once(case, out, [*words, *(["--resume"] if turn else [])], instants[-1]):
                break
            fell.append(("a resume, " if turn and (out / "run.json").exists() else "") + instant_of(out))
            if out.exists():
                require_sane(out)
        case.resume(out, *words)
    except Exception as e:
        raise Lost(f"run {number} of seed {seed}, {case.name}, {' '.join(map(str, words))}, killed after "
                   f"{instants} s; kept in {out}: {e}") from e
    shutil.rmtree(out)
    return case.name, fell


def campaign(wanted, seed=1, jobs=2, only=None):
    """Until so many kills have fallen. What is lost is listed, and the others go on."""
    begun = time.monotonic()
    folder = Path(tempfile.mkdtemp(prefix="silt_kills_", dir=PLACE))
    all_cases = cases(folder)
    fell, by_scene, lost, runs, done = Counter(), Counter(), [], 0, 0

    def hurt(number):
        try:
            return hurt_one_run(all_cases, folder, seed, number), ""
        except Lost as e:
            return ("", []), str(e)

    with ThreadPoolExecutor(max_workers=jobs) as pool:
        while done < wanted and len(lost) < ENOUGH and (only is None or runs == 0):
            numbers = range(runs, runs + 4 * jobs) if only is None else [only]
            for (name, places), loss in pool.map(hurt, numbers):
                runs += 1
                if loss:
                    lost.append(loss)
                    print(loss, flush=True)
                by_scene[name] += len(places)
                fell.update(places)
                done += len(places)
    if not lost:
        shutil.rmtree(folder)
    return {"kills": done, "runs": runs, "seed": seed, "seconds": round(time.monotonic() - begun),
            "fell": dict(sorted(fell.items())), "scenes": {k: v for k, v in sorted(by_scene.items()) if k}, "lost": lost}
