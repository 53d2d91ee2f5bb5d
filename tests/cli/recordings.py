"""Recordings of what a user did, and their replay."""
import json
import pathlib

from harness import SCENE, CommandLine, limber


class Recordings(CommandLine):
    def test_a_recording_names_no_file_outside_of_its_folder(self):
        done = limber("run", "--input", self.recording_of(SCENE, "../elsewhere/scene.json", 1, "0"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("outside of the recording's folder", done.stderr)

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
