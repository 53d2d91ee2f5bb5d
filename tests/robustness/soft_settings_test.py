#!/usr/bin/env python3
"""Scenes whose matter is soft, yields or breaks under random settings: no non-finite value, no crash and no hang.

Usage: soft_settings_test.py PATH_TO_LIMBER [COUNT [--seed N] [--from K] [--seconds S]]
Arguments and output are those of fluid_settings_test.py.
"""
import json
import random
import sys

from fluid_settings_test import COMMENT, SCENES, between, run_settings, settings_of_motion, sometimes

FLOWS = {"yield", "yield_curvature", "yield_strain", "strength", "tear_strain", "plasticity"}


def kind_of(thing):
    """"clusters", "tets", "sheet", or "" for what is neither soft nor yields nor breaks."""
    if thing.get("cluster_size", 0) > 0:
        return "clusters"
    if not FLOWS & thing.get("material", {}).keys():
        return ""
    return "tets" if thing.get("type") == "tets" else "sheet"


def soft_scenes():
    """(name, scene, kinds of its objects by name), by name."""
    scenes = [(path.stem, json.loads(COMMENT.sub("", path.read_text()))) for path in sorted(SCENES.glob("*.json"))]
    named = [(name, scene, {key: kind_of(value) for key, value in scene.get("objects", {}).items()})
             for name, scene in scenes]
    return [entry for entry in named if any(entry[2].values())]


def settings_of_solver(rng):
    return {"solver.substeps": rng.randint(1, 24), "solver.iterations": rng.randint(1, 6),
            "solver.damping": sometimes(rng, 0.3, 0.01, 2.0), **settings_of_motion(rng, 0.2)}


def settings_of_clusters(rng, solid):
    out = {"youngs_modulus": sometimes(rng, 0.7, 1e3, 1e8), "poisson_ratio": rng.uniform(0.0, 0.45),
           "stiffness": rng.random(), "linear": rng.random(), "damping_time": sometimes(rng, 0.5, 1e-4, 0.1),
           "yield": sometimes(rng, 0.5, 1e-4, 1.0), "creep": between(rng, 0.1, 1e4),
           "hardening": sometimes(rng, 0.3, 0.1, 100.0), "max_plastic": between(rng, 0.01, 10.0)}
    if solid:
        out["break_strain"] = sometimes(rng, 0.4, 0.01, 2.0)
        if rng.random() < 0.3:
            out["quadratic"] = rng.random()
    return out


def settings_of_tets(rng):
    return {"material.youngs_modulus": between(rng, 1e3, 1e9), "material.poisson_ratio": rng.uniform(0.0, 0.49),
            "material.damping_time": sometimes(rng, 0.5, 1e-4, 0.1), "material.strength": sometimes(rng, 0.7, 1e2, 1e8),
            "material.yield": sometimes(rng, 0.5, 1e2, 1e8), "material.hardening": sometimes(rng, 0.3, 1e2, 1e8)}


def settings_of_sheet(rng):
    return {"material.bend_compliance": sometimes(rng, 0.7, 1e-3, 1e6), "material.tear_strain": sometimes(rng, 0.6, 0.01, 2.0),
            "material.yield_curvature": sometimes(rng, 0.6, 0.1, 1e3), "material.yield_strain": sometimes(rng, 0.4, 1e-3, 1.0),
            "material.creep": between(rng, 0.1, 1e5)}


def command_of(limber, number, seed):
    rng = random.Random(f"{seed}/{number}")
    name, scene, kinds = rng.choice(soft_scenes())
    values = settings_of_solver(rng)
    for thing, kind in kinds.items():
        of_kind = {"clusters": lambda: settings_of_clusters(rng, scene["objects"][thing].get("type") == "solid"),
                   "tets": lambda: settings_of_tets(rng), "sheet": lambda: settings_of_sheet(rng)}
        if kind:
            values.update({f"objects.{thing}.{key}": value for key, value in of_kind[kind]().items()})
    for body in scene.get("bodies", {}):
        values[f"bodies.{body}.density"] = between(rng, 10.0, 20000.0)
    command = [limber, "run", name, "--frames", str(rng.randint(20, 60)), "--threads", str(rng.choice([1, 1, 2]))]
    for path, value in values.items():
        command += ["--set", f"{path}={value:.6g}" if isinstance(value, float) else f"{path}={value}"]
    return command


if __name__ == "__main__":
    sys.exit(run_settings(command_of))
