#!/usr/bin/env python3
"""Compares term_search with ripgrep: the same text, in one run, medians of five.

    python3 search.py GLASSTTY [MEGABYTES ...]

Prints a log of so many megabytes through a session, writes what the session
keeps into a file, and times both on it. Of ripgrep it is the whole process
that counts the matching lines, of glasstty the whole call. Then snapshots of
another session, alone and while a search without a fixed text goes on.
"""
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time

ROUNDS = 5
PATTERNS = (
    ("rare literal", "disk 3 is failing"),
    ("rare regex", r"disk [0-9]+ is fail(ing|ed)"),
    ("regex without a fixed text", r"[0-9]{3}-[a-f]{4}-zz"),
    ("frequent literal", "request"),
    ("no match", "a text that is not there"),
)


def write_log(path, size):
    """Returns lines of a server's log; one in 50,000 is rare."""
    pick = random.Random(1)
    levels = ("INFO", "INFO", "INFO", "WARN", "DEBUG")
    verbs = ("request", "response", "query", "upload")
    with open(path, "w") as log:
        written = number = 0
        while written < size:
            number += 1
            line = (f"2026-11-23T{number % 24:02}:{number % 60:02} {pick.choice(levels)} worker-{pick.randrange(64)} "
                    f"{pick.choice(verbs)} id={pick.randrange(10**8):08} took {pick.randrange(900)} ms\n")
            if number % 50_000 == 0:
                line = f"2026-11-23T12:00 ERROR disk {number // 50_000 % 100} is failing\n"
            written += log.write(line)


class Client:
    def __init__(self, binary, folder):
        environment = dict(os.environ, HOME=folder, GLASSTTY_LOG_MIB="1024", GLASSTTY_STATE_DIR=os.path.join(folder, "state"))
        self.server = subprocess.Popen([binary, "mcp", "--alone"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                       env=environment)
        self.serial = 0
        self.answers = {}
        self.request("initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                    "clientInfo": {"name": "search", "version": "1"}})
        self.send({"method": "notifications/initialized"})

    def send(self, message):
        self.server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.server.stdin.flush()

    def start(self, method, params):
        self.serial += 1
        self.send({"id": self.serial, "method": method, "params": params})
        return self.serial

    def wait(self, serial):
        while serial not in self.answers:
            answer = json.loads(self.server.stdout.readline())
            self.answers[answer.get("id")] = answer
        return self.answers.pop(serial)["result"]

    def request(self, method, params):
        return self.wait(self.start(method, params))

    def start_call(self, tool, **arguments):
        return self.start("tools/call", {"name": tool, "arguments": arguments})

    def call(self, tool, **arguments):
        return self.wait(self.start_call(tool, **arguments))["content"][0]["text"]

    def close(self):
        self.server.stdin.close()
        self.server.wait()


def seconds(work):
    begin = time.monotonic()
    result = work()
    return time.monotonic() - begin, result


def snapshots(client, goes_on):
    """Returns the seconds of snapshots of `other` as long as goes_on(count)."""
    times = []
    while goes_on(len(times)):
        times.append(seconds(lambda: client.call("term_read", session="other", mode="snapshot"))[0])
    return times


def report_snapshots(client, megabytes):
    client.call("term_open", name="other", argv=["cat"])
    alone = snapshots(client, lambda count: count < 500)
    beside = []
    while len(beside) < 500:
        search = client.start_call("term_search", session="log", regex="[0-9]{3}-[a-f]{4}-zz")
        beside += snapshots(client, lambda _: search not in client.answers)
        client.wait(search)
    for name, times in (("alone", alone), ("during a search", beside)):
        p50, p99 = statistics.median(times), statistics.quantiles(times, n=100)[98]
        print(f"snapshot {name} of {megabytes} MB: p50 {p50 * 1000:.1f} ms, p99 {p99 * 1000:.1f} ms")


def compare(binary, megabytes):
    with tempfile.TemporaryDirectory() as folder:
        source, text = os.path.join(folder, "source"), os.path.join(folder, "text")
        write_log(source, megabytes * 1_000_000)
        client = Client(binary, folder)
        reply = client.call("term_open", name="log", argv=["cat", source], until={"state": "exited"}, timeout_s=45)
        while "exited" not in reply.split("\n")[0].split()[1]:
            reply = client.call("term_wait", session="log", until={"state": "exited"}, timeout_s=45)
        client.call("term_write_file", session="log", path=text, output="all")
        for name, pattern in PATTERNS:
            theirs, ours = [], []
            for _ in range(ROUNDS):
                took, result = seconds(lambda: subprocess.run(["rg", "--no-config", "-c", pattern, text],
                                                              stdout=subprocess.PIPE, text=True, check=False))
                theirs.append(took)
                took, reply = seconds(lambda: client.call("term_search", session="log", regex=pattern))
                ours.append(took)
            wanted = int(result.stdout or 0)
            found = int(reply.split(" match")[0].split()[-1])
            if wanted != found:
                raise SystemExit(f"{name}: ripgrep counts {wanted}, glasstty {found}")
            rg, own = statistics.median(theirs), statistics.median(ours)
            print(f"| {megabytes} MB | {name} | {wanted} | {rg * 1000:.0f} ms | {own * 1000:.0f} ms | {own / rg:.1f} |",
                  flush=True)
        report_snapshots(client, megabytes)
        client.close()


def main():
    print("| text | pattern | lines | ripgrep | glasstty | ratio |\n|---|---|---|---|---|---|")
    for megabytes in [int(size) for size in sys.argv[2:]] or [23, 250]:
        compare(sys.argv[1], megabytes)


main()
