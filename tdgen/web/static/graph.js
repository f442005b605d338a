// The dependency graph: what is needed stands to the left of what needs it. Drawn once, coloured as the run goes.

import { h, slices, svg } from "./dom.js";
import { STATES } from "./words.js";

const [WIDTH, HEIGHT, ACROSS, BELOW, LETTERS] = [188, 40, 64, 16, 20];
const SMALLEST = 0.72; // no smaller than this, it is scrolled instead
const MANY = 60; // above it, colours change at once: to fade so many would hold the page up

export class Graph {
  constructor(plan, functions, onPick) {
    this.boxes = new Map();
    this.onPick = onPick;
    this.node = h("div", { class: "graph-frame" }, this.drawn(plan, functions));
  }

  drawn(plan, functions) {
    const columns = layers(new Map(plan.functions.map((spec) => [spec.name, spec.dependencies])));
    const spots = new Map();
    columns.forEach((column, x) =>
      column.forEach((name, y) => spots.set(name, [x * (WIDTH + ACROSS) + 1, y * (HEIGHT + BELOW) + 1])),
    );
    const edges = plan.functions.flatMap((spec) =>
      spec.dependencies
        .filter((needed) => spots.has(needed) && needed !== spec.name)
        .map((needed) => edge(spots.get(needed), spots.get(spec.name))),
    );
    const width = Math.max(1, columns.length) * (WIDTH + ACROSS) - ACROSS + 2;
    const height = Math.max(1, ...columns.map((column) => column.length)) * (HEIGHT + BELOW) - BELOW + 2;
    const drawing = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, class: functions.size > MANY ? "graph still" : "graph" }, edges);
    drawing.style.minWidth = `${width * SMALLEST}px`;
    this.end = slices([...functions.values()], 40, (f) => {
      drawing.append(this.box(f.name, spots.get(f.name)));
      this.colour(f);
    });
    return drawing;
  }

  box(name, [x, y]) {
    const shown = name.length <= LETTERS ? name : `${name.slice(0, LETTERS - 1)}…`;
    const title = svg("title", null, name);
    const group = svg(
      "g",
      { class: "node waiting", tabindex: 0, role: "button", onclick: () => this.onPick(name), onkeydown: pressed(() => this.onPick(name)) },
      title,
      svg("rect", { x, y, width: WIDTH, height: HEIGHT, rx: 9 }),
      svg("circle", { cx: x + 18, cy: y + HEIGHT / 2, r: 5 }),
      svg("text", { x: x + 32, y: y + HEIGHT / 2 + 5 }, shown),
    );
    this.boxes.set(name, { group, title });
    return group;
  }

  colour(f) {
    const box = this.boxes.get(f.name);
    if (!box) return;
    box.group.setAttribute("class", `node ${f.state}`);
    box.group.setAttribute("aria-label", `${f.name}: ${STATES[f.state] ?? f.state}`);
    box.title.textContent = `${f.name}: ${STATES[f.state] ?? f.state}`;
  }
}

function pressed(act) {
  return (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    act();
  };
}

function edge([x1, y1], [x2, y2]) {
  const [sx, sy, ey] = [x1 + WIDTH, y1 + HEIGHT / 2, y2 + HEIGHT / 2];
  const bend = Math.max(24, Math.abs(x2 - sx) / 2);
  return svg("path", { d: `M${sx} ${sy}C${sx + bend} ${sy} ${x2 - bend} ${ey} ${x2} ${ey}`, class: "edge" });
}

// Names in columns: each to the right of all it needs, and as near as can be to what needs it.
export function layers(needs) {
  const placed = earliest(needs);
  const users = new Map();
  for (const [user, needed] of needs) for (const name of needed) users.set(name, [...(users.get(name) ?? []), user]);
  for (const name of [...needs.keys()].sort((a, b) => placed.get(b) - placed.get(a))) {
    const right = (users.get(name) ?? []).map((user) => placed.get(user)).filter((column) => column > placed.get(name));
    if (right.length) placed.set(name, Math.min(...right) - 1);
  }
  const columns = Array.from({ length: Math.max(-1, ...placed.values()) + 1 }, () => []);
  for (const name of needs.keys()) columns[placed.get(name)].push(name);
  return columns;
}

function earliest(needs) {
  const placed = new Map();
  let waiting = [...needs.keys()];
  for (let column = 0; waiting.length; column += 1) {
    const stands = (name) => needs.get(name).every((d) => placed.has(d) || d === name || !needs.has(d));
    const found = waiting.filter(stands);
    const ready = found.length ? found : waiting.slice(0, 1);
    for (const name of ready) placed.set(name, column);
    waiting = waiting.filter((name) => !placed.has(name));
  }
  return placed;
}
