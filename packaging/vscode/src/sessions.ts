// The sessions, as `glasstty ls --json --follow` prints them at each change.
import * as childProcess from "node:child_process";
import * as readline from "node:readline";
import * as vscode from "vscode";
import {Program} from "./program";

const AGAIN_AFTER_MS = 5_000;

export interface Session {
  name: string;
  state: string;
  live: boolean;
  // An agent's server uses it.
  server: boolean;
  // The command in the foreground.
  program: string;
  // Its files; no other session ever has the same.
  directory: string;
  // Who has the keyboard, unless it is the agent.
  person?: string;
  // The agent's request to a person.
  asked?: string;
  // Another machine.
  on?: string;
}

export type Need = "secret" | "ask";

export function needOf(session: Session): Need | undefined {
  if (session.state === "secret") return "secret";
  return session.asked ? "ask" : undefined;
}

// Connections to other machines are sessions that nobody opened; they are shown
// when they ask for something.
function isShown(session: Session): boolean {
  return session.live && (!session.name.startsWith("@") || needOf(session) !== undefined);
}

function byNeedAndName(a: Session, b: Session): number {
  const needs = Number(needOf(b) !== undefined) - Number(needOf(a) !== undefined);
  return needs || a.name.localeCompare(b.name, "en", {numeric: true});
}

export class Sessions implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<Session[]>();
  private child: childProcess.ChildProcess | undefined;
  private again: NodeJS.Timeout | undefined;
  private complained = false;
  readonly onDidChange = this.changed.event;
  // Those that need a person come first.
  list: Session[] = [];

  constructor(private readonly program: Program, private readonly log: vscode.LogOutputChannel) {
    program.onDidChange(() => this.follow());
    this.follow();
  }

  dispose(): void {
    this.stop();
    this.changed.dispose();
  }

  // Returns the session as it is now; undefined: it has ended.
  now({directory}: Session): Session | undefined {
    return this.list.find((session) => session.directory === directory);
  }

  private stop(): void {
    clearTimeout(this.again);
    const child = this.child;
    this.child = undefined;
    child?.kill();
  }

  private follow(): void {
    this.stop();
    if (this.program.path === undefined) return this.take([]);
    const child = childProcess.spawn(
        this.program.path, ["ls", "--json", "--follow"], {stdio: ["ignore", "pipe", "pipe"]});
    this.child = child;
    let complaint = "";
    child.stderr.on("data", (data: Buffer) => complaint = (complaint + data.toString()).slice(-1000));
    child.on("error", (error) => complaint = error.message);
    child.on("close", (status) => this.child === child && this.ended(status, complaint.trim()));
    readline.createInterface({input: child.stdout}).on("line", (line) => this.child === child && this.read(line));
  }

  private read(line: string): void {
    try {
      this.take(JSON.parse(line) as Session[]);
      this.complained = false;
    } catch (error) {
      this.log.error(`glasstty ls printed no list: ${String(error)}`);
    }
  }

  private take(list: Session[]): void {
    this.list = list.filter(isShown).sort(byNeedAndName);
    this.changed.fire(this.list);
  }

  // Exit status 2 is that of words that it does not know.
  private ended(status: number | null, complaint: string): void {
    this.child = undefined;
    this.log.warn(`glasstty ls --follow ended with ${status}: ${complaint}`);
    if (!this.complained) {
      const text = status === 2 ? `${this.program.path} is too old for this extension; update it, or clear the setting glasstty.path.` :
                                  `The sessions cannot be listed: ${complaint || `glasstty ended with ${status}`}`;
      void vscode.window.showErrorMessage(text);
    }
    this.complained = true;
    this.take([]);
    this.again = setTimeout(() => this.follow(), AGAIN_AFTER_MS);
  }
}
