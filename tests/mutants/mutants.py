#!/usr/bin/env python3
"""The table of mutants, and a copy of the engine that has all of them.

Usage: mutants.py ENGINE COPY
Copies the folder ENGINE to COPY, each mutant written into its place. `tests/mutants/run` says by the environment
which one the tests meet; CMake calls this where LIMBER_MUTANTS is on. Text of the engine that the table names and
that is not there, or there twice, is an error.

An entry of mutants.txt, ended by an empty line:

    name: file of the engine
    @ text before the place, where that of - is there several times: the first place after it
    - text of the source, white space as it comes
    + text in its place; a statement where that of - ends with a semicolon (an empty one is ;), else an expression
    tests: PROGRAM FILTER     tests of its room, for gtest: f32, f64, unit or thread; several lines are several runs
    validate: GROUP...        groups of `limber validate`
    scene: NAME...            scenes whose subject it is: each has to notice by its own `expect` block
    equivalent: REASON        no test can notice
"""
import pathlib
import re
import sys
import zlib
from dataclasses import dataclass, field

TABLE = pathlib.Path(__file__).with_name("mutants.txt")
CHOICE = "LIMBER_MUTANT"  # in the environment: the number of a mutant; 0 and none are the engine as it is
HEADER = f"""#pragma once

namespace limber {{
extern const int chosen_mutant;
[[gnu::always_inline]] inline bool mutant(int number) {{ return number == chosen_mutant; }}
}}  // namespace limber
"""
SOURCE = f"""#include "engine/core/mutant.hpp"

#include <cstdlib>

namespace limber {{
const int chosen_mutant = std::getenv("{CHOICE}") ? std::atoi(std::getenv("{CHOICE}")) : 0;
}}
"""


@dataclass
class Mutant:
    number: int
    name: str
    file: str
    after: str = ""
    original: str = ""
    mutated: str = ""
    tests: list = field(default_factory=list)  # of (program, filter)
    validate: list = field(default_factory=list)
    scenes: list = field(default_factory=list)
    equivalent: str = ""


def read_table(path=TABLE):
    """All mutants, in the order of the table. Their numbers follow from the names: a new one recompiles its file alone."""
    mutants = []
    for line in path.read_text().splitlines() + [""]:
        key, _, rest = line.strip().partition(" ")
        rest = rest.strip()
        if not key or key.startswith("#"):
            continue
        mutant = mutants[-1] if mutants else None
        if key == "@":
            mutant.after += " " + rest
        elif key == "-":
            mutant.original = (mutant.original + " " + rest).strip()
        elif key == "+":
            mutant.mutated = (mutant.mutated + " " + rest).strip()
        elif key == "tests:":
            mutant.tests.append(tuple(rest.split()))
        elif key == "validate:":
            mutant.validate = rest.split()
        elif key == "scene:":
            mutant.scenes = rest.split()
        elif key == "equivalent:":
            mutant.equivalent = rest
        elif key.endswith(":") and rest.startswith("engine/"):
            mutants.append(Mutant(zlib.crc32(key.encode()) >> 1, key[:-1], rest))
        else:
            raise SystemExit(f"{path}: what is '{line}'?")
    for mutant in mutants:
        if not mutant.original or not mutant.mutated or not (mutant.tests or mutant.validate or mutant.equivalent):
            raise SystemExit(f"{path}: {mutant.name} lacks its texts or what shall notice it")
        if not whole(mutant.original):
            raise SystemExit(f"{path}: {mutant.name}: '{mutant.original}' is neither an expression nor a statement")
    if len({mutant.number for mutant in mutants}) < len(mutants):
        raise SystemExit(f"{path}: two mutants of one name, or of one number")
    return mutants


def whole(text):
    """Whether the text can be chosen by ?: or by if: an assignment without its end would take in what follows."""
    assigns = re.search(r"(?<![=<>!])[-+*/]?=(?!=)", text) and not text.endswith(";")
    return not assigns and text.count("(") == text.count(")")


def places(text, source):
    """Where `text` is in `source`, as (begin, end), its white space as it comes."""
    return [match.span() for match in re.finditer(r"\s+".join(map(re.escape, text.split())), source)]


def place_of(mutant, source):
    """Where the original text of the mutant is in its file, as (begin, end)."""
    found = places(mutant.original, source)
    if mutant.after:
        contexts = places(mutant.after, source)
        if len(contexts) != 1:
            raise SystemExit(f"{mutant.file}: {mutant.name}: {len(contexts)} times its context '{mutant.after.strip()}'")
        found = [place for place in found if place[0] >= contexts[0][1]][:1]
    if len(found) != 1:
        raise SystemExit(f"{mutant.file}: the mutant {mutant.name} finds its line {len(found)} times, not once: "
                         f"'{mutant.original}'; renew it in tests/mutants/mutants.txt")
    before = re.sub(r"//[^\n]*\n", "\n", source[: found[0][0]]).rstrip()
    if mutant.original.endswith(";") and not before.endswith((";", "{", "}", ")", "else")):
        raise SystemExit(f"{mutant.file}: {mutant.name}: '{mutant.original}' does not begin its statement")
    return found[0]


def mutate(source, mutants):
    """`source` with all `mutants` of its file in it."""
    chosen = sorted(((place_of(mutant, source), mutant) for mutant in mutants), key=lambda pair: pair[0], reverse=True)
    limit = len(source)
    for (begin, end), mutant in chosen:  # from the last to the first, so that places stay true
        if end > limit:
            raise SystemExit(f"{mutant.file}: {mutant.name} overlaps another mutant")
        limit = begin
        original, test = source[begin:end], f"limber::mutant({mutant.number})"
        if original.endswith(";"):
            choice = f"if ({test}) {{ {mutant.mutated} }} else {{ {original} }}"
        else:
            choice = f"({test} ? ({mutant.mutated}) : ({original}))"
        source = source[:begin] + choice + source[end:]
    return '#include "engine/core/mutant.hpp"\n#line 1\n' + source


def write_changed(path, text):
    """Writes the file if it says something else, so that nothing is compiled in vain."""
    if not path.is_file() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def copy_engine(engine, copy):
    mutants = read_table()
    texts = {path.relative_to(engine): path.read_text() for path in engine.rglob("*") if path.is_file()}
    for name in {mutant.file for mutant in mutants}:
        file = pathlib.Path(name).relative_to("engine")
        if file not in texts:
            raise SystemExit(f"{name}: no such file")
        texts[file] = mutate(texts[file], [mutant for mutant in mutants if mutant.file == name])
    texts[pathlib.Path("core/mutant.hpp")] = HEADER
    texts[pathlib.Path("core/mutant.cpp")] = SOURCE
    for old in copy.rglob("*"):
        if old.is_file() and old.relative_to(copy) not in texts:
            old.unlink()
    for file, text in texts.items():
        write_changed(copy / file, text)
    print(f"{len(mutants)} mutants")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    copy_engine(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
