"""Triangles of the surface where a distance function is zero, for the make_*.py programs of this folder.

Surface nets: one vertex per grid cell that the surface crosses, at the mean of its crossings, and one quad per
grid edge that it crosses. Closed by construction if the surface stays inside the grid. Then the vertices are
evened out along the surface. Standard library only, the same bytes every time.
"""
import math


def smooth_minimum(a, b, width):
    """The lesser of two distances, flowing into each other over `width` m."""
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


CORNERS = [(i, j, k) for i in (0, 1) for j in (0, 1) for k in (0, 1)]
EDGES = [(a, b) for a in range(8) for b in range(a + 1, 8)
         if sum(abs(CORNERS[a][k] - CORNERS[b][k]) for k in range(3)) == 1]


def surface(distance, low, count, cell):
    """(points, triangles) of `distance` = 0 in a grid of `count` cells of `cell` m from the corner `low`."""
    d = [[[distance([low[0] + i * cell, low[1] + j * cell, low[2] + k * cell]) for k in range(count[2] + 1)]
          for j in range(count[1] + 1)] for i in range(count[0] + 1)]
    number, points = {}, []
    for i in range(count[0]):
        for j in range(count[1]):
            for k in range(count[2]):
                vertex = cell_vertex(d, (i, j, k))
                if vertex:
                    number[i, j, k] = len(points)
                    points.append([low[n] + cell * vertex[n] for n in range(3)])
    triangles = []
    for quad in quads(d, count):
        a, b, c, e = (number[at] for at in quad)
        triangles += [(a, b, c), (a, c, e)]
    return relax(distance, points, triangles, 3), triangles


def even_surface(distance, low, count, cell):
    """The same with triangles fit for cloth: edges are turned and vertices evened out in turn."""
    points, triangles = surface(distance, low, count, cell)
    for _ in range(6):
        triangles = flip(points, triangles)
        points = relax(distance, points, triangles, 3)
    return points, flip(points, triangles)


def flip(points, triangles):
    """Turns every edge whose opposite angles add up to more than 180 degrees, until there is none (Delaunay).
    Edges that are folded by more than 60 degrees, or whose turning would double another edge, stay."""
    triangles = list(triangles)
    beside = {(t[n], t[(n + 1) % 3]): number for number, t in enumerate(triangles) for n in range(3)}
    waiting = sorted(edge for edge in beside if edge[0] < edge[1])
    while waiting:
        a, b = waiting.pop()
        if (a, b) not in beside:
            continue
        left, right = beside[a, b], beside[b, a]
        c, e = (next(v for v in triangles[t] if v != a and v != b) for t in (left, right))
        if (c, e) in beside or (e, c) in beside or not turns(points, a, b, c, e):
            continue
        for x, y in ((a, b), (b, a)):
            del beside[x, y]
        triangles[left], triangles[right] = (a, e, c), (e, b, c)
        for t in (left, right):
            for n in range(3):
                beside[triangles[t][n], triangles[t][(n + 1) % 3]] = t
        waiting += [(min(edge), max(edge)) for edge in ((a, e), (e, b), (b, c), (c, a))]
    return triangles


def turns(points, a, b, c, e):
    na, nb = normal(points, a, b, c), normal(points, b, a, e)
    if dot(na, nb) < 0.5 * math.hypot(*na) * math.hypot(*nb):
        return False
    return angle(points, c, a, b) + angle(points, e, a, b) > math.pi + 1e-6


def difference(p, q):
    return [p[n] - q[n] for n in range(3)]


def dot(u, v):
    return sum(x * y for x, y in zip(u, v))


def normal(points, a, b, c):
    u, v = difference(points[b], points[a]), difference(points[c], points[a])
    return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]


def angle(points, at, a, b):
    u, v = difference(points[a], points[at]), difference(points[b], points[at])
    return math.acos(max(-1.0, min(1.0, dot(u, v) / (math.hypot(*u) * math.hypot(*v)))))


def cell_vertex(d, at):
    """Mean of the crossings on the cell's edges in cells, or None."""
    i, j, k = at
    value = [d[i + a][j + b][k + c] for a, b, c in CORNERS]
    crossings = []
    for a, b in EDGES:
        if (value[a] < 0.0) != (value[b] < 0.0):
            t = value[a] / (value[a] - value[b])
            crossings.append([CORNERS[a][n] + t * (CORNERS[b][n] - CORNERS[a][n]) for n in range(3)])
    if not crossings:
        return None
    return [at[n] + sum(c[n] for c in crossings) / len(crossings) for n in range(3)]


def quads(d, count):
    """The four cells around every grid edge that the surface crosses, counter-clockwise from outside."""
    for i in range(1, count[0]):
        for j in range(1, count[1]):
            for k in range(1, count[2]):
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
                        quad.append(tuple(cell))
                    if there:
                        quad.reverse()
                    yield quad


def relax(distance, points, triangles, rounds):
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
        points = [on_surface(distance, [0.5 * (p[n] + q[n]) for n in range(3)]) for p, q in zip(points, means)]
    return points


def on_surface(distance, p):
    e = 1e-4
    for _ in range(3):
        d = distance(p)
        slope = [(distance([p[n] + (e if n == m else 0.0) for n in range(3)]) - d) / e for m in range(3)]
        squared = max(sum(s * s for s in slope), 1e-6)
        p = [p[n] - d * slope[n] / squared for n in range(3)]
    return p


def print_obj(comment, points, triangles):
    print("# " + comment)
    for p in points:
        print("v " + " ".join(f"{round(c, 6) + 0.0:.6f}" for c in p))
    for triangle in triangles:
        print("f " + " ".join(str(a + 1) for a in triangle))
