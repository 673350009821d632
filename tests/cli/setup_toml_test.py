"""`glasstty setup codex` and its removal with every way in which TOML can write the table of servers. The judge is
Python's own reader of TOML: whatever is written, Codex can read it, and nothing else in it has changed. A file that cannot
be edited is refused and stays as it is.

    setup_toml_test.py GLASSTTY
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import tomllib
import unittest

GLASSTTY = str(pathlib.Path(sys.argv.pop(1)).resolve())

OURS = '[mcp_servers.glasstty]\ncommand = "old"\nargs = ["x"]\n'
# Files that are edited. All have other contents, which must stay.
EDITED = {
    "empty": "",
    "no servers": 'model = "o"\n[tui]\nx = 1\n',
    "another server": '[mcp_servers.other]\ncommand = "a"\n',
    "another server in one line": '[mcp_servers]\nother = { command = "a" }\n',
    "another server in dots": '[mcp_servers]\nother.command = "a"\n',
    "another server in dots from the root": 'mcp_servers.other.command = "a"\n[tui]\nx = 1\n',
    "ours": OURS,
    "ours with quotes": '[ mcp_servers . "glasstty" ] # ours\n"command" = \'old\'\n',
    "ours with apostrophes": "['mcp_servers'.'glasstty']\ncommand = 'a'\n",
    "ours before others": OURS + 'env = { A = "1" }\n\n[mcp_servers.glasstty.tools]\nx = 1\n\n[tui]\ny = 2\n',
    "only a table below ours": '[mcp_servers.glasstty.env]\nA = "1"\n',
    "arguments on several lines": '[mcp_servers.glasstty]\nargs = [ # don\'t\n  "x", # ]\n] # end\ncommand = "a" # b\n',
    "a list of tables": '[[x]]\na = 1\n\n[mcp_servers . glasstty]\ncommand="old"\n',
    "a long string": 'a = """\n[mcp_servers.glasstty]\ncommand = "x"\n"""\n',
    "a long string with quotes": "a = '''it's\n[mcp_servers.glasstty]'''\nb = \"\\\"\"\n",
    "a key that looks like a table": '"mcp_servers.glasstty" = 1\n["mcp_servers.glasstty2"]\ncommand = "x"\n',
    "a server at an address": '[mcp_servers.glasstty]\nurl = "http://x"\n[mcp_servers.glasstty.http_headers]\nA = "1"\n',
    "line ends of Windows": '[mcp_servers.other]\r\ncommand = "a"\r\n',
    "no line end": '[mcp_servers.glasstty]\ncommand = "old"',
}
# Files to which a table cannot be added, and what stays of them after --remove; None: that is refused, too.
REFUSED = {
    'mcp_servers = { other = { command = "a" } }\n': 'mcp_servers = { other = { command = "a" } }\n',
    'mcp_servers = { glasstty = { command = "a" } }\n': None,
    '[mcp_servers]\nglasstty = { command = "old", args = ["x"] }\nother = { command = "a" }\n':
        '[mcp_servers]\nother = { command = "a" }\n',
    'mcp_servers.glasstty.command = "old"\nx = 1\n': "x = 1\n",
    '[mcp_servers]\nglasstty.command = "old"\nglasstty.args = [\n  "x",\n]\n': "[mcp_servers]\n",
    '[mcp_servers]\n"glasstty" . command = "old"\n': "[mcp_servers]\n",
    "[[mcp_servers]]\nx = 1\n": "[[mcp_servers]]\nx = 1\n",
}


class Toml(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.file = pathlib.Path(self.folder.name) / "config.toml"

    def tearDown(self):
        self.folder.cleanup()

    def setup_codex(self, *more):
        return subprocess.run([GLASSTTY, "setup", "codex", "--yes", "--server-only", "--file", self.file, *more],
                              capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60,
                              env={**os.environ, "HOME": self.folder.name})

    def read(self):
        return tomllib.loads(self.file.read_bytes().decode())

    @staticmethod
    def others(document):
        servers = {key: value for key, value in document.get("mcp_servers", {}).items() if key != "glasstty"}
        return {**{key: value for key, value in document.items() if key != "mcp_servers"}, **servers}

    def test_whatever_is_written_can_be_read_and_has_one_entry(self):
        for name, text in EDITED.items():
            with self.subTest(name):
                self.file.write_bytes(text.encode())
                before = self.read()
                self.assertEqual(self.setup_codex().returncode, 0)
                after = self.read()
                entry = after["mcp_servers"]["glasstty"]
                self.assertEqual(entry["command"], GLASSTTY)
                self.assertEqual(entry["args"], ["mcp"])
                self.assertFalse({"url", "http_headers"} & entry.keys())
                self.assertEqual(self.others(after), self.others(before))
                self.assertEqual(self.setup_codex("--remove").returncode, 0)
                gone = self.read()
                self.assertNotIn("glasstty", gone.get("mcp_servers", {}))
                self.assertEqual(self.others(gone), self.others(before))

    def test_what_cannot_be_edited_is_refused_and_stays(self):
        for text, left in REFUSED.items():
            with self.subTest(text):
                self.file.write_text(text)
                refused = self.setup_codex()
                self.assertNotEqual(refused.returncode, 0)
                self.assertIn("nothing was changed", refused.stderr)
                self.assertRegex(refused.stderr, r"line \d defines mcp_servers")
                self.assertEqual(self.file.read_text(), text)
                removed = self.setup_codex("--remove")
                self.assertEqual(removed.returncode == 0, left is not None, removed.stderr)
                self.assertEqual(self.file.read_text(), text if left is None else left)
                self.read()

    def test_a_byte_order_mark_stays(self):
        self.file.write_bytes(b'\xef\xbb\xbf[mcp_servers.glasstty]\ncommand = "old"\n')
        self.assertEqual(self.setup_codex().returncode, 0)
        text = self.file.read_bytes()
        self.assertTrue(text.startswith(b"\xef\xbb\xbf["))
        self.assertEqual(text.count(b"[mcp_servers.glasstty]"), 1)


if __name__ == "__main__":
    unittest.main()
