import assert from "node:assert/strict";
import { test } from "node:test";
import { forgetAll, recall, remember } from "../../web/phone/memory.js";

/** A browser's storage that is full or refused as a test wants it. */
function storage({ isFull = false, isRefused = false } = {}) {
  const kept = new Map();
  const made = {
    isFull, kept,
    getItem: (key) => kept.get(key) ?? null,
    removeItem: (key) => void kept.delete(key),
    setItem: (key, text) => {
      if (made.isFull) throw new DOMException("full", "QuotaExceededError");
      kept.set(key, text);
    },
  };
  Object.defineProperty(globalThis, "localStorage", {
    configurable: true, get: () => { if (isRefused) throw new DOMException("refused", "SecurityError"); return made; },
  });
  return made;
}

test("what a page remembers is there as long as the page lives, in a browser that stores nothing", () => {
  for (const how of [{}, { isFull: true }, { isRefused: true }]) {
    storage(how);
    remember("a", { text: "one" });
    assert.deepEqual(recall("a"), { text: "one" }, JSON.stringify(how));
    remember("a", null);
    assert.equal(recall("a"), null);
  }
});

test("where there is no room for what is new, the page does not read what was stored before", () => {
  const full = storage();
  remember("a", "old");
  full.isFull = true;
  remember("a", "new");
  assert.equal(recall("a"), "new");
  // With room again it is stored.
  full.isFull = false;
  remember("a", "newer");
  assert.equal(recall("a"), "newer");
  assert.equal(full.kept.get("a"), '"newer"');
  remember("a", null);
  assert.equal(recall("a"), null);
});

test("what is forgotten by the beginning of its name is forgotten in a full storage, too", () => {
  storage({ isFull: true });
  remember("shop.a", 1);
  remember("shop.kept.b", 2);
  forgetAll("shop.", "shop.kept.");
  assert.equal(recall("shop.a"), null);
  assert.equal(recall("shop.kept.b"), 2);
});
