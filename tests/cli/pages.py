"""Help, lists and the pages of the manual, which the program generates."""
import json
import os
import pathlib
import re
import subprocess

from harness import ROOT, SCENE, CommandLine, has_double, limber


class Pages(CommandLine):
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

    def test_every_extract_of_the_guide_runs(self):
        page = (ROOT / 'assets/manual/writing_a_scene.md').read_text()
        extracts = [text for text in re.findall(r'```json\n(.*?)```', page, re.S)[1:]]
        smallest = re.findall(r'^\|.*?`("\w+": \{ "(?:type|shape)".*?\})` \|', page, re.M)
        self.assertGreater(len(smallest), 8)
        named = {name: {'shape': 'box', 'position': [k, 5, 0]} for k, name in
                 enumerate(('door', 'wheel', 'cart'))}
        named['chain'] = {'shape': 'capsule', 'radius': 0.02, 'half_length': 0.05, 'arrangement': 'line',
                          'copies': [5, 1, 1], 'spacing': [0.2, 0, 0]}
        named['crates'] = {'shape': 'box', 'half_extents': [0.2] * 3, 'copies': [4, 5, 4],
                           'spacing': [0.5] * 3, 'position': [5, 0.3, 5]}
        cloth = {'type': 'cloth', 'columns': 5, 'rows': 5, 'position': [0, 1.5, 0]}
        for text in extracts + [f'"objects": {{ {object} }}' for object in smallest]:
            with self.subTest(extract=text):
                whole = text.lstrip().startswith('{')
                scene = json.loads(re.sub(r'//.*', '', text if whole else f'{{ {text} }}'))
                scene.setdefault('format', 1)
                if 'joints' in scene or 'attachments' in scene:
                    scene.setdefault('bodies', named)
                if 'attachments' in scene:
                    scene['objects'] = {'cloth': {**cloth, 'attachments': scene.pop('attachments')}}
                if 'objects' not in scene and 'bodies' not in scene:
                    scene['objects'] = {'cloth': cloth}
                path = os.path.join(self.folder, 'extract.json')
                with open(path, 'w', encoding='utf-8') as file:
                    json.dump(scene, file)
                self.run_ok('run', path, '--frames', 1, '--threads', 1)

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
