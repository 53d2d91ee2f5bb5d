#!/usr/bin/env python3
"""Writes leaves.obj, the leaves of a small tree: python3 assets/make_leaves.py > assets/leaves.obj

LEAVES pointed ovals of 16 vertices in golden-angle spirals around BRANCHES branches of a trunk on the y axis. The six
vertices at each stem come first (0 to 6 LEAVES - 1), for a scene to hold. m.
"""
import math

BRANCHES, PER_BRANCH = 10, 34
LEAVES = BRANCHES * PER_BRANCH
GOLDEN = math.radians(137.508)
LENGTH, WIDTH = 0.17, 0.085
TRUNK, TOP = 0.034, 1.6  # radius of the trunk with room for the thickness of leaves, and its height
OUTLINE = [0.12, 0.30, 0.85, 1.0, 0.72]   # half widths of the rows after the stem, as shares of WIDTH / 2


def branch(k):
    """Start, unit direction and length of a branch: [tilt, yaw, 0] are its rotation_degrees as a capsule along y."""
    tilt, yaw = math.radians(68 - 4.2 * k), GOLDEN * k
    direction = (math.sin(tilt) * math.sin(yaw), math.cos(tilt), math.sin(tilt) * math.cos(yaw))
    return (0.0, 0.62 + 0.095 * k, 0.0), direction, 0.72 - 0.035 * k


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def unit(a):
    length = math.sqrt(sum(x * x for x in a))
    return tuple(x / length for x in a)


def along(start, *steps):
    return tuple(s + sum(t * d[i] for t, d in steps) for i, s in enumerate(start))


def leaf(k, j, turn=0.0):
    """Five rows of three vertices from the stem on, and the tip, of leaf j on branch k, turned further about it."""
    start, forward, length = branch(k)
    place = along(start, (length * (0.22 + 0.8 * j / PER_BRANCH), forward))
    side = unit(cross(forward, (0.0, 1.0, 0.0)))
    up = cross(side, forward)
    angle = GOLDEN * j + 0.7 * k + turn
    out = along((0.0, 0.0, 0.0), (math.cos(angle), side), (math.sin(angle), up))
    way = unit(along((0.0, -0.25, 0.0), (1.0, out), (0.75, forward)))
    across = unit(cross(way, (0.0, 1.0, 0.0) if abs(way[1]) < 0.9 else forward))
    size = LENGTH * (0.75 + 0.25 * math.sin(2.3 * j + k))
    rows = []
    for r, half in enumerate(OUTLINE):
        middle = along(place, (0.022, out), (size * r / len(OUTLINE), way))
        w = 0.5 * half * WIDTH * size / LENGTH
        rows.append([along(middle, (s * w, across)) for s in (-1.0, 0.0, 1.0)])
    tip = along(place, (0.022, out), (size, way))
    return rows, tip


def free_leaf(k, j):
    """The first leaf of the spiral from leaf j on, at its place, that does not reach into the trunk."""
    turn = 0.0
    while True:
        rows, tip = leaf(k, j, turn)
        if all(math.hypot(x, z) > TRUNK or y > TOP for x, y, z in sum(rows, [tip])):
            return rows, tip
        turn += GOLDEN


stems, blades, faces = [], [], []
for k in range(BRANCHES):
    for j in range(PER_BRANCH):
        rows, tip = free_leaf(k, j)
        at_stem, at_blade = len(stems), 6 * LEAVES + len(blades)
        stems += rows[0] + rows[1]
        blades += rows[2] + rows[3] + rows[4] + [tip]
        number = [[at_stem + 3 * r + s for s in range(3)] for r in range(2)]
        number += [[at_blade + 3 * r + s for s in range(3)] for r in range(3)]
        for a, b in zip(number, number[1:]):
            faces += [(a[0], a[1], b[0]), (a[1], b[1], b[0]), (a[1], a[2], b[2]), (a[1], b[2], b[1])]
        last = at_blade + 9
        faces += [(number[4][0], number[4][1], last), (number[4][1], number[4][2], last)]

print("# The leaves of a small tree, made by make_leaves.py")
for x, y, z in stems + blades:
    print(f"v {x:.6f} {y:.6f} {z:.6f}")
for face in faces:
    print("f " + " ".join(str(1 + v) for v in face))
