#!/usr/bin/env python3
"""Compares two builds of glasstty: size, start, idle memory, throughput.

    pairs.py NAME=GLASSTTY NAME=GLASSTTY...      each with its holder, as they are installed

The builds take turns, so that other work of the machine affects all of them. Start is from before the process is made
to the answer to `initialize`; throughput is processor time of `glasstty replay`, the terminal alone.
"""
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

STARTS = 200
REPLAYS = 9
INITIALIZE = {"jsonrpc": "2.0", "id": 1, "method": "initialize",
              "params": {"protocolVersion": "2025-06-18", "capabilities": {},
                         "clientInfo": {"name": "pairs", "version": "1"}}}
OPEN = {"jsonrpc": "2.0", "id": 2, "method": "tools/call",
        "params": {"name": "term_open", "arguments": {"name": "idle", "argv": ["sleep", "60"]}}}
CLOSE = {"jsonrpc": "2.0", "id": 3, "method": "tools/call",
         "params": {"name": "term_close", "arguments": {"all": True}}}


class Server:
    """Started in the shortest possible way, because whatever else Python does would be measured as well."""

    def __init__(self, program, environment):
        theirs, self.input = os.pipe2(os.O_CLOEXEC)
        self.output, their_output = os.pipe2(os.O_CLOEXEC)
        self.pid = os.posix_spawn(program, [program, "mcp", "--alone"], environment,
                                  file_actions=[(os.POSIX_SPAWN_DUP2, theirs, 0),
                                                (os.POSIX_SPAWN_DUP2, their_output, 1)])
        os.close(theirs)
        os.close(their_output)

    def request(self, message):
        os.write(self.input, json.dumps(message).encode() + b"\n")
        answer = b""
        while f'"id":{message["id"]}'.encode() not in answer.replace(b" ", b""):
            part = os.read(self.output, 65536)
            if not part:
                sys.exit(f"pairs: the server ended during {message['method']}")
            answer += part
        return answer

    def close(self):
        os.close(self.input)
        os.close(self.output)
        os.waitpid(self.pid, 0)


def start(program, environment):
    """Returns milliseconds."""
    began = time.perf_counter()
    server = Server(program, environment)
    server.request(INITIALIZE)
    took = time.perf_counter() - began
    server.close()
    return took * 1000


def version(program, environment):
    began = time.perf_counter()
    with open(os.devnull, "w") as nowhere:
        pid = os.posix_spawn(program, [program, "--version"], environment, file_actions=[
            (os.POSIX_SPAWN_DUP2, nowhere.fileno(), 1)])
        os.waitpid(pid, 0)
    return (time.perf_counter() - began) * 1000


def memory(pid):
    """Returns the resident memory, and the part of it that no file holds; both in KiB."""
    rows = (line.split() for line in pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:])
    kib = {row[0]: int(row[1]) for row in rows}
    return kib["Rss:"], kib["Anonymous:"]


def holder_of(state):
    """Returns the only holder that has the state directory in its environment."""
    for each in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if (each / "comm").read_text() == "glasstty-holder\n" and state in (each / "environ").read_bytes():
                return int(each.name)
        except OSError:
            continue
    return sys.exit("pairs: no holder")


def idle(program, environment):
    server = Server(program, environment)
    server.request(INITIALIZE)
    alone = memory(server.pid)
    server.request(OPEN)
    holder = memory(holder_of(environment["GLASSTTY_STATE_DIR"].encode()))
    server.request(CLOSE)
    server.close()
    return alone, holder


def replay(program, file):
    """Returns processor seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([program, "replay", file, "--size", "40x120"], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def holder_file(program):
    """Looks beside the server, or in libexec, as the server itself does."""
    folder = pathlib.Path(program).resolve().parent
    places = (folder / "glasstty-holder", folder / "../libexec/glasstty-holder")
    return next((place for place in places if place.exists()), None) or sys.exit(f"pairs: no holder for {program}")


def write_workloads(folder):
    """Returns {name: file}: 23 MB of lines that scroll, 50 MB that paint the whole screen again and again"""
    lines, screens = folder / "lines", folder / "screens"
    with open(lines, "w") as out:
        out.writelines(f"{i}\r\n" for i in range(2_700_000))
    with open(screens, "w") as out:
        for frame in range(10_000):
            out.write("\033[H" + "".join(f"\033[3{(frame + row) % 8}m{row:03} {chr(97 + frame % 26) * 115}\r\n"
                                         for row in range(39)))
    return {f"{path.stat().st_size // 1_000_000} MB of {path.name}": str(path) for path in (lines, screens)}


def row(name, values):
    print(f"| {name} | " + " | ".join(values) + " |", flush=True)


def main():
    builds = dict(word.split("=", 1) for word in sys.argv[1:])
    if not builds:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory(prefix="glasstty-pairs-") as folder:
        home = pathlib.Path(folder)
        environment = {"HOME": folder, "GLASSTTY_STATE_DIR": f"{folder}/state", "SHELL": "/bin/sh",
                       "PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"}
        row("", builds)
        print("|---" * (len(builds) + 1) + "|")
        row("server / holder, bytes", [f"{os.path.getsize(program):,} / {os.path.getsize(holder_file(program)):,}"
                                       for program in builds.values()])
        for name, measure in (("`--version`", version), ("`initialize` answered", start)):
            times = {build: [] for build in builds}
            for _ in range(STARTS):
                for build, program in builds.items():
                    times[build].append(measure(program, environment))
            row(f"{name}, ms: least; median of {STARTS}",
                [f"{min(each):.2f}; {statistics.median(each):.2f}" for each in times.values()])
        servers, holders = zip(*(idle(program, environment) for program in builds.values()))
        row("idle server, resident / anonymous, KiB", [f"{all_of_it:,} / {own:,}" for all_of_it, own in servers])
        row("idle holder, resident / anonymous, KiB", [f"{all_of_it:,} / {own:,}" for all_of_it, own in holders])
        for name, file in write_workloads(home).items():
            seconds = {build: [] for build in builds}
            for _ in range(REPLAYS):
                for build, program in builds.items():
                    seconds[build].append(replay(program, file))
            row(f"{name}, s of processor: least of {REPLAYS}", [f"{min(each):.2f}" for each in seconds.values()])


if __name__ == "__main__":
    main()
