#!/usr/bin/env python3
"""The rules of the house, checked on the sources: who may include whom, what lies at the top, what no file says.

    check_rules.py [ROOT]        exit status 1 with one line per violation
    check_rules.py --order [ROOT]  writes the order of a step from its table into ARCHITECTURE.md
    check_rules.py --self-test   plants one violation of each kind and expects every one of them to be found

Long functions, long files and long parameter lists are alarms for a second look: printed, never an error.
"""
import json
import pathlib
import re
import sys
import tempfile
import textwrap

# Room -> rooms of the engine it may include (besides itself).
ENGINE = {
    "core": "",
    "parallel": "core",
    "simd": "core",
    "geometry": "core parallel simd",
    # A constraint type is pure arithmetic; the state holds the batches of all types, so it names them.
    "constraints": "core simd geometry",
    "state": "core parallel simd geometry constraints",
    "coloring": "core parallel geometry constraints state",
    "contact": "core parallel simd geometry constraints state",
    "kernels": "core simd geometry constraints contact",
    "method": "core parallel simd geometry constraints state coloring contact kernels",
    "parts": "core parallel simd geometry constraints state coloring contact kernels",
    "step": "core parallel simd geometry constraints state coloring contact kernels method parts",
    "scene": "core parallel geometry constraints state coloring",  # and never steps
    "verify": "core parallel geometry constraints state contact",
    "simulation": "core parallel simd geometry constraints state coloring contact kernels method parts step scene verify",
}
# Part -> other parts it may include: each owns its stages, and only what couples two of them knows both.
PARTS = {
    "air": "tearing",
    "coupling": "bodies fluids rods",
    "fluids": "bodies coupling",
}
# Room of the app -> rooms of the app it must not include. Everything but the shell also serves programs without a window.
APP_FORBIDDEN = {
    "render": "commands lab tools watch ui view/extract record shell",
    "ui": "render commands shell",
    "ui/widgets": "ui/panels",
    "view": "render ui lab tools watch shell",
    "lab": "tools ui commands shell",
    "tools": "ui commands shell",
    "watch": "lab tools ui commands shell",
    "record": "ui lab tools watch shell",
    "film": "shell",
    "validation": "shell",
    "bench": "shell",
}
APP_ENGINE = "core geometry coloring scene simulation verify"  # the engine's public face
RENDER_ENGINE = "core geometry"
GRAPHICS = re.compile(r"^(GL|GLES\d|EGL|GLFW|glad|KHR)/|^imgui")
IMGUI = re.compile(r"^imgui")
CONSTRAINT_SHARED = {
    "engine/constraints/" + name + ".hpp"
    for name in (
        "energy", "fluid_kernel", "length", "nodes", "small_system", "stencil", "stencil_traits", "stencil_view", "tearing", "tet",
        "triangle"
    )
}
CONSTRAINT_LIST = "engine/constraints/constraint_types.hpp"

TOP_LEVEL = set(
    "app engine shaders assets scenes tests .cmake .ci .clang-format .gitignore CMakeLists.txt "
    "ARCHITECTURE.md CMakePresets.json README.md run.sh test.sh".split()
)
SKIPPED = re.compile(r"^(\.git|\.cache|out|build.*|compile_commands\.json|__pycache__)$")
TEXT = {".hpp", ".cpp", ".h", ".c", ".py", ".sh", ".cmake", ".txt", ".json", ".md", ".vert", ".frag", ".glsl", ".yml", ""}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
MACHINE_PATH = re.compile(r"(?<![\w.$}~*])/(work|home|root|farm|tmp|Users)/")
MARKER = re.compile(r"\b(TO" r"DO|FIX" r"ME|X" r"XX|HA" r"CK)\b")
# What a type of object is and can stands in one table; to make an object of a type is no test of it.
OBJECT_TYPE = re.compile(r"(?<!\btype = )\bObjectType::\w")
OBJECT_TYPES = "engine/scene/objects/"
# Whoever includes a header must not be recompiled for settings that it does not read.
SETTINGS_PART = re.compile(r"engine/core/settings/(?!solver\.hpp)")
VECTORS = "tests/vectors.json"
# Worked cases of matter that is not built yet.
UNREAD_VECTORS = set()
# The map is read in one sitting: whatever does not fit belongs into the README of a module.
MAP = "ARCHITECTURE.md"
MOST_LINES_OF_MAP = 150
LINK = re.compile(r"\]\(([^)\s]+)\)")
ORDER = "engine/step/order.hpp"
STAGE = re.compile(r'^\s*\{"([^"]+)", (frame_begin|substep_begin|iteration|substep_end|frame_end),', re.M)
ORDER_BLOCK = re.compile(r"(<!-- generated: tests/rules/check_rules.py --order -->\n```\n)(.*?)(```)", re.S)
# Only the caller of a function knows whether what follows needs a barrier; between stages the table of stages does.
LAST_BARRIER = re.compile(r"\bteam_?\.barrier\(\);[^\n]*\n(?:[ ]+\}\n)*\}\n|\breturn team\.barrier\(\);")
LAST_BARRIER_OF_MEMBER = re.compile(r"^    [^\n]*\bteam_?\.barrier\(\);[^\n]*\n  \}\n", re.M)
FUNCTION_NAME = re.compile(r"(\w+)\(")
MAY_END_AT_BARRIER = {
    "take_moves": "begins the work of a stage, and no stage ends with it",
    "for_contact_blocks": "blocks that other threads have taken go back to their owners",
    "tell_watch": "a watch sees the World while all other threads wait",
    "work": "all threads must have ended a run before the next begins",
}
VAGUE_NAME = re.compile(r"\b(class|struct)\s+\w*(Manager|Helper|Utils)\b")


def sources(root):
    for path in sorted(root.rglob("*")):
        parts = path.relative_to(root).parts
        if path.is_file() and not any(SKIPPED.match(part) for part in parts):
            yield path, "/".join(parts)


def includes(text):
    for number, line in enumerate(text.splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1), match.group(2)


def engine_rule(name, target, quoted):
    """Why a file of the engine may not include `target`, or None."""
    if not quoted:
        return "the engine knows no OpenGL, GLFW or ImGui" if GRAPHICS.match(target) else None
    room = name.split("/")[1]
    if room not in ENGINE:
        return f"room engine/{room} has no rule in check_rules.py"
    if target.startswith("app/"):
        return "the engine never includes the app"
    if not target.startswith("engine/"):
        return None
    other = target.split("/")[1]
    if other != room and other not in ENGINE[room].split():
        return f"engine/{room} may include: {ENGINE[room] or 'nothing'}"
    if room == other == "parts" and name.split("/")[2] != target.split("/")[2]:
        part = name.split("/")[2]
        if target.split("/")[2] not in PARTS.get(part, "").split():
            return f"engine/parts/{part} may include of the other parts: {PARTS.get(part, 'none')}"
    if room == other == "constraints" and name != CONSTRAINT_LIST and target not in CONSTRAINT_SHARED:
        same_type = pathlib.PurePath(name).stem == pathlib.PurePath(target).stem
        return None if same_type else "constraint types never include each other"
    return None


def app_rule(name, target, quoted):
    """Why a file of the app may not include `target`, or None."""
    parts = name.split("/")
    room = parts[1] if len(parts) > 2 else ""
    if not quoted:
        if room == "render" and IMGUI.match(target):
            return "app/render knows no ImGui"
        if room in ("ui", "lab", "tools", "watch", "view", "validation", "bench") and GRAPHICS.match(target) and not IMGUI.match(target):
            return f"app/{room} knows no OpenGL and no GLFW"
        return None
    for inside in (room, "/".join(parts[1:-1])):
        for other in APP_FORBIDDEN.get(inside, "").split():
            if target.startswith(f"app/{other}/") or target.startswith(f"app/{other}."):
                return f"app/{inside} never includes app/{other}"
    if target.startswith("engine/"):
        allowed = RENDER_ENGINE if room == "render" else APP_ENGINE
        if target.split("/")[1] not in allowed.split():
            return f"app/{room} may include of the engine: {allowed}"
    return None


def check_includes(root, name, text, report):
    for number, mark, target in includes(text):
        quoted = mark == '"'
        rule = engine_rule if name.startswith("engine/") else app_rule
        why = rule(name, target, quoted)
        if not why and name.endswith(".hpp") and SETTINGS_PART.match(target):
            why = "only sources include settings, those that they read"
        if not why and quoted and "/" in target and not (root / target).is_file():
            why = "includes are written from the repository root, and there is no such file"
        if why:
            report(f"{name}:{number}: includes {target}: {why}")


def check_text(name, text, report):
    for number, line in enumerate(text.splitlines(), 1):
        for pattern, what in ((MACHINE_PATH, "a path of one machine"), (MARKER, "a left-over marker"), (VAGUE_NAME, "a vague name")):
            if pattern.search(line):
                report(f"{name}:{number}: {what}: {line.strip()[:80]}")


def check_object_types(name, text, report):
    for number, line in enumerate(text.splitlines(), 1):
        if OBJECT_TYPE.search(line):
            report(f"{name}:{number}: tests an object's type by name: ask traits_of(object) ({OBJECT_TYPES}object_type.hpp)")


def check_last_barriers(name, text, report):
    """No function of the engine ends at a barrier, unless it has a reason of its own."""

    def refuse(at, indent):
        before = text[:at].splitlines()
        heads = [line for line in before if re.match(indent + r"(?!public|private|template)[A-Za-z~]", line)]
        head = heads[-1] if heads else ""
        function = FUNCTION_NAME.search(head)
        if function and function[1] not in MAY_END_AT_BARRIER and function[1] not in ("if", "for", "while"):
            report(f"{name}:{len(before)}: {function[1]}() ends at a barrier: its caller places the barrier, or the table of stages")

    for found in LAST_BARRIER.finditer(text):
        refuse(found.start(), "")
    if name.endswith(".hpp"):
        for found in LAST_BARRIER_OF_MEMBER.finditer(text):
            refuse(found.start(), "  ")


def parameters(signature):
    """Number of parameters of the last parameter list in a function's first lines."""
    opening = signature.find("(")
    depth = angle = commas = 0
    empty = True
    for character in signature[opening + 1 :]:
        if character == ")" and depth == 0:
            break
        empty = empty and character.isspace()
        depth += (character in "([{") - (character in ")]}")
        angle += (character == "<") - (character == ">")
        commas += character == "," and depth == 0 and angle == 0
    return 0 if empty else commas + 1


def alarms(name, text, warn):
    lines = text.splitlines()
    if len(lines) > 500:
        warn(f"{name}: {len(lines)} lines")
    start, indent, signature = None, "", ""
    for number, line in enumerate(lines, 1):
        if start is None:
            if line.lstrip().startswith("//"):
                continue  # a class whose comment has brackets is no function
            signature = signature + " " + line.strip() if signature and not re.search(r"[;}]\s*$", signature) else line
            head = re.match(r" {0,2}(?![ #/}])", signature)  # of all its lines
            if head and line.rstrip().endswith("{") and ")" in signature and not re.match(r"\s*(namespace|class|struct|enum)", signature):
                start, indent = number, re.match(r" *", signature).group(0)
                if parameters(signature) > 6:
                    warn(f"{name}:{number}: {parameters(signature)} parameters")
            if re.search(r"[;{}]\s*$", line) or not line.strip():
                signature = ""
        elif line.startswith(indent + "}"):
            if number - start > 60:
                warn(f"{name}:{start}: a function of {number - start} lines")
            start, signature = None, ""


def check_vectors(root, report):
    """Every worked case is compared with the engine by a test, which names it."""
    if not (root / VECTORS).is_file():
        return
    tests = "".join(path.read_text(encoding="utf-8") for path in sorted((root / "tests").rglob("*.cpp")))
    for case in json.loads((root / VECTORS).read_text(encoding="utf-8"))["cases"]:
        is_read = f'"{case["name"]}"' in tests
        if is_read == (case["name"] in UNREAD_VECTORS):
            report(f"{VECTORS}: {case['name']} is {'read, take it off the list' if is_read else 'read by no test'}")


def check_links(root, path, name, report):
    """What a document points at is there: a file of this tree, and a heading in it."""
    in_code = re.compile(r"```.*?```|`[^`]*`", re.S)

    def headings(page):
        titles = re.findall(r"^#+ (.*)$", in_code.sub("", page.read_text(encoding="utf-8")), re.M)
        return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}

    text = path.read_text(encoding="utf-8")
    for link in LINK.finditer(in_code.sub(lambda code: " " * len(code[0]), text)):
        target, _, heading = link[1].partition("#")
        file = path.parent / target if target else path
        if "://" in target:
            continue
        if not file.exists():
            report(f"{name}: a link to {target}, which is not there")
        elif heading and heading not in headings(file):
            report(f"{name}: a link to the heading #{heading}, which {target or name} does not have")


def check_map(root, report):
    """ARCHITECTURE.md stays short."""
    if not (root / MAP).is_file():
        return
    lines = len((root / MAP).read_text(encoding="utf-8").splitlines())
    if lines > MOST_LINES_OF_MAP:
        report(f"{MAP}: {lines} lines: at most {MOST_LINES_OF_MAP}")


def order_of_step(root):
    """The stages of the table in step/order.hpp, a paragraph for each part of a frame."""
    rows = STAGE.findall((root / ORDER).read_text(encoding="utf-8"))
    lines = []
    for part in dict.fromkeys(part for _, part in rows):
        names = " > ".join(name.replace(" ", "\xa0") for name, own in rows if own == part)
        title = part.replace("_", " ") + " "
        lines += textwrap.wrap(names, 118, initial_indent=f"{title:15} ", subsequent_indent=" " * 16,
                               break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines).replace("\xa0", " ")


def check_order(root, report, write=False):
    """ARCHITECTURE.md shows the order of a step as the table has it."""
    page = root / MAP
    if not page.is_file() or not (root / ORDER).is_file():
        return
    text = page.read_text(encoding="utf-8")
    right = ORDER_BLOCK.sub(lambda found: found[1] + order_of_step(root) + "\n```", text)
    if write:
        page.write_text(right, encoding="utf-8")
    elif right != text or not ORDER_BLOCK.search(text):
        report(f"{MAP}: the order of a step is not that of its table: run tests/rules/check_rules.py --order")


def check_tree(root, warn=lambda line: None):
    violations = []
    for entry in sorted(root.iterdir()):
        if entry.name not in TOP_LEVEL and not SKIPPED.match(entry.name):
            violations.append(f"{entry.name}: is not a name for the top folder")
    for path, name in sources(root):
        if path.suffix == ".md":
            check_links(root, path, name, violations.append)
        if path.suffix not in TEXT or name.startswith("assets/"):
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        check_text(name, text, violations.append)
        if path.suffix in (".hpp", ".cpp") and name.startswith(("engine/", "app/")):
            check_includes(root, name, text, violations.append)
            check_last_barriers(name, text, violations.append)
            if not name.startswith(OBJECT_TYPES):
                check_object_types(name, text, violations.append)
            alarms(name, text, warn)
    check_vectors(root, violations.append)
    check_map(root, violations.append)
    check_order(root, violations.append)
    return violations


PLANTED = {
    "engine/core/a.hpp": '#include "engine/geometry/b.hpp"\n',
    "engine/geometry/b.hpp": "#include <GLFW/glfw3.h>\n",
    "engine/constraints/one.hpp": '#include "engine/constraints/two.hpp"\n',
    "engine/constraints/two.hpp": "\n",
    "engine/scene/c.cpp": '#include "engine/parts/air/d.hpp"\n',
    "engine/parts/air/d.hpp": '#include "app/ui/e.hpp"\n',
    "engine/parts/rods/d.cpp": '#include "engine/parts/air/d.hpp"\n',
    "app/view/d.cpp": '#include "app/lab/i.hpp"\n',
    "app/lab/i.hpp": '#include "app/shell/d.hpp"\n',
    "app/shell/d.hpp": "\n",
    "engine/novel/f.hpp": '#include "engine/core/a.hpp"\n',
    "app/ui/e.hpp": '#include "app/render/g.hpp"\n',
    "app/render/g.hpp": '#include "engine/simulation/h.hpp"\n',
    "engine/simulation/h.hpp": '#include "engine/core/missing.hpp"\n',
    "app/watch/i.cpp": "class Step" "Manager {};\n",
    "app/ui/l.cpp": "bool is_cloth = object.type == ObjectType::cloth;\n",
    "app/ui/m.cpp": "object.type = ObjectType::cloth;\n",
    "app/ui/n.hpp": '#include "engine/core/settings/step.hpp"\n',
    "engine/core/settings/step.hpp": "\n",
    "engine/step/o.cpp": "void Stepper::pull(Team& team) {\n  a();\n  team.barrier();\n}\n"
    + "void b(Team& team) {\n  for (;;) {\n    c();\n    team.barrier();  // why\n  }\n}\n"
    + "void d(Team& team) {\n  if (e()) return team.barrier();\n  team.barrier();\n  f();\n}\n",
    "engine/contact/p.hpp": "class G {\n  void h(Team& team) {\n    i();\n    if (j()) team.barrier();\n  }\n};\n",
    "engine/step/q.cpp": "void Stepper::take_moves(Team& team) {\n  r();\n  team.barrier();\n}\n"
    + "void s(Team& team) {\n  for (;;) {\n    t();\n    team.barrier();\n  }\n  u();\n}\n",
    "tests/j.sh": "ls /wo" "rk/there\n",
    "tests/k.py": "# TO" "DO later\n",
    "tests/vectors.json": '{"cases": [{"name": "unread"}]}\n',
    "assets/o.md": "[there](p.md#a-heading), [not there](q.md)\n",
    "assets/p.md": "# A heading\n`[code](r.md)` [itself](#a-heading)\n",
    "assets/s.md": "[no such heading](p.md#another)\n",
    "notes.txt": "hello\n",
    ORDER: '{"pull", iteration, 1},\n',
    MAP: "<!-- generated: tests/rules/check_rules.py --order -->\n```\niteration       push\n```\n"
    + "more\n" * (MOST_LINES_OF_MAP - 3),
}
# Files with more than one planted violation: their number.
PLANTED_TOGETHER = {MAP: 2, "engine/step/o.cpp": 3}


def self_test():
    harmless = {"assets/p.md", "app/shell/d.hpp", ORDER, "engine/constraints/two.hpp", "app/ui/m.cpp", "engine/core/settings/step.hpp",
                "engine/step/q.cpp"}
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, text in PLANTED.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        found = check_tree(root)
    planted = {name: PLANTED_TOGETHER.get(name, 1) for name in PLANTED if name not in harmless}
    missed = []
    for name, number in planted.items():
        missed += [name] * (number - sum(line.startswith(name) for line in found))
    wrong = [line for line in found if line.split(":")[0] in harmless]
    for name in missed:
        print(f"not found: the violation planted in {name}")
    for line in wrong:
        print(f"found where there is none: {line}")
    print(f"{sum(planted.values()) - len(missed)} planted violations found, {len(missed)} missed")
    return 1 if missed or wrong else 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    if arguments[:1] == ["--order"]:
        check_order(pathlib.Path(arguments[1] if len(arguments) > 1 else ".").resolve(), print, write=True)
        return 0
    root = pathlib.Path(arguments[0] if arguments else ".").resolve()
    violations = check_tree(root, warn=lambda line: print(f"alarm: {line}"))
    for line in violations:
        print(line)
    print(f"{len(violations)} violations")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
