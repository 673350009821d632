"""A person's desk: a terminal window of some size (tmux), and a shell in it, for whom glasstty is installed.

Nobody else's settings, sessions or tmux are touched: all that is written is in one folder, which goes with the desk.
"""
import os
import re
import shutil
import subprocess
import tempfile
import time

PATIENCE_S = 30


class Missing(AssertionError):
    """Something did not appear on the screen in time."""


class Desk:
    def __init__(self, programs, rows, cols):
        """`programs` is a folder with the built `glasstty` and what it starts."""
        self.rows, self.cols = rows, cols
        self.folder = tempfile.mkdtemp(prefix="person-")
        self.home = os.path.join(self.folder, "home")
        os.mkdir(self.home)
        with open(os.path.join(self.home, ".bashrc"), "w", encoding="utf-8") as file:
            file.write("PS1='$ '\n")
        self.environment = {
            "HOME": self.home,
            "LANG": "C.UTF-8",
            "PATH": f"{programs}:/usr/local/bin:/usr/bin:/bin",
            "PS1": "$ ",
            "SHELL": "/bin/bash",
            "GLASSTTY_STATE_DIR": os.path.join(self.folder, "state"),
        }
        self.socket = os.path.join(self.folder, "tmux")
        configuration = os.path.join(self.folder, "tmux.conf")
        with open(configuration, "w", encoding="utf-8") as file:
            file.write("set -g status off\nset -g default-terminal tmux-256color\nset -sg escape-time 0\n"
                       "set -g remain-on-exit on\n")
        self.tmux("-f", configuration, "new-session", "-d", "-x", str(cols), "-y", str(rows),
                  "bash", "--norc", "--noprofile")
        self.sees("$")

    def tmux(self, *words):
        return subprocess.run(["tmux", "-S", self.socket, *words], cwd=self.home, env=self.environment, check=True,
                              capture_output=True, text=True).stdout

    def glasstty(self, *words):
        """Runs a command in no window, as a script or an agent does."""
        done = subprocess.run(["glasstty", *words], cwd=self.home, env=self.environment, check=False,
                              capture_output=True, text=True, timeout=60)
        if done.returncode != 0:
            raise AssertionError(f"glasstty {words}: {done.stdout}{done.stderr}")
        return done.stdout

    def types(self, text):
        self.tmux("send-keys", "-l", "--", text)

    def presses(self, *keys):
        """Names of keys as tmux has them."""
        self.tmux("send-keys", *keys)

    def runs(self, line):
        """Runs a command in the window's shell, on a cleared screen."""
        self.types("clear; " + line)
        self.presses("Enter")

    def screen(self):
        """The rows that the person sees, without trailing blanks."""
        rows = [row.rstrip() for row in self.tmux("capture-pane", "-p").split("\n")]
        return (rows + [""] * self.rows)[:self.rows]

    def until(self, holds, what):
        deadline = time.monotonic() + PATIENCE_S
        while not holds(self.screen()):
            if time.monotonic() > deadline:
                shown = "\n".join(self.screen())
                raise Missing(f"{what}: not on this screen of {self.rows}x{self.cols}:\n{shown}")
            time.sleep(0.02)
        return self.screen()

    def sees(self, pattern):
        """Waits until a row matches; returns the screen."""
        return self.until(lambda rows: any(re.search(pattern, row) for row in rows), repr(pattern))

    def last_row_says(self, pattern):
        return self.until(lambda rows: re.search(pattern, rows[-1]), f"in the last row, {pattern!r}")

    def draw(self, path):
        """Saves what the person sees as a picture, and as text with its colours beside it."""
        rows = self.tmux("capture-pane", "-p", "-e", "-N").rstrip("\n").split("\n")
        column, row, shown = self.tmux("display-message", "-p", "#{cursor_x} #{cursor_y} #{cursor_flag}").split()
        bytes_of_screen = "\r\n".join(rows) + f"\x1b[m\x1b[{int(row) + 1};{int(column) + 1}H"
        bytes_of_screen += "\x1b[?25h" if shown == "1" else "\x1b[?25l"
        with open(path + ".bytes", "w", encoding="utf-8", newline="") as file:
            file.write(bytes_of_screen)
        self.glasstty("picture", path + ".bytes", "--size", f"{self.rows}x{self.cols}", "-o", path + ".png")

    def leave(self):
        """Closes the window, ends all sessions and removes the folder."""
        for command in (["tmux", "-S", self.socket, "kill-server"], ["glasstty", "serve", "--stop"]):
            subprocess.run(command, env=self.environment, check=False, capture_output=True)
        shutil.rmtree(self.folder, ignore_errors=True)
