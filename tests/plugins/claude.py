"""Claude Code with the plugin: installed as documented, it finds server and skill, its hooks speak, and it is woken."""
import json
import re
import urllib.request

from world import ROOT, check, eventually, has

TOOLS = "mcp__plugin_glasstty_glasstty"
ALLOWED = ["--allowedTools", f"{TOOLS},Bash"]


def install(world):
    for folder in (ROOT, ROOT / "packaging/plugins", ROOT / "packaging/plugins/glasstty"):
        has(world.run(world.claude, "plugin", "validate", "--strict", folder), "Validation passed")
    world.run(world.claude, "plugin", "install", "glasstty", "--marketplace", ROOT)
    has(world.run(world.claude, "plugin", "list"), "glasstty@glasstty", "enabled")


def server_skill_and_hints(world):
    """In one go: where the server works, what the model is told at the start, and the hint before a command."""
    world.run("glasstty", "open", "--name", "lent", "cat")
    world.model.start(("term_run", {"command": "pwd"}),
                      ("Bash", {"command": "sudo -u nobody id; true", "description": "a"}),
                      ("Bash", {"command": "sudo -u nobody true; true", "description": "b"}),
                      "All done.")
    has(world.run(world.claude, "-p", "begin", *ALLOWED), "All done.")
    last = world.model.with_tools()[-1]
    names = [tool["name"] for tool in last["tools"]]
    check(f"{TOOLS}__term_run" in names, names)
    check(not any("term_hook" in name for name in names), names)
    heard = world.model.heard()
    has(str(last), "glasstty:terminals", "the built-in shell is not enough")
    has(heard, "Open terminals (glasstty): lent (input: ", str(world.project))
    check(heard.count("sudo wants a terminal") == 1, f"the hint came {heard.count('sudo wants a terminal')} times")
    world.run("glasstty", "close", "lent")


def no_line_without_terminals(world):
    world.model.start("Hello.")
    world.run(world.claude, "-p", "begin", *ALLOWED)
    check("Open terminals" not in world.model.heard(), "there is a line although no terminal is open")


def stop(world):
    """An agent that ends its turn while a program asks is told once."""
    ask = "printf 'Overwrite? [y/N] '; read x"
    world.model.start(("term_open", {"name": "ask", "command": ask}), "I am done.", "I leave it.")
    has(world.run(world.claude, "-p", "begin", *ALLOWED), "I leave it.")
    heard = world.model.heard()
    said = 'session ask asks: "Overwrite? [y/N]"'
    check(heard.count(said) == 1, f"it was said {heard.count(said)} times in:\n{heard[-4000:]}")
    check(len(world.model.turns) == 3, "the turn went on more than once")


def silent(world):
    world.model.start(("term_open", {"name": "quiet", "command": "printf 'Sure? '; read x"}), "I am done.")
    has(world.run(world.claude, "-p", "begin", *ALLOWED, GLASSTTY_HOOKS="off"), "I am done.")
    has(world.model.heard(), "[quiet] input")
    check(len(world.model.turns) == 2, "a hook spoke although hooks are off")


def rules(world):
    """The user's rules for Bash apply to our tools, without anything to set up but the plugin."""
    file = world.home / ".claude/settings.json"
    old = file.read_text() if file.exists() else "{}"
    world.write(file, {**json.loads(old), "permissions": {
        "deny": ["Bash(touch *)"], "ask": ["Bash(mkdir *)"], "allow": ["Bash(printf *)"]}})
    calls = [("term_run", {"command": "touch denied"}), ("term_run", {"command": "mkdir asked"}),
             ("term_run", {"command": "printf 'it is %s' 42"}), ("term_open", {"name": "d", "argv": ["touch", "denied"]})]
    world.model.start(*calls, "All done.")
    # Only the rules allow a tool here, and nobody can be asked.
    has(world.run(world.claude, "-p", "begin"), "All done.")
    heard = world.model.heard()
    has(heard, "your rule Bash(touch *) is about `touch denied`", "it is 42")
    made = [path.name for path in world.project.iterdir()]
    check("denied" not in made and "asked" not in made, f"it was run: {made}")
    # The tool is allowed, and the rules still refuse and ask.
    world.model.start(*calls, "All done.")
    has(world.run(world.claude, "-p", "begin", *ALLOWED), "All done.")
    made = [path.name for path in world.project.iterdir()]
    check("denied" not in made and "asked" not in made, f"it was run: {made}")
    # A setting switches this off.
    world.model.start(*calls, "All done.")
    has(world.run(world.claude, "-p", "begin", *ALLOWED, GLASSTTY_CLIENT_RULES="off"), "All done.")
    made = [path.name for path in world.project.iterdir()]
    check("denied" in made and "asked" in made, f"it was not run: {made}")
    world.write(file, old)


def open_client(world, **variables):
    """Starts Claude Code as a person does, with all that it asks at the first start answered."""
    world.write(world.home / ".claude.json", {
        **json.loads((world.home / ".claude.json").read_text()),
        "hasCompletedOnboarding": True, "theme": "dark", "customApiKeyResponses": {"approved": ["dummy"], "rejected": []},
        "projects": {str(world.project): {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}}})
    world.open(world.claude, "--permission-mode", "default", *ALLOWED, **variables)
    eventually(lambda: "❯" in world.screen(), "Claude Code is ready")
    # If the server connects only during a turn, Claude Code holds replies back until the hook ends (docs/plugins.md).
    eventually(lambda: any("glasstty-relay" in line and str(world.state) in line
                           for line in world.run("ps", "-eo", "args").splitlines()), "the server is connected")


def woken(world):
    """An agent that has ended its turn is woken when a program asks, and when a command ends."""
    wait = f"until [ -e {world.home}/%s ]; do sleep 0.1; done; "
    world.model.start(
        ("term_open", {"name": "job", "timeout_s": 1, "until": {"text": "never"},
                       "command": wait % "ask" + "printf 'Overwrite? [y/N] '; read x"}),
        "I go to sleep.",
        ("term_send", {"session": "job", "input": ["y<Enter>"]}),
        ("term_run", {"timeout_s": 1, "command": wait % "end" + "false"}),
        "I sleep again.",
        "I am awake.")
    open_client(world)
    world.type("begin<Enter>")
    eventually(lambda: "I go to sleep." in world.screen(), "the first turn ends")
    world.write(world.home / "ask", "")
    eventually(lambda: 'session job asks: "Overwrite? [y/N]"' in world.model.heard(), "it is woken by the question")
    eventually(lambda: "I sleep again." in world.screen(), "the second turn ends")
    world.write(world.home / "end", "")
    eventually(lambda: "session main is at its prompt: the command" in world.model.heard(), "it is woken by the end")
    has(world.model.heard(), "has ended, exit=1")
    eventually(lambda: "I am awake." in world.screen(), "the third turn ends")
    check(len(world.model.turns) == 6, f"{len(world.model.turns)} turns instead of 6")


def woken_by_a_wait(world):
    """Without hooks, a wait in the background wakes the agent; its exit status says why."""
    wait = f"until [ -e {world.home}/question ]; do sleep 0.1; done; "
    world.model.start(
        ("term_open", {"name": "slow", "timeout_s": 1, "until": {"text": "never"}, "command": wait + "printf 'Sure? '; read x"}),
        ("Bash", {"command": "glasstty wait slow --state input,secret,prompt,exited", "run_in_background": True,
                  "description": "wait"}),
        "I go to sleep.",
        "I am awake.")
    open_client(world, GLASSTTY_HOOKS="off")
    world.type("begin<Enter>")
    eventually(lambda: "I go to sleep." in world.screen(), "the first turn ends")
    world.write(world.home / "question", "")
    eventually(lambda: "I am awake." in world.screen(), "it is woken")
    has(world.model.heard(), "exit code 10")
    world.close_client()


ASKS = "read -rsp 'Passphrase: ' p; echo; echo got ${#p}; cat"
ASKED = ("term_wait", {"session": "vault", "until": {"person": "gone"}, "ask": "the passphrase", "timeout_s": 45})


def secret_without_a_user(world):
    """A client without a user closes the question at once, and the agent is told what else can be done."""
    world.model.start(("term_open", {"name": "vault", "command": ASKS}), ASKED, "I am done.",
                      "I leave it.")  # once it is reminded of what asks
    has(world.run(world.claude, "-p", "begin", *ALLOWED), "I leave it.")
    has(world.model.heard(), "lets the user type it unseen", "reason=dismissed", "glasstty secret vault")
    world.run("glasstty", "close", "vault")


def type_on_page(link, secret):
    """Does what the script of the page for one secret does."""
    address, token = link.split("/#")
    key = None

    def post(action, body):
        headers = {"Content-Type": "application/json", "Origin": address}
        if key:
            headers["Authorization"] = f"Bearer {key}"
        request = urllib.request.Request(f"{address}/api/{action}", json.dumps(body).encode(), headers)
        with urllib.request.urlopen(request) as reply:
            return json.loads(reply.read())

    key = post("enter", {"token": token})["key"]
    eventually(lambda: post("look", {})["state"] == "asks", "the page knows who asks")
    post("secret", {"text": secret, "asks": post("look", {})["asks"]})
    eventually(lambda: post("look", {})["state"] == "typed", "the secret is typed")


def secret_by_link(world):
    """The person is shown a link, types the secret on its page, and says so; the model sees neither."""
    world.model.start(("term_open", {"name": "vault", "command": ASKS}), ASKED, "I have been told.")
    open_client(world)
    world.type("begin<Enter>")
    link = re.compile(r"http://127\.0\.0\.1:\d+/#[0-9a-f]{32}")
    eventually(lambda: link.search(world.screen()), "the link is shown")
    shown = world.screen()
    has(shown, "Passphrase:", "vault", "I'm done")
    type_on_page(link.search(shown)[0], "correct horse 4711")
    world.type("<Right>")
    eventually(lambda: "❯ I'm done" in world.screen(), "the answer is chosen")
    world.type("<Enter>")
    eventually(lambda: "I have been told." in world.screen(), "the turn ends")
    heard = world.model.heard()
    has(heard, "a person typed the secret; it is in no log and no reply")
    check("correct horse" not in heard and not link.search(heard), "the model has seen what it must not see")
    has(world.run("glasstty", "read", "vault"), "got 18")
    world.close_client()


TRIALS = [install, no_line_without_terminals, server_skill_and_hints, rules, stop, silent, secret_without_a_user, secret_by_link,
          woken_by_a_wait, woken]
