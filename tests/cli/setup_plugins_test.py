"""What `glasstty setup`, its removal and `doctor` do with clients that have plugins. The clients are scripts that keep a
record as the real ones do; ./dev plugins tries the real ones.

    setup_plugins_test.py GLASSTTY
"""
import json
import os
import pathlib
import pty
import shutil
import subprocess
import sys
import tempfile
import unittest

GLASSTTY = pathlib.Path(sys.argv.pop(1)).resolve()

# The client's record of its plugins, and what stands in it.
RECORDS = {
    "claude": (".claude/plugins/installed_plugins.json", '{"plugins": {"glasstty@glasstty": []}}'),
    "codex": (".codex/config.toml", '[plugins."glasstty@glasstty"]\nenabled = true\n'),
    "gemini": (".gemini/extensions/glasstty/.gemini-extension-install.json", '{"source": "/x", "type": "link"}'),
}
CLIENT = """#!/bin/sh
echo "{name} $*" >> "$HOME/log"
case "$*" in
  *" add "*|*" install "*|*" link "*) mkdir -p "$(dirname "$HOME/{record}")"; echo '{text}' > "$HOME/{record}" ;;
  *remove*|*uninstall*) rm -f "$HOME/{record}" ;;
esac
"""
ONLINE = "glasstty/glasstty"


class Plugins(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.home = pathlib.Path(folder.name).resolve()
        self.bin = self.home / "here/bin"
        self.bin.mkdir(parents=True)
        self.program = shutil.copy(GLASSTTY, self.bin / "glasstty")
        for name, (record, text) in RECORDS.items():
            path = self.bin / name
            path.write_text(CLIENT.format(name=name, record=record, text=text))
            path.chmod(0o755)

    def run_glasstty(self, *words):
        done = subprocess.run([self.program, *words], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60,
                              env={"HOME": str(self.home), "PATH": f"{self.bin}:/usr/bin:/bin"}, cwd=self.home)
        return done.stdout + done.stderr

    def log(self):
        path = self.home / "log"
        lines = path.read_text().splitlines() if path.exists() else []
        path.unlink(missing_ok=True)
        return lines

    def place_plugins(self):
        folder = self.home / "here/share/glasstty/plugins"
        (folder / "glasstty").mkdir(parents=True)
        return folder

    def test_a_folder_of_plugins_beside_the_program_is_preferred_to_the_network(self):
        folder = self.place_plugins()
        self.run_glasstty("setup", "claude-code", "--yes")
        self.assertEqual(self.log(), [f"claude plugin marketplace add {folder}", "claude plugin install glasstty@glasstty"])
        self.run_glasstty("setup", "codex", "--yes")
        self.assertEqual(self.log(), [f"codex plugin marketplace add {folder}", "codex plugin add glasstty@glasstty"])
        self.run_glasstty("setup", "gemini", "--yes")
        self.assertEqual(self.log(), [f"gemini extensions link {folder}/glasstty --consent"])

    def test_without_that_folder_the_plugin_comes_from_the_network_or_only_the_server_is_added(self):
        self.run_glasstty("setup", "claude-code", "--yes")
        self.assertEqual(self.log()[0], f"claude plugin marketplace add {ONLINE}")
        said = self.run_glasstty("setup", "gemini", "--yes")
        self.assertEqual(self.log(), [])
        self.assertIn("There is no folder of plugins beside this program, so only the server is added", said)
        settings = json.loads((self.home / ".gemini/settings.json").read_text())
        self.assertEqual(settings["mcpServers"]["glasstty"]["command"], str(self.program))

    def test_a_file_that_changed_while_the_user_was_asked_gets_the_entry_nevertheless(self):
        settings = self.home / ".cursor/mcp.json"
        settings.parent.mkdir()
        settings.write_text('{"mcpServers": {"glasstty": {"command": "old"}}}')
        person, terminal = pty.openpty()
        self.addCleanup(os.close, person)
        process = subprocess.Popen([self.program, "setup", "cursor"], stdin=terminal, stdout=subprocess.PIPE, text=True,
                                   env={"HOME": str(self.home), "PATH": f"{self.bin}:/usr/bin:/bin"}, cwd=self.home)
        self.addCleanup(process.stdout.close)
        os.close(terminal)
        said = ""
        while not said.endswith("[y/N] "):
            letter = process.stdout.read(1)
            self.assertTrue(letter, said)
            said += letter
        settings.write_text('{"mcpServers": {"glasstty": {"command": "old"}}, "theme": "dark"}')
        os.write(person, b"y\n")
        process.stdout.read()
        self.assertEqual(process.wait(timeout=60), 0)
        changed = json.loads(settings.read_text())
        self.assertEqual(changed["mcpServers"]["glasstty"]["command"], str(self.program))
        self.assertEqual(changed["theme"], "dark")

    def test_an_extension_is_known_to_doctor_and_to_setup_and_can_be_removed(self):
        self.place_plugins()
        self.run_glasstty("setup", "gemini", "--yes")
        self.log()
        self.assertIn("Gemini CLI: the plugin", self.run_glasstty("doctor"))
        self.assertIn("already has glasstty", self.run_glasstty("setup", "gemini", "--yes"))
        self.assertFalse((self.home / ".gemini/settings.json").exists(), "a second server")
        self.run_glasstty("setup", "gemini", "--remove", "--yes")
        self.assertEqual(self.log(), ["gemini extensions uninstall glasstty"])
        self.assertIn("does not have glasstty", self.run_glasstty("setup", "gemini", "--remove", "--yes"))

    def test_an_extension_beside_an_entry_is_a_second_server(self):
        self.run_glasstty("setup", "gemini", "--yes", "--server-only")
        record, text = RECORDS["gemini"]
        (self.home / record).parent.mkdir(parents=True)
        (self.home / record).write_text(text)
        self.assertIn("starts a second server: glasstty setup gemini removes it", self.run_glasstty("doctor"))
        self.run_glasstty("setup", "gemini", "--yes")
        self.assertNotIn("glasstty", (self.home / ".gemini/settings.json").read_text())


if __name__ == "__main__":
    unittest.main()
