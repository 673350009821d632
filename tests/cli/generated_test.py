#!/usr/bin/env python3
"""The man page, the completions and the configurations that glasstty writes, read by the programs that they are for.

    python3 generated_test.py GLASSTTY
"""
import functools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib
import unittest

GLASSTTY = ""


def run(*arguments, **options):
    return subprocess.run(arguments, capture_output=True, text=True, **options)


def generate(kind):
    return run(GLASSTTY, "generate", kind, check=True).stdout


@functools.cache
def words_of_help():
    """Every command, its flags, and every setting, as --help shows them."""
    text = run(GLASSTTY, "--help").stdout
    commands = re.findall(r"^  ([a-z]+)(?: |$)", text.split("COMMAND --help")[0], re.M)
    flags = {name: re.findall(r"^  (--?[a-z]+)", run(GLASSTTY, name, "--help").stdout, re.M) for name in commands}
    settings = [name.lower()[9:].replace("_", "-") for name in re.findall(r"GLASSTTY_[A-Z_]+", text)]
    return commands, flags, settings


class Generated(unittest.TestCase):
    def test_each_command_tells_its_help_on_stdout(self):
        commands, _, _ = words_of_help()
        for name in commands:
            told = run(GLASSTTY, name, "--help", "--port=nonsense")
            self.assertEqual(told.returncode, 0, name)
            self.assertEqual(told.stderr, "", name)
            self.assertIn(f"glasstty {name}", told.stdout, name)

    def check_words(self, text, dash):
        commands, flags, settings = words_of_help()
        self.assertGreater(len(commands), 7)
        for name in commands:
            self.assertIn(name, text)
            for flag in flags[name]:
                self.assertIn(dash(flag), text, f"{name} {flag}")
        for setting in settings:
            self.assertIn(dash("--" + setting), text)

    def test_the_man_page_is_silent_and_names_everything(self):
        with tempfile.NamedTemporaryFile("w", suffix=".1") as page:
            page.write(generate("man"))
            page.flush()
            shown = run("man", "-l", "--warnings", page.name, env={**os.environ, "LC_ALL": "C.UTF-8", "MANWIDTH": "200"})
        self.assertEqual(shown.stderr, "")
        self.assertIn("real terminals for AI agents", shown.stdout)
        self.check_words(re.sub(".\b", "", shown.stdout), lambda flag: flag)

    def test_the_completions_parse_and_name_everything(self):
        for shell in ("bash", "zsh"):
            script = generate(shell)
            self.assertEqual(run(shell, "-n", "/dev/stdin", input=script).stderr, "", shell)
            self.check_words(script, lambda flag: flag)
        script = generate("fish")
        self.assertEqual(run("fish", "-n", input=script).stderr, "")
        self.check_words(script, lambda flag: f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}")

    def test_bash_completes_commands_flags_and_sessions(self):
        def complete(*words):
            script = generate("bash") + "\ncompopt() { :; }\n"
            script += "COMP_WORDS=(" + " ".join(f"'{w}'" for w in words) + f"); COMP_CWORD={len(words) - 1}\n"
            script += "_glasstty; printf '%s\\n' \"${COMPREPLY[@]}\"\n"
            folder = os.path.dirname(GLASSTTY)
            return run("bash", "-c", script, env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}).stdout.split()

        self.assertEqual(complete("glasstty", "re"), ["read", "replay"])
        self.assertEqual(complete("glasstty", "rep"), ["replay"])
        self.assertEqual(complete("glasstty", "replay", "--s"), ["--size"])
        self.assertEqual(complete("glasstty", "setup", "cu"), ["cursor"])
        self.assertEqual(complete("glasstty", "cast", "--format", "v"), ["v2", "v3"])
        self.assertEqual(complete("glasstty", "call", "wr"), ["write_file"])
        self.assertEqual(complete("glasstty", "call", "read", "--max-l"), ["--max-lines"])
        self.assertEqual(complete("glasstty", "wait", "--state", "pro"), ["prompt"])

    def test_the_completions_complete_sessions_after_their_flag(self):
        for words in (("run", "--session", ""), ("attach", "")):
            self.assertIn("_glasstty_sessions", self.branch(generate("bash"), words[0]))
        self.assertIn("run' -l session -d", generate("fish"))
        self.assertRegex(generate("fish"), r"run' -l session .* -a '\(glasstty generate sessions")
        self.assertRegex(generate("zsh"), r"--session\[.*:SESSION:_glasstty_sessions")

    def branch(self, script, command):
        """Returns what the completion of bash does for a command."""
        return script.split(f"    {command})\n")[1].split("\n      ;;\n")[0]

    def test_the_page_has_the_exit_statuses_and_every_command(self):
        page = (pathlib.Path(__file__).parents[2] / "docs" / "sharing.md").read_text()
        statuses = generate("man").split(".SH EXIT STATUS\n")[1].replace("\\-", "-")
        told = re.findall(r"^\.TP\n(\d+)\n(.*)$", statuses, re.M)
        self.assertGreater(len(told), 7)
        self.assertEqual(re.findall(r"^\| (\d+) \| (.*) \|$", page, re.M), told)
        commands, _, _ = words_of_help()
        for name in commands:
            self.assertIn(f"| `glasstty {name}", page)

    def test_the_words_are_those_of_a_shell(self):
        commands, _, _ = words_of_help()
        for name in commands:
            # Rules of clients name the tools.
            if name == "permit":
                continue
            said = run(GLASSTTY, name, "--help").stdout
            self.assertNotIn("term_", said, name)
            self.assertNotRegex(said, r"--[a-z]+_", name)


class Setup(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.home = pathlib.Path(self.folder.name)
        self.addCleanup(self.folder.cleanup)

    def glasstty(self, *arguments):
        environment = {"HOME": str(self.home), "PATH": f"{self.home}/bin:/usr/bin:/bin"}
        return run(GLASSTTY, *arguments, env=environment, stdin=subprocess.DEVNULL)

    def setup(self, *arguments):
        return self.glasstty("setup", *arguments)

    def client(self, name, lines):
        """Puts a client into PATH that notes its arguments and runs these lines of shell."""
        path = self.home / "bin" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f'#!/bin/sh\necho "{name} $*" >> {self.home}/calls\n{lines}\n')
        path.chmod(0o755)

    def calls(self):
        path = self.home / "calls"
        return path.read_text().splitlines() if path.exists() else []

    def test_every_client_is_set_up_once(self):
        for line in self.setup().stdout.split("\n"):
            if not line.startswith("  "):
                continue
            client, path = line.split()[0], pathlib.Path(line.split()[-1])
            self.assertEqual(self.setup(client, "--yes", "--server-only").returncode, 0, client)
            text = path.read_text()
            self.assertIn(str(path), self.glasstty("doctor").stdout)
            if path.suffix == ".yaml":
                self.assertIn(f"    cmd: {os.path.realpath(GLASSTTY)}\n", text)
                self.assertIn("already", self.setup(client, "--yes").stdout, client)
                continue
            entries = tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
            while "glasstty" not in entries:
                self.assertEqual(len(entries), 1, client)
                entries = next(iter(entries.values()))
            command = entries["glasstty"]["command"]
            self.assertEqual(command if isinstance(command, str) else command[0], os.path.realpath(GLASSTTY))
            self.assertIn("already", self.setup(client, "--yes", "--server-only").stdout, client)
            self.assertEqual(path.read_text(), text, client)

    def test_a_toml_file_keeps_everything_else(self):
        path = self.home / ".codex" / "config.toml"
        path.parent.mkdir()
        before = '# mine\nmodel = "o"  # best\n\n[mcp_servers.other]\ncommand = "x"\nargs = [\n  "a", # one\n]\n'
        path.write_text(before)
        path.chmod(0o600)
        self.assertEqual(self.setup("codex", "--yes", "--server-only").returncode, 0)
        self.assertTrue(path.read_text().startswith(before))
        self.assertEqual(path.stat().st_mode & 0o777, 0o600)
        self.assertEqual((path.parent / "config.toml.bak").read_text(), before)
        self.assertEqual((path.parent / "config.toml.bak").stat().st_mode & 0o777, 0o600)
        self.assertEqual(sorted(tomllib.loads(path.read_text())["mcp_servers"]), ["glasstty", "other"])

    def test_what_was_added_is_removed_again(self):
        path = self.home / ".cursor" / "mcp.json"
        path.parent.mkdir()
        before = '{\n\t// mine\n\t"mcpServers": {\n\t\t"a": {"command": "x"} // last\n\t}\n}\n'
        path.write_text(before)
        self.assertEqual(self.setup("cursor", "--yes").returncode, 0)
        self.assertEqual(self.setup("cursor", "--remove", "--yes").returncode, 0)
        self.assertEqual(path.read_text(), before)
        self.assertIn("does not have", self.setup("cursor", "--remove", "--yes").stdout)

    def test_a_client_with_plugins_gets_the_plugin(self):
        record = self.home / ".claude" / "plugins" / "installed_plugins.json"
        record.parent.mkdir(parents=True)
        (self.home / ".claude.json").write_text('{"mcpServers": {"glasstty": {"command": "old"}, "b": 1}}')
        self.client(
            "claude",
            f"""case "$2" in
install) echo '{{"plugins": {{"glasstty@glasstty": []}}}}' > {record} ;;
uninstall) rm {record} ;;
esac""",
        )
        shown = self.setup("claude-code", "--print")
        self.assertIn("  claude plugin install glasstty@glasstty\n", shown.stdout)
        self.assertEqual(self.calls(), [])
        self.assertEqual(self.setup("claude-code", "--yes").returncode, 0)
        self.assertEqual(
            self.calls(),
            ["claude plugin marketplace add glasstty/glasstty", "claude plugin install glasstty@glasstty"],
        )
        # Its entry would start a second server.
        self.assertEqual((self.home / ".claude.json").read_text(), '{"mcpServers": {"b": 1}}')
        self.assertIn("already", self.setup("claude-code", "--yes").stdout)
        self.assertIn("Claude Code: the plugin\n", self.glasstty("doctor").stdout)
        self.assertEqual(self.setup("claude-code", "--remove", "--yes").returncode, 0)
        self.assertEqual(
            self.calls()[2:],
            ["claude plugin uninstall glasstty@glasstty", "claude plugin marketplace remove glasstty"],
        )
        self.assertNotIn("Claude Code", self.glasstty("doctor").stdout)

    def test_a_plugin_that_cannot_be_installed_changes_nothing(self):
        self.client("codex", "exit 3")
        failed = self.setup("codex", "--yes")
        self.assertEqual(failed.returncode, 1)
        self.assertIn("`codex plugin marketplace add glasstty/glasstty` failed", failed.stderr)
        self.assertIn("--server-only", failed.stderr)
        self.assertFalse((self.home / ".codex" / "config.toml").exists())

    def test_the_doctor_names_entries_that_start_nothing(self):
        path = self.home / ".cursor" / "mcp.json"
        path.parent.mkdir()
        self.assertIn("none has glasstty yet", self.glasstty("doctor").stdout)
        path.write_text('{"mcpServers": {"glasstty": {"command": "/no/such/glasstty"}}}')
        said = self.glasstty("doctor")
        self.assertIn(f"BAD  client     Cursor: an entry in {path}, but /no/such/glasstty is not there", said.stdout)
        self.assertEqual(said.returncode, 1)

    def test_nothing_is_written_without_consent(self):
        path = self.home / ".cursor" / "mcp.json"
        asked = self.setup("cursor")
        self.assertEqual(asked.returncode, 1)
        self.assertIn("--yes", asked.stderr)
        self.assertEqual(self.setup("cursor", "--print").returncode, 0)
        self.assertFalse(path.exists())

    def test_a_broken_file_is_left_alone(self):
        path = self.home / ".cursor" / "mcp.json"
        path.parent.mkdir()
        path.write_text('{"mcpServers": \n[}')
        broken = self.setup("cursor", "--yes")
        self.assertEqual(broken.returncode, 1)
        self.assertIn("nothing was changed", broken.stderr)
        self.assertEqual(path.read_text(), '{"mcpServers": \n[}')

    def test_a_link_stays_a_link(self):
        real = self.home / "dotfiles.json"
        real.write_text("{}")
        path = self.home / ".cursor" / "mcp.json"
        path.parent.mkdir()
        path.symlink_to(real)
        self.assertEqual(self.setup("cursor", "--yes").returncode, 0)
        self.assertTrue(path.is_symlink())
        self.assertIn("glasstty", json.loads(real.read_text())["mcpServers"])


class Doctor(unittest.TestCase):
    """Each thing that can be wrong with an installation is named with the way out."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def doctor(self, **environment):
        environment = {"HOME": self.folder.name, "PATH": os.environ["PATH"], **environment}
        return run(GLASSTTY, "doctor", env=environment)

    def test_a_missing_holder(self):
        found = self.doctor(GLASSTTY_HOLDER="/nowhere/glasstty-holder")
        self.assertEqual(found.returncode, 1)
        self.assertRegex(found.stdout, r"BAD +holder +glasstty-holder is missing")

    def test_a_holder_without_its_x_bit(self):
        holder = pathlib.Path(self.folder.name, "glasstty-holder")
        holder.write_bytes(pathlib.Path(GLASSTTY).read_bytes()[:64])
        self.assertIn("chmod +x", self.doctor(GLASSTTY_HOLDER=str(holder)).stdout)

    def test_a_holder_for_another_processor(self):
        holder = pathlib.Path(self.folder.name, "glasstty-holder")
        header = bytearray(pathlib.Path(GLASSTTY).read_bytes()[:64])
        header[18] ^= 1
        holder.write_bytes(header)
        holder.chmod(0o755)
        self.assertIn("a different processor", self.doctor(GLASSTTY_HOLDER=str(holder)).stdout)

    def test_what_is_all_right(self):
        found = self.doctor(GLASSTTY_STATE_DIR=self.folder.name + "/state")
        self.assertNotIn("BAD  holder", found.stdout)
        self.assertIn("glasstty setup CLIENT", found.stdout)
        self.assertIn(os.path.realpath(GLASSTTY) + " mcp", found.stdout)


if __name__ == "__main__":
    GLASSTTY = os.path.abspath(sys.argv.pop(1))
    unittest.main()
