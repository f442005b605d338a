  // What a page has beside the language, within the function of inner.js: time is virtual, and requests are told to
  // whoever drives the page, who answers them. What the candidate puts in their place later is not asked.
  const [_Date, _Response, _Request, _URL, _MessageChannel] = [Date, Response, Request, URL, MessageChannel];
  const post = bound(MessagePort.prototype.postMessage);
  const requestText = bound(_Request.prototype.text);
  const animations = bound(Document.prototype.getAnimations);
  const headerOf = bound(Headers.prototype.get);
  const START = _Date.UTC(2026, 0, 1, 12);
  const awaited = [], faults = [], dialogs = [];
  let requestSerial = 0;

  function macrotask() { // resolved when the promises that are settled by now were heard
    return new _Promise((resolve) => {
      const { port1, port2 } = new _MessageChannel();
      port1.onmessage = () => { port1.close(); resolve(); };
      post(port2, 0);
    });
  }

  const later_ = setTimeout;
  const realTime = () => new _Promise((resolve) => { later_(resolve, 5); });
  const frame_ = requestAnimationFrame;
  const moving = () => animations(document).length > 0;
  const drawn = () => new _Promise((resolve) => { frame_(resolve); later_(resolve, 500); });

  function isDue(limit) {
    for (let k = 0; k < timers.length; k++) if (timers[k].at <= limit) return true;
    return false;
  }

  const faulted = (error) => {
    if (faults.length >= 20) return;
    if (error instanceof Unwritten) { faults[faults.length] = raised(error); return; }
    try { faults[faults.length] = raised(error); } catch { faults[faults.length] = '["raised","","what can\'t be told was thrown",[]]'; }
  };
  const postponed = "ResizeObserver loop completed with undelivered notifications."; // a note, which nobody threw
  addEventListener("error", (event) => { if ("error" in event && event.message !== postponed) faulted(event.error); });
  addEventListener("unhandledrejection", (event) => faulted(event.reason));

  const joined = (texts) => {
    let text = "";
    for (let k = 0; k < texts.length; k++) text += (k ? "," : "") + texts[k];
    texts.length = 0;
    return `[${text}]`;
  };

  // Time goes on by at most so much, as far as nobody waits for an answer; what is told then is JSON.
  more.pass = async (most, untilDone) => {
    const limit = now + most;
    for (let rounds = 0, frames = 0; ;) {
      await macrotask();
      if (awaited.length || (untilDone && state === "done")) break;
      if (!isDue(limit)) {
        if (untilDone && rounds++ < 20) { await realTime(); continue; } // for what the browser itself is at
        if (frames < 1 || (frames < 3 && moving())) { frames++; await drawn(); continue; } // what came with it may go on
        now = limit;
        break;
      }
      try { fire(); } catch (error) { faulted(error); }
    }
    const asked = [];
    for (let k = 0; k < awaited.length; k++) {
      const one = awaited[k];
      if (!one.isTold) asked[asked.length] = `[${one.number},${stringify(one.method)},${stringify(one.url)},${stringify(one.body)},${stringify(one.kind)}]`;
      one.isTold = true;
    }
    const left = limit - now;
    const failed = joined(faults), said = stringify(printed), complaint = stringify(complained);
    return `[${joined(asked)},${left},${failed},${joined(dialogs)},${said},${complaint},"${state}"]`;
  };

  more.answer = (number, text) => {
    for (let k = 0; k < awaited.length; k++) if (awaited[k].number === number) {
      const one = awaited[k], told = parse(text);
      awaited.splice(k, 1);
      if (told === null) one.reject(new _TypeError("Failed to fetch"));
      else one.resolve(new _Response(told.status === 204 || told.status === 304 ? null : told.body, { status: told.status, headers: told.headers }));
      return "";
    }
    return "";
  };

  more.hold = (element) => numberOf(element);
  more.held = (number) => own(held, number) ?? null;

  surface.fetch = (input, options) => new _Promise((resolve, reject) => {
    let request;
    try {
      request = new _Request(input, options);
      if (request.signal.aborted) throw request.signal.reason;
    } catch (error) { reject(error); return; }
    const one = { number: ++requestSerial, method: request.method, url: request.url, body: null, kind: headerOf(request.headers, "content-type") ?? "", resolve, reject };
    request.signal.addEventListener("abort", () => reject(request.signal.reason));
    then(requestText(request), (body) => {
      one.body = request.method === "GET" || request.method === "HEAD" ? null : body;
      awaited[awaited.length] = one;
    }, reject);
  });
  surface.requestAnimationFrame = (run) => surface.setTimeout(() => apply(run, undefined, [now]), 16);
  surface.cancelAnimationFrame = surface.clearTimeout;
  surface.requestIdleCallback = (run) => surface.setTimeout(() => apply(run, undefined, [{ didTimeout: false, timeRemaining: () => 10 }]), 1);
  surface.cancelIdleCallback = surface.clearTimeout;
  const atLeast = (make) => (run, wait = 0, ...given) => make(run, wait > 1 ? wait : 1, ...given);
  surface.setTimeout = atLeast(surface.setTimeout);
  surface.setInterval = atLeast(surface.setInterval);
  const asked = (kind, answer) => (text = "") => {
    if (dialogs.length < 100) dialogs[dialogs.length] = stringify(`${kind}: ${text}`);
    return answer;
  };
  Object.assign(surface, { alert: asked("alert", undefined), confirm: asked("confirm", true), prompt: asked("prompt", null), print: asked("print", undefined) });
  surface.open = () => null;
  surface.Date = class extends _Date {
    constructor(...given) { if (given.length) super(...given); else super(START + now); }
    static now() { return START + now; }
  };
  delete surface.structuredClone; // a page's own knows more
  delete surface.queueMicrotask;
  Object.defineProperty(Performance.prototype, "now", { value: () => now, configurable: true, writable: true });
  globalThis.name = ""; // which outlives a page
  for (const name of ["XMLHttpRequest", "WebSocket", "EventSource", "Worker", "SharedWorker", "RTCPeerConnection", "WebTransport"]) delete globalThis[name];
