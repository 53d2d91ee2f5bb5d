"""Checks of the real window: what was done is recorded, and comes back; videos."""
import json
import os
import shutil
import signal
import subprocess
import time

from window_session import ON_THE_SHEET, SCENE, SKY, SUBSTEPS_SLIDER, TITLE, Session, ends_soon, replayed, rests


def check_what_was_done_replays(limber, display, folder):
    """Drags and a slider, once frame by frame and once while it runs: both recordings replay to their state."""
    at_quit = os.path.join(folder, "session.json")
    session = Session(limber, display, folder, "--record-input", at_quit)
    session.pause_at_start()
    session.drag(ON_THE_SHEET, (60, -120))
    session.step(4)
    session.drop()
    session.xdotool("mousemove", *SUBSTEPS_SLIDER, "mousedown", 1)
    session.xdotool("mousemove", SUBSTEPS_SLIDER[0] + 15, SUBSTEPS_SLIDER[1])
    session.drop()
    session.step(2)
    session.key("shift+F11")
    by_key = os.path.join(folder, "limber_%s_input_0001.json" % SCENE)
    session.wait_for(lambda: os.path.exists(by_key) and os.path.getsize(by_key) > 0, "the recording")
    session.xdotool("mousemove", *SKY)
    session.key("space")
    session.drag(ON_THE_SHEET, (-200, 40))
    session.pause(0.5)
    session.drop()
    session.pause()
    report = session.quit()
    with open(by_key) as file:
        frames = json.load(file)["frames"]
    assert frames > 0, "nothing was stepped"
    again = replayed(limber, by_key, folder, threads=1)["frames"]
    assert again == frames, "%d frames were recorded, %d replayed" % (frames, again)
    hashes = {replayed(limber, at_quit, folder, threads)["state_hash"] for threads in (1, 3)}
    assert hashes == {report["state_hash"]}, "the replay of %d frames ends elsewhere" % report["frames"]
    with open(at_quit) as file:
        inputs = json.load(file)["inputs"]
    kinds = {key for one in inputs for key in one}
    assert {"grab", "move", "release", "set"} <= kinds, "something was not recorded: %s" % kinds
    grabs, releases = (sum(kind in one for one in inputs) for kind in ("grab", "release"))
    assert 1 <= grabs <= 2 and releases == grabs, "%d grabs and %d releases in two drags" % (grabs, releases)


def check_a_recording_plays(limber, display, folder):
    """What Shift+F11 saves opens by its path, plays and pauses at its end, in the state that was recorded."""
    session = Session(limber, display, folder)
    session.pause_at_start()
    session.drag(ON_THE_SHEET, (60, -120))
    session.step(6)
    session.drop()
    session.step(6)
    session.key("shift+F11")
    recording = os.path.join(folder, "limber_%s_input_0001.json" % SCENE)
    session.wait_for(lambda: os.path.exists(recording) and os.path.getsize(recording) > 0, "the recording")
    session.quit()
    with open(recording) as file:
        recorded = json.load(file)
    session = Session(limber, display, folder, scene="spring_chain", title="Limber - Spring chain")
    session.key("ctrl+o")
    session.xdotool("type", "--delay", 1, recording)
    session.key("Return")
    session.wait_for(lambda: session.xdotool("search", "--name", "^" + TITLE + "$", check=False).strip(), "the scene")
    session.wait_for(lambda: rests(session.process), "the end of the recording")
    report = session.quit()
    assert report["frames"] == recorded["frames"], "%d frames of %d" % (report["frames"], recorded["frames"])
    assert report["state_hash"] == recorded["state_hash"], "it ends elsewhere"


def check_interrupt_keeps_the_recording(limber, display, folder):
    recording = os.path.join(folder, "input.json")
    session = Session(limber, display, folder, "--record-input", recording)
    session.process.send_signal(signal.SIGINT)
    error = session.process.communicate(timeout=60)[1]
    assert session.process.returncode == 130, "status %s: %s" % (session.process.returncode, error)
    for path in (recording, session.report_path):
        with open(path) as file:
            assert json.load(file)["scene"] == SCENE, path


def check_a_stalled_ffmpeg_holds_nobody_up(limber, display, folder):
    """As on a full or a network disk: the keys work, the loss is told, the simulation goes on."""
    programs = os.path.join(folder, "bin")
    os.mkdir(programs)
    with open(os.path.join(programs, "ffmpeg"), "w") as file:
        file.write("#!/bin/sh\nsleep 1000\n")
    os.chmod(os.path.join(programs, "ffmpeg"), 0o755)
    session = Session(limber, display, folder, "--size", "480x320", path=programs)
    session.key("F11")
    session.pause(1.0)
    session.key("F11")
    session.pause(2.0)
    session.key("F11")
    session.pause(1.0)
    session.key("ctrl+q")
    error = ends_soon(session)
    assert session.process.returncode == 0, session.process.returncode
    assert "stood still" in error and "not written" in error, error
    with open(session.report_path) as file:
        frames = json.load(file)["frames"]
    assert frames > 20, "only %d frames: the simulation did not go on" % frames


def decoded_pictures(video):
    """How many pictures a player gets to see; 0 for what is no video."""
    done = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-select_streams", "v:0", "-show_entries",
                           "stream=nb_read_frames", "-of", "csv=p=0", video], capture_output=True, text=True)
    said = done.stdout.strip().strip(",")
    return int(said) if done.returncode == 0 and said.isdigit() else 0


def taken_in(session):
    """Bytes that the ffmpeg of the session has read."""
    child = subprocess.run(["pgrep", "-P", str(session.process.pid), "ffmpeg"], capture_output=True, text=True).stdout
    try:
        with open("/proc/%s/io" % child.strip()) as file:
            return int(file.readline().split()[1])
    except OSError:
        return 0


def check_a_video_plays_also_after_a_kill(limber, display, folder):
    """With the real ffmpeg: F11 twice is a video of every frame, `kill -9` in the middle of one leaves what it had."""
    if not shutil.which("ffmpeg") or not shutil.which("ffprobe"):
        return
    width, height, frames = 480, 320, 4
    session = Session(limber, display, folder, "--size", "%dx%d" % (width, height))
    session.pause_at_start()
    name = os.path.join(folder, "limber_" + SCENE + "_%04d.mp4")

    def record(number):
        session.key("F11")
        session.wait_for(lambda: os.path.exists(name % number), "the video's file")
        for count in range(1, frames + 1):
            session.step(1)
            session.wait_for(lambda: taken_in(session) >= 3 * width * height * count, "a picture in the video")

    record(1)
    session.key("F11")
    session.wait_for(lambda: decoded_pictures(name % 1) >= frames, "a video of %d pictures" % frames, seconds=10)
    record(2)
    session.process.kill()
    session.process.wait()
    end = time.monotonic() + 10
    while decoded_pictures(name % 2) < frames and time.monotonic() < end:  # ffmpeg ends its file
        time.sleep(0.2)
    assert decoded_pictures(name % 2) >= frames, "%d pictures are left" % decoded_pictures(name % 2)
