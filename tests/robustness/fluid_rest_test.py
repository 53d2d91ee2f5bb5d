#!/usr/bin/env python3
"""Fluids in containers for a minute: no particle is lost, and volume and density stay constant.

Usage: fluid_rest_test.py PATH_TO_LIMBER [CASE...]
Each case is a shipped scene with other bounds (and settings) for `limber check`. One case must fail its bounds: the
spoon that stands in honey falls over in water. Ends with "N passed, N failed".
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
MINUTE = 3600  # frames


def read(name):
    return json.loads(COMMENT.sub("", (SCENES / f"{name}.json").read_text()))


def bag():
    """All of it stays in the cloth, off the ground and between the pins."""
    scene = read("bag_of_water")
    scene["expect"] = {"frames": MINUTE, "always": {"lost": [0, 0]}, "inside": [[-0.62, 0.1, -0.62], [0.62, 1.2, 0.62]]}
    return scene


def basin():
    """The mean height says the volume: 200 kg, at first a quarter of a metre up."""
    scene = read("hydrostatic")
    energy = 200 * 9.81 * 0.25
    scene["expect"] = {"frames": MINUTE, "always": {"lost": [0, 0]},
                       "bounds": {"potential_energy": [0.99 * energy, 1.01 * energy], "density_error.mean": [0, 0.01]},
                       "inside": [[-0.4, 0, -0.25], [0.4, 0.56, 0.25]]}
    return scene


def shaken_cup():
    """The cup with a lid, shaken all the time at five particle radii a frame; what leaks falls out of reach."""
    scene = read("cup_pour")
    scene["solver"]["particle_radius"] = 0.016  # its hand moves by five of them a frame
    colliders = {name: scene["colliders"][name] for name in ("hand", "bottom", "left", "right", "back", "front")}
    colliders["hand"].update(start=0, swings=0)
    for key in ("swing", "pivot", "period", "swings"):
        del colliders["bottom"][key]
    colliders["right"]["half_extents"] = colliders["left"]["half_extents"]
    colliders["right"]["position"] = [0.2, 0.88, 0]
    colliders["lid"] = {**colliders["bottom"], "position": [0, 1.16, 0]}
    scene["colliders"] = colliders
    scene["objects"]["water"]["material"]["spray"] = 0
    scene["expect"] = {"frames": MINUTE, "always": {"lost": [0, 0]}, "bounds": {"density_error.mean": [0, 0.03]},
                       "inside": [[-0.17 - 0.12, 0.63, -0.17 - 0.02], [0.17 + 0.12, 1.13, 0.17 + 0.02]]}
    return scene


def spoon_in_water():
    """Two seconds, in which it has to lean farther than in five in honey."""
    scene = read("honey_spoon")
    scene["objects"]["honey"]["material"]["viscosity"] = 0
    scene["expect"].update(frames=120, bounds={"places.spoon.mean.z": scene["expect"]["bounds"]["places.spoon.mean.z"]})
    return scene


CASES = {"bag": (bag, True), "basin": (basin, True), "shaken_cup": (shaken_cup, True), "spoon_in_water": (spoon_in_water, False)}


def main():
    limber = os.path.abspath(sys.argv[1])
    failed = 0
    names = sys.argv[2:] or CASES
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            make, holds = CASES[name]
            path = pathlib.Path(folder) / f"{name}.json"
            path.write_text(json.dumps(make()))
            done = subprocess.run([limber, "check", path], capture_output=True, text=True)
            understood = done.stdout.splitlines()[-1:] == ["1 passed, 0 failed" if holds else "0 passed, 1 failed"]
            failed += not understood
            print(("ok   " if understood else "FAIL ") + name, flush=True)
            if not understood:
                print(done.stdout + done.stderr, flush=True)
    print(f"{len(names) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
