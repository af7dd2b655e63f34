/** What the settings of bots show and send. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import en from "../../web/i18n/en/bots.js";
import { bodyOf, faultsOf, faultsOfRefusal, fittingKeys, intentsOf, keyNameOf, keyState, limits, nextEnd, successorOf } from "../../web/console/bot-draft.js";

const NOW = Date.parse("2026-07-10T12:00:00Z");
const key = Object.freeze({ id: "k1", name: "Ada", scopes: ["send", "read", "customers"], revokedAt: null, expiresAt: null });
const bot = Object.freeze({ id: "b1", name: "Ada", key: "k1", webhook: null, answerSeconds: 30, first: true, intents: ["order"], retired: false });
const draft = Object.freeze({ name: "Grace", answerSeconds: 30, intents: [] });

test("a key is valid until it is revoked or expires, and gone where it does not act for the business", () => {
  const rows = [
    [undefined, "gone"], [key, "valid"], [{ ...key, revokedAt: "2026-07-01T00:00:00Z" }, "revoked"],
    [{ ...key, expiresAt: "2026-07-10T12:00:01Z" }, "valid"], [{ ...key, expiresAt: "2026-07-10T12:00:00Z" }, "expired"],
  ];
  for (const [given, state] of rows) {
    assert.equal(keyState(given, NOW), state);
    if (state !== "valid") assert.ok(en[`bots.key.${state}`]);
  }
});

test("keys are offered that may read and send, are valid, and are no other bot in use", () => {
  const rows = [
    [key, [], null, true], [{ ...key, scopes: ["read"] }, [], null, false], [{ ...key, scopes: ["send"] }, [], null, false],
    [{ ...key, revokedAt: "2026-07-01T00:00:00Z" }, [], null, false], [{ ...key, expiresAt: "2026-07-01T00:00:00Z" }, [], null, false],
    [key, [bot], null, false], [key, [bot], "b1", true], [key, [{ ...bot, retired: true }], null, true],
  ];
  for (const [given, bots, own, isOffered] of rows) assert.equal(fittingKeys([given], bots, own, NOW).length === 1, isOffered);
});

test("intents are the lines that say something, each once", () => {
  assert.deepEqual(intentsOf(" order \n\nreturn\r\norder, please\norder"), ["order", "return", "order, please"]);
  assert.deepEqual(intentsOf(" \n"), []);
});

test("a key is called as its bot, as far as its name reaches", () => {
  assert.equal(keyNameOf("Ada"), "Ada");
  assert.equal(keyNameOf("あ".repeat(40)), "あ".repeat(33));
  assert.equal(keyNameOf(`${"a".repeat(98)}😀`), "a".repeat(98));
});

test("what is wrong is said for each field, and each fault has a text", () => {
  const rows = [
    [draft, null, {}], [{ ...draft, name: "ADA" }, null, { name: "nameTaken" }], [{ ...draft, name: "ada" }, "b1", {}],
    [{ ...draft, name: "あ".repeat(40) }, null, {}], [{ ...draft, name: `${"あ".repeat(40)}a` }, null, { name: "nameLong" }],
    [{ ...draft, answerSeconds: 1 }, null, {}], [{ ...draft, answerSeconds: 3600 }, null, {}],
    ...[0, 3601, 1.5, NaN].map((answerSeconds) => [{ ...draft, answerSeconds }, null, { answerSeconds: "answerSeconds" }]),
    [{ ...draft, intents: Array.from({ length: 50 }, (_, index) => `${index}`) }, null, {}],
    [{ ...draft, intents: Array.from({ length: 51 }, (_, index) => `${index}`) }, null, { intents: "intentsMany" }],
    [{ ...draft, intents: ["a".repeat(65)] }, null, { intents: "intents" }], [{ ...draft, intents: ["a\tb"] }, null, { intents: "intents" }],
  ];
  for (const [given, own, faults] of rows) {
    assert.deepEqual(faultsOf(given, [bot], own), faults);
    for (const fault of Object.values(faults)) assert.ok(en[`bots.fault.${fault}`], fault);
  }
});

test("a refusal of the server is said at its field; what is in use is the key where another bot has it", () => {
  const other = { ...bot, id: "b2", name: "Grace", key: "k2" };
  const at = (pointer) => ({ code: "invalid", errors: [{ pointer }] });
  const rows = [
    [at("/key"), { key: "key" }], [at("/intents/0"), { intents: "intents" }], [at("/answerSeconds"), { answerSeconds: "answerSeconds" }],
    [at("/webhook"), { webhook: "webhook" }], [at("/name"), { name: "name" }], [at("/other"), {}], [{ code: "forbidden" }, {}],
    [{ code: "name_taken" }, { name: "nameTaken" }],
  ];
  for (const [problem, faults] of rows) {
    assert.deepEqual(faultsOfRefusal(problem, { key: "k3" }, [bot, other], "b1"), faults);
    for (const fault of Object.values(faults)) assert.ok(en[`bots.fault.${fault}`], fault);
  }
  assert.deepEqual(faultsOfRefusal({ code: "name_taken" }, { key: "k2" }, [bot, other], "b1"), { key: "keyTaken" });
  assert.deepEqual(faultsOfRefusal({ code: "name_taken" }, { key: "k2" }, [bot, { ...other, retired: true }], "b1"), { name: "nameTaken" });
});

test("a change sends what differs alone", () => {
  const whole = { name: "Ada", key: "k1", answerSeconds: 30, first: true, intents: ["order"], webhook: null };
  assert.deepEqual(bodyOf(whole, null), whole);
  assert.deepEqual(bodyOf(whole, bot), {});
  assert.deepEqual(bodyOf({ ...whole, intents: [], webhook: "w1" }, bot), { intents: [], webhook: "w1" });
});

test("the limits are those of the server", () => {
  const source = readFileSync(new URL("../../Sources/DeskModel/Registry/Bot.swift", import.meta.url), "utf8");
  const number = (name) => Number(new RegExp(`${name} = ([\\d_]+)`).exec(source)[1].replace("_", ""));
  assert.deepEqual([limits.bots, limits.nameBytes, limits.intents, limits.intentBytes],
    ["most", "maximumNameBytes", "mostIntents", "maximumIntentBytes"].map(number));
  assert.match(source, new RegExp(`answerSeconds = ${limits.seconds[0]}\\.\\.\\.3_600`));
});

test("of a key's successors the last one that can be used is the one to have", () => {
  const second = { ...key, id: "k2", replaces: "k1" };
  const third = { ...key, id: "k3", replaces: "k2" };
  const ended = { expiresAt: "2026-07-10T11:00:00Z" };
  const rows = [
    [[key], null], [[key, second], "k2"], [[third, key, second], "k3"], [[key, { ...second, ...ended }], null],
    [[key, { ...second, ...ended }, third], "k3"], [[key, second, { ...third, revokedAt: "2026-07-09T12:00:00Z" }], "k2"],
  ];
  for (const [keys, expected] of rows) assert.equal(successorOf("k1", keys, NOW)?.id ?? null, expected, JSON.stringify(keys));
});

test("the next end is that of a key that can still be used", () => {
  const end = (time) => ({ ...key, expiresAt: time });
  assert.equal(nextEnd([key, end("2026-07-10T11:00:00Z"), end("2026-07-12T12:00:00Z"), end("2026-07-11T12:00:00Z")], NOW), Date.parse("2026-07-11T12:00:00Z"));
  assert.equal(nextEnd([key, end("2026-07-10T11:00:00Z")], NOW), null);
});
