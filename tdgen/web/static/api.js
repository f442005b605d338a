// The service, as this page uses it: JSON in and out, and events that survive a line that breaks.

import { h } from "./dom.js";

export class Problem extends Error {
  constructor(message, status, after) {
    super(message);
    this.status = status;
    this.after = after;
  }
}

export async function call(method, path, body) {
  const answer = await fetch(path, {
    method,
    headers: body === undefined ? {} : { "content-type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  }).catch(() => {
    throw new Problem("the service does not answer: is it running?", 0);
  });
  if (answer.status === 401 && path !== "/session") {
    await askToken();
    return call(method, path, body);
  }
  const told = answer.status === 204 ? null : await answer.json().catch(() => null);
  if (!answer.ok) {
    throw new Problem(told?.error ?? `the service answered ${answer.status}`, answer.status, answer.headers.get("retry-after"));
  }
  return told;
}

let asking = null;

// The token is asked for once, however many calls need it.
function askToken() {
  asking ??= new Promise((resolve) => {
    const input = h("input", { type: "password", id: "token", autocomplete: "current-password", required: true });
    const wrong = h("p", { class: "wrong", role: "alert" });
    const form = h(
      "form",
      { method: "dialog" },
      h("h2", { id: "token-title" }, "This service needs its token"),
      h("label", { for: "token" }, "Token"),
      input,
      wrong,
      h("button", { type: "submit" }, "Go on"),
    );
    const dialog = h("dialog", { "aria-labelledby": "token-title" }, form);
    dialog.addEventListener("cancel", (event) => event.preventDefault());
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      try {
        await call("POST", "/session", { token: input.value });
      } catch (problem) {
        wrong.textContent = problem.message;
        input.select();
        return;
      }
      dialog.close();
      dialog.remove();
      asking = null;
      resolve();
    });
    document.body.append(dialog);
    dialog.showModal();
  });
  return asking;
}

const LAST = /^\{"at":[\d.]+,"event":"run_ended"/;

// Events of a run from the first on. Pieces are handed on between frames, so that many at once block nothing.
export class Events {
  constructor(id, take, onLine) {
    this.id = id;
    this.take = take;
    this.onLine = onLine;
    this.number = 0;
    this.waiting = [];
    this.closed = false;
    this.open();
  }

  open() {
    if (this.closed) return;
    this.source = new EventSource(`/runs/${this.id}/events?after=${this.number}`);
    this.source.onopen = () => this.onLine(true);
    this.source.onmessage = (message) => this.heard(message);
    this.source.onerror = () => this.broken();
  }

  heard(message) {
    const number = Number(message.lastEventId);
    if (number <= this.number) return;
    this.number = number;
    this.waiting.push(message.data);
    if (LAST.test(message.data)) this.source.close();
    if (this.waiting.length === 1) setTimeout(() => this.hand(), 16);
  }

  hand() {
    const until = performance.now() + 12;
    const events = [];
    while (this.waiting.length && performance.now() < until) events.push(JSON.parse(this.waiting.shift()));
    if (this.closed) return;
    this.take(events);
    if (this.waiting.length) setTimeout(() => this.hand(), 0);
  }

  broken() {
    this.onLine(false);
    // The address says from where on: a source that reconnects by itself would start from its first number again.
    this.source.close();
    if (!this.closed) this.timer = setTimeout(() => this.again(), 1000);
  }

  async again() {
    try {
      await call("GET", "/runs/" + this.id);
    } catch (problem) {
      if (problem.status === 404) return;
      this.timer = setTimeout(() => this.again(), 1500);
      return;
    }
    this.open();
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    this.source.close();
  }
}
