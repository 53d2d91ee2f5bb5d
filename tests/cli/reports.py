"""What a run does, says and reports."""
import csv
import json
import math
import os
import pathlib
import subprocess
import tempfile

from harness import LIMBER, SCENE, CommandLine, has_double, limber

# What the report promises, in words of JSON; {} may be empty.
CONTRACT = {
    "scene": str, "frames": int, "dt": float, "substeps": int, "substeps_chosen": bool,
    "iterations": int, "iterations_chosen": bool, "method": str,
    "method_limits": list, "precision": str,
    "simd": str, "threads": int, "threads_at_work": int, "seed": int, "set": dict, "particles": int, "triangles": int, "tets": int, "bodies": int,
    "constraints": dict, "phases": dict, "contacts": ["mean", "max"],
    "wall_ms": ["min", "median", "p95", "max", "total"], "stages_ms": dict, "kinetic_energy": float,
    "potential_energy": float, "momentum": list, "angular_momentum": list, "strain": ["mean", "max"],
    "object_strain": dict, "residual": dict, "volume_ratio": dict, "tie_force": dict, "end_force": dict, "end_torque": dict, "volume_error_max": float,
    "intersections": int, "last_intersection": float, "in_zones": float, "elastic_energy": float, "inverted_tets": int, "plastic_strain_max": float, "skin_depth": float, "tears": int, "joint_error_max": float,
    "broken_joints": int, "swept_joints": int, "tie_gap_max": float, "tie_force_max": float, "broken_ties": int, "rod_segments": int, "rod_tension_max": float, "rod_bend_energy": float,
    "rod_twist_energy": float, "end_force_max": float, "end_torque_max": float, "rod_link": float, "rod_twist": float, "rod_writhe": float,
    "sleeping_bodies": int, "spin_max": float, "penetration_max": float, "grain_slope": float,
    "density_error": ["mean", "max"], "fluid_gap": float, "spray": int, "fluid_particles": int, "emitted": int, "drained": int, "lost": int,
    "heat": float, "heat_supplied": float, "temperature": ["mean", "max"], "molten_share": float, "chunks": int,
    "phase_changes": int, "heat_substeps": int, "heat_reached": float, "air_force": list, "drag": float, "lift": float,
    "mean_speed": float, "max_speed": float, "nonfinite": int, "at_rest": bool, "places": dict, "state_hash": str,
}
UNWATCHED = ("--set", "solver.cloth_collision=false")  # crossings are counted once a second then
# null in the report of five such frames of cloth: nothing there for them, or not counted yet
NOT_MEASURED = {"volume_error_max", "skin_depth", "intersections", "last_intersection", "joint_error_max", "tie_gap_max", "tie_force_max",
                "rod_tension_max", "rod_bend_energy", "rod_twist_energy", "end_force_max", "end_torque_max", "rod_link", "rod_twist", "rod_writhe", "spin_max", "grain_slope",
                "density_error", "fluid_gap", "heat", "heat_supplied", "temperature", "molten_share", "chunks", "phase_changes",
                "heat_substeps", "heat_reached", "air_force", "drag", "lift"}


class Reports(CommandLine):
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

    def test_a_report_can_go_into_a_pipe(self):
        told = self.run_ok("run", SCENE, "--frames", 1, "--report", "/dev/stdout")
        self.assertEqual(json.JSONDecoder().raw_decode(told[told.index("{"):])[0]["frames"], 1)

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
        for setting in ('solver.relaxation=1.3', 'objects.cloth.material.stretch_stiffness=0.5'):
            name = setting[:setting.index('=')].replace('objects.cloth.material.', 'the ')
            self.assertIn(f'ignores {name}', limits_of('cloth_hang', 'xpbd', '--set', setting))
        self.assertNotIn('relaxation', limits_of('cloth_hang', 'jacobi', '--set', 'solver.relaxation=1.3'))
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
