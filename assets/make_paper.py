"""Writes the wings of paper planes and of a kite, and the canopy of the parachute: python3 assets/make_paper.py"""
import math
import pathlib

HERE = pathlib.Path(__file__).parent


def write(name, about, points, faces):
    with open(HERE / name, "w", encoding="utf-8") as file:
        file.write(f"# {about}; made by make_paper.py\n")
        for x, y, z in points:
            file.write(f"v {x:.6g} {y:.6g} {z:.6g}\n")
        for face in faces:
            file.write("f " + " ".join(str(corner + 1) for corner in face) + "\n")


def prism(outline, half, axis):
    """A flat outline in the plane across the axis (1: x and z, 2: x and y), as thick as twice `half`."""
    def point(u, v, w):
        return (u, w, v) if axis == 1 else (u, v, w)
    count = len(outline)
    points = [point(u, v, -half) for u, v in outline] + [point(u, v, half) for u, v in outline]
    faces = [tuple(reversed(range(count))), tuple(range(count, 2 * count))]
    faces += [(i, (i + 1) % count, (i + 1) % count + count, i + count) for i in range(count)]
    return points, faces


def wing(side):
    """The half of a dart: 28 cm from nose to tail, 9 cm out, of folded paper."""
    return prism([(0.14, 0.0), (-0.14, 0.0), (-0.14, side * 0.09), (-0.10, side * 0.09)], 0.00015, 1)


def wing_of_kite(side):
    """Half of a diamond kite: 0.9 m long, its spar 0.25 m behind the nose."""
    return prism([(0.25, 0.0), (-0.65, 0.0), (0.0, side * 0.4)], 0.0008, 1)


def canopy(rings=14, gores=12, radius=0.95):
    """A round canopy with a vent, packed: every gore is folded along its middle, so that it opens without stretching.
    The last ring is the rim, on which the lines hang: outer and inner corners of the folds in turn."""
    sectors = 2 * gores
    cosine = math.cos(math.pi / gores)
    folded, height, before, points = 0.35, 0.0, None, []
    for ring in range(rings + 1):
        share = 0.07 + 0.93 * ring / rings
        half_gore = 2.0 * math.pi * radius * math.sin(share * 0.5 * math.pi) / sectors
        outer = half_gore / math.sqrt(1.0 + folded * folded - 2.0 * folded * cosine)
        if before is not None:
            along = radius * 0.5 * math.pi * 0.93 / rings
            height -= math.sqrt(along * along - (outer - before) ** 2)
        before = outer
        for sector in range(sectors):
            turn = 2.0 * math.pi * sector / sectors
            out = outer if sector % 2 == 0 else folded * outer
            points.append((out * math.cos(turn), height, out * math.sin(turn)))
    faces = []
    for ring in range(rings):
        for sector in range(sectors):
            a, b = ring * sectors + sector, ring * sectors + (sector + 1) % sectors
            c, d = a + sectors, b + sectors
            faces += [(a, b, d), (a, d, c)] if (ring + sector) % 2 else [(a, b, c), (b, d, c)]
    return points, faces


if __name__ == "__main__":
    write("paper_wing_left.obj", "Left wing of a paper dart", *wing(-1))
    write("paper_wing_right.obj", "Right wing of a paper dart", *wing(1))
    write("paper_keel.obj", "Keel of a paper dart", *prism([(0.14, 0.0), (0.09, -0.03), (-0.14, -0.035), (-0.14, 0.0)], 0.0003, 2))
    write("kite_left.obj", "Left half of a kite", *wing_of_kite(-1))
    write("kite_right.obj", "Right half of a kite", *wing_of_kite(1))
    write("canopy.obj", "Packed canopy of a parachute", *canopy())
