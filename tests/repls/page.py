#!/usr/bin/env python3
"""Compares docs/repls.md with the tables here and in programs.py.

    page.py ROOT [--write]     exit status 1 if the page is another one; --write makes it anew
"""
import pathlib
import sys

from programs import PROGRAMS
from trials import CELLS

HEAD = """\
# Interpreters and database clients

This page is generated from the table in `tests/repls/programs.py` by `tests/repls/page.py ROOT --write`; do not edit it.
`./dev repls` drives each of these programs through the server, as Debian 12 and npm have them, and fails if a cell is
another one.

| column | what an agent does, and what is `ok` |
|---|---|
| open | one `term_open`: the state is `input`, and the prompt is shown |
| result | expressions, each in one `term_send`: the reply has the result and the next prompt, and no echo of the input |
| busy | an expression of three seconds: `busy` until it has ended, then `input` with the result; the next call is right, too |
| string, list, paste | about five lines, which define a function and call it, as one string, as a list of lines with `<Enter>`, and as `{"paste": ...}` with `<Enter>` |
| 300 lines | the first and the last lines, and how many were left out; `term_search` finds all |
| error | the complaint and the next prompt |
| ^C in a loop | `busy` in an endless loop; `<C-c>` brings the prompt, and the next expression is right |
| ^C at the prompt | the prompt again, and the next expression is right |
| until | a wait for text that only the echo of the input has times out; a wait for the result is met |
| end | `<C-d>`, or the program's own command: `exited=` and its status |

A number leads to an explanation below the table: there, the program itself does otherwise.
"""

NOTES = {
    "silent": "It prints no new prompt after ^C, and takes the next line all the same.",
    "indents": 'It indents each new line by itself, so that lines which are typed one by one are '
               'indented twice, as those of a person would be. ptpython says that it takes pastes (DECSET '
               '2004), so a string is pasted there; bpython tells pastes by their speed. In both, '
               '`{"paste": ...}` is right.',
    "raw": 'It takes ^C as a key (ISIG is off), and reads no keys while it computes. The reply says '
           'that it has not been read. `{"signal": "INT"}` ends bun; deno ignores that, too, and '
           'only `term_close` ends the loop.',
    "event loop": "Its event loop polls the terminal while it waits for a timer, just as it does at its "
                  "prompt ([states.md](states.md)). The result comes with the next call, or with `until`.",
    "threads": "One of its threads reads the terminal at all times, so that it looks the same while it "
               "evaluates. A reply waits up to a second for the prompt, or three while it uses the "
               "processor; a later result comes with the next call, or with `until`.",
    "line by line": "It runs each line that is entered; multi-line mode is off by default. A string with "
                    "indented lines is pasted, and runs as one.",
    "library": "It computes in the database's library, in the thread that would handle the signal; ^C is"
               " seen when the query has ended.",
    "ends": "It ends at ^C; the reply says how.",
    "one command": "Its line editor takes a paste for a single line: gdb for one command, lua for one chunk,"
                   " in which an expression behind a function is a syntax error. A string or a list is "
                   "right.",
    "pager": "It stops after each screen (`--Type <RET> for more`); the state is `input`. `set "
             "pagination off` prints all.",
    "second": "It keeps the first SIGINT for itself, also from `kill -INT`; the second one interrupts "
              "the script.",
    "forth": "It prints the result behind the line itself, so that the line belongs to the output.",
    "menu": "It asks what to do (`Action (h for help) ?`, `BREAK: (a)bort`); the state is `input`.",
    "debugger": "The debugger notes the signal and stops at the next statement of the program; a loop in "
                "a command has none.",
}


def page():
    order = []

    def cell(program, column):
        word, note = program.odd.get(column, ("ok", None))
        if note is None:
            return word
        if note not in order:
            order.append(note)
        return f"{word} ({order.index(note) + 1})"

    rows = [[program.name, *(cell(program, column) for column in CELLS)] for program in PROGRAMS]
    lines = [HEAD, "| program | " + " | ".join(CELLS) + " |", "|---" * (len(CELLS) + 1) + "|"]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    lines.append("")
    lines += [f"{number}. {NOTES[note]}" for number, note in enumerate(order, 1)]
    return "\n".join(lines) + "\n"


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    path = pathlib.Path(sys.argv[1]) / "docs" / "repls.md"
    if "--write" in sys.argv:
        path.write_text(page(), encoding="utf-8")
    elif path.read_text(encoding="utf-8") != page():
        sys.exit(f"{path} differs from the tables: tests/repls/page.py ROOT --write makes it anew")


if __name__ == "__main__":
    main()
