"""Mesh files as cloth and as colliders."""
import json

from harness import SCENE, CommandLine, limber


class Meshes(CommandLine):
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

    def test_a_mesh_of_no_use_is_told_with_its_place_in_the_scene(self):
        (self.folder / "flat.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        scene = self.folder / "rock.json"
        scene.write_text('{ "format": 1, "bodies": {\n\n"rock": { "shape": "hull", "mesh": "flat.obj" } } }')
        told = limber("run", scene, "--frames", 1)
        self.assertEqual(told.returncode, 2)
        self.assertIn("flat.obj: body 'rock' (%s:3): a hull needs at least 4 points" % scene, told.stderr)

    def test_any_obj_runs_as_cloth(self):
        path = self.folder / "square.obj"
        path.write_text("v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 2 3 4\n")
        self.assertEqual(self.report_of(path, "--frames", 2)["triangles"], 2)

    def test_normals_that_an_obj_names_and_leaves_out_are_told_once(self):
        path = self.folder / "square.obj"
        path.write_text("v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1//1 2//1 3//1\nf 1//1 3//1 4//1\n")
        told = limber("run", path, "--frames", 1)
        self.assertEqual(told.returncode, 0, told.stderr)
        notes = [line for line in told.stderr.splitlines() if "normals" in line]
        self.assertEqual(notes, [f"limber: cloth: the faces name normals that the file does not have ({path}:5): "
                                 "Limber makes its own"])

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
