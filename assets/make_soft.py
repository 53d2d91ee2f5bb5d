#!/usr/bin/env python3
"""Writes the closed meshes of the soft bodies: python3 assets/make_soft.py NAME > assets/NAME.obj

bar, octopus, rope, spoon, dish, car, rabbit, dragon, teapot, slab, mat. Smooth unions turned into triangles by
surface_nets.py; bar, slab and mat are plain boxes of squares. Standard library only, the same bytes every time. Units are metres.
"""
import math
import sys

from surface_nets import ball, limb, print_obj, smooth_minimum, surface


def box(size, cells):
    """A box about the origin of `cells` squares along each axis."""
    points, triangles, number = [], [], {}

    def at(i, j, k):
        if (i, j, k) not in number:
            number[i, j, k] = len(points)
            points.append([size[a] * ((i, j, k)[a] / cells[a] - 0.5) for a in range(3)])
        return number[i, j, k]

    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        for side in (0, cells[axis]):
            for i in range(cells[u]):
                for j in range(cells[v]):
                    corner = []
                    for du, dv in ((0, 0), (1, 0), (1, 1), (0, 1)):
                        c = [0, 0, 0]
                        c[axis], c[u], c[v] = side, i + du, j + dv
                        corner.append(at(*c))
                    if side == 0:
                        corner.reverse()
                    triangles.append((corner[0], corner[1], corner[2]))
                    triangles.append((corner[0], corner[2], corner[3]))
    return points, triangles


def round_box(p, middle, half, radius):
    q = [abs(p[a] - middle[a]) - half[a] + radius for a in range(3)]
    outside = math.hypot(*[max(c, 0.0) for c in q])
    return outside + min(max(q), 0.0) - radius


def octopus(p):
    """A head with eyes on eight arms that curl up at their ends; it stands on y = 0 and looks along +z."""
    d = ball(p, (0, 0.62, -0.06), (0.27, 0.32, 0.29))                       # mantle
    d = smooth_minimum(d, ball(p, (0, 0.36, 0.02), (0.22, 0.17, 0.21)), 0.12)   # head
    for side in (-1, 1):
        d = smooth_minimum(d, ball(p, (0.12 * side, 0.45, 0.17), (0.075, 0.075, 0.075)), 0.03)
    for k in range(8):
        a = math.pi * (k + 0.5) / 4
        c, s = math.cos(a), math.sin(a)
        way = [(0.10, 0.30), (0.28, 0.17), (0.46, 0.085), (0.66, 0.075), (0.82, 0.13), (0.90, 0.24)]
        wide = [0.115, 0.10, 0.085, 0.072, 0.062, 0.05]
        arm = min(limb(p, (way[n][0] * c, way[n][1], way[n][0] * s),
                       (way[n + 1][0] * c, way[n + 1][1], way[n + 1][0] * s), wide[n], wide[n + 1])
                  for n in range(5))
        d = smooth_minimum(d, arm, 0.05)
    return d


def rope(p):
    """A thick rope along x, 1.6 m, with a knob at each end."""
    d = limb(p, (-0.74, 0, 0), (0.74, 0, 0), 0.055, 0.055)
    for side in (-1, 1):
        d = smooth_minimum(d, ball(p, (0.74 * side, 0, 0), (0.1, 0.1, 0.1)), 0.05)
    return d


def spoon(p):
    """A spoon along x: a handle that widens, a bowl that is a shell with a round rim."""
    handle = round_box(p, (-0.28, 0.0, 0.0), (0.5, 0.028, 0.055 + 0.02 * max(0.0, -p[0] - 0.4)), 0.026)
    shell = abs(ball(p, (0.42, 0.02, 0.0), (0.25, 0.11, 0.17))) - 0.026
    rim = math.hypot(ball(p, (0.42, p[1], 0.0), (0.25, 0.11, 0.17)), p[1] - 0.005) - 0.03
    bowl = smooth_minimum(max(shell, p[1] - 0.01), rim, 0.02)
    return smooth_minimum(handle, bowl, 0.05)


def dish(p):
    """A bowl: half a sphere hollowed out, on a foot."""
    r = math.hypot(p[0], p[2])
    shell = abs(math.hypot(r, p[1] - 0.42) - 0.38) - 0.045
    rim = math.hypot(r - 0.38, p[1] - 0.42) - 0.05
    foot = round_box(p, (0, 0.035, 0), (9, 0.035, 9), 0.02)
    foot = max(foot, r - 0.17)
    return smooth_minimum(min(max(shell, p[1] - 0.42), rim), foot, 0.05)


def car(p):
    """The body of a small car: it stands on y = 0, looks along +x."""
    x, y, z = p[0], p[1], abs(p[2])
    d = round_box((x, y, z), (0, 0.24, 0), (0.74, 0.15, 0.30), 0.09)
    cabin = round_box((x + 0.35 * (y - 0.45) * (1 if x > 0 else -0.6), y, z + 0.25 * (y - 0.4)),
                      (-0.08, 0.45, 0), (0.36, 0.16, 0.27), 0.08)
    d = smooth_minimum(d, cabin, 0.08)
    for wx in (-0.44, 0.46):
        wheel = max(math.hypot(x - wx, y - 0.13) - 0.135, abs(z - 0.27) - 0.06)
        arch = max(math.hypot(x - wx, y - 0.13) - 0.17, abs(z - 0.30) - 0.09)
        d = min(max(d, -arch), wheel)
        d = min(d, max(math.hypot(x - wx, y - 0.13) - 0.05, z - 0.3))
    for side in (-1, 1):
        d = smooth_minimum(d, ball((x, y, p[2]), (0.70, 0.28, 0.2 * side), (0.06, 0.055, 0.06)), 0.02)
    return d


def path(p, places, radii):
    """Limbs one behind the other through `places`."""
    return min(limb(p, places[n], places[n + 1], radii[n], radii[n + 1]) for n in range(len(places) - 1))


def rabbit(p):
    """A rabbit that sits on y = 0 and looks along +x, with its ears up."""
    x, y, z = p[0], p[1], abs(p[2])
    m = (x, y, z)
    d = ball(p, (-0.05, 0.27, 0), (0.33, 0.25, 0.23))                                               # back
    d = smooth_minimum(d, ball(p, (0.17, 0.34, 0), (0.19, 0.22, 0.17)), 0.1)                        # chest
    d = smooth_minimum(d, ball(p, (0.28, 0.60, 0), (0.19, 0.16, 0.145)), 0.08)                      # head
    d = smooth_minimum(d, ball(p, (0.40, 0.55, 0), (0.09, 0.075, 0.085)), 0.05)                     # muzzle
    d = smooth_minimum(d, path(m, [(0.20, 0.68, 0.06), (0.12, 0.88, 0.09), (0.05, 1.04, 0.11)],
                               [0.055, 0.07, 0.055]), 0.04)                                          # ears
    d = smooth_minimum(d, ball(m, (-0.14, 0.18, 0.16), (0.20, 0.17, 0.11)), 0.05)                   # haunches
    d = smooth_minimum(d, path(m, [(-0.12, 0.06, 0.17), (0.0, 0.055, 0.18)], [0.065, 0.055]), 0.04)  # hind feet
    d = smooth_minimum(d, path(m, [(0.26, 0.25, 0.09), (0.33, 0.06, 0.09)], [0.075, 0.055]), 0.05)    # fore legs
    d = smooth_minimum(d, ball(p, (-0.38, 0.26, 0), (0.09, 0.09, 0.09)), 0.04)                      # tail
    return max(d, 0.006 - y)


def dragon(p):
    """A long dragon in waves along x, with four legs, a crest, horns and a tail that ends in a point."""
    x, y, z = p[0], p[1], abs(p[2])
    wave = [(-0.98, 0.46), (-0.82, 0.30), (-0.62, 0.25), (-0.42, 0.36), (-0.22, 0.46), (0.0, 0.42), (0.20, 0.34),
            (0.38, 0.38), (0.50, 0.54), (0.60, 0.72)]
    wide = [0.02, 0.05, 0.08, 0.11, 0.13, 0.14, 0.14, 0.12, 0.10, 0.09]
    d = path(p, [(a, b, 0) for a, b in wave], wide)
    d = smooth_minimum(d, ball(p, (0.72, 0.78, 0), (0.17, 0.11, 0.115)), 0.06)                      # head
    d = smooth_minimum(d, ball(p, (0.87, 0.74, 0), (0.12, 0.07, 0.085)), 0.05)                      # snout
    m = (x, y, z)
    d = smooth_minimum(d, path(m, [(0.66, 0.85, 0.06), (0.54, 0.95, 0.09), (0.44, 0.98, 0.11)],
                               [0.04, 0.03, 0.02]), 0.03)                                           # horns
    for at, up in ((0.26, 0.34), (-0.26, 0.40)):
        d = smooth_minimum(d, path(m, [(at, up, 0.09), (at + 0.04, 0.20, 0.17), (at + 0.01, 0.05, 0.18),
                                       (at + 0.11, 0.045, 0.18)], [0.085, 0.065, 0.05, 0.045]), 0.05)
    for n in range(1, len(wave) - 1):
        a, b = wave[n]
        d = smooth_minimum(d, limb(p, (a, b + 0.6 * wide[n], 0), (a - 0.05, b + wide[n] + 0.06, 0), 0.04, 0.015), 0.03)
    return max(d, 0.004 - y)


def teapot(p):
    """A full-bellied teapot on y = 0: a body of revolution with a lid, a spout along +x and a handle along -x."""
    x, y, z = p[0], p[1], abs(p[2])
    r, m = math.hypot(x, z), (x, y, z)
    d = ball(p, (0, 0.33, 0), (0.42, 0.30, 0.42))                                                   # belly
    d = smooth_minimum(d, max(r - 0.27, abs(y - 0.045) - 0.045), 0.08)                              # foot
    d = smooth_minimum(d, math.hypot(r - 0.25, y - 0.59) - 0.035, 0.03)                             # collar
    d = smooth_minimum(d, ball(p, (0, 0.60, 0), (0.225, 0.085, 0.225)), 0.012)                      # lid
    d = smooth_minimum(d, ball(p, (0, 0.735, 0), (0.062, 0.058, 0.062)), 0.035)                     # knob
    t = [n / 9.0 for n in range(10)]
    curve = [(0.26 + 0.60 * c - 0.14 * c * c, 0.22 + 0.05 * c + 0.37 * c * c, 0) for c in t]
    spout = path(m, curve, [0.145 - 0.135 * c + 0.062 * c * c for c in t])
    spout = max(spout, y - 0.60, -ball(m, (0.712, 0.61, 0), (0.04, 0.05, 0.04)))
    d = smooth_minimum(d, spout, 0.06)
    t = [math.pi * (0.30 + 1.36 * n / 15.0) for n in range(16)]
    handle = path(m, [(-0.42 + 0.25 * math.cos(c), 0.345 + 0.195 * math.sin(c), 0) for c in t], [0.05] * 16)
    d = smooth_minimum(d, handle, 0.05)
    return d


SHAPES = {  # distance, low, cells, m a cell
    "octopus": (octopus, (-1.02, -0.04, -1.02), (68, 34, 68), 0.03),
    "rope": (rope, (-0.9, -0.15, -0.15), (90, 15, 15), 0.02),
    "spoon": (spoon, (-0.86, -0.17, -0.24), (125, 20, 37), 0.013),
    "dish": (dish, (-0.5, -0.05, -0.5), (46, 26, 46), 0.022),
    "rabbit": (rabbit, (-0.54, -0.06, -0.36), (46, 52, 32), 0.0235),
    "dragon": (dragon, (-1.06, -0.06, -0.30), (96, 53, 30), 0.0216),
    "teapot": (teapot, (-0.76, -0.05, -0.48), (80, 43, 48), 0.02),
    "car": (car, (-0.84, -0.05, -0.4), (68, 29, 32), 0.025),
}
BOXES = {  # sides in m, squares along them
    "bar": ((1.2, 0.16, 0.16), (60, 8, 8)),
    "mat": ((1.2, 0.05, 1.2), (48, 2, 48)),
    "slab": ((0.6, 0.36, 0.6), (24, 14, 24)),
}

if __name__ == "__main__":
    name = sys.argv[1]
    mesh = box(*BOXES[name]) if name in BOXES else surface(*SHAPES[name])
    print_obj("A soft body, made by assets/make_soft.py of the Limber project", *mesh)
