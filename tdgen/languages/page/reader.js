// What looks at a page, and acts on it, from a world of its own: the same elements, but none of the page's own globals
// or prototypes. Each step of a query narrows: by selector, role and name, label, text, or place.
(function () {
  "use strict";
  const squeezed = (text) => text.replace(/\s+/g, " ").trim();
  const matches = (text, wanted) => squeezed(text).toLowerCase().includes(squeezed(wanted).toLowerCase());
  const within = (root, selector) => [...root.querySelectorAll(selector)];
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0;
  const isInTree = (element) => element.isConnected && element.computedRole !== "" && isShown(element);
  const isOff = (element) => element.matches(":disabled") || element.closest("[aria-disabled=true]") !== null;
  const editable = "input:not([type=checkbox],[type=radio],[type=button],[type=submit],[type=reset],[type=image],[type=file]), textarea, [contenteditable]:not([contenteditable=false])";
  const roleOf = (element) => ({ image: "img", graphic: "img" })[element.computedRole] ?? element.computedRole;

  const nameOf = (element) => squeezed(element.computedName) || (roleOf(element) === "row" ? squeezed(element.innerText) : ""); // of rows Chromium tells none

  const labels = (element) => {
    const told = [...(element.labels ?? [])].map((label) => label.textContent);
    const by = (element.getAttribute("aria-labelledby") ?? "").split(/\s+/).filter(Boolean);
    told.push(...by.map((id) => element.ownerDocument.getElementById(id)?.textContent ?? ""));
    if (element.hasAttribute("aria-label")) told.push(element.getAttribute("aria-label"));
    return told;
  };
  const NARROW = {
    css: (root, selector) => within(root, selector),
    role: (root, role, name, exact) => within(root, "*").filter((one) => isInTree(one) && roleOf(one) === role &&
      (name === null || (exact ? nameOf(one) === name : matches(nameOf(one), name)))),
    label: (root, text, _, exact) => within(root, "*").filter((one) => labels(one).some((label) => (exact ? squeezed(label) === text : matches(label, text)))),
    text: (root, text, _, exact) => {
      const fits = (one) => !one.matches("script, style, head *") && (exact ? squeezed(one.textContent) === text : matches(one.textContent, text));
      return within(root, "*").filter((one) => fits(one) && ![...one.children].some(fits));
    },
  };

  function found(root, steps) {
    let all = [root];
    for (const [kind, ...given] of steps) {
      if (kind === "nth") {
        const one = all.at(given[0]);
        all = one === undefined ? [] : [one];
      } else {
        all = [...new Set(all.flatMap((from) => NARROW[kind](from, ...given)))];
      }
    }
    return all;
  }

  function only(root, steps) {
    const all = found(root, steps);
    if (all.length === 1) return all[0];
    throw new Error(all.length ? `${all.length} elements are found where one is meant` : "no such element is there");
  }

  function ready(element) {
    if (!element.isConnected) throw new Error("the element is not in the page");
    if (!isShown(element)) throw new Error("the element is not visible");
    if (isOff(element)) throw new Error("the element is disabled");
    return element;
  }

  function point(element) {
    ready(element).scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const box = [...element.getClientRects()].find((one) => one.width > 0 && one.height > 0);
    if (!box) throw new Error("the element has no size");
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const hit = document.elementFromPoint(x, y);
    const label = hit?.closest("label")?.control;
    if (!hit || !(element.contains(hit) || hit.contains(element) && hit.tagName === "LABEL" || label === element)) {
      throw new Error(`${hit ? `<${hit.localName}>` : "something"} covers the element`);
    }
    return [x, y];
  }

  function set(element, name, value) { // as a user would: the page's own property of that name is not asked
    element[name] = value;
    element.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
    element.dispatchEvent(new Event("change", { bubbles: true }));
  }

  const checkedState = (element) => {
    if (element.matches("input[type=checkbox], input[type=radio]")) return element.checked;
    const told = element.getAttribute("aria-checked");
    if (told === null) throw new Error("the element can't be checked");
    return told === "true";
  };
  const OF_ONE = {
    node: (element) => element,
    point,
    focus: (element) => { ready(element).focus(); return null; },
    blur: (element) => { element.blur(); return null; },
    fill: (element, value) => {
      if (!ready(element).matches(editable)) throw new Error(`<${element.localName}> can't be filled`);
      if (element.readOnly) throw new Error("the element is read-only");
      element.focus();
      if (element.isContentEditable) {
        element.textContent = value;
        element.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
      } else set(element, "value", value);
      return null;
    },
    select_option: (element, value) => {
      const option = [...(ready(element).options ?? [])].find((one) => one.value === value || squeezed(one.label) === value);
      if (!option) throw new Error(`there is no option ${JSON.stringify(value)}`);
      element.focus();
      set(element, "value", option.value);
      return null;
    },
    dispatch_event: (element, type, init) => {
      element.dispatchEvent(new CustomEvent(type, { bubbles: true, cancelable: true, composed: true, ...init }));
      return null;
    },
    text_content: (element) => element.textContent,
    inner_text: (element) => element.innerText ?? element.textContent,
    inner_html: (element) => element.innerHTML,
    outer_html: (element) => element.outerHTML,
    get_attribute: (element, name) => element.getAttribute(name),
    input_value: (element) => {
      if (!element.matches("input, textarea, select")) throw new Error(`<${element.localName}> holds no value`);
      return element.value;
    },
    is_checked: checkedState,
    is_enabled: (element) => !isOff(element),
    is_disabled: isOff,
    is_focused: (element) => element.ownerDocument.activeElement === element,
    role: roleOf,
    accessible_name: nameOf,
  };
  const OF_ALL = {
    count: (all) => all.length,
    is_visible: (all) => all.length > 0 && isShown(one(all)),
    is_hidden: (all) => all.length === 0 || !isShown(one(all)),
    all_inner_texts: (all) => all.map((one) => one.innerText ?? one.textContent),
    all_text_contents: (all) => all.map((one) => one.textContent),
  };
  function one(all) {
    if (all.length > 1) throw new Error(`${all.length} elements are found where one is meant`);
    return all[0];
  }
  const OF_PAGE = {
    title: () => document.title,
    url: () => location.pathname + location.search + location.hash,
    accessible: () => within(document.body, "*").filter((element) => isInTree(element) && !["none", "generic", "presentation", "StaticText"].includes(roleOf(element)))
      .map((element) => [roleOf(element), squeezed(element.computedName)]),
  };

  return (root, steps, what, ...given) => {
    if (OF_PAGE[what]) return OF_PAGE[what](...given);
    const from = root ?? document;
    return OF_ALL[what] ? OF_ALL[what](found(from, steps), ...given) : OF_ONE[what](only(from, steps), ...given);
  };
})()
