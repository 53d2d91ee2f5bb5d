#!/usr/bin/env python3
"""Writes level.obj, a courtyard of stairs, columns and arches: python3 assets/make_level.py > assets/level.obj

Closed parts, wound outwards, that overlap where they are joined: boxes, turned columns, half rings. 4 m across, m.
"""
import math

parts = []


def box(low, high):
    low, high = [tuple(pick(pair) for pair in zip(low, high)) for pick in (min, max)]
    v = [(x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])]
    parts.append((v, [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]))


def column(x, z, height, radius, segments=24):
    """Plinth, shaft with a slight swell, capital."""
    box((x - 1.35 * radius, 0.0, z - 1.35 * radius), (x + 1.35 * radius, 0.12, z + 1.35 * radius))
    profile = [(0.06, 0.0), (0.06, 1.1), (0.16, 1.1), (0.2, 0.95), (0.55 * height, 0.92), (height - 0.16, 0.8),
               (height - 0.1, 1.15), (height - 0.02, 1.15), (height - 0.02, 0.0)]
    v = [(x, profile[0][0], z)]
    rings = []
    for y, share in profile[1:-1]:
        rings.append(len(v))
        for s in range(segments):
            angle = 2.0 * math.pi * s / segments
            v.append((x + share * radius * math.cos(angle), y, z - share * radius * math.sin(angle)))
    v.append((x, profile[-1][0], z))
    f = []
    for s in range(segments):
        t = (s + 1) % segments
        f.append((0, rings[0] + t, rings[0] + s))
        for a, b in zip(rings, rings[1:]):
            f.append((a + s, a + t, b + t, b + s))
        f.append((rings[-1] + s, rings[-1] + t, len(v) - 1))
    parts.append((v, f))
    box((x - 1.35 * radius, height - 0.06, z - 1.35 * radius), (x + 1.35 * radius, height + 0.04, z + 1.35 * radius))


def arch(center, half_span, depth, thickness, segments=20):
    """Half a ring in the xy plane, `depth` along z, on (center.x +- half_span, center.y)."""
    v = []
    for s in range(segments + 1):
        angle = math.pi * s / segments
        for r in (half_span - 0.5 * thickness, half_span + 0.5 * thickness):
            for z in (-0.5 * depth, 0.5 * depth):
                v.append((center[0] + r * math.cos(angle), center[1] + r * math.sin(angle), center[2] + z))
    f = [(0, 2, 3, 1)]
    for s in range(segments):
        a, b = 4 * s, 4 * s + 4
        f += [(a, a + 1, b + 1, b), (a + 2, b + 2, b + 3, a + 3), (a, b, b + 2, a + 2), (a + 1, a + 3, b + 3, b + 1)]
    e = 4 * segments
    f.append((e, e + 1, e + 3, e + 2))
    parts.append((v, f))


box((-2.0, -0.1, -2.0), (2.0, 0.06, 2.0))                                # pavement
for step in range(6):                                                    # stairs up to the terrace at the back
    inset = 0.002 * (step + 1)                                           # no two parts share a vertex
    box((-1.0 + inset, -inset, -0.55 - 0.2 * step), (1.0 - inset, 0.15 * (step + 1), -2.0 + inset))
box((-1.99, 0.0, -1.65), (1.99, 0.92, -1.98))                            # terrace
for x in (-1.45, -0.48, 0.48, 1.45):                                     # colonnade in front, three arches on it
    column(x, 0.75, 1.25, 0.12)
for x in (-0.965, 0.0, 0.965):
    arch((x, 1.22, 0.75), 0.484, 0.26, 0.15)
for z in (-0.25,):                                                       # two free columns and a low wall
    column(-1.55, z, 1.7, 0.13)
    column(1.55, z, 0.75, 0.15)
box((-0.35, 0.0, 1.35), (0.35, 0.4, 1.65))

print("# Stairs, columns and arches, made by make_level.py")
first = 1
for vertices, faces in parts:
    for x, y, z in vertices:
        print(f"v {x:.6f} {y:.6f} {z:.6f}")
    for face in faces:
        print("f " + " ".join(str(first + k) for k in face))
    first += len(vertices)
