#!/usr/bin/env python3
"""Writes balloon.obj, a ball of 5,120 nearly equal triangles: python3 assets/make_balloon.py > assets/balloon.obj

With 3 behind it balloon_small.obj, one of 1,280: python3 assets/make_balloon.py 3 > assets/balloon_small.obj

An icosahedron split four times (or as often as that says) into four. Texture: u = |longitude| / pi, which has no seam, so that the pattern
`stripes` paints gores from pole to pole. Standard library only, the same bytes every time.
Radius 0.5 m, about the origin.
"""
import math
import sys

RADIUS = 0.5  # m


def unit(p):
    length = math.hypot(*p)
    return [c / length for c in p]


def icosahedron():
    g = (1.0 + math.sqrt(5.0)) / 2.0
    points = [(-1, g, 0), (1, g, 0), (-1, -g, 0), (1, -g, 0), (0, -1, g), (0, 1, g),
              (0, -1, -g), (0, 1, -g), (g, 0, -1), (g, 0, 1), (-g, 0, -1), (-g, 0, 1)]
    triangles = [(0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11), (1, 5, 9), (5, 11, 4),
                 (11, 10, 2), (10, 7, 6), (7, 1, 8), (3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8),
                 (3, 8, 9), (4, 9, 5), (2, 4, 11), (6, 2, 10), (8, 6, 7), (9, 8, 1)]
    return [unit(p) for p in points], triangles


def split(points, triangles):
    middle, parts = {}, []

    def between(a, b):
        key = (min(a, b), max(a, b))
        if key not in middle:
            middle[key] = len(points)
            points.append(unit([points[a][n] + points[b][n] for n in range(3)]))
        return middle[key]

    for a, b, c in triangles:
        ab, bc, ca = between(a, b), between(b, c), between(c, a)
        parts += [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
    return points, parts


def main():
    points, triangles = icosahedron()
    for _ in range(int(sys.argv[1]) if len(sys.argv) > 1 else 4):
        points, triangles = split(points, triangles)
    print("# A ball, made by assets/make_balloon.py of the Limber project")
    for p in points:
        print("v " + " ".join(f"{round(RADIUS * c, 6) + 0.0:.6f}" for c in p))
    for x, y, z in points:
        print(f"vt {abs(math.atan2(z, x)) / math.pi:.5f} {0.5 + 0.5 * y:.5f}")
    for triangle in triangles:
        print("f " + " ".join(f"{a + 1}/{a + 1}" for a in triangle))


if __name__ == "__main__":
    main()
