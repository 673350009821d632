"""Collects what real programs print under random keys, for judge.py --programs.

Each program runs in a pseudoterminal of 24x80 for some seconds and is given keys from a list of its own, so that it
scrolls, splits, searches and edits. It believes that it runs in xterm: its questions are answered as xterm answers
them. Its output is cut after random sequences; each beginning is a stream, and the screen at that moment is judged.
A program that is not installed is left out, with a line that says so.
"""
import fcntl
import os
import pty
import random
import re
import select
import shutil
import signal
import struct
import sys
import tempfile
import termios
import time

SIZE = (24, 80)
SECONDS = 6
SOURCE = "/usr/share/common-licenses/GPL-3"
MOVES = ["\x1b[B", "\x1b[A", "\x1b[C", "\x1b[D", "\x1b[6~", "\x1b[5~", "\r", "\t"]
MENU = [word for i in range(20) for word in ("item%d" % i, "The thing number %d" % i)]
CHECKS = [word for i in range(20) for word in ("item%d" % i, "The thing number %d" % i, "off")]
SHELL = ["ls --color /usr/bin | head -50\r", "\x1b[A", "\x1b[D", "x", "\x17", "echo 漢字 long " + "w" * 90, "\x01", "\x05",
         "\x0b", "\r", "ls /u\t\t", "\x0c", "for i in $(seq 30); do printf '\\r%d%%' $i; done\r", "\x03", "seq 40\r"]
EDIT = ["text here ", "\r", "\x7f", "wide 漢字 ", "é"]

PROGRAMS = {
    "vim": (["vim", "--clean", "-c", "syntax on|set nu mouse=a", SOURCE],
            MOVES + ["dd", "p", "ihello\x1b", "u", ":split\r", ":vsplit\r", "\x17w", "/the\r", "n", "zz", "\x04", "\x15",
                     "V", "jj", ">", "\x1b", "o日本\x1b", ":set wrap!\r", "G", "gg", ":help\r", ":q\r"]),
    "nvim": (["nvim", "--clean", SOURCE],
             MOVES + ["dd", "p", "ihello\x1b", "u", ":split\r", ":vsplit\r", "\x17w", "/the\r", "n", "\x04", "\x15", "G"]),
    "emacs": (["emacs", "-nw", "-Q", SOURCE],
              ["\x0e", "\x10", "\x16", "\x1bv", "\x182", "\x183", "\x18o", "\x13the", "\r", "\x07", "\x0b", "\x19", "é漢"]),
    "nano": (["nano", "scratch"], MOVES + EDIT + ["\x0b", "\x15", "\x17the\r", "\x07", "\x18n", "\x1b6"]),
    "htop": (["htop", "-d", "3"], MOVES + ["t", "H", "K", "M", "P", "/bash\r", "\x1b", "i", "\x1bOS", "I"]),
    "top": (["top", "-d", "0.5"], ["z", "x", "c", "V", "1", "t", "m", "i", "E", "e", "b", "y", "A", "a", "w", "f", "\x1b"]),
    "mc": (["mc", "-u", "/usr/share"], MOVES + ["\x1bOR", "\x1b[21~", "\x0f", "\x12", "\x1bOQ", "\x1b\x1b", "\x1b[2~"]),
    "less": (["less", "-R", SOURCE], MOVES + [" ", "b", "/free\r", "n", "N", "G", "g", "-S\r", "&any\r", "&\r", "d", "u"]),
    "most": (["most", SOURCE], MOVES + [" ", "b", "/free\r", "n", "\x182", "\x18o", "w", "g50\r"]),
    "tmux": (["tmux", "-L", "judge%d" % os.getpid(), "-f", "/dev/null", "new", "bash --norc"],
             ["ls /usr\r", "\x02%", "\x02\"", "\x02o", "seq 50\r", "\x02[", "\x1b[5~", "q", "\x02z",
              "vim --clean /etc/passwd\r", ":q\r", "\x02x", "n", "top\r", "q", "\x02t", "q", "\x02{", "\x02 "]),
    "screen": (["screen", "-c", "/dev/null", "bash", "--norc"],
               ["ls /usr\r", "\x01S", "\x01\t", "\x01c", "seq 50\r", "\x01[", "\x02", "\x1b", "\x01n", "top\r", "q"]),
    "gdb": (["gdb", "-q", "-nx", "-tui", "/bin/bash"],
            ["help\r", "info files\r", "\r", "layout asm\r", "layout src\r", "\x0c", "\x1b[6~", "q\r", "print 1+1\r"]),
    "fzf": (["sh", "-c", "find /usr/share/doc | fzf --preview 'ls -l {}' --multi"],
            MOVES[:6] + ["lib", "\x7f", "\t", "\x15", "x", "co"]),
    "tig": (["tig"], MOVES + ["j", "k", "d", "l", "t", "m", "h", "\x0c", "q"]),
    "ncdu": (["ncdu", "/usr/share/doc"], MOVES[:6] + ["\r", "\x1b[D", "i", "n", "s", "g", "?"]),
    "aptitude": (["aptitude"], MOVES + ["]", "[", "\x14", "\x1b", "/bash\r", "n", "?", "v", "q"]),
    "lynx": (["lynx", "/usr/share/doc/"], MOVES + [" ", "b", "\\", "/", "h"]),
    "w3m": (["w3m", "/usr/share/doc/"], MOVES + [" ", "b", "J", "K", "B", "H"]),
    "dialog": (["dialog", "--checklist", "Pick some", "20", "60", "12"] + CHECKS, MOVES[:2] * 4 + [" ", "\t"]),
    "whiptail": (["whiptail", "--menu", "Pick one", "20", "60", "12"] + MENU, MOVES[:2] * 4 + ["\t"]),
    "bash": (["bash", "--norc"], SHELL + ["\x12ls", "\x07"]),
    "zsh": (["zsh", "-f"], SHELL + ["\x12ls", "\x07"]),
    "fish": (["fish", "--no-config"], SHELL),
    "dash": (["dash"], SHELL),
    "python": (["python3", "-q"], ["help\r", "q\r", "for i in range(30): print('x' * i)\r\r", "import sys; sys.path\r",
                                   "\x1b[A", "\x01", "\x05", "'漢' * 50\r", "\x0c", "dir(list)\r"]),
    "man": (["man", "bash"], MOVES + [" ", "b", "/shell\r", "n", "G", "g"]),
    "git": (["git", "log", "--graph", "--stat", "--color"], MOVES + [" ", "b", "/the\r", "n", "G", "g"]),
    "sqlite3": (["sqlite3"], ["select 1;\r", ".help\r", ".mode box\r", "select 1 as a, '漢' as b;\r", "\x1b[A", "\x01x"]),
    "ed": (["ed", SOURCE], ["1,40p\r", "n\r", "1,5n\r", "h\r"]),
}

ANSWERS = [
    (rb"\x1b\[6n", b"\x1b[1;1R"),
    (rb"\x1b\[0?c", b"\x1b[?64;1;2;6;9;15;16;17;18;21;22;28c"),
    (rb"\x1b\[>0?c", b"\x1b[>41;379;0c"),
    (rb"\x1b\]10;\?(?:\x07|\x1b\\)", b"\x1b]10;rgb:ffff/ffff/ffff\x1b\\"),
    (rb"\x1b\]11;\?(?:\x07|\x1b\\)", b"\x1b]11;rgb:0000/0000/0000\x1b\\"),
    (rb"\x1b\[>0?q", b"\x1bP>|XTerm(379)\x1b\\"),
]


def spell(printed):
    """Escapes like EscapeBytes, with every byte beyond ASCII as a number."""
    return "".join(chr(b) if 32 <= b < 127 and b != 92 else "\\x%02x" % b for b in printed)


def run(argv, keys, chosen, folder):
    """Returns everything that the program printed."""
    pid, fd = pty.fork()
    if pid == 0:
        for name in ("TMUX", "STY", "LINES", "COLUMNS", "COLORTERM"):
            os.environ.pop(name, None)
        os.environ.update(TERM="xterm-256color", LANG="C.UTF-8", HOME=folder)
        if argv[0] not in ("tig", "git"):
            os.chdir(folder)
        try:
            os.execvp(argv[0], argv)
        except OSError:
            os._exit(127)
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", *SIZE, 0, 0))
    os.kill(pid, signal.SIGWINCH)
    printed, end, next_key = b"", time.time() + SECONDS, time.time() + 0.7
    try:
        while time.time() < end:
            if select.select([fd], [], [], 0.03)[0]:
                part = os.read(fd, 65536)
                printed += part
                for question, answer in ANSWERS:
                    for _ in re.findall(question, part):
                        os.write(fd, answer)
            if time.time() > next_key:
                os.write(fd, chosen.choice(keys).encode())
                next_key = time.time() + 0.08
    except OSError:
        pass  # it has ended
    try:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    except OSError:
        pass
    os.close(fd)
    return printed


def record(seed, which, count):
    """Yields (name, streams); `which`: names with commas, "" for all; `count` screens in all."""
    chosen = random.Random(seed)
    names = which.split(",") if which else list(PROGRAMS)
    for name in names:
        argv, keys = PROGRAMS[name]
        if not shutil.which(argv[0]):
            print("%s: not installed" % name)
            continue
        with tempfile.TemporaryDirectory(prefix="xterm-judge-") as folder:
            printed = run(argv, keys, chosen, folder)
        if name == "tmux":
            os.system("tmux -L judge%d kill-server 2>/dev/null" % os.getpid())
        # Never cut inside a sequence or a character: both sides would wait for the rest of it.
        cuts = [m.start() for m in re.finditer(rb"\x1b(?!\\)", printed)] + [len(printed)]
        each = max(1, count // len(names) + 1)
        yield name, [spell(printed[:cut]) for cut in sorted(chosen.sample(cuts, min(each, len(cuts))))]


def keep(name, stream):
    """Writes the stream for `glasstty replay --size 24x80`; returns its path."""
    path = os.path.join(tempfile.gettempdir(), "xterm-%s.bytes" % name)
    with open(path, "wb") as f:
        f.write(stream.encode().decode("unicode_escape").encode("latin-1"))
    return path


if __name__ == "__main__":
    sys.exit("run judge.py --programs")
