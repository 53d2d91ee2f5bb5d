#!/usr/bin/env python3
"""Writes creature.obj, a sitting four-legged creature: python3 assets/make_creature.py > assets/creature.obj

A smooth union of ellipsoid-like balls and tapered limbs (polynomial smooth minimum), turned into triangles by
surface_nets.py. Standard library only, the same bytes every time.
Units are metres; it stands on y = 0 and looks along +z.
"""
from surface_nets import ball, limb, print_obj, smooth_minimum, surface

CELL = 0.031            # m
LOW = (-0.52, -0.06, -0.62)
COUNT = (34, 47, 42)   # cells
BLEND = 0.09           # m over which two parts flow into each other


def creature(p):
    x, y, z = abs(p[0]), p[1], p[2]
    m = (x, y, z)  # both sides are alike
    d = ball(p, (0, 0.46, -0.06), (0.27, 0.30, 0.36))                                  # trunk
    d = smooth_minimum(d, ball(p, (0, 0.62, 0.16), (0.21, 0.24, 0.21)), BLEND)         # chest
    d = smooth_minimum(d, limb(p, (0, 0.72, 0.2), (0, 0.96, 0.27), 0.14, 0.12), BLEND)     # neck
    d = smooth_minimum(d, ball(p, (0, 1.06, 0.31), (0.185, 0.175, 0.2)), BLEND)        # head
    d = smooth_minimum(d, ball(p, (0, 1.0, 0.47), (0.105, 0.085, 0.13)), 0.07)         # muzzle
    d = smooth_minimum(d, limb(m, (0.1, 1.17, 0.28), (0.2, 1.31, 0.2), 0.07, 0.045), 0.05)   # ears
    d = smooth_minimum(d, limb(m, (0.19, 0.45, 0.2), (0.23, 0.06, 0.28), 0.12, 0.09), BLEND)   # fore legs
    d = smooth_minimum(d, limb(m, (0.22, 0.36, -0.26), (0.29, 0.07, -0.2), 0.15, 0.1), BLEND)  # hind legs
    d = smooth_minimum(d, limb(p, (0, 0.42, -0.34), (0, 0.3, -0.52), 0.09, 0.06), 0.07)    # tail
    return max(d, 0.004 - y)  # flat soles


if __name__ == "__main__":
    print_obj("A sitting creature, made by assets/make_creature.py of the Limber project",
              *surface(creature, LOW, COUNT, CELL))
