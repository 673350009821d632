// Offers the MCP server to the agents in the editor, without any configuration.
import * as vscode from "vscode";
import {Program} from "./program";

export function firstFolder(): vscode.Uri | undefined {
  return vscode.workspace.workspaceFolders?.find((folder) => folder.uri.scheme === "file")?.uri;
}

export function offerServer(context: vscode.ExtensionContext, program: Program): void {
  const changed = new vscode.EventEmitter<void>();
  const provider: vscode.McpServerDefinitionProvider = {
    onDidChangeMcpServerDefinitions: changed.event,
    provideMcpServerDefinitions() {
      if (program.path === undefined) return [];
      const {version} = context.extension.packageJSON as {version: string};
      const server = new vscode.McpStdioServerDefinition(
          "glasstty", program.path, ["mcp"], program.variables(), version);
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
