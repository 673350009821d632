// The view "Terminals": all sessions, what they do, who is using them.
import * as path from "node:path";
import * as vscode from "vscode";
import {needOf, Session, Sessions} from "./sessions";
import {Terminals} from "./terminals";

const SCHEME = "glasstty-session";
// An icon, and its colour.
const ICONS: Record<string, [string, string?]> = {
  secret: ["key", "charts.yellow"],
  ask: ["bell-dot", "charts.yellow"],
  prompt: ["terminal", "charts.green"],
  input: ["edit", "charts.green"],
  busy: ["pulse", "charts.blue"],
  away: ["debug-disconnect", "charts.orange"],
};

function uriOf(session: Session): vscode.Uri {
  return vscode.Uri.from({scheme: SCHEME, path: "/" + path.basename(session.directory)});
}

export class View implements vscode.TreeDataProvider<Session>, vscode.FileDecorationProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly decorated = new vscode.EventEmitter<undefined>();
  private readonly tree: vscode.TreeView<Session>;
  private readonly subscriptions: vscode.Disposable[];
  readonly onDidChangeTreeData = this.changed.event;
  readonly onDidChangeFileDecorations = this.decorated.event;

  constructor(private readonly sessions: Sessions, private readonly terminals: Terminals) {
    this.tree = vscode.window.createTreeView("glasstty.terminals", {treeDataProvider: this});
    this.subscriptions = [
      this.tree, this.changed, this.decorated, vscode.window.registerFileDecorationProvider(this),
      sessions.onDidChange(() => this.update()), terminals.onDidChange(() => this.update()),
    ];
    this.update();
  }

  dispose(): void {
    this.subscriptions.forEach((one) => one.dispose());
  }

  getChildren(parent?: Session): Session[] {
    return parent ? [] : this.sessions.list;
  }

  getTreeItem(session: Session): vscode.TreeItem {
    const item = new vscode.TreeItem(session.name);
    const [icon, color] = ICONS[needOf(session) ?? session.state] ?? ["terminal"];
    const isMine = this.terminals.hasKeyboard(session);
    item.id = session.directory;
    item.resourceUri = uriOf(session);
    item.iconPath = new vscode.ThemeIcon(icon, color === undefined ? undefined : new vscode.ThemeColor(color));
    item.description = [this.stateOf(session), this.userOf(session), session.program].filter(Boolean).join(" · ");
    item.tooltip = `${session.name}: ${item.description}${session.on ? ` (on ${session.on})` : ""}`;
    item.contextValue = ["session", session.state, isMine ? "mine" : "other", ""].join(";");
    item.command = {command: "glasstty.open", title: "Open", arguments: [session]};
    return item;
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    if (uri.scheme !== SCHEME) return undefined;
    const session = this.sessions.list.find((one) => uriOf(one).path === uri.path);
    if (!session || !needOf(session)) return undefined;
    return new vscode.FileDecoration("!", "It needs you", new vscode.ThemeColor("list.warningForeground"));
  }

  private stateOf(session: Session): string {
    if (session.asked) return `asks: ${session.asked}`;
    return session.state === "secret" ? "asks for a secret" : session.state;
  }

  private userOf(session: Session): string {
    if (this.terminals.hasKeyboard(session)) return "you have the keyboard";
    if (session.person) return `person (${session.person})`;
    return session.server ? "agent" : "nobody";
  }

  private update(): void {
    const count = this.sessions.list.filter(needOf).length;
    const tooltip = count === 1 ? "1 session needs you" : `${count} sessions need you`;
    this.tree.badge = count > 0 ? {value: count, tooltip} : undefined;
    this.changed.fire();
    this.decorated.fire(undefined);
  }
}
