import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, test } from "node:test";
import {
  onOtherPreferences, onPreferences, onRefusedPreference, preferences, setPreferences, takePreferences, usePreferencesOf,
} from "../../web/console/preferences.js";
import { shortcuts } from "../../web/console/shortcuts.js";

/** What the browser keeps. */
let stored;
/** What was sent, and what a server like ours keeps. */
let sent;
let kept;

async function save(change) {
  sent.push(change);
  kept = { ...kept, ...change };
  return kept;
}

beforeEach(() => {
  [stored, sent, kept] = [new Map(), [], null];
  Object.defineProperty(globalThis, "localStorage", { configurable: true, value: {
    getItem: (key) => stored.get(key) ?? null, setItem: (key, value) => stored.set(key, value), removeItem: (key) => stored.delete(key),
  } });
});

test("what the server keeps is completed", () => {
  usePreferencesOf("ada", { notices: { mine: false }, quiet: { isOn: true } }, save);
  assert.deepEqual(preferences().notices, {
    assigned: true, mine: false, unassigned: true, mention: true,
    handed: true, moved: true, closed: false, reopened: true, renamed: false, participants: true,
  });
  assert.deepEqual(preferences().quiet, { isOn: true, from: "20:00", until: "08:00" });
  assert.equal(preferences().browser, false);
});

test("a choice is shown at once, and goes to the server in the order of the presses", async () => {
  usePreferencesOf("ada", null, save);
  let count = 0;
  onPreferences(() => { count += 1; });
  const done = setPreferences({ sound: false });
  assert.equal(preferences().sound, false);
  assert.ok(count > 0);
  await Promise.all([done, setPreferences({ badge: false }), setPreferences({ badge: true })]);
  assert.deepEqual(sent, [{ sound: false }, { badge: true }]);
  assert.deepEqual(kept, { sound: false, badge: true });
});

test("a refused choice is taken back, and said", async () => {
  const refusals = [];
  const end = new AbortController();
  onRefusedPreference((problem) => refusals.push(problem.message), end.signal);
  usePreferencesOf("ada", { sound: true }, async () => { throw new Error("no"); });
  await setPreferences({ sound: false });
  end.abort();
  assert.equal(preferences().sound, true);
  assert.deepEqual(refusals, ["no"]);
});

test("another page's choice is taken over, but not over what this page is about to save", async () => {
  usePreferencesOf("ada", {}, save);
  let count = 0;
  onOtherPreferences(() => { count += 1; });
  takePreferences({ sound: false });
  assert.equal(preferences().sound, false);
  takePreferences({ sound: false });
  assert.equal(count, 1);
  const done = setPreferences({ sound: true });
  takePreferences({ sound: false });
  assert.equal(preferences().sound, true);
  await done;
  assert.equal(preferences().sound, true);
});

test("what a browser kept goes to the server once", async () => {
  stored.set("fd.preferences.ada", JSON.stringify({
    sound: false, notices: { mine: false, gone: true }, quiet: { isOn: true, from: "25:00", until: "08:00" }, keys: { isOff: false, own: { reply: "R" } }, old: 1,
  }));
  usePreferencesOf("ada", null, save);
  for (let turn = 0; turn < 10; turn += 1) await null;
  assert.deepEqual(sent, [{ sound: false, notices: { mine: false } }, { keys: { isOff: false, own: { reply: "R" } } }]);
  assert.equal(stored.size, 0);
  usePreferencesOf("ada", kept, save);
  assert.equal(sent.length, 2);
});

test("the server's choices come before those of a browser", async () => {
  stored.set("fd.preferences.ada", JSON.stringify({ sound: false }));
  usePreferencesOf("ada", { sound: true }, save);
  await null;
  assert.equal(preferences().sound, true);
  assert.deepEqual([sent, stored.size], [[], 0]);
});

for (const text of ["", "null", "7", "no JSON", "[]"]) {
  test(`a stored ${JSON.stringify(text)} is no choice`, () => {
    stored.set("fd.preferences.ada", text);
    usePreferencesOf("ada", null, save);
    assert.equal(preferences().sound, true);
    assert.deepEqual(sent, []);
  });
}

test("the server knows each action of a key, and its key", () => {
  const source = readFileSync(new URL("../../Sources/DeskAPI/Session/ConsoleActions.swift", import.meta.url), "utf8");
  const table = [...source.matchAll(/"([a-zA-Z.]+)": "([^"]*)"/g)].map(([, id, key]) => [id, key]);
  assert.deepEqual(Object.fromEntries(table), Object.fromEntries(shortcuts.map(({ id, key }) => [id, key])));
});
