#!/usr/bin/env python3
"""Measures who is told what of long jobs: replays recordings with marked moments beside several ways of waiting.

    python3 bench/watching.py GLASSTTY|WATCH_REPLAY [FILTER [WAY...]]

fixtures/watching has the recordings of real programs, and in `marks` what a person who looks away wants to be told. Each is
replayed in real time, all at once, for one way of waiting after the other; with build/bench/watch_replay in place of the
program, on a manual clock, which takes seconds and counts no bytes. A wait that ends within SOON of a mark has found it;
any other is a false alarm, except in the first seconds after a job has begun to print. Prints recall and false alarms for each
recording, then sums, calls and bytes, and to stderr the false alarms and misses of the ways that have rules; with FILTER (a
part of a name) also what ended each wait. Takes five minutes for each way.
"""
import concurrent.futures
import json
import lzma
import os
import pathlib
import re
import select
import subprocess
import sys
import tempfile
import termios
import threading
import time
import tty

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "tests/testing"))
from mcp_client import Client  # noqa: E402

FIXTURES = pathlib.Path(__file__).parent.parent / "fixtures/watching"
SOON = 6.0  # a change has to stand for up to 5 s
EARLY = 0.3  # marks are rounded
BEGINNING = 5.0
# More than any of the jobs needs for one step, and less than those that hang stand.
STILL = 55

# Each way: the conditions of a wait, and the watches that the session is opened with. still_s is left out where the marks
# say that a job may stand.
MEANINGFUL = "meaningful, still_s"
EVENTS = "events"
CHANGE = "change"
WAYS = {
    MEANINGFUL: ({"change": "meaningful", "still_s": STILL}, None),
    EVENTS: ({"event": True}, {"stuck": {"still_s": STILL}}),
    "quiet_s": ({"quiet_s": STILL}, None),
    "regex": ({"regex": "(?i)error|fail|warning|denied|fatal|exception"}, None),
    CHANGE: ({"change": True}, None),
}


class Job:
    """A recording and its marks."""

    def __init__(self, name, may_stand):
        self.name = name
        self.may_stand = may_stand
        self.marks = []  # (second, kind, text)
        with lzma.open(FIXTURES / f"{name}.cast.xz", "rt", encoding="utf-8") as lines:
            self.header = json.loads(next(lines))
            self.events = [json.loads(line) for line in lines]
        self.seconds = self.events[-1][0]
        self.begin = self.events[0][0]

    def ends(self):
        return any(kind == "end" for _, kind, _ in self.marks)


def read_jobs(wanted):
    jobs = []
    for line in (FIXTURES / "marks").read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        if not line.startswith(" "):
            name, _, rest = line.partition(" ")
            jobs.append(Job(name, "may stand" in rest))
            continue
        second, kind, text = (line.split(None, 2) + [""])[:3]
        jobs[-1].marks.append((float(second), kind, text))
    return [job for job in jobs if wanted in job.name]


def play(name, go):
    """Prints a recording at its pace, as the program of a session, from when the file `go` says that it begins."""
    job = next(job for job in read_jobs(name) if job.name == name)
    if sys.stdin.isatty():
        tty.setraw(0, termios.TCSANOW)
    status = 0
    while not os.path.exists(go):
        time.sleep(0.1)
    begin = float(pathlib.Path(go).read_text(encoding="ascii"))
    time.sleep(max(0, begin - time.monotonic()))
    for i, (second, kind, data) in enumerate(job.events):
        pause = max(0, begin + second - time.monotonic())
        # Where the program asked, it read.
        select.select([0] if asked_before(job, i) else [], [], [], pause)
        if kind == "o":
            os.write(1, data.encode())
        elif kind == "x":
            status = int(data)
    if not job.ends():
        time.sleep(3600)  # it was cut off here
    sys.exit(status)


def asked_before(job, i):
    """Whether the program waited for an answer before it printed event i."""
    second = job.events[i][0]
    before = job.events[i - 1][0] if i > 0 else 0.0
    return second - before > 1 and any(what == "question" and 0 <= before - at <= 0.5 for at, what, _ in job.marks)


class Waiter:
    """Waits for one recording in one way, and counts what that costs."""

    def __init__(self, program, job, way, start):
        self.job = job
        self.start = start
        self.until, self.watch = WAYS[way]
        if job.may_stand:
            self.until = {key: value for key, value in self.until.items() if key != "still_s"}
            self.watch = None
        self.calls = self.bytes = 0
        self.wakes = []  # (second, what the reply says)
        if program.endswith("watch_replay"):
            return self.replay(program)
        self.client = Client([program, "mcp", "--alone"], "watching", stderr=subprocess.DEVNULL)
        self.run()
        self.client.close()

    def replay(self, program):
        """The same on a manual clock, without a server: bytes are not counted."""
        size = {"rows": self.job.header["height"], "cols": self.job.header["width"]}
        lines = [{"until": self.until, "watch": self.watch or {}, **size}]
        for i, (second, kind, data) in enumerate(self.job.events):
            if asked_before(self.job, i):
                lines.append([self.job.events[i - 1][0], "reads", ""])
            if kind != "x" or self.job.ends():
                lines.append([second, kind, data])
        if self.job.ends() and self.job.events[-1][1] != "x":
            lines.append([self.job.seconds, "x", "0"])
        lines.append([self.job.seconds + 1, "end", ""])
        script = "".join(json.dumps(line) + "\n" for line in lines)
        out = subprocess.run([program], input=script, stdout=subprocess.PIPE, text=True, check=True).stdout
        *wakes, self.calls = [json.loads(line) for line in out.splitlines()]
        self.wakes = [(second, text[:300]) for second, text in wakes]

    def call(self, tool, arguments):
        # A client that gives a token may wait for more than 45 s.
        message = self.client.request("tools/call", {"name": tool, "arguments": arguments, "_meta": {"progressToken": 1}})
        result = message.get("result", {"content": [{"text": json.dumps(message.get("error"))}]})
        return "\n".join(block.get("text", "") for block in result["content"])

    def wait(self, until):
        arguments = {"session": self.job.name, "until": until, "max_lines": 10,
                     "timeout_s": round(max(0.1, self.job.seconds + 1 - self.now()), 1)}
        text = self.call("term_wait", arguments)
        self.calls += 1
        self.bytes += len(json.dumps(arguments)) + len(text.encode())
        return text

    def now(self):
        return time.monotonic() - self.begin

    def run(self):
        size = {"rows": self.job.header["height"], "cols": self.job.header["width"]}
        argv = [sys.executable, os.path.abspath(__file__), "--play", self.job.name, self.start.go]
        watch = {"watch": self.watch} if self.watch else {}
        self.call("term_open", {"name": self.job.name, "argv": argv, **size, **watch, "timeout_s": 0})
        self.begin = self.start.wait()
        until = self.until
        while self.now() < self.job.seconds + 1:
            text = self.wait(until)
            first = text.splitlines()[0] if text else ""
            reason = re.search(r"reason=([\w.]+)", first)
            if first.startswith("timeout") or (reason and reason.group(1) == "timeout"):
                break
            self.wakes.append((self.now(), text[:300].replace("\n", " | ")))
            if re.search(r"\bexited\b|exit=|program has ended", text) or (reason is None and "event" not in until):
                break
            until = self.after(reason.group(1) if reason else "")

    def after(self, reason):
        """The next condition. Silence would be told again at once."""
        if reason == "quiet":
            self.wait({"change": True})
        return self.until

    def near(self, wake, mark):
        since = mark[0] + (STILL if mark[1] == "stall" else 0)
        return -EARLY <= wake[0] - since <= SOON

    def found(self):
        return [mark for mark in self.job.marks if any(self.near(wake, mark) for wake in self.wakes)]

    def alarms(self):
        """The wakes without a mark. An agent that is woken again within two seconds has been woken once."""
        false = [wake for wake in self.wakes
                 if wake[0] > self.job.begin + BEGINNING and not any(self.near(wake, mark) for mark in self.job.marks)]
        return [wake for i, wake in enumerate(false) if i == 0 or wake[0] - false[i - 1][0] > 2]


class Start:
    """Lets all recordings begin together, once all sessions are open: programs that start would slow down the first ones."""

    def __init__(self, folder, number, count):
        self.go = f"{folder}/go-{number}"
        self.barrier = threading.Barrier(count, self.give)

    def give(self):
        pathlib.Path(self.go + ".new").write_text(str(time.monotonic() + 2), encoding="ascii")
        os.rename(self.go + ".new", self.go)

    def wait(self):
        self.barrier.wait()
        return float(pathlib.Path(self.go).read_text(encoding="ascii"))


def measure(program, jobs, folder):
    """Returns the waiters by way and job. More than one way at once would be too much for two cores."""
    waiters = {}
    for number, way in enumerate(WAYS):
        start = Start(folder, number, len(jobs))
        in_turns = program.endswith("watch_replay")
        with concurrent.futures.ThreadPoolExecutor(1 if in_turns else len(jobs)) as pool:
            tasks = {}
            for job in jobs:
                tasks[way, job.name] = pool.submit(Waiter, program, job, way, start)
                time.sleep(0 if in_turns else 0.1)
            waiters.update({key: task.result() for key, task in tasks.items()})
    return waiters


def print_row(*cells):
    print("| " + " | ".join(map(str, cells)) + " |")


def print_jobs(jobs, waiters):
    print_row("recording", "seconds", "marks", *WAYS)
    print_row(*["---"] * (3 + len(WAYS)))
    for job in jobs:
        cells = [waiters[way, job.name] for way in WAYS]
        print_row(job.name, round(job.seconds), len(job.marks), *[f"{len(w.found())}, {len(w.alarms())}" for w in cells])


def print_sums(jobs, waiters):
    hours = sum(job.seconds for job in jobs) / 3600
    of_way = {way: [waiters[way, job.name] for job in jobs] for way in WAYS}
    kinds = list(dict.fromkeys(kind for job in jobs for _, kind, _ in job.marks))
    print_row("", *WAYS)
    print_row(*["---"] * (1 + len(WAYS)))
    for kind in ["all", *kinds]:
        of_kind = lambda marks: [mark for mark in marks if kind in ("all", mark[1])]  # noqa: E731
        marks = sum(len(of_kind(job.marks)) for job in jobs)
        counts = [sum(len(of_kind(waiter.found())) for waiter in of_way[way]) for way in WAYS]
        print_row(f"recall, {kind} ({marks})", *[f"{100 * count / marks:.0f} %" for count in counts])
    print_row("false alarms an hour", *[f"{sum(len(w.alarms()) for w in of_way[way]) / hours:.1f}" for way in WAYS])
    for what in ("calls", "bytes"):
        sums = {way: sum(getattr(waiter, what) for waiter in of_way[way]) for way in WAYS}
        most = sums.get(CHANGE, 0)
        print_row(what, *[f"{sums[way]:,} (1/{most / max(sums[way], 1):.0f})" for way in WAYS])
    print(f"\n{len(jobs)} recordings, {hours:.2f} h, {sum(len(job.marks) for job in jobs)} marks")


def print_wakes(jobs, waiters, out):
    """What a rule has to answer for: each false alarm and each miss."""
    for job in jobs:
        for way in [way for way in (MEANINGFUL, EVENTS) if way in WAYS]:
            waiter = waiters[way, job.name]
            for at, text in waiter.alarms():
                print(f"false: {job.name}, {way}, {at:.1f} s: {text}", file=out)
            for mark in job.marks:
                if mark not in waiter.found():
                    print(f"missed: {job.name}, {way}, {mark[0]:.1f} s: {mark[1]} {mark[2]}", file=out)


def main():
    if sys.argv[1] == "--play":
        play(*sys.argv[2:])
    program = os.path.abspath(sys.argv[1])
    wanted = sys.argv[2] if len(sys.argv) > 2 else ""
    for way in set(WAYS) - set(sys.argv[3:] or WAYS):
        del WAYS[way]
    jobs = read_jobs(wanted)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["GLASSTTY_STATE_DIR"] = folder + "/state"
        waiters = measure(program, jobs, folder)
    print_jobs(jobs, waiters)
    print()
    print_sums(jobs, waiters)
    print_wakes(jobs, waiters, sys.stderr)
    for (way, name), waiter in waiters.items():
        for at, text in waiter.wakes if wanted and way != CHANGE else []:
            print(f"{name}, {way}, {at:.1f} s: {text}", file=sys.stderr)


if __name__ == "__main__":
    main()
