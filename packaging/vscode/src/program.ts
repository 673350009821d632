// The glasstty program: where it is, and how it is run.
import * as childProcess from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";

// Calls end within this time; a session that cannot be closed is given up.
const PATIENCE_MS = 30_000;

export interface Result {
  status: number | null;
  stdout: string;
  stderr: string;
}

function isProgram(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

// The editor may have a shorter PATH than the person's shells, so the folders
// in which install.sh installs come after it.
function inPath(): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(path.delimiter);
  folders.push(path.join(os.homedir(), ".local/bin"), "/usr/local/bin");
  return folders.filter(path.isAbsolute).map((folder) => path.join(folder, "glasstty")).find(isProgram);
}

export class Program implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly subscriptions: vscode.Disposable[] = [this.changed];
  readonly onDidChange = this.changed.event;
  // Undefined while there is none; then `problem` says why.
  path: string | undefined;
  problem = "";

  constructor(private readonly ownFolder: string) {
    this.find();
    this.subscriptions.push(
        vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration("glasstty.path") && this.find()),
        // It may have been installed meanwhile, or removed.
        vscode.window.onDidChangeWindowState((window) => window.focused && this.find()));
  }

  dispose(): void {
    this.subscriptions.forEach((one) => one.dispose());
  }

  // The server and the terminals do not inherit these from the extension host.
  variables(): Record<string, string> {
    const found: Record<string, string> = {};
    for (const name of ["GLASSTTY_STATE_DIR", "XDG_STATE_HOME"]) {
      const value = process.env[name];
      if (value) found[name] = value;
    }
    return found;
  }

  // Runs a command to its end. Nothing of `input` is kept or logged.
  run(words: string[], input = ""): Promise<Result> {
    const program = this.path;
    if (program === undefined) return Promise.resolve({status: null, stdout: "", stderr: this.problem});
    return new Promise((ended) => {
      const child = childProcess.execFile(program, words, {timeout: PATIENCE_MS}, (error, stdout, stderr) => {
        const isUnstarted = error !== null && child.exitCode === null;
        ended({status: child.exitCode, stdout, stderr: isUnstarted ? stderr || error.message : stderr});
      });
      // It may end without reading.
      child.stdin?.on("error", () => undefined);
      child.stdin?.end(input);
    });
  }

  private find(): void {
    const before = this.path, problemBefore = this.problem;
    [this.path, this.problem] = this.look();
    void vscode.commands.executeCommand("setContext", "glasstty.program", this.path ? "there" : "missing");
    if (this.path !== before || this.problem !== problemBefore) this.changed.fire();
  }

  // Returns the program, or why there is none.
  private look(): [string | undefined, string] {
    if (process.platform !== "linux") {
      return [undefined, "glasstty runs on Linux only. Open the folder in WSL, in a container or over SSH."];
    }
    const wanted = vscode.workspace.getConfiguration("glasstty").get("path", "").replace(/^~(?=\/)/, os.homedir());
    if (wanted !== "") {
      return isProgram(wanted) ? [wanted, ""] :
          [undefined, `The setting glasstty.path names '${wanted}', which is not a program.`];
    }
    const own = path.join(this.ownFolder, "bin", "glasstty");
    const found = isProgram(own) ? own : inPath();
    return [found, found ? "" : "The glasstty program was not found, so agents have no terminals."];
  }
}
