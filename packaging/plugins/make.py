#!/usr/bin/env python3
"""Writes the plugin folders and the lists of plugins from table.json and the texts beside it; the version is that of
meson.build.

    make.py              writes everything that differs
    make.py --check      writes nothing; exit status 1 if anything would

glasstty/ serves Claude Code, Gemini CLI and every client of Agent Plugins 1.0.0, which read different files of it. Codex
has a folder of its own, because it would take the plugin.json of Agent Plugins for its own. The lists stand here, for
packages, and at the root of the repository, where clients look when they are given the repository.
"""
import json
import pathlib
import re
import sys

import icon

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
VERSION = re.search(r"^  version: '(.*)',$", (ROOT / "meson.build").read_text(), re.M).group(1)
TABLE = {"version": VERSION, **json.loads((HERE / "table.json").read_text())}
NAME, SKILL = TABLE["name"], TABLE["skill"]["name"]
SCHEMAS = "https://agent-plugins.org/schemas/1.0.0"
MOST_SKILL_LINES = 60

# How each client with hooks names our tools and our server, and what stands for the plugin's folder. "wakes": it can be
# woken by a command that runs beside it.
CLAUDE = {"client": "claude-code", "root": "${CLAUDE_PLUGIN_ROOT}", "server": f"plugin:{NAME}:{NAME}",
          "tools": f"mcp__plugin_{NAME}_{NAME}__", "wakes": True}
CODEX = {"client": "codex", "root": "${PLUGIN_ROOT}", "server": NAME, "tools": f"mcp__{NAME}__", "wakes": False}


def pick(*keys):
    return {key: TABLE[key] for key in keys}


def facts():
    return {**pick("name", "version", "description"), "author": {"name": TABLE["author"]},
            **pick("homepage", "license", "keywords"), "repository": TABLE["homepage"]}


def server(command):
    return {NAME: {"command": command, "args": ["mcp"]}}


def words(row, client):
    """Claude Code's form of the answers is the usual one."""
    return row["words"] + ([] if client is CLAUDE else ["--client", client["client"]])


def hook(row, client):
    """Returns what is run for a row of the table: a hidden tool of the server, or a command of the launcher."""
    if "tool" in row:
        run = {"type": "mcp_tool", "server": client["server"], "tool": "term_hook",
               "input": {**row["tool"], "client": client["client"]}}
    elif client is CLAUDE:
        run = {"type": "command", "command": f"{client['root']}/bin/{NAME}", "args": words(row, client)}
    else:
        run = {"type": "command", "command": f'"{client["root"]}/bin/{NAME}" {" ".join(words(row, client))}'}
    run["timeout"] = row["timeout"]
    if row.get("wakes"):
        run["asyncRewake"] = True
    entry = {"hooks": [run]}
    if "matcher" in row:
        entry = {"matcher": row["matcher"].replace("TOOLS:", client["tools"]), **entry}
    return entry


def hooks(client):
    made = {}
    for row in TABLE["hooks"]:
        fits = (client["wakes"] or not row.get("wakes")) and client["client"] in row.get("clients", [client["client"]])
        if fits:
            made.setdefault(row["event"], []).append(hook(row, client))
    return {"hooks": made}


def claude_list(source):
    return {"name": NAME, "owner": {"name": TABLE["author"]}, "description": TABLE["short"],
            "plugins": [{"name": NAME, "source": source, "description": TABLE["description"], "version": VERSION,
                         "category": "development"}]}


def codex_list(source):
    return {"name": NAME, "interface": {"displayName": TABLE["title"]},
            "plugins": [{"name": NAME, "source": {"source": "local", "path": source},
                         "policy": {"installation": "AVAILABLE", "authentication": "ON_INSTALL"},
                         "category": "Coding"}]}


def files():
    """Returns {path below the repository's root: content}, where a dict becomes JSON, and bytes are a picture."""
    launcher = (HERE / "launcher.sh").read_text().replace("@VERSION@", VERSION).replace("@SKILL@", SKILL)
    shared = {"README.md": (HERE / "about.md").read_text(), f"bin/{NAME}": launcher,
              f"skills/{SKILL}/SKILL.md": (HERE / TABLE["skill"]["text"]).read_text()}
    main = {
        ".claude-plugin/plugin.json": {**facts(), "mcpServers": server(CLAUDE["root"] + f"/bin/{NAME}"),
                                       "hooks": "./hooks/claude.json"},
        ".claude-plugin/icon.png": icon.png(),
        "hooks/claude.json": hooks(CLAUDE),
        "gemini-extension.json": {**pick("name", "version", "description"), "mcpServers": {
            NAME: {**server("${extensionPath}${/}bin${/}" + NAME)[NAME], "timeout": 600000}}},
        "plugin.json": {"$schema": f"{SCHEMAS}/plugin.schema.json", **pick("name", "version", "description"),
                        "author": {"name": TABLE["author"]}, **pick("license", "keywords")},
        "mcp.json": {"$schema": f"{SCHEMAS}/mcp.schema.json", "mcpServers": {
            NAME: {"type": "stdio", **server(f"./bin/{NAME}")[NAME]}}},
    }
    codex = {
        ".codex-plugin/plugin.json": {**facts(), "skills": "./skills/", "mcpServers": "./.mcp.json",
                                      "hooks": "./hooks/codex.json",
                                      "interface": {"displayName": TABLE["title"], "shortDescription": TABLE["short"],
                                                    "category": "Coding"}},
        # Codex looks for the program in the plugin's folder only if it starts the server there.
        ".mcp.json": {"mcpServers": {NAME: {**server(f"./bin/{NAME}")[NAME], "cwd": "."}}},
        "hooks/codex.json": hooks(CODEX),
    }
    made = {}
    for folder, own in ((NAME, main), ("codex", codex)):
        for path, content in {**shared, **own}.items():
            made[f"packaging/plugins/{folder}/{path}"] = content
    for below, prefix in (("packaging/plugins/", "./"), ("", "./packaging/plugins/")):
        made[f"{below}.claude-plugin/marketplace.json"] = claude_list(prefix + NAME)
        made[f"{below}.agents/plugins/marketplace.json"] = codex_list(prefix + "codex")
    return made


def bytes_of(content):
    if isinstance(content, bytes):
        return content
    return (content if isinstance(content, str) else json.dumps(content, indent=2, ensure_ascii=False) + "\n").encode()


def problems_of_table():
    """Yields what is wrong with the table itself."""
    lines = (HERE / TABLE["skill"]["text"]).read_text().count("\n")
    if lines > MOST_SKILL_LINES:
        yield f"{TABLE['skill']['text']} has {lines} lines, more than {MOST_SKILL_LINES}"


def left_over(made):
    """Yields files of the generated folders that the table no longer makes."""
    for folder in (NAME, "codex"):
        for path in sorted((HERE / folder).rglob("*")):
            name = str(path.relative_to(ROOT))
            if path.is_file() and name not in made:
                yield name


def main():
    checks = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not checks:
        sys.exit(__doc__)
    problems = list(problems_of_table())
    made = files()
    for name, content in made.items():
        path, data = ROOT / name, bytes_of(content)
        mode = 0o755 if path.parent.name == "bin" else 0o644
        same = path.is_file() and icon.same(path.read_bytes(), data) and path.stat().st_mode & 0o111 == mode & 0o111
        if same:
            continue
        if checks:
            problems.append(f"{name} is not as table.json and meson.build say: run packaging/plugins/make.py")
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        path.chmod(mode)
    problems += [f"{name} is in no table: remove it" for name in left_over(made)]
    for problem in problems:
        print(f"plugins: {problem}")
    sys.exit(1 if problems else 0)


main()
