// Python in a few colours, and what changed between two sources.

import { breakable, h } from "./dom.js";
import { LONGEST, count } from "./words.js";

const WORDS =
  "False|None|True|and|as|assert|async|await|break|class|continue|def|del|elif|else|except|finally|for|from|global|if|" +
  "import|in|is|lambda|nonlocal|not|or|pass|raise|return|try|while|with|yield";
const TOKEN = new RegExp(
  "(?<comment>#[^\\n]*)" +
    "|(?<string>[rbfuRBFU]{0,2}(?:\"\"\"(?:[^\\\\]|\\\\[^])*?(?:\"\"\"|$)|'''(?:[^\\\\]|\\\\[^])*?(?:'''|$)" +
    "|\"(?:[^\"\\\\\\n]|\\\\[^])*\"?|'(?:[^'\\\\\\n]|\\\\[^])*'?))" +
    `|(?<keyword>\\b(?:${WORDS})\\b)` +
    "|(?<name>(?<=def )\\w+|(?<=class )\\w+)" +
    "|(?<number>\\b\\d[\\w.]*)",
  "g",
);
const MOST_CELLS = 4_000_000;
const CONTEXT = 3;

// Source to read, scroll and copy, under its title.
export const block = (source, label, title = "") =>
  h(
    "figure",
    { class: "source" },
    h("figcaption", null, h("span", null, breakable(title)), copyButton(() => source, label)),
    h("pre", { class: "code", tabindex: 0, role: "region", "aria-label": label }, h("code", null, python(source.trimEnd()))),
  );

// A value's source in a line of text; of a long one the beginning, which opens to all of it.
export function folded(source) {
  if (source.length <= LONGEST) return h("code", null, source);
  const key = `${source.length}:${source.slice(0, 40)}`;
  const shown = h("summary", null, h("code", null, `${source.slice(0, LONGEST / 2)}…`), h("small", null, count(source.length, "character")));
  return h("details", { class: "folded", "data-key": key }, shown, h("code", null, source));
}

export function copyButton(text, label) {
  const button = h("button", { type: "button", class: "small copy", "aria-label": `Copy: ${label}`, onclick: copy }, "Copy");
  async function copy() {
    button.textContent = (await copied(text())) ? "Copied" : "Not allowed";
    setTimeout(() => (button.textContent = "Copy"), 1600);
  }
  return button;
}

// Where the service has no TLS, browsers keep the clipboard to what is selected.
async function copied(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text).then(() => true, () => false);
  const area = h("textarea", { class: "unseen" });
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
}

function python(source) {
  const parts = [];
  let end = 0;
  for (const found of source.matchAll(TOKEN)) {
    const kind = Object.keys(found.groups).find((name) => found.groups[name] !== undefined);
    parts.push(source.slice(end, found.index), h("span", { class: `py-${kind}` }, found[0]));
    end = found.index + found[0].length;
  }
  parts.push(source.slice(end));
  return parts;
}

export function changes(before, after, label) {
  const lines = between(before.split("\n"), after.split("\n"));
  if (!lines.some(([sign]) => sign !== " ")) return h("p", { class: "faint" }, "The same source as before.");
  const shown = lines.map((_, place) =>
    lines.slice(Math.max(0, place - CONTEXT), place + CONTEXT + 1).some(([sign]) => sign !== " "),
  );
  const parts = [];
  lines.forEach(([sign, text], place) => {
    if (!shown[place]) {
      if (shown[place - 1] || place === 0) parts.push(h("span", { class: "hunk" }, "  ⋯\n"));
      return;
    }
    const name = { "+": "ins", "-": "del" }[sign] ?? "span";
    parts.push(h(name, null, h("span", { class: "sign" }, `${sign} `), `${text}\n`));
  });
  return h("pre", { class: "code diff", tabindex: 0, role: "region", "aria-label": label }, parts);
}

// Lines of both, each with its sign, by the longest common subsequence.
function between(a, b) {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const same = (lines) => lines.map((line) => [" ", line]);
  const middle = common(a.slice(start, a.length - end), b.slice(start, b.length - end));
  return [...same(a.slice(0, start)), ...middle, ...same(end ? a.slice(-end) : [])];
}

function common(a, b) {
  if (a.length * b.length > MOST_CELLS) return [...a.map((l) => ["-", l]), ...b.map((l) => ["+", l])];
  const wide = b.length + 1;
  const table = new Uint16Array((a.length + 1) * wide);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      table[i * wide + j] =
        a[i] === b[j] ? table[(i + 1) * wide + j + 1] + 1 : Math.max(table[(i + 1) * wide + j], table[i * wide + j + 1]);
    }
  }
  const lines = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) lines.push([" ", a[(j++, i++)]]);
    else if (j >= b.length || (i < a.length && table[(i + 1) * wide + j] >= table[i * wide + j + 1])) lines.push(["-", a[i++]]);
    else lines.push(["+", b[j++]]);
  }
  return lines;
}
