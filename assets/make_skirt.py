#!/usr/bin/env python3
"""Writes skirt.obj, a flared tube of cloth: python3 assets/make_skirt.py > assets/skirt.obj

ROWS rings of SEGMENTS vertices about the y axis, from the waist (vertices 0 to 71) down to the hem; the seam is one
column of vertices twice in uv only. Diagonals alternate. Waist at y = 0, m.
"""
import math

SEGMENTS, ROWS = 72, 26
WAIST, HEM, LENGTH = 0.155, 0.40, 0.56

print("# A flared skirt, made by make_skirt.py")
for row in range(ROWS):
    share = row / (ROWS - 1)
    radius = WAIST + (HEM - WAIST) * share
    for s in range(SEGMENTS):
        angle = 2.0 * math.pi * s / SEGMENTS
        print(f"v {radius * math.cos(angle):.6f} {-LENGTH * share:.6f} {-radius * math.sin(angle):.6f}")
for row in range(ROWS):
    for s in range(SEGMENTS + 1):
        print(f"vt {s / SEGMENTS:.6f} {1.0 - row / (ROWS - 1):.6f}")


def corner(row, s):
    return f"{1 + row * SEGMENTS + s % SEGMENTS}/{1 + row * (SEGMENTS + 1) + s}"


for row in range(ROWS - 1):
    for s in range(SEGMENTS):
        a, b, c, d = corner(row, s), corner(row + 1, s), corner(row + 1, s + 1), corner(row, s + 1)
        for face in ((a, b, c), (a, c, d)) if (row + s) % 2 else ((a, b, d), (b, c, d)):
            print("f " + " ".join(face))
