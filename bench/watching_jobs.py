#!/usr/bin/env python3
"""Records the jobs of fixtures/watching that were recorded for it: real programs beside small servers that stall and break.

    python3 bench/watching_jobs.py DIRECTORY [NAME...]

Writes DIRECTORY/NAME.cast (asciicast v2, 24x80), for all jobs at once. Each takes up to five minutes.
"""
import codecs
import fcntl
import http.server
import json
import os
import pathlib
import pty
import select
import signal
import struct
import sys
import tempfile
import termios
import threading
import time

ROWS, COLS = 24, 80
LIMIT = 240.0
BEGIN = time.monotonic()

COLUMNS = ["NAME", "READY", "STATUS", "RESTARTS", "AGE"]
# Pods, and from which second on each is in which state: (pod, second, ready, status, restarts).
STATES = [
    ("api-7f9c4d-x2vqk", 0, "1/1", "Running", "0"), ("api-7f9c4d-k8s2p", 0, "1/1", "Running", "0"),
    ("db-0", 0, "1/1", "Running", "2"), ("queue-5d8b9-zz4lm", 0, "1/1", "Running", "0"),
    ("web-6c5f8b-q7w9d", 60, "0/1", "ContainerCreating", "0"), ("web-6c5f8b-q7w9d", 70, "1/1", "Running", "0"),
    ("queue-5d8b9-zz4lm", 120, "0/1", "CrashLoopBackOff", "3"), ("api-7f9c4d-k8s2p", 170, "0/1", "OOMKilled", "0"),
    ("api-7f9c4d-k8s2p", 185, "1/1", "Running", "1"),
]


def age():
    return time.monotonic() - BEGIN


def pods(at):
    """The state of each pod at that second."""
    now = {}
    for name, since, ready, status, restarts in STATES:
        if at >= since:
            now[name] = (name, ready, status, restarts)
    return list(now.values())


def table(rows, at):
    columns = [{"name": name, "type": "string", "format": "", "description": "", "priority": 0} for name in COLUMNS]
    born = {name: since for name, since, *_ in reversed(STATES)}
    text = lambda s: f"{int(s)}s" if s < 120 else f"{int(s // 60)}m{int(s % 60)}s"  # noqa: E731
    cells = [{"cells": [*row, text(at - born[row[0]] + (900 if born[row[0]] == 0 else 0))],
              "object": {"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1",
                         "metadata": {"name": row[0], "namespace": "default", "uid": row[0], "resourceVersion": "1"}}}
             for row in rows]
    return {"kind": "Table", "apiVersion": "meta.k8s.io/v1", "metadata": {"resourceVersion": "1"},
            "columnDefinitions": columns, "rows": cells}


DISCOVERY = {
    "/api": {"kind": "APIVersions", "versions": ["v1"]},
    "/apis": {"kind": "APIGroupList", "apiVersion": "v1", "groups": []},
    "/api/v1": {"kind": "APIResourceList", "groupVersion": "v1", "resources": [
        {"name": "pods", "singularName": "pod", "namespaced": True, "kind": "Pod", "verbs": ["get", "list", "watch"],
         "shortNames": ["po"]}]},
}


class Server(http.server.BaseHTTPRequestHandler):
    """Pods for kubectl; files that come slowly, stall or break off; whatever else is asked for hangs."""

    def answer(self, value):
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def watch(self):
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        before = dict.fromkeys(pods(age()))
        turn = 0
        while True:
            time.sleep(1)
            now = pods(age())
            changed = [pod for pod in now if pod not in before]
            turn += 1
            # The server often sends a pod in which nothing has changed that is shown.
            if not changed and turn % 4 == 0:
                changed = [now[turn // 4 % len(now)]]
            before = dict.fromkeys(now)
            for pod in changed:
                self.wfile.write(json.dumps({"type": "MODIFIED", "object": table([pod], age())}).encode() + b"\n")
            self.wfile.flush()

    def file(self, kind):
        self.send_response(200)
        self.send_header("Content-Length", str(220 * 50000))
        self.end_headers()
        for i in range(220):
            if kind == "stalls" and i == 110:
                time.sleep(70)
            if kind == "breaks" and i == 150:
                return
            self.wfile.write(b"x" * 50000)
            time.sleep(0.5 if kind == "stalls" else 1)

    def do_GET(self):
        path = self.path.partition("?")[0]
        try:
            if path in DISCOVERY:
                self.answer(DISCOVERY[path])
            elif path.endswith("/pods"):
                self.watch() if "watch=" in self.path else self.answer(table(pods(age()), age()))
            elif path.startswith("/file/"):
                self.file(path.rpartition("/")[2])
            else:
                time.sleep(600)
        except OSError:
            pass

    def log_message(self, *words):
        pass


TERRAFORM = """
resource "terraform_data" "database" {
  input = "db-1"
  provisioner "local-exec" { command = "sleep 75" }
}
resource "terraform_data" "web" {
  input      = "web-1"
  depends_on = [terraform_data.database]
  provisioner "local-exec" { command = "sleep 45; echo 'the port 80 is taken'; exit 3" }
}
"""
NINJA = """
rule cc
  command = sleep 0.6 && echo "int f$$$$;" > $out.c && gcc -c $out.c -o $out
  description = CC $out
rule warns
  command = sleep 0.6 && echo "static int unused;" > $out.c && gcc -Wall -c $out.c -o $out
  description = CC $out
rule breaks
  command = sleep 0.6 && echo "int f = g;" > $out.c && gcc -c $out.c -o $out
  description = CC $out
"""

# Monitors see only these processes, some of which come and go.
ALONE = "exec unshare --pid --fork --mount-proc bash work.sh "
WORK = """
for i in 1 2 3; do
  (while sleep $((i + 2)); do head -c ${i}000000 /dev/urandom | gzip >/dev/null; done) 2>/dev/null &
  python3 -c 'import time; data = [0]
while True: data.append(sum(range(200000))); time.sleep(0.7)' &
done
(while sleep 11; do gcc -O2 -xc - -o /dev/null <<<'int main(){}'; done) &
"$@"
"""

# name: (command, what is typed at which second)
JOBS = {
    "htop": (ALONE + "htop", {}), "top": (ALONE + "top", {}), "vmstat": ("vmstat 1", {}),
    "watch-df": ("watch -n1 'date; uptime; df -h / /tmp /dev/shm'", {}),
    "kubectl-get-pods-w": ("{kubectl} get pods -w", {}),
    "watch-kubectl": ("watch -n2 {kubectl} get pods", {}),
    "terraform-apply": ("terraform init -no-color >/dev/null; terraform apply", {30: "yes\r"}),
    "ninja-long": ("ninja -j1 -k0", {}),
    "wget-stalls": ("wget -O /dev/null {url}/file/stalls", {}),
    "curl-breaks": ("curl -o /dev/null {url}/file/breaks", {}),
    "apt-get-update-hangs": ("apt-get update -o Dir::Etc::sourcelist=$PWD/sources -o Dir::Etc::sourceparts=/none "
                             "-o Dir::State::lists=$PWD/lists", {}),
    "apt-get-install-asks": ("apt-get install gimp", {60: "n\r"}),
    "npm-install-hangs": ("npm install left-pad --registry {url}", {}),
    "http-server": ("python3 -u -m http.server {port} --bind 127.0.0.1", {}),
    "dd-too-large": ("ulimit -f 40000; while sleep 0.5; do head -c 150000 /dev/zero; done | dd of=copy bs=50k iflag=fullblock "
                     "status=progress", {}),
    "unittest-long": ("python3 -u tests.py -v", {}),
}
TESTS = """
import time, unittest
class Everything(unittest.TestCase): pass
def case(i):
  def test(self):
    time.sleep(0.5)
    self.assertNotEqual(i, 260)
  return test
for i in range(400): setattr(Everything, f"test_{i:03}", case(i))
unittest.main()
"""


def prepare(folder, url):
    (folder / "main.tf").write_text(TERRAFORM)
    rule = {130: "warns", 240: "breaks"}
    (folder / "build.ninja").write_text(NINJA + "".join(f"build unit_{i}.o: {rule.get(i, 'cc')}\n" for i in range(320)))
    (folder / "sources").write_text(f"deb [trusted=yes] {url}/debian stable main\n")
    (folder / "lists/partial").mkdir(parents=True)
    (folder / "tests.py").write_text(TESTS)
    (folder / "work.sh").write_text(WORK)


def request(port):
    """A browser that asks for the same pages, and after 100 s for one that is not there."""
    import urllib.request
    for i in range(230):
        time.sleep(1)
        name = "missing.html" if i == 100 else "tests.py" if i % 3 else "main.tf"
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/{name}").read()
        except OSError:
            pass


def record(path, command, typed, folder):
    begin = time.monotonic()
    pid, fd = pty.fork()
    if pid == 0:
        os.chdir(folder)
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLS, 0, 0))
        os.environ.update(TERM="xterm-256color", LC_ALL="C.UTF-8", COLUMNS=str(COLS), LINES=str(ROWS))
        os.execvp("bash", ["bash", "-c", command])
    typed = dict(typed)
    with open(path, "w", encoding="utf-8") as out:
        header = {"version": 2, "width": COLS, "height": ROWS, "title": path.stem, "env": {"TERM": "xterm-256color"}}
        print(json.dumps(header), file=out)
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        while (at := time.monotonic() - begin) < LIMIT:
            for when in [when for when in typed if at >= when]:
                os.write(fd, typed.pop(when).encode())
            if not select.select([fd], [], [], 0.2)[0]:
                continue
            try:
                data = os.read(fd, 1 << 16)
            except OSError:
                break
            if not data:
                break
            text = decoder.decode(data)
            print(json.dumps([round(time.monotonic() - begin, 3), "o", text], ensure_ascii=False), file=out)
        status = None
        if time.monotonic() - begin >= LIMIT:
            os.kill(pid, signal.SIGKILL)
        else:
            status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
            print(json.dumps([round(time.monotonic() - begin, 3), "x", str(status)]), file=out)
    os.close(fd)


def main():
    directory = pathlib.Path(sys.argv[1])
    wanted = sys.argv[2:] or list(JOBS)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}"
    port = server.server_port + 1
    kubectl = f"kubectl -s {url} --cache-dir /tmp/none-{os.getpid()}"
    threads = []
    with tempfile.TemporaryDirectory() as name:
        for job in wanted:
            folder = pathlib.Path(name) / job
            folder.mkdir()
            prepare(folder, url)
            command, typed = JOBS[job]
            command = command.replace("{kubectl}", kubectl).replace("{url}", url).replace("{port}", str(port))
            if job == "http-server":
                threading.Thread(target=request, args=(port,), daemon=True).start()
            threads.append(threading.Thread(target=record, args=(directory / f"{job}.cast", command, typed, folder)))
            threads[-1].start()
        for thread in threads:
            thread.join()


main()
