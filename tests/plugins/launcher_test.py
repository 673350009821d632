"""Tests the launcher of the plugins: which glasstty it starts, and where."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

PLUGIN = pathlib.Path(__file__).resolve().parents[2] / "packaging/plugins/glasstty"


class Launcher(unittest.TestCase):
    def setUp(self):
        self.home = pathlib.Path(tempfile.mkdtemp()).resolve()
        self.addCleanup(shutil.rmtree, self.home)
        self.plugin = self.home / "plugin"
        shutil.copytree(PLUGIN, self.plugin)
        for folder in ("tools", "programs", "project"):
            (self.home / folder).mkdir()
        for tool in ("sh", "readlink", "dirname"):
            (self.home / "tools" / tool).symlink_to(shutil.which(tool))

    def install(self, name, script):
        path = self.home / "programs" / name
        path.write_text("#!/bin/sh\n" + script)
        path.chmod(0o755)

    def start(self, *words, cwd=None, path="programs", **variables):
        folders = [str(self.home / path), str(self.home / "tools")]
        return subprocess.run([self.plugin / "bin/glasstty", *words], cwd=cwd or self.home / "project", text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                              env={"HOME": str(self.home), "PATH": ":".join(folders), **variables})

    def needs_bare_system(self):
        if any(os.path.exists(f"/usr/{folder}bin/glasstty") for folder in ("", "local/")):
            self.skipTest("glasstty is installed on this machine")

    def test_it_starts_the_installed_program_with_its_arguments(self):
        self.install("glasstty", 'echo "$@"')
        self.assertEqual(self.start("mcp", "a b").stdout, "mcp a b\n")

    def test_it_finds_a_program_that_is_not_in_the_path(self):
        self.install("glasstty", "echo found")
        shutil.copytree(self.home / "programs", self.home / ".local/bin")
        self.assertEqual(self.start("mcp", path="nowhere").stdout, "found\n")

    def test_another_launcher_is_not_the_program(self):
        shutil.copytree(self.plugin, self.home / "older")
        self.install("glasstty", "echo found")
        done = self.start("mcp", path="older/bin", PATH=f"{self.home}/older/bin:{self.home}/programs:{self.home}/tools")
        self.assertEqual(done.stdout, "found\n")

    def test_without_a_program_it_starts_the_npm_package_of_its_version(self):
        self.needs_bare_system()
        self.install("npx", 'echo "$@"')
        self.assertRegex(self.start("mcp").stdout, r"^-y glasstty@\d+\.\d+\.\d+ mcp\n$")

    def test_without_either_it_says_so_and_hooks_are_silent(self):
        self.needs_bare_system()
        done = self.start("mcp")
        self.assertEqual(done.returncode, 127)
        self.assertIn("glasstty is not installed", done.stderr)
        self.assertIn("tell the user", self.start("hook", "start").stdout)
        done = self.start("hook", "wake")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_a_program_that_knows_no_hooks_is_not_asked(self):
        self.install("glasstty", '[ "$1" != hook ] || { echo "no command hook" >&2; exit 2; }')
        done = self.start("hook", "wake")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_program_is_asked_only_for_the_hooks_that_it_knows(self):
        self.install("glasstty", 'if [ "$2" = --help ]; then echo "start|wake"; else echo "$@"; fi')
        self.assertEqual(self.start("hook", "wake").stdout, "hook wake\n")
        done = self.start("hook", "permit")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_a_server_that_is_started_in_the_plugin_works_in_the_project(self):
        self.install("glasstty", "PWD= ; pwd -P 2>/dev/null || readlink /proc/self/cwd")
        told = self.start("mcp", cwd=self.plugin, CLAUDE_PROJECT_DIR=str(self.home / "project"))
        self.assertEqual(told.stdout.strip(), str(self.home / "project"))
        client = subprocess.run(
            ["/bin/sh", "-c", f"(cd {self.plugin} && exec {self.plugin}/bin/glasstty mcp); true"],
            cwd=self.home / "project", text=True, stdout=subprocess.PIPE, check=True,
            env={"HOME": str(self.home), "PATH": f"{self.home}/programs:{self.home}/tools"})
        self.assertEqual(client.stdout.strip(), str(self.home / "project"))


if __name__ == "__main__":
    unittest.main()
