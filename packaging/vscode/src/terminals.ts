// Sessions in the editor's own terminals: to look at, to take over, to lend.
import * as fs from "node:fs";
import * as path from "node:path";
import * as vscode from "vscode";
import {Program} from "./program";
import {firstFolder} from "./server";
import {Session, Sessions} from "./sessions";

// The keys of `glasstty attach`.
const TAKE = "\x1ct", GIVE = "\x1ch";
const WATCH = "-r";
const MOST_SHOWN = 32;

interface Window {
  terminal: vscode.Terminal;
  name: string;
  // Unknown until the list has a session that was opened here.
  directory: string | undefined;
  // Unknown until the process has been started.
  pid: number | undefined;
}

// The editor's panel has room for so much beside its own tabs.
export function shortened(name: string): string {
  return name.length > MOST_SHOWN ? name.slice(0, MOST_SHOWN - 1) + "…" : name;
}

// Returns what `glasstty ls` calls the person at this process's terminal.
function labelOf(pid: number): string | undefined {
  try {
    return "attach " + fs.readlinkSync(`/proc/${pid}/fd/0`).replace(/^\/dev\//, "");
  } catch {
    return undefined;
  }
}

export class Terminals implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;
  private readonly windows = new Set<Window>();
  private readonly subscriptions: vscode.Disposable[];

  constructor(private readonly program: Program, private readonly sessions: Sessions) {
    this.subscriptions = [
      this.changed,
      sessions.onDidChange(() => this.recognize()),
      vscode.window.onDidOpenTerminal((terminal) => this.adopt(terminal)),
      vscode.window.onDidCloseTerminal((terminal) => this.windows.forEach(
          (window) => window.terminal === terminal && this.windows.delete(window))),
    ];
  }

  dispose(): void {
    this.subscriptions.forEach((one) => one.dispose());
  }

  open(session: Session): void {
    const window = this.windowOf(session);
    if (window) return window.terminal.show();
    // Another one may have its name by now.
    if (!this.sessions.now(session)) return void vscode.window.showInformationMessage(`${session.name} has ended.`);
    this.show(session.name, ["attach", session.directory]);
  }

  watch(session: Session): void {
    const terminal = this.create(
        `${shortened(session.name)} (watched)`, ["attach", WATCH, session.directory],
        {viewColumn: vscode.ViewColumn.Beside, preserveFocus: true});
    terminal.show(true);
  }

  take(session: Session): void {
    const window = this.windowOf(session);
    if (!window) return this.show(session.name, ["attach", "--take", session.directory]);
    window.terminal.show();
    window.terminal.sendText(TAKE, false);
  }

  give(session: Session): void {
    this.windowOf(session)?.terminal.sendText(GIVE, false);
  }

  // Opens a session in the folder, in which the person has the keyboard.
  lend(): void {
    const name = this.freeName();
    this.show(name, ["new", name]);
  }

  // The same for VS Code's own menu of terminals.
  lentProfile(): vscode.TerminalProfile {
    const name = this.freeName();
    return new vscode.TerminalProfile(this.options(shortened(name), ["new", name]));
  }

  // Returns whether the keyboard is at one of these terminals.
  hasKeyboard(session: Session): boolean {
    const pid = session.person && this.windowOf(session)?.pid;
    return pid ? session.person === labelOf(pid) : false;
  }

  private windowOf(session: Session): Window | undefined {
    return [...this.windows].find(
        ({directory, terminal}) => directory === session.directory && terminal.exitStatus === undefined);
  }

  private show(name: string, words: string[]): void {
    this.create(shortened(name), words).show();
  }

  // VS Code's own menu opens terminals, too.
  private adopt(terminal: vscode.Terminal): void {
    const {shellPath, shellArgs} = terminal.creationOptions as vscode.TerminalOptions;
    if (shellPath === undefined || shellPath !== this.program.path || !Array.isArray(shellArgs)) return;
    const name = shellArgs.at(-1);
    if (name === undefined || shellArgs.includes(WATCH)) return;
    // Sessions are attached to by their directories, and opened by their names.
    const directory = path.isAbsolute(name) ? name : undefined;
    const window: Window = {terminal, name, directory, pid: undefined};
    this.windows.add(window);
    this.recognize();
    void terminal.processId.then((pid) => {
      window.pid = pid;
      this.changed.fire();
    });
  }

  private create(
      name: string, words: string[], location?: vscode.TerminalEditorLocationOptions): vscode.Terminal {
    return vscode.window.createTerminal({...this.options(name, words), location});
  }

  private options(name: string, words: string[]): vscode.TerminalOptions {
    return {
      name,
      shellPath: this.program.path,
      shellArgs: words,
      env: this.program.variables(),
      cwd: firstFolder(),
      iconPath: new vscode.ThemeIcon("terminal"),
      isTransient: true,
    };
  }

  private recognize(): void {
    for (const window of this.windows) {
      window.directory ??= this.sessions.list.find((session) => session.name === window.name)?.directory;
    }
  }

  // The folder's name says most to an agent that is told of the session.
  private freeName(): string {
    const folder = path.basename(firstFolder()?.fsPath ?? "").replace(/[^A-Za-z0-9_.-]+/g, "-").replace(/^[-.]+/, "");
    const stem = folder || "lent";
    const taken = new Set([...this.sessions.list, ...this.windows].map(({name}) => name));
    for (let number = 1;; ++number) {
      const name = number === 1 ? stem : `${stem}-${number}`;
      if (!taken.has(name)) return name;
    }
  }
}
