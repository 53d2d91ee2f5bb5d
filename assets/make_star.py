#!/usr/bin/env python3
"""Writes star.obj, a flat five-pointed star of cloth: python3 assets/make_star.py > assets/star.obj

Five rhombi with an angle of 72 degrees meet at the centre; their far corners are the tips, the corners
between them the notches. Each rhombus is an N x N lattice of small rhombi, each cut along its shorter diagonal,
so all triangles of the mesh are congruent (54, 54 and 72 degrees) and none is worse than another.
The sheet lies in the xy plane, facing +z, one tip up; 2 m from the leftmost to the rightmost tip.
Texture coordinates map nested stars to nested squares: a border in uv space follows the outline.
"""
import math

N = 28                                                    # cells along the side of a rhombus
TIP = 1.0 / math.sin(math.radians(72.0))                  # m from the centre, so that the star is 2 m wide
SIDE = TIP / (2.0 * math.cos(math.radians(36.0)))         # m, of a rhombus: its long diagonal is TIP


def ray(sector):
    """Unit vector from the centre to the notch before tip `sector`; tip 0 points up, the others follow to the left."""
    angle = math.radians(54.0 + 72.0 * sector)
    return math.cos(angle), math.sin(angle)


def number(sector, i, j):
    """0-based number of lattice point (i, j) of a rhombus; column i = 0 belongs to the next sector."""
    if i == 0 and j == 0:
        return 0
    if i == 0:
        return number((sector + 1) % 5, j, 0)
    return 1 + (sector * N + i - 1) * (N + 1) + j


def uv(sector, i, j):
    """Ring max(i, j) of the star goes to the square of that size, at the same fraction of its round."""
    ring = max(i, j)
    if ring == 0:
        return 0.5, 0.5
    along = sector + (j if i == ring else 2 * ring - i) / (2 * ring)      # 0 .. 5 around the star
    side, part = divmod(4.0 * along / 5.0, 1.0)                           # 0 .. 4 around the square
    x, y = [(1, 2 * part - 1), (1 - 2 * part, 1), (-1, 1 - 2 * part), (2 * part - 1, -1)][int(side)]
    size = 0.5 * ring / N
    return 0.5 + size * x, 0.5 + size * y


def main():
    print("# A five-pointed star of cloth, made by assets/make_star.py of the Limber project")
    lattice = [(0, 0, 0)] + [(s, i, j) for s in range(5) for i in range(1, N + 1) for j in range(N + 1)]
    for s, i, j in lattice:
        (ax, ay), (bx, by) = ray(s), ray(s + 1)
        x, y = SIDE * (i * ax + j * bx) / N, SIDE * (i * ay + j * by) / N
        print(f"v {round(x, 9) + 0.0:.9f} {round(y, 9) + 0.0:.9f} 0")    # + 0.0: no negative zeros
    for point in lattice:
        print("vt {:.6f} {:.6f}".format(*uv(*point)))
    for s in range(5):
        for i in range(N):
            for j in range(N):
                a, b = number(s, i, j), number(s, i + 1, j)
                c, d = number(s, i + 1, j + 1), number(s, i, j + 1)
                for triangle in (a, b, d), (b, c, d):
                    print("f " + " ".join(f"{v + 1}/{v + 1}" for v in triangle))


if __name__ == "__main__":
    main()
