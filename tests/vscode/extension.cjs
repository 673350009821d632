// The extension in a real VS Code, as a person and an agent there use it.
//
//     node extension.cjs FOLDER [PICTURES]
//
// FOLDER has glasstty.vsix and probe.vsix. Each step leaves a picture in the
// folder PICTURES. `./dev vscode test` installs what this needs.
"use strict";
const {execFileSync, spawnSync} = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const {Person} = require("./person.cjs");
const {SETTINGS, Workbench, check, filesWith, until} = require("./workbench.cjs");

const [folder, pictures] = process.argv.slice(2);
const SECRET = "correct horse 4711";
const NOWHERE = "/nowhere/glasstty";

// Runs the program that came with the extension.
function glasstty(workbench, ...words) {
  return execFileSync(workbench.program, words, {env: workbench.env, encoding: "utf8"});
}

// Returns the processes whose program lies in the folder and has this name.
function processes(folder, name) {
  const runs = (pid) => {
    try {
      const program = fs.readlinkSync(`/proc/${pid}/exe`);
      return program.startsWith(folder + "/") && path.basename(program) === name;
    } catch {
      return false;
    }
  };
  return fs.readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && runs(pid)).map(Number);
}

function answer(workbench, session, secret) {
  execFileSync(workbench.program, ["secret", session], {env: workbench.env, input: secret + "\n", stdio: ["pipe", "ignore", "inherit"]});
}

async function isTold(workbench, person) {
  check(await person.shows(person.toast(`names '${NOWHERE}', which is not a program`)), "a wrong path is reported");
  check(await person.shows(person.toast(NOWHERE).getByText("Open Settings")), "with the way to the setting");
  await person.openView();
  check(await person.shows(person.page.getByText("The glasstty program was not found")), "the view says so, too");
  await person.picture("1-missing");
  check((await person.window.probe.ask("servers")).length === 0, "and no server is offered");
}

async function isOld(workbench, person) {
  const old = path.join(workbench.root, "old");
  fs.writeFileSync(old, "#!/bin/sh\necho \"ls: unknown option --follow\" >&2\nexit 2\n", {mode: 0o755});
  await person.window.probe.ask("set", {setting: "glasstty.path", value: old});
  check(await person.shows(person.toast(`${old} is too old for this extension`)), "a program that is too old is reported");
}

async function isOffered(workbench, person) {
  await person.window.probe.ask("set", {setting: "glasstty.path"});
  const server = await until(
      async () => (await person.window.probe.ask("servers")).find(({command}) => command.startsWith(workbench.extensions)),
      "the server in the extension is offered");
  workbench.program = server.command;
  check(server.label === "glasstty", "the server in the extension is offered without configuration");
  check(await person.shows(person.page.getByText("There are no sessions")), "the view is there, without sessions");
  await person.clearToasts();
  const tools = await person.window.tools();
  check(tools.length >= 9, `agents have its tools: ${tools.length}`);
  const reply = await person.window.call("term_run", {command: "pwd; echo in-$((40+2))"});
  check(reply.includes("in-42") && reply.includes(workbench.project), "they work, in the folder that is open");
  check(await person.sees("main", "agent"), "the view lists the session, and who uses it");
}

async function asksForSecret(workbench, person) {
  await person.window.call("term_open", {
    name: "login", command: "read -rs -p 'Password for db: ' x; echo; echo got ${#x}; cat"});
  check(await person.sees("login", "asks for a secret"), "a session that asks for a secret says so");
  const toast = person.toast("login asks for a secret: Password for db:");
  check(await person.shows(toast), "a notification asks for it, with the program's question");
  check(await until(() => person.mark("login").then((mark) => mark === '"!"'), "the badge"), "its row has a badge");
  const badge = person.page.locator(".activitybar .action-item").filter({has: person.page.getByLabel(/glasstty/)})
      .locator(".badge-content");
  check((await badge.innerText()) === "1", "and so has the view");
  await person.picture("2-secret");
  await toast.getByText("Type It...").click();
  const box = person.page.locator(".quick-input-widget input");
  await box.fill(SECRET);
  check((await box.getAttribute("type")) === "password", "what is typed into the box is masked");
  await person.picture("3-masked");
  await box.press("Enter");
  await until(() => glasstty(workbench, "tail", "login").includes(`got ${SECRET.length}`), "the program has the secret");
  check(await person.sees("login", "input"), "the program goes on with it");
  const held = filesWith(SECRET, workbench.state, workbench.profile, workbench.home);
  check(held.length === 0, `the secret is in no file ${held}`);
}

// Somebody else answers while the person is typing.
async function isForOneQuestion(workbench, person) {
  await person.window.call("term_open", {
    name: "two", command: "read -rs -p 'First: ' a; echo; read -rs -p 'Second: ' b; echo; echo \"($a) ($b)\"; cat"});
  await person.choose("two", "Type a Secret");
  const box = person.page.locator(".quick-input-widget input");
  await person.shows(person.page.locator(".quick-input-widget").filter({hasText: "First:"}));
  await box.fill("half");
  answer(workbench, "two", "one");
  await until(() => glasstty(workbench, "tail", "two").includes("Second:"), "the next question");
  await box.press("Enter");
  check(await person.shows(person.toast("two asks for something else by now")), "a secret is not typed at the next question");
  await person.choose("two", "Type a Secret");
  await person.shows(person.page.locator(".quick-input-widget").filter({hasText: "Second:"}));
  answer(workbench, "two", "other");
  check(await person.shows(person.toast("two does not ask for a secret any more")), "the box closes when the question is over");
  check(glasstty(workbench, "tail", "two").includes("(one) (other)"), "the program has only the answers that were meant");
  await person.clearToasts();
  glasstty(workbench, "close", "two", "--force");
  // Its row leaves the view, and others move to its place.
  await person.row("two").waitFor({state: "detached"});
}

async function opensTerminal(workbench, person) {
  await person.window.call("term_run", {command: "echo seen-by-$((1+1))"});
  await person.row("main").click();
  check(await person.shows(person.terminal("seen-by-2")), "a click opens the session in a terminal");
  await person.picture("4-terminal");
  await person.choose("main", "Take Over");
  check(await person.sees("main", "you have the keyboard"), "the person takes over");
  const refused = await person.window.call("term_run", {session: "main", command: "echo torn"});
  check(refused.includes("a person has the keyboard"), "the agent's input is refused");
  await person.picture("5-taken");
  await person.choose("main", "Hand Back");
  check(await person.sees("main", "agent"), "the person hands back");
  const reply = await person.window.call("term_run", {session: "main", command: "echo and-on"});
  check(reply.includes("and-on"), "the agent goes on");
}

// The editor starts a terminal in one size and gives it another at once.
async function watches(workbench, person) {
  await person.window.call("term_open", {name: "drawn", command: "for i in $(seq 39); do echo row-$i-$(printf %0100d 7)-end; done; cat"});
  await person.choose("drawn", "Watch Session in Editor");
  const rows = person.page.locator(".editor-instance .xterm-rows");
  check(await person.shows(rows.filter({hasText: "watching"})), "a session is watched in an editor");
  // Complete rows in order, and one line below them.
  const shown = await until(async () => {
    const lines = (await rows.innerText()).split("\n").map((line) => line.replaceAll("\u00a0", " ").trimEnd()).filter(Boolean);
    return lines.at(-1)?.includes("drawn") && lines;
  }, "the line at the bottom");
  const numbers = shown.slice(0, -1).map((line) => Number(/^row-(\d+)-0/.exec(line)?.[1]));
  check(numbers.length > 10 && numbers.every((number, i) => number === numbers[0] + i), `its rows are whole and in order: ${numbers}`);
  await person.picture("6-watched");
  await person.window.probe.ask("run", {command: "workbench.action.closeAllEditors"});
  glasstty(workbench, "close", "drawn", "--force");
}

async function isAsked(workbench, person) {
  const waiting = person.window.call("term_wait", {
    session: "main", until: {person: "gone"}, ask: "look at the colours", timeout_s: 60});
  const toast = person.toast("The agent asks you in main: look at the colours");
  check(await person.shows(toast), "a notification says what an agent asks for");
  check(await person.sees("main", "asks: look at the colours"), "and so does the row");
  await person.picture("6-asked");
  await person.choose("main", "Take Over");
  check(await person.sees("main", "you have the keyboard"), "the person comes");
  await person.choose("main", "Hand Back");
  const told = await waiting;
  check(told.includes("handed back"), `the agent knows that the person has been there: ${told.split("\n")[0]}`);
}

async function lends(workbench, person) {
  const name = path.basename(workbench.project);
  await person.page.locator(".sidebar").getByRole("button", {name: "New Session to Lend"}).click();
  check(await person.sees(name, "you have the keyboard"), "a session of the person's own opens, named like the folder");
  await person.page.keyboard.type("x=lent-$((40+3)); echo $x\n");
  check(await person.shows(person.terminal("lent-43")), "the person works in it");
  await person.picture("7-lent");
  await person.choose(name, "Hand Back");
  check(await person.sees(name, "agent"), "and hands it over");
  const reply = await person.window.call("term_run", {session: name, command: "echo it is $x"});
  check(reply.includes("it is lent-43"), "the agent works on in it");
}

async function ends(workbench, person) {
  await person.choose("login", "End Session");
  await person.page.locator(".monaco-dialog-box .monaco-button").filter({hasText: "End It"}).click();
  await person.row("login").waitFor({state: "detached"});
  check(!glasstty(workbench, "ls").includes("login"), "a session is ended from its menu");
}

async function tracesIt(workbench, person) {
  await person.choose("main", "Show Trace");
  const tab = person.tab();
  check(await person.shows(tab.locator("#command-list").getByText("echo and-on")), "the trace is a tab, with the session's commands");
  check(await person.shows(tab.locator("#rows").getByText("and-on")), "and its screen");
  check(await person.shows(person.page.getByRole("tab", {name: "main (trace)"})), "the tab has the session's name");
  for (const theme of ["light", "dark"]) {
    await person.useTheme(theme);
    check(await person.shows(tab.locator(`html${theme === "light" ? ".light" : ":not(.light)"}`)), `it is ${theme} as the editor is`);
  }
  await person.picture("8-trace");
  const [server] = processes(workbench.extensions, "glasstty-view");
  process.kill(server);
  await person.window.call("term_run", {session: "main", command: "echo back-again"});
  check(await person.shows(tab.locator("#command-list").getByText("echo back-again")), "it comes back when its page has died");
}

// A password prompt is on the screen, and a shell is in the middle of something.
async function reloads(workbench, person) {
  await person.window.call("term_run", {session: "main", command: "kept=here-$((40+2))"});
  await person.window.call("term_open", {name: "sudo", command: "read -rs -p 'Password again: ' x; echo got ${#x}; cat"});
  check(await person.shows(person.toast("Password again:")), "a second secret is asked for");
  await person.window.reload();
  check(await person.shows(person.toast("sudo asks for a secret: Password again:")), "after a reload it is asked for again");
  check(await person.sees("main", "prompt"), "and the view lists the sessions");
  check(await person.shows(person.tab().locator("#command-list").getByText("echo and-on")), "the trace is there again");
  await person.window.tools();
  const reply = await person.window.call("term_run", {session: "main", command: "echo $kept"});
  check(reply.includes("here-42"), `the agent goes on in its sessions: ${reply.split("\n")[0]}`);
}

// More of a name than the view can show, and an end that nobody asked for.
async function endsByItself(workbench, person) {
  const name = "a-very-long-name-of-a-session-that-nobody-would-choose-0123456";
  await person.window.call("term_open", {name, command: "read -r line"});
  await person.row(name).click();
  const short = person.page.locator(".tabs-list, .single-terminal-tab").getByText(name.slice(0, 31) + "…");
  check(await person.shows(short), "a session with a long name opens, under a name that leaves room for others");
  await person.picture("9-long");
  await person.window.call("term_send", {session: name, input: "x", enter: true});
  await person.row(name).waitFor({state: "detached"});
  check(true, "a session that has ended leaves the view");
}

async function main() {
  const workbench = new Workbench(SETTINGS, {"glasstty.path": NOWHERE});
  workbench.project = workbench.folder("project");
  workbench.install(path.join(folder, "glasstty.vsix"), path.join(folder, "probe.vsix"));
  const started = Date.now();
  let person;
  try {
    await workbench.start("--disable-workspace-trust");
    person = new Person(await workbench.open(workbench.project), pictures);
    for (const step of [isTold, isOld, isOffered, asksForSecret, isForOneQuestion, opensTerminal, watches, isAsked, lends, ends, tracesIt, reloads, endsByItself]) {
      await step(workbench, person);
    }
  } catch (error) {
    await person?.picture("failed");
    throw error;
  } finally {
    await workbench.stop();
    if (workbench.program) spawnSync(workbench.program, ["serve", "--stop"], {env: workbench.env});
  }
  workbench.remove();
  console.log(`all of it in ${Math.round((Date.now() - started) / 1000)} s`);
}

main().then(() => process.exit(0), (error) => {
  console.error(`vscode: ${error.stack}`);
  process.exit(1);
});
