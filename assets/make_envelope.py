#!/usr/bin/env python3
"""Writes envelope.obj, the closed skin of a hot air balloon: python3 assets/make_envelope.py > assets/envelope.obj

A drop that turns about y, 8 m wide, its mouth closed by a cap at y = 0. Its first 49 vertices are the cap and its rim.
Texture: u counts gores. Standard library only, the same bytes every time.
"""
import math

WIDE, TALL, MOUTH = 4.0, 9.0, 0.55  # m: radius, height, radius of the mouth
AROUND, RINGS = 48, 30


def radius_at(t):
    """A ball above, a cone below."""
    y = TALL * t
    middle = TALL - WIDE
    if y >= middle:
        return math.sqrt(max(WIDE * WIDE - (y - middle) ** 2, 0.0))
    s = y / middle
    return MOUTH + (WIDE - MOUTH) * math.sin(0.5 * math.pi * s) ** 1.1


def main():
    points, texture, faces = [(0.0, 0.0, 0.0)], [(0.0, 0.0)], []
    for r in range(RINGS):
        t = 0.5 - 0.5 * math.cos(math.pi * r / RINGS) if r else 0.0
        for s in range(AROUND):
            a = 2 * math.pi * s / AROUND
            points.append((radius_at(t) * math.cos(a), TALL * t, radius_at(t) * math.sin(a)))
            texture.append((abs(s - AROUND / 2) / 4.0, t))
    points.append((0.0, TALL, 0.0))
    texture.append((0.0, 1.0))
    row = lambda r, s: 1 + r * AROUND + s % AROUND
    for s in range(AROUND):
        faces.append((0, row(0, s), row(0, s + 1)))
        for r in range(RINGS - 1):
            a, b, c, d = row(r, s), row(r, s + 1), row(r + 1, s), row(r + 1, s + 1)
            faces += [(a, c, b), (b, c, d)]
        faces.append((row(RINGS - 1, s), len(points) - 1, row(RINGS - 1, s + 1)))
    print("# The skin of a hot air balloon, made by assets/make_envelope.py of the Limber project")
    for p in points:
        print("v " + " ".join(f"{round(c, 6) + 0.0:.6f}" for c in p))
    for u, v in texture:
        print(f"vt {u:.5f} {v:.5f}")
    for face in faces:
        print("f " + " ".join(f"{i + 1}/{i + 1}" for i in face))


if __name__ == "__main__":
    main()
