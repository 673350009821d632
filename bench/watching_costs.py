#!/usr/bin/env python3
"""Measures what it costs to look after long jobs.

    python3 bench/watching_costs.py GLASSTTY [digest|flood|idle...]

digest: an hour of a build of 50,000 lines, of `kubectl get pods -w` and of htop, as bytes and milliseconds; the session's files
are written from recordings of fixtures/watching, at the pace of the recording. flood: `seq 1 3000000` with ten watches and with
none, in turns, medians of five. idle: 1,000 idle sessions with and without a watch each, as memory (PSS) of server and holders.
"""
import json
import lzma
import os
import pathlib
import resource
import statistics
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "tests/testing"))
from mcp_client import Client  # noqa: E402

FIXTURES = pathlib.Path(__file__).parent.parent / "fixtures/watching"
HOUR = 3600.0
LINES = 50_000
ROUNDS = 5
SESSIONS = 1000
WATCHES = {f"watch-{i}": {"regex": pattern} for i, pattern in enumerate([
    "^FAIL", "error:", r"\[ERROR\]", "Traceback", "loss=(nan|inf)", "BackOff|OOMKilled", '" 5\\d\\d ', "panic|fatal",
    "^make: .* Error", "segfault"])}
FLOOD = "begin=$EPOCHREALTIME; seq 1 3000000; end=$EPOCHREALTIME; echo $begin $end > {}"


# ---- digest

def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def event(offset, ns, kind, a=0, b=0):
    record = struct.pack("<QQHHII", offset, ns, kind, 0, a, b)
    return record + struct.pack("<I", crc32c(record))


def recorded(name):
    """An hour of a recording that is played again and again, as (second, bytes)."""
    with lzma.open(FIXTURES / f"{name}.cast.xz", "rt", encoding="utf-8") as lines:
        events = [json.loads(line) for line in lines][1:]
    begin = 0.0
    while True:
        for second, kind, data in events:
            if begin + second > HOUR:
                return
            if kind == "o":
                yield begin + second, data.encode()
        begin += events[-1][0]


def build():
    """An hour of ninja as it prints without a terminal: a warning in each thousand lines, and late an error."""
    for i in range(1, LINES + 1):
        text = f"[{i}/{LINES}] CC src/part_{i % 97}/unit_{i}.o\r\n"
        if i % 1000 == 0:
            text += f"src/part_{i % 97}/unit_{i}.c:1:12: warning: 'unused' defined but not used [-Wunused-variable]\r\n"
        if i == 41_234:
            text += f"FAILED: unit_{i}.o\r\nunit_{i}.c:1:9: error: 'g' undeclared here (not in a function)\r\n"
        yield HOUR * i / LINES, text.encode()


def write_session(directory, output):
    """Makes the files of a session that has ended those of one that printed this in an hour."""
    begin = time.monotonic_ns() - int(HOUR * 1e9)
    data, events, timed = bytearray(), bytearray(event(0, begin, 1)), 0.0
    events += event(0, begin, 2, 24, 80)
    for second, piece in output:
        if second - timed > 0.05:
            events += event(len(data), begin + int(second * 1e9), 1)
            timed = second
        data += piece
    events += event(len(data), begin + int(HOUR * 1e9), 6)
    for path in directory.iterdir():
        if path.name.startswith("out."):
            path.unlink()
    size = 8 << 20
    for at in range(0, len(data), size):
        (directory / f"out.{at:016x}").write_bytes(data[at:at + size])
    (directory / "events").write_bytes(events)
    (directory / "exit").write_bytes(struct.pack("<QiI", len(data), 0, 0))
    return len(data)


def processor_of_children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def measure_digests(program, folder):
    print("| an hour of | bytes printed | digest, bytes | ms | ms of processor |\n|---|---|---|---|---|")
    for name, output in (("a build, 50,000 lines", build()), ("kubectl get pods -w", recorded("kubectl-get-pods-w")),
                         ("htop", recorded("htop"))):
        state = pathlib.Path(folder) / f"digest-{name.split()[0]}"
        os.environ["GLASSTTY_STATE_DIR"] = str(state)
        client = Client([program, "mcp", "--alone"], "costs")
        client.call("term_open", {"name": "job", "argv": ["true"], "rows": 24, "cols": 80, "until": {"state": "exited"}})
        client.call("term_close", {"session": "job"})
        client.close()
        directory = next(path.parent for path in state.rglob("events"))
        printed = write_session(directory, output)
        times, text = [], b""
        for _ in range(ROUNDS):
            begin, used = time.perf_counter(), processor_of_children()
            text = subprocess.run([program, "digest", str(directory)], stdout=subprocess.PIPE, check=True).stdout
            times.append((1000 * (time.perf_counter() - begin), 1000 * (processor_of_children() - used)))
        wall, processor = map(statistics.median, zip(*times))
        print(f"| {name} | {printed:,} | {len(text):,} | {wall:.0f} | {processor:.0f} |", flush=True)
        if "-v" in sys.argv:
            print(text.decode())


# ---- flood

def flood(client, session, times):
    client.call("term_run", {"session": session, "command": FLOOD.format(times), "timeout_s": 40, "max_lines": 3})
    begin, end = map(float, pathlib.Path(times).read_text(encoding="ascii").split())
    return end - begin


def measure_flood(program, folder):
    os.environ["GLASSTTY_STATE_DIR"] = folder + "/flood"
    client = Client([program, "mcp", "--alone"], "costs")
    seconds = {"none": [], "ten": []}
    for name in seconds:
        watch = {"watch": WATCHES} if name == "ten" else {}
        text, failed = client.call("term_open", {"name": name, "argv": ["bash", "--norc"], "env": {"PS1": "$ "}, **watch})
        if failed:
            sys.exit(text)
    for name in seconds:
        flood(client, name, folder + "/times")  # the first one of a session is slower
    for _ in range(ROUNDS):
        for name, taken in seconds.items():
            taken.append(flood(client, name, folder + "/times"))
    client.call("term_close", {"all": True, "force": True})
    client.close()
    none, ten = (statistics.median(taken) for taken in seconds.values())
    print(f"flood: {none:.3f} s, with ten watches {ten:.3f} s, rate {none / ten:.3f}; goal 0.97")


# ---- idle

def pss(pid):
    with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as rollup:
        return next(int(line.split()[1]) for line in rollup if line.startswith("Pss:"))


def ours(mark):
    """The server and the holders: the processes with this variable, without the programs of sessions."""
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and mark in (entry / "environ").read_bytes():
                words = (entry / "cmdline").read_bytes()
                if b"glasstty" in words.split(b"\0")[0]:
                    yield int(entry.name)
        except OSError:
            continue


def measure_idle(program, folder):
    memory = {}
    for name, watch in (("without", {}), ("with", {"watch": {"bad": {"regex": "error|BackOff"}}})):
        os.environ["GLASSTTY_STATE_DIR"] = f"{folder}/idle-{name}"
        os.environ["GLASSTTY_MAX_SESSIONS"] = str(SESSIONS)
        client = Client([program, "mcp", "--alone"], "costs")
        for i in range(SESSIONS):
            text, failed = client.call("term_open", {"name": f"s{i}", "argv": ["sleep", "100000"], "timeout_s": 0, **watch})
            if failed:
                sys.exit(text)
        time.sleep(5)
        pids = list(ours(f"GLASSTTY_STATE_DIR={folder}/idle-{name}".encode()))
        memory[name] = (pss(client.process.pid), sum(map(pss, pids)), len(pids))
        client.call("term_close", {"all": True, "force": True})
        client.close()
    for name, (server, total, count) in memory.items():
        print(f"idle, {name} a watch each: {SESSIONS} sessions, {count} processes, server {server / 1024:.1f} MiB, "
              f"in all {total / 1024:.1f} MiB")
    server, total = (memory["with"][i] / memory["without"][i] for i in (0, 1))
    print(f"idle: server {server:.3f}, in all {total:.3f} of the memory without watches; goal 1.10")


PARTS = {"digest": measure_digests, "flood": measure_flood, "idle": measure_idle}


def main():
    program = os.path.abspath(sys.argv[1])
    wanted = [word for word in sys.argv[2:] if word in PARTS] or PARTS
    with tempfile.TemporaryDirectory() as folder:
        for name in wanted:
            PARTS[name](program, folder)


main()
