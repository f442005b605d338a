// The outer realm: reads one order a line from standard input, and answers each with one line that repeats its nonce.
// A candidate runs in a context of its own, with the language's own globals and those of the surface; functions of this
// realm are never handed to it.
const vm = require("vm");
const { readSync, writeSync } = require("fs");
const { parse, stringify } = JSON;
const options = { microtaskMode: "afterEvaluate", codeGeneration: { strings: false, wasm: false } };
const tick = new vm.Script("undefined");
const scripts = new Map();
const strip = SAMPLE ? require("module").stripTypeScriptTypes : (source) => source;
strip(SAMPLE);
const inner = new vm.Script(INNER, { filename: "before" });
let next = fresh(), context = null, serve = null, functions = null, waiting = "";

function compiled(source, filename, above = 0) {
  const key = `${filename}\n${source}`;
  if (!scripts.has(key)) scripts.set(key, new vm.Script(strip(source), { filename, lineOffset: -above }));
  return scripts.get(key);
}

function fresh() {
  const made = vm.createContext(Object.create(null), options);
  return { context: made, serve: inner.runInContext(made).serve };
}

function fault(error, filename, above) {
  const stack = String(error && error.stack);
  const [, at] = stack.match(new RegExp(`\\b${filename}:(\\d+)`)) ?? [];
  const [, typed] = stack.match(/^:(\d+)\n/) ?? []; // of what strips types, which counts what stands above
  const line = at ? Number(at) : typed ? Number(typed) - above : 0;
  return ["fault", String(error && error.name), String(error && error.message), line];
}

function open(order) {
  ({ context, serve } = next ?? fresh());
  next = null;
  try {
    compiled(`"use strict"; ${order.source}`, "solution", order.above).runInContext(context);
    const known = compiled(order.names, "names").runInContext(context);
    serve("know", known.Unwritten, known.classes);
    functions = known.functions;
    return ["opened"];
  } catch (error) {
    return fault(error, "solution", order.above);
  }
}

function call(order) {
  serve("begin", functions[order.name], order.given, order.isAsync);
  tick.runInContext(context);
  while (serve("state") === "running" && serve("fire")) tick.runInContext(context);
  return serve("tell");
}

function answer(order) {
  if (order.op === "open") return stringify(open(order));
  return call(order);
}

const chunk = Buffer.alloc(1 << 16);
for (;;) {
  let end;
  while ((end = waiting.indexOf("\n")) < 0) {
    const size = readSync(0, chunk, 0, chunk.length, null);
    if (size === 0) process.exit(0);
    waiting += chunk.toString("latin1", 0, size);
  }
  const order = parse(waiting.slice(0, end));
  waiting = waiting.slice(end + 1);
  const said = Buffer.from(`${order.nonce} ${answer(order)}\n`);
  for (let sent = 0; sent < said.length; ) sent += writeSync(1, said, sent);
  if (order.op === "call") next ??= fresh(); // while nobody waits for it
}
