#!/usr/bin/env python3
"""Does what a person does, in windows of three sizes: `new`, `ls`, the list of `attach`, `attach` and `play`.

    python3 run.py BUILD [FOLDER] [--only ROWSxCOLS]

BUILD is the build directory. Each moment is checked on what tmux shows, and drawn into FOLDER (BUILD/person), to look
at. Prints a line a size, then `N passed, N failed`.
"""
import argparse
import os
import sys
import traceback

from desk import Desk

SIZES = [(24, 80), (12, 40), (50, 200)]
LEADER = "C-\\"  # as tmux names it
# The end of a line below that was not cut.
KEYS = r"C-\\ \? keys$"

# Draws columns with their numbers over the whole terminal, and leaves the cursor in the middle.
FRAME = r"""
import os, sys
columns, rows = os.get_terminal_size()
ruler = "".join(str(column // 10 % 10) if column % 10 == 0 else "." for column in range(1, columns + 1))
sys.stdout.write("\x1b[?1049h\x1b[2J")
for row in range(1, rows + 1):
    sys.stdout.write(f"\x1b[{row};1H{row:02d}{ruler[2:]}")
sys.stdout.write(f"\x1b[{rows // 2};{columns // 2}H")
sys.stdout.flush()
sys.stdin.read()
"""


class Tour:
    def __init__(self, programs, folder, rows, cols):
        self.desk = Desk(programs, rows, cols)
        self.prefix = os.path.join(folder, f"{cols}x{rows}-")
        self.taken = 0

    def picture(self, name):
        self.taken += 1
        self.desk.draw(f"{self.prefix}{self.taken:02d}-{name}")

    def opens_a_session(self):
        desk = self.desk
        desk.runs("glasstty new work")
        desk.sees(r"^\$$")
        desk.last_row_says(r"^ work  \w+  you (have|type) .*" + KEYS)
        self.picture("new")
        desk.types("for i in $(seq 30); do echo line $i; sleep 0.1; done")
        desk.presses("Enter")
        desk.sees(r"^line 30$")
        desk.presses(LEADER, "?")
        desk.last_row_says(r"any key goes back$")
        for line in (r"^  d       leave$", r"^  arrows  move over a larger screen$"):
            desk.sees(line)
        self.picture("new-keys")
        desk.presses("Space")
        desk.last_row_says(r"you (have|type)")
        desk.presses(LEADER, "h")
        desk.last_row_says(r"Enter t.*" + KEYS)
        self.picture("handed-back")
        desk.presses(LEADER, "d")
        desk.until(lambda rows: "[work: left; glasstty attach work comes back]" in " ".join(rows).replace("  ", " "),
                   "how to come back")
        self.picture("left-new")

    def opens_more(self):
        desk = self.desk
        frame = os.path.join(desk.home, "frame.py")
        with open(frame, "w", encoding="utf-8") as file:
            file.write(FRAME)
        desk.glasstty("open", "--name", "frame", "--rows", "60", "--cols", "220", "--argv", "python3", "--argv", frame)
        desk.glasstty("open", "--name", "deploy-of-the-whole-shop",
                      "read -sp 'Password for admin@example.org: ' p; cat")
        desk.glasstty("open", "--name", "build", "echo; make -j 8 --no-such-option; exit 3")

    def lists(self):
        desk = self.desk
        for arguments, count in (("", 3), (" -a", 4)):
            desk.runs(f"glasstty ls{arguments}; echo")
            # A row that is too long would take two.
            rows = desk.until(lambda rows, end=count + 2: rows[end:end + 1] == ["$"], f"a list of {count}")
            self.expect(rows[0].startswith("NAME ") and rows[0].endswith(" WHO"), rows)
            self.expect(any(row.startswith("work ") for row in rows), rows)
            self.picture("ls" + arguments.replace(" ", ""))

    def chooses(self):
        desk = self.desk
        desk.runs("glasstty attach")
        desk.last_row_says(r"Esc leave$")
        desk.sees(r"^> deploy-")
        self.picture("picker")
        desk.presses("Down")
        desk.sees(r"^> frame ")
        desk.types("work")
        desk.sees(r"^> work ")
        desk.last_row_says(r"^ /work  .*Esc all$")
        self.picture("picker-narrowed")
        desk.presses("Escape")
        desk.sees(r"deploy-")
        desk.types("fra")
        desk.sees(r"^> frame ")
        desk.presses("Enter")

    def looks_around(self):
        desk = self.desk
        rows = desk.last_row_says(r"^ frame  input  ")
        rows = desk.sees(r"^\S{%d}$" % desk.cols)
        self.picture("attach")
        desk.presses("?")
        desk.last_row_says(r"any key goes back$")
        desk.sees(r"^  arrows  move over a larger screen$")
        self.picture("attach-keys")
        desk.presses("Space")
        desk.until(lambda now: now[0] == rows[0], "the screen again")
        desk.presses("Right")
        moved = desk.until(lambda now: now[0] != rows[0], "another part of the screen")
        self.picture("panned")
        desk.presses("Enter")
        desk.last_row_says(r"you (have|type)")
        self.picture("taken")
        desk.presses(LEADER, "Left")
        desk.until(lambda now: now[0] != moved[0], "another part, with the keyboard")
        self.picture("taken-panned")
        desk.presses(LEADER, "d")
        desk.sees(r"^\[frame: left\]$")
        self.picture("left")

    def goes_back(self):
        desk = self.desk
        desk.runs("glasstty attach work")
        desk.last_row_says(r"^ work  prompt  .*" + KEYS)
        self.picture("watching")
        desk.presses("PageUp")
        desk.last_row_says(r"^ work  line \d+ of \d+  .*q back to now$")
        self.picture("past")
        desk.types("/line 11$")
        desk.presses("Enter")
        desk.last_row_says(r"^ work  line 12 of ")
        self.picture("found")
        desk.presses("q")
        desk.last_row_says(KEYS)
        desk.presses(LEADER, "d")
        desk.sees(r"^\[work: left\]$")

    def types_a_secret(self):
        desk = self.desk
        desk.runs("glasstty attach dep")
        desk.sees(r"^Password for admin@example.org:$")
        desk.last_row_says(r"^ deploy-\S+  secret  C-\\ k types it( unseen, Enter takes the keyboard)?"
                           r"(  C-\\ \? keys)?(  \d+x\d+, yours is \d+x\d+)?$")
        self.picture("secret")
        desk.presses(LEADER, "k")
        desk.types("abcd")
        desk.last_row_says(r": \*{1,4}$")
        self.picture("secret-line")
        desk.presses("Escape")
        desk.last_row_says(r"k types it")
        desk.presses(LEADER, "d")
        desk.sees(r"^\[deploy-of-the-whole-shop: left\]$")

    def plays(self):
        desk = self.desk
        desk.runs("glasstty play work")
        desk.last_row_says(r"plays  .*\? keys$")
        self.picture("play")
        desk.presses("Space")
        desk.last_row_says(r"paused  .*\? keys$")
        self.picture("play-paused")
        desk.presses("?")
        desk.last_row_says(r"any key goes back$")
        self.picture("play-keys")
        desk.presses("Space")
        desk.presses("G")
        desk.last_row_says(r"the end  .*\? keys$")
        self.picture("play-end")
        desk.presses("q")
        desk.sees(r"^\[work: left at \d:\d\d\]$")
        self.picture("play-left")

    @staticmethod
    def expect(holds, rows):
        if not holds:
            raise AssertionError("\n".join(rows))

    def run(self):
        try:
            for part in (self.opens_a_session, self.opens_more, self.lists, self.chooses, self.looks_around,
                         self.goes_back, self.types_a_secret, self.plays):
                try:
                    part()
                except Exception:
                    self.picture("failed")
                    raise
        finally:
            self.desk.leave()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("folder", nargs="?")
    parser.add_argument("--only", metavar="ROWSxCOLS")
    options = parser.parse_args()
    build = os.path.abspath(options.build)
    folder = os.path.abspath(options.folder or os.path.join(build, "person"))
    os.makedirs(folder, exist_ok=True)
    failed = 0
    sizes = [size for size in SIZES if options.only in (None, "%dx%d" % size)]
    for rows, cols in sizes:
        tour = Tour(os.path.join(build, "src", "cli"), folder, rows, cols)
        try:
            tour.run()
            print(f"{rows}x{cols}: {tour.taken} pictures")
        except Exception:  # the other sizes are tried all the same
            traceback.print_exc()
            failed += 1
    print(f"look at {folder}")
    print(f"{len(sizes) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
