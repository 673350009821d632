#!/usr/bin/env python3
"""Tests wait for what they want, with a deadline; they never sleep for a guessed time.

    python3 no_sleeps.py tests bench     # one line per sleep, exit 1 when there is any

A program under test may sleep (a shell's `sleep 100` in a string is input, not waiting), so literals and comments
are not looked at.
"""
import os
import re
import sys

from layering import SOURCE, code_only

SLEEP = re.compile(r"\b(sleep|usleep|nanosleep|clock_nanosleep|sleep_for|sleep_until|SleepFor)\s*\(")
# These stand in for a user's program, which may do what users' programs do.
PROGRAMS = re.compile(r"holder/actor\.cc$")


def main():
    if len(sys.argv) < 2:
        sys.exit("usage: no_sleeps.py FOLDER...")
    problems = []
    for root in sys.argv[1:]:
        for folder, _, names in os.walk(root):
            for name in sorted(names):
                path = os.path.join(folder, name)
                if not name.endswith(SOURCE) or PROGRAMS.search(path):
                    continue
                with open(path, errors="replace") as f:
                    code = code_only(f.read())
                for hit in SLEEP.finditer(code):
                    line = code.count("\n", 0, hit.start()) + 1
                    problems.append(f"{path}:{line}: '{hit.group(1)}': wait for the event, with a deadline")
    for problem in problems:
        print(problem)
    if not problems:
        print("no_sleeps: none")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
