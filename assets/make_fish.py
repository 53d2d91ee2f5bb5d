#!/usr/bin/env python3
"""Writes fish_body.obj and fish_tail.obj: two convex parts of a fish, for the scene fishing_rod.

Usage: make_fish.py, in the folder of the meshes. Lengths in m; the nose points towards +x, the back towards +y.
"""
import math

PROFILE = [(-0.13, 0.014), (-0.09, 0.030), (-0.04, 0.050), (0.01, 0.060), (0.06, 0.055), (0.10, 0.040), (0.13, 0.020)]
AROUND = 12
WIDTH = 0.62  # of the body, over its height
TAIL = [(-0.12, 0.006), (-0.215, 0.068), (-0.215, -0.068), (-0.12, -0.006)]
HALF_THICKNESS = 0.006


def write(path, title, vertices, faces):
    with open(path, "w", encoding="utf-8") as out:
        out.write(f"# {title}; made by make_fish.py\n")
        for v in vertices:
            out.write("v %.5f %.5f %.5f\n" % v)
        for face in faces:
            out.write("f " + " ".join(str(i + 1) for i in face) + "\n")


def body():
    """Rings around the x axis, closed by a point at each end. Faces are seen counterclockwise from outside."""
    vertices, faces = [], []
    for x, r in PROFILE:
        for k in range(AROUND):
            angle = 2.0 * math.pi * k / AROUND
            vertices.append((x, r * math.cos(angle), WIDTH * r * math.sin(angle)))
    for ring in range(len(PROFILE) - 1):
        for k in range(AROUND):
            a, b = ring * AROUND + k, ring * AROUND + (k + 1) % AROUND
            faces.append((b, b + AROUND, a + AROUND, a))
    end = len(vertices)
    vertices += [(-0.145, 0.0, 0.0), (0.145, -0.004, 0.0)]
    last = (len(PROFILE) - 1) * AROUND
    for k in range(AROUND):
        following = (k + 1) % AROUND
        faces.append((following, k, end))
        faces.append((last + k, last + following, end + 1))
    return vertices, faces


def tail():
    vertices = [(x, y, -HALF_THICKNESS) for x, y in TAIL] + [(x, y, HALF_THICKNESS) for x, y in TAIL]
    return vertices, [(0, 1, 2, 3), (0, 4, 5, 1), (1, 5, 6, 2), (2, 6, 7, 3), (3, 7, 4, 0), (7, 6, 5, 4)]


def volume(vertices, faces):
    total = 0.0
    for face in faces:
        for j in range(1, len(face) - 1):
            a, b, c = (vertices[face[i]] for i in (0, j, j + 1))
            total += a[0] * (b[1] * c[2] - b[2] * c[1])
            total += a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])
    return total / 6.0


def outwards(vertices, faces):
    return vertices, faces if volume(vertices, faces) > 0.0 else [tuple(reversed(face)) for face in faces]


write("fish_body.obj", "Body of a fish", *outwards(*body()))
write("fish_tail.obj", "Tail fin of a fish", *outwards(*tail()))
