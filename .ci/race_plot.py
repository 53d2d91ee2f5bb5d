#!/usr/bin/env python3
"""Plots the race of the methods: what is left of F after each iteration, and after each millisecond.

    race_plot.py [LIMBER [OUT.svg]]     default: build/release/limber, assets/figures/method_race.svg

One step of the scene `method_race` from the same predicted positions for all: the cloth, held at a corner, is thrown. F is
the function of implicit Euler, F* the least that Newton's method finds. XPBD and its kin end near it, not at it.
"""
import csv
import math
import pathlib
import subprocess
import sys
import tempfile

METHODS = ["xpbd", "jacobi", "chebyshev", "hybrid", "projective", "newton", "descent"]
COLORS = ["#1b6ca8", "#c1440e", "#d99a00", "#6a4c93", "#2a9d63", "#222222", "#8a8a8a"]
ITERATIONS = 400
WIDTH, HEIGHT, LEFT, TOP, BOTTOM, GAP = 460, 360, 64, 40, 48, 90
LEAST = 1e-8  # of F at the start


def is_drawn(iteration):
    """Some twenty for each doubling."""
    return iteration > 0 and iteration % max(1, iteration // 20) == 0


def race(limber):
    with tempfile.TemporaryDirectory() as folder:
        trace = pathlib.Path(folder) / "trace.csv"
        command = [limber, "run", "method_race", "--frames", "1", "--threads", "1", "--precision", "f64", "--trace", trace,
                   "--set", "solver.substeps=1", "--set", f"solver.iterations={ITERATIONS}",
                   "--set", "objects.cloth.velocity=0,0,1", "--set", "objects.cloth.jitter=0.003"]
        for method in METHODS:
            fewer = " solver.iterations=40" if method == "newton" else ""
            command += ["--compare", f"solver.method={method}{fewer}"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        rows = list(csv.DictReader(trace.open()))
    names = list(dict.fromkeys(row["variant"] for row in rows))
    curves = [[(int(row["iteration"]), float(row["ms"]), float(row["objective"])) for row in rows if row["variant"] == name]
              for name in names]
    least = min(f for curve in curves for _, _, f in curve)
    start = curves[0][0][2] - least
    return [[(i, ms, max((f - least) / start, LEAST)) for i, ms, f in curve if is_drawn(i)] for curve in curves]


class Panel:
    def __init__(self, left, title, x_title, low, high):
        self.left, self.low, self.high = left, math.log10(low), math.log10(high)
        self.out = [f'<text x="{left + WIDTH / 2}" y="{TOP - 14}" text-anchor="middle" font-weight="bold">{title}</text>',
                    f'<text x="{left + WIDTH / 2}" y="{TOP + HEIGHT + 38}" text-anchor="middle">{x_title}</text>']
        for power in range(math.floor(self.low), math.ceil(self.high) + 1):
            if self.low <= power <= self.high:
                x = self.x(10.0 ** power)
                self.line(x, TOP, x, TOP + HEIGHT, "#dddddd")
                self.out.append(f'<text x="{x:.1f}" y="{TOP + HEIGHT + 18}" text-anchor="middle">{10.0 ** power:g}</text>')
        for power in range(round(math.log10(LEAST)), 1, 2):
            y = self.y(10.0 ** power)
            self.line(left, y, left + WIDTH, y, "#dddddd")
            self.out.append(f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">1e{power}</text>')
        self.out.append(f'<rect x="{left}" y="{TOP}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#555555"/>')

    def x(self, value):
        return self.left + WIDTH * (math.log10(value) - self.low) / (self.high - self.low)

    def y(self, value):
        return TOP + HEIGHT * math.log10(value) / math.log10(LEAST)

    def line(self, x0, y0, x1, y1, color):
        self.out.append(f'<line x1="{x0:.1f}" y1="{y0:.1f}" x2="{x1:.1f}" y2="{y1:.1f}" stroke="{color}"/>')

    def curve(self, points, color):
        path = " ".join(f"{self.x(x):.1f},{self.y(min(y, 1.0)):.1f}" for x, y in points)
        self.out.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2"/>')


def plot(curves):
    right = LEFT + WIDTH + GAP
    times = [ms for curve in curves for _, ms, _ in curve]
    panels = [Panel(LEFT, "(F - F*) / (F at the start - F*)", "iterations", 1, ITERATIONS),
              Panel(right, "the same, by time", "ms, one thread, double", min(times), max(times))]
    for curve, color in zip(curves, COLORS):
        panels[0].curve([(i, f) for i, _, f in curve], color)
        panels[1].curve([(ms, f) for _, ms, f in curve], color)
    width, height = right + WIDTH + 130, TOP + HEIGHT + BOTTOM
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="13">',
           f'<rect width="{width}" height="{height}" fill="white"/>']
    for panel in panels:
        out += panel.out
    for k, (name, color) in enumerate(zip(METHODS, COLORS)):
        y = TOP + 12 + 22 * k
        out += [f'<line x1="{right + WIDTH + 14}" y1="{y}" x2="{right + WIDTH + 38}" y2="{y}" stroke="{color}" stroke-width="3"/>',
                f'<text x="{right + WIDTH + 44}" y="{y + 4}">{name}</text>']
    return "\n".join(out + ["</svg>"]) + "\n"


def main():
    root = pathlib.Path(__file__).resolve().parents[1]
    limber = sys.argv[1] if len(sys.argv) > 1 else root / "build/release/limber"
    out = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else root / "assets/figures/method_race.svg"
    out.write_text(plot(race(limber)))
    print(out, out.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
