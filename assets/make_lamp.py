#!/usr/bin/env python3
"""Writes the parts of a lava lamp: python3 assets/make_lamp.py, into the folder of this file.

All parts turn about y: lamp_glass.obj, an open sheet; lamp_wax.obj and lamp_water.obj, what it holds at first;
lamp_foot.obj and lamp_cap.obj, its metal ends. Standard library only, the same bytes every time. Units are metres.
"""
import math
import os

AROUND = 48
TALL = 0.44  # m, the glass between foot and cap
GAP = 0.007  # m, between the middle of the glass and the fluids


def glass(y):
    """Radius of the glass at the height y: a bottle, widest at a third of its height."""
    s = y / 0.62
    return 0.105 + 0.045 * math.sin(math.pi * min(1.0, s / 0.62) ** 0.9) - 0.03 * max(0.0, s - 0.45) / 0.55


def turned(profile, closed):
    """Vertices and faces of a profile of (radius, height) that turns; closed: with a cap at both ends."""
    points = [(r * math.cos(2 * math.pi * k / AROUND), y, r * math.sin(2 * math.pi * k / AROUND))
              for r, y in profile for k in range(AROUND)]
    faces = []
    for n in range(len(profile) - 1):
        for k in range(AROUND):
            a, b = n * AROUND + k, n * AROUND + (k + 1) % AROUND
            faces += [(a, a + AROUND, b), (b, a + AROUND, b + AROUND)]
    if closed:
        for row, middle in ((0, profile[0][1]), (len(profile) - 1, profile[-1][1])):
            points.append((0.0, middle, 0.0))
            for k in range(AROUND):
                a, b = row * AROUND + k, row * AROUND + (k + 1) % AROUND
                faces.append((a, b, len(points) - 1) if row == 0 else (b, a, len(points) - 1))
    return points, faces


def write(name, about, points, faces):
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"# {about}, made by assets/make_lamp.py of the Limber project\n")
        for p in points:
            file.write("v " + " ".join(f"{round(c, 6) + 0.0:.6f}" for c in p) + "\n")
        for face in faces:
            file.write("f " + " ".join(str(a + 1) for a in face) + "\n")


def inside(low, high, rows):
    """The profile of a fluid between two heights."""
    heights = [low + (high - low) * n / rows for n in range(rows + 1)]
    return [(glass(y) - GAP, y) for y in heights]


def main():
    write("lamp_glass.obj", "The glass of a lava lamp", *turned([(glass(TALL * n / 24), TALL * n / 24) for n in range(25)], False))
    write("lamp_wax.obj", "Wax at the bottom of a lava lamp", *turned(inside(0.005, 0.10, 6), True))
    write("lamp_water.obj", "Liquid above the wax of a lava lamp", *turned(inside(0.11, 0.435, 20), True))
    foot = [(0.15, -0.20), (0.152, -0.19), (0.10, -0.10), (0.10, -0.085), (0.118, -0.01), (0.118, 0.0)]
    cap = [(0.094, TALL - 0.005), (0.098, TALL), (0.055, TALL + 0.15), (0.049, TALL + 0.155)]
    write("lamp_foot.obj", "The foot of a lava lamp", *turned(foot, True))
    write("lamp_cap.obj", "The cap of a lava lamp", *turned(cap, True))


if __name__ == "__main__":
    main()
