#!/usr/bin/env python3
"""Writes barrel.obj, an open drum with four paddles inside: python3 assets/make_barrel.py > assets/barrel.obj

A cup on its side, thick walls, open towards +z: a profile (z, radius) turned about the z axis. The paddles are
boxes that reach from inside the wall towards the axis. All parts are closed and wound outwards. 2 m across, m.
"""
import math

SEGMENTS = 72
# the outline of the wall, counter-clockwise seen with z to the right and the radius up
PROFILE = [(-0.62, 0.0), (-0.62, 1.0), (0.62, 1.0), (0.62, 0.9), (-0.52, 0.9), (-0.52, 0.0)]
PADDLES, TIP, HALF_WIDTH = 4, 0.62, 0.045


def turned(profile, segments):
    """Vertices and quads of the profile turned about z; its first and last points lie on the axis."""
    vertices = [(0.0, 0.0, profile[0][0])]
    rings = []
    for z, r in profile[1:-1]:
        rings.append(len(vertices))
        for s in range(segments):
            angle = 2.0 * math.pi * s / segments
            vertices.append((r * math.cos(angle), r * math.sin(angle), z))
    vertices.append((0.0, 0.0, profile[-1][0]))
    faces = []
    for s in range(segments):
        t = (s + 1) % segments
        faces.append((0, rings[0] + t, rings[0] + s))
        for a, b in zip(rings, rings[1:]):
            faces.append((a + s, a + t, b + t, b + s))
        faces.append((rings[-1] + s, rings[-1] + t, len(vertices) - 1))
    return vertices, faces


def paddle(angle):
    """A box from within the wall to TIP, and along the drum from within the back to just behind the rim."""
    c, s = math.cos(angle), math.sin(angle)
    vertices = []
    for r in (TIP, 0.95):
        for side in (-HALF_WIDTH, HALF_WIDTH):
            for z in (-0.57, 0.56):
                vertices.append((r * c - side * s, r * s + side * c, z))
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return vertices, faces


def main():
    parts = [turned(PROFILE, SEGMENTS)] + [paddle(2.0 * math.pi * k / PADDLES) for k in range(PADDLES)]
    print("# An open drum with paddles, made by make_barrel.py")
    first = 1
    for vertices, faces in parts:
        for x, y, z in vertices:
            print(f"v {x:.6f} {y:.6f} {z:.6f}")
        for face in faces:
            print("f " + " ".join(str(first + v) for v in face))
        first += len(vertices)


main()
