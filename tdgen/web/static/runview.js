// One run, live or from the cache: its events folded into a state, and what they changed drawn once a frame.

import { Events, Problem, call } from "./api.js";
import { marked } from "./asked.js";
import { Detail } from "./detail.js";
import { fill, h } from "./dom.js";
import { copyButton } from "./code.js";
import { Functions, MODULE } from "./functions.js";
import { Graph } from "./graph.js";
import { Meter, Roles, Stages } from "./progress.js";
import { Questions, assumed, unanswered } from "./questions.js";
import { fold, newRun, tally } from "./state.js";
import { talkBox, touched } from "./talk.js";
import { MARKS, ago, count, figure, money } from "./words.js";

export class RunView {
  // `source` is {kind: "run", id} or {kind: "kept", id}; `page` hears of the line, announces, and knows the addresses.
  constructor(source, page, picked) {
    Object.assign(this, { source, page, picked });
    this.base = source.kind === "run" ? `/runs/${source.id}` : `/history/${source.id}`;
    this.run = newRun();
    this.dirty = new Map();
    this.make();
  }

  make() {
    this.title = h("h1", { tabindex: -1 }, "…");
    this.badge = h("span", { class: "badge" });
    this.made = h("p", { class: "made" });
    this.parent = h("p", { class: "made" });
    this.text = "";
    this.asked = h("blockquote", { tabindex: 0, role: "region", "aria-label": "Instruction" });
    this.trouble = h("div", { class: "trouble", role: "alert" });
    this.actions = h("div", { class: "actions" });
    this.stages = new Stages();
    this.roles = new Roles();
    this.meter = new Meter();
    this.questions = new Questions(this.source.id);
    this.graph = null;
    this.graphPlace = h("section", { class: "graph-part", "aria-label": "Dependency graph" });
    this.functions = new Functions((name) => this.page.go(this.source, name));
    this.detail = new Detail((name) => this.page.address(this.source, name));
    this.assumed = h("div");
    this.touched = h("div");
    this.after = h("div");
    this.follow = h("div", { class: "follow-place" });
    this.log = h("ol", { class: "log", tabindex: 0, "aria-label": "What happened" });
    this.timeline = h("details", { class: "timeline", ontoggle: () => this.drawLog() }, h("summary", null, "Everything that happened"), this.log);
    this.live = h("div", { class: "live" }, this.stages.node, this.roles.node);
    this.node = h(
      "article",
      { class: "run" },
      h("header", { class: "run-head" }, h("div", { class: "titles" }, this.title, this.badge), this.actions, h("div", { class: "lines" }, this.made, this.parent)),
      this.trouble,
      h("section", { class: "instruction" }, h("div", { class: "source-head" }, h("h2", null, "What was asked"), copyButton(() => this.text, "the instruction")), this.asked, this.assumed, this.touched),
      this.questions.node,
      h("section", { class: "progress", "aria-label": "Progress" }, this.live, this.meter.node),
      this.graphPlace,
      h("div", { class: "work-part" }, this.functions.node, this.detail.node),
      this.after,
      this.timeline,
      this.follow,
    );
  }

  async open() {
    if (this.source.kind === "run") {
      this.record = await call("GET", this.base);
      this.text = this.record.order.instruction;
      this.run.state = this.record.state;
      this.events = new Events(this.source.id, (events) => this.take(events), (on) => this.page.line(on));
    } else {
      const [events, row] = await Promise.all([call("GET", `${this.base}/events`), this.page.row(this.source.id)]);
      this.row = row;
      this.text = row?.instruction ?? "";
      this.live.hidden = true;
      this.take([...events, { event: "run_ended", state: "green", error: "", package: true, key: this.source.id }]);
    }
    this.touch({ part: "all" });
  }

  close() {
    this.events?.close();
    this.closed = true;
  }

  take(events) {
    for (const event of events) {
      for (const touched of fold(this.run, event)) this.touch(touched);
      this.page.heard(event, this.run);
    }
  }

  touch(touched) {
    if (!this.dirty.size) (document.hidden ? setTimeout : requestAnimationFrame)(() => this.draw(), 50);
    this.dirty.set(touched.part === "function" ? `f:${touched.name}` : touched.part, touched);
  }

  draw() {
    if (this.closed) return;
    const dirty = this.dirty;
    this.dirty = new Map();
    const all = dirty.has("all");
    if (all || dirty.has("plan")) this.drawPlan();
    if (all || dirty.has("plan") || dirty.has("graph")) setTimeout(() => this.drawGraph(), 0);
    for (const touched of dirty.values()) if (touched.part === "function") this.drawFunction(touched.name);
    if (all || dirty.has("head")) this.drawHead();
    if (all || dirty.has("roles")) this.roles.show(this.run);
    if (all || dirty.has("questions")) this.questions.show(this.run);
    if (all || dirty.has("log")) this.drawLog();
    if (all || dirty.has("summary")) this.drawAfter();
    if (all || ["plan", "head", "summary"].some((part) => dirty.has(part))) this.drawAsked();
  }

  drawHead() {
    const { run } = this;
    const waits = unanswered(run).length > 0;
    const state = run.ended === null && this.record?.stopping ? "stopping" : waits ? "waits for your answer" : run.state;
    const told = { green: "all green", red: "not all green" }[state] ?? state;
    this.title.textContent = run.plan?.module ?? (run.ended === null ? "Planning …" : "Nothing came of it");
    this.badge.className = `badge ${waits ? "undecided" : run.state}`;
    this.badge.textContent = MARKS[run.state] ? `${MARKS[run.state]} ${told}` : told;
    this.node.classList.toggle("over", run.ended !== null);
    this.stages.show(run);
    this.meter.show(run);
    const { green } = tally(run);
    document.title = `${waits ? "Waits for you: " : ""}${run.plan ? `${green}/${run.functions.size} ` : ""}${run.plan?.module ?? state} · tdgen`;
    this.drawMade();
    const shown = `${run.ended !== null}${run.package}${run.state}`;
    if (this.shown !== shown) this.drawActions();
    this.shown = shown;
  }

  // By which model, how thoroughly checked, when; and what it follows up.
  drawMade() {
    const { run, record, row } = this;
    const trust = run.summary?.trust || record?.order.options.trust;
    const created = record?.created ?? row?.created;
    fill(this.made, [run.model, trust && `trust ${trust}`, created && ago(created)].filter(Boolean).join(" · "));
    const parent = record?.order.follow || run.summary?.follows;
    if (!parent || this.parent.hasChildNodes()) return;
    const key = parent.replace("sha256:", "").slice(0, 16);
    const link = h("a", { href: `#/kept/${key}` }, key);
    fill(this.parent, "Follows up ", link);
    this.page.row(key).then((found) => found && fill(link, found.instruction || key), () => {});
  }

  // What a follow-up changed, and what it left alone.
  async drawTouched() {
    const key = this.source.kind === "kept" ? this.source.id : this.run.key?.replace("sha256:", "");
    if (key) fill(this.touched, await touched(key));
  }

  // What went wrong, and what to do about it here.
  drawTrouble() {
    const { run } = this;
    const { green } = tally(run);
    const told = run.error || (run.ended !== null && run.state === "red" ? `${green} of ${run.functions.size} functions are green.` : "");
    fill(this.trouble, told && h("p", { class: "wrong" }, told), run.advice && h("p", null, run.advice));
  }

  drawActions() {
    const { run } = this;
    const over = run.ended !== null;
    if (over && run.package) this.functions.offer(`${run.plan.module}.py`);
    this.drawTrouble();
    const kept = this.source.kind === "kept" ? this.source.id : null;
    fill(this.follow, over && run.package && talkBox(this.base, kept, run.state === "green"));
    if (over && run.state === "green" && this.parent.hasChildNodes()) this.drawTouched();
    fill(
      this.actions,
      over && run.package && h("a", { class: "button main", href: `${this.base}/package.zip`, download: true }, "Download package"),
      over && run.package && h("a", { class: "button", href: `${this.base}/story.html`, target: "_blank", rel: "noopener" }, "Story"),
      over && run.state !== "green" && h("button", { type: "button", class: run.package ? null : "main", onclick: () => this.page.compose(this.record.order) }, "Try again"),
      !over && h("button", { type: "button", class: "danger", onclick: () => this.cancel() }, "Cancel"),
    );
  }

  async cancel() {
    try {
      this.record = await call("DELETE", this.base);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      fill(this.trouble, h("p", { class: "wrong" }, error.message));
    }
    this.touch({ part: "head" });
  }

  drawPlan() {
    const { run } = this;
    this.graph?.end();
    this.graph = null;
    this.functions.draw(run.functions);
    this.node.classList.toggle("planned", run.plan !== null);
    this.pick(this.picked ?? run.functions.keys().next().value);
    fill(this.assumed, assumed(run.summary?.questions ?? run.plan?.questions ?? []));
  }

  drawGraph() {
    const { graph, functions } = this.run;
    if (this.closed || !graph) return;
    this.graph?.end();
    this.graph = new Graph(graph, functions, (name) => this.page.go(this.source, name, true));
    fill(this.graphPlace, this.graph.node);
    this.graph.settle();
    this.graph.pick(this.functions.picked);
  }

  drawFunction(name) {
    const f = this.run.functions.get(name);
    if (!f) return;
    this.functions.update(f);
    this.graph?.colour(f);
    if (this.detail.name === name) this.detail.show(f, this.run.plan);
  }

  drawLog() {
    if (!this.timeline.open) return;
    const lines = this.run.log.slice(-300);
    fill(this.log, lines.map(({ at, line }) => h("li", null, at && h("time", null, new Date(at * 1000).toLocaleTimeString()), " ", line)));
    this.log.scrollTop = this.log.scrollHeight;
  }

  drawAsked() {
    const { plan, functions } = this.run;
    fill(this.asked, plan ? marked(this.text, plan, functions, (name) => this.page.address(this.source, name)) : this.text);
  }

  // What can be done with what came of it, and what it cost.
  drawAfter() {
    const { run } = this;
    fill(this.assumed, assumed(run.summary?.questions ?? run.plan?.questions ?? []));
    this.text = run.summary?.instruction ?? this.text;
    this.meter.show(run);
    fill(this.after, run.summary && cost(run.summary));
  }

  // Show a function, or the whole module; null shows the first.
  pick(name, focus = false) {
    if (name === MODULE) return void this.showModule();
    const f = this.run.functions.get(name) ?? this.run.functions.values().next().value;
    if (!f) {
      this.detail.empty();
      return;
    }
    if (this.run.functions.has(name)) this.picked = name;
    this.functions.pick(f.name);
    this.graph?.pick(f.name);
    this.detail.show(f, this.run.plan);
    if (name !== null && this.functions.rows.size > 12) this.functions.reveal(f.name);
    if (focus) this.detail.node.focus();
  }

  async showModule() {
    this.picked = MODULE;
    this.functions.pick(MODULE);
    try {
      this.source.solution ??= await call("GET", `${this.base}/solution`);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.detail.empty(error.message);
      return;
    }
    if (this.picked === MODULE) this.detail.showModule(`${this.source.solution.module}.py`, this.source.solution.module_source);
  }
}

// A line for each function and purpose: hundreds of them, made when somebody looks.
function cost(summary) {
  const table = h("div", { class: "wide", tabindex: 0, role: "region", "aria-label": "Cost" });
  const open = () => table.hasChildNodes() || table.append(costTable(summary));
  return h(
    "details",
    { class: "spent", ontoggle: open },
    h("summary", null, `What it cost: ${count(summary.usage.calls, "model call")}${summary.usage.cost === null ? "" : `, ${money(summary.usage.cost)}`}`),
    table,
    h("p", { class: "faint" }, `${summary.seconds.toFixed(1)} seconds, trust ${summary.trust}, asked of ${summary.model}. ${summary.sandbox}`),
    summary.notes.length > 0 && h("ul", null, summary.notes.map((note) => h("li", null, note))),
  );
}

function costTable(summary) {
  const row = (spent) =>
    h("tr", null, h("td", null, spent.purpose), h("td", null, spent.function && h("code", null, spent.function)), number(spent.usage.calls), number(spent.usage.prompt_tokens + spent.usage.completion_tokens), h("td", { class: "number" }, money(spent.usage.cost)));
  const number = (value) => h("td", { class: "number" }, figure(value));
  const titles = ["for", "function", "calls", "tokens", "money"].map((title) => h("th", { scope: "col" }, title));
  const body = h("tbody", null, summary.spent.map(row), row({ purpose: "all of it", function: "", usage: summary.usage }));
  return h("table", { class: "cost" }, h("thead", null, h("tr", null, titles)), body);
}
