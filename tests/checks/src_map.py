#!/usr/bin/env python3
"""Holds src/README.md, the map of the code, to the files that are there.

    python3 src_map.py src

The map has one line per noun: a line whose first code span names it. `fd.{h,cc}` stands for fd.h and fd.cc; the
section heading above (`## base/`) is the folder. A file without a line, or a line without a file, is an error.
"""
import os
import re
import sys

SUFFIXES = (".h", ".cc")


def expand(name):
    """'fd.{h,cc}' -> ['fd.h', 'fd.cc']"""
    braces = re.fullmatch(r"(.*)\{(.*)\}(.*)", name)
    if not braces:
        return [name]
    before, middle, after = braces.groups()
    return [before + part.strip() + after for part in middle.split(",")]


def mapped_files(readme):
    """-> {path: line number}"""
    found, folder = {}, ""
    with open(readme) as f:
        for number, line in enumerate(f, 1):
            heading = re.match(r"#+\s+`?([\w/]+)/`?(\s|$)", line)
            if heading:
                folder = heading.group(1)
            row = re.match(r"\s*[|*-]\s*`([^`]+)`", line)
            if row and row.group(1).endswith(SUFFIXES + ("}",)):
                for name in expand(row.group(1)):
                    found[os.path.join(folder, name)] = number
    return found


def present_files(root):
    for folder, folders, names in os.walk(root):
        folders.sort()
        for name in sorted(names):
            if name.endswith(SUFFIXES):
                yield os.path.relpath(os.path.join(folder, name), root)


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: src_map.py SRC")
    root = sys.argv[1]
    readme = os.path.join(root, "README.md")
    mapped, present = mapped_files(readme), set(present_files(root))
    problems = [f"{readme}: no line for {path}" for path in sorted(present - set(mapped))]
    problems += [f"{readme}:{number}: there is no {path}" for path, number in mapped.items() if path not in present]
    for problem in problems:
        print(problem)
    if not problems:
        print(f"src_map: {len(present)} files, each with its line")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
