#!/usr/bin/env python3
"""Writes boat.obj, the convex hull of a sailing boat: python3 assets/make_boat.py > assets/boat.obj

1.2 m long along x, bow at +x, deck at y = 0.12, keel at y = -0.10. Standard library only, the same bytes every time.
"""
STATIONS = 13  # cuts across the boat


def main():
    rows = []
    for n in range(STATIONS):
        s = 2.0 * n / (STATIONS - 1) - 1.0
        full = max(0.0, 1.0 - abs(s) ** 2.4)                      # 1 amidships, 0 at bow and stern
        x = 0.6 * s
        deck, keel = 0.10 + 0.03 * s * s, -0.10 + 0.13 * abs(s) ** 3
        half = 0.19 * full ** 0.8
        rows.append([(x, deck, half), (x, 0.45 * deck + 0.55 * keel, 0.86 * half), (x, keel + 0.02 * full, 0.45 * half),
                     (x, keel, 0.0), (x, keel + 0.02 * full, -0.45 * half), (x, 0.45 * deck + 0.55 * keel, -0.86 * half),
                     (x, deck, -half)])
    print("# The hull of a sailing boat, made by assets/make_boat.py of the Limber project")
    for row in rows:
        for p in row:
            print("v " + " ".join(f"{round(c, 6) + 0.0:.6f}" for c in p))
    wide = len(rows[0])
    for n in range(STATIONS - 1):
        for k in range(wide):
            a, b = n * wide + k + 1, n * wide + (k + 1) % wide + 1
            print(f"f {a} {b} {b + wide} {a + wide}")


if __name__ == "__main__":
    main()
