"""Tests that replies show the screen to which a key has led: types keys into real programs, looks again 0.4 s later.

A reply is stale if the screen differs 0.4 s later, although nothing was typed. Rows that change while no key is
typed (clocks, meters) are found first and left out.

stale_test.py SERVER [--other SERVER] [--keys 1000] [--npm FOLDER] [--only NAME,NAME] [--jobs 2] [--most 0]
              [--verbose]

SERVER is the executable `glasstty`. With --other, both take turns, program by program, so that their times can be
compared. FOLDER has node_modules with the libraries that JavaScript programs need. Programs that are not installed
are named and left out. The exit status is 1 if more replies of SERVER than --most were stale.
"""
import argparse
import concurrent.futures
import dataclasses
import os
import re
import shutil
import statistics
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "testing"))
from mcp_client import Client  # noqa: E402

# A reply is stale if the screen is another one this much later. Nothing tells
# that a program will draw nothing more, so the test can only let time pass.
LATER_S = 0.4


@dataclasses.dataclass
class Program:
    name: str
    command: str  # of sh, in a directory with the files of make_files
    ready: str  # a regular expression; on its first screen
    keys: list  # typed in this order, again and again
    needs: str = ""  # the executable, if it is not the first word
    npm_package: str = ""  # that it needs


PICKS = ["<Down>", "<Down>", "<Up>", "<Enter>", "<Down>", "<Space>", "<Down>", "<Space>", "<Up>", "<Enter>",
         "n", "a", "m", "<BS>", "e", "<Enter>"]
PROMPTS_PICKS = ["<Down>", "<Down>", "<Up>", "<Enter>", "<Right>", "<Left>", "<Right>", "<Enter>", "<Down>",
                 "<Space>", "<Down>", "<Space>", "<Enter>", "n", "a", "<BS>", "e", "<Enter>"]

PROGRAMS = [
    Program("vim", "vim --clean -n lines", "line 1",
            ["j", "j", "<C-d>", "k", "G", "gg", "ohello<Esc>", "u", "/line 15<Enter>", "n", "<C-u>", "zt", "v", "w",
             "<Esc>", ":set nu!<Enter>", ":help<Enter>", "<C-d>", ":q<Enter>"]),
    Program("nvim", "nvim --clean -n lines", "line 1",
            ["j", "j", "<C-d>", "k", "G", "gg", "ohello<Esc>", "u", "/line 15<Enter>", "n", "<C-u>", "zt", "v", "w",
             "<Esc>", ":help<Enter>", "<C-d>", ":q<Enter>"]),
    Program("micro", "micro -colorscheme simple code.py", "import",
            ["<Down>", "<Down>", "<Right>", "x", "y", "<BS>", "<PageDown>", "<PageUp>", "<Enter>", "<C-z>", "<C-z>",
             "<C-e>", "<Esc>", "<C-f>", "def", "<Esc>", "<Home>", "<End>"]),
    Program("nano", "nano lines", "line 1",
            ["<Down>", "<Down>", "x", "<BS>", "<PageDown>", "<PageUp>", "<Enter>", "<M-u>", "<C-w>", "<C-c>", "<C-g>",
             "<C-x>", "<Home>", "<End>"]),
    Program("emacs", "emacs -nw -Q code.py", "import",
            ["<C-n>", "<C-n>", "<C-f>", "x", "<BS>", "<C-v>", "<M-v>", "<C-e>", ")", "<BS>", "<C-s>", "def", "<C-g>",
             "<M-x>", "<C-g>", "<C-x>2", "<C-x>1"]),
    Program("kak", "kak -n lines", "line 1",
            ["j", "j", "w", "w", "<C-d>", "<C-u>", "x", "%", ",", "gg", "ge", "gg", "i", "hello", "<Esc>", "u", ":",
             "wr", "<Esc>", "g", "<Esc>"]),
    Program("mc", "mc -u", "lines",
            ["<Down>", "<Down>", "<Up>", "<Tab>", "<Down>", "<Tab>", "<F9>", "<Down>", "<Right>", "<Esc><Esc>", "<F3>",
             "<PageDown>", "<F3>", "<Esc><Esc>", "<Home>", "<F7>", "<Esc><Esc>"]),
    Program("lf", "lf", "lines",
            ["j", "j", "k", "l", "h", "gg", "G", "gg", "<Space>", "u", "zh", "zh", "/", "l", "<Esc>", "j"]),
    Program("ranger", "ranger", "lines",
            ["j", "j", "k", "l", "h", "gg", "G", "gg", "v", "v", "zh", "zh", "j"]),
    Program("htop", "htop -d 100", "F10",
            ["<Down>", "<Down>", "<Up>", "<F9>", "<Down>", "<Esc>", "<F6>", "<Down>", "<Esc>", "<F3>", "sh", "<Esc>",
             "<F2>", "<Down>", "<Esc>", "<Home>"]),
    Program("btop", "btop --utf-force", "cpu|Cpu|CPU",
            ["<Down>", "<Down>", "<Up>", "<Esc>", "<Down>", "<Esc>", "h", "<Esc>", "o", "<Down>", "<Right>", "<Esc>",
             "<Enter>", "<Enter>", "f", "sh", "<Esc>", "1", "1", "2", "2"]),
    Program("less", "less lines", "line 1",
            ["j", "k", " ", "b", "G", "g", "/line 77<Enter>", "n", "N", "-N<Enter>", "-N<Enter>", "h", "q", "50g"]),
    Program("fzf", "seq 5000 | fzf --preview 'sleep 0.02; seq {} 9999 | head -40'", r"\d+/5000",
            ["<Up>", "<Up>", "<Down>", "1", "2", "<BS>", "<BS>", "<Up>", "9", "9", "9", "<BS>", "<BS>", "<BS>"]),
    Program("tig", "tig", "commit 1",
            ["j", "j", "k", "<Enter>", "j", "j", "k", "<Down>", "<PageDown>", "<PageUp>", "<Enter>", "<Up>", "/", "<C-c>"]),
    Program("dialog",
            "i=0; while :; do dialog --menu \"Choose $i.\" 20 60 10 a Alpha b Beta c Gamma d Delta; "
            "dialog --yesno 'Sure?' 10 40; dialog --checklist 'Many' 20 60 10 a A on b B off c C off; i=$((i+1)); done",
            "Choose 0",
            ["<Down>", "<Down>", "<Up>", "<Enter>", "<Tab>", "<Tab>", "<Enter>", "<Space>", "<Down>", "<Space>",
             "<Tab>", "<Tab>", "<Tab>", "<Enter>"]),
    Program("whiptail", "while :; do whiptail --menu Choose 20 60 10 a Alpha b Beta c Gamma; "
            "whiptail --yesno 'Sure?' 10 40; done", "Choose",
            ["<Down>", "<Down>", "<Up>", "<Tab>", "<S-Tab>", "<Enter>", "<Tab>", "<Tab>", "<Enter>"]),
    Program("ptpython", "ptpython", r">>>|In \[",
            ["i", "m", "p", "<Tab>", "<Esc>", "<C-c>", "1", "+", "1", "<Enter>", "p", "r", "<C-c>", "<Up>", "<Down>",
             "<C-c>"]),
    Program("ipython", "ipython3 --no-banner --no-confirm-exit", r"In \[1\]",
            ["i", "m", "p", "<Tab>", "<Tab>", "<C-c>", "1", "+", "1", "<Enter>", "<Up>", "<Down>", "a", "b", "<C-c>"]),
    Program("visidata", "vd -N table.csv", "name",
            ["j", "j", "l", "h", "[", "]", "g", "j", "s", "u", "F", "q", "!", "!", "_", "#", "~", "k"], needs="vd"),
    Program("inquirer", "node asks.mjs inquirer", "Pick one", PICKS, npm_package="inquirer"),
    Program("clack", "node asks.mjs clack", "Pick one", PICKS, npm_package="@clack/prompts"),
    Program("enquirer", "node asks.mjs enquirer", "Pick one", PICKS, npm_package="enquirer"),
    Program("prompts", "node asks.mjs prompts", "Pick one", PROMPTS_PICKS, npm_package="prompts"),
    Program("ink", "node ink.mjs", "keys",
            ["<Down>", "<Down>", "<Up>", "a", "b", "<Down><Down>", "c", "<BS>", "<Up>", "<Down*3>"], npm_package="ink"),
    Program("blessed", "node blessed.cjs", "entry 1", ["<Down>", "<Down>", "<Up>", "<Down*3>"], npm_package="blessed"),
    Program("codex", "CODEX_HOME=$PWD/codex NO_PROXY=* node_modules/.bin/codex", "gpt",
            ["h", "e", "l", "<BS>", "<BS>", "<BS>", "/", "m", "<Down>", "<Down>", "<Up>", "<BS>", "<BS>", "?", "<Esc>",
             "@", "<BS>", "a b c", "<C-c>"], needs="node", npm_package="@openai/codex"),
]

CODEX = """
model = "gpt-5"
model_provider = "nobody"
[model_providers.nobody]
name = "nobody"
base_url = "http://127.0.0.1:9/v1"
[projects."{folder}"]
trust_level = "trusted"
"""


def make_files(folder, npm):
    with open(os.path.join(folder, "lines"), "w") as out:
        out.writelines(f"line {i}\n" for i in range(1, 2001))
    with open(os.path.join(folder, "code.py"), "w") as out:
        out.write("import os\n")
        out.writelines(f"\n\ndef function_{i}(value):\n    return (value + {i}) * [1, 2][0]\n" for i in range(60))
    with open(os.path.join(folder, "table.csv"), "w") as out:
        out.write("name,number,other\n")
        out.writelines(f"n{i},{i * 7919 % 1009},{i % 13}\n" for i in range(3000))
    for name in ("sub/one", "sub/two", "sub2/three"):
        os.makedirs(os.path.join(folder, os.path.dirname(name)), exist_ok=True)
        with open(os.path.join(folder, name), "w") as out:
            out.write("text of " + name)
    for name in os.listdir(os.path.join(HERE, "stale")):
        shutil.copy(os.path.join(HERE, "stale", name), folder)
    if npm:
        os.symlink(os.path.join(os.path.abspath(npm), "node_modules"), os.path.join(folder, "node_modules"))
    os.makedirs(os.path.join(folder, "codex"))
    with open(os.path.join(folder, "codex", "config.toml"), "w") as out:
        out.write(CODEX.format(folder=folder))
    os.makedirs(os.path.join(folder, ".config/btop"))
    with open(os.path.join(folder, ".config/btop/btop.conf"), "w") as out:
        out.write('update_ms = 60000\nshow_battery = False\nclock_format = ""\n')
    os.system(f"cd {folder} && git init -q . && for i in $(seq 40); do git -c user.name=n -c user.email=e commit -q "
              "--allow-empty -m \"commit $i\"; done")


def split(text):
    """Returns (facts of the header, rows)."""
    header, _, body = text.partition("\n")
    facts = re.search(r" \d+x\d+ cursor=\S+", header)
    return facts.group(0) if facts else "", unfold(body.split("\n"))


def unfold(rows):
    """Unfolds rows that replies show once, with their number."""
    unfolded = []
    for row in rows:
        same = re.fullmatch(r"\(the same row (\d+) more times\)", row)
        blank = re.fullmatch(r"\((\d+) blank rows\)", row)
        if same and unfolded:
            unfolded += [unfolded[-1]] * int(same.group(1))
        else:
            unfolded += [""] * int(blank.group(1)) if blank else [row]
    return unfolded


class Run:
    """A program in a server."""

    def __init__(self, server, program, npm):
        self.program = program
        self.folder = tempfile.mkdtemp(prefix="stale")
        make_files(self.folder, npm)
        environment = {**os.environ, "HOME": self.folder, "XDG_CONFIG_HOME": self.folder + "/.config",
                       "GLASSTTY_STATE_DIR": self.folder + "/state", "XDG_STATE_HOME": self.folder + "/xs"}
        self.client = Client([server, "mcp", "--alone"], "stale", env=environment, cwd=self.folder)
        self.times = []  # ms
        self.stale = []  # key, ms, rows, the reply, the later one
        self.typed = 0
        self.moving = set()  # rows that change by themselves

    def look(self):
        return self.client.call("term_read", {"mode": "snapshot", "max_lines": 0, "truncate": "none"})[0]

    def start(self):
        text, failed = self.client.call("term_open", {
            "argv": ["sh", "-c", self.program.command], "rows": 30, "cols": 100, "timeout_s": 30,
            "until": {"regex": self.program.ready}})
        if failed or "reason=timeout" in text:
            raise RuntimeError(f"{self.program.name}: {text}")
        self.client.call("term_wait", {"until": {"quiet_s": 1}, "timeout_s": 6})
        earlier = split(self.look())[1]
        for _ in range(8):
            time.sleep(LATER_S)
            now = split(self.look())[1]
            self.note_moving(earlier, now)
            earlier = now

    def note_moving(self, a, b):
        rows = max(len(a), len(b))
        a, b = a + [""] * (rows - len(a)), b + [""] * (rows - len(b))
        self.moving |= {i for i in range(rows) if a[i] != b[i]}

    def differing(self, a, b):
        rows = max(len(a), len(b))
        a, b = a + [""] * (rows - len(a)), b + [""] * (rows - len(b))
        return [i for i in range(rows) if a[i] != b[i] and i not in self.moving]

    def type(self, count):
        for _ in range(count):
            key = self.program.keys[self.typed % len(self.program.keys)]
            self.typed += 1
            began = time.monotonic()
            text, failed = self.client.call("term_send", {"input": [key], "mode": "snapshot", "max_lines": 0,
                                                          "truncate": "none"})
            self.times.append((time.monotonic() - began) * 1000)
            if failed:
                raise RuntimeError(f"{self.program.name}: {key}: {text}")
            time.sleep(LATER_S)
            later = self.look()
            (facts, rows), (facts_later, rows_later) = split(text), split(later)
            rows = self.differing(rows, rows_later)
            if rows:
                self.stale.append((key, self.times[-1], rows, text, later))

    def end(self):
        self.client.call("term_close", {"grace_s": 0})
        self.client.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def measure(program, servers, keys, npm):
    """Returns for each server the Run, ended."""
    runs = [Run(server, program, npm) for server in servers]
    for run in runs:
        run.start()
    left = keys
    while left > 0:
        part = min(left, 10)
        for run in runs:
            run.type(part)
        left -= part
    for run in runs:
        run.end()
    return runs


def missing(program, npm):
    """Returns what is not installed; empty if nothing is missing."""
    executable = program.needs or program.command.split()[0]
    if program.name in ("dialog", "whiptail", "fzf"):
        executable = program.name
    if shutil.which(executable) is None:
        return executable
    if program.npm_package and not os.path.isdir(os.path.join(npm or "", "node_modules", program.npm_package)):
        return program.npm_package
    return ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("server")
    parser.add_argument("--other")
    parser.add_argument("--keys", type=int, default=1000)
    parser.add_argument("--npm", default="")
    parser.add_argument("--only", default="")
    parser.add_argument("--most", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    only = options.only.split(",") if options.only else [p.name for p in PROGRAMS]
    chosen = [p for p in PROGRAMS if p.name in only]
    for program in chosen:
        if missing(program, options.npm):
            print(f"{program.name}: not tried, {missing(program, options.npm)} is not installed")
    chosen = [p for p in chosen if not missing(p, options.npm)]
    servers = [options.server] + ([options.other] if options.other else [])
    servers = [os.path.abspath(server) for server in servers]
    each = -(-options.keys // len(chosen))
    totals = [[] for _ in servers]
    stale = [0 for _ in servers]
    failed = False
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        futures = {pool.submit(measure, p, servers, each, options.npm): p for p in chosen}
        for future in concurrent.futures.as_completed(futures):
            program = futures[future]
            try:
                runs = future.result()
            except RuntimeError as error:
                print(error, flush=True)
                failed = True
                continue
            line = f"{program.name:10}"
            for i, run in enumerate(runs):
                totals[i] += run.times
                stale[i] += len(run.stale)
                line += (f"  {len(run.stale):3} of {len(run.times)} stale, median {statistics.median(run.times):6.1f} "
                         f"p90 {sorted(run.times)[len(run.times) * 9 // 10]:6.1f} ms")
            print(line + (f"  moving {sorted(runs[0].moving)}" if runs[0].moving else ""), flush=True)
            for key, took, rows, text, later in runs[0].stale if options.verbose else []:
                print(f"  {key} {took:.0f} ms, rows {rows}\n    {text.splitlines()[0]}\n    {later.splitlines()[0]}")
                for row in rows[:3]:
                    before, after = split(text)[1], split(later)[1]
                    print(f"    - {before[row] if row < len(before) else ''}\n    + "
                          f"{after[row] if row < len(after) else ''}")
    for name, times, count in zip(servers, totals, stale):
        print(f"{name}: {count} of {len(times)} stale, median {statistics.median(times):.1f} ms")
    return 1 if stale[0] > options.most or failed else 0


if __name__ == "__main__":
    sys.exit(main())
