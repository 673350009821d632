#!/usr/bin/env python3
"""Checks the documents: links lead somewhere, the named commands exist, sizes are kept.

    python3 docs.py ROOT
"""
import os
import re
import sys

# Longest a document may be: its reader stops there.
LIMITS = {"CONTRIBUTING.md": 60}


def documents(root):
    for name in sorted(os.listdir(root)):
        if name.endswith(".md"):
            yield name
    for folder in ("docs", "src", "bench", "tests", "fuzz", "fixtures"):
        for at, _, names in os.walk(os.path.join(root, folder)):
            for name in sorted(names):
                if name.endswith(".md"):
                    yield os.path.relpath(os.path.join(at, name), root)


def broken_links(root, path, text):
    for match in re.finditer(r"\]\(([^)#\s]+)(#[^)]*)?\)", text):
        target = match.group(1)
        if re.match(r"[a-z]+:", target):
            continue
        if not os.path.exists(os.path.join(root, os.path.dirname(path), target)):
            line = text.count("\n", 0, match.start()) + 1
            yield f"{path}:{line}: link to {target}, which is not there"


def unknown_commands(root, path, text):
    with open(os.path.join(root, "dev")) as f:
        known = set(re.findall(r"cmd_(\w+)\(\)", f.read())) | {"help"}
    for match in re.finditer(r"\./dev (\w+)", text):
        if match.group(1) not in known:
            line = text.count("\n", 0, match.start()) + 1
            yield f"{path}:{line}: ./dev has no command '{match.group(1)}'"


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: docs.py ROOT")
    root, problems, count = sys.argv[1], [], 0
    for path in documents(root):
        count += 1
        with open(os.path.join(root, path)) as f:
            text = f.read()
        problems += broken_links(root, path, text)
        problems += unknown_commands(root, path, text)
        lines = text.count("\n")
        if lines > LIMITS.get(path, lines):
            problems.append(f"{path}: {lines} lines; at most {LIMITS[path]}")
    for problem in problems:
        print(problem)
    if not problems:
        print(f"docs: {count} documents, links and commands right")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
