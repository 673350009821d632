#!/usr/bin/env python3
"""Generates the lists of files in src/README.md, the map of the code, from the first sentence of each file.

    python3 src_map.py src            # exit 1 if a list differs from the files
    python3 src_map.py src --write    # rewrites the lists

A section `## common/base/` begins with words about the room and ends with its list. Each entry is a noun: `fd.{h,cc}` stands
for fd.h and fd.cc, and the header's first sentence describes both. A file without such a sentence is an error.
"""
import difflib
import os
import re
import sys
import textwrap

SUFFIXES = (".h", ".cc")
WIDTH = 120
# The list of a folder: entries, with their continuation lines.
LIST = re.compile(r"(?:^- `[^`]+`:(?:.*\n)(?:^  .*\n)*)+", re.M)


def first_sentence(path):
    """-> the first sentence of the comment that the file begins with, without its full stop; "" if there is none"""
    with open(path, encoding="utf-8") as file:
        comment = re.match(r"(?://.*\n)*", file.read()).group()
    paragraph = re.split(r"^//\s*$", comment, maxsplit=1, flags=re.M)[0]
    text = " ".join(line[2:].strip() for line in paragraph.splitlines())
    return re.split(r"(?<=[.?!])\s", text)[0].rstrip(".")


def entries(folder):
    """-> the list of a folder's files; raises ValueError for a file that does not say what it is for"""
    suffixes = {}
    for name in sorted(os.listdir(folder)):
        stem, suffix = os.path.splitext(name)
        if suffix in SUFFIXES:
            suffixes.setdefault(stem, []).append(suffix)
    for stem, found in sorted(suffixes.items()):
        sentence = first_sentence(os.path.join(folder, stem + (".h" if ".h" in found else ".cc")))
        if not sentence:
            raise ValueError(f"{folder}/{stem}{found[0]}: begins without a comment that says what it is for")
        name = stem + (".{h,cc}" if len(found) == 2 else found[0])
        yield textwrap.fill(f"- `{name}`: {sentence}", WIDTH, subsequent_indent="  ", break_long_words=False,
                            break_on_hyphens=False) + "\n"


def generate(root, text):
    """-> the README with its lists as they should be; raises ValueError"""
    parts = re.split(r"^(?=## )", text, flags=re.M)
    rooms = {os.path.relpath(folder, root) for folder, _, names in os.walk(root)
             if any(name.endswith(SUFFIXES) for name in names)}
    seen = set()
    for at, part in enumerate(parts):
        heading = re.match(r"## `([\w/]+)/`", part)
        if not heading:
            continue
        seen.add(heading.group(1))
        if heading.group(1) not in rooms:
            raise ValueError(f"there is no room {heading.group(1)}/")
        listed = "".join(entries(os.path.join(root, heading.group(1))))
        words = LIST.sub("", part, count=1).rstrip("\n")
        parts[at] = f"{words}\n\n{listed}\n"
    if rooms != seen:
        raise ValueError(f"README.md has no section for {' '.join(sorted(rooms - seen))}")
    return "".join(parts).rstrip("\n") + "\n"


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[2:] not in ([], ["--write"]):
        sys.exit("usage: src_map.py SRC [--write]")
    root, write = sys.argv[1], len(sys.argv) == 3
    readme = os.path.join(root, "README.md")
    with open(readme, encoding="utf-8") as file:
        before = file.read()
    try:
        after = generate(root, before)
    except ValueError as error:
        sys.exit(f"src_map: {error}")
    if write and after != before:
        with open(readme, "w", encoding="utf-8") as file:
            file.write(after)
    elif after != before:
        sys.stdout.writelines(difflib.unified_diff(before.splitlines(True), after.splitlines(True), readme, "generated", n=0))
        sys.exit("src_map: the map is out of date; rewrite it: python3 tests/checks/src_map.py src --write")
    print("src_map: each file is on the map")


if __name__ == "__main__":
    main()
