// The page: what its server says, drawn; what the person does, sent.
//
// One stream brings everything, a line of JSON each. All text from programs is
// put in by textContent, so none of it can become a part of the page.

const at = (id) => document.getElementById(id);
const make = (tag, set = {}) => Object.assign(document.createElement(tag), set);

let page = "";         // what the stream calls us
let session = "";      // the id of what is shown
let facts = {};
let readOnly = false;
let size = [0, 0];
let mouse = false;
let bracketed = false;
let sessions = [];

// ---- talking to the server

async function post(path, body) {
  const reply = await fetch(path, {
    method: "POST",
    headers: {"Content-Type": "application/json"},
    body: JSON.stringify({page, ...body}),
  });
  if (reply.ok) return reply.json();
  notice((await reply.text()).trim());
  return null;
}

// Input goes out in order: the next request waits for the one before.
let sending = Promise.resolve();
function inOrder(path, body) {
  sending = sending.then(() => post(path, body)).catch(() => {});
  return sending;
}

function notice(text) {
  at("notice").textContent = text;
}

// The link's token is in the fragment, which no server and no log sees, and is
// good for one visit.
async function enter() {
  const token = location.hash.slice(1);
  if (!token) return;
  history.replaceState(null, "", "/");
  const reply = await post("/api/enter", {token});
  if (reply) readOnly = reply.read_only;
  document.body.classList.toggle("read-only", readOnly);
}

async function listen() {
  const reply = await fetch("/api/stream");
  if (!reply.ok) {
    notice((await reply.text()).trim());
    return reply.status !== 401;
  }
  notice("");
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const {value, done} = await reader.read();
    if (done) return true;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) hear(JSON.parse(line));
  }
}

function hear(message) {
  const heard = {hello, list, screen, facts: showFacts}[message.t];
  if (heard) heard(message);
}

function hello(message) {
  page = message.page;
  if (session) show(session);
}

// ---- the list

const SIGNS = {prompt: "●", input: "●", secret: "◆", busy: "◐", exited: "○"};

function word(one) {
  if (one.asks) return "asks";
  if (!one.live) return "ended";
  if (one.state === "exited") return `exit ${one.exit}`;
  return one.state === "secret" ? "SECRET" : one.state ?? "";
}

function list(message) {
  sessions = message.sessions;
  const urgent = (one) => one.asks || one.state === "secret";
  const order = [...sessions].sort((a, b) => urgent(b) - urgent(a));
  const items = order.map((one) => {
    const button = make("button", {
      type: "button",
      className: (urgent(one) ? "urgent " : "") + (one.live ? "" : "ended"),
      title: one.command,
      onclick: () => show(one.id),
    });
    if (one.id === session) button.setAttribute("aria-current", "true");
    const sign = one.live ? SIGNS[one.state] ?? "·" : "○";
    button.append(make("span", {textContent: sign}),
                  make("span", {textContent: one.name, className: "name"}),
                  make("span", {textContent: word(one), className: "word"}));
    const item = make("li");
    item.append(button);
    return item;
  });
  at("list").replaceChildren(...items);
  const waiting = sessions.filter(urgent).length;
  document.title = (waiting ? `(${waiting}) ` : "") + "glasstty";
  if (!session && order.length) show(order[0].id);
}

async function show(id) {
  session = id;
  facts = {};
  at("rows").replaceChildren();
  at("found").replaceChildren();
  list({sessions});
  if (await post("/api/watch", {session: id})) await measure();
  at("terminal").focus();
}

// ---- the screen

const BASE = ["#1d1f21", "#cc4444", "#4faa4f", "#c0982f", "#4a7fd0", "#b05bb0", "#3fa0a8", "#c8ccd4",
              "#6b717d", "#ff6b6b", "#7fd37f", "#f0c95c", "#7aa8ff", "#dd8add", "#66d0d8", "#ffffff"];
const BITS = {bold: 1, faint: 2, italic: 4, underline: 24, reverse: 64, conceal: 128, strike: 256, over: 512};

function color(value) {
  if (value === null || typeof value === "string") return value;
  if (value < 16) return BASE[value];
  if (value >= 232) {
    const grey = 8 + (value - 232) * 10;
    return `rgb(${grey} ${grey} ${grey})`;
  }
  const level = (n) => (n ? 55 + n * 40 : 0);
  const cube = value - 16;
  return `rgb(${level(Math.floor(cube / 36))} ${level(Math.floor(cube / 6) % 6)} ${level(cube % 6)})`;
}

function paint(span, [foreground, background, bits]) {
  let ink = color(foreground) ?? "var(--text)";
  let back = color(background) ?? "";
  if (bits & BITS.reverse) [ink, back] = [back || "var(--screen)", ink];
  const style = span.style;
  style.color = bits & BITS.conceal ? "transparent" : ink;
  style.background = back;
  if (bits & BITS.bold) style.fontWeight = "bold";
  if (bits & BITS.faint) style.opacity = "0.6";
  if (bits & BITS.italic) style.fontStyle = "italic";
  const lines = [];
  if (bits & BITS.underline) lines.push("underline");
  if (bits & BITS.strike) lines.push("line-through");
  if (bits & BITS.over) lines.push("overline");
  style.textDecoration = lines.join(" ");
}

// Each run has the width of its columns, whatever the font makes of it.
function drawRow(row, runs) {
  row.replaceChildren(...runs.map(([text, columns, style]) => {
    const span = make("span", {textContent: text});
    span.style.width = `${columns}ch`;
    if (style) paint(span, style);
    return span;
  }));
}

function screen(message) {
  const rows = at("rows");
  size = message.size;
  if (message.whole) {
    rows.replaceChildren(...Array.from({length: size[0]}, () => make("div", {className: "row"})));
    rows.style.width = `${size[1]}ch`;
    at("size").textContent = size.join("x");
  }
  for (const [number, runs] of Object.entries(message.rows)) drawRow(rows.children[number], runs);
  const [row, column, visible] = message.cursor;
  for (const id of ["cursor", "keys"]) {
    at(id).style.left = `calc(4px + ${column}ch)`;
    at(id).style.top = `${4 + row * 17}px`;
  }
  at("cursor").hidden = !visible;
  at("terminal").classList.toggle("reverse", message.reverse);
  ({mouse, paste: bracketed} = message);
}

function showFacts(message) {
  const before = facts;
  facts = message;
  at("name").textContent = message.name;
  const state = message.state === "exited" ? `exit ${message.exit}` : message.state;
  if (at("state").textContent !== state) at("state").textContent = state;
  at("who").textContent = message.mine ? "you have the keyboard; the agent is told" :
    message.held ? `${message.holder} has the keyboard` : message.can_type ? "" : "you can only watch";
  at("asked").textContent = message.asked ? `The agent asks: ${message.asked}` : "";
  at("take").hidden = readOnly || message.mine || !message.can_type;
  at("give").hidden = !message.mine;
  document.body.classList.toggle("mine", message.mine);
  const secret = message.state === "secret" && message.can_type && !readOnly;
  at("secret").classList.toggle("open", secret);
  if (secret && before.state !== "secret") at("secret-text").focus();
  if (message.mine && !before.mine) at("keys").focus();
  notice(message.refused ? `Not typed: ${message.refused}` : "");
}

// ---- the keyboard

const NAMES = {Enter: "Enter", Escape: "Esc", Backspace: "BS", Tab: "Tab", Delete: "Del", Insert: "Ins",
               ArrowUp: "Up", ArrowDown: "Down", ArrowLeft: "Left", ArrowRight: "Right",
               Home: "Home", End: "End", PageUp: "PageUp", PageDown: "PageDown"};

// "C-c", "M-x", "S-Tab": as an agent would name it. null: the browser's own, or
// text, which comes as input.
function keyName(event) {
  let name = NAMES[event.key] ?? (/^F\d+$/.test(event.key) ? event.key : "");
  const chord = event.ctrlKey || event.altKey;
  if (!name && chord && [...event.key].length === 1) name = event.key === " " ? "Space" : event.key.toLowerCase();
  if (!name) return null;
  const shift = event.shiftKey && event.key.length > 1;
  return (event.ctrlKey ? "C-" : "") + (event.altKey ? "M-" : "") + (shift ? "S-" : "") + name;
}

function onKey(event) {
  if (event.isComposing || event.metaKey) return;
  if (event.ctrlKey && event.shiftKey && event.key.toLowerCase() === "h") {
    event.preventDefault();
    inOrder("/api/give", {});
    return;
  }
  // Copying and pasting stay the browser's.
  if (event.ctrlKey && event.shiftKey && "cv".includes(event.key.toLowerCase())) return;
  if (!facts.mine) {
    if (event.key === "Enter" && event.target.id === "terminal") inOrder("/api/take", {});
    return;
  }
  const key = keyName(event);
  if (!key) return;
  event.preventDefault();
  inOrder("/api/keys", {keys: [{key}]});
}

function onInput(event) {
  if (event.isComposing) return;
  const text = at("keys").value;
  at("keys").value = "";
  if (text && facts.mine) inOrder("/api/keys", {keys: [{text}]});
}

// Without bracketed paste a newline is Enter, so it wants to be meant.
function onPaste(event) {
  event.preventDefault();
  const text = event.clipboardData.getData("text/plain");
  if (!text || !facts.mine) return;
  if (bracketed || !text.trimEnd().includes("\n")) {
    inOrder("/api/paste", {text});
    return;
  }
  at("paste-what").textContent = `These are ${text.split("\n").length} lines, and each would be entered at once.`;
  at("paste").classList.add("open");
  at("paste").onsubmit = (submit) => {
    submit.preventDefault();
    closePaste();
    inOrder("/api/paste", {text});
  };
}

function closePaste() {
  at("paste").classList.remove("open");
  at("keys").focus();
}

function onMouse(event, action) {
  if (!facts.mine || !mouse || event.shiftKey) return;
  const box = at("rows").getBoundingClientRect();
  const row = Math.floor((event.clientY - box.top) / 17);
  const col = Math.floor((event.clientX - box.left) / (box.width / size[1]));
  if (row < 0 || col < 0 || row >= size[0] || col >= size[1]) return;
  event.preventDefault();
  const wheel = event.type === "wheel" ? (event.deltaY < 0 ? 4 : 5) : event.button;
  const modifiers = event.altKey * 2 + event.ctrlKey * 4;
  inOrder("/api/mouse", {action, button: wheel, row, col, modifiers});
  at("keys").focus();
}

// ---- earlier moments and finding

const clock = (seconds) => {
  const whole = Math.floor(seconds);
  const two = (n) => String(n).padStart(2, "0");
  return `${two(Math.floor(whole / 3600))}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
};

async function measure() {
  const reply = await post("/api/moment", {at: null});
  if (!reply) return;
  at("moment").max = reply.length;
  at("moment").value = reply.length;
  at("clock").textContent = `live, ${clock(reply.length)}`;
}

function toMoment() {
  const seconds = Number(at("moment").value);
  if (seconds >= Number(at("moment").max)) {
    measure();
    return;
  }
  at("clock").textContent = `${clock(seconds)} of ${clock(Number(at("moment").max))}`;
  inOrder("/api/moment", {at: seconds});
}

async function find() {
  const text = at("find").value;
  const reply = text ? await post("/api/find", {text}) : {found: []};
  if (!reply) return;
  at("found").replaceChildren(...reply.found.map(({line, text: found}) => make("li", {textContent: found, value: line})));
  if (text && !reply.found.length) notice(`"${text}" is not in the last 10,000 lines`);
}

// ---- beginning

function bind() {
  at("take").onclick = () => inOrder("/api/take", {over: facts.held});
  at("give").onclick = () => inOrder("/api/give", {});
  at("live").onclick = measure;
  at("moment").oninput = toMoment;
  at("find").onchange = find;
  at("theme").onclick = () => document.documentElement.classList.toggle("light");
  at("terminal").addEventListener("keydown", onKey);
  at("terminal").addEventListener("mousedown", (event) => onMouse(event, "press"));
  at("terminal").addEventListener("mouseup", (event) => onMouse(event, "release"));
  at("terminal").addEventListener("wheel", (event) => onMouse(event, "press"), {passive: false});
  at("terminal").addEventListener("paste", onPaste);
  at("terminal").addEventListener("click", () => {
    if (facts.mine && !String(getSelection())) at("keys").focus();
  });
  at("keys").addEventListener("input", onInput);
  at("keys").addEventListener("compositionend", onInput);
  at("paste-no").onclick = closePaste;
  at("text").onclick = () => {
    const lines = [...at("rows").children].map((row) => row.textContent.trimEnd());
    at("text").href = URL.createObjectURL(new Blob([lines.join("\n") + "\n"], {type: "text/plain"}));
    at("text").download = `${facts.name ?? "screen"}.txt`;
  };
  at("picture").onclick = () => {
    const light = document.documentElement.classList.contains("light") ? "&light=1" : "";
    at("picture").href = `/api/picture?page=${page}${light}`;
  };
  at("recording").onclick = () => {
    at("recording").href = `/api/recording?page=${page}`;
  };
  at("secret").onsubmit = (event) => {
    event.preventDefault();
    const text = at("secret-text").value;
    at("secret-text").value = "";
    inOrder("/api/secret", {text});
  };
  if (matchMedia("(prefers-color-scheme: light)").matches) document.documentElement.classList.add("light");
}

async function begin() {
  bind();
  await enter();
  for (;;) {
    const again = await listen().catch(() => true);
    if (!again) return;
    notice("Connection lost; reconnecting");
    await new Promise((wake) => setTimeout(wake, 1000));
  }
}

begin();
