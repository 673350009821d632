"""A machine on which nothing is set up yet: a clean home, the real clients, a model of ours, and no network."""
import ctypes
import fcntl
import json
import os
import pathlib
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent / "testing"))
import mcp_client  # noqa: E402

import model  # noqa: E402

PATIENCE_S = 60


def leave_network():
    """Moves this process into a network of its own, which has the loopback interface only. Takes root."""
    clone_newnet, siocsifflags, iff_up_and_running = 0x40000000, 0x8914, 0x41
    if os.geteuid() != 0 or ctypes.CDLL(None, use_errno=True).unshare(clone_newnet) != 0:
        print("plugins: NOT OFFLINE, which takes root: the clients are only told to use no network")
        return
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, siocsifflags, struct.pack("16sH14x", b"lo", iff_up_and_running))


def check(good, message):
    if not good:
        raise AssertionError(message)


def has(text, *parts):
    for part in parts:
        check(part in text, f"no '{part}' in:\n{text[-6000:]}")


def eventually(condition, what):
    """Looks until it is true: the clients report to nobody what happens in them."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError(f"not within {PATIENCE_S} s: {what}")


class World:
    def __init__(self, build, modules):
        # Short, because the paths of sockets must be.
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="plug", dir="/tmp"))
        self.project = self.home / "project"
        self.project.mkdir()
        (self.home / "bin").mkdir()
        (self.home / "bin/glasstty").symlink_to(build / "src/cli/glasstty")
        self.glasstty = str(build / "src/cli/glasstty")
        self.claude = str(modules / "@anthropic-ai/claude-code-linux-x64/claude")
        self.opencode = str(modules / "opencode-linux-x64/bin/opencode")
        self.model = model.Model()
        self.state = self.home / ".local/state/glasstty"
        self.environment = {
            "HOME": str(self.home), "PATH": f"{self.home}/bin:{modules}/.bin:/usr/local/bin:/usr/bin:/bin",
            "TERM": "xterm-256color", "LANG": "C.UTF-8", "SHELL": "/bin/bash", "CODEX_HOME": str(self.home / ".codex"),
            "ANTHROPIC_BASE_URL": self.model.address, "ANTHROPIC_API_KEY": "dummy", "ENABLE_TOOL_SEARCH": "false",
            "DISABLE_TELEMETRY": "1", "DISABLE_AUTOUPDATER": "1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            # Gemini CLI and Codex.
            "GEMINI_CLI_TRUST_WORKSPACE": "true", "NO_UPDATE_NOTIFIER": "1"}
        (self.home / ".codex").mkdir()
        # A client that starts again in the same folder would be given back what the one before it has opened.
        self.write(self.home / ".config/glasstty/config", "away-s = 0\n")
        self.driver = None

    def run(self, *words, status=0, **variables):
        """Runs a command as the user would, in the project; returns all that it prints."""
        try:
            done = subprocess.run(words, cwd=self.project, env={**self.environment, **variables}, text=True,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  timeout=2 * PATIENCE_S)
        except subprocess.TimeoutExpired as error:
            raise AssertionError(f"{' '.join(map(str, words))}: not done within {2 * PATIENCE_S} s") from error
        check(status is None or done.returncode == status,
              f"{' '.join(map(str, words))}: exit status {done.returncode}\n{done.stdout[-4000:]}")
        return done.stdout

    def open(self, *words, **variables):
        """Starts a client in a terminal, with a glasstty of another user, as it were."""
        state = str(self.home / "driver")
        self.driver = mcp_client.Client([self.glasstty, "mcp", "--alone"], "driver", cwd=self.project,
                                        env={**self.environment, "GLASSTTY_STATE_DIR": state})
        text, failed = self.driver.call("term_open", {
            "name": "client", "argv": list(words), "rows": 50, "cols": 150, "timeout_s": 20,
            "env": {"GLASSTTY_STATE_DIR": str(self.state), **variables}})
        check(not failed, text)

    def screen(self):
        return self.driver.call("term_read", {"session": "client", "mode": "snapshot"})[0]

    def type(self, *steps):
        text, failed = self.driver.call("term_send", {"session": "client", "input": list(steps)})
        check(not failed, text)

    def close_client(self):
        if self.driver is not None:
            self.driver.call("term_close", {"session": "client", "force": True})
            self.driver.close()
            self.driver = None

    def write(self, path, value):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(value if isinstance(value, str) else json.dumps(value))

    def end(self):
        self.close_client()
        subprocess.run([self.glasstty, "serve", "--stop"], env=self.environment, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, check=False)
        shutil.rmtree(self.home, ignore_errors=True)
