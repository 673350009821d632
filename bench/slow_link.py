#!/usr/bin/env python3
"""Measures a key's echo on another machine, beside a flood, over a slow connection; and the
rate of a flood over a fast and long one.

    python3 bench/slow_link.py GLASSTTY [ROUNDS]
    python3 bench/slow_link.py --client BYTES_PER_SECOND MS WORD...

The first prints the median and p99 of a key's echo, alone and while another
session of the place prints without end, over 1 MB/s with 20 ms from one end to
the other and back, and the rate of `seq 1 3000000` over 50 MB/s with 40 ms. The
second form is the client: it runs the words behind it at the other end of such
a line.
"""
import collections
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "tests/testing"))
sys.path.insert(0, str(pathlib.Path(__file__).parent))
from mcp_client import Client  # noqa: E402

SLOW = ("1000000", "20")
LONG = ("50000000", "40")
FLOOD_BYTES = 22_888_896
# A socket and a router on the way keep at least this much.
BUFFER = 64 << 10


class Line:
    """Carries bytes from one descriptor to another, slowly and late."""

    def __init__(self, source, target, rate, one_way_s):
        self.source, self.target = source, target
        self.rate, self.one_way_s = rate, one_way_s
        # The bytes on the wire are added.
        self.room = BUFFER + int(rate * one_way_s)
        self.queue = collections.deque()
        self.held = 0
        self.changed = threading.Condition()
        threading.Thread(target=self.take, daemon=True).start()
        self.giving = threading.Thread(target=self.give, daemon=True)
        self.giving.start()

    def take(self):
        free_at = time.monotonic()
        while True:
            with self.changed:
                self.changed.wait_for(lambda: self.held < self.room)
            piece = os.read(self.source, 4096 if self.rate < 10_000_000 else 65536)
            free_at = max(free_at, time.monotonic()) + len(piece) / self.rate
            with self.changed:
                self.queue.append((free_at + self.one_way_s, piece))
                self.held += len(piece)
                self.changed.notify_all()
            if not piece:
                return

    def give(self):
        while True:
            with self.changed:
                self.changed.wait_for(lambda: self.queue)
                due, piece = self.queue[0]
            time.sleep(max(0, due - time.monotonic()))
            if piece:
                os.write(self.target, piece)
            else:
                os.close(self.target)
            with self.changed:
                self.queue.popleft()
                self.held -= len(piece)
                self.changed.notify_all()
            if not piece:
                return


def run_client(rate, ms, words):
    line = int(rate), int(ms) / 2000
    program = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    Line(0, program.stdin.fileno(), *line)
    Line(program.stdout.fileno(), 1, *line).giving.join()
    sys.exit(program.wait())


def echoes(client, rounds):
    seconds = []
    for _ in range(rounds):
        begin = time.perf_counter()
        text, failed = client.call("term_send", {"session": "key", "input": "x", "until": {"change": True}})
        if failed:
            sys.exit(text)
        seconds.append(time.perf_counter() - begin)
        client.call("term_send", {"session": "key", "input": ["<BS>"]})
    seconds.sort()
    return f"median {1000 * seconds[rounds // 2]:.0f} ms, p99 {1000 * seconds[rounds * 99 // 100]:.0f} ms"


def main():
    if sys.argv[1] == "--client":
        run_client(sys.argv[2], sys.argv[3], sys.argv[4:])
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    with tempfile.TemporaryDirectory() as folder:
        os.environ["GLASSTTY_STATE_DIR"] = folder + "/state"
        os.environ["GLASSTTY_FAR_DIR"] = folder + "/there"
        client = Client([os.path.abspath(sys.argv[1]), "mcp", "--alone"], "slow_link")
        on = ["python3", os.path.abspath(__file__), "--client", *SLOW]
        text, failed = client.call("term_open", {"name": "key", "argv": ["cat"], "on": on})
        if failed:
            sys.exit(text)
        print(f"alone: {echoes(client, rounds)}")
        client.call("term_open", {"name": "flood", "argv": ["yes", "a line of output"], "on": on})
        print(f"beside a flood: {echoes(client, rounds)}")
        client.call("term_close", {"session": "flood", "force": True})
        on[-2:] = LONG
        client.call("term_open", {"name": "seq", "argv": ["bash", "--norc"], "on": on, "env": {"PS1": "$ "}})
        seconds = []
        for _ in range(5):
            begin = time.perf_counter()
            client.call("term_run", {"session": "seq", "command": "stty -onlcr; seq 1 3000000", "timeout_s": 60,
                                     "max_lines": 3})
            seconds.append(time.perf_counter() - begin)
        rates = ", ".join(f"{FLOOD_BYTES / one / 1e6:.1f}" for one in seconds)
        print(f"seq over 50 MB/s with 40 ms: {rates} MB/s")
        client.call("term_close", {"all": True, "force": True})
        client.close()


main()
