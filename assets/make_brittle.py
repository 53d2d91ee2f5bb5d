#!/usr/bin/env python3
"""Writes the tetrahedra of what breaks: python3 assets/make_brittle.py NAME node|ele > assets/NAME.node

waist, a bar with a narrow middle, and chocolate, a bar of five pieces with grooves across it: boxes of five
tetrahedra each, in TetGen's format. Vertices are numbered from 0, along z first, then y, then x, so those of an
end are the first or the last ones. Standard library only, the same bytes every time. Units are metres.
"""
import math
import sys


def waist(p):
    """1.2 m x 0.3 m x 0.3 m, two fifths as wide in the middle."""
    narrow = 1.0 - 0.6 * math.exp(-((p[0] / 0.22) ** 2))
    return (p[0], p[1] * narrow, p[2] * narrow)


def chocolate(p):
    """1 m x 0.1 m x 0.4 m, its upper side lowered to half at the four grooves."""
    along = (p[0] + 0.5) * 5.0
    groove = min(abs(along - k) for k in range(1, 5))
    depth = 0.06 * max(0.0, 1.0 - groove / 0.3)
    return (p[0], p[1] - depth * (p[1] / 0.1 + 0.5), p[2])


SHAPES = {"waist": (waist, (1.2, 0.3, 0.3), (24, 6, 6)), "chocolate": (chocolate, (1.0, 0.1, 0.4), (30, 3, 8))}
# corners of a box as bits x, y, z; the middle one and four at corners; the other boxes are mirrored
FIVE = ((0, 3, 5, 6), (1, 0, 3, 5), (2, 0, 6, 3), (4, 0, 5, 6), (7, 3, 6, 5))


def volume(p):
    a, b, c = [[p[k + 1][i] - p[0][i] for i in range(3)] for k in range(3)]
    return (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]))


def mesh(name):
    move, size, cells = SHAPES[name]
    nodes, number = [], {}
    for i in range(cells[0] + 1):
        for j in range(cells[1] + 1):
            for k in range(cells[2] + 1):
                number[i, j, k] = len(nodes)
                nodes.append(move([size[a] * ((i, j, k)[a] / cells[a] - 0.5) for a in range(3)]))
    tets = []
    for i in range(cells[0]):
        for j in range(cells[1]):
            for k in range(cells[2]):
                flip = 7 if (i + j + k) % 2 else 0
                for five in FIVE:
                    tet = []
                    for corner in five:
                        c = corner ^ flip
                        tet.append(number[i + (c >> 2 & 1), j + (c >> 1 & 1), k + (c & 1)])
                    if volume([nodes[v] for v in tet]) < 0.0:
                        tet[2], tet[3] = tet[3], tet[2]
                    tets.append(tet)
    return nodes, tets


if __name__ == "__main__":
    nodes, tets = mesh(sys.argv[1])
    if sys.argv[2] == "node":
        print(len(nodes), "3 0 0")
        for number, p in enumerate(nodes):
            print(number, *("%.6g" % c for c in p))
    else:
        print(len(tets), "4 0")
        for number, tet in enumerate(tets):
            print(number, *tet)
