/** What the settings of webhooks show and send. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import en from "../../web/i18n/en/webhooks.js";
import { attemptOf, handshakeMark, nameOf, needsHeaders, requestOf, requestText, stateOf, typeGroups, valuesOf, waitingOf, withKept } from "../../web/console/webhook-words.js";

const webhook = Object.freeze({
  url: "https://shop.example/hook", description: "Shop", types: ["note.added"], filter: { direction: null, labels: [] }, payload: "thin",
  order: "none", concurrency: 2, signing: "v1", headers: ["Authorization"], state: "enabled", reason: null, failingSince: null,
});

test("the page offers every type of event that the server knows, beside those of its operator", () => {
  const source = readFileSync(new URL("../../Sources/DeskModel/Event.swift", import.meta.url), "utf8");
  const known = [...source.matchAll(/case \.\w+: "([a-z_]+\.[a-z_]+)"/g)].map(([, type]) => type);
  const wanted = known.filter((type) => !/^(delivery|event)\./.test(type));
  assert.ok(wanted.length > 40);
  assert.deepEqual(Object.values(typeGroups).flat().sort(), [...new Set(wanted)].sort());
  for (const group of Object.keys(typeGroups)) assert.ok(en[`webhooks.group.${group}`]);
});

test("what waits for an endpoint is said where something does, and of many only that there are so many", () => {
  const rows = [[undefined, null], [0, null], [1, ["webhooks.waiting", { count: 1 }]], [999, ["webhooks.waiting", { count: 999 }]],
    [1000, ["webhooks.waitingMany", { count: 1000 }]]];
  for (const [pendingDeliveries, words] of rows) assert.deepEqual(waitingOf({ pendingDeliveries }), words);
  assert.ok(en["webhooks.waiting"].one && en["webhooks.waitingMany"]);
});

test("what an endpoint answered has words in the page's language, what never answered the server's", () => {
  const rows = [[200, "accepted"], [204, "accepted"], [401, "forbidden"], [403, "forbidden"], [410, "gone"], [429, "slower"], [500, "other"],
    [302, null], [null, null]];
  for (const [status, key] of rows) {
    assert.equal(attemptOf({ status }), key);
    if (key) assert.ok(en[`webhooks.attempt.${key}`], key);
  }
});

test("an endpoint is called by its name, or by its address without the scheme", () => {
  const rows = [["Shop", "https://a", "Shop"], ["", "https://shop.example/hook", "shop.example/hook"], ["", "http://127.0.0.1:3000/", "127.0.0.1:3000"]];
  for (const [description, url, name] of rows) assert.equal(nameOf({ description, url }), name);
});

test("each state and each result of a handshake has a text", () => {
  const rows = [
    ["enabled", null, null, "enabled"], ["enabled", null, "2026-01-01T00:00:00Z", "failing"], ["disabled", "member", null, "disabled.member"],
    ["disabled", "gone", null, "disabled.gone"], ["disabled", "failing", "2026-01-01T00:00:00Z", "disabled.failing"],
    ["disabled", "a later one", null, "disabled.member"],
  ];
  for (const [state, reason, failingSince, expected] of rows) {
    assert.equal(stateOf({ state, reason, failingSince }), expected);
    assert.ok(en[`webhooks.state.${expected}`]);
  }
  const marks = [[null, "none"], [{ result: "verified" }, "ok"], [{ result: "openToForgery" }, "danger"], [{ result: "failed" }, "warn"]];
  for (const [handshake, mark] of marks) {
    assert.equal(handshakeMark(handshake), mark);
    assert.ok(en[`webhooks.handshake.${handshake?.result ?? "none"}`]);
  }
});

test("a new endpoint is sent whole, without empty fields and with trimmed texts", () => {
  const values = { ...valuesOf(null), url: " https://a ", headers: [{ name: " X-A ", value: " b" }, { name: " ", value: "c" }] };
  assert.deepEqual(requestOf(values, null), {
    url: "https://a", description: "", types: [], filter: { direction: null, labels: [] }, payload: "full", order: "conversation",
    concurrency: 4, headers: [{ name: "X-A", value: " b" }], signing: "v1",
  });
});

test("all events are sent as an empty list, whatever was chosen before", () => {
  assert.deepEqual(requestOf({ ...valuesOf(webhook), isAll: true }, webhook), { types: [] });
});

test("a change sends what differs, and fields of its own only when they are replaced", () => {
  const rows = [[{}, {}], [{ url: "https://b" }, { url: "https://b" }], [{ concurrency: "3" }, { concurrency: 3 }],
    [{ direction: "inbound" }, { filter: { direction: "inbound", labels: [] } }], [{ headers: [] }, { headers: [] }]];
  for (const [typed, body] of rows) assert.deepEqual(requestOf({ ...valuesOf(webhook), ...typed }, webhook), body);
});

test("fields of its own are entered anew, or taken out, where the scheme, host or port is another", () => {
  const rows = [[{ url: "https://shop.example/other?a=1" }, false], [{ url: " https://SHOP.example:443 " }, false], [{ url: "https://shop.example:444/hook" }, true],
    [{ url: "http://shop.example/hook" }, true], [{ url: "https://b.example/hook" }, true], [{ url: "https://b.example", headers: [] }, false],
    [{ url: "https://b.example", headers: [{ name: "A", value: "b" }] }, false]];
  for (const [typed, expected] of rows) assert.equal(needsHeaders({ ...valuesOf(webhook), ...typed }, webhook), expected, typed.url);
  assert.equal(needsHeaders({ ...valuesOf(webhook), url: "https://b.example" }, { ...webhook, headers: [] }), false);
  assert.equal(needsHeaders({ ...valuesOf(null), url: "https://b.example" }, null), false);
});

test("choosing in a form leaves the endpoint as it was", () => {
  const before = { ...webhook, types: ["note.added"] };
  valuesOf(before).types.push("note.edited");
  assert.deepEqual(before.types, ["note.added"]);
});

test("a request is shown a line a field, with hidden values as dots", () => {
  assert.equal(requestText({ headers: [{ name: "webhook-id", value: "e-1" }, { name: "Authorization", value: null }] }), "webhook-id: e-1\nAuthorization: •••");
  assert.equal(requestText(null), "");
});

test("a handshake that comes late leaves what was changed meanwhile, and brings no removed endpoint back", () => {
  const others = [{ ...webhook, id: "other" }];
  const changed = { ...webhook, id: "one", url: "https://new.example/hook" };
  const late = { id: "one", handshake: { result: "verified" } };
  assert.deepEqual(withKept([...others, changed], late), [...others, { ...changed, handshake: late.handshake }]);
  assert.deepEqual(withKept(others, late), others);
});

test("an endpoint that is saved is in the list as it is then, without its secret", () => {
  const [former, saved] = [{ ...webhook, id: "one", formerSecretUntil: "2026-01-01T00:00:00Z" }, { ...webhook, id: "one" }];
  assert.deepEqual(withKept([former], { ...saved, secret: "whsec_a" }), [saved]);
  assert.deepEqual(withKept([], { ...saved, secret: "whsec_a" }), [saved]);
});
