#!/usr/bin/env python3
"""Holds docs/coming-from.md to the names that the five documents have (peers.txt, beside this file), and its rows and
those of docs/features.md to tests that exist.

    python3 coming_from.py ROOT
"""
import os
import re
import sys

LATER = "later"


def read(*path):
    with open(os.path.join(*path)) as f:
        return f.read()


def names_of_peers():
    """Parses lines of "system name"; '#' begins a comment."""
    text = read(os.path.dirname(os.path.abspath(__file__)), "peers.txt")
    rows = [line.split() for line in text.splitlines() if line and not line.startswith("#")]
    return {(system, name) for system, name in rows}


def tests_of(root):
    """Returns the names "Suite.Test" that are defined below tests/."""
    found = set()
    for folder, _, files in os.walk(os.path.join(root, "tests")):
        for name in files:
            if not name.endswith(".cc"):
                continue
            for suite, test in re.findall(r"^TEST(?:_[FP])?\(\s*(\w+),\s*(\w+)\)", read(folder, name), re.M):
                found.add(f"{suite}.{test}")
    return found


def anchor(title):
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def sections(text, level):
    """Yields (title, text below it up to the next heading of that or a higher level)."""
    marks = r"#{2,%d} " % level
    pattern = r"^#{%d} ([^\n]*)\n(.*?)(?=^%s|\Z)" % (level, marks)
    return re.findall(pattern, text, re.M | re.S)


def table_rows(text):
    for line in text.splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]]
        if len(cells) >= 3 and not set(cells[0]) <= set("- "):
            yield cells


def missing_proof(cell, known, examples):
    """Returns what is wrong with a cell that names tests; "" if nothing is."""
    links = re.findall(r"\]\(#([\w-]+)\)", cell)
    tests = re.findall(r"`([^`]+)`", cell)
    if not links and not tests:
        return "names no test"
    unknown = [x for x in links if x not in examples] + [x for x in tests if x not in known]
    return "names what is not there: " + ", ".join(unknown) if unknown else ""


def coming_from_problems(text, known, examples):
    wanted, seen = names_of_peers(), set()
    for system, section in sections(text, 2):
        for cells in table_rows(section.split("\n#### ")[0]):
            if cells[0] == "theirs":
                continue
            name = cells[0].strip("`")
            if (system, name) in seen:
                yield f"{system}: two rows for {name}"
            seen.add((system, name))
            problem = missing_proof(cells[-1], known, examples)
            if problem or not cells[1]:
                yield f"{system}: {name}: {problem or 'says nothing'}"
    yield from (f"{system}: no row for {name}" for system, name in sorted(wanted - seen))
    yield from (f"{system}: {name} is in no list of peers.txt" for system, name in sorted(seen - wanted))


def feature_problems(text, known, examples):
    rows = {cells[0]: cells for cells in table_rows(text) if re.fullmatch(r"[A-E]\d+", cells[0])}
    wanted = [f"{letter}{n}" for letter, count in zip("ABCDE", (14, 9, 16, 13, 8)) for n in range(1, count + 1)]
    yield from (f"features.md: no row {number}" for number in wanted if number not in rows)
    for number, cells in rows.items():
        if number not in wanted:
            yield f"features.md: {number} is unknown"
        if cells[-1].startswith(LATER):
            continue
        problem = missing_proof(cells[-1].replace("coming-from.md#", "#"), known, examples)
        if problem:
            yield f"features.md: {number} {problem}"


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: coming_from.py ROOT")
    root = sys.argv[1]
    text, features = read(root, "docs", "coming-from.md"), read(root, "docs", "features.md")
    known = tests_of(root)
    examples = {anchor(title) for title, body in sections(text, 4) if "```\n-> term_" in body}
    problems = list(coming_from_problems(text, known, examples)) + list(feature_problems(features, known, examples))
    for problem in problems:
        print(problem)
    if not problems:
        later = len(re.findall(r"\| %s" % LATER, features))
        print(f"coming_from: {len(names_of_peers())} names of five systems and {len(examples)} examples; "
              f"features: {later} rows are for later")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
