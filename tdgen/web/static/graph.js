// The dependency graph: drawn where the service laid it out, coloured as the run goes. It is zoomed, walked by arrow
// keys, and shows what the box under the pointer, or in focus, needs and is needed by.

import { fill, h, slices, svg } from "./dom.js";
import { BOX, MARKS, STATES } from "./words.js";

const [WIDTH, HEIGHT] = BOX;
const LETTERS = 20;
const [SMALLEST, LARGEST, LEGIBLE, STEP] = [0.05, 2, 0.72, 1.25];
const MANY = 60; // above it, colours change at once: to fade so many would hold the page up

export class Graph {
  constructor(layout, functions, onPick) {
    Object.assign(this, { layout, onPick, boxes: new Map(), scale: 1, picked: null });
    this.joined = new Map([...functions.keys()].map((name) => [name, { needs: [], users: [], edges: [] }]));
    this.drawing = svg("svg", { viewBox: `0 0 ${layout.width} ${layout.height}`, class: functions.size > MANY ? "graph still" : "graph" });
    this.drawing.append(...layout.edges.filter(([needed, user]) => functions.has(needed) && functions.has(user)).map((edge) => this.edge(edge)));
    this.frame = h("div", { class: "graph-frame", tabindex: 0, role: "region", "aria-label": "Dependency graph" }, this.drawing);
    this.told = h("output");
    this.node = h("div", null, this.bar(), this.frame);
    const names = Object.keys(layout.boxes).filter((name) => functions.has(name));
    this.order = names.sort((a, b) => layout.boxes[a][0] - layout.boxes[b][0] || layout.boxes[a][1] - layout.boxes[b][1]);
    this.end = slices(names, 40, (name) => {
      this.drawing.append(this.box(name, layout.boxes[name]));
      this.colour(functions.get(name));
      if (name === this.picked) this.pick(name);
    });
    this.listen();
  }

  bar() {
    const button = (told, label, act) => h("button", { type: "button", class: "small", "aria-label": label, title: label, onclick: act }, told);
    return h(
      "div",
      { class: "zoom" },
      h("h2", null, "Dependencies"),
      h("span", { class: "faint legend" }, "what is needed stands to the left"),
      h("div", { class: "buttons", role: "group", "aria-label": "Zoom" }, button("−", "Zoom out", () => this.zoom(this.scale / STEP)), this.told, button("+", "Zoom in", () => this.zoom(this.scale * STEP)), button("Fit", "Show the whole graph", () => this.zoom(this.whole()))),
    );
  }

  edge([needed, user, path]) {
    const drawn = svg("path", { d: path, class: "edge" });
    for (const name of [needed, user]) this.joined.get(name).edges.push(drawn);
    this.joined.get(user).needs.push(needed);
    this.joined.get(needed).users.push(user);
    return drawn;
  }

  box(name, [x, y]) {
    const shown = name.length <= LETTERS ? name : `${name.slice(0, LETTERS - 1)}…`;
    const title = svg("title", null, name);
    const mark = svg("text", { x: x + 17, y: y + HEIGHT / 2 + 5, class: "mark" });
    const group = svg(
      "g",
      { class: "node waiting", tabindex: this.order[0] === name ? 0 : -1, role: "button", "data-name": name },
      title,
      svg("rect", { x, y, width: WIDTH, height: HEIGHT, rx: 8 }),
      mark,
      svg("text", { x: x + 32, y: y + HEIGHT / 2 + 5 }, shown),
    );
    this.boxes.set(name, { group, title, mark });
    return group;
  }

  colour(f) {
    const box = this.boxes.get(f.name);
    if (!box) return;
    const { needs, users } = this.joined.get(f.name);
    const told = [`${f.name}: ${STATES[f.state] ?? f.state}`, needs.length && `needs ${needs.join(", ")}`, users.length && `is needed by ${users.join(", ")}`];
    const kept = ["near", "picked"].filter((one) => box.group.classList.contains(one));
    box.group.setAttribute("class", ["node", f.state, ...kept].join(" "));
    box.group.setAttribute("aria-label", told.filter(Boolean).join("; "));
    fill(box.title, box.group.getAttribute("aria-label"));
    fill(box.mark, MARKS[f.state] ?? MARKS.waiting);
  }

  listen() {
    const nameOf = (event) => event.target.closest?.(".node")?.dataset.name ?? null;
    for (const kind of ["pointerover", "focusin"]) this.drawing.addEventListener(kind, (event) => this.near(nameOf(event)));
    for (const kind of ["pointerleave", "focusout"]) this.drawing.addEventListener(kind, () => this.near(null));
    this.drawing.addEventListener("click", (event) => nameOf(event) && this.onPick(nameOf(event)));
    this.drawing.addEventListener("keydown", (event) => this.pressed(event, nameOf(event)));
    this.frame.addEventListener("wheel", (event) => this.wheeled(event), { passive: false });
  }

  pressed(event, name) {
    if (name === null) return;
    const place = this.order.indexOf(name);
    const { needs, users } = this.joined.get(name);
    const to = { ArrowLeft: needs[0], ArrowRight: users[0], ArrowUp: this.order[place - 1], ArrowDown: this.order[place + 1] }[event.key];
    if (event.key === "Enter" || event.key === " ") this.onPick(name);
    else if (to) this.boxes.get(to)?.group.focus();
    else if (!event.key.startsWith("Arrow")) return;
    event.preventDefault();
  }

  // Make what a box is joined to stand out from all else; null ends that.
  near(name) {
    for (const one of this.drawing.querySelectorAll(".near")) one.classList.remove("near");
    this.drawing.classList.toggle("marked", name !== null);
    const of = this.joined.get(name ?? this.picked);
    if (!of) return;
    for (const one of of.edges) one.classList.add("near");
    if (name === null) return;
    for (const other of [name, ...of.needs, ...of.users]) this.boxes.get(other)?.group.classList.add("near");
  }

  pick(name) {
    for (const [group, is] of [[this.boxes.get(this.picked)?.group, false], [this.boxes.get(name)?.group, true]]) {
      group?.classList.toggle("picked", is);
      group?.setAttribute("tabindex", is ? 0 : -1);
    }
    if (name !== this.order[0]) this.boxes.get(this.order[0])?.group.setAttribute("tabindex", -1);
    this.picked = name;
    this.near(null);
    this.reveal(name);
  }

  // Scroll the frame to a box that is not seen; the page itself stays where it is.
  reveal(name) {
    const { frame, scale } = this;
    const [x, y] = this.layout.boxes[name]?.map((length) => length * scale) ?? [0, 0];
    const seen = x >= frame.scrollLeft && x + WIDTH * scale <= frame.scrollLeft + frame.clientWidth && y >= frame.scrollTop && y + HEIGHT * scale <= frame.scrollTop + frame.clientHeight;
    if (!seen) frame.scrollTo(x - frame.clientWidth / 2, y - frame.clientHeight / 2);
  }

  // How much it is to be shrunk so that all of it is seen.
  whole() {
    const most = parseFloat(getComputedStyle(this.frame).maxHeight) || Infinity;
    return Math.min(1, (this.frame.clientWidth - 16) / this.layout.width, (most - 16) / this.layout.height);
  }

  // At first: all of it where that can be read, else a part that can.
  settle() {
    this.zoom(Math.max(this.whole(), LEGIBLE));
  }

  // Zoom, with what is in the middle staying there.
  zoom(scale) {
    const { frame, drawing, layout } = this;
    const grown = Math.min(LARGEST, Math.max(SMALLEST, scale)) / this.scale;
    const middle = [(frame.scrollLeft + frame.clientWidth / 2) * grown, (frame.scrollTop + frame.clientHeight / 2) * grown];
    this.scale *= grown;
    drawing.setAttribute("width", Math.round(layout.width * this.scale));
    drawing.setAttribute("height", Math.round(layout.height * this.scale));
    frame.scrollTo(middle[0] - frame.clientWidth / 2, middle[1] - frame.clientHeight / 2);
    this.told.value = `${Math.round(this.scale * 100)}%`;
  }

  wheeled(event) {
    if (!event.ctrlKey) return;
    event.preventDefault();
    this.zoom(this.scale * (event.deltaY < 0 ? STEP : 1 / STEP));
  }
}
