#!/usr/bin/env python3
"""Checks the documents: links lead somewhere, the named commands exist, what is to be copied is JSON, sizes are kept;
and that the version stands in one place.

    python3 docs.py ROOT
"""
import base64
import json
import os
import re
import sys
from urllib.parse import unquote

# The longest that a document may be, because its reader stops there.
LIMITS = {"CONTRIBUTING.md": 60}


def documents(root):
    for name in sorted(os.listdir(root)):
        if name.endswith(".md"):
            yield name
    for folder in ("docs", "src", "bench", "tests", "fuzz", "fixtures", "packaging", "findings"):
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


def bad_snippets(path, text):
    """Checks JSON that is meant to be copied, and install links that contain some."""
    for match in re.finditer(r"```json\n(.*?)```", text, re.S):
        try:
            json.loads(match.group(1))
        except ValueError as error:
            line = text.count("\n", 0, match.start()) + 1
            yield f"{path}:{line}: not JSON: {error}"
    for link in re.findall(r"\]\((cursor://\S+|\S+vscode\S+)\)", text):
        found = re.search(r"config=([\w+/=]+)$", link)
        try:
            config = base64.b64decode(found.group(1)).decode() if found else unquote(unquote(link)).split("?")[-1]
            if json.loads(config)["command"] != "glasstty":
                yield f"{path}: {link} installs something else"
        except (KeyError, ValueError) as error:
            yield f"{path}: {link}: {error}"


def registry_problems(root):
    """The templates of what is published have no version of their own: meson.build alone has one."""
    path = "packaging/mcpb/server.json"
    with open(os.path.join(root, path)) as f:
        server = json.load(f)
    if len(server["description"]) > 100:
        yield f"{path}: the registry takes 100 characters of description"
    for name in ("mcpb/server.json", "mcpb/manifest.json", "npm/main.json", "npm/platform.json",
                 "vscode/package.json"):
        with open(os.path.join(root, "packaging", name)) as f:
            for version in re.findall(r'"version": "([^"]*)"', f.read()):
                if version != "@VERSION@":
                    yield f"packaging/{name}: version {version}; the one version stands in meson.build"


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: docs.py ROOT")
    root, count = sys.argv[1], 0
    problems = list(registry_problems(root))
    for path in documents(root):
        count += 1
        with open(os.path.join(root, path)) as f:
            text = f.read()
        problems += broken_links(root, path, text)
        problems += unknown_commands(root, path, text)
        problems += bad_snippets(path, text)
        lines = text.count("\n")
        if lines > LIMITS.get(path, lines):
            problems.append(f"{path}: {lines} lines; at most {LIMITS[path]}")
    for problem in problems:
        print(problem)
    if not problems:
        print(f"docs: {count} documents, links, commands and snippets right")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
