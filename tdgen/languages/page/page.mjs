// Pages for tests, in Playwright's words: a Chromium without a network, driven over a pipe. Time is virtual, and each page is
// a document of its own with the module's code in it. CHROME_PATH names the browser where it is not found.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";

const INNER = $inner;
const READER = $reader;
const CODE = readFileSync(new URL("./$file", import.meta.url), "utf8").replace(/^export \{[^}]*\};$/gm, "");
const PLACES = [
  process.env.CHROME_PATH, "/usr/lib/chromium/chromium", "/usr/bin/google-chrome", "/usr/bin/chromium", "/usr/bin/chromium-browser", "/opt/google/chrome/chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe", "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
];
const FLAGS = $flags;
const ALONE = $alone;
const TAB = $tab;
const CSP = $csp;
const BLANK = $blank;
const KEYS = $keys;
const MODIFIERS = $modifiers;
const READING = $reading;
const ACTING = ["fill", "select_option", "focus", "blur", "dispatch_event"];
const SETTLE = 20, MOST = 60000;

let starting, serial = 0, current = null;
const ends = [];
after(() => Promise.all(ends.map((end) => end())));

async function browser() {
  const program = PLACES.find((place) => place && existsSync(place));
  if (!program) throw new Error("no Chrome or Chromium is found: install one, or name it by CHROME_PATH");
  // where it can't put on its own sandbox, as in many containers, it runs without
  for (const more of [process.getuid?.() === 0 ? ALONE : [], ALONE, ALONE]) {
    const chrome = await started(program, more);
    if (chrome) return chrome;
  }
  throw new Error(`${program} does not start`);
}

async function started(program, more) {
  const folder = mkdtempSync(join(tmpdir(), "page-"));
  const words = [...FLAGS, ...more, `--user-data-dir=${folder}`, "about:blank"];
  const child = spawn(program, words, { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"], env: { ...process.env, TZ: "UTC", HOME: folder } });
  const chrome = { child, session: undefined, frame: "", text: "", waiting: new Map() };
  const ended = new Promise((resolve) => { child.on("exit", resolve); child.on("error", resolve); });
  ended.then(() => { for (const { reject } of chrome.waiting.values()) reject(new Error("the browser ended")); });
  ends.push(async () => {
    child.kill("SIGKILL");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  child.stdio[3].on("error", () => {});
  child.stdio[4].setEncoding("utf8").on("data", (data) => {
    const parts = (chrome.text + data).split("\0");
    chrome.text = parts.pop();
    for (const part of parts) hear(chrome, JSON.parse(part));
  });
  try {
    chrome.frame = (await send(chrome, "Target.createTarget", { url: "about:blank", hidden: true })).targetId;
    chrome.session = (await send(chrome, "Target.attachToTarget", { targetId: chrome.frame, flatten: true })).sessionId;
    const enabled = [["Page.enable"], ["Runtime.enable"], ...TAB];
    await Promise.all(enabled.map(([method, params]) => send(chrome, method, params)));
    // on a busy machine one that can't put on its sandbox may answer so far, and end as its page is asked
    await send(chrome, "Runtime.evaluate", { expression: "1" });
  } catch {
    return null;
  }
  return chrome;
}

function send(chrome, method, params = {}) {
  const id = ++serial;
  return new Promise((resolve, reject) => {
    chrome.waiting.set(id, { resolve, reject });
    chrome.child.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId: chrome.session })}\0`);
  });
}

function hear(chrome, { id, error, result, method, params }) {
  if (id) {
    const one = chrome.waiting.get(id);
    chrome.waiting.delete(id);
    if (error) one?.reject(new Error(error.message)); else one?.resolve(result);
  } else if (method === "Page.loadEventFired") current?.isServed && current.loaded();
  else if (method === "Page.javascriptDialogOpening") send(chrome, "Page.handleJavaScriptDialog", { accept: params.type === "beforeunload" });
  else if (method === "Fetch.requestPaused") {
    const { requestId, request, resourceType } = params;
    if (request.url !== current?.address) {
      send(chrome, "Fetch.failRequest", { requestId, errorReason: resourceType === "Document" ? "Aborted" : "BlockedByClient" });
      return;
    }
    const headers = { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": CSP };
    const responseHeaders = Object.entries(headers).map(([name, value]) => ({ name, value }));
    current.isServed = true;
    send(chrome, "Fetch.fulfillRequest", { requestId, responseCode: 200, responseHeaders, body: Buffer.from(current.html).toString("base64") });
  }
}

function thrown({ exceptionDetails: details, result }) {
  if (!details) return result;
  const text = details.exception?.description ?? details.text;
  const [, name, message] = text.split("\n")[0].match(/^(\w+): (.*)/) ?? [, "Error", text];
  throw Object.assign(new Error(message), { name });
}

class Locator {
  constructor(page, steps = []) { Object.assign(this, { page, steps }); }
  #then(...step) { return new Locator(this.page, [...this.steps, step]); }
  locator(selector) { return this.#then("css", selector); }
  getByRole(role, { name = null, exact = false } = {}) { return this.#then("role", role, name, exact); }
  getByLabel(text, { exact = false } = {}) { return this.#then("label", text, null, exact); }
  getByText(text, { exact = false } = {}) { return this.#then("text", text, null, exact); }
  nth(place) { return this.#then("nth", place); }
  first() { return this.nth(0); }
  last() { return this.nth(-1); }
  read(what, ...given) { return this.page.reading(this.steps, what, given); }
  async act(what, ...given) { await this.read(what, ...given); await this.page.settle(); }
  async hover() { await this.page.input(["MouseEvent", { type: "mouseMoved", ...(await this.#middle()) }]); }
  async #middle() { const [x, y] = await this.read("point"); return { x, y }; }
  async click(clicks = 1) {
    const at = await this.#middle(), events = [["MouseEvent", { type: "mouseMoved", ...at }]];
    for (let clickCount = 1; clickCount <= clicks; clickCount++) {
      for (const type of ["mousePressed", "mouseReleased"]) events.push(["MouseEvent", { type, ...at, button: "left", clickCount }]);
    }
    await this.page.input(...events);
  }
  dblclick() { return this.click(2); }
  async press(key) {
    await this.read("focus");
    const parts = key === "+" ? [key] : key.split("+"), name = parts.pop();
    const modifiers = parts.reduce((bits, one) => bits | (MODIFIERS[one] ?? 0), 0);
    const [code, said] = KEYS[name] ?? [name.toUpperCase().charCodeAt(0), name.length === 1 ? name : ""];
    const text = modifiers & ~8 ? "" : said;
    const told = { key: name === "Space" ? " " : name, code: /^[a-z]$/i.test(name) ? `Key${name.toUpperCase()}` : name, windowsVirtualKeyCode: code, modifiers };
    await this.page.input(["KeyEvent", { type: text ? "keyDown" : "rawKeyDown", ...told, ...(text && { text }) }], ["KeyEvent", { type: "keyUp", ...told }]);
  }
  async check() { if (!(await this.isChecked())) await this.click(); }
  async uncheck() { if (await this.isChecked()) await this.click(); }
  evaluate(run) { return this.page.evaluate(run, this); }
}
const camel = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
for (const name of READING) Locator.prototype[camel(name)] = function (...given) { return this.read(name, ...given); };
for (const name of ACTING) Locator.prototype[camel(name)] = function (...given) { return this.act(name, ...given); };

class Page extends Locator {
  constructor(chrome, html, path) {
    super(null);
    const whole = /<html/i.test(html) ? html : BLANK.replace("{}", () => html);
    const address = `https://${randomBytes(16).toString("hex")}.test/${path.replace(/^\/+/, "")}`;
    Object.assign(this, { page: this, chrome, html: whole, address, routes: [], asked: [], told: [] });
  }
  send(method, params) { return send(this.chrome, method, params); }
  async open() {
    current = this;
    const loaded = new Promise((resolve) => { this.loaded = resolve; });
    await this.send("Page.navigate", { url: this.address });
    await loaded;
    const world = await this.send("Page.createIsolatedWorld", { frameId: this.chrome.frame, worldName: "reader" });
    const read = { expression: READER, contextId: world.executionContextId };
    this.reader = thrown(await this.send("Runtime.evaluate", read)).objectId;
    this.inner = thrown(await this.send("Runtime.evaluate", { expression: INNER })).objectId;
    thrown(await this.send("Runtime.evaluate", { expression: `"use strict"; ${CODE}` }));
    await this.settle();
    return this;
  }
  async ask(...given) {
    const asked = { functionDeclaration: "function (...given) { return this.serve(...given); }", objectId: this.inner, awaitPromise: true };
    return thrown(await this.send("Runtime.callFunctionOn", { ...asked, arguments: given.map((value) => ({ value })) })).value;
  }
  async settle(ms = SETTLE) {
    for (const [, name, message] of await this.#pass(ms)) throw Object.assign(new Error(message), { name });
  }
  async #pass(most) {
    const faults = [];
    for (let ms = most, again = true; again;) {
      const [asked, left, failed, dialogs] = JSON.parse(await this.ask("pass", ms));
      faults.push(...failed);
      this.told.push(...dialogs);
      for (const [number, method, url, body, kind] of asked) await this.ask("answer", number, JSON.stringify(await this.#respond(method, new URL(url), body, kind)));
      [ms, again] = [left, asked.length > 0];
    }
    return faults;
  }
  async #respond(method, { pathname, search }, body, kind) {
    let sent = body;
    try { sent = body ? JSON.parse(body) : body; } catch {}
    this.asked.push([method, pathname + search, sent]);
    const route = this.routes.find((one) => ["", method].includes(one.method) && [pathname, pathname + search].includes(one.path));
    if (route) return route.answer;
    if (!this.service) return null;
    const answer = await fetch(this.service + pathname + search, { method, body, headers: kind ? { "Content-Type": kind } : {} });
    return { status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.text() };
  }
  // Has a service that runs at this address answer what no route does.
  serve(address) { this.service = address; }
  route(path, { json = null, status = 200, method = "", body } = {}) {
    const kind = body === undefined ? "application/json" : "text/plain; charset=utf-8";
    this.routes.unshift({ method, path, answer: { status, headers: { "Content-Type": kind }, body: body ?? JSON.stringify(json) } });
  }
  async requests() { return this.asked; }
  async dialogs() { return this.told; }
  waitForTimeout(ms) { return this.settle(ms); }
  async reading(steps, what, given, byValue = true) {
    const all = [null, steps, what, ...given].map((value) => ({ value }));
    const asked = { functionDeclaration: "function (...given) { return this(...given); }", objectId: this.reader, arguments: all };
    const result = thrown(await this.send("Runtime.callFunctionOn", { ...asked, returnByValue: byValue }));
    return byValue ? result.value : result.objectId;
  }
  async input(...events) {
    for (const [kind, told] of events) await this.send(`Input.dispatch${kind}`, told);
    await this.settle();
  }
  // Runs a function in the page, with the module's code; it is given the elements of these locators.
  async evaluate(run, ...locators) {
    const given = [];
    for (const one of locators) {
      const { node } = await this.send("DOM.describeNode", { objectId: await this.reading(one.steps, "node", [], false) });
      given.push({ objectId: (await this.send("DOM.resolveNode", { backendNodeId: node.backendNodeId })).object.objectId });
    }
    const asked = { functionDeclaration: `async function (...given) { return (${run})(...given); }`, objectId: this.inner, arguments: given };
    let isDone = false;
    const done = this.send("Runtime.callFunctionOn", { ...asked, awaitPromise: true, returnByValue: true }).then(thrown).finally(() => { isDone = true; });
    done.catch(() => {});
    const faults = await this.#pass(SETTLE);
    for (let passed = 0; !isDone && passed < MOST; passed += 100) faults.push(...(await this.#pass(100)));
    if (!isDone) throw new Error("it gave a promise that never settles");
    const { value } = await done;
    for (const [, name, message] of faults) throw Object.assign(new Error(message), { name });
    return value;
  }
}
for (const name of [...READING, ...ACTING, "click", "dblclick", "hover", "press", "check", "uncheck"]) {
  Page.prototype[camel(name)] = function (selector, ...given) { return this.locator(selector)[camel(name)](...given); };
}
for (const name of ["title", "url", "accessible"]) Page.prototype[name] = function () { return this.reading([], name, []); };

/** A page that shows this HTML, with the module's code in it, and nothing of an earlier page. */
export async function open(html = "", path = "/") {
  starting ??= browser();
  return new Page(await starting, html, path).open();
}
