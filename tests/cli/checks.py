"""Bounds of scenes, the table of laws, and benchmarks."""
import csv
import json
import re

from harness import ROOT, SCENE, CommandLine, has_double, limber, table_rows


class Checks(CommandLine):
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

    def test_check_averages_over_the_last_half_of_the_frames(self):
        # In free fall a frame of 1/60 s adds g/60: after the third and the fourth 0.4905 and 0.654 m/s, on average 0.572.
        path = self.write_scene({})
        for most, status in ((0.58, 0), (0.56, 1)):
            scene = json.loads(path.read_text())
            scene["expect"] = {"frames": 4, "mean": {"mean_speed": [0.55, most]}}
            path.write_text(json.dumps(scene))
            result = limber("check", path)
            self.assertEqual(result.returncode, status, result.stdout)
        self.assertRegex(result.stdout, r"mean_speed: got 0\.57\d*, expected 0\.55 to 0\.56 on average")

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
        told = self.run_ok("validate", "--csv", path, "--markdown", page, timeout=900)
        self.assertRegex(told, r"\d+ passed, 0 failed\n$")
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
