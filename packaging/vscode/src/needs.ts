// Tells the person when a session needs them, and takes secrets.
import * as vscode from "vscode";
import {Program} from "./program";
import {needOf, Session, Sessions} from "./sessions";
import {Terminals} from "./terminals";

const TYPE = "Type It...", OPEN = "Open Terminal";

// The same need is told once; when it has passed, the next one is told again.
function needKey(session: Session): string {
  return [session.directory, needOf(session), session.asked].join("\n");
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
  // box to the stdin of `glasstty secret`, and nowhere else.
  async typeSecret(session: Session): Promise<void> {
    const secret = await vscode.window.showInputBox({
      title: `Secret for the session ${session.name}`,
      prompt: await this.questionOf(session),
      placeHolder: "Neither the agent nor any log gets it",
      password: true,
      ignoreFocusOut: true,
    });
    if (secret === undefined) return;
    const result = await this.program.run(["secret", session.directory], secret + "\n");
    if (result.status !== 0) void vscode.window.showErrorMessage(result.stderr.trim() || "The secret was not typed.");
  }

  // The line in which the program asks.
  private async questionOf(session: Session): Promise<string> {
    const {stdout} = await this.program.run(["tail", "-n", "1", session.directory]);
    return stdout.trim() || "The program asks for a secret.";
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
                                 `${session.name} asks for a secret: ${await this.questionOf(session)}`;
    const choice = await vscode.window.showWarningMessage(text, ...(isSecret ? [TYPE, OPEN] : [OPEN]));
    if (choice === TYPE) await this.typeSecret(session);
    if (choice === OPEN) this.terminals.open(session);
  }
}
