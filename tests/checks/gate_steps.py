#!/usr/bin/env python3
"""A step of the gate that fails ends it, and its last lines say which step and why.

    python3 gate_steps.py ROOT     # one line for each rule that does not hold; exit 1 when there is any

Runs ROOT/.ci/run in a folder of its own, where ./dev only pretends to work, and lets each of its steps fail in turn.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

DEV = """#!/bin/bash
echo "$*" >>ran
if [ "$*" = "$FAILS" ]; then
  printf 'working\\n%.0s' {1..100}
  echo 'tests/some_test.cc:7: the reason'
  [ -z "$COUNTS" ] || echo '5 passed, 2 failed'
  exit 3
fi
[ "$1" != test ] || echo '40 passed, 0 failed, 1 skipped'
[ "$1" != conformance ] || echo '2 passed, 0 failed'
"""
STEP = re.compile(r"^gate_step (\S+) \./dev (.+)$", re.M)
VISIBLE_LINES = 40


def run_gate(folder, fails, counts):
    """Runs the gate; returns its status, its last lines, and the commands that it has run."""
    ran = os.path.join(folder, "ran")
    if os.path.exists(ran):
        os.remove(ran)
    env = dict(os.environ, FAILS=fails, COUNTS=counts)
    done = subprocess.run([".ci/run"], cwd=folder, env=env, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)
    with open(ran) as f:
        return done.returncode, done.stdout.splitlines()[-VISIBLE_LINES:], f.read().splitlines()


def check(folder, steps):
    status, lines, ran = run_gate(folder, "", "")
    commands = [command for _, command in steps]
    if status != 0 or lines[-1] != "42 passed, 0 failed" or ran != commands:
        yield f"without a failure: status {status}, '{lines[-1]}', ran {ran}"
    for index, (name, command) in enumerate(steps):
        for counts in ("", "yes"):
            status, lines, ran = run_gate(folder, command, counts)
            failed = 2 if counts else 1
            wanted = {
                "a status of failure": status == 1,
                "the step's name": f"failed: {name}" in lines,
                "its row in the table": any(line.split()[-2:] == ["FAILED", name] for line in lines[:-1]),
                "the reason": "tests/some_test.cc:7: the reason" in lines,
                "the counts": re.fullmatch(rf"\d+ passed, {failed} failed", lines[-1]) is not None,
                "no later step": ran == commands[:index + 1],
            }
            yield from (f"{name} fails {'with' if counts else 'without'} counts: not {what}"
                        for what, holds in wanted.items() if not holds)


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: gate_steps.py ROOT")
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(os.path.join(sys.argv[1], ".ci"), os.path.join(folder, ".ci"))
        with open(os.path.join(folder, ".ci", "run")) as f:
            steps = STEP.findall(f.read())
        with open(os.path.join(folder, "dev"), "w") as f:
            f.write(DEV)
        os.chmod(f.name, 0o755)
        problems = list(check(folder, steps))
    print("\n".join(problems) or f"gate_steps: each of {len(steps)} may fail")
    sys.exit(1 if problems or not steps else 0)


if __name__ == "__main__":
    main()
