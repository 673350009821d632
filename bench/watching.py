#!/usr/bin/env python3
"""Measures what ends a wait beside real jobs: {"change": "meaningful"} with still_s, change, quiet_s, and a regex.

    python3 bench/watching.py GLASSTTY [FILTER]

Each job is a real program with marked moments: what a person who looks away wants to be told. A mark is a pattern of the
output, and for a job that gets stuck the time that it has to stand. A wait that ends within SOON of a mark has found it; any
other is a false alarm, except in the first seconds of a job. Prints a table of recall and false alarms per hour, and with
FILTER also what ended each wait.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "tests/testing"))
from mcp_client import Client  # noqa: E402

SOON = 8.0  # a change has to stand for up to 5 s
BEGINNING = 5.0
STILL = 8

WAITS = {
    "meaningful, still_s": {"change": "meaningful", "still_s": STILL},
    "change": {"change": True},
    "quiet_s": {"quiet_s": STILL},
    "regex": {"regex": "(?i)error|fail|warning|denied"},
}

# A file of 20 MB, served at a rate, and up to a part of it.
SERVER = """
import http.server, sys, time
class Handler(http.server.BaseHTTPRequestHandler):
  def do_GET(self):
    self.send_response(200)
    self.send_header("Content-Length", str(20 << 20))
    self.end_headers()
    kind = self.path.strip("/")
    for i in range(200):
      if kind == "stalls" and i == 100: time.sleep(300)
      if kind == "breaks" and i == 100: self.connection.close(); return
      try: self.wfile.write(b"x" * (1 << 20) if kind == "fast" else b"x" * 104857)
      except OSError: return
      time.sleep(0.15)
  def log_message(self, *words): pass
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
"""

NINJA = """
rule cc
  command = sleep 0.1 && echo int x\\; > $out.c && gcc -c $flags $out.c -o $out
  description = CC $out
rule bad
  command = sleep 8 && printf '{text}' > $out.c && gcc -Wall -c $out.c -o $out
  description = CC $out
{edges}
"""
TRAIN = """
import random, sys, time
random.seed(3)
for i in range(10000):
  loss = 4 * 0.995 ** i + random.random() / 50
  if {nan} and i > 100: loss = float("nan")
  print(f"epoch {{i // 50}} step {{i}} loss={{loss:.4f}} lr=0.001 {{40 + i % 3}} it/s", flush=True)
  time.sleep(0.2)
"""
STUCK = """
import itertools, sys, time
for i, sign in zip(range(100000), itertools.cycle("|/-\\\\")):
  done = min(i // 2, 60)
  print(f"\\r{sign} uploading {done}% {3.1 - i % 7 / 10:.1f} MB/s 0:{i // 600:02}:{i // 10 % 60:02}", end="", flush=True)
  if done == 60 and i == 120: sys.stderr.write(""); open("stands", "w")
  time.sleep(0.1)
"""
TESTS = """
import time, unittest
class Everything(unittest.TestCase): pass
def case(i):
  def test(self):
    time.sleep(0.2)
    self.assertNotEqual(i, 70)
  return test
for i in range(150): setattr(Everything, f"test_{i:03}", case(i))
unittest.main(verbosity=2)
"""

# (name, shell command, marks as (pattern, seconds to stand), seconds)
JOBS = [
    ("ninja", "ninja -j2 -f ok.ninja", [], 40),
    ("ninja, an error", "ninja -j2 -k0 -f error.ninja", [("error:", 0)], 40),
    ("ninja, a warning", "ninja -j2 -f warning.ninja", [("warning:", 0)], 40),
    ("make", "for i in $(seq 150); do echo \"gcc -O2 -c src/f$i.c -o f$i.o\"; sleep 0.2; done | cat; make -f nowhere",
     [("make: nowhere: No such file", 0)], 40),
    ("wget", "wget -O /dev/null http://127.0.0.1:{port}/slow", [], 35),
    ("wget, stalls", "wget -O /dev/null http://127.0.0.1:{port}/stalls", [("4[5-9]%|5[0-5]%", STILL + 2)], 45),
    ("curl, breaks off", "curl -o /dev/null http://127.0.0.1:{port}/breaks; sleep 10", [(r"curl: \(\d+\)", 0)], 35),
    ("dd", "dd if=/dev/urandom of=/dev/null bs=64k status=progress", [], 40),
    ("dd, a full disk", "(sleep 15; echo) & dd if=/dev/urandom bs=64k count=3000 status=progress of=/dev/null; "
     "cat /dev/zero > /dev/full; sleep 10", [("No space left", 0)], 40),
    ("htop", "htop", [], 60),
    ("top", "top", [], 60),
    ("btop", "btop", [], 60),
    ("vmstat", "vmstat 1", [], 40),
    ("watch, pods", "watch -n1 cat pods", [("web-1 .*Running", 0), ("CrashLoopBackOff", 0)], 45),
    ("watch, a clock", "watch -n1 'date; uptime; df /'", [], 50),
    ("apt-get", "apt-get -s -o APT::Get::AllowUnauthenticated=1 install gimp libreoffice 2>&1 | head -n 600 | "
     "while IFS= read -r line; do echo \"$line\"; sleep 0.02; done; apt-get -s install no-such-package; sleep 10",
     [("Unable to locate", 0)], 60),
    ("pip", "for i in 1 2 3; do sleep 4; pip3 download --no-index -d d pip; done; sleep 10", [("ERROR: Could not find|"
     "ERROR: No matching", 0)], 35),
    ("npm", "npm run slow; sleep 10", [("Error: no such bundle", 0)], 40),
    ("unittest", "python3 -u tests.py; sleep 8", [("FAIL", 0), ("FAILED", 0)], 60),
    ("http.server", "python3 -u -m http.server {other} & sleep 2; for i in $(seq 100); do "
     "curl -s http://127.0.0.1:{other}/pods >/dev/null; [ $i = 40 ] && curl -s http://127.0.0.1:{other}/nowhere >/dev/null; "
     "sleep 0.2; done", [("File not found", 0)], 45),
    ("training", "python3 train.py", [], 45),
    ("training, nan", "python3 nan.py", [("loss=nan", 0)], 45),
    ("upload, stuck", "python3 stuck.py", [("uploading 60%", STILL)], 45),
    ("tar", "tar -cvf /dev/null /usr/share/doc/[a-c]* 2>&1 | head -n 1500 | while IFS= read -r line; do echo \"$line\"; sleep 0.01; done; "
     "tar -cf x.tar nowhere; sleep 8", [("Cannot stat", 0)], 45),
    ("a question", "for i in $(seq 200); do printf '\\r%s copying %d%%' \"$i\" $((i / 2)); sleep 0.1; done; "
     "printf '\\nOverwrite the database? [y/N] '; read x", [("Overwrite", 0)], 40),
]


# Jobs that would be said to be stuck if they stood. The screen of others may stand for hours.
CAN_STAND = {"ninja", "wget", "wget, stalls", "dd", "training", "upload, stuck"}


def prepare(folder):
    edges = "".join(f"build f{i}.o: cc\n" for i in range(400))
    for name, text in (("ok", None), ("error", "int x = y;"), ("warning", "static int x;")):
        bad = "" if text is None else "build bad.o: bad\n"
        (folder / f"{name}.ninja").write_text(NINJA.format(text=text, edges=bad + edges))
    (folder / "train.py").write_text(TRAIN.format(nan=False))
    (folder / "nan.py").write_text(TRAIN.format(nan=True))
    (folder / "stuck.py").write_text(STUCK)
    (folder / "tests.py").write_text(TESTS)
    (folder / "pods").write_text(pods("Pending", 0))
    steps = "for i in $(seq 30); do echo \"> step $i: bundling module $i\"; sleep 0.4; done; node -e 'throw new Error(\"no such bundle\")'"
    (folder / "package.json").write_text(json.dumps({"name": "job", "version": "1.0.0", "scripts": {"slow": steps}}))


def pods(state, restarts):
    return (f"NAME    READY  STATUS             RESTARTS  AGE\napi-1   1/1    Running            0         5d\n"
            f"web-1   1/1    {state:17}  {restarts}         12s\ndb-1    1/1    Running            2         9d\n")


def change_pods(folder):
    """The states that `watch` shows."""
    time.sleep(14)
    (folder / "pods").write_text(pods("Running", 0))
    time.sleep(12)
    (folder / "pods").write_text(pods("CrashLoopBackOff", 3))


def marks_of(program, name, marks):
    """Returns when each mark was printed, in seconds since the session began."""
    cast = subprocess.run([program, "cast", name], capture_output=True, text=True, check=True).stdout.splitlines()[1:]
    times = []
    for pattern, stands in marks:
        printed = ""
        for line in cast:
            seconds, kind, data = json.loads(line)
            if kind != "o":
                continue
            printed = (printed + re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\(B|\x0f", "", data))[-4000:]
            if re.search(pattern, printed):
                times.append(seconds + stands)
                break
        else:
            print(f"! {name}: {pattern} was not printed", file=sys.stderr)
    return times


def run(program, folder, job, until, ports):
    """Returns (marks found, marks, false alarms, seconds, notes)."""
    name, command, marks, limit = job
    if name not in CAN_STAND:
        until = {key: value for key, value in until.items() if key != "still_s"}
    work = pathlib.Path(tempfile.mkdtemp(dir=folder))
    prepare(work)
    threading.Thread(target=change_pods, args=(work,), daemon=True).start()
    client = Client([program, "mcp", "--alone"], "watching", stderr=subprocess.DEVNULL)
    session = re.sub(r"\W+", "-", name) + "-" + work.name[-6:]
    command = command.replace("{port}", str(ports[0])).replace("{other}", str(ports[1]))
    begin = time.monotonic()
    client.call("term_open", {"name": session, "argv": ["bash", "-c", command], "cwd": str(work), "rows": 30, "cols": 100,
                              "until": {"quiet_s": 0.1}, "timeout_s": 2})
    wakes = []
    while time.monotonic() - begin < limit:
        text, _ = client.call("term_wait", {"session": session, "until": until, "show": "match",
                                            "timeout_s": max(0.1, limit - (time.monotonic() - begin))})
        reason = re.search(r"reason=(\w+)", text)
        if reason is None or reason.group(1) == "timeout" or " exited" in text.splitlines()[0]:
            break
        wakes.append((time.monotonic() - begin, reason.group(1) + ": " + (text.splitlines() + [""])[1][:90]))
        client.call("term_read", {"session": session, "max_lines": 3})
        if reason.group(1) in ("quiet", "still"):
            # One that stands is told once.
            client.call("term_wait", {"session": session, "until": {"change": True},
                                      "timeout_s": max(0.1, limit - (time.monotonic() - begin))})
    seconds = time.monotonic() - begin
    times = marks_of(program, session, marks)
    client.call("term_close", {"session": session, "grace_s": 0.2})
    client.close()
    near = lambda at, mark: -1.0 <= at - mark <= SOON  # noqa: E731
    found = sum(any(near(at, mark) for at, _ in wakes) for mark in times)
    false = [wake for wake in wakes if wake[0] > BEGINNING and not any(near(wake[0], mark) for mark in times)]
    # An agent that is woken again within two seconds has been woken once.
    alarms = [wake for i, wake in enumerate(false) if i == 0 or wake[0] - false[i - 1][0] > 2]
    return found, len(times), len(alarms), seconds, wakes


def main():
    program = os.path.abspath(sys.argv[1])
    wanted = sys.argv[2] if len(sys.argv) > 2 else None
    jobs = [job for job in JOBS if wanted is None or wanted in job[0]]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        os.environ["GLASSTTY_STATE_DIR"] = name + "/state"
        server = subprocess.Popen([sys.executable, "-c", SERVER, "18431"])
        while socket.socket().connect_ex(("127.0.0.1", 18431)) != 0:
            time.sleep(0.1)
        tasks = {}
        with concurrent.futures.ThreadPoolExecutor(12) as pool:
            for number, job in enumerate(jobs):
                for kind, until in WAITS.items():
                    ports = (18431, 18500 + 10 * number + len(tasks) % 4)
                    tasks[job[0], kind] = pool.submit(run, program, folder, job, until, ports)
        server.kill()
        print("| job | marks | " + " | ".join(WAITS) + " |\n|---|---|" + "---|" * len(WAITS))
        sums = {kind: [0, 0, 0, 0.0] for kind in WAITS}
        for job in jobs:
            cells = []
            for kind in WAITS:
                found, marks, alarms, seconds, wakes = tasks[job[0], kind].result()
                sums[kind] = [a + b for a, b in zip(sums[kind], (found, marks, alarms, seconds))]
                cells.append(f"{found} found, {alarms} false")
                if wanted is not None:
                    print(f"{job[0]}, {kind}: " + "; ".join(f"{at:.1f} s {why}" for at, why in wakes[:12]), file=sys.stderr)
            print(f"| {job[0]} | {len(job[2])} | " + " | ".join(cells) + " |")
        print("| recall | | " + " | ".join(f"{100 * s[0] / max(s[1], 1):.0f} %" for s in sums.values()) + " |")
        print("| false alarms in an hour | | " + " | ".join(f"{3600 * s[2] / s[3]:.1f}" for s in sums.values()) + " |")


if __name__ == "__main__":
    main()
