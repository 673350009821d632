#!/usr/bin/env python3
"""Uses xterm as judge: what it shows of a stream is right, and glasstty has to show the same.

    ./dev conformance xterm                            500 streams of each kind, seed 1
    ./dev conformance xterm --count 10000 --seed 2     more of them
    ./dev conformance xterm margins wide               of some kinds: basic modes margins wide colours all
    ./dev conformance xterm --peers                    libvterm alone and xterm.js beside it
    ./dev conformance xterm --fixtures                 the feeds of fixtures/screens
    ./dev conformance xterm --programs                 screens of real programs under random keys (programs.py)
    ./dev conformance xterm --fixture NAME 'BYTES'     BYTES (as EscapeBytes spells them) become a fixture

Streams are generated (tests/terminal/stream_generator.cc) and played in a real xterm without a window manager, under
Xvfb. xterm prints its screen with attributes (media copy) and is asked for its cursor (CPR); inside.py does that. Text,
cursor and, for colours, the look of each cell are compared. A difference is shrunk: items are left out and counts
made smaller while it stays. What remains is printed, the most frequent kind first.

How to go on from a difference: mend it, then keep its shortest stream with --fixture; or write it down as a decision
in docs/known_edges.md. A single decision is recognised and counted separately, because glasstty can show both
(play.cc): a glyph with a pending wrap after it survives erasing.

While xterm puts off scrolling (its resource jumpScroll), its screen depends on when it drew last: a row that was drawn
meanwhile holds blanks where it was empty, and an overwritten wide glyph keeps its right half. So a difference counts
only if an xterm that scrolls at once differs, too.

xterm 379 spoils its own memory in some streams (DECCRA), and shows later ones wrongly then. So it is started anew now
and then, and a difference counts only if a fresh xterm shows it as well.

Exit status 1: something differs, beyond the rate that --allow gives (0 percent).
"""
import argparse
import collections
import concurrent.futures
import glob
import json
import os
import re
import select
import shutil
import subprocess
import sys
import tempfile
import unicodedata

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
KINDS = ["basic", "modes", "margins", "wide", "colours", "all"]
SIZE = (10, 20)
PATIENCE_S = 8  # with an xterm that is silent
RESOURCES = {
    "printAttributes": 2, "printerFormFeed": "true", "printerAutoClose": "false", "printerExtent": "true",
    "c132": "false", "reverseWrap": "false", "titeInhibit": "false", "scrollBar": "false", "saveLines": 0,
    # These are the 16 colours of the palette as they are requested: bold must not brighten what is printed.
    "boldColors": "false", "cursorBlink": "false", "allowWindowOps": "false", "bellIsUrgent": "false",
    # Use the locale's wcwidth, as programs do.
    "mkWidth": "false", "cjkWidth": "false", "decTerminalID": 420, "background": "black", "foreground": "white",
}


class Xvfb:
    def __enter__(self):
        read, write = os.pipe()
        self.process = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x1024x24", "-nolisten", "tcp"],
            pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write)
        with open(read) as number:
            self.display = ":" + number.readline().strip()
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


class Xterm:
    """An xterm with inside.py in it."""

    def __init__(self, display, size, jumps=True):
        self.folder = tempfile.mkdtemp(prefix="xterm-judge-")
        for name in ("in", "out", "pages"):
            os.mkfifo(os.path.join(self.folder, name))
        resources = dict(RESOURCES, printerCommand="cat > %s/pages" % self.folder, jumpScroll=str(jumps).lower())
        argv = ["xterm", "-u8", "-geometry", "%dx%d" % (size[1], size[0])]
        for name, value in resources.items():
            argv += ["-xrm", "XTerm*%s: %s" % (name, value)]
        argv += ["-e", sys.executable, os.path.join(HERE, "inside.py"), self.folder, str(size[0]), str(size[1])]
        environment = dict(os.environ, DISPLAY=display, LANG="C.UTF-8", LC_ALL="C.UTF-8")
        self.process = subprocess.Popen(argv, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        # Opened for both directions, so that opening does not wait for an xterm that never comes.
        self.streams = os.open(self.folder + "/in", os.O_RDWR)
        self.screens = os.open(self.folder + "/out", os.O_RDWR)

    def play(self, lines):
        """Returns None if it does not answer any more."""
        given = "".join(line + "\n" for line in lines).encode("utf-8", "surrogateescape")
        got = b""
        while got.count(b"\n") < len(lines):
            readable, writable, _ = select.select([self.screens], [self.streams] if given else [], [], PATIENCE_S)
            if writable:
                given = given[os.write(self.streams, given[:4096]):]
            elif readable:
                got += os.read(self.screens, 65536)
            else:
                return None
        return [json.loads(line) for line in got.decode("utf-8", "replace").splitlines()]

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.streams)
        os.close(self.screens)
        shutil.rmtree(self.folder, ignore_errors=True)


class Judge:
    """Several xterms at once, and the engines that are held against them."""

    def __init__(self, display, size, jobs, arguments):
        self.display, self.size, self.jobs, self.arguments = display, size, jobs, arguments

    def xterm(self, lines, each=200, jumps=True):
        """Starts a new xterm for this many streams. `jumps`: it puts off scrolling, which is its default."""
        def play(part):
            for _ in range(2):
                xterm = Xterm(self.display, self.size, jumps)
                screens = xterm.play(part)
                xterm.close()
                if screens:
                    return screens
            if len(part) > 1:  # one of them silences it
                return [screen for line in part for screen in play([line])]
            return [{"rows": [], "cursor": "none, it does not answer", "styles": []}]
        parts = [lines[i:i + each] for i in range(0, len(lines), each)]
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            return [screen for played in pool.map(play, parts) for screen in played]

    def verdicts(self, lines, styles, each=200):
        """Returns a verdict for each, with the differences confirmed."""
        found = [verdict(o, x, styles) for o, x in zip(self.engine("glasstty", lines), self.xterm(lines, each))]
        doubtful = [i for i, f in enumerate(found) if f and f != "decided"]
        if each > 1 and doubtful:
            for i, f in zip(doubtful, self.verdicts([lines[i] for i in doubtful], styles, each=1)):
                found[i] = f
        elif doubtful:
            mine = [lines[i] for i in doubtful]
            for i, o, x in zip(doubtful, self.engine("glasstty", mine), self.xterm(mine, each, jumps=False)):
                found[i] = found[i] and verdict(o, x, styles)
        return found

    def engine(self, name, lines):
        size = "%dx%d" % self.size
        argv = [self.arguments.play, name, size]
        if name == "xterm.js":
            argv = ["node", os.path.join(HERE, "xtermjs.mjs"), self.arguments.modules, size]
        given = "".join(line + "\n" for line in lines).encode("utf-8", "surrogateescape")
        out = subprocess.run(argv, input=given, stdout=subprocess.PIPE, check=True).stdout
        return [json.loads(line) for line in out.decode("utf-8", "replace").splitlines()]


def is_same_row(ours, xterm):
    """xterm keeps a letter and its mark as one code point where Unicode has one, and prints a mark that has a cell of
    its own without the blank that glasstty puts it on."""
    ours, xterm = unicodedata.normalize("NFD", ours), unicodedata.normalize("NFD", xterm)
    return ours == xterm or re.fullmatch(
        " ?".join(re.escape(part) for part in re.split(" (?=[\u0300-\u036f])", ours)), xterm) is not None


def differs(ours, xterm, styles):
    """Returns "text", "cursor", "styles" or None."""
    if len(ours["rows"]) != len(xterm["rows"]) or not all(map(is_same_row, ours["rows"], xterm["rows"])):
        return "text"
    if ours["cursor"] != xterm["cursor"]:
        return "cursor"
    if styles and ours["styles"] != xterm["styles"]:
        return "styles"
    return None


def verdict(ours, xterm, styles):
    """Likewise, or "decided" for the one decision that is recognised."""
    found = differs(ours, xterm, styles)
    if found and "erased" in ours and not differs(ours["erased"], xterm, styles):
        return "decided"
    return found


def smaller(line):
    """Yields streams that are a little shorter than this one."""
    items = line.split("\t")
    for i in range(len(items)):
        if len(items) > 1:
            yield "\t".join(items[:i] + items[i + 1:])
    for i, item in enumerate(items):
        # Another number would be another mode.
        has_counts = item.startswith("\\e[") and item[-1] not in "hl"
        for match in re.finditer(r"\d+", item if has_counts else ""):
            for less in ("", "1", "2", "3"):
                if less != match.group() and (not less or int(less) < int(match.group())):
                    yield "\t".join(items[:i] + [item[:match.start()] + less + item[match.end():]] + items[i + 1:])
        if not item.startswith("\\") and len(item) > 1:
            for cut in {len(item) // 2, len(item) - 1}:
                yield "\t".join(items[:i] + [item[:cut]] + items[i + 1:])


def shrink(judge, lines, styles, rounds=60):
    """Shortens all of them side by side, one step in each round, because starting an engine is what takes long."""
    lines, live = list(lines), set(range(len(lines)))
    while live and rounds:
        rounds -= 1
        tried = [(i, candidate) for i in sorted(live) for candidate in smaller(lines[i])]
        streams = [candidate for _, candidate in tried]
        found = [verdict(o, x, styles) for o, x in zip(judge.engine("glasstty", streams), judge.xterm(streams))]
        live = set()
        for (i, candidate), bad in zip(tried, found):
            if bad and bad != "decided" and i not in live:
                lines[i] = candidate
                live.add(i)
    return lines


def kind_of(line):
    """Returns the sequences of a stream without their numbers."""
    names = [re.sub(r"[0-9;]+", "", item) for item in line.split("\t") if item.startswith("\\")]
    return " ".join(names) or "text"


def show(line, ours, xterm):
    print("\n" + line.replace("\t", " | "))
    for name, screen in (("xterm", xterm), ("glasstty", ours)):
        print("  %s, cursor %s" % (name, screen["cursor"]))
        rows = list(enumerate(screen["rows"]))
        while rows and not rows[-1][1] and not screen["styles"][rows[-1][0]]:
            rows.pop()
        for i, row in rows:
            print("    |%s%s" % (row, "   %s" % screen["styles"][i] if screen["styles"][i] else ""))


def report_differences(judge, lines, styles, most):
    shrunk = shrink(judge, lines[:most], styles)
    kinds = collections.Counter(kind_of(line) for line in shrunk)
    first = {kind_of(line): line for line in reversed(sorted(shrunk, key=len))}
    for kind, count in kinds.most_common():
        line = first[kind]
        print("\n---- %d of %d: %s" % (count, len(shrunk), kind), end="")
        show(line, judge.engine("glasstty", [line])[0], judge.xterm([line])[0])


def count(name, kind, seed, found):
    counts = collections.Counter(found)
    bad = counts["text"] + counts["cursor"] + counts["styles"]
    print("%-9s %-8s seed %d: %6d streams, %5d differ (%.2f %%): %d text, %d cursor, %d styles; %d as decided" % (
        name, kind, seed, len(found), bad, 100.0 * bad / max(len(found), 1), counts["text"], counts["cursor"],
        counts["styles"], counts["decided"]), flush=True)
    return bad


def judge_generated(judge, arguments):
    worst = 0.0
    for kind in arguments.kinds or KINDS:
        made = subprocess.run([arguments.play, "generate", kind, str(arguments.seed), str(arguments.count)],
                              stdout=subprocess.PIPE, check=True)
        lines = made.stdout.decode().splitlines()
        styles = kind == "colours"
        found = judge.verdicts(lines, styles)
        worst = max(worst, 100.0 * count("glasstty", kind, arguments.seed, found) / len(lines))
        peers = ["xterm.js", "libvterm"] if arguments.peers else []
        xterm = judge.xterm(lines) if peers else []
        for peer in peers:
            count(peer, kind, arguments.seed,
                  [differs(o, x, False) for o, x in zip(judge.engine(peer, lines), xterm)])
        bad = [line for line, f in zip(lines, found) if f and f != "decided"]
        if bad and arguments.show:
            report_differences(judge, bad, styles, arguments.show)
    return worst


def fixture_streams():
    """Yields size, name, streams: one for each screen that a fixture shows."""
    for path in sorted(glob.glob(os.path.join(ROOT, "fixtures/screens/*.screen"))):
        with open(path, encoding="utf-8") as f:
            blocks = re.split(r"^-- ", f.read(), flags=re.M)[1:]
        size, feed, streams = None, "", []
        for block in blocks:
            head, _, body = block.partition("\n")
            if head.startswith("size "):
                size = tuple(int(n) for n in head[5:].split("x"))
            elif head == "feed":
                feed += body.replace("\n", "")
            elif head.startswith("resize"):
                break
            elif head.startswith("screen"):
                streams.append(feed)
        if size and streams:
            yield size, os.path.basename(path)[:-7], streams


def judge_fixtures(display, arguments):
    bad = total = 0
    by_size = collections.defaultdict(list)
    for size, name, streams in fixture_streams():
        by_size[size] += [(name, stream) for stream in streams]
    for size, all_of in sorted(by_size.items()):
        judge = Judge(display, size, 1, arguments)
        lines = [stream for _, stream in all_of]
        for (name, line), ours, xterm in zip(all_of, judge.engine("glasstty", lines), judge.xterm(lines)):
            total += 1
            found = verdict(ours, xterm, True)
            if found and found != "decided":
                bad += 1
                print("\n%s: %s" % (name, found), end="")
                show(line, ours, xterm)
    print("fixtures: %d screens, %d differ" % (total, bad))
    return 100.0 * bad / total


def write_fixture(name, stream, arguments):
    """Lets the test itself make the picture, which is right once --fixtures agrees."""
    path = os.path.join(ROOT, "fixtures/screens/%s.screen" % name)
    stream = stream.replace("\t", "").replace(" | ", "")
    with open(path, "w", encoding="utf-8") as f:
        f.write("As xterm shows it.\n\n-- size %dx%d\n-- feed\n%s\n-- screen\n" % (*SIZE, stream))
    tests = os.path.join(os.path.dirname(arguments.play), "../../terminal/terminal_tests")
    subprocess.run([tests, "--gtest_brief=1", "--gtest_filter=*ShowWhatTheFixtureShows/" + re.sub(r"\W", "_", name)],
                   env=dict(os.environ, GLASSTTY_UPDATE="1"), check=True, stdout=subprocess.DEVNULL)
    print(open(path, encoding="utf-8").read())
    return 0


def judge_programs(display, arguments):
    import programs
    size = programs.SIZE
    judge = Judge(display, size, arguments.jobs, arguments)
    bad = total = 0
    for name, streams in programs.record(arguments.seed, arguments.programs, arguments.count):
        found = judge.verdicts(streams, not arguments.text)
        bad += count("glasstty", name, arguments.seed, found)
        total += len(streams)
        for stream, f in zip(streams, found):
            if f and f != "decided" and arguments.show:
                print("differs: " + programs.keep(name, stream))
                break
    print("programs: %d screens, %d differ" % (total, bad))
    return 100.0 * bad / max(total, 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*")
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2, help="xterms at once")
    parser.add_argument("--show", type=int, default=40, help="shrink and print so many differences")
    parser.add_argument("--allow", type=float, default=0.0, help="percent that may differ")
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--fixtures", action="store_true")
    parser.add_argument("--programs", nargs="?", const="", default=None, help="all, or those named, with commas")
    parser.add_argument("--text", action="store_true", help="of programs, only text and cursor")
    parser.add_argument("--fixture", nargs=2, metavar=("NAME", "BYTES"))
    parser.add_argument("--stream", help="play this one and show both screens")
    parser.add_argument("--play", default=os.path.join(ROOT, "build/tests/conformance/xterm/play"))
    parser.add_argument("--modules", default=os.path.join(ROOT, "build/peers/node_modules"))
    arguments = parser.parse_args()
    if arguments.fixture:
        return write_fixture(*arguments.fixture, arguments)
    with Xvfb() as server:
        if arguments.fixtures:
            worst = judge_fixtures(server.display, arguments)
        elif arguments.programs is not None:
            worst = judge_programs(server.display, arguments)
        else:
            judge = Judge(server.display, SIZE, arguments.jobs, arguments)
            if arguments.stream:
                line = arguments.stream.replace(" | ", "\t")
                show(line, judge.engine("glasstty", [line])[0], judge.xterm([line])[0])
                return 0
            worst = judge_generated(judge, arguments)
        return 1 if worst > arguments.allow else 0


if __name__ == "__main__":
    sys.exit(main())
