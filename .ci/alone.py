#!/usr/bin/env python3
"""Checks that source files compile alone: a unity build hides includes that are missing.

  .ci/alone.py COMPILE_COMMANDS [--commits N] [--seconds S] [--compiler CXX]

COMPILE_COMMANDS: compile_commands.json of a build without unity. With --commits only the files that the last N commits
touched, as far as the clone has them, the newest first. With --seconds no file is begun later than that. Every .cpp is
compiled once, whatever the number of its targets; a .hpp that no .cpp of its own name includes first must compile with
the flags of one source. --compiler, with options of its own, takes the place of the one that the build uses; for another machine than this one
(--target=) files are skipped that are compiled for instructions of this one. Syntax only. The last line is "N passed, N failed".
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent


def commands(path, compiler=None):
    """Compiler calls by source file, the first one of each, without what they would write."""
    found = {}
    for entry in json.loads(path.read_text()):
        file = (pathlib.Path(entry["directory"]) / entry["file"]).resolve()
        if file in found or ROOT not in file.parents or ROOT / "build" in file.parents:
            continue
        words = shlex.split(entry["command"])
        if len(words) > 1 and os.path.basename(words[0]) in ("ccache", "sccache"):
            words = words[1:]
        kept, skip = [], False
        for word in words:
            skip, drop = word in ("-o", "-MF", "-MT", "-MQ"), skip or word in ("-o", "-MF", "-MT", "-MQ", "-c", "-MD")
            if not drop and word != entry["file"]:
                kept.append(word)
        found[file] = (entry["directory"], [*(compiler or kept[:1]), *kept[1:]])
    return found


def touched(commits):
    """Sources that the last commits changed and that still are there, the newest first."""
    names = subprocess.run(["git", "-C", ROOT, "log", f"-{commits}", "--name-only", "--pretty=format:"],
                           capture_output=True, text=True, check=True).stdout.split()
    files = dict.fromkeys(ROOT / name for name in names if name.endswith((".cpp", ".hpp")))
    return [file for file in files if file.exists()]


def source_of(file):
    """A header's own source includes it first."""
    own = file.with_suffix(".cpp")
    return own if file.suffix == ".hpp" and own.exists() else file


def calls_for(file, calls):
    """The call of a file, or for a header the different ones of other sources, the nearest first."""
    if file in calls or file.suffix != ".hpp":
        return [calls[file]] if file in calls else []
    found = []
    for folder in file.parents:
        for source, call in sorted(calls.items()):
            if folder in source.parents and call not in found:
                found.append(call)
        if folder == ROOT:
            return found


def check(file, choices):
    """Compiles with each call until one succeeds; what is told of a failure is what the first one said."""
    runs = []
    for directory, words in choices:
        runs.append(subprocess.run(words + ["-fsyntax-only", "-x", "c++", "-"], cwd=directory, text=True,
                                   input=f'#include "{file}"\n', capture_output=True))
        if runs[-1].returncode == 0:
            break
    return file, runs[-1].returncode, runs[0].stdout + runs[0].stderr


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("compile_commands", type=pathlib.Path)
    parser.add_argument("--commits", type=int)
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--compiler", type=shlex.split)
    options = parser.parse_args()
    calls = commands(options.compile_commands, options.compiler)
    if any(word.startswith("--target=") for word in options.compiler or ()):
        calls = {file: call for file, call in calls.items() if not any(word.startswith("-m") for word in call[1])}
    files = sorted(calls) if options.commits is None else dict.fromkeys(map(source_of, touched(options.commits)))
    work = [(file, choices) for file in files if (choices := calls_for(file, calls))]
    skipped = len(files) - len(work)
    end = time.monotonic() + options.seconds
    done = failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for file, status, said in pool.map(lambda one: check(*one) if time.monotonic() < end else (one[0], None, ""), work):
            if status is None:
                break
            done += 1
            if status != 0:
                failed += 1
                print(f"{file.relative_to(ROOT)} does not compile alone:\n{said}")
    if done < len(work):
        print(f"{len(work) - done} older ones were left out after {options.seconds:.0f} s")
    if skipped:
        print(f"{skipped} skipped: no compile flags are known for them")
    print(f"{done - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
