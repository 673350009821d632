// This checks where sessions start without the extension: from the person's own mcp.json
// and from the workspace's, in windows of several folders, and after a reload.
//
//     node folders.cjs FOLDER GLASSTTY
//
// FOLDER has probe.vsix. `./dev vscode test` installs what this needs.
"use strict";
const {spawnSync} = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const {SETTINGS, Workbench, check} = require("./workbench.cjs");

const [folder, program] = process.argv.slice(2);

function writeServers(file, workbench) {
  const server = {type: "stdio", command: path.resolve(program), args: ["mcp"], env: {GLASSTTY_STATE_DIR: workbench.state}};
  fs.mkdirSync(path.dirname(file), {recursive: true});
  fs.writeFileSync(file, JSON.stringify({servers: {[path.basename(path.dirname(file)).replace(/\W/g, "")]: server}}));
}

async function directory(window) {
  const replies = await window.allow("callEach", {tool: "term_run", input: {argv: ["pwd"]}});
  return replies.map((reply) => reply.trim().split("\n").at(-1));
}

async function startInTheFolder(workbench) {
  const [one, two] = ["one", "two"].map((name) => workbench.folder(name));
  writeServers(path.join(workbench.profile, "User", "mcp.json"), workbench);
  writeServers(path.join(two, ".vscode", "mcp.json"), workbench);
  const windows = [await workbench.open(one), await workbench.open(two)];
  const tools = await windows[0].tools(), more = await windows[1].tools(2 * tools.length);
  check(more.length === 2 * tools.length, "the second folder has a server of its own, too");
  check((await directory(windows[0])).join() === one, "a server of the person's starts sessions in the window's folder");
  check((await directory(windows[1])).join() === [two, two].join(), "so do both servers of the other window");
  return windows;
}

async function reloadKeepsThem([first, second]) {
  await first.call("term_run", {command: "mine=one-$((40+2)); cd /"});
  await second.call("term_run", {command: "mine=two"});
  const others = await second.call("term_list", {});
  check(others.includes("/main"), "each window has a main of its own, and sees the other's");
  await first.reload();
  await first.tools();
  const reply = await first.call("term_run", {command: "echo $mine $PWD"});
  check(reply.includes("one-42 /"), `a reload keeps its sessions: ${reply.split("\n")[0]}`);
}

async function severalFolders(workbench) {
  const [three, four] = ["three", "four"].map((name) => workbench.folder(name));
  const file = path.join(workbench.root, "several.code-workspace");
  fs.writeFileSync(file, JSON.stringify({folders: [{path: three}, {path: four}]}));
  const window = await workbench.open(file);
  await window.tools();
  check((await directory(window)).join() === three, "with several folders, sessions start in the first");
}

async function main() {
  const workbench = new Workbench(SETTINGS);
  workbench.install(path.join(folder, "probe.vsix"));
  try {
    await workbench.start("--disable-workspace-trust");
    await reloadKeepsThem(await startInTheFolder(workbench));
    await severalFolders(workbench);
  } finally {
    await workbench.stop();
    spawnSync(program, ["serve", "--stop"], {env: workbench.env});
  }
  workbench.remove();
}

main().then(() => process.exit(0), (error) => {
  console.error(`vscode: ${error.stack}`);
  process.exit(1);
});
