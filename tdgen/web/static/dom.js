// Elements out of data. Text becomes a text node and nothing else: no string is ever read as HTML.

const SVG = "http://www.w3.org/2000/svg";
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u2028\u2029]|\p{Surrogate}/gu;

export const h = (name, props, ...children) => made(document.createElement(name), props, children);
export const svg = (name, props, ...children) => made(document.createElementNS(SVG, name), props, children);

// A text with everything spelt out that is not seen, or that reorders what is.
export const visible = (text) =>
  String(text).replace(HIDDEN, (c) => "\\u" + c.codePointAt(0).toString(16).padStart(4, "0"));

// A long name that may go on in the next line behind each of its underscores.
export const breakable = (name) => name.split(/(?<=_)/).flatMap((part) => [part, h("wbr")]);

export function fill(node, ...children) {
  node.replaceChildren(...nodes(children));
  return node;
}

// Do something with each of many things, so many at a time, the first ones now; what it gives back ends it early.
export function slices(things, size, each) {
  let ended = false;
  const from = (start) => {
    if (ended) return;
    for (const thing of things.slice(start, start + size)) each(thing);
    if (start + size < things.length) setTimeout(() => from(start + size), 0);
  };
  from(0);
  return () => (ended = true);
}

function made(node, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...nodes(children));
  return node;
}

function nodes(children) {
  return children
    .flat(Infinity)
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : document.createTextNode(visible(child))));
}
