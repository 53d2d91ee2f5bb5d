#!/usr/bin/env python3
"""The real window under Xvfb, driven with real mouse and key events.

Usage: window_test.py PATH_TO_LIMBER [FOLDER_FOR_PICTURES]
Exit status 0: all well; 1: something is not; 77: skipped, Xvfb or xdotool is missing.

The scene is paused, restarted and stepped with keys, so a session is exact: untouched, its state hash must be
that of the same number of frames without a window, and a drag must change it.
"""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True  # the source tree stays as it is

from window_recordings import (check_a_recording_plays, check_a_stalled_ffmpeg_holds_nobody_up,
                               check_a_video_plays_also_after_a_kill, check_interrupt_keeps_the_recording,
                               check_what_was_done_replays)
from window_session import (ON_THE_SHEET, REMEDY, RESET_BUTTON, SCENE, SIMULATION_MENU, SIZE, SKY, SPLIT_BAR,
                            STEP_ENTRY, SUBSTEPS_SLIDER, TITLE, Display, Screen, Session, ends_soon, headless_hash,
                            processor_seconds, replayed, rests, top_row)


def check_untouched(limber, display, folder):
    session = Session(limber, display, folder)
    print("first picture of the scene after %.1f s" % session.ready_after)
    session.pause_at_start()
    session.step(8)
    report = session.quit()
    assert report["state_hash"] == headless_hash(limber, 8, folder), "pause, restart and 8 steps are not 8 frames"


def check_drag(limber, display, folder):
    session = Session(limber, display, folder)
    session.pause_at_start()
    session.drag(ON_THE_SHEET, (60, -120))
    session.step(6)
    session.drop()
    session.step(2)
    report = session.quit()
    assert report["state_hash"] != headless_hash(limber, 8, folder), "the drag did not reach the cloth"
    assert report["nonfinite"] == 0


def check_camera_moves_no_cloth(limber, display, folder):
    session = Session(limber, display, folder)
    session.pause_at_start()
    session.drag(SKY, (SUBSTEPS_SLIDER[0] - SKY[0], SUBSTEPS_SLIDER[1] - SKY[1]))  # ends on a slider
    session.drop()
    session.xdotool("mousemove", *SKY, "click", 4)
    session.step(8)
    report = session.quit()
    assert report["substeps"] == 10, "a drag that began in the scene moved a slider"
    assert report["state_hash"] == headless_hash(limber, 8, folder), "moving the camera changed the cloth"


def check_the_way_back(limber, display, folder):
    """From a slider that was moved to the scene's own values, by key and by button."""
    for way in (lambda session: session.key("shift+r"), lambda session: session.click(RESET_BUTTON)):
        session = Session(limber, display, folder)
        session.pause_at_start()
        session.xdotool("mousemove", *SUBSTEPS_SLIDER, "mousedown", 1)
        session.xdotool("mousemove", SUBSTEPS_SLIDER[0] + 15, SUBSTEPS_SLIDER[1])
        session.drop()
        session.step(2)
        way(session)
        session.xdotool("mousemove", *SKY)
        session.step(8)
        # Frames of so many substeps take seconds; what is asked for after them is done before the window closes.
        session.wait_for(lambda: rests(session.process), "the last step")
        report = session.quit()
        assert report["substeps"] == 10, "the slider stayed at %d" % report["substeps"]
        assert report["state_hash"] == headless_hash(limber, 8, folder), "not the scene's own start"


def check_the_scenes_own_start_is_that_of_its_file(limber, display, folder):
    """Shift+R reads what was just written, which the watch, that looks at time and size, cannot see here."""
    listed = json.loads(subprocess.run([limber, "list", "--json"], check=True, capture_output=True, text=True).stdout)
    scene = os.path.join(folder, "limber", "scenes", SCENE + ".json")
    os.makedirs(os.path.dirname(scene))
    shutil.copy(next(entry["file"] for entry in listed if entry["name"] == SCENE), scene)
    written = os.stat(scene).st_mtime_ns
    session = Session(limber, display, folder)
    session.pause_at_start()
    with open(scene) as file:
        text = file.read()
    with open(scene, "w") as file:
        file.write(text.replace('"substeps": 10', '"substeps": 12'))
    os.utime(scene, ns=(written, written))
    session.key("shift+r")
    report = session.quit()
    assert report["substeps"] == 12, "%d substeps" % report["substeps"]


def check_panels(limber, display, folder):
    """On a denser display everything is as much larger, the window too."""
    session = Session(limber, display, folder)
    session.pause_at_start()
    session.click(display.scaled(SIMULATION_MENU))
    session.click(display.scaled(STEP_ENTRY))
    session.wait_for(lambda: rests(session.process), "the step")  # the slider's value is for the frames after it
    session.click(display.scaled(SKY))  # closes whatever is still open
    x, y = SUBSTEPS_SLIDER
    session.xdotool("mousemove", *display.scaled((x, y)), "mousedown", 1)
    session.xdotool("mousemove", *display.scaled((x + 15, y)))
    session.drop()
    pictures = []
    for keys in ("F12", "shift+F12"):
        session.key(keys)
        pictures.append(os.path.join(folder, "limber_%s_%04d.png" % (SCENE, len(pictures) + 1)))
        session.wait_for(lambda: os.path.exists(pictures[-1]) and os.path.getsize(pictures[-1]) > 0, "the screenshot", 120)
    report = session.quit()
    assert report["substeps"] > 20, "the slider did not move: %d substeps" % report["substeps"]
    assert report["state_hash"] == headless_hash(limber, 1, folder), "the menu entry did not step one frame"
    rows = [top_row(picture, display.size) for picture in pictures]
    assert max(rows[0]) > 100, "F12: panels in the picture"
    assert max(rows[1]) < 60, "shift+F12: no menu bar in the picture"


def check_a_ball_and_a_cut(limber, display, folder):
    """B throws, C with a drag cuts, D marks contacts; what was done replays to the same state."""
    at_quit = os.path.join(folder, "session.json")
    session = Session(limber, display, folder, "--record-input", at_quit)
    session.pause_at_start()
    session.xdotool("mousemove", *ON_THE_SHEET)
    session.key("d", "b")
    session.step(20)
    session.key("F12")
    session.xdotool("keydown", "c")
    session.drag((ON_THE_SHEET[0] - 80, ON_THE_SHEET[1]), (160, 40))
    session.drop()
    session.xdotool("keyup", "c")
    session.key("b")
    session.step(4)
    session.key("F12")
    picture = os.path.join(folder, "limber_%s_0002.png" % SCENE)
    session.wait_for(lambda: os.path.exists(picture) and os.path.getsize(picture) > 0, "the screenshot", 120)
    report = session.quit()
    with open(at_quit) as file:
        inputs = json.load(file)["inputs"]
    throws, cuts = (sum(kind in one for one in inputs) for kind in ("throw", "cut"))
    assert throws == 2, "two balls were thrown, %d recorded" % throws
    assert cuts >= 1, "the cut was not recorded"
    assert report["tears"] > 0, "the drag with C cut nothing"
    again = replayed(limber, at_quit, folder, threads=3)["state_hash"]
    assert again == report["state_hash"], "the replay ends elsewhere"


ROD_ACROSS_THE_PICTURE = """{ "format": 1, "title": "A bar",
  "objects": { "bar": { "type": "rod", "length": 2, "segments": 20, "rod_radius": 0.02, "last_end": "clamped",
                        "position": [-1, 1, 0], "material": { "youngs_modulus": 1e8 } } },
  "camera": { "position": [0, 1, 3], "target": [0, 1, 0] } }
"""


def check_ctrl_drag_twists_a_rod(limber, display, folder):
    """A drag with Ctrl to the right twists the rod under the mouse by its length, and by nothing else."""
    scene, at_quit = os.path.join(folder, "bar.json"), os.path.join(folder, "session.json")
    with open(scene, "w") as file:
        file.write(ROD_ACROSS_THE_PICTURE)
    session = Session(limber, display, folder, "--record-input", at_quit, scene=scene, title="Limber - A bar")
    session.pause_at_start()
    session.step(2)
    session.xdotool("keydown", "ctrl")
    session.drag((ON_THE_SHEET[0], 395), (100, 0))
    session.xdotool("keyup", "ctrl")
    session.step(30)
    session.drop()
    report = session.quit()
    with open(at_quit) as file:
        twists = [one for one in json.load(file)["inputs"] if "twist" in one]
    assert twists, "the drag with Ctrl twisted nothing"
    assert abs(twists[-1]["angle"] - 1.5) < 0.02, "100 pixels twisted by %g rad" % twists[-1]["angle"]
    inertia, modulus, half = 3.14159 / 2 * 0.02**4, 1e8 / 2.6, 1.0
    energy = 2 * 0.5 * modulus * inertia / half * 1.5**2  # both halves twisted by 1.5 rad
    assert 0.9 < report["rod_twist_energy"] / energy < 1.2, (report["rod_twist_energy"], energy)
    again = replayed(limber, at_quit, folder, threads=2)["state_hash"]
    assert again == report["state_hash"], "the replay ends elsewhere"


def check_heat_picker_and_settings(limber, display, folder):
    at_quit = os.path.join(folder, "session.json")
    session = Session(limber, display, folder, "--record-input", at_quit)
    session.pause_at_start()
    session.drag(ON_THE_SHEET, (60, -120))
    session.step(2)
    session.drop()
    session.drag(SPLIT_BAR, (0, 60))
    session.drop()
    session.xdotool("mousemove", *SKY)
    session.key("h")  # strain
    session.key("ctrl+o")
    session.pause(1.0)  # the text box takes the keyboard in the frame after
    session.xdotool("type", "--delay", 60, "sprch")
    session.pause(1.0)
    session.key("Return")
    title = "^Limber - Spring chain$"
    session.wait_for(lambda: session.xdotool("search", "--name", title, check=False).strip(), "the scene that was picked")
    report = session.quit()
    assert report["scene"] == "spring_chain", report["scene"]
    for recording, scene in ((at_quit, "spring_chain"), (at_quit.replace(".json", "_%s_0001.json" % SCENE), SCENE)):
        assert replayed(limber, recording, folder, threads=1)["scene"] == scene, recording
    with open(os.path.join(folder, "limber", "settings.json")) as file:
        settings = json.load(file)
    assert "heat_map" not in settings, "a heat map would be there in the next session, of another scene"
    assert settings["scenes_share"] > 0.55, "the bar between the left panels was not dragged, or not remembered"
    assert (settings["width"], settings["height"]) == SIZE


def check_no_display(limber, display, folder):
    environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    done = subprocess.run([limber, SCENE], env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2, "status %d without a display" % done.returncode
    assert done.stderr.startswith("limber: ") and done.stderr.count("\n") == 1, done.stderr


def check_a_long_frame_ends_when_it_is_told_to(limber, display, folder):
    session = Session(limber, display, folder, "--set", "solver.substeps=1000", "--set", "solver.iterations=100",
                      scene="cloth_large", title="Limber - .*")
    time.sleep(2.5)  # in the first frame
    session.key("shift+F12")
    picture = os.path.join(folder, "limber_cloth_large_0001.png")
    session.wait_for(lambda: os.path.exists(picture) and os.path.getsize(picture) > 0, "the screenshot", 120)
    session.process.send_signal(signal.SIGTERM)
    ends_soon(session)
    with open(session.report_path) as file:
        assert json.load(file)["frames"] == 0, "a frame that was not finished counts"


def check_keys_behind_dialogs(limber, display, folder):
    """Whatever is typed into the palette at once is the palette's, and the file dialog swallows what the scene knows."""
    at_quit = os.path.join(folder, "session.json")
    session = Session(limber, display, folder, "--record-input", at_quit)
    session.pause_at_start()
    session.step(3)
    session.key("ctrl+shift+o", "r", "space", "b", "Tab", "period", "Escape")
    session.key("ctrl+p")
    session.xdotool("type", "--delay", 1, "method chebyshev")
    session.key("Return")
    session.pause()
    session.step(2)
    report = session.quit()
    with open(at_quit) as file:
        recorded = json.load(file)
    assert report["method"] == "chebyshev", report["method"]
    assert recorded["frames"] == 5, "%d frames: a key went through a dialog" % recorded["frames"]
    assert [set(one) for one in recorded["inputs"]] == [{"frame", "set", "value"}], recorded["inputs"]


def check_a_paused_window_rests(limber, display, folder):
    session = Session(limber, display, folder)
    session.pause_at_start()
    session.wait_for(lambda: rests(session.process), "the last picture")
    before = processor_seconds(session.process)
    time.sleep(2.0)
    spent = processor_seconds(session.process) - before
    assert spent < 0.1, "%.0f %% of a core while paused and untouched" % (50.0 * spent)
    session.step(3)
    report = session.quit()
    assert report["state_hash"] == headless_hash(limber, 3, folder), "it does not wake up"


def check_menus_open_at_once(limber, display, folder):
    """Where the processor draws 124,000 triangles, a picture takes many times as long as a menu may."""
    menu, below = (36, 12), (60, 60)
    session = Session(limber, display, folder, scene="cloth_large", title="Limber - .*")
    screen = Screen(display)
    times = []
    for _ in range(3):
        session.xdotool("mousemove", *menu)
        session.pause(0.5)
        closed, began = screen.color(below), time.monotonic()
        screen.click()
        session.wait_for(lambda: screen.color(below) != closed, "the menu")
        times.append(time.monotonic() - began)
        session.key("Escape")
        session.xdotool("mousemove", *SKY)
        session.pause(0.5)
    session.process.kill()
    # The wait looks each 50 ms; the bound has room for a machine that is slower by what the first picture says.
    bound = 0.1 * max(1.0, session.ready_after / 1.3) + 0.06
    assert sorted(times)[1] < bound, "a menu took %s s" % ", ".join("%.2f" % t for t in times)


def check_files_by_path_and_escape(limber, display, folder):
    listed = json.loads(subprocess.run([limber, "list", "--json"], check=True, capture_output=True, text=True).stdout)
    mine = os.path.join(folder, "mine.json")
    with open(next(entry["file"] for entry in listed if entry["name"] == "spring_chain")) as file:
        text = file.read()
    with open(mine, "w") as file:
        file.write(text.replace("Spring chain", "My own"))
    session = Session(limber, display, folder)
    session.key("F1", "Escape", "ctrl+shift+o", "Escape", "ctrl+o")
    session.pause(1.0)
    session.xdotool("type", "--delay", 40, mine)
    session.pause(1.0)
    session.key("Return")
    session.wait_for(lambda: session.xdotool("search", "--name", "^Limber - My own$", check=False).strip(), "the file")
    assert session.quit()["scene"] == "mine"


def check_an_unseen_window_rests(limber, display, folder):
    session = Session(limber, display, folder)
    window = session.xdotool("search", "--name", "^" + TITLE + "$").split()[0]
    session.xdotool("windowunmap", window)
    session.wait_for(lambda: rests(session.process), "rest")
    before = processor_seconds(session.process)
    time.sleep(1.5)
    spent = processor_seconds(session.process) - before
    session.xdotool("windowmap", window)
    assert spent < 0.4, "%.2f s of processor time in 1.5 s" % spent
    awake = processor_seconds(session.process) + 0.8
    session.wait_for(lambda: processor_seconds(session.process) > awake, "the window to wake up")
    session.process.send_signal(signal.SIGTERM)
    ends_soon(session)


def check_a_remembered_window_fits_the_screen(limber, display, folder):
    os.makedirs(os.path.join(folder, "limber"))
    with open(os.path.join(folder, "limber", "settings.json"), "w") as file:
        json.dump({"width": 3000, "height": 2000}, file)
    session = Session(limber, display, folder)
    window = session.xdotool("search", "--name", "^" + TITLE + "$").split()[0]
    width, height = (int(line.split("=")[1]) for line in session.xdotool("getwindowgeometry", "--shell", window).split()
                     if line.startswith(("WIDTH", "HEIGHT")))
    session.process.send_signal(signal.SIGTERM)
    ends_soon(session)
    assert width <= SIZE[0] and height <= SIZE[1], "%d x %d on a smaller screen" % (width, height)


def check_own_values_also_after_set(limber, display, folder):
    session = Session(limber, display, folder, "--set", "solver.substeps=3")
    session.pause_at_start()
    session.key("shift+r")
    session.step(8)
    report = session.quit()
    assert report["substeps"] == 10, "%d substeps are not the scene's own" % report["substeps"]
    assert report["state_hash"] == headless_hash(limber, 8, folder), "not the scene's own start"


def check_a_warning_has_a_button_that_mends(limber, display, folder):
    scene = {"format": 1, "title": "Soft",
             "solver": {"substeps": 1, "iterations": 1, "dt": 0.05, "cloth_collision": True},  # or crossings are told too
             "objects": {"flag": {"type": "cloth", "columns": 40, "rows": 40, "pins": ["top"], "position": [0, 2, 0]}}}
    path = os.path.join(folder, "soft.json")
    with open(path, "w") as file:
        json.dump(scene, file)
    session = Session(limber, display, folder, scene=path, title="Limber - Soft")
    session.pause(3.0)
    session.click(REMEDY)
    session.pause(0.5)
    assert session.quit()["substeps"] == 10, "the button changed nothing"


def check_variants_share_the_hand(limber, display, folder):
    """A drag in the second of two pictures acts on the first, whose recording replays without the second."""
    at_quit = os.path.join(folder, "session.json")
    session = Session(limber, display, folder, "--variant", "solver.method=xpbd", "--variant", "solver.method=jacobi",
                      "--record-input", at_quit)
    session.pause_at_start()
    session.drag((ON_THE_SHEET[0], 590), (60, -60))
    session.step(5)
    session.drop()
    session.step(2)
    report = session.quit()
    with open(at_quit) as file:
        inputs = json.load(file)["inputs"]
    assert any("grab" in one for one in inputs), "the drag in the second picture did not reach the first variant"
    assert report["state_hash"] != headless_hash(limber, report["frames"], folder)
    again = replayed(limber, at_quit, folder, threads=1)["state_hash"]
    assert again == report["state_hash"], "the replay ends elsewhere"


def passes(check, limber, display):
    with tempfile.TemporaryDirectory() as folder:
        try:
            check(limber, display, folder)
            failure = None
        except (AssertionError, subprocess.TimeoutExpired) as error:
            failure = error
        finally:  # a window that is left would take the keys of the next check
            for process in Session.running:
                process.kill()
                process.wait()
            Session.running.clear()
        print("%s %s at density %g%s" % ("FAIL " if failure else "ok   ", check.__name__, display.density,
                                         " - %s" % failure if failure else ""))
        if len(sys.argv) > 2:
            shutil.copytree(folder, sys.argv[2], dirs_exist_ok=True)
        return failure is None


def main():
    missing = [tool for tool in ("Xvfb", "xdotool") if not shutil.which(tool)]
    if missing:
        print("skipped: %s not installed" % " and ".join(missing))
        return 77
    limber = os.path.abspath(sys.argv[1])
    plain = (check_no_display, check_untouched, check_drag, check_camera_moves_no_cloth, check_the_way_back,
             check_the_scenes_own_start_is_that_of_its_file, check_panels,
             check_what_was_done_replays, check_a_ball_and_a_cut, check_ctrl_drag_twists_a_rod,
             check_heat_picker_and_settings,
             check_interrupt_keeps_the_recording, check_a_stalled_ffmpeg_holds_nobody_up,
             check_a_video_plays_also_after_a_kill, check_a_long_frame_ends_when_it_is_told_to,
             check_a_recording_plays, check_keys_behind_dialogs, check_a_paused_window_rests, check_menus_open_at_once,
             check_files_by_path_and_escape, check_an_unseen_window_rests, check_a_remembered_window_fits_the_screen,
             check_own_values_also_after_set, check_a_warning_has_a_button_that_mends,
             check_variants_share_the_hand)
    wanted = os.environ.get("LIMBER_WINDOW_CHECKS")  # parts of names, for one who works on them
    if wanted:
        plain = tuple(check for check in plain if any(part in check.__name__ for part in wanted.split(",")))
    failures = 0
    for density, checks in ((1.0, plain), (1.5, () if wanted else (check_panels,))):
        with Display(density) as display:
            failures += sum(not passes(check, limber, display) for check in checks)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
