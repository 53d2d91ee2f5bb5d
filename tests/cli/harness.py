"""The program under test, and what the tests of the command line share. Its path is the first argument."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest

LIMBER = os.path.abspath(sys.argv.pop(1))
ROOT = pathlib.Path(__file__).resolve().parents[2]
SCENE = "cloth_drape_sphere"
SLOW_RUN = ["run", SCENE, "--frames", "1000000"]  # hours: whatever returns at once did not simulate


def table_rows(text):
    """The first cells of the rows of a page's table in Markdown, without its head."""
    cells = [re.split(r"(?<!\\)\|", line)[1].strip() for line in text.splitlines() if line.startswith("| ")]
    return [cell.replace("\\|", "|") for cell in cells[1:]]


def limber(*arguments, timeout=300, **options):
    return subprocess.run([LIMBER, *map(str, arguments)], capture_output=True, text=True, timeout=timeout,
                          stdin=subprocess.DEVNULL, **options)


def has_double():
    """Whether the program was built with LIMBER_DOUBLE_PRECISION."""
    return any(line.split() == ["precision", "f32,", "f64"] for line in limber("--version").stdout.splitlines())


class CommandLine(unittest.TestCase):
    """A folder of its own for each test, and runs of the program."""

    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.folder = pathlib.Path(self._folder.name)

    def run_ok(self, *arguments, **options):
        result = limber(*arguments, **options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def report_of(self, *arguments):
        path = self.folder / "report.json"
        self.run_ok("run", *arguments, "--report", path)
        return json.loads(path.read_text())

    def small_scene(self, name="scene.json", **more):
        scene = {"format": 1, "objects": {"cloth": {"type": "cloth", "columns": 5, "rows": 5, "position": [0, 1, 0]}}}
        path = self.folder / name
        path.write_text(json.dumps({**scene, **more}, indent=1))
        return path

    def start(self, *arguments):
        """A run in the background that has opened its files and is simulating."""
        process = subprocess.Popen([LIMBER, *map(str, arguments)], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        self.addCleanup(lambda: process.poll() is None and process.kill())
        deadline = time.monotonic() + 20
        while not any(".part" in entry.name for entry in self.folder.iterdir()) and time.monotonic() < deadline:
            time.sleep(0.02)
        time.sleep(0.3)
        self.assertIsNone(process.poll())
        return process
