#!/usr/bin/env python3
"""Measures what an agent pays: calls and bytes for whole tasks, with a real server and real programs.

    python3 bench/economy.py build                      # this build, the calls of today
    python3 bench/economy.py build --before OLD/glasstty    # beside an earlier build and the calls that it needed

Each file of bench/economy is a task: `setup` (a shell script that makes its files), `before` and `after` (the calls of
a client that knows the interface, without and with plans), `holds` (a shell script that succeeds when the task was
done). Calls are [tool, arguments]. Bytes are those of the arguments and of the replies' text, which a model reads and
writes. The figures depend on no clock; a task that does not hold is an error.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "tests" / "testing"))
import mcp_client  # noqa: E402

TASKS = pathlib.Path(__file__).with_name("economy")
# Programs look the same on every machine that runs this.
ENVIRONMENT = {"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "TERM": "xterm-256color", "SHELL": "/bin/bash", "PS1": "$ ",
               "GIT_CONFIG_NOSYSTEM": "1", "EDITOR": "vim --clean -n", "GIT_EDITOR": "vim --clean -n"}


class Server(mcp_client.Client):
    """A server in a home of its own."""

    def __init__(self, binary, folder, environment):
        home = folder / "home"
        home.mkdir()
        (home / ".bashrc").write_text("PS1='$ '\n")
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(home), "USER": "user",
                            "GLASSTTY_STATE_DIR": str(folder / "state"), **ENVIRONMENT, **environment}
        super().__init__([binary, "mcp", "--alone"], "economy", cwd=folder / "work", env=self.environment)


def play(binary, task, plan, verbose):
    """Returns (calls, bytes)."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="glasstty-economy-"))
    try:
        work = folder / "work"
        work.mkdir()
        server = None
        environment = {**os.environ, **ENVIRONMENT, "HOME": str(folder)}
        subprocess.run(["bash", "-ec", task.get("setup", "true")], cwd=work, check=True, env=environment,
                       stdout=subprocess.DEVNULL)
        server = Server(binary, folder, task.get("environment", {}))
        total, transcript = 0, []
        for tool, arguments in task[plan]:
            text, is_error = server.call(tool, arguments)
            sent = json.dumps(arguments, ensure_ascii=False, separators=(",", ":"))
            total += len(tool.encode()) + len(sent.encode()) + len(text.encode())
            transcript.append(f"-> {tool} {sent}\n{text}\n")
            if is_error:
                sys.exit(f"economy: {task['name']} ({plan}): a call failed\n\n" + "\n".join(transcript))
        (folder / "transcript").write_text("\n".join(transcript))
        held = subprocess.run(["bash", "-ec", task["holds"]], cwd=work, stdout=subprocess.DEVNULL,
                              env={**environment, "TRANSCRIPT": str(folder / "transcript")})
        server.close()
        if verbose:
            print("\n".join(transcript))
        if held.returncode != 0:
            sys.exit(f"economy: {task['name']} ({plan}) was not done\n\n" + "\n".join(transcript))
        return len(task[plan]), total
    finally:
        if server is not None:
            server.process.kill()
        shutil.rmtree(folder, ignore_errors=True)


def read_tasks(names):
    tasks = []
    for path in sorted(TASKS.glob("*.json")):
        if names and path.stem not in names:
            continue
        tasks.append({"name": path.stem, **json.loads(path.read_text())})
    return tasks


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build", help="the build folder")
    parser.add_argument("tasks", nargs="*", help="names; all by default")
    parser.add_argument("--before", help="an earlier server to play the calls of `before` on")
    parser.add_argument("--verbose", action="store_true", help="also print every call and reply")
    options = parser.parse_args()
    now = str(pathlib.Path(options.build, "src/cli/glasstty").resolve())
    earlier = str(pathlib.Path(options.before).resolve()) if options.before else now

    print("| task | calls before | calls | bytes before | bytes |\n|---|---|---|---|---|")
    sums = [0, 0, 0, 0]
    for task in read_tasks(options.tasks):
        before = play(earlier, task, "before", options.verbose)
        after = play(now, task, "after", options.verbose)
        row = [before[0], after[0], before[1], after[1]]
        sums = [a + b for a, b in zip(sums, row)]
        print(f"| {task['name']} | " + " | ".join(map(str, row)) + " |", flush=True)
    print("| **sum** | " + " | ".join(f"**{n}**" for n in sums) + " |")
    if sums[0]:
        print(f"\n{100 * sums[1] / sums[0]:.0f} % of the calls, {100 * sums[3] / sums[2]:.0f} % of the bytes")


if __name__ == "__main__":
    main()
