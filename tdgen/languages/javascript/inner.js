// Runs in a context of its own, before the candidate and in the same realm, and keeps what it needs of the language:
// whatever the candidate puts in its place later is not asked. Only texts go in and out, so that nothing of the outer
// realm is ever in the candidate's reach. Values are told as tagged JSON, written by hand: no toJSON, no setter and no
// iterator of the candidate's is called on the way.
(function () {
  "use strict";
  let Unwritten = class {}, classes = [];
  const { apply, ownKeys, getPrototypeOf, getOwnPropertyDescriptor } = Reflect;
  const { parse, stringify } = JSON;
  const bound = (f) => (self, ...given) => apply(f, self, given);
  const [mapEach, setEach] = [bound(Map.prototype.forEach), bound(Set.prototype.forEach)];
  const [mapSet, setAdd, mapGet] = [bound(Map.prototype.set), bound(Set.prototype.add), bound(Map.prototype.get)];
  const mapSize = bound(getOwnPropertyDescriptor(Map.prototype, "size").get);
  const setSize = bound(getOwnPropertyDescriptor(Set.prototype, "size").get);
  const then = bound(Promise.prototype.then);
  const bytes = getPrototypeOf(Uint8Array.prototype);
  const tag = bound(getOwnPropertyDescriptor(bytes, Symbol.toStringTag).get);
  const length = bound(getOwnPropertyDescriptor(bytes, "length").get);
  const toHex = bound(Number.prototype.toString);
  const { isArray } = Array;
  const { is } = Object;
  const [_Map, _Set, _Promise, _Uint8Array, _Number, _BigInt, _String, _Error, _TypeError] =
    [Map, Set, Promise, Uint8Array, Number, BigInt, String, Error, TypeError];
  const own = (value, name) => {
    const found = getOwnPropertyDescriptor(value, name);
    return found && "value" in found ? found.value : undefined;
  };
  const nodeType = globalThis.Node && bound(getOwnPropertyDescriptor(Node.prototype, "nodeType").get);
  const isElement = (value) => { try { return nodeType(value) === 1; } catch { return false; } };
  const MOST = 250000, DEEPEST = 100;
  let timers = [], now = 0, serial = 0, left = 0, printed = "", complained = "";

  const isMap = (value) => { try { mapSize(value); return true; } catch { return false; } };
  const isSet = (value) => { try { setSize(value); return true; } catch { return false; } };
  const classOf = (value) => {
    for (let at = value, n = 0; at !== null && n < 50; at = getPrototypeOf(at), n++) {
      const made = own(at, "constructor");
      for (let k = 0; k < classes.length; k++) if (made === classes[k].made && at === made.prototype) return classes[k];
    }
    return null;
  };

  function told(value, depth) {
    if (--left < 0) throw new _TypeError("too large to tell");
    if (depth > DEEPEST) return '["o","NestedTooDeep"]';
    switch (typeof value) {
      case "undefined": return '["o","undefined"]';
      case "boolean": return value ? "true" : "false";
      case "string": left -= value.length / 16; return stringify(value);
      case "number": return `["n","${is(value, -0) ? "-0" : _String(value)}"]`;
      case "bigint": return `["b","${_String(value)}"]`;
      case "symbol": return '["o","Symbol"]';
      case "function": return '["o","Function"]';
    }
    if (value === null) return "null";
    if (isArray(value)) {
      let text = "";
      for (let k = 0; k < value.length; k++) text += (k ? "," : "") + told(value[k], depth + 1);
      return `["l",[${text}]]`;
    }
    let text = "", comma = "";
    if (isMap(value)) {
      mapEach(value, (item, key) => {
        text += `${comma}[${told(key, depth + 1)},${told(item, depth + 1)}]`;
        comma = ",";
      });
      return `["m",[${text}]]`;
    }
    if (isSet(value)) {
      setEach(value, (item) => { text += comma + told(item, depth + 1); comma = ","; });
      return `["s",[${text}]]`;
    }
    if (tag(value) === "Uint8Array") {
      for (let k = 0; k < length(value); k++) text += (value[k] < 16 ? "0" : "") + toHex(value[k], 16);
      return `["y","${text}"]`;
    }
    if (isElement(value)) return `["h","Element",${numberOf(value)}]`;
    const known = classOf(value);
    if (known && known.isUnit) return `["h",${stringify(known.name)},${numberOf(value)}]`;
    if (known && !known.isError) return `["r",${stringify(known.name)},[${fields(value, known, depth)}]]`;
    return `["o",${stringify(described(value))}]`;
  }

  const held = [], numbers = new Map();
  function numberOf(value) { // objects of the plan's classes stay here, and are told by a number
    let found = mapGet(numbers, value);
    if (found === undefined) { found = held.length; held[found] = value; mapSet(numbers, value, found); }
    return found;
  }

  function fields(value, known, depth) {
    let text = "";
    for (let k = 0; k < known.fields.length; k++) {
      const name = known.fields[k];
      text += `${k ? "," : ""}[${stringify(name)},${told(value[name], depth + 1)}]`;
    }
    return text;
  }

  function described(value) {
    if (value instanceof _Promise) return "Promise";
    if (value instanceof _Error) return "Error, not thrown";
    const made = own(getPrototypeOf(value) ?? {}, "constructor");
    const name = typeof made === "function" ? own(made, "name") : "";
    return name === "Object" || typeof name !== "string" ? "PlainObject" : name;
  }

  function raised(error) {
    if (error instanceof Unwritten) return `["unwritten",${stringify(_String(error.message))}]`;
    const text = (value) => stringify(typeof value === "string" ? value : "");
    if (error === null || typeof error !== "object" || !(error instanceof _Error)) {
      let said = "what can't be told";
      try { said = _String(error); } catch {}
      return `["raised","",${stringify(`something that is no Error was thrown: ${said}`)},[]]`;
    }
    const known = classOf(error);
    const made = own(getPrototypeOf(error) ?? {}, "constructor");
    const name = known ? known.name : typeof made === "function" ? own(made, "name") : "Error";
    const held = known && known.isError ? fields(error, known, 0) : "";
    return `["raised",${text(name)},${text(error.message)},[${held}],${text(error.stack)}]`;
  }

  function revived(told) {
    if (told === null || typeof told !== "object") return told;
    const inner = told[1];
    switch (told[0]) {
      case "n": return inner === "nan" ? NaN : inner === "inf" ? Infinity : inner === "-inf" ? -Infinity : _Number(inner);
      case "l": { const made = []; for (let k = 0; k < inner.length; k++) made.push(revived(inner[k])); return made; }
      case "m": { const made = new _Map(); for (let k = 0; k < inner.length; k++) mapSet(made, revived(inner[k][0]), revived(inner[k][1])); return made; }
      case "s": { const made = new _Set(); for (let k = 0; k < inner.length; k++) setAdd(made, revived(inner[k])); return made; }
      case "y": { const made = new _Uint8Array(inner.length / 2); for (let k = 0; k < made.length; k++) made[k] = _Number("0x" + inner[2 * k] + inner[2 * k + 1]); return made; }
      case "h": return own(held, told[2]);
      case "r":
        for (let k = 0; k < classes.length; k++) if (classes[k].name === inner) {
          const given = []; for (let n = 0; n < told[2].length; n++) given.push(revived(told[2][n][1]));
          return new classes[k].made(...given);
        }
    }
    return undefined;
  }

  const shown = (values) => {
    let text = "";
    for (let k = 0; k < values.length; k++) {
      const one = values[k];
      let said;
      try { said = typeof one === "object" && one !== null ? stringify(one) : _String(one); } catch { said = "[object]"; }
      text += (k ? " " : "") + said;
    }
    return `${text}\n`;
  };
  const out = (...values) => { if (printed.length < MOST) printed += shown(values); };
  const complain = (...values) => { if (complained.length < MOST) complained += shown(values); };
  const later = (repeats) => (run, wait = 0, ...given) => {
    const every = wait > 0 ? +wait : 0;
    timers.push({ id: ++serial, at: now + every, run, given, every: repeats ? every || 1 : null });
    return serial;
  };
  const forget = (id) => { timers = timers.filter((one) => one.id !== id); };

  function fire() { // the timer that is due first; time goes on by itself
    let first = -1;
    for (let k = 0; k < timers.length; k++) if (first < 0 || timers[k].at < timers[first].at) first = k;
    if (first < 0) return false;
    const due = timers[first];
    now = due.at;
    if (due.every === null) forget(due.id); else due.at += due.every;
    apply(due.run, undefined, due.given);
    return true;
  }

  let state = "idle", outcome = "", given = [];
  const settle = (make, otherwise) => {
    left = MOST;
    try { outcome = make(); } catch { outcome = otherwise; }
    state = "done";
  };
  const gave = (value) => settle(() => `["returned",${told(value, 0)}]`, '["unreadable","TooLargeToTell"]');
  const threw = (error) => settle(() => raised(error), '["raised","","what can\'t be told was thrown",[]]');
  function begin(run, text, isAsync) {
    state = "running";
    const told_ = parse(text);
    given = [];
    for (let k = 0; k < told_.length; k++) given.push(revived(told_[k]));
    let result;
    try { result = apply(run, undefined, given); } catch (error) { return threw(error); }
    if (!isAsync || !(result instanceof _Promise)) return gave(result);
    then(result, gave, threw);
  }
  const surface = {
    console: { log: out, info: out, debug: out, warn: complain, error: complain },
    setTimeout: later(false), setInterval: later(true), clearTimeout: forget, clearInterval: forget,
    queueMicrotask: (run) => { then(_Promise.resolve(), run); },
    structuredClone: (value) => { left = MOST; return revived(parse(told(value, 0))); },
  };
  const more = {};
  // MORE
  const serve = (order, run, text, isAsync) => {
    if (more[order]) return more[order](run, text, isAsync);
    if (order === "know") { Unwritten = run; classes = text; }
    if (order === "begin") begin(run, text, isAsync);
    if (order === "fire") { try { return fire(); } catch (error) { if (state !== "done") threw(error); return true; } }
    if (order === "state") return state;
    if (order === "tell") {
      left = MOST;
      let after = "";
      try { for (let k = 0; k < given.length; k++) after += (k ? "," : "") + told(given[k], 0); } catch { after = ""; }
      return `[${outcome || '["pending"]'},[${after}],${stringify(printed)},${stringify(complained)}]`;
    }
    return "";
  };
  for (const name in surface) globalThis[name] = surface[name];
  delete globalThis.WebAssembly;
  delete globalThis.SharedArrayBuffer;
  return { serve };
})()
