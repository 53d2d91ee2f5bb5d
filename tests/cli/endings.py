"""Runs that are interrupted or cannot write: no half-written file, and the right exit status."""
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import tempfile

from harness import LIMBER, SCENE, SLOW_RUN, CommandLine, limber


class Endings(CommandLine):
    def test_unwritable_output_fails_before_simulating(self):
        (self.folder / "taken").mkdir()
        for option, suffix in (("--report", ".json"), ("--series", ".csv"), ("--screenshot", ".png")):
            for path in (self.folder / "missing" / f"x{suffix}", self.folder / "taken"):
                with self.subTest(f"{option} {path.name}"):
                    result = limber(*SLOW_RUN, option, path, timeout=20)
                    self.assertEqual(result.returncode, 2)
                    self.assertIn(option, result.stderr)
                    self.assertIn(str(path), result.stderr)
        self.assertEqual([entry.name for entry in self.folder.iterdir()], ["taken"])

    def test_full_disk_is_reported_and_keeps_the_device(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        self.assertEqual(limber("run", SCENE, "--frames", 1, "--report", "/dev/full").returncode, 2)
        self.assertFalse(os.path.isfile("/dev/full"))

    def test_a_full_disk_ends_in_one_message_and_no_half_file(self):
        """A limit on the size of files stands for the disk: it hits the same calls at the same places."""
        frames, size = ("--frames", 8), ["--size", "320x240", "--samples", "1"]
        cases = [  # what is written, the limit in bytes, what may be left
            (["--report", "report.json"], 100, []),
            (["--series", "series.csv"], 500, []),
            (["--screenshot", "picture.png", *size], 5000, []),
            (["--export", "meshes"], 20000, ["meshes"]),
            (["--export", "out.usda"], 20000, []),
            (["--export", "out.glb"], 20000, []),
            (["--export", "out.vtu"], 20000, []),
            (["--export", "out.ply"], 20000, []),
            (["--export", "out.npz"], 20000, []),
            (["--video", "pictures/", *size], 5000, ["pictures"]),
        ]
        if shutil.which("ffmpeg"):
            cases.append((["--video", "clip.mp4", *size], 2000, ["clip_part.mp4"]))
        for option, limit, left in cases:
            with self.subTest(" ".join(option)), tempfile.TemporaryDirectory() as folder:
                result = limber("run", SCENE, *frames, *option, cwd=folder, preexec_fn=lambda: resource.setrlimit(
                    resource.RLIMIT_FSIZE, (limit, limit)))
                self.assertEqual(result.returncode, 2, result.stderr)
                message = [line for line in result.stderr.splitlines() if line]
                self.assertEqual(len(message), 1, result.stderr)
                self.assertIn(os.path.splitext(option[1].rstrip("/"))[0], message[0])
                self.assertEqual(sorted(os.listdir(folder)), left)
                for path in pathlib.Path(folder).glob("*/*"):
                    self.fail(f"{path} is there although it has more than {limit} bytes")

    def test_interrupt_ends_the_run_and_still_writes_the_report(self):
        path = self.folder / "report.json"
        for sent in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            process = self.start(*SLOW_RUN, "--report", path)
            process.send_signal(sent)
            self.assertEqual(process.wait(timeout=30), 130, sent)
            report = json.loads(path.read_text())
            self.assertTrue(0 <= report["frames"] < 1000000)
            path.unlink()

    def test_an_output_never_replaces_what_is_run(self):
        scene = self.folder / "mine.json"
        listed = json.loads(limber("list", "--json").stdout)
        shutil.copy(next(entry["file"] for entry in listed if entry["name"] == "spring_chain"), scene)
        before = scene.read_text()
        other_name = self.folder / "linked.json"
        other_name.symlink_to(scene)
        for output in (scene, other_name):
            result = limber("run", scene, "--frames", 1, "--report", output)
            self.assertEqual(result.returncode, 2)
            self.assertIn("would overwrite", result.stderr)
        window = limber(scene, "--record-input", other_name)
        self.assertEqual(window.returncode, 2)
        self.assertIn("would overwrite", window.stderr)
        self.assertEqual(scene.read_text(), before)

    def test_a_full_standard_output_is_a_failure(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        for arguments in (["list"], ["schema"], ["run", SCENE, "--frames", "1"]):
            with open("/dev/full", "w") as full:
                result = subprocess.run([LIMBER, *arguments], stdout=full, stderr=subprocess.PIPE, text=True)
            self.assertEqual(result.returncode, 1, arguments)
            self.assertIn("standard output", result.stderr)

    def test_a_killed_run_leaves_no_half_file(self):
        path = self.folder / "report.json"
        path.write_text("the old report")
        process = self.start(*SLOW_RUN, "--report", path)
        process.kill()
        process.wait(timeout=30)
        self.assertEqual(path.read_text(), "the old report")
