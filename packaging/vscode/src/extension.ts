// Starts the parts of the extension and connects them with its commands.
import * as vscode from "vscode";
import {Needs} from "./needs";
import {Page} from "./page";
import {Program} from "./program";
import {offerServer} from "./server";
import {Session, Sessions} from "./sessions";
import {Terminals} from "./terminals";
import {Traces} from "./trace";
import {View} from "./view";

const INSTALL = "Show How to Install It", SETTINGS = "Open Settings";
const HOW = "Show How", TOLD = "toldHowToAdd";
const CLIENTS_PAGE = "https://github.com/glasstty/glasstty/blob/main/docs/clients.md";
const INSTALL_PAGE = "https://github.com/glasstty/glasstty#install-it";

async function tellProblem(program: Program): Promise<void> {
  if (program.path !== undefined) return;
  const choice = await vscode.window.showWarningMessage(program.problem, INSTALL, SETTINGS);
  if (choice === INSTALL) await vscode.env.openExternal(vscode.Uri.parse(INSTALL_PAGE));
  if (choice === SETTINGS) await vscode.commands.executeCommand("workbench.action.openSettings", "glasstty.path");
}

// Such an editor has the view all the same. It is told once.
async function tellHowToAdd(context: vscode.ExtensionContext): Promise<void> {
  if (context.globalState.get(TOLD, false)) return;
  await context.globalState.update(TOLD, true);
  const choice = await vscode.window.showInformationMessage(
      `${vscode.env.appName} takes no MCP servers from extensions. Add glasstty to your agent's configuration.`, HOW);
  if (choice === HOW) await vscode.env.openExternal(vscode.Uri.parse(CLIENTS_PAGE));
}

async function endSession(program: Program, session: Session): Promise<void> {
  const choice = await vscode.window.showWarningMessage(
      `End the session ${session.name}?`, {modal: true, detail: `It runs: ${session.program}`}, "End It");
  if (choice === undefined) return;
  const {status, stdout, stderr} = await program.run(["close", session.name, "--force"]);
  if (status !== 0) void vscode.window.showErrorMessage(stderr.trim() || stdout.trim());
}

// Commands get the session of the row; from the palette, the person chooses.
async function choose(sessions: Sessions): Promise<Session | undefined> {
  const rows = sessions.list.map((session) => ({label: session.name, description: session.program, session}));
  return (await vscode.window.showQuickPick(rows, {placeHolder: "Which session?"}))?.session;
}

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel("glasstty", {log: true});
  const program = new Program(context.extensionPath);
  const sessions = new Sessions(program, log);
  const terminals = new Terminals(program, sessions);
  const view = new View(sessions, terminals);
  const needs = new Needs(program, sessions, terminals);
  const page = new Page(program), traces = new Traces(context, page);
  context.subscriptions.push(traces, page, needs, view, terminals, sessions, program, log);
  if (!offerServer(context, program)) void tellHowToAdd(context);

  const onSession = (name: string, act: (session: Session) => unknown) => context.subscriptions.push(
      vscode.commands.registerCommand(`glasstty.${name}`, async (row?: Session) => {
        const session = row ?? await choose(sessions);
        if (session) await act(session);
      }));
  onSession("open", (session) => terminals.open(session));
  onSession("watch", (session) => terminals.watch(session));
  onSession("trace", (session) => traces.show(session));
  onSession("take", (session) => terminals.take(session));
  onSession("give", (session) => terminals.give(session));
  onSession("secret", (session) => needs.typeSecret(session));
  onSession("end", (session) => endSession(program, session));
  context.subscriptions.push(
      vscode.commands.registerCommand("glasstty.new", () => program.path ? terminals.lend() : tellProblem(program)),
      vscode.window.registerTerminalProfileProvider(
          "glasstty.lent", {provideTerminalProfile: () => terminals.lentProfile()}),
      program.onDidChange(() => tellProblem(program)));
  void tellProblem(program);
  log.info(program.path ?? program.problem);
}
