#!/usr/bin/env python3
"""Drives interpreters and database clients through the real server, and compares what an agent sees with docs/repls.md.

    run.py GLASSTTY [--npm FOLDER] [--jobs N] [--log FOLDER] [PROGRAM...]

Prints a line for each program: the median of a trivial expression in milliseconds, and the cells that differ from
programs.py. The whole talk is in FOLDER/PROGRAM. Programs that are not installed are skipped. The last line is
`N passed, N failed, N skipped`, of cells; the exit status is 1 if any failed.
"""
import argparse
import concurrent.futures
import os
import pathlib
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "testing"))
import mcp_client  # noqa: E402
from programs import PROGRAMS  # noqa: E402
from servers import Servers  # noqa: E402
from trials import CELLS, Trial  # noqa: E402

# The folders in which npm puts the programs.
MODULES = ("node_modules/.bin", "node_modules/@deno/linux-x64-glibc", "node_modules/@oven/bun-linux-x64/bin")
PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/usr/games"


def environment(home, npm):
    (home / "work").mkdir(parents=True)
    (home / "work" / "script.py").write_text("x = 1\nprint(x)\n")
    path = ":".join([*(os.path.join(npm, folder) for folder in MODULES), PATH])
    return {"PATH": path, "HOME": str(home), "USER": "user", "LANG": "C.UTF-8",
            "TERM": "xterm-256color", "SHELL": "/bin/bash", "GLASSTTY_STATE_DIR": str(home / "state")}


def try_program(program, options, folder, variables):
    """Returns {column: word} and the median, or None if it is not installed."""
    home = folder / program.name.replace(" ", "")
    env = {**environment(home, options.npm), **variables}
    # A shell may be needed to tell a client where its server is.
    if not shutil.which(program.name if program.needs else program.argv[0], path=env["PATH"]):
        return None
    options.log.mkdir(parents=True, exist_ok=True)
    with open(options.log / home.name, "w", encoding="utf-8") as log:
        server = mcp_client.Client([options.glasstty, "mcp", "--alone"], "repls", cwd=home / "work", env=env,
                                   stderr=log)
        try:
            trial = Trial(server, program, lambda text: print(text, file=log, flush=True))
            return trial.cells(), trial.median
        finally:
            server.close()


def judge(program, options, folder, variables):
    """Prints the line of a program. Returns how many of its cells (passed, failed, were skipped)."""
    given = variables.get(program.needs, {})
    tried = None if given is None else try_program(program, options, folder, given)
    if tried is None:
        print(f"skipped {program.name}: not installed", flush=True)
        return 0, 0, len(CELLS)
    cells, median = tried
    expected = {column: program.odd.get(column, ("ok",))[0] for column in cells}
    odd = [f"{column}: {word}, not {expected[column]}" for column, word in cells.items() if word != expected[column]]
    speed = "no median" if median is None else f"{median:.0f} ms"
    print("; ".join([f"{'FAILED ' if odd else 'ok     '} {program.name} ({speed})", *odd]), flush=True)
    return len(cells) - len(odd), len(odd), 0


def judge_all(chosen, options, folder):
    """Returns the sums of what `judge` counts."""
    servers = Servers(folder)
    try:
        variables = {name: servers.start(name) for name in sorted({program.needs for program in chosen} - {""})}
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            counts = pool.map(lambda program: judge(program, options, folder, variables), chosen)
            return [sum(column) for column in zip(*counts)]
    finally:
        servers.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("glasstty", type=os.path.abspath)
    parser.add_argument("programs", nargs="*")
    parser.add_argument("--npm", type=os.path.abspath, default="build-repls")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--log", type=pathlib.Path, default=pathlib.Path("build-repls/log"))
    options = parser.parse_intermixed_args()
    known = {program.name for program in PROGRAMS}
    if not set(options.programs) <= known:
        sys.exit(f"there is no {' '.join(set(options.programs) - known)}; the programs are: {', '.join(sorted(known))}")
    chosen = [program for program in PROGRAMS if not options.programs or program.name in options.programs]
    with tempfile.TemporaryDirectory(prefix="repls-") as folder:
        # The database runs as another user.
        pathlib.Path(folder).chmod(0o755)
        passed, failed, skipped = judge_all(chosen, options, pathlib.Path(folder))
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    sys.exit(1 if failed else 0)


main()
