#!/usr/bin/env python3
"""The command line as scripts see it: exit statuses, messages, reports, and no half-written file.

    cli_test.py LIMBER [unittest options]
"""
import ast
import csv
import json
import math
import os
import pathlib
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import zipfile
import zlib

LIMBER = os.path.abspath(sys.argv.pop(1))
ROOT = pathlib.Path(__file__).resolve().parents[2]
SCENE = "cloth_drape_sphere"
SLOW_RUN = ["run", SCENE, "--frames", "1000000"]  # hours: whatever returns at once did not simulate

# What the report promises, in words of JSON; {} may be empty.
CONTRACT = {
    "scene": str, "frames": int, "dt": float, "substeps": int, "substeps_chosen": bool, "iterations": int, "method": str,
    "method_limits": list, "precision": str,
    "simd": str, "threads": int, "threads_at_work": int, "seed": int, "set": dict, "particles": int, "triangles": int, "tets": int, "bodies": int,
    "constraints": dict, "phases": dict, "contacts": ["mean", "max"],
    "wall_ms": ["min", "median", "p95", "max", "total"], "stages_ms": dict, "kinetic_energy": float,
    "potential_energy": float, "momentum": list, "angular_momentum": list, "strain": ["mean", "max"],
    "object_strain": dict, "residual": dict, "volume_ratio": dict, "tie_force": dict, "end_force": dict, "end_torque": dict, "volume_error_max": float,
    "intersections": int, "last_intersection": float, "in_zones": float, "elastic_energy": float, "inverted_tets": int, "plastic_strain_max": float, "tears": int, "joint_error_max": float,
    "broken_joints": int, "tie_gap_max": float, "tie_force_max": float, "broken_ties": int, "rod_segments": int, "rod_tension_max": float, "rod_bend_energy": float,
    "rod_twist_energy": float, "end_force_max": float, "end_torque_max": float, "rod_link": float, "rod_twist": float, "rod_writhe": float,
    "sleeping_bodies": int, "spin_max": float, "penetration_max": float, "grain_slope": float,
    "density_error": ["mean", "max"], "fluid_gap": float, "spray": int, "fluid_particles": int, "emitted": int, "drained": int, "lost": int,
    "heat": float, "heat_supplied": float, "temperature": ["mean", "max"], "molten_share": float, "chunks": int,
    "phase_changes": int, "heat_substeps": int, "heat_reached": float, "air_force": list, "drag": float, "lift": float,
    "mean_speed": float, "max_speed": float, "nonfinite": int, "at_rest": bool, "places": dict, "state_hash": str,
}
UNWATCHED = ("--set", "solver.cloth_collision=false")  # crossings are counted once a second then
# null in the report of five such frames of cloth: nothing there for them, or not counted yet
NOT_MEASURED = {"volume_error_max", "intersections", "last_intersection", "joint_error_max", "tie_gap_max", "tie_force_max",
                "rod_tension_max", "rod_bend_energy", "rod_twist_energy", "end_force_max", "end_torque_max", "rod_link", "rod_twist", "rod_writhe", "spin_max", "grain_slope",
                "density_error", "fluid_gap", "heat", "heat_supplied", "temperature", "molten_share", "chunks", "phase_changes",
                "heat_substeps", "heat_reached", "air_force", "drag", "lift"}


def table_rows(text):
    """The first cells of the rows of a page's table in Markdown, without its head."""
    cells = [re.split(r"(?<!\\)\|", line)[1].strip() for line in text.splitlines() if line.startswith("| ")]
    return [cell.replace("\\|", "|") for cell in cells[1:]]


# Arguments, exit status, what standard error must say.
BAD_INPUT = [
    (["run"], ["SCENE"]),
    (["run", "no_such_scene"], ["no_such_scene"]),
    (["run", SCENE[:-1]], [SCENE[:-1], f"did you mean '{SCENE}'"]),
    (["run", "missing.json"], ["missing.json"]),
    (["run", "missing.obj"], ["missing.obj"]),
    (["rnu", SCENE], ["rnu", "did you mean 'run'"]),
    (["run", SCENE, "extra"], ["extra"]),
    (["run", SCENE, "--frmaes", "3"], ["--frmaes", "did you mean '--frames'"]),
    (["list", "--jsno"], ["--jsno", "did you mean '--json'"]),
    (["run", SCENE, "--frames", "0"], ["--frames", "'0'"]),
    (["run", SCENE, "--frames", "-5"], ["--frames"]),
    (["run", SCENE, "--frames", "1e18"], ["--frames", "1e18"]),
    (["run", SCENE, "--frames", "99999999999999999999"], ["--frames"]),
    (["run", SCENE, "--frames", "ten"], ["--frames", "ten"]),
    (["run", SCENE, "--frames"], ["--frames needs a value: --frames N"]),
    (["run", SCENE, "--set"], ["--set needs a value: --set PATH=VALUE", "--set solver.substeps=20"]),
    ([SCENE, "--set"], ["--set needs a value: --set PATH=VALUE"]),
    (["frobnicate"], ["no scene 'frobnicate' ('limber list' names all scenes, 'limber --help' the commands)"]),
    (["run", SCENE, "--frames", "3", "--seconds", "1"], ["--frames", "--seconds"]),
    (["run", SCENE, "--pictured", "--seconds", "1"], ["--pictured", "--seconds"]),
    (["run", SCENE, "--seconds", "nan"], ["--seconds", "nan"]),
    (["run", SCENE, "--seconds", "-1"], ["--seconds"]),
    (["run", SCENE, "--seconds", "1000000"], ["--seconds", "frames"]),
    (["run", SCENE, "--threads", "0"], ["--threads", "256"]),
    (["run", SCENE, "--threads", "100000"], ["--threads", "256"]),
    (["run", SCENE, "--simd", "5"], ["--simd", "5", "scalar"]),
    (["run", SCENE, "--precision", "f16"], ["--precision", "f16", "f32"]),
    (["run", SCENE, "--seed", "-1"], ["--seed"]),
    (["run", SCENE, "--trace", "a.csv", "--trace-frames", "2,x"], ["--trace-frames", "'2,x'"]),
    (["run", SCENE, "--trace-frames", "2"], ["--trace"]),
    (["run", SCENE, "--size", "1x1"], ["--size", "16", "8192"]),
    (["run", SCENE, "--size", "wide"], ["--size", "wide"]),
    (["run", SCENE, "--size", "640x480x2"], ["--size"]),
    (["run", SCENE, "--stage", "nite", "--screenshot", "a.png"], ["unknown stage 'nite'", "night"]),
    (["run", SCENE, "--samples", "0"], ["--samples", "1", "4096"]),
    (["run", SCENE, "--set", "solver.substeps"], ["--set", "path=value"]),
    (["run", SCENE, "--set", "solver.substps=3"], ["--set", "did you mean 'solver.substeps'"]),
    (["run", SCENE, "--set", "solver.substeps=0"], ["--set", "substeps"]),
    (["run", SCENE, "--set", "solver.substeps=many"], ["--set", "many"]),
    (["run", SCENE, "--set", "solver.dt=nan"], ["--set", "dt"]),
    (["run", SCENE, "--set", "solver.dt=0.2"], ["--set solver.dt:", "0.2", "0.0001 to 0.1 s"]),
    (["run", SCENE, "--set", "solver.damping=1e400"], ["'damping' = 1e400 is out of range (0 to 1 1/s)"]),
    (["run", SCENE, "--set", "solver.substeps=1e9"], ["'substeps' = 1e+09 is out of range (1 to 1000)"]),
    (["run", SCENE, "--set", "objects.WRONG.mass=1"],
     ["no setting 'objects.WRONG.mass'", "(valid names: solver, wind, heat, objects.cloth, "]),
    (["run", SCENE, "--set", "nothing.mass=1"], ["valid names: ", "objects.cloth, colliders.sphere"]),
    (["run", SCENE, "--set", "objects.cloth.mesh=/tmp"],
     ["--set objects.cloth.mesh: '/tmp' is a folder, not an OBJ file"]),
    (["run", SCENE, "--set", "solver.method=newtom"], ["--set", "newtom", "newton"]),
    (["run", "stack", "--set", "bodies.cubes.radius=0.4"],
     ["--set bodies.cubes.radius:", "means nothing for the shape 'box'"]),
    (["run", "stack", "--set", "bodies.cubes.copies=1,1.5,1"], ["--set bodies.cubes.copies=1,1.5,1:", "whole numbers"]),
    (["run", "stack", "--set", "bodies.cubes.parts.0.radius=1"], ["there is no setting", "valid names: bodies.cubes.shape"]),
    (["run", "stack", "--set", "bodies.cube.frction=1"], ["did you mean 'bodies.cubes.friction'"]),
    (["run", "stack", "--set", "bodies.cubes.nonsense=1"], ["valid names: bodies.cubes.shape, bodies.cubes.position"]),
    (["run", "stack", "--set", "bodies.cubes.shape=hull"],
     ["stack.json:", "needs a 'mesh'", "with --set bodies.cubes.shape=hull"]),
    (["run", SCENE, "--set", "colliders.ground.parent=moon"],
     [SCENE + ".json:", "no collider above it", "with --set colliders.ground.parent=moon"]),
    (["run", SCENE, "--set", "camera.position=1,2,3", "--set", "camera.target=1,2,3"],
     ["--set camera.target=1,2,3:", "the camera stands on its own target"]),
    (["run", "joints", "--set", "joints.mill.axis=0,0,0"], ["--set joints.mill.axis=0,0,0:", "no direction"]),
    (["run", SCENE, "--set", "objects.cloth.mesh=scene.json"], ["--set objects.cloth.mesh: there is no mesh 'scene.json'"]),
    (["run", SCENE, "--set", "objects.cloth.mesh=/etc/passwd"], ["--set objects.cloth.mesh: /etc/passwd"]),
    (["run", SCENE, "--record-input", "a.json"], ["--record-input", "it belongs to: limber [SCENE]"]),
    (["run", "stack", "--set", "bodies.cubes.half_extents=[1, 2]"], ["half_extents", "three numbers"]),
    (["run", "stack", "--set", "bodies.cubes.half_extents=1, 2 3"], ["half_extents", "three numbers"]),
    (["run", SCENE, "--heatmap", "force", "--screenshot", "a.png"],
     ["--heatmap: nothing in '" + SCENE + "' has the heat map 'force'", "it has: strain, residual, phase, velocity"]),
    (["run", "stack", "--heatmap", "strain", "--video", "a/"], ["'strain'", "it has: velocity, force, awake"]),
    (["run", "grains", "--heatmap", "phase", "--screenshot", "a.png"], ["'phase'", "it has: velocity)"]),
    (["run", SCENE, "--heatmap", "strain"], ["--heatmap: there is no picture", "--screenshot"]),
    (["run", SCENE, "--show", "contacts"], ["--show: there is no picture", "--screenshot"]),
    (["run", SCENE, "--size", "640x480"], ["--size: there is no picture", "--screenshot"]),
    (["run", SCENE, "--stage", "night"], ["--stage: there is no picture", "--screenshot"]),
    (["run", SCENE, "--lens", "0.1"], ["--lens: there is no picture", "--screenshot"]),
    (["run", SCENE, "--transparent"], ["--transparent: there is no picture", "--screenshot"]),
    (["run", SCENE, "--isolines", "--screenshot", "a.png"], ["there is no heat map", "--heatmap strain"]),
    (["run", SCENE, "--heatmap", "strain", "--colors", "civdis", "--screenshot", "a.png"],
     ["unknown colours 'civdis'", "did you mean 'cividis'?"]),
    (["run", SCENE, "--samples", "4"], ["--samples: there is no picture", "--screenshot"]),
    (["run", SCENE, "--show", "joints", "--screenshot", "a.png"],
     ["--show: nothing in '" + SCENE + "' has joints to show", "it has: contacts, intersections, zones)"]),
    (["run", "stack", "--show", "zones", "--video", "a/"], ["has zones to show (it has: contacts)"]),
    (["lst"], ["'lst'", "did you mean 'list'"]),
    (["run", SCENE, "--report"], ["--report needs a value: --report FILE"]),
    (["run", SCENE, "--report", "--series"], ["--report"]),
    (["run", SCENE, "--report", "same", "--series", "./same"], ["--report and --series", "same file"]),
    (["run", SCENE, "--simd", "5"], ["limber: --simd: unknown instruction set '5'"]),
    (["check"], ["--all"]),
    (["check", "no_such_scene"], ["no_such_scene"]),
    (["check", "--all", SCENE], ["--all"]),
    (["bench", "no_such_row"], ["no_such_row", "distance"]),
    (["bench", "--baseline", "missing.json"], ["missing.json"]),
    (["validate", "--csv"], ["--csv"]),
    (["validate", "fluids"], ["'fluids'", "one of spring"]),
    (["validate", "--markdown"], ["--markdown"]),
    (["schema", "extra"], ["extra"]),
    (["--threads", "2", "run", SCENE], ["--threads", "run"]),
    ([SCENE, "list"], [SCENE, "list"]),
    (["--nonsense"], ["--nonsense"]),
]


def limber(*arguments, timeout=300, **options):
    return subprocess.run([LIMBER, *map(str, arguments)], capture_output=True, text=True, timeout=timeout,
                          stdin=subprocess.DEVNULL, **options)


def has_double():
    """Whether the program was built with LIMBER_DOUBLE_PRECISION."""
    return any(line.split() == ["precision", "f32,", "f64"] for line in limber("--version").stdout.splitlines())


class CommandLine(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.folder = pathlib.Path(self._folder.name)

    def run_ok(self, *arguments):
        result = limber(*arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def report_of(self, *arguments):
        path = self.folder / "report.json"
        self.run_ok("run", *arguments, "--report", path)
        return json.loads(path.read_text())

    def test_the_example_scene_of_the_manual_starts_at_rest_and_passes(self):
        page = os.path.join(os.path.dirname(__file__), "../../assets/manual/writing_a_scene.md")
        with open(page, encoding="utf-8") as file:
            example = file.read().split("```json\n")[1].split("```")[0]
        path = os.path.join(self.folder, "example.json")
        with open(path, "w", encoding="utf-8") as file:
            file.write(example)
        self.assertEqual(limber("check", path).returncode, 0)
        # a cloth that starts inside a collider is torn apart in its first frame
        self.assertLess(self.report_of(path, "--frames", 1)["strain"]["mean"], 0.001)

    def test_bad_input_is_refused_with_one_clear_message(self):
        for arguments, fragments in BAD_INPUT:
            with self.subTest(" ".join(arguments)):
                result = limber(*arguments, timeout=20, cwd=self.folder)
                self.assertEqual(result.returncode, 2)
                message = [line for line in result.stderr.splitlines() if line]
                self.assertEqual(len(message), 1, result.stderr)
                for fragment in fragments:
                    self.assertIn(fragment, message[0])

    def test_broken_scene_file_names_file_and_line(self):
        for text, line in (("{\n\n  oops", 3), ('{"format": 1,\n "titel": "x"}', 2), ("", None)):
            path = self.folder / "broken.json"
            path.write_text(text)
            result = limber("run", path)
            self.assertEqual(result.returncode, 2)
            self.assertIn(f"broken.json:{line}:" if line else "broken.json", result.stderr)

    def small_scene(self, name="scene.json", **more):
        scene = {"format": 1, "objects": {"cloth": {"type": "cloth", "columns": 5, "rows": 5, "position": [0, 1, 0]}}}
        path = self.folder / name
        path.write_text(json.dumps({**scene, **more}, indent=1))
        return path

    def test_check_says_one_line_about_what_it_cannot_run(self):
        missing = limber("check", "no_such_scene")
        self.assertEqual((missing.returncode, missing.stdout, missing.stderr.count("\n")), (2, "", 1))
        bounds = {"strian.max": [0, 1]}
        misspelt = limber("check", self.small_scene(expect={"bounds": bounds}))
        self.assertEqual(misspelt.returncode, 2)
        self.assertIn("did you mean 'strain.max'", misspelt.stderr)
        partial = limber("check", self.small_scene(expect={"bounds": {"strain": [0, 1]}}))
        self.assertIn("the report has no number 'strain' (valid names: strain.mean, strain.max", partial.stderr)
        turned = limber("check", self.small_scene(expect={"bounds": {"strain.max": [3, 1]}}))
        self.assertIn("3 is more than 1", turned.stderr)
        self.assertRegex(turned.stderr, r"scene\.json:\d+:")

    def test_a_binary_mesh_is_named_with_the_line_of_the_scene(self):
        (self.folder / "picture.obj").write_bytes(b"\x89PNG\r\n\0\0\0\r")
        result = limber("run", self.small_scene(objects={"cloth": {"type": "cloth", "mesh": "picture.obj"}}))
        self.assertEqual(result.returncode, 2)
        self.assertRegex(result.stderr, r"scene\.json:\d+: the mesh 'picture\.obj': this is no text file")

    def test_an_open_mesh_collides_as_a_shell(self):
        (self.folder / "square.obj").write_text("v -1 0 -1\nv 1 0 -1\nv 1 0 1\nv -1 0 1\nf 1 2 3 4\n")
        cloth = {"type": "cloth", "columns": 5, "rows": 5, "width": 1, "height": 1, "upright": False,
                 "position": [0, 0.5, 0]}
        tray = {"shape": "mesh", "mesh": "square.obj"}
        refused = limber("run", self.small_scene(objects={"cloth": cloth}, colliders={"tray": tray}))
        self.assertEqual(refused.returncode, 2)
        self.assertIn("'shell'", refused.stderr)
        path = self.small_scene(objects={"cloth": cloth}, colliders={"tray": {**tray, "shell": 0.1}})
        report = self.report_of(path, "--seconds", 2)
        self.assertTrue(report["at_rest"])
        # it lies on the upper side, half the shell and its own thickness above the mesh; 0.2 kg/m^2 on 1 m^2
        self.assertAlmostEqual(report["potential_energy"] / (0.2 * 9.81), 0.05 + 0.005, places=3)

    def test_a_collider_whose_faces_look_both_ways_is_mended(self):
        corners = [(x, y, z) for z in (0, 1) for y in (0, 1) for x in (0, 1)]
        faces = [(1, 3, 2), (2, 3, 4), (5, 6, 7), (6, 8, 7), (1, 2, 5), (2, 6, 5), (3, 7, 4), (4, 7, 8), (1, 5, 3),
                 (3, 5, 7), (2, 4, 6), (4, 8, 6)]
        mixed = [face[::-1] if i in (0, 3, 6, 7, 9) else face for i, face in enumerate(faces)]

        def run(faces, **keys):
            (self.folder / "box.obj").write_text("".join("v %g %g %g\n" % c for c in corners) +
                                                 "".join("f %d %d %d\n" % f for f in faces))
            path = self.folder / "on_box.json"
            path.write_text(json.dumps({
                "format": 1, "colliders": {"box": {"shape": "mesh", "mesh": "box.obj", **keys}},
                "objects": {"sheet": {"type": "cloth", "columns": 21, "rows": 21, "width": 0.8, "height": 0.8,
                                      "upright": False, "position": [0.5, 1.2, 0.5]}}}))
            out = self.folder / "on_box.out"
            result = limber("run", path, "--frames", 40, "--report", out)
            self.assertEqual(result.returncode, 0, result.stderr)
            return json.loads(out.read_text()), result.stderr

        sound, said = run(faces)
        self.assertNotIn("turned", said)
        mended, said = run(mixed)
        self.assertIn("box: 5 of its 12 triangles faced against their neighbours and were turned", said)
        self.assertLess(mended["penetration_max"], 1e-3)
        self.assertEqual(mended["state_hash"], sound["state_hash"])
        run(faces + [(1, 2, 8)], shell=0.1)  # three triangles at an edge are as good a sheet as two

    def test_a_mesh_without_extent_is_no_collider(self):
        (self.folder / "ball.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
        rock = {"shape": "mesh", "mesh": "ball.obj", "size": 1e-9}
        refused = limber("run", self.small_scene(colliders={"rock": rock}), "--frames", 1)
        self.assertEqual(refused.returncode, 2)
        self.assertRegex(refused.stderr, r"ball.obj: collider 'rock' \(.*scene\.json:\d+\): the mesh is 1e-09 m large, not "
                                         r"at least 0\.001 m \(set 'size'")
        smallest = limber("run", self.small_scene(colliders={"rock": {**rock, "size": 0.001}}), "--frames", 1)
        self.assertEqual(smallest.returncode, 0, smallest.stderr)

    def test_vertices_that_start_inside_a_collider_are_told(self):
        ball = {"shape": "sphere", "position": [0, 1, 0], "radius": 0.4}
        told = limber("run", self.small_scene(colliders={"ball": ball}), "--frames", 1)
        self.assertEqual(told.returncode, 0)
        self.assertIn("cloth: 1 vertex starts inside a collider, up to 0.4 m deep", told.stderr)
        quiet = limber("run", self.small_scene(), "--frames", 1)
        self.assertEqual(quiet.stderr, "")

    def test_help_lists_what_a_shape_has(self):
        shown = self.run_ok("run", SCENE, "--help")
        self.assertIn("colliders.sphere.radius", shown)
        self.assertNotIn("colliders.ground.radius", shown)
        self.assertNotIn("colliders.sphere.resolution", shown)

    def test_help_version_list_and_schema(self):
        version = self.run_ok("--version")
        self.assertRegex(version, r"^limber \d+\.\d+\.\d+\n")
        for word in ("compiler", "scalar", "GLFW", "ImGui", "OpenGL", "video"):
            self.assertIn(word, version)
        notices = self.run_ok("--licenses")
        for library in ("GLFW", "Dear ImGui", "glad", "GLM", "nlohmann", "tinyobjloader", "CLI11", "stb", "zlib"):
            self.assertIn(library, notices)
        for command in ("list", "run", "check", "validate", "bench", "methods", "schema"):
            self.assertIn(command, self.run_ok("--help"))
        self.assertIn("--screenshot", self.run_ok("run", "--help"))
        settings = self.run_ok("run", SCENE, "--help")
        for words in ("solver.substeps", "1 .. 1000", "pbd | xpbd", "m/s^2"):
            self.assertIn(words, settings)
        scenes = json.loads(self.run_ok("list", "--json"))
        self.assertIn(SCENE, [scene["name"] for scene in scenes])
        for scene in scenes:
            self.assertNotIn("error", scene)
            self.assertTrue(scene["title"] and scene["group"])
            self.assertIn(scene["name"], self.run_ok("list"))
        self.assertEqual(json.loads(self.run_ok("schema"))["type"], "object")

    def test_a_first_user_gets_what_makes_videos(self):
        root = pathlib.Path(__file__).resolve().parents[2]
        packages = subprocess.run(["bash", "-c", 'source "$0"; echo "${packages_to_run[@]}"',
                                   root / ".ci" / "packages.sh"], capture_output=True, text=True, check=True).stdout
        self.assertIn("ffmpeg", packages.split())

    def test_joints_that_come_apart_are_named(self):
        scene = {"format": 1, "title": "Far", "bodies": {"bob": {"shape": "sphere", "radius": 0.1, "position": [0, 2, 0]}},
                 "joints": {"bar": {"type": "distance", "a": "bob", "at": [0, 2, 0], "at_b": [0, 3, 0], "length": 3}}}
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "far.json"
            path.write_text(json.dumps(scene))
            done = limber("run", path, "--frames", "10")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertRegex(done.stderr, r"^limber: bar: the joint's ends come as far as 1\.\d+ m apart")
            path.write_text(json.dumps(scene).replace('"length": 3', '"length": 1'))
            self.assertNotIn("apart", limber("run", path, "--frames", "10").stderr)

    def test_a_file_that_cannot_be_read_is_bad_input(self):
        done = limber("run", "/proc/self/mem")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_the_beginning_of_a_name_is_enough_for_a_suggestion(self):
        done = limber("run", "pile")
        self.assertEqual(done.returncode, 2)
        self.assertIn("did you mean 'pile_boxes'?", done.stderr)
        groups = {scene["group"] for scene in json.loads(self.run_ok("list", "--json"))}
        self.assertLessEqual(groups, set(self.run_ok("list").splitlines()), "a group has no heading")

    def test_one_name_of_many_vertices_costs_once(self):
        scene = os.path.join(self.folder, "pins.json")
        with open(scene, "w") as file:
            json.dump({"format": 1, "objects": {"cloth": {"columns": 60, "rows": 60, "pins": ["all"] * 200000}}}, file)
        began = time.monotonic()
        self.run_ok("run", scene, "--frames", "1")
        self.assertLess(time.monotonic() - began, 5)  # it took minutes; under a second alone

    def test_a_recording_names_no_file_outside_of_its_folder(self):
        done = limber("run", "--input", self.recording_of(SCENE, "../elsewhere/scene.json", 1, "0"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("outside of the recording's folder", done.stderr)

    def test_a_setting_is_not_blamed_for_what_the_file_says(self):
        scene = os.path.join(self.folder, "bad.json")
        with open(scene, "w") as file:
            json.dump({"format": 1, "bodies": {"boxes": {"shape": "box", "half_extents": [1, 1, 1]}}}, file)
        done = limber("run", scene, "--frames", "1", "--set", "bodies.boxes.restitution=0.5",
                               "--set", "bodies.boxes.shape=mesh")
        self.assertEqual(done.returncode, 2)
        self.assertNotIn("restitution", done.stderr)
        self.assertIn("bodies.boxes.shape", done.stderr)

    def test_a_report_can_go_into_a_pipe(self):
        told = self.run_ok("run", SCENE, "--frames", 1, "--report", "/dev/stdout")
        self.assertEqual(json.JSONDecoder().raw_decode(told[told.index("{"):])[0]["frames"], 1)

    def test_a_mesh_of_no_use_is_told_with_its_place_in_the_scene(self):
        (self.folder / "flat.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        scene = self.folder / "rock.json"
        scene.write_text('{ "format": 1, "bodies": {\n\n"rock": { "shape": "hull", "mesh": "flat.obj" } } }')
        told = limber("run", scene, "--frames", 1)
        self.assertEqual(told.returncode, 2)
        self.assertIn("flat.obj: body 'rock' (%s:3): a hull needs at least 4 points" % scene, told.stderr)

    def test_a_scene_of_ones_own_that_replaces_a_shipped_one_is_told(self):
        own = self.folder / "limber/scenes"
        own.mkdir(parents=True)
        self.small_scene().rename(own / (SCENE + ".json"))
        environment = dict(os.environ, XDG_DATA_HOME=str(self.folder))
        told = limber("list", env=environment).stdout
        self.assertRegex(told, "limber/scenes/%s.json, instead of .*/%s.json" % (SCENE, SCENE))
        entry, = [scene for scene in json.loads(limber("list", "--json", env=environment).stdout) if scene["name"] == SCENE]
        self.assertTrue(entry["instead_of"].endswith("scenes/%s.json" % SCENE))

    def test_report_has_every_key_of_the_contract(self):
        report = self.report_of(SCENE, "--frames", 5, "--threads", 2, "--seed", 7, *UNWATCHED)
        self.assertEqual(list(report), list(CONTRACT))
        self.assertEqual({key for key in CONTRACT if report[key] is None}, NOT_MEASURED)
        for key, kind in CONTRACT.items():
            if key in NOT_MEASURED:
                continue
            if isinstance(kind, list):
                self.assertEqual(list(report[key]), kind, key)
            else:
                self.assertIsInstance(report[key], (int, float) if kind is float else kind, key)
        self.assertEqual((report["frames"], report["threads"], report["seed"]), (5, 2, 7))
        self.assertEqual(report["scene"], SCENE)
        self.assertGreater(report["constraints"]["distance"], 0)
        self.assertGreater(report["phases"]["distance"], 0)
        self.assertEqual(list(report["residual"]["distance"]), ["mean", "max"])
        self.assertRegex(report["state_hash"], "^[0-9a-f]{16}$")
        times = report["wall_ms"]
        self.assertTrue(0 < times["min"] <= times["median"] <= times["p95"] <= times["max"] <= times["total"])

    def test_settings_reach_the_simulation(self):
        precision = "f64" if has_double() else "f32"
        report = self.report_of(SCENE, "--frames", 2, "--set", "solver.substeps=3", "--set", "solver.method=pbd",
                                "--set", "solver.dt=0.01", "--precision", precision)
        self.assertEqual((report["substeps"], report["method"], report["dt"]), (3, "pbd", 0.01))
        self.assertEqual(report["precision"], precision)
        self.assertEqual(self.report_of(SCENE, "--seconds", "0.1")["frames"], 6)

    def test_the_report_lists_what_set_changed(self):
        self.assertEqual(self.report_of(SCENE, "--frames", 1)["set"], {})
        said = self.report_of(SCENE, "--frames", 1, "--set", "solver.substeps=3", "--set", "solver.dt=0.01", "--set",
                              "solver.method=pbd", "--set", "solver.gravity=0 -1 0", "--set", "solver.substeps=4")
        self.assertEqual(said["set"], {"solver.substeps": 4, "solver.dt": 0.01, "solver.method": "pbd",
                                       "solver.gravity": [0, -1, 0]})

    def recording_of(self, scene, file, frames, state_hash):
        path = self.folder / "recording.json"
        path.write_text(json.dumps({"format": 1, "scene": scene, "file": str(file), "precision": "f32",
                                    "frames": frames, "state_hash": state_hash, "inputs": []}))
        return path

    def test_a_replay_of_another_scene_of_the_same_name_is_told(self):
        state = self.report_of(SCENE, "--frames", 3)["state_hash"]
        gone = self.folder / "gone" / f"{SCENE}.json"
        replayed = limber("run", "--input", self.recording_of(SCENE, gone, 3, state))
        self.assertEqual(replayed.returncode, 0, replayed.stderr)
        self.assertRegex(replayed.stderr, f"^limber: .*its scene {gone} is not there; .* of the same name, .*{SCENE}.json\n$")
        other = limber("run", "--input", self.recording_of("stack", gone, 3, state))
        self.assertEqual(other.returncode, 1)
        self.assertIn("another state", other.stderr)
        nowhere = limber("run", "--input", self.recording_of("nowhere", gone, 3, state))
        self.assertEqual(nowhere.returncode, 2)
        self.assertIn(f"recording.json: its scene, {gone}, is not there, and there is no scene 'nowhere'", nowhere.stderr)
        there = self.small_scene()
        state = self.report_of(there, "--frames", 3)["state_hash"]
        whole = self.recording_of("scene", there, 3, state)
        self.assertEqual(limber("run", "--input", whole).stderr, "")
        for frames in (2, 4):
            self.assertIn("was not compared", limber("run", "--input", whole, "--frames", frames).stderr)

    def test_a_recording_is_moved_with_its_scene(self):
        beside = self.small_scene()
        state = self.report_of(beside, "--frames", 3)["state_hash"]
        for gone in (pathlib.Path("/gone") / beside.name, beside.name, f"scenes/{beside.name}"):
            replayed = limber("run", "--input", self.recording_of("cloth_hang", gone, 3, state))
            self.assertEqual(replayed.returncode, 0, replayed.stderr)
            self.assertIn(f"its scene {gone} is not there; this replays the scene of the same name, {beside}", replayed.stderr)

    def test_a_scene_is_no_recording_and_no_scene_is_one(self):
        scene = self.small_scene()
        taken = limber("run", "--input", scene)
        self.assertEqual(taken.returncode, 2)
        self.assertRegex(taken.stderr, f"^limber: {scene}:1: this is a scene, not a recording .*without --input")
        taken = limber("run", self.recording_of("scene", scene, 3, "0"))
        self.assertEqual(taken.returncode, 2)
        self.assertRegex(taken.stderr, "recording.json:1: this is a recording .*limber run --input")

    def test_three_numbers_may_be_typed_in_any_way(self):
        spelled = ("0.1,0.2,0.3", "[0.1, 0.2, 0.3]", "0.1 0.2  0.3", " [ 0.1 0.2 0.3 ] ")
        hashes = {self.report_of("stack", "--frames", 2, "--set", f"bodies.cubes.half_extents={text}")["state_hash"]
                  for text in spelled}
        self.assertEqual(len(hashes), 1)

    def test_same_bits_for_any_threads_and_lanes(self):
        for scene, frames in (("cloth_drape_sphere", 20), ("cloth_hang", 20), ("three_vertices", 20), ("folded_cloth", 4),
                              ("pile_mixed", 20), ("dominoes", 20), ("joints", 20), ("trampoline", 30), ("strips", 10),
                              ("balloon_under_boxes", 4), ("pile_meshes", 4), ("grains", 2)):
            with self.subTest(scene):
                base = self.report_of(scene, "--frames", frames, "--threads", 1, "--simd", "scalar")["state_hash"]
                for threads, simd in ((2, "16"), (3, "8"), (8, "4")):
                    if "cannot run" in limber("run", "three_vertices", "--frames", 1, "--simd", simd).stderr:
                        simd = "auto"  # this processor lacks it
                    report = self.report_of(scene, "--frames", frames, "--threads", threads, "--simd", simd)
                    self.assertEqual(report["state_hash"], base)
                    self.assertIn(simd, ("auto", report["simd"]))

    def test_hash_depends_on_what_was_simulated(self):
        def hash_of(*more):
            return self.report_of(SCENE, "--frames", 5, *more)["state_hash"]

        self.assertEqual(hash_of(), hash_of())
        self.assertNotEqual(hash_of(), hash_of("--set", "solver.substeps=7"))
        jitter = ("--set", "objects.cloth.jitter=0.01")
        self.assertNotEqual(hash_of(*jitter, "--seed", 1), hash_of(*jitter, "--seed", 2))

    def test_a_trace_is_of_the_frames_asked_for(self):
        path = self.folder / 'trace.csv'
        self.run_ok('run', 'catenary', '--frames', '5', '--trace', path, '--trace-frames', '4,2')
        with open(path) as file:
            self.assertEqual(sorted({row['frame'] for row in csv.DictReader(file)}), ['2', '4'])
        self.run_ok('run', 'catenary', '--frames', '5', '--compare', 'solver.substeps=2', '--compare', 'solver.substeps=3',
                    '--trace', path, '--trace-frames', '3')
        with open(path) as file:
            self.assertEqual({row['frame'] for row in csv.DictReader(file)}, {'3'})

    def test_the_page_of_scenes_is_what_there_is(self):
        # renew it with `limber list --markdown > assets/manual/scenes.md`
        self.assertEqual((ROOT / 'assets/manual/scenes.md').read_text(), self.run_ok('list', '--markdown'))

    def test_the_page_of_settings_is_what_there_is(self):
        # renew it with `limber settings > assets/manual/settings.md`
        self.assertEqual((ROOT / 'assets/manual/settings.md').read_text(), self.run_ok('settings'))

    def test_the_table_of_methods_is_what_they_do(self):
        if not has_double():
            self.skipTest('no double')
        said = [line for line in (ROOT / 'assets/manual/methods.md').read_text().splitlines() if line.startswith('| ')]
        for line in self.run_ok('methods').splitlines():
            if line.startswith('|-'):
                continue
            without_cost = line.rstrip('|').rpartition('|')[0]
            self.assertTrue(any(row.startswith(without_cost) for row in said), f'assets/manual/methods.md lacks: {line}')

    def test_variants_are_compared_in_one_report(self):
        with tempfile.TemporaryDirectory() as folder:
            report, trace = os.path.join(folder, 'out.json'), os.path.join(folder, 'out.csv')
            run = limber('run', 'catenary', '--frames', '3', '--compare', 'solver.method=pbd', '--compare',
                         'solver.method=jacobi solver.iterations=7', '--compare', 'solver.method=fast_projection',
                         '--reference', 'solver.method=xpbd solver.substeps=9', '--report', report, '--trace', trace)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertIn('objective J', run.stdout)
            with open(report) as file:
                said = json.load(file)
            first, second, direct, reference = said['variants']
            self.assertEqual([one['reference'] for one in said['variants']], [False, False, False, True])
            self.assertEqual(second['report']['iterations'], 7)
            self.assertEqual(second['report']['set']['solver.iterations'], 7)
            self.assertIsNone(reference['distance'])
            self.assertLessEqual(first['distance']['rms'], first['distance']['max'])
            self.assertGreater(first['convergence']['objective'], 0.0)
            self.assertIn('objective of PBD', run.stdout)
            self.assertIsNone(direct['convergence']['objective'])  # fast projection has none
            with open(trace) as file:
                rows = list(csv.DictReader(file))
            self.assertEqual({row['objective'] for row in rows if row['variant'] == direct['name']}, {''})
            ends = [row for row in rows if row['variant'] == reference['name'] and row['frame'] == '3']
            self.assertEqual(len(ends), 9 * (1 + reference['report']['iterations']))
            times = [float(row['ms']) for row in ends]
            self.assertEqual(times, sorted(times))
            alone = limber('run', 'catenary', '--frames', '3', '--set', 'solver.method=pbd', '--report', report)
            self.assertEqual(alone.returncode, 0, alone.stderr)
            with open(report) as file:
                self.assertEqual(json.load(file)['state_hash'], first['report']['state_hash'])
        for arguments, needle in [(['--compare', 'solver.method=pbd'], 'nothing to compare'),
                                  (['--compare', 'solver.methd=pbd', '--compare', ''], 'solver.method'),
                                  (['--compare', 'a', '--compare', 'b', '--series', 'x.csv'], '--series')]:
            run = limber('run', 'catenary', *arguments)
            self.assertEqual(run.returncode, 2)
            self.assertIn(needle, run.stderr)
        self.assertEqual(limber('catenary', '--variant', 'solver.methd=1').returncode, 2)

    def test_solids_are_exported_as_surfaces_and_tetrahedra_that_can_be_read_again(self):
        folder = self.folder / 'meshes'
        bar = ('--set', 'objects.creature.fill=embedded', '--set', 'objects.creature.cell=0.15')
        report = self.report_of('pd_creature', '--frames', '2', *bar, '--export', folder)
        self.assertEqual(sorted(file.name for file in folder.iterdir()),
                         [f'frame_000{k}.{kind}' for k in (1, 2) for kind in ('ele', 'node', 'obj')])
        nodes = (folder / 'frame_0002.node').read_text().splitlines()
        tets = (folder / 'frame_0002.ele').read_text().splitlines()
        self.assertEqual((int(nodes[0].split()[0]), int(tets[0].split()[0])), (report['particles'], report['tets']))
        surface = (folder / 'frame_0002.obj').read_text().splitlines()
        self.assertEqual([line for line in surface if line.startswith('g ')], ['g creature'])
        lowest = min(float(line.split()[2]) for line in surface if line.startswith('v '))
        self.assertLess(abs(lowest - min(float(line.split()[2]) for line in nodes[1:])), 0.15)  # the lattice is larger
        again = self.folder / 'again.json'
        again.write_text(json.dumps({'format': 1, 'objects': {'copy': {
            'type': 'tets', 'mesh': str(folder / 'frame_0002.node'), 'size': 0}}}))
        copy = self.report_of(again, '--frames', '1')
        self.assertEqual((copy['particles'], copy['tets'], copy['inverted_tets']), (report['particles'], report['tets'], 0))

    def test_arrays_are_exported_as_numpy_reads_them(self):
        path = self.folder / 'out.npz'
        series = self.folder / 'series.csv'
        self.run_ok('run', 'spring_chain', '--frames', 5, '--export', path, '--series', series)
        try:
            import numpy
            arrays = {name: array for name, array in numpy.load(path).items()}
            shapes = {name: array.shape for name, array in arrays.items()}
            first = arrays['chain/positions'][4].ravel().tolist()
        except ImportError:
            with zipfile.ZipFile(path) as archive:
                self.assertIsNone(archive.testzip())
                files = {name.removesuffix('.npy'): archive.read(name) for name in archive.namelist()}
            shapes = {name: ast.literal_eval(bytes_[10:10 + struct.unpack('<H', bytes_[8:10])[0]].decode())['shape']
                      for name, bytes_ in files.items()}
            first = [x for x, in struct.iter_unpack('<d', files['chain/positions'][-21 * 24:])]
        self.assertEqual(shapes['chain/positions'], (5, 21, 3))
        self.assertEqual(shapes['chain/velocities'], (5, 21, 3))
        self.assertEqual(shapes['chain/segments'], (20, 2))
        self.assertEqual(shapes['time'], (5,))
        folder = self.folder / 'obj'
        self.run_ok('run', 'spring_chain', '--frames', 5, '--export', folder)
        rows = [line.split()[1:] for line in (folder / 'frame_0005.obj').read_text().splitlines() if line.startswith('v ')]
        self.assertEqual(first, [float(x) for row in rows for x in row])

    def test_a_film_is_taken_as_its_script_says(self):
        script = self.folder / 'film.json'
        film = {'format': 1, 'scene': 'stack', 'start': 0.0625, 'seconds': 0.5, 'speed': 0.5, 'rate': 8, 'width': 96, 'height': 64,
                'samples': 1, 'title': 'Stack', 'follow': 'cubes', 'video': str(self.folder / 'film') + '/',
                'camera': [{'time': 0, 'position': [9, 6, 20], 'target': [0, 5, 0], 'ease': True},
                           {'time': 0.5, 'position': [-9, 6, 20]}]}
        script.write_text(json.dumps(film))
        said = self.run_ok('run', '--film', script)
        self.assertIn('4 pictures of 96x64, 0.25 s of the simulation', said)  # 1/16 s and three times 1/16 s
        pictures = sorted(file.name for file in (self.folder / 'film').iterdir())
        self.assertEqual(pictures, [f'frame_000{k}.png' for k in range(1, 5)])
        contents = {(self.folder / 'film' / name).read_bytes() for name in pictures}
        self.assertEqual(len(contents), 4)  # the camera moves
        film['title'] = ''
        script.write_text(json.dumps(film))
        self.run_ok('run', '--film', script, '--video', f"{self.folder / 'plain'}/")
        self.assertNotEqual((self.folder / 'plain/frame_0001.png').read_bytes(), (self.folder / 'film/frame_0001.png').read_bytes())
        if shutil.which('ffmpeg'):
            for name, starts in (('film.webm', b'\x1aE\xdf\xa3'), ('film.gif', b'GIF89a')):
                self.run_ok('run', '--film', script, '--video', self.folder / name)
                self.assertTrue((self.folder / name).read_bytes().startswith(starts), name)

    def test_a_bad_film_script_is_one_message_with_its_line(self):
        script = self.folder / 'film.json'
        for text, needles in (('{ "scene": "stack",\n "video": "x/", "secnds": 3 }', [':2: ', "did you mean 'seconds'"]),
                              ('{ "scene": "stak",\n "video": "x/" }', [':1: ', "did you mean 'stack'"]),
                              ('{ "scene": "stack", "video": "x/",\n "set": {\n "solver.substep": 3 } }', [':3: ', "did you mean 'solver.substeps'"]),
                              ('{ "scene": "stack", "video": "x/", "follow": "cubs" }', ["did you mean 'cubes'"]),
                              ('{ "scene": "stack", "video": "x.avi" }', ['.webm']),
                              ('{ "scene": "stack" }', ['--video'])):
            script.write_text(text)
            run = limber('run', '--film', script, cwd=self.folder)
            self.assertEqual(run.returncode, 2)
            self.assertEqual(len(run.stderr.splitlines()), 1, run.stderr)
            for needle in ['film.json', *needles]:
                self.assertIn(needle, run.stderr)
        self.assertEqual([file.name for file in self.folder.iterdir()], ['film.json'])
        self.assertIn('--film', limber('run', '--film', script, '--frames', 3).stderr)

    def test_an_unknown_export_is_one_message(self):
        for name, needles in (('out.abc', ['.usda', '.glb', '.vtu', '.ply', '.npz']), ('out.gltf', ['did you mean .glb']),
                              ('out.obj', ['out/']), ('no/such/out.npz', ['there is no folder'])):
            run = limber('run', SCENE, '--frames', 1, '--export', name, cwd=self.folder)
            self.assertEqual(run.returncode, 2)
            self.assertEqual(len(run.stderr.splitlines()), 1, run.stderr)
            for needle in needles:
                self.assertIn(needle, run.stderr)
        self.assertEqual(list(self.folder.iterdir()), [])
        run = limber('run', 'dam_break', '--frames', 1, '--export', self.folder / 'out.glb')
        self.assertEqual(run.returncode, 2)
        self.assertIn('.usda', run.stderr)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_an_interrupted_export_is_whole_up_to_there(self):
        path = self.folder / 'out.npz'
        process = self.start('run', 'spring_chain', '--frames', 1000000, '--export', path)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=30), 130)
        with zipfile.ZipFile(path) as archive:
            self.assertIsNone(archive.testzip())
        self.assertEqual([file.name for file in self.folder.iterdir()], ['out.npz'])

    def test_what_a_method_does_not_honour_is_said_by_name(self):
        def limits_of(scene, method, *more):
            path = self.folder / 'limits.json'
            run = limber('run', scene, '--frames', '1', '--set', 'solver.substeps=2', '--set', f'solver.method={method}', *more, '--report', path)
            self.assertEqual(run.returncode, 0, run.stderr)
            said = json.loads(path.read_text())['method_limits']
            for limit in said:
                self.assertIn(limit, run.stderr)
            return '; '.join(said)

        self.assertEqual(limits_of('beam_twist', 'xpbd'), '')
        for method, words in [('pbd', 'in place of the elastic constants of beam; leaves out the damping_time of beam'),
                              ('hierarchical', 'no coarser levels for beam'),
                              ('newton', 'damping_time of beam; does not minimise contacts'),
                              ('projective', 'sweeps over what has no local step, as XPBD does: neo_hookean'),
                              ('forces', 'does nothing in further iterations')]:
            self.assertIn(words, limits_of('beam_twist', method, '--set', 'solver.iterations=2'), method)
        self.assertIn('solver.compliance_floor, 1e-08 m/N, for the smaller stretch compliance of cloth',
                      limits_of('cloth_hang', 'newton', '--set', 'objects.cloth.material.stretch_compliance=0'))
        run = limber('run', 'catenary', '--frames', '1', '--compare', 'solver.method=xpbd', '--compare', 'solver.method=newton')
        self.assertIn('newton', run.stderr)
        without = ('fast_projection', 'forces')
        compare = [word for method in without + ('pbd', 'hierarchical', 'xpbd', 'jacobi', 'projective', 'newton')
                   for word in ('--compare', f'solver.method={method}')]
        *rows, note = self.run_ok('run', 'catenary', '--frames', '1', *compare).splitlines()[2:]
        self.assertEqual([row.split()[-3] == '-' for row in rows], 2 * [True] + 6 * [False], rows)
        self.assertIn('objective of PBD', note)

    def test_a_method_that_has_nothing_to_solve_says_so(self):
        said = "solver.method newton has nothing to solve here"
        for scene, told in (("stack", True), ("marbles", True), ("spring_chain", False)):
            result = limber("run", scene, "--frames", 1, "--set", "solver.method=newton")
            self.assertEqual(said in result.stderr, told, scene + result.stderr)
        self.assertNotIn("nothing to solve", limber("run", "stack", "--frames", 1).stderr)

    def test_a_sweep_is_a_table_and_goes_on_where_it_was(self):
        with tempfile.TemporaryDirectory() as folder:
            table, lines = os.path.join(folder, 'out.csv'), os.path.join(folder, 'out.jsonl')
            sweep = ['sweep', 'three_vertices', '--frames', '2', '--set', 'solver.substeps=1,2', '--set',
                     'solver.iterations=1:9:3', '--csv', table]
            run = limber(*sweep, '--jsonl', lines)
            self.assertEqual(run.returncode, 0, run.stderr)
            with open(table) as file:
                whole = file.read()
            rows = list(csv.DictReader(whole.splitlines()))
            self.assertEqual(sorted((row['solver.substeps'], row['solver.iterations']) for row in rows),
                             [(s, i) for s in '12' for i in '159'])
            with open(lines) as file:
                self.assertEqual({json.loads(line)['state_hash'] for line in file},
                                 {row['state_hash'] for row in rows})
            with open(table, 'w') as file:
                file.write(whole[:whole.rindex('\n', 0, -1) + 20])  # the last row was cut off
            self.assertEqual(limber(*sweep).returncode, 0)
            with open(table) as file:
                again = list(csv.DictReader(file))
            self.assertEqual(len(again), 6)
            self.assertEqual(again[:5], rows[:5])  # not run again
            other = limber('sweep', 'three_vertices', '--set', 'solver.damping=0,1', '--csv', table)
            self.assertEqual(other.returncode, 2)
            printed = limber(*sweep, '--print')
            self.assertEqual(len(printed.stdout.splitlines()), 6)
            self.assertTrue(all(line.startswith('limber run three_vertices') for line in printed.stdout.splitlines()))
        for bad in ['solver.substep=1', 'solver.substeps=1:x:2', 'solver.substeps=0,1', 'solver.substeps']:
            run = limber('sweep', 'three_vertices', '--set', bad)
            self.assertEqual(run.returncode, 2)
            self.assertIn('--set', run.stderr)

    def test_series_has_a_row_per_frame(self):
        path = self.folder / "series.csv"
        report = self.report_of(SCENE, "--frames", 7, "--series", path, *UNWATCHED)
        rows = list(csv.DictReader(path.read_text().splitlines()))
        self.assertEqual([int(row["frame"]) for row in rows], [1, 2, 3, 4, 5, 6, 7])
        for row in rows:
            for name, value in row.items():
                self.assertEqual(value == "", name.split(".")[0] in NOT_MEASURED, name)
                if value:
                    self.assertEqual(float(value), float(value), name)
            total = [float(row["momentum." + part]) for part in ("x", "y", "z", "length")]
            self.assertAlmostEqual(math.hypot(*total[:3]), total[3], delta=1e-6 * total[3])
        self.assertAlmostEqual(float(rows[-1]["momentum.y"]), report["momentum"][1], delta=1e-6)
        self.assertAlmostEqual(float(rows[-1]["strain.max"]), report["strain"]["max"], delta=1e-6)
        self.assertAlmostEqual(float(rows[-1]["kinetic_energy"]), report["kinetic_energy"], delta=1e-6)

    def test_any_obj_runs_as_cloth(self):
        path = self.folder / "square.obj"
        path.write_text("v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 2 3 4\n")
        self.assertEqual(self.report_of(path, "--frames", 2)["triangles"], 2)

    def test_normals_that_an_obj_names_and_leaves_out_are_told_once(self):
        path = self.folder / "square.obj"
        path.write_text("v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1//1 2//1 3//1\nf 1//1 3//1 4//1\n")
        told = limber("run", path, "--frames", 1)
        self.assertEqual(told.returncode, 0, told.stderr)
        self.assertEqual(told.stderr, f"limber: cloth: the faces name normals that the file does not have ({path}:5): "
                                      "Limber makes its own\n")

    def test_meshes_of_other_formats_are_called_by_their_name(self):
        stl = self.folder / "cube.stl"
        stl.write_text("solid cube\nfacet normal 0 0 1\n")
        cloth = self.small_scene(objects={"cloth": {"type": "cloth", "mesh": "cube.stl"}})
        for arguments, place in (([stl], f"{stl}: "), ([cloth], "scene.json:"),
                                 ([SCENE, "--set", f"objects.cloth.mesh={stl}"], "--set objects.cloth.mesh: ")):
            result = limber("run", *arguments, cwd=self.folder)
            self.assertEqual(result.returncode, 2)
            self.assertIn(place, result.stderr)
            self.assertIn("this is an STL file, and of meshes only OBJ is read (convert it", result.stderr)
            self.assertEqual(result.stderr.count("\n"), 1)

    def test_cloth_that_the_solver_cannot_hold_together_is_told(self):
        def told(scene, *settings):
            result = limber("run", scene, "--seconds", 3, *(word for text in settings for word in ("--set", text)))
            self.assertEqual(result.returncode, 0, result.stderr)
            return result.stderr

        wild = ("solver.dt=0.1", "solver.substeps=1")
        self.assertRegex(told(SCENE, *wild), r"^limber: cloth: .* more solver\.substeps \(now 1\) .*\n")
        self.assertEqual(told(SCENE), "")
        self.assertEqual(told(SCENE, *wild, "objects.cloth.material.tear_strain=10"), "")
        # A mass of 1 kg on 0.1 m/N hangs 98 % lower, as it should.
        soft = self.small_scene(objects={"spring": {"type": "chain", "links": 1, "link_length": 1, "particle_mass": 1,
                                                    "direction": [0, -1, 0], "material": {"stretch_compliance": 0.1}}},
                                solver={"damping": 0.5})
        self.assertEqual(told(soft), "")
        self.assertGreater(self.report_of(soft, "--seconds", 3)["strain"]["mean"], 0.5)

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

    def test_a_scene_that_cannot_be_built_leaves_no_video(self):
        (self.folder / "edge.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n")
        scene = self.small_scene()
        scene.write_text(scene.read_text().replace('"columns": 5', '"mesh": "edge.obj"').replace('"rows": 5,', ""))
        result = limber("run", scene, "--video", self.folder / "clip.mp4")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(sorted(os.listdir(self.folder)), ["edge.obj", "scene.json"])

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

    def test_screenshot_is_a_picture_of_the_wanted_size(self):
        path = self.folder / "picture.png"
        self.run_ok("run", SCENE, "--frames", 3, "--screenshot", path, "--size", "320x200", "--samples", 2)
        data = path.read_bytes()
        self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(struct.unpack(">II", data[16:24]), (320, 200))
        pixels, at = b"", 8
        while at < len(data):
            size, kind = struct.unpack(">I4s", data[at : at + 8])
            if kind == b"IDAT":
                pixels += data[at + 8 : at + 8 + size]
            at += 12 + size
        self.assertGreater(len(set(zlib.decompress(pixels))), 16)  # not one flat colour

    def test_pictured_stops_when_and_looks_from_where_the_scene_says(self):
        path, pictures = self.folder / "posing.json", [self.folder / f"{i}.png" for i in range(3)]
        path.write_text(json.dumps({
            "format": 1, "objects": {"cloth": {"columns": 4, "rows": 4}},
            "picture": {"seconds": 0.05, "camera": {"position": [1, 2, 3], "target": [0, 0, 0]}}}))
        size = ("--size", "64x48", "--samples", 2, "--screenshot")
        self.assertEqual(self.report_of(path, "--pictured", *size, pictures[0])["frames"], 3)
        self.run_ok("run", path, "--frames", 3, *size, pictures[1])
        self.run_ok("run", path, "--frames", 3, *size, pictures[2], "--set", "camera.position=1,2,3",
                    "--set", "camera.target=0,0,0")
        pictured, from_the_camera, from_there = (picture.read_bytes() for picture in pictures)
        self.assertEqual(pictured, from_there)
        self.assertNotEqual(pictured, from_the_camera)

    def test_a_stage_is_chosen_by_the_scene_and_by_stage(self):
        path, pictures = self.folder / "staged.json", [self.folder / f"stage_{i}.png" for i in range(4)]
        scene = {"format": 1, "objects": {"cloth": {"columns": 4, "rows": 4}}}
        options = ("--frames", 1, "--size", "64x48", "--samples", 2, "--screenshot")
        path.write_text(json.dumps(scene))
        self.run_ok("run", path, *options, pictures[0])
        self.run_ok("run", path, *options, pictures[1], "--stage", "night")
        path.write_text(json.dumps({**scene, "view": {"stage": "night"}}))
        self.run_ok("run", path, *options, pictures[2])
        self.run_ok("run", path, *options, pictures[3], "--stage", "studio")
        studio, night, own, back = (picture.read_bytes() for picture in pictures)
        self.assertEqual(night, own)
        self.assertEqual(studio, back)
        self.assertNotEqual(studio, night)
        path.write_text(json.dumps({**scene, "view": {"stage": "moon"}}))
        result = limber("run", path, "--frames", 1)
        self.assertEqual(result.returncode, 2)
        self.assertIn("studio", result.stderr)

    def write_scene(self, bounds, always={}):
        path = self.folder / "tiny.json"
        path.write_text(json.dumps({
            "format": 1, "title": "Tiny", "group": "Test", "look_for": "Nothing.",
            "objects": {"cloth": {"type": "cloth", "columns": 4, "rows": 4}},
            "expect": {"frames": 3, "bounds": bounds, "always": always}}))
        return path

    def test_check_fails_when_a_bound_falls_short(self):
        good = self.write_scene({"mean_speed": [0, 1], "residual.distance.max": [0, 1]})
        result = limber("check", good)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue(result.stdout.endswith("1 passed, 0 failed\n"))
        result = limber("check", self.write_scene({"mean_speed": [5, 6]}))
        self.assertEqual(result.returncode, 1)
        self.assertIn("mean_speed: got 0.", result.stdout)
        self.assertIn("expected 5 to 6", result.stdout)
        self.assertTrue(result.stdout.endswith("0 passed, 1 failed\n"))

    def test_check_prints_bounds_beside_what_is_reached(self):
        # three frames of free fall from the origin: h g / 60 (1 + 2 + 3) or a little less, in substeps
        bounds = {"mean_speed": [0, 1], "places.cloth.mean.y": [-0.1, 1]}
        told = limber("check", self.write_scene(bounds, {"mean_speed": [0, 2]}), "--bounds").stdout
        self.assertRegex(told, r"at end +mean_speed +0 to 1 +reached +(0\.4\d*) to \1 +2\.\d+")
        self.assertRegex(told, r"always +mean_speed +0 to 2 +reached +0\.1\d* to 0\.4\d* +4\.\d+")
        self.assertRegex(told, r"places\.cloth\.mean\.y +-0\.1 to 1 +reached")
        self.assertNotIn("reached", limber("check", self.write_scene(bounds)).stdout)

    def test_places_are_boxes_of_objects_and_bodies(self):
        path = self.folder / "places.json"
        path.write_text(json.dumps({
            "format": 1, "solver": {"gravity": [0, 0, 0]},
            "objects": {"sheet": {"columns": 3, "rows": 3, "width": 2, "height": 1, "position": [0, 5, 0]}},
            "bodies": {"raft": {"shape": "box", "half_extents": [1, 1, 1], "position": [9, 0, 0], "copies": [1, 2, 1],
                                "spacing": [0, 4, 0]}}}))
        places = self.report_of(path, "--frames", 1)["places"]
        self.assertEqual(list(places), ["sheet", "raft"])
        for part, expected in (("size", [2, 1, 0]), ("mean", [0, 5, 0])):
            for got, wanted in zip(places["sheet"][part], expected):
                self.assertAlmostEqual(got, wanted, 4)
        self.assertAlmostEqual(places["raft"]["size"][1], 4, 4)
        self.assertAlmostEqual(places["raft"]["low"][0], 9, 4)

    def test_check_fails_when_a_bound_falls_short_on_one_frame(self):
        # In free fall from rest a frame of 1/60 s adds g/60 = 0.1635 m/s: 0.327 after the second, 0.4905 after the
        # third.
        result = limber("check", self.write_scene({"mean_speed": [0.4, 0.6]}, {"mean_speed": [0, 1]}))
        self.assertEqual(result.returncode, 0, result.stdout)
        result = limber("check", self.write_scene({}, {"mean_speed": [0, 0.3]}))
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout, r"mean_speed: got 0\.3\d* in frame 2, expected 0 to 0\.3 on every frame")
        self.assertEqual(result.stdout.count("mean_speed"), 1)  # the first frame, not each
        result = limber("check", self.write_scene({"mean_speed": [0.4, 0.6]}, {"mean_speed": [0.2, 1]}))
        self.assertIn("in frame 1, expected 0.2 to 1 on every frame", result.stdout)

    def test_a_bound_on_nothing_is_refused_before_anything_runs(self):
        for command in ("check", "run"):
            result = limber(command, self.write_scene({"strain.maxx": [0, 1]}))
            self.assertEqual(result.returncode, 2)
            self.assertRegex(result.stderr, r"tiny\.json:\d+: .*strain\.maxx.*did you mean 'strain\.max'")
        for path in ("density_error.mean", "grain_slope", "intersections", "spin_max"):  # of nothing, or uncounted
            nothing = limber("check", self.write_scene({path: [0, 1]}))
            self.assertEqual(nothing.returncode, 2)
            self.assertRegex(nothing.stderr, rf"tiny\.json:\d+: .*'{path}' was not measured")
        fall = limber("check", self.write_scene({"momentum.x": [-1e-9, 1e-9], "momentum.length": [0.01, 10]}))
        self.assertEqual(fall.returncode, 0, fall.stdout + fall.stderr)
        for blocks in ([{"residual.rope.max": [0, 1]}], [{}, {"residual.rope.max": [0, 1]}]):
            ropes = limber("check", self.write_scene(*blocks))  # a scene without any
            self.assertEqual(ropes.returncode, 2)
            self.assertRegex(ropes.stderr, r"tiny\.json:\d+: .*no value 'residual\.rope\.max'")

    def test_surfaces_that_cross_are_counted_and_told(self):
        sheet = {"type": "cloth", "columns": 5, "rows": 5, "width": 1, "height": 1, "pins": list(range(25))}
        path = self.folder / "crossing.json"
        path.write_text(json.dumps({
            "format": 1, "title": "Crossing", "group": "Test", "look_for": "Nothing.",
            "objects": {"flat": {**sheet, "upright": False}, "upright": {**sheet, "position": [0.03, 0.02, 0.04]}}}))
        result = limber("run", path, "--frames", 60, "--report", self.folder / "crossing.out")
        self.assertEqual(result.returncode, 0, result.stderr)
        report = json.loads((self.folder / "crossing.out").read_text())
        self.assertGreater(report["intersections"], 4)
        self.assertIn(f"{report['intersections']} pairs of triangles cross each other", result.stderr)
        self.assertIn("--set solver.cloth_collision=true", result.stderr)

    def test_scenes_can_bound_what_reports_have_and_nothing_else(self):
        bounds = json.loads(self.run_ok("schema"))["properties"]["expect"]["properties"]["bounds"]
        of_objects = re.compile(*bounds["patternProperties"])
        known, told = set(bounds["properties"]), set()

        def numbers(value, path):
            if isinstance(value, dict):
                for key, inner in value.items():
                    numbers(inner, path + [key])
            elif isinstance(value, list) and path[-1] in ("momentum", "angular_momentum"):
                told.update(".".join(path + [part]) for part in ("x", "y", "z", "length"))
            elif value is None:
                told.update(name for name in known if name.split(".")[:len(path)] == path)
            elif not isinstance(value, (str, list)):
                told.add(".".join(path))

        for scene in (SCENE, "balloon", "catenary", "joints", "strips"):
            numbers(self.report_of(scene, "--frames", 1), [])
        self.assertEqual({path for path in told - known if not of_objects.search(path)}, set())
        # the rest is of constraints that none of these scenes has
        missing = {path for path in known - told if path.split(".")[0] not in ("residual", "constraints", "phases")}
        self.assertEqual(missing, set())

    def test_errors_that_show_late_name_the_line(self):
        def told(**keys):
            path = self.folder / "late.json"
            path.write_text(json.dumps({"format": 1, **keys}, indent=1))
            result = limber("run", path, "--frames", 1)
            self.assertEqual(result.returncode, 2)
            line = int(result.stderr.split("late.json:")[1].split(":")[0])
            return path.read_text().splitlines()[line - 1].strip(), result.stderr

        flat = self.folder / "flat.obj"
        flat.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        line, message = told(objects={"sheet": {"mesh": "flat.obj", "pins": [7]}})
        self.assertEqual(line, '"sheet": {', message)
        line, message = told(objects={"sheet": {"columns": 3, "rows": 3}},
                             colliders={"ball": {"shape": "sphere", "half_extents": [1, 1, 1]}})
        self.assertTrue(line.startswith('"half_extents"'), message)
        line, message = told(bodies={"crate": {"shape": "box", "parts": []}})
        self.assertTrue(line.startswith('"parts"'), message)

    def test_unknown_keys_are_compared_with_those_of_the_type(self):
        def hint(**keys):
            path = self.folder / "typo.json"
            path.write_text(json.dumps({"format": 1, "objects": {"thing": keys}}, indent=1))
            result = limber("run", path, "--frames", 1)
            self.assertEqual(result.returncode, 2)
            return result.stderr

        self.assertIn("did you mean 'columns'", hint(colums=3, rows=3, type="cloth"))
        for others in ("columns", "tubes"):
            self.assertNotIn(others, hint(colums=3, type="fluid"))
        self.assertIn("did you mean 'viscosity'", hint(type="fluid", material={"viscosit": 1}))
        self.assertNotIn("viscosity", hint(material={"viscosit": 1}, type="cloth"))

    def test_the_schema_offers_parts_no_compound(self):
        body = json.loads(self.run_ok("schema"))["properties"]["bodies"]["patternProperties"].popitem()[1]
        self.assertIn("compound", body["properties"]["shape"]["enum"])
        part = body["properties"]["parts"]["items"]["properties"]["shape"]["enum"]
        self.assertNotIn("compound", part)
        self.assertIn("box", part)

    def test_a_run_prints_what_the_scene_has(self):
        stack = self.run_ok("run", "stack", "--frames", 3)
        self.assertRegex(stack, r"10 bodies\n(.*\n)*  contact +\d+ points")
        self.assertNotIn("particles", stack)
        self.assertNotIn("strain", stack)
        cloth = self.run_ok("run", SCENE, "--frames", 1)
        self.assertIn("strain", cloth)
        self.assertNotIn("bodies", cloth)

    def test_a_long_frame_is_told_before_it_begins(self):
        process = subprocess.Popen([LIMBER, "run", SCENE, "--frames", "1", "--set", "solver.substeps=1000", "--set",
                                    "solver.iterations=1000"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.addCleanup(process.stderr.close)
        self.assertRegex(process.stderr.readline(), r"1000 substeps of 1000 iterations .* expect about \d+ s")

    def test_validate_prints_its_table_and_csv(self):
        path = self.folder / "table.csv"
        if not has_double():
            told = limber("validate", "--csv", path)
            self.assertEqual(told.returncode, 2)
            self.assertIn("double precision", told.stderr)
            self.assertIn("LIMBER_DOUBLE_PRECISION", told.stderr)
            self.assertFalse(path.exists())
            return
        page = self.folder / "truth.md"
        self.assertRegex(self.run_ok("validate", "--csv", path, "--markdown", page), r"\d+ passed, 0 failed\n$")
        rows = list(csv.DictReader(path.read_text().splitlines()))
        self.assertGreater(len(rows), 30)
        self.assertEqual({row["ok"] for row in rows}, {"1"})
        names = [row["case"] for row in rows]
        self.assertEqual(table_rows(page.read_text()), names)
        # as committed: renew it with `limber validate --markdown assets/manual/truth.md`
        self.assertEqual(table_rows((ROOT / "assets/manual/truth.md").read_text()), names)

    def test_bench_writes_rows_and_compares(self):
        path = self.folder / "bench.json"
        self.run_ok("bench", "distance 50x50", "--threads", 1, "--json", path)
        rows = json.loads(path.read_text())
        self.assertEqual([row["constraints"] for row in rows], [3 * 49 * 49 + 2 * 49] * 3)
        for row in rows:
            self.assertGreater(row["ns_per_item"], 0)
        self.assertIn("/baseline", self.run_ok("bench", "distance 50x50", "--threads", 1, "--baseline", path))
        path.write_text('{"not": "ours"}')
        self.assertEqual(limber("bench", "--baseline", path).returncode, 2)


if __name__ == "__main__":
    unittest.main()
