// Does in the editor what an agent there would do: finds the server and calls
// its tools. The test asks for that on a socket, one line of JSON at a time.
"use strict";
const net = require("node:net");
const path = require("node:path");
const readline = require("node:readline");
const vscode = require("vscode");

function namesOf(tool) {
  return vscode.lm.tools.map(({name}) => name).filter((name) => name.endsWith(tool));
}

async function invoke(name, input) {
  const {content} = await vscode.lm.invokeTool(name, {input, toolInvocationToken: undefined});
  return content.map(({value}) => value ?? "").join("\n");
}

// Its window is known by the folder or the workspace.
function socketPath() {
  const {workspaceFile, workspaceFolders} = vscode.workspace;
  const shown = workspaceFile ?? workspaceFolders?.[0]?.uri;
  const name = shown ? path.basename(shown.fsPath, ".code-workspace") : "none";
  return path.join(process.env.GLASSTTY_PROBES, `${name}.${process.pid}`);
}

const ACTS = {
  // Code-server does not notice changed files without parts that have to be compiled.
  async set({setting, value}) {
    await vscode.workspace.getConfiguration().update(setting, value, vscode.ConfigurationTarget.Global);
  },
  async run({command, words = []}) {
    await vscode.commands.executeCommand(command, ...words);
  },
  servers() {
    return vscode.lm.mcpServerDefinitions.map(({label, command, args, cwd}) => ({label, command, args, cwd: cwd?.fsPath}));
  },
  async tools() {
    await vscode.commands.executeCommand("workbench.mcp.startServer", "*", {waitForLiveTools: true});
    return namesOf("").filter((name) => /term_/.test(name));
  },
  async call({tool, input}) {
    const [name] = namesOf(tool);
    if (!name) throw new Error(`there is no tool ${tool}`);
    return invoke(name, input);
  },
  // The same tool of each server.
  async callEach({tool, input}) {
    const replies = [];
    for (const name of namesOf(tool)) replies.push(await invoke(name, input));
    return replies;
  },
};

exports.activate = (context) => {
  const server = net.createServer((socket) => {
    readline.createInterface({input: socket}).on("line", async (line) => {
      const {id, act, ...rest} = JSON.parse(line);
      const answer = await Promise.resolve(rest).then(ACTS[act]).then(
          (result) => ({id, result}), (error) => ({id, error: String(error)}));
      socket.write(JSON.stringify(answer) + "\n");
    });
  });
  server.listen(socketPath());
  context.subscriptions.push({dispose: () => server.close()});
};
