// In the tab of a trace, before the page's own script: the page talks through
// the extension, shows this session, and has the theme of the editor.
"use strict";
(() => {
  const editor = acquireVsCodeApi();
  const shown = JSON.parse(document.currentScript.dataset.shown);
  editor.setState({id: shown.id, name: shown.name});

  // ---- what the page keeps: of this tab alone

  const store = (values) => ({
    getItem: (key) => values[key] ?? null,
    setItem: (key, value) => values[key] = value,
    removeItem: (key) => delete values[key],
  });
  const isLight = () => document.body?.className.includes("light") ?? false;
  const kept = {
    "glasstty.log": "true",
    get "glasstty.theme"() {
      return JSON.stringify(isLight() ? "light" : "dark");
    },
    set "glasstty.theme"(_) {},
  };
  // It proves to the page who answers; the key stays with the extension.
  const know = (proof) => {
    kept.proof = proof;
    kept.glasstty = JSON.stringify({key: "", proof});
  };
  know(shown.proof);
  Object.defineProperty(window, "localStorage", {value: store(kept)});
  Object.defineProperty(window, "sessionStorage", {value: store({"glasstty.view": JSON.stringify({session: shown.id})})});

  // ---- requests

  const waiting = new Map();
  let last = 0;
  window.fetch = (path, {method = "GET", body} = {}) => new Promise((answered, failed) => {
    waiting.set(++last, {answered, failed});
    editor.postMessage({t: "ask", number: last, path, method, body});
  });
  const heard = {
    head({number, status, type, proof}, one) {
      // Another page answers now, which the extension has entered. Ours accepts
      // it when it connects again.
      if (proof !== kept.proof) {
        know(proof);
        editor.postMessage({t: "cancel", number});
        return heard.lost({number}, one);
      }
      const body = new ReadableStream({
        start: (stream) => one.stream = stream,
        cancel: () => editor.postMessage({t: "cancel", number}),
      });
      one.answered(new Response(body, {status, headers: {"Content-Type": type ?? ""}}));
    },
    part: ({bytes}, one) => one.stream.enqueue(new Uint8Array(bytes)),
    end({number}, one) {
      one.stream.close();
      waiting.delete(number);
    },
    lost({number}, one) {
      const error = new Error("no connection");
      one.failed(error);
      one.stream?.error(error);
      waiting.delete(number);
    },
  };
  addEventListener("message", ({data}) => {
    const one = waiting.get(data.number);
    if (one) heard[data.t]?.(data, one);
  });

  // ---- what only the editor can do

  HTMLAnchorElement.prototype.click = async function() {
    const bytes = new Uint8Array(await new Response(await blobs.get(this.href)).arrayBuffer());
    editor.postMessage({t: "save", name: this.download, bytes});
  };
  const blobs = new Map();
  const makeUrl = URL.createObjectURL.bind(URL);
  URL.createObjectURL = (blob) => {
    const url = makeUrl(blob);
    blobs.set(url, blob);
    return url;
  };
  URL.revokeObjectURL = (url) => blobs.delete(url);

  // ---- the theme

  addEventListener("DOMContentLoaded", () => {
    new MutationObserver(() => {
      const isPageLight = document.documentElement.classList.contains("light");
      if (isPageLight !== isLight()) document.getElementById("theme").click();
    }).observe(document.body, {attributeFilter: ["class"]});
  });
})();
