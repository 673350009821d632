// The picture of the page that the documents show: an editor in which an agent
// works, with its calls, beside sessions of all kinds.
//
//     node portrait.cjs BUILD FILE
"use strict";
const {inWorld, run} = require("./person.cjs");

const [build, file] = process.argv.slice(2);
const SHELL = {argv: ["bash", "--norc"], env: {PS1: "\\[\\e[32m\\]\\w\\[\\e[m\\] $ "}, cwd: "/usr/share"};

run("portrait", () => inWorld(build, "portrait", async ({agent, person}) => {
  const open = (name, args) => agent.call("term_open", {name, rows: 30, cols: 100, ...args});
  await open("build", SHELL);
  await open("deploy", {argv: ["bash", "-c", "echo 'Connecting to db ...'; read -sp 'Passphrase of the key: ' p; exec cat"]});
  await open("monitor", {argv: ["htop"], cwd: "/usr/share"});
  await open("editor", {argv: ["vim", "--clean", "-n", "/etc/services"], cwd: "/etc"});
  const command = (text) => agent.call("term_run", {session: "build", command: text});
  await command("cat /etc/os-release");
  await command("ls --color=always /var");
  await command("sleep 1.2; test -f missing.txt");
  await command("grep --color=always -n root /etc/passwd");
  await agent.call("term_search", {session: "build", regex: "VERSION"});
  await agent.call("term_send", {session: "build", input: ["for i in $(seq 1 5); do echo \"[$i/5] compiling part $i\"; sleep 0.4; done<Enter>"], until: {text: "[5/5]"}});
  agent.call("term_wait", {session: "build", until: {person: "gone"}, ask: "the signing key is on your stick: plug it in, please", timeout_s: 100});
  await person.page.setViewport({width: 1280, height: 760, deviceScaleFactor: 1});
  await person.choose("build");
  await person.click("#show-commands");
  await person.click("#tab-calls");
  await person.shows("#asked", "signing key");
  await person.comes(() => document.querySelectorAll("#call-list li").length >= 7);
  await person.sees("[5/5]");
  await person.shows("#list", "asks you");
  await person.shows("#list", "secret");
  await person.page.evaluate(() => document.documentElement.classList.contains("light") && document.getElementById("theme").click());
  await person.page.evaluate(() => document.activeElement.blur());
  await person.page.screenshot({path: file});
}));
