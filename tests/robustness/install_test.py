#!/usr/bin/env python3
"""Installs limber into a temporary folder, moves it, makes it read-only and runs it with an empty environment.

Usage: install_test.py CMAKE BUILD_FOLDER; exit status 0: the moved program finds its own data.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile


def make_read_only(root):
    for path in [root, *root.rglob("*")]:
        path.chmod(path.stat().st_mode & ~0o222)


def make_writable(root):
    for path in [root, *root.rglob("*")]:
        path.chmod(path.stat().st_mode | 0o200)


def run(limber, *arguments):
    done = subprocess.run([limber, *arguments], env={}, cwd="/", capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, f"{arguments}: status {done.returncode}: {done.stderr}"
    return done.stdout


def check(cmake, build, folder):
    first, moved = folder / "first", folder / "moved here"
    subprocess.run([cmake, "--install", build, "--prefix", first], check=True, stdout=subprocess.DEVNULL)
    first.rename(moved)
    make_read_only(moved)
    try:
        limber = moved / "bin/limber"
        data = os.path.realpath(moved / "share/limber")
        names = re.findall(r"^  (\S+)", run(limber, "list"), re.MULTILINE)
        assert names, "no scenes"
        listed = run(limber, "list", "--json")
        assert listed.count(data) == len(names), "scenes from somewhere else than " + data
        for name in ("cloth_hang", "cloth_from_obj"):
            run(limber, "run", name, "--frames", "2")
        assert "GLFW" in run(limber, "--licenses"), "no third-party notices"
        assert (moved / "share/limber/shaders/surface.vert").is_file(), "no shaders"
        print(len(names), "scenes beside the moved program")
    finally:
        make_writable(moved)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        check(sys.argv[1], sys.argv[2], pathlib.Path(temporary))
