#!/usr/bin/env python3
"""Compares a session on another machine with one on this machine, in turns.

    python3 bench/far.py GLASSTTY [ON [ROUNDS]]

ON is what term_open takes, such as ssh:localhost; by default a client that
only starts what it is told, with another home on this machine: the price of
the relays alone. Its client must ask nothing. Prints medians and p99 of a
key's echo and of `term_run "echo hi"`, the rate of `seq 1 3000000`, and how
long the first and a later connection take. With ssh:HOST the rate of the same
over `ssh -tt HOST` in a session of this machine stands beside it.
"""
import os
import pathlib
import statistics
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "tests/testing"))
from mcp_client import Client  # noqa: E402

FLOOD_BYTES = 22_888_896


def timed(client, tool, **arguments):
    begin = time.perf_counter()
    text, failed = client.call(tool, arguments)
    if failed:
        sys.exit(text)
    return time.perf_counter() - begin


def show(name, seconds):
    seconds.sort()
    p99 = seconds[min(len(seconds) - 1, len(seconds) * 99 // 100)]
    print(f"{name}: {1000 * statistics.median(seconds):.2f} ms, p99 {1000 * p99:.2f}")


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        on = sys.argv[2] if len(sys.argv) > 2 else ["env", f"HOME={folder}/home"]
        rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 300
        os.makedirs(folder + "/home")
        os.environ["GLASSTTY_STATE_DIR"] = folder + "/state"
        os.environ["GLASSTTY_FAR_DIR"] = folder + "/there"
        first = Client([program, "mcp", "--alone"], "far")
        print(f"first connection: {timed(first, 'term_open', on=on, name='x', argv=['cat']):.3f} s")
        first.close()
        client = Client([program, "mcp", "--alone"], "far")
        print(f"a later one: {timed(client, 'term_open', on=on, name='x', argv=['cat']):.3f} s")
        for name, place in (("here", {}), ("there", {"on": on})):
            client.call("term_open", {"name": name, "argv": ["bash", "--norc"], "env": {"PS1": "$ "}, **place})
            client.call("term_open", {"name": "key" + name, "argv": ["cat"], **place})
        keys, runs, floods = ({"here": [], "there": []} for _ in range(3))
        for i in range(rounds):
            for name in keys:
                keys[name].append(timed(client, "term_send", session="key" + name, input="x",
                                        until={"change": True}))
                runs[name].append(timed(client, "term_run", session=name, command="echo hi"))
            if i % 50 == 49:
                for name in keys:
                    client.call("term_send", {"session": "key" + name, "input": "\n"})
        if isinstance(on, str) and on.startswith("ssh:"):
            words = ["ssh", "-tt", on[4:], "PS1='$ ' exec bash --norc"]
            client.call("term_open", {"name": "ssh-tt", "argv": words, "until": {"state": "prompt"}})
            floods["ssh-tt"] = []
        for _ in range(5):
            for name in floods:
                floods[name].append(timed(client, "term_run", session=name, command="stty -onlcr; seq 1 3000000",
                                          timeout_s=60, max_lines=3))
        for name in keys:
            show(f"key {name}", keys[name])
            show(f"run {name}", runs[name])
        for name in floods:
            print(f"seq {name}: {FLOOD_BYTES / statistics.median(floods[name]) / 1e6:.1f} MB/s")
        client.close()


main()
