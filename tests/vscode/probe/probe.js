// Does in the editor what an agent there would do: finds the server and calls
// its tools. The test asks for that on a socket, one line of JSON at a time.
"use strict";
const net = require("node:net");
const readline = require("node:readline");
const vscode = require("vscode");

const ACTS = {
  // Code-server does not notice changed files without parts that have to be compiled.
  async forget({setting}) {
    await vscode.workspace.getConfiguration().update(setting, undefined, vscode.ConfigurationTarget.Global);
  },
  servers() {
    return vscode.lm.mcpServerDefinitions.map(({label, command, args, cwd}) => ({label, command, args, cwd: cwd?.fsPath}));
  },
  async tools() {
    await vscode.commands.executeCommand("workbench.mcp.startServer", "*", {waitForLiveTools: true});
    return vscode.lm.tools.map(({name}) => name).filter((name) => /term_/.test(name));
  },
  async call({tool, input}) {
    const found = vscode.lm.tools.find(({name}) => name.endsWith(tool));
    if (!found) throw new Error(`there is no tool ${tool}`);
    const {content} = await vscode.lm.invokeTool(found.name, {input, toolInvocationToken: undefined});
    return content.map(({value}) => value ?? "").join("\n");
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
  server.listen(process.env.GLASSTTY_PROBE);
  context.subscriptions.push({dispose: () => server.close()});
};
