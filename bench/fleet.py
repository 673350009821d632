#!/usr/bin/env python3
"""Measures many sessions on many machines: how long they take, and what they cost.

    python3 bench/fleet.py GLASSTTY [SESSIONS [PLACES]]

By default 1,000 sessions of `cat` over 50 connections, of clients that only
start what they are told. Prints the seconds until all are open; until a new
server has them all, after the one before was killed; and until all are back,
after every connection was cut; and the memory of each part (PSS).
"""
import collections
import os
import pathlib
import signal
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "tests/testing"))
from mcp_client import Client  # noqa: E402


def processes(mark):
    """Returns {pid: its command line} of the processes that have `mark` in their environment."""
    found = {}
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and mark in (entry / "environ").read_bytes():
                found[int(entry.name)] = (entry / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
    return found


def part_of(words):
    if b"--far" in words:
        return "far relays"
    if b"--plug" in words:
        return "plugs of clients"
    if words[0].endswith(b"/glasstty"):
        return "server"
    if words[0].startswith(b"glasstty-holder"):
        return "holders and near relays"
    return "programs and clients"


def pss(pid):
    try:
        for line in open(f"/proc/{pid}/smaps_rollup", encoding="ascii"):
            if line.startswith("Pss:"):
                return int(line.split()[1])
    except OSError:
        pass
    return 0


def until(client, condition):
    begin = time.perf_counter()
    while not condition(client.call("term_list", {})[0]):
        if time.perf_counter() - begin > 120:
            sys.exit("it takes more than two minutes")
    return time.perf_counter() - begin


def main():
    program = os.path.abspath(sys.argv[1])
    sessions = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    places = int(sys.argv[3]) if len(sys.argv) > 3 else 50
    with tempfile.TemporaryDirectory() as folder:
        os.environ["GLASSTTY_STATE_DIR"] = folder + "/state"
        os.environ["GLASSTTY_FAR_DIR"] = folder + "/there"
        os.environ["GLASSTTY_MAX_SESSIONS"] = str(sessions)
        mark = ("GLASSTTY_STATE_DIR=" + folder).encode()
        words = [program, "mcp", "--alone"]
        client = Client(words, "fleet")
        begin = time.perf_counter()
        for i in range(sessions):
            on = ["env", f"PLACE={i % places}"]
            text, failed = client.call("term_open", {"name": f"s{i}", "argv": ["cat"], "on": on, "timeout_s": 0})
            if failed:
                sys.exit(text)
        print(f"{sessions} sessions over {places} connections open: {time.perf_counter() - begin:.1f} s")

        parts = collections.defaultdict(lambda: [0, 0])
        for pid, command in processes(mark).items():
            part = parts[part_of(command)]
            part[0] += 1
            part[1] += pss(pid)
        for name, (count, kib) in sorted(parts.items()):
            print(f"  {name}: {count} processes, {kib / 1024:.1f} MiB")

        client.process.send_signal(signal.SIGKILL)
        client.process.wait()
        begin = time.perf_counter()
        client = Client(words, "fleet")
        took = until(client, lambda text: text.count("\n[s") + text.startswith("[s") == sessions and
                     "away" not in text)
        print(f"a new server has them: {took:.2f} s")

        relays = [pid for pid, command in processes(mark).items() if b"--far" in command]
        for pid in relays:
            os.kill(pid, signal.SIGKILL)
        took = until(client, lambda text: "away" in text)
        took += until(client, lambda text: "away" not in text)
        print(f"{len(relays)} connections cut, all sessions back: {took:.2f} s")
        text, failed = client.call("term_send", {"session": "s0", "input": "alive\n"})
        if failed or "alive" not in text:
            sys.exit(text)
        client.call("term_close", {"all": True, "force": True})
        client.close()


main()
