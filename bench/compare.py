#!/usr/bin/env python3
"""Compares rates of the server and of other engines, in one run, on the same bytes.

   compare.py BUILD MODULES [--sizes 40x120,24x80] [--only NAME] [--rounds N]

BUILD is a build folder with the benchmarks, MODULES the node_modules folder of
the peers or '-' for none. Prints a table a size (Markdown), then how the bars
of bench/README.md are held. With --chart FILE it also draws the size 40x120.

P, whole and tmux are wall time, all others processor time.
Engines: P, a bare pseudoterminal whose reader drops all; core, the terminal
emulator alone; whole, a session through holder, log and server. Peers: xterm
(@xterm/headless), ghostty (its engine, natively), pyte; tmux as a whole, from
start to the end of the program.
"""
import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time

import chart

HERE = os.path.dirname(os.path.abspath(__file__))
WORKLOADS = [
    "log lines", "seq", "long lines", "colours", "ls --color", "wide",
    "regions", "full screen", "recorded",
]
SIZES = ["24x80", "40x120", "50x200"]
PEERS = ["xterm", "ghostty", "pyte", "tmux"]
# How often a program prints its file, as in rates.cc.
TIMES = 4


def run(argv, timeout=120):
    """Returns the output, or None if the engine does not get through."""
    try:
        done = subprocess.run(argv, capture_output=True, text=True,
                              timeout=timeout, check=False)
    except subprocess.TimeoutExpired:
        return None
    return done.stdout if done.returncode == 0 else None


def tmux_rate(file, rows, cols):
    """Runs `cat` in a window of a separate server, without a client."""
    # Each server has its own name, because the one before may still be ending.
    name = f"bench{os.getpid()}-{time.monotonic_ns()}"
    tmux = ["tmux", "-L", name]
    # The last cat keeps the server: without a session it would end before it
    # is asked.
    files = f"'{file}' " * TIMES
    program = (f"stty -echo; cat {files}; tmux -L {name} wait-for -S done; "
               "exec cat")
    with tempfile.NamedTemporaryFile("w", suffix=".conf") as settings:
        settings.write("set -g status off\nset -g history-limit 10000\n")
        settings.flush()
        start = time.perf_counter()
        run(["tmux", "-L", name, "-f", settings.name, "new-session", "-d",
             "-x", str(cols), "-y", str(rows), "sh", "-c", program])
        done = run(tmux + ["wait-for", "done"])
        seconds = time.perf_counter() - start
    run(tmux + ["kill-server"])
    if done is None:
        return None
    return TIMES * os.path.getsize(file + ".out") / 1e6 / seconds


def peer_rate(peer, modules, file, rows, cols):
    delivered, size = file + ".out", [str(rows), str(cols)]
    if peer == "tmux":
        return tmux_rate(file, rows, cols)
    if peer == "pyte":
        # This is Debian's interpreter, to which the package belongs.
        out = run(["/usr/bin/python3", f"{HERE}/peers/rate_pyte.py", delivered]
                  + size)
    else:
        out = run(["node", f"{HERE}/peers/rate.mjs", modules, peer, delivered]
                  + size)
    return float(out) if out else None


def measure(options, file, size):
    """Returns engine -> MB/s, the median of the rounds; 'core/P' and
    'whole/P' -> the median of their ratios."""
    rows, cols = (int(n) for n in size.split("x"))
    command = [f"{options.build}/bench/rates", "measure",
               f"{options.build}/src/cli/glasstty", file, str(rows), str(cols)]
    rounds = [json.loads(subprocess.run(command, capture_output=True, text=True,
                                        check=True).stdout)
              for _ in range(options.rounds)]
    row = {name: statistics.median(one[name] for one in rounds)
           for name in rounds[0]}
    for ours in ("core", "whole"):
        row[ours + "/P"] = statistics.median(
            one[ours] / one["bare"] for one in rounds)
    if options.modules != "-":
        for peer in PEERS:
            # xterm and ghostty repeat within their process, pyte is slow.
            times = options.rounds if peer == "tmux" else 1
            rates = [peer_rate(peer, options.modules, file, rows, cols)
                     for _ in range(times)]
            row[peer] = None if None in rates else statistics.median(rates)
    return row


def show(value, digits=1):
    return "-" if value is None else f"{value:.{digits}f}"


def print_table(size, table, with_peers):
    peers = PEERS if with_peers else []
    head = ["output", "P", "core", "whole", "core/P", "whole/P"] + peers
    print(f"\n{size}, MB/s\n\n| " + " | ".join(head) + " |")
    print("|" + "---|" * len(head))
    for name, row in table.items():
        cells = [show(row[key]) for key in ("bare", "core", "whole")]
        cells += [show(row[key], 2) for key in ("core/P", "whole/P")]
        cells += [show(row[peer], 2 if peer == "pyte" else 1)
                  for peer in peers]
        print("| " + " | ".join([name] + cells) + " |", flush=True)


def print_bars(tables):
    """Prints the least ratio and the geometric mean against each peer."""
    print()
    for peer in PEERS:
        # tmux is measured as a whole, from the program on.
        ours = "whole" if peer == "tmux" else "core"
        ratios = [(row[ours] / row[peer], f"{name} {size}")
                  for size, table in tables.items()
                  for name, row in table.items() if row.get(peer)]
        if not ratios:
            continue
        mean = math.exp(statistics.mean(math.log(r) for r, _ in ratios))
        least, where = min(ratios)
        print(f"{ours} against {peer}: {mean:.1f}x geometric mean, "
              f"least {least:.1f}x ({where})")
    if "24x80" in tables and "50x200" in tables:
        large, small = (tables[size]["seq"]["core"]
                        for size in ("50x200", "24x80"))
        print(f"seq, core at 50x200 against 24x80: {large / small:.2f}x")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("modules")
    parser.add_argument("--sizes", default=",".join(SIZES))
    parser.add_argument("--only", default="")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--chart")
    options = parser.parse_args()
    tables = {}
    print(f"load average {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([f"{options.build}/bench/rates", "files", folder,
                        f"{HERE}/../fixtures/recordings"], check=True)
        for size in options.sizes.split(","):
            table = tables[size] = {}
            for name in WORKLOADS:
                if options.only in name:
                    table[name] = measure(options, f"{folder}/{name}", size)
            print_table(size, table, options.modules != "-")
    print_bars(tables)
    if options.chart:
        chart.draw(options.chart, tables["40x120"])


if __name__ == "__main__":
    sys.exit(main())
