// All functions as a list to pick from; a row is drawn anew only when its function changed.

import { fill, h, slices } from "./dom.js";
import { MARKS, STATES, attemptTold, count } from "./words.js";

export const MODULE = "*"; // what is picked where it is no function, but all of them

export class Functions {
  constructor(onPick) {
    this.rows = new Map();
    this.onPick = onPick;
    this.picked = null;
    this.list = h("ul", { class: "functions", "aria-label": "Functions" });
    this.filter = h("input", { type: "search", id: "filter", placeholder: "Show only …", oninput: () => this.sift() });
    this.bar = h("div", { class: "sift", hidden: true }, h("label", { for: "filter", class: "unseen" }, "Show only functions of this name or state"), this.filter);
    this.list.addEventListener("keydown", (event) => this.moved(event));
    this.module = h("button", { type: "button", class: "whole", hidden: true, onclick: () => this.onPick(MODULE) });
    this.node = h("div", { class: "pick" }, this.module, this.bar, this.list);
  }

  draw(functions) {
    this.end?.();
    this.rows.clear();
    this.list.replaceChildren();
    this.end = slices([...functions.values()], 50, (f) => {
      const [told, mark] = [h("span", { class: "told" }), h("span", { class: "mark", "aria-hidden": "true" })];
      const button = h("button", { type: "button", onclick: () => this.onPick(f.name) }, mark, h("span", { class: "name", title: f.name }, f.name), told);
      const row = h("li", null, button);
      this.rows.set(f.name, { row, told, mark, button, f });
      this.list.append(row);
      this.update(f);
      if (f.name !== this.picked) return;
      button.setAttribute("aria-current", "true");
      this.reveal(f.name);
    });
    this.bar.hidden = functions.size < 12;
  }

  // Offer the module as a whole.
  offer(name) {
    fill(this.module, h("span", { class: "name" }, name), h("span", { class: "told" }, "the whole module"));
    this.module.hidden = false;
  }

  update(f) {
    const found = this.rows.get(f.name);
    if (!found) return;
    found.f = f;
    if (found.row.className !== f.state) {
      found.row.className = f.state;
      found.mark.className = `mark ${f.state}`;
      found.mark.textContent = MARKS[f.state] ?? MARKS.waiting;
    }
    const told = describe(f);
    if (found.told.textContent !== told) found.told.textContent = told;
  }

  pick(name) {
    const button = (picked) => (picked === MODULE ? this.module : this.rows.get(picked)?.button);
    button(this.picked)?.removeAttribute("aria-current");
    this.picked = name;
    button(name)?.setAttribute("aria-current", "true");
  }

  // Scroll the list to a row; the page itself stays where it is.
  reveal(name) {
    requestAnimationFrame(() => {
      const row = this.rows.get(name)?.row;
      if (!row) return;
      const [frame, place] = [this.list.getBoundingClientRect(), row.getBoundingClientRect()];
      this.list.scrollTop += Math.min(0, place.top - frame.top) + Math.max(0, place.bottom - frame.bottom);
    });
  }

  sift() {
    const wanted = this.filter.value.trim().toLowerCase();
    for (const { row, f } of this.rows.values()) row.hidden = !`${f.name.toLowerCase()} ${f.state}`.includes(wanted);
  }

  moved(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    const shown = [...this.rows.values()].filter(({ row }) => !row.hidden);
    const place = shown.findIndex(({ button }) => button === document.activeElement);
    const next = shown[place + step];
    if (!next) return;
    event.preventDefault();
    next.button.focus();
  }
}

function describe(f) {
  const attempt = f.attempts.at(-1);
  const state = STATES[f.state] ?? f.state;
  if (["green", "red", "blocked", "undecided"].includes(f.state)) {
    return `${state} · ${f.suite ? count(f.suite.cases.length, "case") : "no case"} · ${count(f.attempts.length, "attempt")}`;
  }
  if (f.doing) return attempt ? `${f.doing} · before: ${attemptTold(attempt)}` : f.doing;
  if (attempt) return attemptTold(attempt);
  return f.suite ? count(f.suite.cases.length, "case") : state;
}
