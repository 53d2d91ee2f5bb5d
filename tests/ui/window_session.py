"""A display of its own, a window on it, and a hand that moves its mouse and types: what the checks share."""
import ctypes
import ctypes.util
import json
import os
import struct
import subprocess
import time
import zlib

SIZE = (1280, 800)
SCENE = "cloth_hang"
TITLE = "Limber - Hanging cloth"
ON_THE_SHEET = (650, 400)  # the scene hangs it into the middle of the picture
SKY = (905, 60)  # beside the sheet
# In the panels; generous enough for either font.
SIMULATION_MENU, STEP_ENTRY, SUBSTEPS_SLIDER, RESET_BUTTON = (110, 12), (130, 60), (1200, 127), (1218, 41)
SPLIT_BAR = (132, 412)
REMEDY = (350, 742)  # the first button of the lowest message, whose text has two lines


class Display:
    """An Xvfb of its own. `density` is pixels per point: 1 at 96 dots per inch."""

    def __init__(self, density=1.0):
        self.density = density
        self.size = self.scaled(SIZE)

    def scaled(self, point):
        return tuple(round(x * self.density) for x in point)

    def __enter__(self):
        screen = "%dx%dx24" % self.size
        command = ["Xvfb", "-displayfd", "1", "-screen", "0", screen, "-nolisten", "tcp", "-noreset"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.name = ":" + self.process.stdout.readline().strip()
        if self.density != 1.0:
            self.say_density()
        return self

    def say_density(self):
        """Does what `xrdb` does: windows read Xft.dpi from a property of the root window."""
        x = ctypes.CDLL(ctypes.util.find_library("X11") or "libX11.so.6")
        x.XOpenDisplay.restype = ctypes.c_void_p
        x.XDefaultRootWindow.restype = x.XInternAtom.restype = ctypes.c_ulong
        display = ctypes.c_void_p(x.XOpenDisplay(self.name.encode()))
        text = b"Xft.dpi:\t%d\n" % round(96 * self.density)
        string, bits, replace = 31, 8, 0
        x.XChangeProperty(display, ctypes.c_ulong(x.XDefaultRootWindow(display)),
                          ctypes.c_ulong(x.XInternAtom(display, b"RESOURCE_MANAGER", 0)),
                          ctypes.c_ulong(string), bits, replace, text, len(text))
        x.XCloseDisplay(display)

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


class Session:
    """One run of the application, from its first picture to Ctrl+Q. `pause` waits as long as the machine needs for a
    few pictures: the time to the first one says how busy it is."""

    running = []

    def __init__(self, limber, display, folder, *options, scene=SCENE, title=TITLE, path=None):
        self.environment = dict(os.environ, DISPLAY=display.name, LIMBER_OUTPUT=folder, XDG_CONFIG_HOME=folder,
                                XDG_DATA_HOME=folder)
        self.environment.pop("WAYLAND_DISPLAY", None)
        if path:
            self.environment["PATH"] = path + ":" + self.environment["PATH"]
        self.report_path = os.path.join(folder, "report.json")
        self.began = time.monotonic()
        self.process = subprocess.Popen([limber, scene, "--report", self.report_path, *options], env=self.environment,
                                        stderr=subprocess.PIPE, text=True)
        Session.running.append(self.process)
        self.drop()  # a button that an earlier check left down could not be pressed
        self.wait_for(lambda: self.xdotool("search", "--name", "^" + title + "$", check=False).strip(), "the scene")
        self.ready_after = time.monotonic() - self.began

    def pause(self, seconds=0.3):
        """At least `seconds`, more where the first picture took more than the 1.3 s of a machine at rest."""
        time.sleep(seconds * max(1.0, self.ready_after / 1.3))

    def wait_for(self, condition, what, seconds=60):
        end = time.monotonic() + seconds
        while not condition():
            assert self.process.poll() is None, "the application ended: " + self.process.stderr.read()
            assert time.monotonic() < end, "waited %d s in vain for %s" % (seconds, what)
            time.sleep(0.05)

    def xdotool(self, *arguments, check=True):
        done = subprocess.run(["xdotool", *map(str, arguments)], env=self.environment, capture_output=True, text=True)
        assert done.returncode == 0 or not check, done.stderr
        return done.stdout

    def key(self, *keys):
        for key in keys:
            self.xdotool("key", key)

    def pause_at_start(self):
        """Returns with the start in the picture: a hand that presses earlier meets what an older picture shows."""
        self.xdotool("mousemove", *SKY)
        self.key("space", "r")
        self.wait_for(lambda: rests(self.process, 0.15), "the picture of the start")

    def step(self, count):
        self.key(*["period"] * count)

    def drag(self, start, way):
        self.xdotool("mousemove", *start, "mousedown", 1)
        for part in (0.25, 0.5, 0.75, 1.0):
            self.xdotool("mousemove", round(start[0] + way[0] * part), round(start[1] + way[1] * part))

    def drop(self):
        self.xdotool("mouseup", 1)

    def click(self, position):
        self.xdotool("mousemove", *position)
        self.pause()  # a menu opens on hover and needs a frame for it
        self.xdotool("click", 1)
        self.pause()

    def quit(self):
        self.key("ctrl+q")
        error = self.process.communicate(timeout=60)[1]
        assert self.process.returncode == 0, "status %s: %s" % (self.process.returncode, error)
        with open(self.report_path) as file:
            return json.load(file)


def headless_hash(limber, frames, folder):
    report = os.path.join(folder, "headless.json")
    subprocess.run([limber, "run", SCENE, "--frames", str(frames), "--report", report], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open(report) as file:
        return json.load(file)["state_hash"]


def top_row(picture, size):
    """The red of the pixels along the upper edge: sky, or the dark menu bar."""
    with open(picture, "rb") as file:
        data = file.read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">II", data[16:24]) == size, "not the window's picture"
    at, packed = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        packed += data[at + 8:at + 8 + length] if kind == b"IDAT" else b""
        at += 12 + length
    row = zlib.decompressobj().decompress(packed, 1 + 3 * size[0])
    assert row[0] in (0, 1), "another filter of the first row"
    red = list(row[1::3])
    for i in range(1, len(red)):
        red[i] = (red[i] + red[i - 1] * row[0]) % 256
    return red


def replayed(limber, recording, folder, threads):
    report = os.path.join(folder, "replay.json")
    done = subprocess.run([limber, "run", "--input", recording, "--threads", str(threads), "--report", report],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 0, done.stderr
    with open(report) as file:
        return json.load(file)


def rests(process, seconds=0.5):
    """Whether it does next to nothing for `seconds`."""
    before = processor_seconds(process)
    time.sleep(seconds)
    return processor_seconds(process) - before < 0.1 * seconds


def ends_soon(session, seconds=20):
    """The bound is what a busy machine needs; each of the causes that hold an end up holds it for minutes."""
    began = time.monotonic()
    error = session.process.communicate(timeout=60)[1]
    took = time.monotonic() - began
    assert took < seconds, "it took %.1f s to end" % took
    return error


class Screen:
    """What a person sees, and a mouse without the time that a process takes to start."""

    def __init__(self, display):
        self.x, self.test = ctypes.CDLL("libX11.so.6"), ctypes.CDLL("libXtst.so.6")
        self.x.XOpenDisplay.restype = self.x.XGetImage.restype = ctypes.c_void_p
        self.x.XDefaultRootWindow.restype = self.x.XGetPixel.restype = ctypes.c_ulong
        self.display = ctypes.c_void_p(self.x.XOpenDisplay(display.name.encode()))
        self.root = ctypes.c_ulong(self.x.XDefaultRootWindow(self.display))

    def color(self, at):
        all_planes, z_pixmap = ctypes.c_ulong(0xffffffff), 2
        image = ctypes.c_void_p(self.x.XGetImage(self.display, self.root, *at, 1, 1, all_planes, z_pixmap))
        color = self.x.XGetPixel(image, 0, 0)
        self.x.XDestroyImage(image)
        return color

    def click(self):
        for down in (1, 0):
            self.test.XTestFakeButtonEvent(self.display, 1, down, ctypes.c_ulong(0))
        self.x.XFlush(self.display)


def processor_seconds(process):
    with open("/proc/%d/stat" % process.pid) as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
