#!/usr/bin/env python3
"""Scenes with fluids under random settings: no non-finite value, no crash and no hang; or a clear message instead.

Usage: fluid_settings_test.py PATH_TO_LIMBER [COUNT [--seed N] [--from K] [--seconds S]]
Settings number K of a seed are always the same, and a failure is printed as a command that repeats it. Each run may
take S seconds (default 120). Ends with "N passed, N failed".
"""
import argparse
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

SCENES = pathlib.Path(__file__).resolve().parents[2] / "scenes"
COMMENT = re.compile(r"(?<!:)//.*")
METHODS = ["xpbd"] * 6 + ["pbd", "jacobi", "chebyshev", "hierarchical"]


def fluid_scenes():
    """(name, scene, names of its fluids), by name."""
    scenes = [(path.stem, json.loads(COMMENT.sub("", path.read_text()))) for path in sorted(SCENES.glob("*.json"))]
    named = [(name, scene, [key for key, value in scene.get("objects", {}).items() if value.get("type") == "fluid"])
             for name, scene in scenes]
    return [entry for entry in named if entry[2]]


def between(rng, low, high):
    """Evenly by the logarithm."""
    return low * (high / low) ** rng.random()


def sometimes(rng, share, low, high):
    """0, or in that share of cases something between."""
    return between(rng, low, high) if rng.random() < share else 0.0


def settings_of_motion(rng, other_methods):
    """Step, gravity and, in a share `other_methods` of cases, the method."""
    out = {"solver.dt": 1.0 / 60.0 if rng.random() < 0.7 else between(rng, 0.002, 0.1)}
    if rng.random() < 0.4:
        out["solver.gravity"] = ",".join(f"{rng.uniform(-40.0, 40.0):.4g}" for _ in range(3))
    if rng.random() < other_methods:
        out["solver.method"] = rng.choice(METHODS)
        out["solver.integrator"] = rng.choice(["bdf1", "bdf1", "bdf2"])
        out["solver.friction_model"] = rng.choice(["positional", "velocity_filter"])
    return out


def settings_of_solver(rng, radius):
    return {"solver.substeps": rng.randint(1, 16), "solver.iterations": rng.randint(1, 6),
            "solver.particle_radius": radius * between(rng, 0.9, 2.5), "solver.damping": sometimes(rng, 0.3, 0.01, 1.0),
            **settings_of_motion(rng, 0.3)}


def settings_of_fluid(rng, name):
    material = {"viscosity": sometimes(rng, 0.6, 1e-3, 1000.0), "xsph": rng.uniform(0.0, 0.5),
                "vorticity": sometimes(rng, 0.3, 0.01, 10.0), "surface_tension": sometimes(rng, 0.5, 0.01, 100.0),
                "adhesion": sometimes(rng, 0.4, 0.01, 100.0), "friction": rng.choice([0.0, rng.uniform(0.0, 2.0)]),
                "restitution": rng.choice([0.0, 0.0, rng.random()]), "spray": sometimes(rng, 0.2, 1.0, 200.0)}
    out = {f"objects.{name}.material.{key}": value for key, value in material.items()}
    out[f"objects.{name}.rest_density"] = between(rng, 1.0, 20000.0)
    if rng.random() < 0.3:
        out[f"objects.{name}.jitter"] = between(rng, 1e-4, 0.02)
    return out


def command_of(limber, number, seed):
    rng = random.Random(f"{seed}/{number}")
    name, scene, fluids = rng.choice(fluid_scenes())
    values = settings_of_solver(rng, scene["solver"]["particle_radius"])
    for fluid in fluids:
        values.update(settings_of_fluid(rng, fluid))
    for body in scene.get("bodies", {}):
        values[f"bodies.{body}.density"] = between(rng, 10.0, 20000.0)
    command = [limber, "run", name, "--frames", str(rng.randint(30, 60)), "--threads", str(rng.choice([1, 1, 2]))]
    if rng.random() < 0.15:
        command += ["--precision", "f64"]
    for path, value in values.items():
        command += ["--set", f"{path}={value:.6g}" if isinstance(value, float) else f"{path}={value}"]
    return command


def fault_of(command, seconds):
    """What is wrong with a run, or "", and whether it was refused."""
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        try:
            done = subprocess.run([*command, "--report", report], capture_output=True, text=True, timeout=seconds)
        except subprocess.TimeoutExpired:
            return f"not done after {seconds:g} s", False
        if done.returncode < 0:
            return f"signal {-done.returncode}", False
        if done.returncode != 0:
            last = (done.stderr.strip().splitlines() or [""])[-1]
            clear = last.startswith("limber: ") and "non-finite" not in last
            return "" if clear else f"exit status {done.returncode}: {last}", clear
        with open(report) as file:
            numbers = json.load(file)
        return (f"{numbers['nonfinite']} values are not finite" if numbers["nonfinite"] else ""), False


def run_settings(command_of):
    """Runs the commands that the command line asks for. `command_of`: of the program, a number and a seed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("limber")
    parser.add_argument("count", nargs="?", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=120.0)
    arguments = parser.parse_args()
    failed = refused = 0
    for number in range(arguments.first, arguments.first + arguments.count):
        command = command_of(os.path.abspath(arguments.limber), number, arguments.seed)
        fault, was_refused = fault_of(command, arguments.seconds)
        refused += was_refused
        failed += bool(fault)
        if fault:
            print(f"FAIL {number}: {fault}\n  {' '.join(command)}", flush=True)
    print(f"{refused} of {arguments.count} settings were refused with a message")
    print(f"{arguments.count - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(run_settings(command_of))
