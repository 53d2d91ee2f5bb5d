#!/usr/bin/env python3
"""Scenes that come to rest stay at rest: a minute each, and no motion grows by itself.

Usage: rest_test.py PATH_TO_LIMBER [SCENE...]
From 20 s on the mean speed over time and the fastest particle are compared with the table. The goal is 2 and 50 mm/s
for all; a row above it says what was reached, so that it does not become worse. Ends with "N passed, N failed".
"""
import csv
import os
import subprocess
import sys
import tempfile

SECONDS, SETTLED = 60, 20
# mm/s: mean over particles and time, fastest particle at any time
BOUNDS = {
    "three_characters": (2, 50),
    "toy_box": (2, 50),
    "box_on_coarse_cloth": (2, 50),
    "trampoline": (2, 150),
    "cloth_crowd": (2, 100),
    "cloth_stack": (25, 6000),
    "mixed_pile": (15, 4000),
    "strips": (2, 50),
}
# What moves a scene from outside is held still.
SETTINGS = {"strips": ["--set", "colliders.bar.amplitude=0,0,0"]}


def speeds(limber, scene, folder):
    series = os.path.join(folder, scene + ".csv")
    subprocess.run([limber, "run", scene, "--seconds", str(SECONDS), "--series", series, *SETTINGS.get(scene, [])],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open(series) as file:
        rows = [row for row in csv.DictReader(file) if float(row["time"]) > SETTLED]
    mean = sum(float(row["mean_speed"]) for row in rows) / len(rows)
    energies = [float(row["kinetic_energy"]) for row in rows]
    half = len(energies) // 2
    return 1000 * mean, 1000 * max(float(row["max_speed"]) for row in rows), sum(energies[half:]) / max(sum(energies[:half]), 1e-9)


def main():
    limber = os.path.abspath(sys.argv[1])
    failed = 0
    scenes = sys.argv[2:] or BOUNDS
    with tempfile.TemporaryDirectory() as folder:
        for scene in scenes:
            mean, fastest, growth = speeds(limber, scene, folder)
            most_mean, most = BOUNDS[scene]
            good = mean <= most_mean and fastest <= most
            failed += not good
            print("%s %-22s mean %6.2f mm/s (at most %g), fastest %7.1f (at most %g), later over earlier energy %.2f" %
                  ("ok  " if good else "FAIL", scene, mean, most_mean, fastest, most, growth), flush=True)
    print("%d passed, %d failed" % (len(scenes) - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
