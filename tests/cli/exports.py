"""Files for other programs, films and pictures."""
import ast
import json
import os
import shutil
import signal
import struct
import time
import zipfile
import zlib

from harness import SCENE, CommandLine, limber


class Exports(CommandLine):
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
        self.assertEqual([line for line in surface if line.startswith('g ')], ['g creature', 'g ball'])
        heights = [float(line.split()[2]) for line in surface if line.startswith('v ')]
        faces = surface[surface.index('g creature'):surface.index('g ball')]
        lowest = min(heights[int(corner.split('/')[0]) - 1] for line in faces if line.startswith('f ')
                     for corner in line.split()[1:])
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

    def test_a_scene_that_cannot_be_built_leaves_no_video(self):
        (self.folder / "edge.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n")
        scene = self.small_scene()
        scene.write_text(scene.read_text().replace('"columns": 5', '"mesh": "edge.obj"').replace('"rows": 5,', ""))
        result = limber("run", scene, "--video", self.folder / "clip.mp4")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(sorted(os.listdir(self.folder)), ["edge.obj", "scene.json"])

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
