#!/usr/bin/env python3
"""Writes creature.obj, a sitting four-legged creature: python3 assets/make_creature.py > assets/creature.obj

A smooth union of ellipsoid-like balls and tapered limbs (polynomial smooth minimum), turned into triangles by
surface nets: one vertex per grid cell that the surface crosses, at the mean of its crossings, and one quad per
grid edge that it crosses. Closed by construction. Standard library only, the same bytes every time.
Units are metres; it stands on y = 0 and looks along +z.
"""
import math

CELL = 0.031            # m
LOW = (-0.52, -0.06, -0.62)
COUNT = (34, 47, 42)   # cells
BLEND = 0.09           # m over which two parts flow into each other


def smooth_minimum(a, b, width):
    h = max(width - abs(a - b), 0.0) / width
    return min(a, b) - 0.25 * h * h * width


def limb(p, a, b, ra, rb):
    """A cone with round ends from a (radius ra) to b (radius rb)."""
    ab = [b[k] - a[k] for k in range(3)]
    ap = [p[k] - a[k] for k in range(3)]
    t = sum(ab[k] * ap[k] for k in range(3)) / sum(c * c for c in ab)
    t = min(1.0, max(0.0, t))
    return math.dist(p, [a[k] + t * ab[k] for k in range(3)]) - (ra + t * (rb - ra))


def ball(p, centre, radii):
    """A scaled sphere; its distance is right at the surface and of the right sign everywhere."""
    q = [(p[k] - centre[k]) / radii[k] for k in range(3)]
    length = math.hypot(*q)
    slope = math.hypot(*[q[k] / radii[k] for k in range(3)])
    return (length - 1.0) * length / slope if slope > 1e-9 else -min(radii)


def creature(p):
    x, y, z = abs(p[0]), p[1], p[2]
    m = (x, y, z)  # both sides are alike
    d = ball(p, (0, 0.46, -0.06), (0.27, 0.30, 0.36))                                  # trunk
    d = smooth_minimum(d, ball(p, (0, 0.62, 0.16), (0.21, 0.24, 0.21)), BLEND)         # chest
    d = smooth_minimum(d, limb(p, (0, 0.72, 0.2), (0, 0.96, 0.27), 0.14, 0.12), BLEND)     # neck
    d = smooth_minimum(d, ball(p, (0, 1.06, 0.31), (0.185, 0.175, 0.2)), BLEND)        # head
    d = smooth_minimum(d, ball(p, (0, 1.0, 0.47), (0.105, 0.085, 0.13)), 0.07)         # muzzle
    d = smooth_minimum(d, limb(m, (0.1, 1.17, 0.28), (0.2, 1.31, 0.2), 0.07, 0.045), 0.05)   # ears
    d = smooth_minimum(d, limb(m, (0.19, 0.45, 0.2), (0.23, 0.06, 0.28), 0.12, 0.09), BLEND)   # fore legs
    d = smooth_minimum(d, limb(m, (0.22, 0.36, -0.26), (0.29, 0.07, -0.2), 0.15, 0.1), BLEND)  # hind legs
    d = smooth_minimum(d, limb(p, (0, 0.42, -0.34), (0, 0.3, -0.52), 0.09, 0.06), 0.07)    # tail
    return max(d, 0.004 - y)  # flat soles


def nodes():
    return [[[creature([LOW[0] + i * CELL, LOW[1] + j * CELL, LOW[2] + k * CELL]) for k in range(COUNT[2] + 1)]
             for j in range(COUNT[1] + 1)] for i in range(COUNT[0] + 1)]


CORNERS = [(i, j, k) for i in (0, 1) for j in (0, 1) for k in (0, 1)]
EDGES = [(a, b) for a in range(8) for b in range(a + 1, 8)
         if sum(abs(CORNERS[a][k] - CORNERS[b][k]) for k in range(3)) == 1]


def cell_vertex(d, i, j, k):
    """Mean of the crossings on the cell's edges, or None."""
    at = [d[i + a][j + b][k + c] for a, b, c in CORNERS]
    crossings = []
    for a, b in EDGES:
        if (at[a] < 0.0) != (at[b] < 0.0):
            t = at[a] / (at[a] - at[b])
            crossings.append([CORNERS[a][n] + t * (CORNERS[b][n] - CORNERS[a][n]) for n in range(3)])
    if not crossings:
        return None
    return [LOW[n] + CELL * ((i, j, k)[n] + sum(c[n] for c in crossings) / len(crossings)) for n in range(3)]


def relax(points, triangles, rounds):
    """Moves every vertex to the mean of its neighbours along the surface, which evens the triangles out, then
    back to the surface."""
    ring = [set() for _ in points]
    for triangle in triangles:
        for a in triangle:
            ring[a].update(triangle)
    for a, near in enumerate(ring):
        near.discard(a)
    for _ in range(rounds):
        means = [[sum(points[b][n] for b in near) / len(near) for n in range(3)] for near in map(sorted, ring)]
        points = [on_surface([0.5 * (p[n] + q[n]) for n in range(3)]) for p, q in zip(points, means)]
    return points


def on_surface(p):
    e = 1e-4
    for _ in range(3):
        d = creature(p)
        slope = [(creature([p[n] + (e if n == m else 0.0) for n in range(3)]) - d) / e for m in range(3)]
        squared = max(sum(s * s for s in slope), 1e-6)
        p = [p[n] - d * slope[n] / squared for n in range(3)]
    return p


def main():
    d = nodes()
    number, points = {}, []
    for i in range(COUNT[0]):
        for j in range(COUNT[1]):
            for k in range(COUNT[2]):
                vertex = cell_vertex(d, i, j, k)
                if vertex:
                    number[i, j, k] = len(points)
                    points.append(vertex)
    triangles = []
    for i in range(1, COUNT[0]):
        for j in range(1, COUNT[1]):
            for k in range(1, COUNT[2]):
                for axis in range(3):
                    u, v = (axis + 1) % 3, (axis + 2) % 3
                    ahead = [i, j, k]
                    ahead[axis] += 1
                    here, there = d[i][j][k] < 0.0, d[ahead[0]][ahead[1]][ahead[2]] < 0.0
                    if here == there:
                        continue
                    quad = []
                    for back_u, back_v in ((1, 1), (0, 1), (0, 0), (1, 0)):
                        cell = [i, j, k]
                        cell[u] -= back_u
                        cell[v] -= back_v
                        quad.append(number[tuple(cell)])
                    if there:
                        quad.reverse()
                    triangles += [(quad[0], quad[1], quad[2]), (quad[0], quad[2], quad[3])]
    points = relax(points, triangles, 3)
    print("# A sitting creature, made by assets/make_creature.py of the Limber project")
    for p in points:
        print("v " + " ".join(f"{round(c, 6) + 0.0:.6f}" for c in p))
    for triangle in triangles:
        print("f " + " ".join(str(a + 1) for a in triangle))


if __name__ == "__main__":
    main()
