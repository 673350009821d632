// A session's trace as a tab: the page of `glasstty view` for one session, in
// the theme of the editor. media/trace.js is the other end, in the tab.
import * as os from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";
import {Page, Request} from "./page";
import {firstFolder} from "./server";
import {Session} from "./sessions";
import {shortened} from "./terminals";

const TYPE = "glasstty.trace";

// A tab, which the editor may show again after a reload.
interface Shown {
  id: string;
  name: string;
}

// What the tab's script sends.
type Message = {t: "ask", number: number} & Request | {t: "cancel", number: number} |
    {t: "save", name: string, bytes: Uint8Array};

export class Traces implements vscode.Disposable, vscode.WebviewPanelSerializer<Shown> {
  private readonly panels = new Map<string, vscode.WebviewPanel>();
  private readonly subscriptions: vscode.Disposable[];

  constructor(private readonly context: vscode.ExtensionContext, private readonly page: Page) {
    this.subscriptions = [vscode.window.registerWebviewPanelSerializer(TYPE, this)];
  }

  dispose(): void {
    this.subscriptions.forEach((one) => one.dispose());
    this.panels.forEach((panel) => panel.dispose());
  }

  async show(session: Session): Promise<void> {
    const id = path.basename(session.directory);
    const before = this.panels.get(id);
    if (before) return before.reveal();
    const panel = vscode.window.createWebviewPanel(TYPE, "", vscode.ViewColumn.Active, {retainContextWhenHidden: true});
    await this.fill(panel, {id, name: session.name});
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, shown: Shown | undefined): Promise<void> {
    if (shown) await this.fill(panel, shown);
    else panel.dispose();
  }

  private get folder(): vscode.Uri {
    return vscode.Uri.joinPath(this.context.globalStorageUri, "page");
  }

  private get media(): vscode.Uri {
    return vscode.Uri.joinPath(this.context.extensionUri, "media");
  }

  private async fill(panel: vscode.WebviewPanel, shown: Shown): Promise<void> {
    this.panels.set(shown.id, panel);
    panel.title = `${shortened(shown.name)} (trace)`;
    panel.iconPath = {
      light: vscode.Uri.joinPath(this.media, "tab-light.svg"), dark: vscode.Uri.joinPath(this.media, "tab-dark.svg")};
    panel.webview.options = {enableScripts: true, localResourceRoots: [this.folder, this.media]};
    const streams = new Map<number, () => void>();
    panel.onDidDispose(() => {
      this.panels.delete(shown.id);
      streams.forEach((stop) => stop());
    });
    panel.webview.onDidReceiveMessage((message: Message) => this.hear(panel.webview, streams, message));
    try {
      panel.webview.html = await this.html(panel.webview, shown);
    } catch (error) {
      panel.dispose();
      void vscode.window.showErrorMessage(`The trace cannot be shown: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  // The page as it is, with our script before its own, and our style after it.
  private async html(webview: vscode.Webview, shown: Shown): Promise<string> {
    const {proof} = await this.page.enter();
    const files = await this.page.files();
    for (const [name, text] of files) {
      if (name) await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(this.folder, name), Buffer.from(text));
    }
    const uri = (folder: vscode.Uri, name: string) => webview.asWebviewUri(vscode.Uri.joinPath(folder, name)).toString();
    const policy = `default-src 'none'; script-src ${webview.cspSource}; style-src ${webview.cspSource} 'unsafe-inline'; img-src data: blob:`;
    const given = JSON.stringify({...shown, proof}).replace(/[&"<]/g, (c) => `&#${c.charCodeAt(0)};`);
    return (files.get("") ?? "")
        .replace("<head>", `<head>\n<meta http-equiv="Content-Security-Policy" content="${policy}">`)
        .replace('<link rel="icon" href="data:,">', "")
        .replace('href="/page.css">', `href="${uri(this.folder, "page.css")}">\n<link rel="stylesheet" href="${uri(this.media, "trace.css")}">`)
        .replace('<script type="module" src="/page.js">',
                 `<script src="${uri(this.media, "trace.js")}" data-shown="${given}"></script>\n` +
                 `<script type="module" src="${uri(this.folder, "page.js")}">`);
  }

  private async hear(webview: vscode.Webview, streams: Map<number, () => void>, message: Message): Promise<void> {
    if (message.t === "ask") return this.answer(webview, streams, message.number, message);
    if (message.t === "cancel") return streams.get(message.number)?.();
    const file = await vscode.window.showSaveDialog(
        {defaultUri: vscode.Uri.joinPath(firstFolder() ?? vscode.Uri.file(os.homedir()), message.name)});
    if (file) await vscode.workspace.fs.writeFile(file, message.bytes);
  }

  // Passes a request of the page's script on, and the answer back.
  private async answer(webview: vscode.Webview, streams: Map<number, () => void>, number: number, request: Request): Promise<void> {
    const tell = (t: string, rest: object = {}) => void webview.postMessage({t, number, ...rest});
    let wanted = true;
    try {
      const {proof} = await this.page.enter();
      const answer = await this.page.send(request);
      streams.set(number, () => {
        wanted = false;
        answer.sent.destroy();
      });
      if (answer.statusCode === 401) this.page.leave();
      tell("head", {status: answer.statusCode, type: answer.headers["content-type"], proof});
      for await (const bytes of answer) tell("part", {bytes: new Uint8Array(bytes as Buffer)});
      tell("end");
    } catch {
      if (wanted) this.page.leave();
      tell("lost");
    }
    streams.delete(number);
  }
}
