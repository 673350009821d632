// This checks the extension in editors that are made from VS Code: Cursor has an
// interface of its own for servers, and older ones have none.
//
//     node editors.cjs FOLDER
//
// FOLDER has the compiled extension. The module "vscode" is a small copy here.
"use strict";
const Module = require("node:module");
const path = require("node:path");
const {check} = require("./workbench.cjs");

const compiled = path.resolve(process.argv[2], "server.js");
const PROGRAM = "/opt/glasstty", STATE = {GLASSTTY_STATE_DIR: "/state"};

// Loads the part of the extension that offers the server, with this editor.
function offering(vscode) {
  const load = Module._load;
  Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));
  delete require.cache[compiled];
  try {
    return require(compiled).offerServer;
  } finally {
    Module._load = load;
  }
}

class Program {
  constructor(found) {
    this.path = found;
    this.heard = [];
  }
  variables() {
    return STATE;
  }
  onDidChange(act) {
    this.heard.push(act);
    return {dispose() {}};
  }
  becomes(found) {
    this.path = found;
    this.heard.forEach((act) => act());
  }
}

function cursorTakesIt() {
  const servers = new Map();
  const mcp = {
    registerServer: ({name, server}) => servers.set(name, server),
    unregisterServer: (name) => servers.delete(name),
  };
  const context = {subscriptions: []}, program = new Program(PROGRAM);
  // Its interface is used even if it also has that of VS Code.
  const lm = {registerMcpServerDefinitionProvider: () => check(false, "Cursor gets it once")};
  check(offering({cursor: {mcp}, lm})(context, program), "Cursor takes the server");
  const {command, args, env} = servers.get("glasstty");
  check(command === PROGRAM && args.join() === "mcp" && env === STATE, "as it starts in VS Code");
  program.becomes(undefined);
  check(servers.size === 0, "a program that has gone is withdrawn");
  program.becomes("/usr/bin/glasstty");
  check(servers.get("glasstty").command === "/usr/bin/glasstty", "and another one offered");
  context.subscriptions.forEach((one) => one.dispose());
  check(servers.size === 0, "nothing is left of the extension");
}

function olderOnesDoNot() {
  const editors = {"without models": {}, "with models alone": {lm: {}}, "that is an older Cursor": {cursor: {}}};
  for (const [which, vscode] of Object.entries(editors)) {
    const context = {subscriptions: []};
    check(!offering(vscode)(context, new Program(PROGRAM)), `an editor ${which} takes none`);
    check(context.subscriptions.length === 0, "and nothing is left there");
  }
}

cursorTakesIt();
olderOnesDoNot();
