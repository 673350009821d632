#!/usr/bin/env python3
"""Compares the ways to a server, and what the death of the shared one costs its clients.

    python3 bench/sharing.py starts GLASSTTY [ROUNDS]    # the first answer, and the memory of 1, 2 and 5 clients
    python3 bench/sharing.py memory GLASSTTY [OTHER]     # five clients with four sessions each, beside servers of OTHER
    python3 bench/sharing.py latency GLASSTTY [ROUNDS]   # stdio, relay, socket, HTTP and `glasstty read`, in turns
    python3 bench/sharing.py flood GLASSTTY [ROUNDS]     # one client beside another that calls as fast as it can
    python3 bench/sharing.py crowd GLASSTTY [ROUNDS]     # one client beside 200 HTTP connections that wait, rest or trickle
    python3 bench/sharing.py deaths GLASSTTY [ROUNDS]    # kill -9 with five clients attached and 20 sessions running

`deaths` fails when a session or a line is lost. State directories are temporary.
"""
import fcntl
import http.client
import json
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time


class HttpClient:
    """Speaks MCP over one HTTP connection that is kept."""

    def __init__(self, url, token):
        host, port = re.match(r"http://([\d.]+):(\d+)", url).groups()
        self.connection, self.last = http.client.HTTPConnection(host, int(port)), 0
        self.headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json",
                        "Accept": "application/json, text/event-stream"}
        self.connection.connect()
        self.connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.request("initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                    "clientInfo": {"name": "bench", "version": "1"}})

    def request(self, method, params):
        self.last += 1
        message = {"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}
        self.connection.request("POST", "/mcp", json.dumps(message), self.headers)
        answer = self.connection.getresponse()
        text = answer.read().decode()
        if method == "initialize":
            self.headers["Mcp-Session-Id"] = answer.headers["Mcp-Session-Id"]
        return json.loads(text[text.index("{"):])

    def call(self, tool, **arguments):
        return self.request("tools/call", {"name": tool, "arguments": arguments})


class Client:
    """Speaks MCP over a pair of files."""

    def __init__(self, writer, reader):
        self.writer, self.reader, self.last = writer, reader, 0
        self.request("initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                    "clientInfo": {"name": "bench", "version": "1"}})

    def request(self, method, params):
        self.last += 1
        message = {"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}
        self.writer.write((json.dumps(message) + "\n").encode())
        self.writer.flush()
        while True:
            line = self.reader.readline()
            if not line:
                sys.exit("a client was left alone")
            answer = json.loads(line)
            if answer.get("id") == self.last:
                return answer

    def call(self, tool, **arguments):
        return self.request("tools/call", {"name": tool, "arguments": arguments})


def start(program, folder, *words):
    """Returns the process and a client on its stdin and stdout."""
    process = subprocess.Popen([program, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, env=environment(folder))
    return process, Client(process.stdin, process.stdout)


def environment(folder):
    return os.environ | {"GLASSTTY_STATE_DIR": folder}


def seconds(work):
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def quantiles(values):
    values = sorted(values)
    return " | ".join(f"{1e3 * values[int(len(values) * q)]:.2f}" for q in (0.5, 0.99))


def resident(pid):
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


def stop(program, folder):
    subprocess.run([program, "serve", "--stop"], check=False, env=environment(folder), stderr=subprocess.DEVNULL)


def pss(pid):
    with open(f"/proc/{pid}/smaps_rollup") as rollup:
        return next(int(line.split()[1]) for line in rollup if line.startswith("Pss:"))


def first_answer(program, folder, *words):
    """-> the seconds from the start of the process to the answer to `initialize`"""
    began = time.perf_counter()
    process, client = start(program, folder, *words)
    took = time.perf_counter() - began
    process.stdin.close()
    process.wait()
    return took


def starts(program, rounds):
    times = {"first, starts the server": [], "joins the server": [], "--alone": []}
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            times["first, starts the server"].append(first_answer(program, folder, "mcp"))
            times["joins the server"].append(first_answer(program, folder, "mcp"))
            times["--alone"].append(first_answer(program, folder, "mcp", "--alone"))
            stop(program, folder)
    print("| initialize answered, ms | least | p50 | p99 |\n|---|---|---|---|")
    for name, values in times.items():
        print(f"| {name} | {1e3 * min(values):.2f} | {quantiles(values)} |")
    print("| idle memory (PSS), MiB | shared | --alone |\n|---|---|---|")
    for count in (1, 2, 5):
        with tempfile.TemporaryDirectory() as shared, tempfile.TemporaryDirectory() as alone:
            relays = [start(program, shared, "mcp")[0] for _ in range(count)]
            servers = [start(program, alone, "mcp", "--alone")[0] for _ in range(count)]
            all_shared = pss(server_of(shared)) + sum(pss(relay.pid) for relay in relays)
            print(f"| {count} clients | {all_shared / 1024:.1f} | {sum(pss(s.pid) for s in servers) / 1024:.1f} |")
            for process in relays + servers:
                process.stdin.close()
                process.wait()
            stop(program, shared)


def memory(program, other):
    """The memory of five clients with four shells each: one server, servers of their own, and such servers of `other`."""
    ways = [(program, True), (program, False)] + ([(os.path.abspath(other), False)] if other else [])
    print("| PSS, MiB | servers and relays | and holders |\n|---|---|---|")
    for which, is_shared in ways:
        with tempfile.TemporaryDirectory() as folder:
            # An older version has no --alone, and needs none: nothing is shared unless `serve` was called.
            words = ["mcp"] if is_shared or which != program else ["mcp", "--alone"]
            started = [start(which, folder, *words) for _ in range(5)]
            for _, client in started:
                for number in range(4):
                    client.call("term_open", name=f"s{number}", argv=["bash", "--norc"])
                    client.call("term_run", session=f"s{number}", command="seq 2000")
            servers = [process.pid for process, _ in started] + ([server_of(folder)] if is_shared else [])
            holders = holders_of(folder)
            if len(holders) != 20:
                sys.exit(f"{len(holders)} holders instead of 20")
            sizes = [sum(map(pss, pids)) / 1024 for pids in (servers, servers + holders)]
            print(f"| {which}, {'shared' if is_shared else 'alone'} | {sizes[0]:.1f} | {sizes[1]:.1f} |")
            for process, client in started:
                client.call("term_close", all=True)
                process.stdin.close()
                process.wait()
            if is_shared:
                stop(which, folder)


def holders_of(folder):
    """Returns the process ids of the holders of a state directory: its name is in their environment."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/comm") as name, open(f"/proc/{pid}/environ", "rb") as variables:
                if name.read().startswith("glasstty-holde") and folder.encode() in variables.read():
                    found.append(int(pid))
        except OSError:
            continue
    return found


def latency(program, rounds):
    with tempfile.TemporaryDirectory() as shared, tempfile.TemporaryDirectory() as alone:
        subprocess.run([program, "serve", "--background"], check=True, env=environment(shared))
        own, stdio = start(program, alone, "mcp", "--alone")
        relay, relayed = start(program, shared, "mcp")
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(shared + "/serve/socket")
        direct = Client(connection.makefile("wb"), connection.makefile("rb"))
        served = subprocess.run([program, "serve", "--background", "--http=0"], check=True, text=True,
                                env=environment(shared), stdout=subprocess.PIPE)
        with open(shared + "/serve/http-token") as token:
            over_http = HttpClient(served.stdout, token.read().strip())
        ways = {"stdio": stdio, "relay": relayed, "socket": direct, "HTTP": over_http}
        for name, client in ways.items():
            client.call("term_open", name=name, command="seq 100; cat")
            client.call("term_run", command="true")

        def shell(*words):
            subprocess.run([program, *words], check=True, env=environment(shared), stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)

        shell("run", "true")
        times = {(name, what): [] for name in [*ways, "call"] for what in ("snapshot", "run")}
        for _ in range(rounds):
            for name, client in ways.items():
                times[name, "snapshot"].append(
                    seconds(lambda: client.call("term_read", session=name, mode="snapshot")))
                times[name, "run"].append(seconds(lambda: client.call("term_run", command="echo hi")))
            times["call", "snapshot"].append(seconds(lambda: shell("read", "socket", "--mode", "snapshot")))
            times["call", "run"].append(seconds(lambda: shell("run", "echo hi")))
        print("| ms | snapshot p50 | p99 | run p50 | p99 |\n|---|---|---|---|---|")
        for name in [*ways, "call"]:
            print(f"| {name} | {quantiles(times[name, 'snapshot'])} | {quantiles(times[name, 'run'])} |")
        print(f"resident: relay {resident(relay.pid)} kB, server on stdio {resident(own.pid)} kB")
        own.stdin.close()
        subprocess.run([program, "serve", "--stop"], check=True, env=environment(shared))
        own.wait()


def flood(program, rounds):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "serve", "--background"], check=True, env=environment(folder))
        client = start(program, folder, "mcp")[1]
        client.call("term_open", name="quiet", command="seq 100; cat")

        def snapshot():
            client.call("term_read", session="quiet", mode="snapshot")

        alone = [seconds(snapshot) for _ in range(rounds)]
        opener = start(program, folder, "mcp")[1]
        opener.call("term_open", name="busy", command="seq 100; cat")
        # This is a separate process: threads of this one would wait for each other, and that would be measured.
        flooding = subprocess.Popen([sys.executable, __file__, "flooding", program, folder], stdout=subprocess.PIPE)
        flooding.stdout.readline()
        beside = [seconds(snapshot) for _ in range(rounds)]
        flooding.send_signal(signal.SIGTERM)
        print(f"{int(flooding.communicate()[0])} calls of the flood were answered")
        print("| ms | snapshot p50 | p99 |\n|---|---|---|")
        print(f"| alone | {quantiles(alone)} |\n| beside a flood of calls | {quantiles(beside)} |")
        subprocess.run([program, "serve", "--stop"], env=environment(folder))


def flooding(program, folder):
    """Calls as fast as the server takes them, until SIGTERM."""
    process, client = start(program, folder, "mcp")
    answers = 0

    def send():
        call = json.dumps({"jsonrpc": "2.0", "id": 0, "method": "tools/call", "params": {
            "name": "term_read", "arguments": {"session": "bench-2/busy", "mode": "snapshot"}}})
        number = 1000
        while True:
            lines = [call.replace('"id": 0', f'"id": {number + i}') for i in range(500)]
            number += 500
            process.stdin.write(("\n".join(lines) + "\n").encode())
            process.stdin.flush()

    def end(*_):
        print(answers, flush=True)
        process.kill()
        os._exit(0)

    signal.signal(signal.SIGTERM, end)
    threading.Thread(target=send, daemon=True).start()
    while True:
        piece = process.stdout.read1(1 << 16)
        if not piece:
            sys.exit("the flooding client was let go")
        if not answers:
            print("flooding", flush=True)
        answers += piece.count(b"\n")


def crowd(program, rounds):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "serve", "--background"], check=True, env=environment(folder))
        served = subprocess.run([program, "serve", "--background", "--http=0"], check=True, text=True,
                                env=environment(folder), stdout=subprocess.PIPE)
        with open(folder + "/serve/http-token") as token:
            clients = {"HTTP": HttpClient(served.stdout, token.read().strip())}
        clients["relay"] = start(program, folder, "mcp")[1]
        clients["relay"].call("term_open", name="quiet", command="seq 200000; cat")
        headers = "".join(f"{name}: {value}\r\n" for name, value in clients["HTTP"].headers.items())
        host, port = re.match(r"http://([\d.]+):(\d+)", served.stdout).groups()

        def begin(tool, arguments, cut=None):
            body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                               "params": {"name": tool, "arguments": {"session": "quiet", **arguments}}})
            request = f"POST /mcp HTTP/1.1\r\nHost: {host}:{port}\r\n{headers}Content-Length: {len(body)}\r\n\r\n{body}"
            connection = socket.create_connection((host, int(port)))
            connection.sendall(request[:cut].encode())
            return connection, request[cut:].encode() if cut else b""

        def measure(label):
            for name, client in clients.items():
                times = []
                for _ in range(rounds):
                    times.append(seconds(lambda: client.call("term_read", session="quiet", mode="snapshot")))
                    if trickling:
                        connection, rest = trickling.pop(0)
                        connection.send(rest[:1])
                        trickling.append((connection, rest[1:]))
                print(f"| {name}, {label} | {quantiles(times)} |")

        print("| ms | snapshot p50 | p99 |\n|---|---|---|")
        trickling = []
        measure("alone")
        waits = [begin("term_wait", {"until": {"text": "never"}, "timeout_s": 40}) for _ in range(64)]
        slow = [begin("term_read", {"mode": "all", "max_lines": 0}) for _ in range(16)]
        trickling = [begin("term_list", {}, cut=30 + i) for i in range(120)]
        time.sleep(1)
        measure(f"beside {len(waits)} waits, {len(slow)} who do not read, {len(trickling)} who trickle")
        subprocess.run([program, "serve", "--stop"], env=environment(folder))


def server_of(folder):
    """Returns the process id of the shared server (fcntl(2), F_GETLK)."""
    lock = os.open(folder + "/serve/lock", os.O_RDWR)
    try:
        asked = struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)
        return struct.unpack("hhqqi4x", fcntl.fcntl(lock, fcntl.F_GETLK, asked))[4]
    finally:
        os.close(lock)


def deaths(program, rounds):
    with tempfile.TemporaryDirectory() as folder:
        clients = [start(program, folder, "mcp")[1] for _ in range(5)]
        names = [f"s{i}" for i in range(20)]
        script = 'i=0; while read x; do i=$((i+1)); echo "line $i $x"; done'
        for i, name in enumerate(names):
            clients[i % 5].call("term_open", name=name, argv=["sh", "-c", script])
        gaps, lost = [], []
        for number in range(rounds):
            for i, name in enumerate(names):
                clients[i % 5].call("term_send", session=name, input=f"r{number}\n")
            os.kill(server_of(folder), signal.SIGKILL)
            killed = time.perf_counter()

            def call_again(client):
                # The first may have reached the server that was killed.
                if "error" in client.call("term_list"):
                    client.call("term_list")
                gaps.append(time.perf_counter() - killed)

            threads = [threading.Thread(target=call_again, args=(client,)) for client in clients]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            wanted = [f"line {n + 1} r{n}" for n in range(number + 1)]
            for i, name in enumerate(names):
                owner = "bench" if i % 5 == 0 else f"bench-{i % 5 + 1}"
                answer = clients[(i + 1) % 5].call("term_read", session=f"{owner}/{name}", mode="history", from_line=1,
                                                   lines=10000, truncate="none")
                text = answer["result"]["content"][0]["text"]
                if [line for line in text.split("\n") if line.startswith("line ")] != wanted:
                    lost.append((number, name))
        gaps.sort()
        print(f"{rounds} deaths: from the kill to the next answer p50 {1e3 * gaps[len(gaps) // 2]:.0f} ms, "
              f"p90 {1e3 * gaps[int(len(gaps) * 0.9)]:.0f}, longest {1e3 * gaps[-1]:.0f}; "
              f"{len(lost)} of {rounds * len(names)} looks missed a line")
        for client in clients:
            client.writer.close()
        subprocess.run([program, "serve", "--stop"], env=environment(folder))
        sys.exit(1 if lost else 0)


def main():
    if sys.argv[1:2] == ["flooding"]:
        flooding(*sys.argv[2:])
    works = {"starts": (starts, 100), "latency": (latency, 200), "flood": (flood, 300), "crowd": (crowd, 300),
             "deaths": (deaths, 30), "memory": (memory, "")}
    if len(sys.argv) not in (3, 4) or sys.argv[1] not in works:
        sys.exit(__doc__)
    program = os.path.abspath(sys.argv[2])
    work, default = works[sys.argv[1]]
    work(program, type(default)(sys.argv[3]) if len(sys.argv) == 4 else default)


if __name__ == "__main__":
    main()
