// Deep equality, with a relative tolerance of 1e-9 for numbers that are not whole.
function same(actual, expected) {
  if (typeof expected === "number" && typeof actual === "number") {
    return Object.is(actual, expected) || actual === expected || Math.abs(actual - expected) <= Math.max(1e-9 * Math.abs(expected), 1e-12);
  }
  if (expected === null || typeof expected !== "object") return actual === expected;
  if (actual === null || typeof actual !== "object" || actual.constructor !== expected.constructor) return false;
  if (expected instanceof Map) {
    return actual.size === expected.size && [...expected].every(([key, value]) => actual.has(key) && same(actual.get(key), value));
  }
  if (expected instanceof Set) return actual.size === expected.size && [...expected].every((item) => actual.has(item));
  const keys = Object.keys(expected);
  return Object.keys(actual).length === keys.length && keys.every((key) => same(actual[key], expected[key]));
}
