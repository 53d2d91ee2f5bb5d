#!/usr/bin/env python3
"""Plots the front of a dam break beside what Martin and Moyce measured in 1952.

    dam_plot.py [LIMBER [OUT.svg]]     default: build/release/limber, assets/figures/dam_break_front.svg

Time is t* = t sqrt(2 g / a), the front Z* = z / a, of a column of width a and height 2 a. Both come from the table of
`limber validate`, which has the measured points (J. C. Martin and W. J. Moyce, "An Experimental Study of the Collapse of
Liquid Columns on a Rigid Horizontal Plane", Phil. Trans. R. Soc. A 244, 1952) and runs the same column.
"""
import csv
import pathlib
import re
import subprocess
import sys
import tempfile

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 560, 380, 60, 24, 24, 52
LAST_TIME, LAST_FRONT = 10, 15
ROW = re.compile(r"dam break, front at t sqrt\(2g/a\) = ([0-9.]+)")


def fronts(limber):
    """(t*, measured Z*, Z* of the simulation), by time."""
    with tempfile.TemporaryDirectory() as folder:
        table = pathlib.Path(folder) / "validation.csv"
        subprocess.run([limber, "validate", "--csv", table], check=True, stdout=subprocess.DEVNULL)
        rows = list(csv.DictReader(table.open()))
    found = [(ROW.match(row["case"]), row) for row in rows]
    points = [(float(match[1]), float(row["expected"]), float(row["got"])) for match, row in found if match]
    if not points:
        sys.exit("limber validate has no fronts of a dam break")
    return points


def x(time):
    return LEFT + WIDTH * time / LAST_TIME


def y(front):
    return TOP + HEIGHT * (1 - front / LAST_FRONT)


def grid():
    out = []
    for time in range(0, LAST_TIME + 1):
        out += [f'<line x1="{x(time):.1f}" y1="{TOP}" x2="{x(time):.1f}" y2="{TOP + HEIGHT}" stroke="#dddddd"/>',
                f'<text x="{x(time):.1f}" y="{TOP + HEIGHT + 18}" text-anchor="middle">{time}</text>']
    for front in range(0, LAST_FRONT + 1, 3):
        out += [f'<line x1="{LEFT}" y1="{y(front):.1f}" x2="{LEFT + WIDTH}" y2="{y(front):.1f}" stroke="#dddddd"/>',
                f'<text x="{LEFT - 8}" y="{y(front) + 4:.1f}" text-anchor="end">{front}</text>']
    return out + [f'<rect x="{LEFT}" y="{TOP}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#555555"/>',
                  f'<text x="{LEFT + WIDTH / 2}" y="{TOP + HEIGHT + 40}" text-anchor="middle">t* = t sqrt(2 g / a)</text>',
                  f'<text x="{LEFT - 34}" y="{TOP + HEIGHT / 2}" text-anchor="middle" '
                  f'transform="rotate(-90 {LEFT - 34} {TOP + HEIGHT / 2})">Z* = z / a</text>']


def plot(points):
    worst = max(abs(got / measured - 1) for _, measured, got in points)
    curve = " ".join(f"{x(time):.1f},{y(got):.1f}" for time, _, got in [(0, 1, 1), *points])
    width, height = LEFT + WIDTH + RIGHT, TOP + HEIGHT + BOTTOM
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="13">',
           f'<rect width="{width}" height="{height}" fill="white"/>', *grid(),
           f'<polyline points="{curve}" fill="none" stroke="#1b6ca8" stroke-width="2"/>']
    out += [f'<circle cx="{x(time):.1f}" cy="{y(measured):.1f}" r="4" fill="none" stroke="#c1440e" stroke-width="2"/>'
            for time, measured, _ in points]
    out += [f'<line x1="{LEFT + 16}" y1="{TOP + 20}" x2="{LEFT + 40}" y2="{TOP + 20}" stroke="#1b6ca8" stroke-width="2"/>',
            f'<text x="{LEFT + 48}" y="{TOP + 24}">Limber, 1,200 particles: at most {100 * worst:.1f} % off</text>',
            f'<circle cx="{LEFT + 28}" cy="{TOP + 42}" r="4" fill="none" stroke="#c1440e" stroke-width="2"/>',
            f'<text x="{LEFT + 48}" y="{TOP + 46}">Martin and Moyce 1952, a = 2.25 in</text>']
    return "\n".join(out + ["</svg>"]) + "\n"


def main():
    root = pathlib.Path(__file__).resolve().parents[1]
    limber = sys.argv[1] if len(sys.argv) > 1 else root / "build/release/limber"
    out = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else root / "assets/figures/dam_break_front.svg"
    out.write_text(plot(fronts(limber)))
    print(out, out.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
