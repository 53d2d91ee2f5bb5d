#!/usr/bin/env python3
"""Long runs of scenes that must stay intact: cloth in the turning drum, shapes from nothing.

Usage: long_scenes_test.py PATH_TO_LIMBER [--full] [CASE...]
Each case is a shipped scene with its own bounds over a longer run, for `limber check`. The drum turns for 20 s, with --full
for 60. Ends with "N passed, N failed".
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SCENES = pathlib.Path(__file__).resolve().parents[2] / "scenes"
COMMENT = re.compile(r"(?<!:)//.*")


def read(name):
    return json.loads(COMMENT.sub("", (SCENES / f"{name}.json").read_text()))


def barrel(full):
    """Nothing through the drum, through itself or outside: what leaves the drum never comes back. The last frame may find
    all of it in free fall from the top."""
    scene = read("barrel")
    scene["expect"]["frames"] = 60 * (60 if full else 20)
    scene["expect"]["bounds"]["mean_speed"] = [0.2, 6]
    return scene


def deformation_benchmark(_):
    """10,000 substeps: the shapes are back, and stay."""
    scene = read("deformation_benchmark")
    scene["expect"]["frames"] = 10000 // scene["solver"]["substeps"]
    scene["expect"]["bounds"]["mean_speed"] = [0, 0.005]
    return scene


CASES = {"barrel": barrel, "deformation_benchmark": deformation_benchmark}


def main():
    limber, arguments = os.path.abspath(sys.argv[1]), sys.argv[2:]
    full = "--full" in arguments
    names = [name for name in arguments if name != "--full"] or CASES
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            path = pathlib.Path(folder) / f"{name}.json"
            path.write_text(json.dumps(CASES[name](full)))
            done = subprocess.run([limber, "check", path], capture_output=True, text=True)
            whole = done.stdout.splitlines()[-1:] == ["1 passed, 0 failed"]
            failed += not whole
            print(("ok   " if whole else "FAIL ") + name, flush=True)
            if not whole:
                print(done.stdout + done.stderr, flush=True)
    print(f"{len(names) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
