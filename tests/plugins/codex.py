"""Codex with the plugin: installed as documented, it finds server and skill, and its hooks speak."""
from world import ROOT, check, has

# Without this, hooks are silent until their user has looked at them.
EXEC = ["codex", "exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust"]
CONFIGURATION = """model = "mock"
model_provider = "mock"
approval_policy = "never"
sandbox_mode = "danger-full-access"
%s
[model_providers.mock]
name = "mock"
base_url = "%s/v1"
wire_api = "responses"
"""


def install(world):
    world.run("codex", "plugin", "marketplace", "add", ROOT)
    world.run("codex", "plugin", "add", "glasstty@glasstty")
    has(world.run("codex", "mcp", "list"), "glasstty", "enabled")
    file = world.home / ".codex/config.toml"
    world.write(file, CONFIGURATION % (file.read_text(), world.model.address))


def server_skill_and_hints(world):
    world.run("glasstty", "open", "--name", "lent", "cat")
    world.model.start(("term_run", {"command": "pwd"}), ("exec_command", {"cmd": "sudo -u nobody id; true"}), "All done.")
    has(world.run(*EXEC, "begin"), "All done.")
    heard = world.model.heard()
    has(heard, str(world.project), "Open terminals (glasstty): lent (input: ", "sudo wants a terminal")
    has(str(world.model.with_tools()[-1]), "term_run", "the built-in shell is not enough")
    check("term_hook" not in str(world.model.with_tools()[-1]["tools"]), "the hidden tool is in the list")
    world.run("glasstty", "close", "lent")


def stop(world):
    ask = "printf 'Overwrite? [y/N] '; read x"
    world.model.start(("term_open", {"name": "ask", "command": ask}), "I am done.", "I leave it.")
    has(world.run(*EXEC, "begin"), "I leave it.")
    said = 'session ask asks: "Overwrite? [y/N]"'
    check(world.model.heard().count(said) == 1, f"it was said {world.model.heard().count(said)} times")
    check(len(world.model.turns) == 3, "the turn went on more than once")


def rules(world):
    """Our tools are refused what the user's rules forbid."""
    world.write(world.home / ".codex/rules/default.rules", 'prefix_rule(pattern = ["touch"], decision = "forbidden")\n')
    world.model.start(("term_run", {"command": "touch denied"}), ("term_run", {"command": "echo it is $((6*7))"}), "All done.")
    has(world.run(*EXEC, "begin"), "All done.")
    has(world.model.heard(), "is about `touch denied`", "it is 42")
    check(not (world.project / "denied").exists(), "it was run")


TRIALS = [install, server_skill_and_hints, rules, stop]
