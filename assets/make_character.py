#!/usr/bin/env python3
"""Writes character.obj, a standing bear cub: python3 assets/make_character.py > assets/character.obj

A smooth union of balls and tapered limbs (see surface_nets.py), arms and legs away from the body so that it can
be inflated, draped and bent. One closed surface of about 10,000 triangles.
Units are metres; it stands on y = 0, looks along +z, is 1 m tall and symmetric about x = 0.
"""
from surface_nets import ball, even_surface, limb, print_obj, smooth_minimum

CELL = 0.0205           # m
LOW = (-0.6355, -0.055, -0.32)
COUNT = (62, 55, 32)   # cells
BLEND = 0.06           # m over which two parts flow into each other


def character(p):
    x, y, z = abs(p[0]), p[1], p[2]
    m = (x, y, z)  # both sides are alike
    d = ball(p, (0, 0.415, 0), (0.165, 0.19, 0.14))                                       # trunk
    d = smooth_minimum(d, ball(p, (0, 0.345, 0.035), (0.15, 0.13, 0.14)), BLEND)          # belly
    d = smooth_minimum(d, limb(p, (0, 0.56, 0), (0, 0.66, 0.0), 0.085, 0.09), BLEND)      # neck
    d = smooth_minimum(d, ball(p, (0, 0.77, 0.01), (0.185, 0.16, 0.155)), 0.05)           # head
    d = smooth_minimum(d, ball(p, (0, 0.725, 0.145), (0.085, 0.062, 0.075)), 0.04)        # muzzle
    d = smooth_minimum(d, ball(m, (0.15, 0.905, -0.005), (0.072, 0.072, 0.06)), 0.05)     # ears
    d = smooth_minimum(d, limb(m, (0.12, 0.52, 0), (0.33, 0.47, 0.0), 0.072, 0.062), BLEND)   # upper arms
    d = smooth_minimum(d, limb(m, (0.33, 0.47, 0), (0.49, 0.43, 0.02), 0.062, 0.056), 0.03)   # fore arms
    d = smooth_minimum(d, ball(m, (0.525, 0.42, 0.025), (0.072, 0.066, 0.06)), 0.03)      # hands
    d = smooth_minimum(d, limb(m, (0.1, 0.3, 0), (0.165, 0.17, 0), 0.095, 0.075), BLEND)  # thighs
    d = smooth_minimum(d, limb(m, (0.165, 0.17, 0), (0.19, 0.06, 0.0), 0.075, 0.066), 0.03)   # shins
    d = smooth_minimum(d, ball(m, (0.195, 0.045, 0.045), (0.075, 0.052, 0.11)), 0.04)     # feet
    d = smooth_minimum(d, ball(p, (0, 0.3, -0.15), (0.05, 0.05, 0.05)), 0.04)             # tail
    return -smooth_minimum(-d, y - 0.003, 0.03)  # flat soles with round edges


if __name__ == "__main__":
    print_obj("A standing bear cub, made by assets/make_character.py of the Limber project",
              *even_surface(character, LOW, COUNT, CELL))
