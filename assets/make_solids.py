#!/usr/bin/env python3
"""Writes closed shapes that pile up well, one per name: python3 assets/make_solids.py ring > assets/ring.obj"""
import math
import sys

from surface_nets import even_surface, limb, print_obj, smooth_minimum

CELL = 0.055  # m


def ring(p):
    return math.hypot(math.hypot(p[0], p[2]) - 0.36, p[1]) - 0.14


def jack(p):
    """Six rounded arms, like a knucklebone."""
    d = math.hypot(*p) - 0.18
    for axis in range(3):
        end = [0.0, 0.0, 0.0]
        end[axis] = 0.38
        m = [abs(c) if k == axis else c for k, c in enumerate(p)]
        d = smooth_minimum(d, limb(m, (0, 0, 0), end, 0.10, 0.12), 0.08)
    return d


def bowl(p):
    """A thick half sphere with a round rim."""
    rho = math.hypot(p[0], p[2])
    y = p[1] - 0.22
    if y < 0:
        return abs(math.hypot(rho, y) - 0.37) - 0.11
    return math.hypot(rho - 0.37, y) - 0.11


def brick(p):
    q = [max(abs(c) - h, 0.0) for c, h in zip(p, (0.40, 0.13, 0.20))]
    return math.hypot(*q) - 0.08


SHAPES = {"ring": ring, "jack": jack, "bowl": bowl, "brick": brick}

if __name__ == "__main__":
    name = sys.argv[1]
    print_obj(f"A {name}, made by assets/make_solids.py of the Limber project",
              *even_surface(SHAPES[name], (-0.66, -0.66, -0.66), (24, 24, 24), CELL))
