#!/usr/bin/env python3
"""Tests that sessions pass from one version to another, both ways.

    upgrade.py OLD/glasstty NEW/glasstty      each finds the holder that belongs to it

One version opens sessions: a shell in the middle of things, vim with text that was not saved, a job that prints on.
Its server is killed; the other version's takes them over, with their histories and their screens, types into them and
ends them. Then a client of each version joins the shared server of the other one.
"""
import functools
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "testing"))
import mcp_client  # noqa: E402

LINES = 20_000


def environment(folder):
    return {"HOME": str(folder), "GLASSTTY_STATE_DIR": str(folder / "state"), "SHELL": "/bin/bash",
            "PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "TERM": "xterm-256color"}


class Server(mcp_client.Client):
    def __init__(self, program, folder, *flags):
        super().__init__([program, "mcp", *flags], "upgrade", env=environment(folder), cwd=folder)

    def expect(self, tool, arguments, *wanted):
        text, is_error = self.call(tool, arguments)
        for part in wanted:
            if is_error or part not in text:
                sys.exit(f"upgrade: {tool} {arguments}: no '{part}' in\n{text}")


def leave(server):
    server.expect("term_open", {"name": "shell", "command": "bash", "keep": True}, "[shell]")
    server.expect("term_run", {"session": "shell", "command": f"x=42; seq {LINES}", "max_lines": 3}, str(LINES))
    server.expect("term_open", {"name": "editor", "argv": ["vim", "--clean", "-n"], "keep": True}, "[editor]")
    server.expect("term_send", {"session": "editor", "input": ["inot saved<Esc>"]}, "not saved")
    job = "i=0; while :; do echo tick $((i += 1)); sleep 0.1; done"
    server.expect("term_open", {"name": "job", "command": job, "keep": True, "until": {"text": "tick 2"}}, "tick 2")
    server.process.kill()
    server.process.wait()


def take_over(server):
    server.expect("term_list", {}, "[shell] prompt", "[editor] input", "[job]")
    server.expect("term_read", {"session": "shell", "mode": "history", "from_line": 7000, "lines": 2}, "6999", "7000")
    server.expect("term_run", {"session": "shell", "command": "echo still $x"}, "still 42", "exit=0")
    server.expect("term_read", {"session": "editor", "mode": "snapshot"}, "not saved")
    server.expect("term_send", {"session": "editor", "input": ["A, typed on<Esc>:w note<Enter>"]}, "typed on")
    server.expect("term_run", {"session": "shell", "command": "cat note"}, "not saved, typed on")
    server.expect("term_wait", {"session": "job", "until": {"regex": "tick [3-9][0-9]*"}}, "tick")
    server.expect("term_close", {"session": "job", "restart": True}, "restarted")
    server.expect("term_close", {"all": True}, "none of its processes is left")
    server.close()


def share(serving, joining, newer):
    """A client of one version on the shared server of the other one, which the newer one then restarts."""
    with tempfile.TemporaryDirectory(prefix="glasstty-upgrade-") as name:
        folder = pathlib.Path(name)
        run = functools.partial(subprocess.run, env=environment(folder), check=True)
        run([serving, "serve", "--background"])
        client = Server(joining, folder)
        client.expect("term_run", {"command": "x=42; pwd"}, name)
        run([newer, "serve", "--restart"])
        client.expect("term_run", {"command": "echo still $x"}, "still 42", "exit=0")
        client.close()
        run([newer, "serve", "--stop"])


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    old, new = sys.argv[1:]
    for first, second, how in ((old, new, "the new server takes over from the old one"),
                               (new, old, "the old server takes over from the new one")):
        with tempfile.TemporaryDirectory(prefix="glasstty-upgrade-") as folder:
            leave(Server(first, pathlib.Path(folder), "--alone"))
            take_over(Server(second, pathlib.Path(folder), "--alone"))
        print(f"ok: {how}")
    for serving, joining, how in ((old, new, "the new relay joins the old server"),
                                  (new, old, "the old relay joins the new server")):
        share(serving, joining, new)
        print(f"ok: {how}, which is restarted")


if __name__ == "__main__":
    main()
