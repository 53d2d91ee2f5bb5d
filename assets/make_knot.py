#!/usr/bin/env python3
"""Writes knot.obj, a ribbon laid in a loose overhand knot, its ends along x: python3 assets/make_knot.py > assets/knot.obj

The centre line is the long trefoil of Shastri (1992), (t^3 - 3t, t^4 - 4t^2, t^5 - 10t), scaled axis by axis;
the ribbon's width follows by parallel transport, so that it has no twist of its own. Lengths in m."""
import math

ACROSS, WIDTH = 4, 0.06
SPACING = WIDTH / (ACROSS - 1)
SPAN = 2.1  # of the parameter
SCALE = (0.2, 0.1, 0.03)


def curve(t):
    return (SCALE[2] * (t**5 - 10 * t), SCALE[1] * (t**4 - 4 * t**2), SCALE[0] * (t**3 - 3 * t))


def sub(a, b):
    return [p - q for p, q in zip(a, b)]


def dot(a, b):
    return sum(p * q for p, q in zip(a, b))


def unit(a):
    length = math.sqrt(dot(a, a))
    return [p / length for p in a]


def evenly(points, spacing):
    """Points a whole number of equal steps apart along the polyline."""
    way = [0.0]
    for a, b in zip(points, points[1:]):
        way.append(way[-1] + math.dist(a, b))
    steps, out, k = round(way[-1] / spacing), [], 0
    for i in range(steps + 1):
        s = way[-1] * i / steps
        while k + 2 < len(way) and way[k + 1] < s:
            k += 1
        f = (s - way[k]) / (way[k + 1] - way[k])
        out.append([p + f * (q - p) for p, q in zip(points[k], points[k + 1])])
    return out


def line():
    points = [curve(-SPAN + 2 * SPAN * i / 20000) for i in range(20001)]
    return evenly(points, SPACING)


def across(points):
    """The direction of the width at every point: what is left of the last one across the new tangent."""
    tangents = [unit(sub(points[min(i + 1, len(points) - 1)], points[max(i - 1, 0)])) for i in range(len(points))]
    width = [0.0, 0.0, 1.0]
    for tangent in tangents:
        along = dot(width, tangent)
        width = unit([w - along * t for w, t in zip(width, tangent)])
        yield width


def main():
    points = line()
    for p, width in zip(points, across(points)):
        for j in range(ACROSS):
            offset = (j - (ACROSS - 1) / 2) * SPACING
            print("v %.5f %.5f %.5f" % tuple(c + offset * w for c, w in zip(p, width)))
    for i in range(len(points) - 1):
        for j in range(ACROSS - 1):
            a = i * ACROSS + j + 1
            b, c, d = a + 1, a + ACROSS, a + ACROSS + 1
            faces = [(a, c, b), (b, c, d)] if (i + j) % 2 else [(a, c, d), (a, d, b)]
            for face in faces:
                print("f %d %d %d" % face)


main()
