// Offers the MCP server to the agents in the editor, without any configuration.
// Each kind of editor has its own interface for that.
import * as vscode from "vscode";
import {Program} from "./program";

const NAME = "glasstty", WORDS = ["mcp"];

// What Cursor adds to the module "vscode" (cursor.com/docs/extension-api).
interface CursorServers {
  registerServer(config: {name: string, server: {command: string, args: string[], env: Record<string, string>}}): void;
  unregisterServer(name: string): void;
}

export function firstFolder(): vscode.Uri | undefined {
  return vscode.workspace.workspaceFolders?.find((folder) => folder.uri.scheme === "file")?.uri;
}

// Returns false if this editor takes no servers from extensions.
export function offerServer(context: vscode.ExtensionContext, program: Program): boolean {
  const cursor = (vscode as {cursor?: {mcp?: CursorServers}}).cursor?.mcp;
  if (cursor) offerToCursor(cursor, context, program);
  // Editors that are made from an older VS Code lack it.
  else if (typeof vscode.lm?.registerMcpServerDefinitionProvider === "function") offerToCode(context, program);
  else return false;
  return true;
}

// Sessions start in the folder that Cursor names in the server's environment.
function offerToCursor(cursor: CursorServers, context: vscode.ExtensionContext, program: Program): void {
  let offered = false;
  const withdraw = () => {
    if (offered) cursor.unregisterServer(NAME);
    offered = false;
  };
  const offer = () => {
    withdraw();
    if (program.path === undefined) return;
    cursor.registerServer({name: NAME, server: {command: program.path, args: WORDS, env: program.variables()}});
    offered = true;
  };
  offer();
  context.subscriptions.push(program.onDidChange(offer), {dispose: withdraw});
}

function offerToCode(context: vscode.ExtensionContext, program: Program): void {
  const changed = new vscode.EventEmitter<void>();
  const provider: vscode.McpServerDefinitionProvider = {
    onDidChangeMcpServerDefinitions: changed.event,
    provideMcpServerDefinitions() {
      if (program.path === undefined) return [];
      const {version} = context.extension.packageJSON as {version: string};
      const server = new vscode.McpStdioServerDefinition(NAME, program.path, WORDS, program.variables(), version);
      // Sessions start where the server starts.
      server.cwd = firstFolder();
      return [server];
    },
  };
  context.subscriptions.push(
      changed, program.onDidChange(() => changed.fire()),
      vscode.workspace.onDidChangeWorkspaceFolders(() => changed.fire()),
      vscode.lm.registerMcpServerDefinitionProvider("glasstty", provider));
}
