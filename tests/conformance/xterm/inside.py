"""Runs inside an xterm: gives it streams and reads what it shows.

argv: a directory with three FIFOs. `in`: a stream a line, as play.cc writes them. `out`: a screen a line, as JSON with
the members of play.cc. `pages`: what xterm prints (its printerCommand writes there).

Everything goes in one write: the reset, the stream, the question for the cursor, and the order to print the screen.
Before printing, origin mode is switched off and the screen is copied onto itself: xterm prints a row as far as
something was drawn in it, and a copied cell counts as drawn, also one that was erased in colour.
"""
import json
import os
import re
import sys
import termios
import tty
import unicodedata

folder = sys.argv[1]
ROWS, COLS = int(sys.argv[2]), int(sys.argv[3])
# Makes both screens blank, and puts both saved cursors at home with nothing set. ESC < ends VT52 mode, in which nothing
# would answer.
RESET = b"\x18\x1b\\\x1b[?47h\x1b[!p\x1b[2J\x1b[H\x1b7\x1b[?47l\x1bc\x1b[?1l"
PRINT = b"\x18\x1b<\x1b[6n\x1b[?6l\x1b[?69l\x1b[r\x1b[1;1;%d;%d;1;1;1;1$v\x1b[i" % (ROWS, COLS)
ESCAPES = {"e": 27, "r": 13, "n": 10, "t": 9, "b": 8, "a": 7, "0": 0, "\\": 92}


def unescape(text):
    def one(match):
        m = match.group(1)
        if m[0] == "x":
            return bytes([int(m[1:], 16)])
        if m[0] == "u":
            return chr(int(m[2:-1], 16)).encode()
        return bytes([ESCAPES[m]])
    parts = re.split(r"(\\(?:x[0-9A-Fa-f]{2}|u\{[0-9A-Fa-f]+\}|.))", text)
    return b"".join(one(re.match(r"\\(.*)", p)) if i % 2 else p.encode() for i, p in enumerate(parts))


def color(codes, kind):
    if kind == 2:
        r, g, b = [c for c in codes if c != ""][-3:]
        return 2 << 24 | int(r) << 16 | int(g) << 8 | int(b)
    return 1 << 24 | int(codes[-1])


BITS = {1: 1, 2: 2, 3: 4, 4: 8, 5: 32, 7: 64, 8: 128, 9: 256, 21: 16}


def style_of(parameters):
    """Parses what xterm prints: one number for each attribute, colours with colons."""
    fg = bg = attributes = 0
    for part in parameters.split(";"):
        codes = part.split(":")
        n = int(codes[0] or 0)
        if n in (38, 48):
            value = color(codes[2:], int(codes[1]))
            fg, bg = (value, bg) if n == 38 else (fg, value)
        elif 30 <= n <= 37 or 90 <= n <= 97:
            fg = 1 << 24 | (n - 30 if n < 40 else n - 82)
        elif 40 <= n <= 47 or 100 <= n <= 107:
            bg = 1 << 24 | (n - 40 if n < 50 else n - 92)
        elif n == 0:
            fg = bg = attributes = 0
        elif n == 21:
            attributes = attributes & ~24 | 16
        else:
            attributes |= BITS.get(n, 0)
    return fg, bg, attributes


WIDE_HALF = "\uffff"


def parse_row(line):
    """Returns text, runs. The right half of a wide glyph is U+FFFF, even one that has lost its left half: a blank."""
    text, runs, style, col, wide_at = "", [], (0, 0, 0), -1, -2
    for match in re.finditer(r"\x1b\[([0-9;:]*)m|\x1b#.|([^\x0e\x0f\r])", line):
        if match.group(1) is not None:
            style = style_of(match.group(1))
        elif match.group(2):
            c = match.group(2)
            if 0x300 <= ord(c) < 0x370:
                text += c
                continue
            col += 1
            if c != WIDE_HALF:
                text += c
                wide_at = col if unicodedata.east_asian_width(c) in "WF" else -2
            elif wide_at != col - 1:
                text += " "
            if style != (0, 0, 0):
                if runs and runs[-1][0] + runs[-1][1] == col and tuple(runs[-1][2:]) == style:
                    runs[-1][1] += 1
                else:
                    runs.append([col, 1, *style])
    return text.rstrip(" "), runs


def read_until(fd, pattern, got=b""):
    while True:
        match = re.search(pattern, got)
        if match:
            return match, got
        more = os.read(fd, 65536)
        if not more:
            sys.exit(1)
        got += more


saved = termios.tcgetattr(0)
tty.setraw(0)
try:
    pages = os.open(folder + "/pages", os.O_RDWR)  # this end keeps it from ever ending
    # Printing a line opens the printer and leaves it open; each screen would start one otherwise.
    os.write(1, b"\x1b[?1i")
    read_until(pages, rb"\n")
    with open(folder + "/in", encoding="utf-8", errors="surrogateescape", newline="\n") as streams, \
            open(folder + "/out", "w", encoding="utf-8") as out:
        for line in streams:
            stream = b"".join(unescape(item) for item in line.rstrip("\n").split("\t"))
            data = RESET + stream + PRINT
            while data:
                data = data[os.write(1, data):]
            # Answers to the stream's own questions may come first; the page is the end of it.
            _, page = read_until(pages, rb"\f")
            answers = b""
            while not re.search(rb"\x1b\[\d+;\d+R", answers):
                answers += os.read(0, 65536)
            cursor = re.findall(rb"\x1b\[(\d+;\d+)R", answers)[-1].decode()
            lines = page[:page.index(b"\f")].decode("utf-8", "replace").split("\n")[:ROWS]
            rows = [parse_row(row) for row in lines]
            json.dump({"rows": [r[0] for r in rows], "cursor": cursor, "styles": [r[1] for r in rows]}, out)
            out.write("\n")
            out.flush()
finally:
    termios.tcsetattr(0, termios.TCSANOW, saved)
