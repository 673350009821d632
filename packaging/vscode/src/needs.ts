// Tells the person when a session needs them, and takes secrets.
import * as vscode from "vscode";
import {Program} from "./program";
import {needOf, Session, Sessions} from "./sessions";
import {shortened, Terminals} from "./terminals";

const TYPE = "Type It...", OPEN = "Open Terminal";

// The same need is told once; when it has passed, the next one is told again.
function needKey(session: Session): string {
  return [session.directory, needOf(session), session.asked].join("\n");
}

function questionIn(end: string): string {
  return end.split("\n").at(-1)?.trim() || "The program asks for a secret.";
}

export class Needs implements vscode.Disposable {
  private told = new Set<string>();
  private readonly subscriptions: vscode.Disposable[];

  constructor(
      private readonly program: Program, private readonly sessions: Sessions, private readonly terminals: Terminals) {
    this.subscriptions = [
      sessions.onDidChange(() => this.look()),
      // Only the window before the person tells.
      vscode.window.onDidChangeWindowState(() => this.look()),
    ];
  }

  dispose(): void {
    this.subscriptions.forEach((one) => one.dispose());
  }

  // Types a secret into the program that asks for one. It goes from the masked
  // box to the stdin of `glasstty secret`, and nowhere else. It is for the
  // question that the box shows: if that is over, the box closes, and nothing is
  // typed at the next one.
  async typeSecret(session: Session): Promise<void> {
    if (!this.asksForSecret(session)) return this.tellOver(session);
    const before = await this.endOf(session);
    const over = new vscode.CancellationTokenSource();
    const watch = this.sessions.onDidChange(() => this.asksForSecret(session) || over.cancel());
    const secret = await vscode.window.showInputBox({
      title: `Secret for the session ${shortened(session.name)}`,
      prompt: questionIn(before),
      placeHolder: "Neither the agent nor any log gets it",
      password: true,
      ignoreFocusOut: true,
    }, over.token);
    watch.dispose();
    if (over.token.isCancellationRequested) return this.tellOver(session);
    if (secret === undefined) return;
    if (await this.endOf(session) !== before) {
      void vscode.window.showErrorMessage(`${session.name} asks for something else by now, so nothing was typed.`);
      return;
    }
    const result = await this.program.run(["secret", session.directory], secret + "\n");
    if (result.status !== 0) void vscode.window.showErrorMessage(result.stderr.trim() || "The secret was not typed.");
  }

  private asksForSecret(session: Session): boolean {
    return this.sessions.now(session)?.state === "secret";
  }

  private tellOver(session: Session): void {
    void vscode.window.showInformationMessage(`${session.name} does not ask for a secret any more.`);
  }

  // More than the line of the question, which may come twice in the same words.
  private async endOf(session: Session): Promise<string> {
    return (await this.program.run(["tail", "-n", "5", session.directory])).stdout.trimEnd();
  }

  private look(): void {
    const needy = this.sessions.list.filter((session) => needOf(session) !== undefined);
    this.told = new Set(needy.map(needKey).filter((key) => this.told.has(key)));
    if (!vscode.window.state.focused || !vscode.workspace.getConfiguration("glasstty").get("notify", true)) return;
    for (const session of needy) {
      // Somebody may be there already.
      if (session.person || this.told.has(needKey(session))) continue;
      this.told.add(needKey(session));
      void this.tell(session);
    }
  }

  private async tell(session: Session): Promise<void> {
    const isSecret = session.state === "secret";
    const text = session.asked ? `The agent asks you in ${session.name}: ${session.asked}` :
                                 `${session.name} asks for a secret: ${questionIn(await this.endOf(session))}`;
    const choice = await vscode.window.showWarningMessage(text, ...(isSecret ? [TYPE, OPEN] : [OPEN]));
    if (choice === TYPE) await this.typeSecret(session);
    if (choice === OPEN) this.terminals.open(session);
  }
}
