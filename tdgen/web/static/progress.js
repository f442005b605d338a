// How far a run is: its stages, who is doing what, the count of green and red, and what was spent.

import { fill, h } from "./dom.js";
import { tally } from "./state.js";
import { ROLES, STAGES, count, figure, money, seconds } from "./words.js";

const IDLE = { planner: "plans the functions", tester: "writes the tests, and sees no code", developer: "writes the code until the tests pass" };
const OPTIONAL = ["reading", "weigh", "compare", "confirm", "properties"]; // done from a trust level on
const NOTICED = 0.05; // a step that took fewer seconds is told without a time

export class Stages {
  constructor() {
    this.node = h("ol", { class: "stages", "aria-label": "Stages" });
  }

  // All stages all the time, so that nothing moves; one in which nothing was to be done says so, and no time.
  show(run) {
    const over = run.ended !== null;
    fill(
      this.node,
      [...run.stages].map(([name, stage]) => {
        const quick = !(stage.seconds >= NOTICED);
        const state = over && stage.state === "current" ? "cut" : stage.state === "done" && quick && OPTIONAL.includes(name) ? "skipped" : stage.state;
        const told = { done: quick ? "done" : seconds(stage.seconds), current: "now", cut: "cut off", waiting: over ? "not reached" : "", skipped: "not needed" }[state];
        return h("li", { class: state, "aria-current": state === "current" ? "step" : null }, h("span", { class: "stage" }, STAGES[name] ?? name), h("small", null, told));
      }),
    );
  }
}

export class Roles {
  constructor() {
    this.cards = new Map();
    this.node = h("div", { class: "roles" });
    for (const [name, title] of Object.entries(ROLES)) {
      const now = h("p", { class: "now" });
      const done = h("small");
      const card = h("section", { class: "role", "aria-label": title }, h("h3", null, title), done, now);
      this.cards.set(name, { card, now, done });
      this.node.append(card);
    }
  }

  show(run) {
    for (const [name, role] of run.roles) {
      const { card, now, done } = this.cards.get(name);
      const doing = [...role.doing.values()];
      card.classList.toggle("busy", doing.length > 0);
      now.textContent = doing.length ? describe(doing) : role.last && run.ended === null ? `last: ${role.last}` : IDLE[name];
      now.title = now.textContent;
      done.textContent = role.done ? count(role.done, "answer") : "";
    }
  }
}

function describe(doing) {
  const [first] = doing;
  const written = first.characters ? ` (${count(first.characters, "character")})` : "";
  return doing.length > 1 ? `${first.told} and ${doing.length - 1} more${written}` : `${first.told}${written}`;
}

export class Meter {
  constructor() {
    this.bar = h("div", { class: "bar-of", role: "img" });
    this.figures = h("dl", { class: "figures" });
    this.node = h("section", { class: "meter", "aria-label": "Progress and cost" }, this.bar, this.figures);
  }

  show(run) {
    const counts = tally(run);
    const whole = run.functions.size;
    const told = `${counts.green} green, ${counts.red} not green, ${counts.work} being written, ${counts.waiting} waiting`;
    this.bar.setAttribute("aria-label", told);
    fill(this.bar, ["green", "red", "work"].map((kind) => counts[kind] > 0 && h("span", { class: kind, "data-share": counts[kind] })));
    for (const part of this.bar.children) part.style.flexGrow = part.dataset.share;
    if (whole > counts.green + counts.red + counts.work) {
      const rest = h("span", { class: "waiting" });
      rest.style.flexGrow = whole - counts.green - counts.red - counts.work;
      this.bar.append(rest);
    }
    fill(this.figures, figures(run, counts, whole).map(([name, value, more]) => h("div", null, h("dt", null, name), h("dd", null, value, more && h("small", null, more)))));
  }
}

function figures(run, counts, whole) {
  const budget = run.budget;
  const usage = budget?.usage;
  const left = (value, unit) => (value === null || value === undefined || run.ended !== null ? "" : `${unit(value)} left`);
  const took = run.began === null ? run.summary?.seconds : (run.ended ?? run.last) - run.began;
  const found = [["Green", whole ? `${counts.green} of ${whole}` : "–", counts.red ? `${counts.red} not green` : ""]];
  found.push(["Model calls", usage ? figure(usage.calls) : "–", left(budget?.calls_left, figure)]);
  found.push(["Tokens", usage ? figure(usage.prompt_tokens + usage.completion_tokens) : "–", left(budget?.tokens_left, figure)]);
  if (usage && usage.cost !== null) found.push(["Money", money(usage.cost), left(budget.money_left, money)]);
  if (took !== undefined) found.push(["Time", seconds(took), left(budget?.seconds_left, seconds)]);
  return found;
}
