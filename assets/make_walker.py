#!/usr/bin/env python3
"""Writes walker.obj and walker_pose_00.obj ... _11.obj, a mannequin that walks: python3 assets/make_walker.py

A smooth union of tapered limbs (see surface_nets.py) in a pose with arms and legs apart, one closed surface, bent by
linear blend skinning into POSES poses of a step of each foot, on the spot. walker.obj is the first with its faces, the
others are vertices only. Units are metres; it stands on y = 0, walks along +z, PERIOD s are two steps.
"""
import math
import os
import sys

from surface_nets import ball, even_surface, limb, print_obj, smooth_minimum

CELL = 0.034        # m
LOW = (-0.85, -0.10, -0.287)
COUNT = (50, 58, 18)  # cells
POSES = 12
SOFTNESS = 0.028    # m over which the skin changes from one bone to the next
HIP, KNEE = (0.09, 0.92, 0.0), (0.09, 0.48, 0.0)
SHOULDER, ELBOW = (0.215, 1.39, 0.0), (0.27, 1.10, 0.0)
WAIST = (0.0, 1.0, 0.0)


def turn(axis, degrees):
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    i, j = (axis + 1) % 3, (axis + 2) % 3
    m = [[float(a == b) for b in range(3)] for a in range(3)]
    m[i][i], m[i][j], m[j][i], m[j][j] = c, -s, s, c
    return m


def apply(m, p):
    return [sum(m[a][b] * p[b] for b in range(3)) for a in range(3)]


def about(pivot, m):
    """The motion that turns by m about the pivot."""
    moved = apply(m, pivot)
    return m, [pivot[k] - moved[k] for k in range(3)]


def after(second, first):
    (m2, t2), (m1, t1) = second, first
    product = [[sum(m2[a][k] * m1[k][b] for k in range(3)) for b in range(3)] for a in range(3)]
    moved = apply(m2, t1)
    return product, [moved[k] + t2[k] for k in range(3)]


def move(motion, p):
    m, t = motion
    moved = apply(m, p)
    return [moved[k] + t[k] for k in range(3)]


def inverse(motion):
    m, t = motion
    back = [[m[b][a] for b in range(3)] for a in range(3)]
    moved = apply(back, t)
    return back, [-c for c in moved]


STILL = about((0.0, 0.0, 0.0), turn(0, 0))


def mirrored(p, side):
    return (side * p[0], p[1], p[2])


def motions(legs, knees, arms, elbows, apart_legs, apart_arms, twist):
    """Of every bone, from straight limbs: degrees per side (left, right)."""
    pelvis = STILL
    torso = after(pelvis, about(WAIST, turn(1, twist)))
    out = {"pelvis": pelvis, "torso": torso}
    for n, side in enumerate((1, -1)):
        thigh = after(pelvis, after(about(mirrored(HIP, side), turn(0, legs[n])),
                                    about(mirrored(HIP, side), turn(2, side * apart_legs))))
        upper = after(torso, after(about(mirrored(SHOULDER, side), turn(0, arms[n])),
                                   about(mirrored(SHOULDER, side), turn(2, side * apart_arms))))
        out["thigh", side] = thigh
        out["shank", side] = after(thigh, about(mirrored(KNEE, side), turn(0, knees[n])))
        out["upper", side] = upper
        out["fore", side] = after(upper, about(mirrored(ELBOW, side), turn(0, elbows[n])))
    return out


BIND = motions((0, 0), (0, 0), (0, 0), (0, 0), 13, 42, 0)


def parts(bone, q):
    """Distance to what belongs to a bone, at a point in the frame of straight limbs; x > 0 on its side."""
    if bone == "pelvis":
        return smooth_minimum(ball(q, (0, 0.95, -0.01), (0.155, 0.115, 0.122)),
                              limb(q, (0, 0.98, 0), (0, 1.06, 0), 0.132, 0.130), 0.05)
    if bone == "torso":
        d = smooth_minimum(limb(q, (0, 1.10, 0), (0, 1.30, 0), 0.128, 0.135),
                           ball(q, (0, 1.30, 0), (0.165, 0.14, 0.105)), 0.05)
        m = (abs(q[0]), q[1], q[2])
        d = smooth_minimum(d, limb(m, (0.04, 1.41, -0.01), (0.19, 1.395, -0.005), 0.062, 0.062), 0.05)
        d = smooth_minimum(d, limb(q, (0, 1.42, 0), (0, 1.57, 0.008), 0.056, 0.052), 0.03)
        return smooth_minimum(d, ball(q, (0, 1.675, 0.018), (0.088, 0.125, 0.105)), 0.03)
    if bone == "thigh":
        return limb(q, HIP, KNEE, 0.088, 0.058)
    if bone == "shank":
        d = smooth_minimum(limb(q, KNEE, (0.09, 0.33, -0.018), 0.056, 0.058),
                           limb(q, (0.09, 0.33, -0.018), (0.09, 0.09, -0.01), 0.056, 0.04), 0.03)
        d = smooth_minimum(d, limb(q, (0.09, 0.05, -0.02), (0.10, 0.034, 0.135), 0.046, 0.034), 0.03)
        return -smooth_minimum(-d, q[1] - 0.004, 0.02)  # flat soles
    if bone == "upper":
        return limb(q, SHOULDER, ELBOW, 0.062, 0.058)
    wrist = (0.285, 0.87, 0.0)
    d = limb(q, ELBOW, wrist, 0.046, 0.040)
    return smooth_minimum(d, limb(q, wrist, (0.287, 0.79, 0.012), 0.043, 0.037), 0.03)


def bone_distances(p):
    """Per bone, of the body in its pose for the making."""
    out = {}
    for bone, motion in BIND.items():
        q = move(inverse(motion), p)
        name, side = (bone, 1) if isinstance(bone, str) else bone
        out[bone] = parts(name, mirrored(q, side))
    return out


def body(p):
    d = bone_distances(p)
    whole = smooth_minimum(d["pelvis"], d["torso"], 0.05)
    for side in (1, -1):
        leg = smooth_minimum(d["thigh", side], d["shank", side], 0.02)
        arm = smooth_minimum(d["upper", side], d["fore", side], 0.02)
        whole = smooth_minimum(smooth_minimum(whole, leg, 0.04), arm, 0.03)
    return whole


def weights(p):
    d = bone_distances(p)
    nearest = min(d.values())
    of = {bone: math.exp(-((x - nearest) / SOFTNESS)) for bone, x in d.items()}
    of = {bone: w for bone, w in of.items() if w > 1e-3}
    total = sum(of.values())
    return {bone: w / total for bone, w in of.items()}


def pose(share):
    """Of the walk, after that share of two steps."""
    def swing(phase):
        return math.sin(2.0 * math.pi * (share + phase))
    legs = [-27.0 * swing(0.0), -27.0 * swing(0.5)]
    knees = [20.0 + 20.0 * swing(-0.2 + 0.5), 20.0 + 20.0 * swing(0.3 + 0.5)]
    arms = [-22.0 * swing(0.5), -22.0 * swing(0.0)]
    elbows = [-26.0 - 9.0 * swing(0.5 + 0.05), -26.0 - 9.0 * swing(0.05)]
    return motions(legs, knees, arms, elbows, 1.5, 9, -7.0 * swing(0.0))


def skin(points, bones, at):
    out = []
    change = {bone: after(at[bone], inverse(BIND[bone])) for bone in BIND}
    for p, of in zip(points, bones):
        q = [0.0, 0.0, 0.0]
        for bone, w in of.items():
            moved = move(change[bone], p)
            q = [q[k] + w * moved[k] for k in range(3)]
        out.append(q)
    lowest = min(q[1] for q in out)  # a foot is on the ground
    return [[q[0], q[1] - lowest, q[2]] for q in out]


def main(folder):
    points, triangles = even_surface(body, LOW, COUNT, CELL)
    sides = [(t[k], t[(k + 1) % 3]) for t in triangles for k in range(3)]
    assert len(set(sides)) == len(sides), "a limb is too thin for the cells: more than two triangles at an edge"
    bones = [weights(p) for p in points]
    for n in range(POSES):
        posed = skin(points, bones, pose(n / POSES))
        comment = "A mannequin that walks, made by assets/make_walker.py of the Limber project"
        with open(os.path.join(folder, f"walker_pose_{n:02d}.obj"), "w") as out:
            out.write(f"# {comment}: pose {n} of {POSES}, vertices only\n")
            for p in posed:
                out.write("v " + " ".join(f"{round(c, 4) + 0.0:.4f}" for c in p) + "\n")
        if n == 0:
            with open(os.path.join(folder, "walker.obj"), "w") as sys.stdout:
                print_obj(comment, posed, triangles)
            sys.stdout = sys.__stdout__
    print(len(points), "vertices,", len(triangles), "triangles")


if __name__ == "__main__":
    main(os.path.dirname(os.path.abspath(__file__)))
