// The page of `glasstty view`, on this machine: its files and what it answers.
// The editor itself may run elsewhere, so the tab does not connect to it.
import * as childProcess from "node:child_process";
import * as http from "node:http";
import * as readline from "node:readline";
import * as vscode from "vscode";
import {Program} from "./program";

const PATIENCE_MS = 10_000;
const IMPORT = /from "\.?\/([a-z]+\.js)"/g;

// What a link to the page was exchanged for; the page's script checks `proof`.
interface Pass {
  key: string;
  proof: string;
}

export interface Request {
  method: string;
  path: string;
  body?: string;
}

export class Page implements vscode.Disposable {
  // Serves the page, unless another one runs.
  private child: childProcess.ChildProcess | undefined;
  private port = 0;
  private pass: Pass | undefined;
  private entering: Promise<Pass> | undefined;

  constructor(private readonly program: Program) {}

  dispose(): void {
    this.child?.kill();
  }

  // Returns the pass of a page that runs; starts one if there is none.
  enter(): Promise<Pass> {
    if (this.pass) return Promise.resolve(this.pass);
    this.entering ??= this.admit().finally(() => this.entering = undefined);
    return this.entering;
  }

  // The page has ended, or another one answers there.
  leave(): void {
    this.pass = undefined;
  }

  // Calls `heard` with the answer, whose body follows bit by bit.
  send(request: Request): Promise<http.IncomingMessage & {sent: http.ClientRequest}> {
    return new Promise((answered, failed) => {
      const headers: Record<string, string> = {"Content-Type": "application/json", Origin: `http://127.0.0.1:${this.port}`};
      if (this.pass) headers["Authorization"] = `Bearer ${this.pass.key}`;
      const sent = http.request({host: "127.0.0.1", port: this.port, path: request.path, method: request.method, headers});
      sent.on("response", (answer) => answered(Object.assign(answer, {sent})));
      sent.on("error", failed);
      sent.end(request.body);
    });
  }

  async text(request: Request): Promise<string> {
    const answer = await this.send(request);
    answer.setEncoding("utf8");
    let text = "";
    for await (const part of answer) text += part as string;
    if (answer.statusCode !== 200) throw new Error(text.trim());
    return text;
  }

  // Returns the page's files: "/", the style and all scripts that it loads.
  async files(): Promise<Map<string, string>> {
    await this.enter();
    const names = ["", "page.css", "page.js"], files = new Map<string, string>();
    // The list grows while it is read.
    for (const name of names) {
      const text = await this.text({method: "GET", path: "/" + name});
      files.set(name, text);
      for (const [, other] of name.endsWith(".js") ? text.matchAll(IMPORT) : []) {
        if (other !== undefined && !names.includes(other)) names.push(other);
      }
    }
    return files;
  }

  private async admit(): Promise<Pass> {
    const link = new URL(await this.link());
    this.port = Number(link.port);
    const token = link.hash.slice(1);
    const pass = JSON.parse(await this.text({method: "POST", path: "/api/enter", body: JSON.stringify({token})})) as Pass;
    this.pass = pass;
    return pass;
  }

  // A page that runs already gives another link, and its command ends.
  private link(): Promise<string> {
    const program = this.program.path;
    if (program === undefined) return Promise.reject(new Error(this.program.problem));
    const child = childProcess.spawn(program, ["view"], {stdio: ["ignore", "pipe", "pipe"]});
    this.child ??= child;
    return new Promise((found, failed) => {
      let complaint = "";
      const patience = setTimeout(() => child.kill(), PATIENCE_MS);
      child.stderr.on("data", (data: Buffer) => complaint = (complaint + data.toString()).slice(-1000));
      readline.createInterface({input: child.stdout}).once("line", found);
      child.on("error", failed);
      child.on("close", () => {
        if (this.child === child) this.child = undefined;
        failed(new Error(complaint.trim() || "glasstty view gave no link"));
      });
      child.stdout.once("data", () => clearTimeout(patience));
    });
  }
}
