"""Colliders in exports: a scene with each kind, and its parts as they are read from each format.

Places are computed here from the numbers of the scene, so that an export is compared with the scene and not with
another export. export_test.py runs these tests.
"""
import glob
import json
import math
import re
import struct

import numpy

try:
    import vtk
    from vtk.util.numpy_support import vtk_to_numpy
except ImportError:
    vtk = None

FRAMES = 4
TIME = FRAMES / 60.0
POSES_PER_SECOND = 15  # the second pose of the deforming collider is that of the last frame
CORNER = numpy.array([[0, 0, 0], [0.5, 0, 0], [0, 0.6, 0], [0, 0, 0.7]])
FACES = "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
COLLIDERS = {
    "ground": {"shape": "plane"},
    "slope": {"shape": "plane", "position": [0, -3, 0], "rotation_degrees": [0, 0, 20]},
    "ball": {"shape": "sphere", "radius": 0.3, "position": [1, 1, 0], "linear_velocity": [1, 0, 0.5]},
    "wall": {"shape": "box", "half_extents": [0.1, 0.2, 0.3], "position": [2, 1, 0], "rotation_degrees": [10, 20, 30],
             "angular_velocity": [0, 90, 0]},
    "pill": {"shape": "capsule", "radius": 0.1, "half_length": 0.2, "position": [3, 1, 0], "rotation_degrees": [0, 0, 40],
             "amplitude": [0.5, 0, 0], "period": 1},
    "rock": {"shape": "mesh", "mesh": "pose_0.obj", "position": [0, 1, 3], "rotation_degrees": [0, 30, 0], "parent": "wall",
             "resolution": 16},
    "tent": {"shape": "mesh", "mesh": "tent.obj", "shell": 0.1, "position": [0, 1, -3], "resolution": 48},
    "jelly": {"shape": "mesh", "mesh": "pose_0.obj", "frames": "pose_*.obj", "frame_rate": POSES_PER_SECOND, "position": [-2, 1, 0]},
    "crate": {"shape": "box", "half_extents": [0.2, 0.2, 0.2], "position": [-4, 1, 0]},
    "hidden": {"shape": "sphere", "radius": 0.1, "position": [9, 1, 0], "visible": False}}
# names of the parts: the body has taken "crate"; the ground belongs to the stage, and what is hidden is not shown
PARTS = ["slope", "ball", "wall", "pill", "rock", "tent", "jelly", "crate_collider"]
RIGID = [name for name in PARTS if name != "jelly"]


def write_scenes(folder):
    """Writes the scene, and one without things that deform, whose morph targets VTK 9.1 cannot animate."""
    (folder / "pose_0.obj").write_text("".join("v {} {} {}\n".format(*corner) for corner in CORNER) + FACES)
    (folder / "pose_1.obj").write_text("".join("v {} {} {}\n".format(*corner) for corner in 1.25 * CORNER) + FACES)
    (folder / "tent.obj").write_text("v -1 0 -1\nv 1 0 -1\nv 1 0 1\nv -1 0 1\nf 1 3 2\nf 1 4 3\n")
    scene = {"format": 1, "title": "Colliders", "group": "Tests", "look_for": "Every kind of collider.", "solver": {"substeps": 2},
             "objects": {"sheet": {"type": "cloth", "columns": 5, "rows": 5, "width": 1, "height": 1, "position": [0, 5, 0]}},
             "bodies": {"crate": {"shape": "box", "half_extents": [0.1, 0.1, 0.1], "density": 500, "position": [4, 1, 0]}},
             "colliders": COLLIDERS}
    (folder / "colliders.json").write_text(json.dumps(scene))
    del scene["objects"]
    scene["colliders"] = {name: numbers for name, numbers in COLLIDERS.items() if name != "jelly"}
    (folder / "rigid.json").write_text(json.dumps(scene))


def turn_about(axis, degrees):
    x, y, z = axis
    K = numpy.array([[0, -z, y], [z, 0, -x], [-y, x, 0]], dtype=float)
    angle = math.radians(degrees)
    return numpy.eye(3) + math.sin(angle) * K + (1 - math.cos(angle)) * (K @ K)


def rotation(degrees):
    x, y, z = degrees
    return turn_about((0, 0, 1), z) @ turn_about((0, 1, 0), y) @ turn_about((1, 0, 0), x)


def wanted_place(name):
    """Position and rotation of a collider in the last frame."""
    collider = COLLIDERS["crate" if name == "crate_collider" else name]
    position, R = numpy.array(collider["position"], dtype=float), rotation(collider.get("rotation_degrees", (0, 0, 0)))
    position = position + TIME * numpy.array(collider.get("linear_velocity", (0, 0, 0)))
    position = position + math.sin(2 * math.pi * TIME) * numpy.array(collider.get("amplitude", (0, 0, 0)))
    spun = turn_about((0, 1, 0), 90 * TIME)
    if name == "wall":
        R = spun @ R
    if name == "rock":  # the wall carries it
        wall = numpy.array(COLLIDERS["wall"]["position"])
        position, R = wall + spun @ (position - wall), spun @ R
    return position, R


def box(half):
    return numpy.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * half


def distance_between(points, others):
    """The largest distance of a point from the nearest one of the others."""
    return max(numpy.linalg.norm(others - point, axis=1).min() for point in points)


def check_part(name, points):
    """Whether these are the vertices of the collider, m, in the last frame. Files hold 32-bit numbers."""
    assert len(points), f"{name}: no vertices"
    position, R = wanted_place(name)
    own = (numpy.asarray(points, dtype=float) - position) @ R
    wrong = None
    if name == "ball":
        wrong = numpy.abs(numpy.linalg.norm(own, axis=1) - 0.3).max()
        wrong = max(wrong, numpy.linalg.norm(own.mean(axis=0)))
    elif name == "pill":
        beyond = numpy.maximum(numpy.abs(own[:, 1]) - 0.2, 0.0)
        wrong = numpy.abs(numpy.linalg.norm(numpy.stack([own[:, 0], beyond, own[:, 2]], axis=1), axis=1) - 0.1).max()
        wrong = max(wrong, abs(own[:, 1].max() - 0.3), abs(own[:, 1].min() + 0.3))
    elif name == "tent":  # its sides lie 0.05 m above and below the sheet
        wrong = max(numpy.abs(numpy.abs(own[:, 1]) - 0.05).max(), abs(own[:, 1].max() + own[:, 1].min()))
        wrong = max(wrong, distance_between([[x, y, z] for x, _, z in box(1.0) for y in (-0.05, 0.05)], own))
    else:
        shapes = {"slope": numpy.array([[x, 0.0, z] for x in (-5, 5) for z in (-5, 5)]), "wall": box(COLLIDERS["wall"]["half_extents"]),
                  "rock": CORNER, "jelly": 1.25 * CORNER, "crate_collider": box(COLLIDERS["crate"]["half_extents"])}
        wrong = max(distance_between(own, shapes[name]), distance_between(shapes[name], own))
    assert wrong < 2e-5, f"{name}: off by {wrong} m"


def moved(vertices, place, quaternion):
    w, x, y, z = numpy.asarray(quaternion, dtype=float)
    R = numpy.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])
    return vertices @ R.T + place


def parts_of_npz(path):
    arrays, parts = numpy.load(path), {}
    for name in arrays.files:
        part = name.rsplit("/", 1)[0]
        if name.endswith("/positions"):
            parts[part] = arrays[name][-1]
        if name.endswith("/vertices"):
            x, y, z, w = arrays[part + "/rotation"][-1]
            parts[part] = moved(arrays[name], arrays[part + "/position"][-1], (w, x, y, z))
    return parts


def parts_of_vtu(path):
    reader = vtk.vtkXMLUnstructuredGridReader()
    reader.SetFileName(str(path).replace(".vtu", f"_{FRAMES:04d}.vtu"))
    reader.Update()
    grid, parts = reader.GetOutput(), {}
    names, points = grid.GetFieldData().GetAbstractArray("parts"), vtk_to_numpy(grid.GetPoints().GetData())
    corners, ends = vtk_to_numpy(grid.GetCells().GetConnectivityArray()), vtk_to_numpy(grid.GetCells().GetOffsetsArray())
    of_cell = numpy.repeat(vtk_to_numpy(grid.GetCellData().GetArray("part")), numpy.diff(ends))
    for k in range(names.GetNumberOfValues()):
        parts[names.GetValue(k)] = points[numpy.unique(corners[of_cell == k])]
    return parts


def parts_of_ply(path):
    """VTK's points, with the numbers of parts, which it does not read, from the bytes of the file."""
    file = str(path).replace(".ply", f"_{FRAMES:04d}.ply")
    reader = vtk.vtkPLYReader()
    reader.SetFileName(file)
    reader.Update()
    points = vtk_to_numpy(reader.GetOutput().GetPoints().GetData())
    data = open(file, "rb").read()
    head, data = data.split(b"end_header\n", 1)
    head = head.decode()
    vertex = head[head.index("element vertex"):head.index("element face")]
    columns = re.findall(r"property (\w+) (\w+)", vertex)
    rows = numpy.frombuffer(data, dtype=[(name, {"float": "<f4", "int": "<i4"}[type]) for type, name in columns], count=len(points))
    return {name: points[rows["part"] == int(number)] for number, name in re.findall(r"comment part (\d+) (\S+)", head)}


def parts_of_obj(path):
    """The groups of a file: VTK reads faces and numbers their groups; the names are in the text."""
    file = sorted(glob.glob(str(path) + "/*.obj"))[-1]
    names = [line[2:].strip() for line in open(file) if line.startswith("g ")]
    reader = vtk.vtkOBJReader()
    reader.SetFileName(file)
    reader.Update()
    mesh = reader.GetOutput()
    points, polygons = vtk_to_numpy(mesh.GetPoints().GetData()), mesh.GetPolys()
    corners, ends = vtk_to_numpy(polygons.GetConnectivityArray()), vtk_to_numpy(polygons.GetOffsetsArray())
    of_cell = numpy.repeat(vtk_to_numpy(mesh.GetCellData().GetArray("GroupIds")), numpy.diff(ends)).astype(int)
    found = sorted(set(of_cell))
    assert len(found) == len(names), f"{len(found)} groups, not {len(names)}"
    return {name: points[numpy.unique(corners[of_cell == number])] for name, number in zip(names, found)}


def parts_of_glb(path):
    """Nodes in the last frame: the last key of each channel, and the last morph target."""
    data = open(path, "rb").read()
    size = struct.unpack("<I", data[12:16])[0]
    file, rest = json.loads(data[20:20 + size]), data[20 + size + 8:]

    def values(number):
        accessor = file["accessors"][number]
        view = file["bufferViews"][accessor["bufferView"]]
        width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}[accessor["type"]]
        return numpy.frombuffer(rest, "<f4", accessor["count"] * width, view["byteOffset"]).reshape(-1, width)

    parts, animation = {}, file["animations"][0]
    for number, node in enumerate(file["nodes"]):
        last = {channel["target"]["path"]: values(animation["samplers"][channel["sampler"]]["output"])
                for channel in animation["channels"] if channel["target"]["node"] == number}
        primitive = file["meshes"][node["mesh"]]["primitives"][0]
        points = values(primitive["attributes"]["POSITION"])
        if "weights" in last:
            targets = primitive["targets"]
            weights = last["weights"].reshape(-1, len(targets))[-1]
            points = points + sum(weight * values(target["POSITION"]) for weight, target in zip(weights, targets))
        else:
            x, y, z, w = last["rotation"][-1]
            points = moved(points, last["translation"][-1], (w, x, y, z))
        parts[node["name"]] = points
    return parts


def parts_of_glb_by_vtk(path):
    """VTK's glTF reader at the time of the last frame. Its blocks have numbers: the order of the nodes."""
    reader = vtk.vtkGLTFReader()
    reader.SetFileName(str(path))
    reader.ApplyDeformationsToGeometryOn()
    reader.UpdateInformation()
    reader.SetFrameRate(60)
    reader.EnableAnimation(0)
    reader.UpdateTimeStep((FRAMES - 1) / 60.0)  # its times begin at the first frame
    parts, nodes = {}, reader.GetOutput()
    for number, name in enumerate(["crate", *RIGID]):
        block = nodes.GetBlock(number)
        while block.IsA("vtkMultiBlockDataSet"):
            block = block.GetBlock(0)
        parts[name] = vtk_to_numpy(block.GetPoints().GetData())
    return parts


def numbers_in(text):
    return numpy.array([float(number) for number in re.findall(r"[-+]?\d[-+.\deE]*", text)])


def parts_of_usd(text):
    """Prims of a layer that a reader of USD has written again."""
    parts = {}
    for name, prim in re.findall(r'def Mesh "(\w+)"(.*?)(?=\n\s*def |\Z)', text, re.S):
        def last(declaration):
            at = prim.index(declaration)
            if prim[at + len(declaration):].startswith(".timeSamples"):
                return re.search(rf"\n\s*{FRAMES}: ([^\n]*)", prim[at:]).group(1)
            return re.search(r"= ([^\n]*)", prim[at:]).group(1)
        points = numbers_in(last("point3f[] points")).reshape(-1, 3)
        if "xformOp:orient" in prim:
            order = re.search(r"xformOpOrder = \[(.*?)\]", prim).group(1)
            assert order.index("translate") < order.index("orient"), order
            points = moved(points, numbers_in(last("double3 xformOp:translate")), numbers_in(last("quatf xformOp:orient")))
        parts[name] = points
    return parts


def check_parts(parts, wanted):
    for name in wanted:
        assert name in parts, f"no part {name} among {sorted(parts)}"
        check_part(name, parts[name])
    for name in ("ground", "hidden"):
        assert name not in parts, f"{name} is in the export"


def readers():
    """By name: the scene, the ending of the export, the function that reads its parts, and the parts wanted."""
    found = {"npz by NumPy": ("colliders", "npz", parts_of_npz, PARTS), "glb": ("colliders", "glb", parts_of_glb, PARTS)}
    if vtk:
        found |= {"vtu by VTK": ("colliders", "vtu", parts_of_vtu, PARTS), "ply by VTK": ("colliders", "ply", parts_of_ply, PARTS),
                  "obj by VTK": ("colliders", "", parts_of_obj, PARTS), "glb by VTK": ("rigid", "glb", parts_of_glb_by_vtk, RIGID)}
    return found
