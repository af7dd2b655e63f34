import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { createContext, runInContext } from "node:vm";

const text = await readFile(new URL("../../web/console/notice-worker.js", import.meta.url), "utf8");

/** Presses a notification of conversation `c7` while these pages are open; what the worker did. */
async function press(...addresses) {
  const done = [];
  const pages = addresses.map((address) => ({
    url: `https://desk.example${address}`,
    postMessage: (data) => done.push([address, data.conversation]), focus: async () => done.push([address, "focus"]),
  }));
  const heard = {};
  const self = {
    addEventListener: (name, act) => { heard[name] = act; },
    clients: {
      matchAll: async (asked) => {
        assert.deepEqual({ ...asked }, { type: "window", includeUncontrolled: true });
        return pages;
      },
      openWindow: async (address) => done.push(["opened", address]),
    },
  };
  runInContext(text, createContext({ self, URL }));
  let whole;
  heard.notificationclick({
    notification: { close: () => done.push(["closed", ""]), data: { conversation: "c7" } }, waitUntil: (work) => { whole = work; },
  });
  await whole;
  return done;
}

test("a press on a notification leads to the conversation in a console that is open", async () => {
  assert.deepEqual(await press("/b/shop", "/console/settings/me"), [
    ["closed", ""], ["/console/settings/me", "c7"], ["/console/settings/me", "focus"]]);
});

test("without an open console a press opens one", async () => {
  assert.deepEqual(await press("/b/shop", "/consoles"), [["closed", ""], ["opened", "/console/c/c7"]]);
});
