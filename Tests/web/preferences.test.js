import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { onPreferences, preferences, setPreferences, usePreferencesOf } from "../../web/console/preferences.js";

beforeEach(() => {
  const stored = new Map();
  Object.defineProperty(globalThis, "localStorage", { configurable: true, value: {
    getItem: (key) => stored.get(key) ?? null, setItem: (key, value) => stored.set(key, value),
  } });
});

test("each agent of a browser has their own choices", () => {
  usePreferencesOf("ada");
  setPreferences({ sound: false });
  usePreferencesOf("bo");
  assert.equal(preferences().sound, true);
  usePreferencesOf("ada");
  assert.equal(preferences().sound, false);
});

test("what an earlier version stored is completed", () => {
  localStorage.setItem("fd.preferences.ada", JSON.stringify({ notices: { mine: false }, quiet: { isOn: true } }));
  usePreferencesOf("ada");
  assert.deepEqual(preferences().notices, {
    assigned: true, mine: false, unassigned: true, mention: true,
    handed: true, moved: true, closed: false, reopened: true, renamed: false, participants: true,
  });
  assert.deepEqual(preferences().quiet, { isOn: true, from: "20:00", until: "08:00" });
  assert.equal(preferences().browser, false);
});

for (const stored of ["", "null", "7", "no JSON", "[]"]) {
  test(`a stored ${JSON.stringify(stored)} is no choice`, () => {
    localStorage.setItem("fd.preferences.ada", stored);
    usePreferencesOf("ada");
    assert.equal(preferences().sound, true);
    assert.equal(preferences().keys.isOff, false);
  });
}

test("a change is announced, and a browser without storage keeps it while the page is open", () => {
  localStorage.setItem = () => { throw new Error("full"); };
  usePreferencesOf("ada");
  let count = 0;
  onPreferences(() => { count += 1; });
  setPreferences({ sound: false });
  assert.equal(count, 1);
  assert.equal(preferences().sound, false);
});
