#!/usr/bin/env python3
"""Runs the built tests and says what became of each case. Called by ./dev test.

    run.py BUILD [--repeat N] [--load] [--timeout-multiplier M] [SUITE...]

Up to three tests that failed get a second try, alone: real programs on a busy machine can miss a deadline. A test that
passes only then is reported as UNSTABLE, and has a race that should be mended. A sanitizer's finding gets no second try.

--repeat N  runs everything N times without second tries, and prints how often each case failed
--load      keeps all cores and the disk busy meanwhile

The last line is `N passed, N failed, N skipped`: cases of GoogleTest, and one for each other test. The exit status is 1
if anything failed.
"""
import argparse
import collections
import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

# At most this many failed tests get a second try.
SECOND_TRIES = 3
# Tests wait more than they compute.
JOBS_PER_CORE = 3
REASON_LINES = 10
CASE = re.compile(r"^\[ +(OK|FAILED|SKIPPED) +\] (\S+?)(?:, where .*)? \(\d+ ms\)$", re.M)
BEGUN = re.compile(r"^\[ RUN      \] (\S+)$", re.M)
FINDING = re.compile(r"(?:ERROR|WARNING): \w+Sanitizer:|runtime error:")


class Outcome:
    """Tells what one test program did in one run."""

    def __init__(self, entry):
        self.name = entry["name"].rsplit(" / ", 1)[-1]
        self.output = entry.get("stdout", "") + entry.get("stderr", "")
        self.result = entry["result"]
        self.seconds = entry["duration"]
        self.passed, self.failed, self.skipped = 0, [], 0
        self._count()

    def _count(self):
        ends = dict((case, end) for end, case in CASE.findall(self.output))
        self.passed = sum(end == "OK" for end in ends.values())
        self.skipped = sum(end == "SKIPPED" for end in ends.values())
        self.failed = [case for case, end in ends.items() if end == "FAILED"]
        if self.result in ("OK", "SKIP"):
            if not ends and "[==========]" not in self.output:
                self.passed, self.skipped = int(self.result == "OK"), int(self.result == "SKIP")
        elif not self.failed:
            # It crashed or took too long: in the case that has begun and not ended, if there is one.
            unfinished = [case for case in BEGUN.findall(self.output) if case not in ends]
            self.failed = unfinished[:1] or [self.name]

    def is_finding(self):
        return FINDING.search(self.output) is not None

    def reason(self, case):
        """Returns the first lines that the case printed, or a sanitizer, or else the last lines of all."""
        finding = FINDING.search(self.output)
        if finding:
            lines = self.output[self.output.rfind("\n", 0, finding.start()) + 1:].splitlines()
            return lines[:REASON_LINES]
        begin = self.output.find(f"[ RUN      ] {case}\n")
        lines = self.output[max(begin, 0):].splitlines()[1:]
        end = next((i for i, line in enumerate(lines) if line.startswith(f"[  FAILED  ] {case}")), None)
        if begin < 0 or end is None:
            # It did not come to its end, so the last words count.
            return [self.result, *[line for line in self.output.splitlines() if line.strip()][-REASON_LINES:]]
        return lines[:min(end, REASON_LINES)]


class Rounds:
    """Runs the tests once or more, in a home of their own and with the programs of the system.

    A user's start-up files are no part of any test. Some of them take a lock, which stays when a test ends their shell.
    Nor are programs below the user's home, where a wrapper of a version manager may need half a second to start one.
    """

    def __init__(self, build, multiplier, suites, home):
        self._log = os.path.join(build, "meson-logs", "testlog.json")
        self._environment = {name: value for name, value in os.environ.items()
                             if not name.startswith("XDG_") and name not in ("BASH_ENV", "ENV", "ZDOTDIR")}
        folders = os.environ["PATH"].split(os.pathsep)
        own = os.path.expanduser("~") + os.sep
        self._environment["PATH"] = os.pathsep.join(folder for folder in folders if not folder.startswith(own))
        self._environment["HOME"] = home
        self._command = [shutil.which("meson"), "test", "-C", build, "--no-rebuild", "--print-errorlogs",
                         "--timeout-multiplier", str(multiplier)]
        self._suites = ["--suite=" + suite for suite in suites]

    def run(self, names=(), alone=False):
        """Returns the outcomes of the named tests, or of all that were asked for."""
        with contextlib.suppress(FileNotFoundError):
            os.remove(self._log)
        jobs = 1 if alone else os.cpu_count() * JOBS_PER_CORE
        status = subprocess.run([*self._command, f"--num-processes={jobs}", *self._suites, *names],
                                env=self._environment, check=False).returncode
        try:
            with open(self._log, encoding="utf-8") as log:
                outcomes = [Outcome(json.loads(line)) for line in log]
        except FileNotFoundError:
            sys.exit(status or 1)
        if status and not any(outcome.failed for outcome in outcomes):
            sys.exit(status)
        return outcomes


@contextlib.contextmanager
def load(wanted):
    """Keeps each core busy, and the disk, while the block runs."""
    if not wanted:
        yield
        return
    with tempfile.TemporaryDirectory(dir=".") as folder:
        writes = f"while :; do dd if=/dev/zero of='{folder}/busy' bs=1M count=200 conv=fsync 2>/dev/null; done"
        commands = [["sha256sum", "/dev/zero"]] * os.cpu_count() + [["sh", "-c", writes]]
        running = [subprocess.Popen(command, start_new_session=True) for command in commands]
        try:
            yield
        finally:
            for process in running:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def print_reasons(outcomes, label):
    for outcome in outcomes:
        for case in outcome.failed:
            print(f"{label} {outcome.name}: {case}")
            print(*("    " + line for line in outcome.reason(case)), sep="\n")


def try_again(rounds, failed):
    """Returns the outcomes of a second try, or those that it was refused for."""
    if len(failed) > SECOND_TRIES or any(outcome.is_finding() for outcome in failed):
        return failed
    print("== once more, alone:", *(outcome.name for outcome in failed), flush=True)
    second = rounds.run([outcome.name for outcome in failed], alone=True)
    unstable = {outcome.name for outcome in second if not outcome.failed}
    print_reasons([outcome for outcome in failed if outcome.name in unstable], "UNSTABLE, passed at the second try:")
    return second


def once(rounds):
    outcomes = rounds.run()
    failed = [outcome for outcome in outcomes if outcome.failed]
    if failed:
        tried = {outcome.name: outcome for outcome in try_again(rounds, failed)}
        outcomes = [tried.get(outcome.name, outcome) for outcome in outcomes]
    slowest = sorted(outcomes, key=lambda outcome: -outcome.seconds)[:8]
    print("slowest:", ", ".join(f"{outcome.name} {outcome.seconds:.0f} s" for outcome in slowest))
    return outcomes


def repeatedly(rounds, count):
    everything, failures, reasons = [], collections.Counter(), []
    for number in range(1, count + 1):
        print(f"== round {number} of {count}", flush=True)
        outcomes = rounds.run()
        everything += outcomes
        for outcome in outcomes:
            failures.update((outcome.name, case) for case in outcome.failed)
        reasons += [outcome for outcome in outcomes if outcome.failed]
    print_reasons(reasons, "FAILED")
    print(f"{count} rounds of {len(everything) // count} tests; failed in so many of them:")
    for (name, case), times in failures.most_common():
        print(f"{times:5}  {name}: {case}")
    if not failures:
        print("    0  none failed")
    return everything


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("suites", nargs="*")
    parser.add_argument("--repeat", type=int, default=0)
    parser.add_argument("--load", action="store_true")
    parser.add_argument("--timeout-multiplier", type=int, default=1)
    options = parser.parse_args()
    with load(options.load), tempfile.TemporaryDirectory() as home:
        rounds = Rounds(options.build, options.timeout_multiplier, options.suites, home)
        outcomes = repeatedly(rounds, options.repeat) if options.repeat else once(rounds)
    failed = [outcome for outcome in outcomes if outcome.failed]
    if not options.repeat:
        print_reasons(failed, "FAILED")
    print(f"{sum(outcome.passed for outcome in outcomes)} passed, {sum(len(outcome.failed) for outcome in failed)} failed, "
          f"{sum(outcome.skipped for outcome in outcomes)} skipped")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
