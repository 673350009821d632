"""Tests what `glasstty permit` answers to the hooks of clients, with their files of rules: fixtures/permit.

permit_test.py GLASSTTY
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

GLASSTTY = os.path.abspath(sys.argv.pop(1))
FIXTURES = pathlib.Path(__file__).resolve().parents[2] / "fixtures" / "permit"


class Permit(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.home = pathlib.Path(folder.name)
        (self.home / "project").mkdir()
        for name, path in {
            "claude-code.json": ".claude/settings.json",
            "codex.rules": ".codex/rules/default.rules",
            "opencode.json": ".config/opencode/opencode.json",
        }.items():
            (self.home / path).parent.mkdir(parents=True)
            shutil.copy(FIXTURES / name, self.home / path)

    def permit(self, client, text):
        environment = {"HOME": str(self.home), "PATH": "/usr/bin:/bin"}
        return subprocess.run(
            [GLASSTTY, "permit", "--client", client], input=text, capture_output=True, text=True, env=environment, cwd=self.home / "project"
        )

    def ask(self, client, tool, arguments, event="PreToolUse", **more):
        name = "glasstty_" if client == "opencode" else "mcp__glasstty__"
        hook = {"hook_event_name": event, "tool_name": name + tool, "tool_input": arguments, **more}
        done = self.permit(client, json.dumps(hook))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads(done.stdout) if done.stdout else None

    def decision(self, *arguments, **more):
        answer = self.ask("claude-code", *arguments, **more)
        if answer is None:
            return None
        answer = answer["hookSpecificOutput"]
        self.assertEqual(answer["hookEventName"], "PreToolUse")
        return answer["permissionDecision"]

    def test_claude_code_is_answered_with_the_command(self):
        answer = self.ask("claude-code", "term_run", {"command": "ls && git push"})
        self.assertEqual(
            answer["hookSpecificOutput"],
            {
                "hookEventName": "PreToolUse",
                "permissionDecision": "ask",
                "permissionDecisionReason": "term_run `ls && git push`: your rule Bash(git push:*) is about `git push`",
            },
        )
        self.assertEqual(self.decision("term_run", {"command": "ls"}), "allow")
        self.assertEqual(self.decision("term_open", {"argv": ["curl", "x"]}), "deny")
        self.assertEqual(self.decision("term_run", {"command": "whoami"}), "ask")

    def test_what_is_typed_is_judged_line_by_line(self):
        for expected, arguments in [
            ("deny", {"input": "ls\ncurl x\n"}),
            ("deny", {"input": ["curl x", "<Enter>"]}),
            ("deny", {"input": "curl x", "enter": True}),
            ("deny", {"input": "curl x"}),
            ("deny", {"input": ["cuXrl x", "<C-a><Right><Right><Del><Enter>"]}),
            ("deny", {"input": [{"text": "curl x\n"}]}),
            ("deny", {"input": [{"paste": "curl x\n"}]}),
            ("deny", {"input": [{"secret_env": "NO_SUCH"}, "curl x<Enter>"]}),
            ("ask", {"input": "git push\n"}),
            ("allow", {"input": "ls\n"}),
            (None, {"input": "y\n"}),
            (None, {"input": ["<Up>", "<Enter>"]}),
            (None, {"input": ["<NoSuchKey>"]}),
        ]:
            with self.subTest(arguments=arguments):
                self.assertEqual(self.decision("term_send", arguments), expected)
        answers = [{"when": "Sure", "input": "curl x\n"}]
        self.assertEqual(self.decision("term_run", {"command": "ls", "answers": answers}), "deny")

    def test_the_client_decides_about_other_calls(self):
        self.assertIsNone(self.decision("term_read", {"session": "main"}))
        self.assertIsNone(self.decision("term_open", {}))
        self.assertIsNone(self.ask("claude-code", "x", {"command": "curl x"}))

    def test_who_does_not_want_to_be_asked_is_not(self):
        for mode, command, expected in [
            ("bypassPermissions", "git push", None),
            ("bypassPermissions", "whoami", None),
            ("bypassPermissions", "curl x", "deny"),
            ("auto", "git push", "ask"),
            ("auto", "whoami", None),
            ("default", "whoami", "ask"),
        ]:
            with self.subTest(mode=mode, command=command):
                self.assertEqual(self.decision("term_run", {"command": command}, permission_mode=mode), expected)

    def test_a_tool_that_the_user_allows_is_not_asked_about(self):
        settings = {"permissions": {"allow": ["mcp__glasstty"], "deny": ["Bash(curl:*)"]}}
        (self.home / ".claude" / "settings.json").write_text(json.dumps(settings))
        self.assertIsNone(self.decision("term_run", {"command": "whoami"}))
        self.assertEqual(self.decision("term_run", {"command": "curl x"}), "deny")

    def test_a_broken_file_leads_to_a_question(self):
        (self.home / ".claude" / "settings.json").write_text("{")
        self.assertEqual(self.decision("term_run", {"command": "ls"}), "ask")

    def test_a_question_that_is_about_to_be_asked_can_be_answered(self):
        def decision(command):
            answer = self.ask("codex", "term_run", {"command": command}, event="PermissionRequest")
            return answer and answer["hookSpecificOutput"]["decision"]

        self.assertEqual(decision("git status"), {"behavior": "allow"})
        self.assertIsNone(decision("gh pr list"))
        self.assertIsNone(decision("whoami"))
        self.assertEqual(decision("rm x")["behavior"], "deny")
        self.assertIn("Use `trash` instead.", decision("rm x")["message"])

    def test_codex_is_only_told_to_refuse(self):
        for command, expected in [("git status", None), ("gh pr list", None), ("ls; rm x", "deny")]:
            answer = self.ask("codex", "term_run", {"command": command})
            self.assertEqual(answer and answer["hookSpecificOutput"]["permissionDecision"], expected, command)

    def test_opencode_gets_a_decision(self):
        for command, expected in [("git log", "allow"), ("npm test", "ask"), ("git push", "deny"), ("git log > x", "ask")]:
            answer = self.ask("opencode", "term_run", {"command": command})
            self.assertEqual(answer["decision"], expected, command)
            self.assertIn(f"`{command}`", answer["reason"])

    def test_mistakes_are_told(self):
        wrong = self.permit("emacs", "{}")
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("--client must be claude-code, codex or opencode, not 'emacs'", wrong.stderr)
        for text in ["", "[]", "{"]:
            wrong = self.permit("codex", text)
            self.assertNotEqual(wrong.returncode, 0)
            self.assertIn("stdin is not the JSON of a hook", wrong.stderr)


if __name__ == "__main__":
    unittest.main()
