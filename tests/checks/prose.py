#!/usr/bin/env python3
"""Counts the sentences of comments and documents that begin with What, Of, One, Where, Whether, How and the like
without a main clause that makes them sentences. Their number may only fall.

    python3 prose.py ROOT     # one line per such sentence of an area that has too many, exit 1 when there is any
    python3 prose.py ROOT --list     # every such sentence
"""
import io
import os
import re
import sys
import tokenize

# The areas, and how many such sentences each may have. Whoever rewrites some lowers the number.
RECORDED = {"src": 0, "tests": 0, "docs/architecture.md": 0, "src/README.md": 0}

OPENING = re.compile(r"(What|Of|One|Where|Whether|How|Told|Not told|Done|Said|Asked|Settled)\b")
# "Where a shell has no hook, it gets the marks": a clause in front of a sentence whose subject follows the comma.
MAIN_CLAUSE = re.compile(r", (the|a|an|this|that|these|those|it|its|they|their|we|you|there|no|nothing|each|every|all|"
                         r"both|only|so|then|do|use)\b")

COUNTED = """\
Of a longer line so much is kept, and a count of the rest.
One command at a time is typed at the shell and waited for.
What is more than that goes now, but for the newest file.
Whether it hears of its output too, from now on.
Not told by the server: it died, or it left the session to its successor.
Told by its failure; what it printed is not new for the next one.
Done when Idle; a holder goes on by itself.
Where that is depends on it."""
FINE = """\
Longer lines are truncated to this; the number of dropped bytes is recorded.
Reserves the shell for one command. Returns false if another command has it.
True if the check has to tell echoed input from output.
While a line-drawing charset is selected, ASCII bytes stand for other glyphs.
Resolved when the session reconnects, or immediately if it is connected.
Deletes the oldest files until the archive fits, but never the newest one.
Turns output notifications for this session on or off.
Returns a move with zero gain if no move shortens the diff.
The server does not say goodbye: it died, or it handed the session to its successor.
The failure note already reports this attempt, so its output is not shown again.
Starts to end all sessions except kept ones; finished when Idle().
Setting origin mode changes where home is, so move there.
Where a shell has no hook, the marks are typed.
What does it wait for?"""


def comment_of(line, mark):
    """Returns (column, text) of the comment in a line of code, or None."""
    quoted = re.sub(r'"(\\.|[^"\\])*"|\'(\\.|[^\'\\])\'', lambda m: "_" * len(m.group(0)), line)
    at = re.search(r"(^|\s)" + mark + r"(\s|$)", quoted)
    return (at.end(1), line[at.end():].strip()) if at else None


def paragraphs_of_code(text, mark):
    """Returns [(line, text)]. A comment that continues in the same column is one paragraph."""
    found, column = [], None
    for number, line in enumerate(text.split("\n"), 1):
        comment = comment_of(line, mark)
        if comment is None or not comment[1]:
            column = None
        elif comment[0] == column and line[:column].strip() == "" and not re.match(r"[-*|]", comment[1]):
            found[-1][1] += " " + comment[1]
        else:
            found.append([number, comment[1]])
            column = comment[0]
    return found


def docstrings(text):
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.STRING and token.string.startswith('"""') and token.line.lstrip().startswith('"""'):
            for at, line in enumerate(token.string.strip('"').split("\n\n")):
                yield [token.start[0] + at, " ".join(line.split())]


def paragraphs_of_document(text):
    """Paragraphs, list items and table cells, without headings, blocks of code and the generated lists of files."""
    text = re.sub(r"^```.*?^```", lambda m: "\n" * m.group(0).count("\n"), text, flags=re.S | re.M)
    text = re.sub(r"^#.*", "", text, flags=re.M)
    text = re.sub(r"^- `[^`]+`:.*\n(  .*\n)*", lambda m: "\n" * m.group(0).count("\n"), text, flags=re.M)
    found, fresh = [], True
    for number, line in enumerate(text.split("\n"), 1):
        cells = [c.strip() for c in line.strip("| ").split(" | ")] if line.startswith("|") else [line.strip()]
        for cell in cells:
            starts = fresh or len(cells) > 1 or re.match(r"[-*]|\d+\.", cell)
            if cell and starts:
                found.append([number, cell.lstrip("-* ")])
            elif cell:
                found[-1][1] += " " + cell
        fresh = line.strip() == "" or line.startswith("|")
    return found


def headless(paragraph):
    """Yields the sentences of a paragraph that are counted."""
    for sentence in re.split(r"(?<=[.!?:])\s+(?=[A-Z`])", paragraph):
        if OPENING.match(sentence) and not sentence.endswith("?") and not MAIN_CLAUSE.search(sentence):
            yield sentence


def paragraphs(path):
    with open(path, errors="replace") as f:
        text = f.read()
    if path.endswith(".md"):
        return paragraphs_of_document(text)
    if path.endswith(".py"):
        return paragraphs_of_code(text, "#") + list(docstrings(text))
    return paragraphs_of_code(text, "//" if path.endswith((".h", ".cc", ".js")) else "#")


def files_of(area):
    if os.path.isfile(area):
        return [area]
    names = [os.path.join(at, n) for at, _, ns in os.walk(area) for n in ns]
    return sorted(n for n in names if n.endswith((".h", ".cc", ".js", ".py", ".sh", "meson.build")))


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: prose.py ROOT [--list]")
    wrong = [s for s in COUNTED.split("\n") if not list(headless(s))]
    wrong += [s for s in FINE.split("\n") if list(headless(s))]
    if wrong:
        sys.exit("prose: misjudges\n" + "\n".join(wrong))
    failed = False
    for area, allowed in RECORDED.items():
        found = [f"{path}:{line}: {sentence}" for path in files_of(os.path.join(sys.argv[1], area))
                 for line, text in paragraphs(path) for sentence in headless(text)]
        if len(found) > allowed or len(sys.argv) == 3:
            print("\n".join(found))
        if len(found) > allowed:
            failed = True
        print(f"prose: {area}: {len(found)} sentences without a main clause, at most {allowed}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
