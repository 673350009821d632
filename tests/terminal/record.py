#!/usr/bin/env python3
"""Records real programs as fixtures: record.py [NAME...], all without names.

Each program of PROGRAMS runs on a PTY of 24x80 in an empty home and a clean
environment, gets its keys one after the other, and what it writes goes to
fixtures/recordings/NAME.bytes. Then tmux shows the same bytes, and what it
captures goes to NAME.screen: a second opinion about the last screen. Look at
both before committing: no host names, no paths of your machine.

Needs tmux and the programs. A new recording is one row of PROGRAMS.
"""
import fcntl
import os
import pty
import select
import shutil
import struct
import subprocess
import sys
import termios
import time

ROWS, COLS = 24, 80
MAX_BYTES = 60_000
HOME = "/tmp/x"
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
RECORDINGS = os.path.join(ROOT, "fixtures", "recordings")

TEXT = "".join(f"line {n}: the quick brown fox jumps over the lazy dog\n"
               for n in range(1, 101))
WIDE = "naïve café ─│┌┐ 日本語 中文 e\u0301 ✓ → ok\n" * 40

# name: command, keys. Each key is sent when the program has been quiet.
PROGRAMS = {
    "bash": (["bash", "--norc", "--noprofile", "-i"],
             ["echo hello\r", "ls\r", "printf '%s\\n' {1..30}\r",
              "echo one two three\x02\x02\x02\x02\x15", "false\r",
              "echo " + "long " * 25 + "\r"]),
    "vim": (["vim", "-u", "NONE", "-N", "+syntax off", "text.txt"],
            ["10j", "ddp", "ihello \x1b", "G", "\x06\x02", ":split\r",
             ":set number\r", "/fox\r"]),
    "vim-syntax": (["vim", "-u", "NONE", "-N", "+syntax on", "+set t_Co=256",
                    "prog.py"], ["jj", "ofor i in range(9):\x1b", "Vjd", "u"]),
    "less": (["less", "wide.txt"], [" ", "j", "j", "b", "/ok\r", "G"]),
    "nano": (["nano", "-I", "text.txt"],
             ["hello\r", "\x16", "\x0b\x0b", "\x1b[B\x1b[B", "\x17fox\r"]),
    "htop": (["sh", "-c", "sleep 99 & sleep 98 & sleep 97 & exec htop -d 5"],
             ["\x1b[B\x1b[B", "t", "\x1b[B", "\x1b[13~"]),
    "top": (["top", "-d", "1", "-n", "3"], []),
    "mc": (["mc", "-u"], ["\x1b[B\x1b[B", "\t", "\x1b[21~", "\x1b\x1b"]),
    "dialog": (["dialog", "--menu", "Choose", "15", "50", "6", "a", "First",
                "b", "Second", "c", "Third"], ["\x1b[B", "\x1b[B", "\x1b[A"]),
    "tmux": (["tmux", "-L", "rec", "-f", "/dev/null", "new-session", "-x", "80",
              "-y", "24", "bash --norc --noprofile"],
             ["ls\r", "\x02%", "echo right\r", "\x02\"", "seq 30\r"]),
    "git-log": (["git", "-c", "core.pager=less -FRX", "log", "--graph",
                 "--color=always", "--stat"], [" ", "j"]),
    "grep-color": (["bash", "-c", "grep --color=always -n fox text.txt"], []),
    "whiptail": (["whiptail", "--checklist", "Choose", "15", "50", "5", "a",
                  "First", "off", "b", "Second", "on"],
                 ["\x1b[B", " ", "\t", "\t"]),
    "emacs": (["emacs", "-nw", "-Q", "text.txt"],
              ["\x0e\x0e", "\x0b", "\x18" + "2", "\x18o", "\x16",
               "\x13fox", "\x07"]),
    "tig": (["tig"], ["\x1b[B", "\r", "q"]),
    "ncdu": (["ncdu", "-0", "."], ["\x1b[B", "i", "i", "g"]),
    "fzf": (["sh", "-c", "seq 500 | fzf"],
            ["4", "2", "\x1b[A", "\x1b[A", "\x15"]),
    "fish": (["fish", "--no-config", "-i"],
             ["echo hel\r", "cat te\t", "\x03", "ls te\x1b[D\x1b[D", "\x03"]),
    "zsh": (["zsh", "-f", "-i"],
            ["autoload compinit; compinit -u -D\r", "ls \t\t", "\x15",
             "for i in 1 2\rdo echo $i\rdone\r"]),
    "python": (["python3", "-q"],
               ["def f(x):\r  return x\r\r", "f(2)\r", "'a' * 300\r",
                "\x10", "\x01\x0b"]),
}
# Its status line must not be compared.
SECOND_OPINION = ["tmux", "-L", "opinion", "-f", "/dev/null"]


def environment():
    return {"HOME": HOME, "TERM": "xterm-256color", "LANG": "C.UTF-8",
            "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin", "PS1": "$ ",
            "USER": "user", "LOGNAME": "user", "HOSTNAME": "host",
            # capture-pane does not translate the line drawing set.
            "NCURSES_NO_UTF8_ACS": "1",
            "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "A",
            "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "A",
            "GIT_COMMITTER_EMAIL": "a@example.org",
            "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z",
            "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z"}


def prepare_home():
    shutil.rmtree(HOME, ignore_errors=True)
    os.makedirs(os.path.join(HOME, "folder"))
    for name, text in (("text.txt", TEXT), ("wide.txt", WIDE),
                       ("prog.py", "import os\n\n\ndef f(x):\n"
                        "    '''Doc.'''\n    return x + 1  # one\n" * 6)):
        with open(os.path.join(HOME, name), "w", encoding="utf-8") as out:
            out.write(text)
    for command in (["git", "init", "-q", "-b", "main"], ["git", "add", "."],
                    ["git", "commit", "-q", "-m", "Begin"],
                    ["git", "commit", "-q", "--allow-empty", "-m", "Go on"]):
        subprocess.run(command, cwd=HOME, env=environment(), check=True)


def drain(fd, quiet_s, limit_s):
    out, end = b"", time.time() + limit_s
    while time.time() < end:
        if not select.select([fd], [], [], quiet_s)[0]:
            break
        try:
            part = os.read(fd, 65536)
        except OSError:
            break
        if not part:
            break
        out += part
    return out


def record(command, keys):
    pid, fd = pty.fork()
    if pid == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ,
                    struct.pack("HHHH", ROWS, COLS, 0, 0))
        os.chdir(HOME)
        # This keeps names and processes of this machine off every screen.
        isolated = ["unshare", "-r", "--uts", "--pid", "--fork",
                    "--mount-proc", "sh", "-c", 'hostname host; exec "$@"',
                    "sh"]
        os.execvpe("unshare", isolated + command, environment())
    out = drain(fd, 1.5, 5)
    for key in keys:
        os.write(fd, key.encode())
        out += drain(fd, 0.5, 2)
    # The screen must stay as it is, and the end of the program would clear it.
    os.kill(pid, 9)
    os.waitpid(pid, 0)
    os.close(fd)
    return out[:MAX_BYTES]


def tmux_screen(path):
    """Returns what tmux shows of the bytes, as text."""
    command = f"stty raw -echo; cat '{path}'; sleep 20"
    start = SECOND_OPINION + ["new-session", "-d", "-x", str(COLS), "-y",
                              str(ROWS), command]
    subprocess.run(SECOND_OPINION + ["start-server", ";", "set", "-g",
                                     "status", "off", ";"] + start[5:],
                   env=environment(), check=True)
    time.sleep(1.5)
    shown = subprocess.run(SECOND_OPINION + ["capture-pane", "-p"],
                           env=environment(), check=True, capture_output=True)
    subprocess.run(SECOND_OPINION + ["kill-server"], env=environment(),
                   check=True)
    return shown.stdout


def main():
    os.makedirs(RECORDINGS, exist_ok=True)
    for name in sys.argv[1:] or PROGRAMS:
        prepare_home()
        path = os.path.join(RECORDINGS, name)
        data = record(*PROGRAMS[name])
        with open(path + ".bytes", "wb") as out:
            out.write(data)
        with open(path + ".screen", "wb") as out:
            out.write(tmux_screen(path + ".bytes"))
        print(f"{name}: {len(data)} bytes")
    shutil.rmtree(HOME, ignore_errors=True)


if __name__ == "__main__":
    main()
