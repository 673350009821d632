// Types one secret for one program. The pass is kept in memory only, so nothing
// can be typed after the page is reloaded.

import {at} from "/dom.js";

const LOOK = 500;  // ms between two looks
const SAYS = {
  asks: "A program asks for a secret",
  waits: "The program does not ask just now …",
  typing: "The secret is being typed …",
  typed: "The secret was typed. Go back to your agent; you can close this page.",
  left: "The program no longer asks for a secret. You can close this page.",
};
const GONE = "This link is no longer valid. If the program still asks, your agent can ask you again.";

let pass = null;  // {key, proof}
let asks = null;  // what the person has been shown
let complaint = "";  // why the last attempt failed, until the person types again

function notice(text) {
  if (at("notice").textContent !== text) at("notice").textContent = text;
}

function end(text) {
  pass = asks = null;
  at("text").value = "";
  at("secret").hidden = true;
  document.querySelector("main").classList.add("over");
  notice(text);
}

async function send(path, body) {
  const headers = {"Content-Type": "application/json"};
  if (pass) headers.Authorization = `Bearer ${pass.key}`;
  const reply = await fetch(path, {method: "POST", headers, body: JSON.stringify(body)});
  if (!reply.ok) throw new Error((await reply.text()).trim());
  return reply.json();
}

// Drops a half-typed secret when the prompt changes, because it was meant for
// the previous one.
function show(asked) {
  if (JSON.stringify(asked) === JSON.stringify(asks)) return;
  if (asks) at("text").value = "";
  asks = asked;
  for (const name of ["program", "session", "place", "prompt"]) at(name).textContent = asked[name] || "—";
  for (const one of document.querySelectorAll(".place")) one.hidden = !asked.place;
  at("secret").hidden = false;
  at("text").focus();
}

function hear(shown) {
  if (shown.state === "typed" || shown.state === "left") return end(SAYS[shown.state]);
  if (!shown.asks) return end(GONE);
  show(shown.asks);
  document.querySelector("button").disabled = shown.state !== "asks";
  const why = complaint || (shown.state === "asks" && shown.refused);
  notice(why ? `It was not typed: ${why}.` : SAYS[shown.state]);
}

// The answer must contain the proof; otherwise, another program listens on the
// port.
async function look() {
  const shown = await send("/api/look", {});
  if (shown.proof !== pass.proof) throw new Error("another program answers");
  hear(shown);
}

async function watch() {
  while (pass) {
    await new Promise((later) => setTimeout(later, LOOK));
    try {
      if (pass) await look();
    } catch {
      end(GONE);
    }
  }
}

at("secret").onsubmit = async (event) => {
  event.preventDefault();
  const text = at("text").value;
  const meant = asks;
  at("text").value = "";
  complaint = "";
  try {
    await look();
    if (pass) await send("/api/secret", {text, asks: meant});
  } catch (error) {
    complaint = error.message;
  }
};
at("text").oninput = () => complaint = "";

async function enter() {
  const token = location.hash.slice(1);
  history.replaceState(null, "", "/");
  try {
    const shown = await send("/api/enter", {token});
    pass = {key: shown.key, proof: shown.proof};
    hear(shown);
    watch();
  } catch {
    end(GONE);
  }
}

enter();
