#!/usr/bin/env python3
"""Measures a flood while people watch it: `seq 1 3000000` with none and with eight.

    python3 bench/watchers.py GLASSTTY [ROUNDS]

The shell itself times the command, in turns with and without `glasstty attach`
in eight terminals; medians of the rounds (15).
"""
import os
import pathlib
import pty
import signal
import statistics
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "tests/testing"))
from mcp_client import Client  # noqa: E402

WATCHERS = 8
FLOOD = "begin=$EPOCHREALTIME; seq 1 3000000; end=$EPOCHREALTIME; echo $begin $end > {}"


def drain(fd):
    try:
        while os.read(fd, 1 << 16):
            pass
    except OSError:
        pass


def watch(program):
    """Opens a person's terminal with `glasstty attach` in it; returns its process."""
    pid, fd = pty.fork()
    if pid == 0:
        os.execv(program, [program, "attach", "--read-only", "main"])
    threading.Thread(target=drain, args=(fd,), daemon=True).start()
    return pid


def flood(client, times):
    client.call("term_run", {"session": "main", "command": FLOOD.format(times), "timeout_s": 100, "max_lines": 3})
    begin, end = map(float, pathlib.Path(times).read_text().split())
    return end - begin


def main():
    program = os.path.abspath(sys.argv[1])
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 15
    with tempfile.TemporaryDirectory() as folder:
        os.environ["GLASSTTY_STATE_DIR"] = folder + "/state"
        client = Client([program, "mcp", "--alone"], "watchers")
        client.call("term_open", {"name": "main", "argv": ["bash", "--norc"], "env": {"PS1": "$ "}})
        seconds = {0: [], WATCHERS: []}
        for _ in range(rounds):
            for count, taken in seconds.items():
                watchers = [watch(program) for _ in range(count)]
                time.sleep(1.5)  # they have painted the screen
                taken.append(flood(client, folder + "/times"))
                for pid in watchers:
                    os.kill(pid, signal.SIGTERM)
                    os.waitpid(pid, 0)
        client.close()
    alone, watched = (statistics.median(taken) for taken in seconds.values())
    print(f"alone {alone:.3f} s, {WATCHERS} watchers {watched:.3f} s, rate {alone / watched:.2f}")


main()
