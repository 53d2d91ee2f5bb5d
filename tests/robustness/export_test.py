#!/usr/bin/env python3
"""Exported scenes as other programs read them: NumPy, VTK, the validator of glTF and a reader of USD.

Usage: export_test.py PATH_TO_LIMBER [FOLDER]
NumPy and VTK are Debian's python3-numpy and python3-vtk9; the other two come from npm, into FOLDER/readers (default:
build). A missing reader is skipped and named. Ends with "N passed, N failed".
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

DEBIAN = "/usr/bin/python3"
try:
    import numpy
except ImportError:  # a python of somebody's own has not what Debian installs
    if os.path.realpath(sys.executable) != os.path.realpath(DEBIAN) and os.path.exists(DEBIAN):
        os.execv(DEBIAN, [DEBIAN, *sys.argv])
    numpy = None
try:
    import vtk
    from vtk.util.numpy_support import vtk_to_numpy
except ImportError:
    vtk = None
if numpy:
    import export_colliders

LIMBER = os.path.abspath(sys.argv[1])
FOLDER = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else "build").resolve() / "readers"
FRAMES = 4
# scene: the part whose positions are compared, and whether glTF can hold the scene
SCENES = {"cloth_drape_sphere": ("cloth", True), "beam_twist": ("beam", True), "bent_wire": ("wire_1", True),
          "soft_bowl": ("bowl", True), "stack": (None, True), "dam_break": ("water", False),
          "tear_cube": ("cloth", True)}
PACKAGES = ["gltf-validator@2.0.0-dev.3.10", "tinyusdz@0.9.0-rc10"]

VALIDATE = """
const validator = require('gltf-validator'), fs = require('fs');
validator.validateBytes(new Uint8Array(fs.readFileSync(process.argv[2])))
  .then(report => console.log(JSON.stringify({issues: report.issues, info: report.info})));
"""
# The module knows browsers only; with the name of one it runs anywhere.
READ_USD = """
globalThis.window = globalThis; process.type = 'renderer'; globalThis.document = {};
import fs from 'fs';
const start = (await import(process.argv[2] + '/tinyusdz.js')).default;
const quiet = () => {};
const usd = await start({wasmBinary: fs.readFileSync(process.argv[2] + '/tinyusdz.wasm'), print: quiet, printErr: quiet});
const scene = new usd.TinyUSDZLoaderNative(), layer = new usd.TinyUSDZLoaderNative();
const bytes = fs.readFileSync(process.argv[3]);
if (!scene.loadFromBinary(bytes, 'out.usda')) throw new Error(scene.error());
if (!layer.loadAsLayerFromBinary(bytes, 'out.usda')) throw new Error(layer.error());
fs.writeFileSync(process.argv[4], layer.layerToString());
"""


def check(condition, message):
    if not condition:
        raise AssertionError(message)


def near(found, wanted, tolerance, message):
    found, wanted = numpy.asarray(found, dtype=float), numpy.asarray(wanted, dtype=float)
    check(found.shape == wanted.shape, f"{message}: shape {found.shape} instead of {wanted.shape}")
    check(numpy.abs(found - wanted).max(initial=0.0) <= tolerance, f"{message}: they differ by {numpy.abs(found - wanted).max()}")


def places(arrays, frame):
    """Lowest and highest corner of everything that is exported as one mesh."""
    corners = [arrays[name][frame] for name in arrays.files if name.endswith("/positions")]
    for name in arrays.files:
        if name.endswith("/vertices"):
            part = name[:-len("/vertices")]
            x, y, z, w = arrays[part + "/rotation"][frame].astype(float)
            turn = numpy.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                                [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                                [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])
            corners.append(arrays[name] @ turn.T + arrays[part + "/position"][frame])
    return numpy.concatenate(corners)


def test_numpy(paths, part, arrays):
    check(arrays["time"].shape == (FRAMES,), "time")
    near(arrays["time"], numpy.arange(1, FRAMES + 1) / 60.0, 1e-9, "time")
    for name in arrays.files:
        if name.endswith(("/positions", "/velocities", "/position")):
            check(numpy.isfinite(arrays[name]).all(), name)
    if part:
        check(arrays[part + "/positions"].ndim == 3, part)
        moved = numpy.diff(arrays[part + "/positions"], axis=0) * 60.0
        if part + "/velocities" in arrays.files and part != "water":
            near(moved[-1], arrays[part + "/velocities"][-1], 0.6 * max(1.0, numpy.abs(moved).max()), "velocities")


def test_vtk(paths, part, arrays):
    grids = []
    for frame in (1, FRAMES):
        reader = vtk.vtkXMLUnstructuredGridReader()
        reader.SetFileName(str(paths["vtu"]).replace(".vtu", f"_{frame:04d}.vtu"))
        reader.Update()
        grids.append(reader.GetOutput())
    grid = grids[-1]
    check(grid.GetNumberOfCells() > 0, "no cells")
    near(vtk_to_numpy(grid.GetFieldData().GetArray("TimeValue")), [FRAMES / 60.0], 1e-9, "time")
    points = vtk_to_numpy(grid.GetPoints().GetData())
    near(points.min(axis=0), places(arrays, -1).min(axis=0), 1e-5, "lowest corner")
    near(points.max(axis=0), places(arrays, -1).max(axis=0), 1e-5, "highest corner")
    corners = vtk_to_numpy(grid.GetCells().GetConnectivityArray())
    check(corners.min() >= 0 and corners.max() < len(points), "cells name points that are not there")
    names = [grid.GetPointData().GetArrayName(k) for k in range(grid.GetPointData().GetNumberOfArrays())]
    for unit in arrays["units"]:
        field, unit = unit.decode().split("=")
        name = field if unit == "1" else f"{field} [{unit}]"
        check(name in names, f"no field {name} among {names}")
    if part and f"{part}/strain" in arrays.files and part + "_tets/tets" not in arrays.files:
        numbers = vtk_to_numpy(grid.GetPointData().GetArray("strain"))
        near(numbers[:arrays[part + "/strain"].shape[1]], arrays[part + "/strain"][-1], 1e-6, "strain")
    listed = paths["vtu"].with_suffix(".pvd").read_text()
    check(listed.count("<DataSet ") == FRAMES, "the .pvd does not list every frame")


def test_ply(paths, part, arrays):
    reader = vtk.vtkPLYReader()
    reader.SetFileName(str(paths["ply"]).replace(".ply", f"_{FRAMES:04d}.ply"))
    reader.Update()
    points = vtk_to_numpy(reader.GetOutput().GetPoints().GetData())
    near(points.min(axis=0), places(arrays, -1).min(axis=0), 1e-5, "lowest corner")
    near(points.max(axis=0), places(arrays, -1).max(axis=0), 1e-5, "highest corner")
    faces = sum(len(arrays[name]) for name in arrays.files if name.endswith("/faces"))
    check(reader.GetOutput().GetNumberOfCells() == faces, f"{reader.GetOutput().GetNumberOfCells()} faces, not {faces}")


def node(script, ending, *arguments):
    (FOLDER / ("run" + ending)).write_text(script)
    run = subprocess.run(["node", str(FOLDER / ("run" + ending)), *map(str, arguments)], capture_output=True, text=True)
    check(run.returncode == 0, run.stderr[-500:])
    return run.stdout


def test_gltf(paths, part, arrays):
    report = json.loads(node(VALIDATE, ".js", paths["glb"]))
    check(report["issues"]["numErrors"] == 0 and report["issues"]["numWarnings"] == 0, report["issues"]["messages"][:3])
    check(report["info"]["animationCount"] == 1, "no animation")
    check(report["info"]["hasMorphTargets"] == (part is not None), "morph targets")


def usd_again(path):
    """The text of a USD layer as another program writes it after it has read it."""
    again = path.with_suffix(".again.usda")
    node(READ_USD, ".mjs", FOLDER / "node_modules" / "tinyusdz", path, again)
    return again.read_text()


def test_usd(paths, part, arrays):
    text = usd_again(paths["usda"])
    check(f"endTimeCode = {FRAMES}" in text, "endTimeCode")
    if not part:
        return
    prim = text[text.index(f'"{part}"'):]
    samples = prim[prim.index("point3f[] points.timeSamples"):]
    last = re.search(rf"\n\s*{FRAMES}: \[(.*?)\]", samples, re.S).group(1)
    points = numpy.array([float(number) for number in re.findall(r"[-+.\deE]+", last)]).reshape(-1, 3)
    near(points, arrays[part + "/positions"][-1], 1e-5, "points")


def readers():
    found = {"npz by NumPy": ("npz", test_numpy)}
    if vtk:
        found |= {"vtu by VTK": ("vtu", test_vtk), "ply by VTK": ("ply", test_ply)}
    else:
        print("skipped: .vtu and .ply, python3-vtk9 is not installed")
    FOLDER.mkdir(parents=True, exist_ok=True)
    if shutil.which("npm") and subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--prefix", str(FOLDER), *PACKAGES],
                                              capture_output=True).returncode == 0:
        found |= {"glb by gltf-validator": ("glb", test_gltf), "usda by tinyusdz": ("usda", test_usd)}
    else:
        print("skipped: .glb and .usda, npm is not there or reaches no registry")
    return found


def test_colliders(by_npm):
    """Reads every kind of collider from every format. Returns how many readers agreed with the scene, and how many did not."""
    passed = failed = 0
    found = export_colliders.readers()
    if by_npm:
        found["usda by tinyusdz"] = ("colliders", "usda", lambda path: export_colliders.parts_of_usd(usd_again(path)), export_colliders.PARTS)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        export_colliders.write_scenes(folder)
        for name, (scene, ending, read, wanted) in found.items():
            path = folder / (f"{scene}.{ending}" if ending else f"{scene}_obj")
            run = subprocess.run([LIMBER, "run", str(folder / f"{scene}.json"), "--frames", str(export_colliders.FRAMES), "--threads", "1",
                                  "--export", str(path) + ("" if ending else "/")], capture_output=True, text=True)
            try:
                check(run.returncode == 0, run.stderr)
                export_colliders.check_parts(read(path), wanted)
                passed += 1
            except Exception as error:  # whatever a reader throws is its verdict
                failed += 1
                print(f"FAIL colliders, {name}: {error!r}")
    return passed, failed


def main():
    if not numpy:
        print("skipped: python3-numpy is not installed\n0 passed, 0 failed")
        return 0
    found = readers()
    passed, failed = test_colliders("usda by tinyusdz" in found)
    for scene, (part, in_gltf) in SCENES.items():
        with tempfile.TemporaryDirectory() as folder:
            paths = {}
            for ending in sorted({ending for ending, _ in found.values()}):
                paths[ending] = pathlib.Path(folder) / f"out.{ending}"
                run = subprocess.run([LIMBER, "run", scene, "--frames", str(FRAMES), "--threads", "1", "--export",
                                      str(paths[ending])], capture_output=True, text=True)
                if ending == "glb" and not in_gltf:
                    ok = run.returncode == 2 and ".usda" in run.stderr and not paths[ending].exists()
                else:
                    ok = run.returncode == 0
                passed, failed = passed + ok, failed + (not ok)
                if not ok:
                    print(f"FAIL {scene} as {ending}: {run.stderr}")
            arrays = numpy.load(paths["npz"])
            for name, (ending, test) in found.items():
                if ending == "glb" and not in_gltf:
                    continue
                try:
                    test(paths, part, arrays)
                    passed += 1
                except Exception as error:  # whatever a reader throws is its verdict
                    failed += 1
                    print(f"FAIL {scene}, {name}: {error}")
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
