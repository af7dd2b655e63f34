import assert from "node:assert/strict";
import { test } from "node:test";
import { alikeOnce } from "../../web/composer/findings-fold.js";
import { registerStrings, setLanguage } from "../../web/lib/i18n.js";
import en from "../../web/i18n/en/thread.js";
import ja from "../../web/i18n/ja/thread.js";
import { eventWords, threadEventOf } from "../../web/thread/event-words.js";
import { SeenMark } from "../../web/thread/seen-mark.js";
import { makeRows } from "../../web/thread/thread-rows.js";

registerStrings({ en, ja });
setLanguage("en");

const time = (minute) => `2026-07-30T09:${String(minute).padStart(2, "0")}:00.000Z`;
const message = (sequence, minute, more = {}) => ({
  id: `m${sequence}`, conversation: "c", sequence, time: time(minute), direction: "inbound", author: { id: "customer" }, ...more,
});
const ada = { type: "agent", id: "ada", name: "Ada" };
const live = (type, conversation, more = {}) => ({
  id: `e-${type}`, type, conversation: "c", time: time(5),
  data: { conversation: { sequence: 2, state: "open", assignee: null, snoozedUntil: null, ...conversation }, by: ada, ...more },
});
const labels = { a: { name: "Returns" }, b: { name: "VIP" } };
const names = {
  customer: "Robin", ownID: "bo", labelNamed: (id) => labels[id] ?? null, teamNamed: (id) => (id === "t" ? { name: "Repairs" } : null),
};

test("events and notes are in their place, in the order of time", () => {
  const events = [{ id: "late", type: "conversation.closed", time: time(4), afterSequence: 1 },
    { id: "early", type: "conversation.assigned", time: time(2), afterSequence: 1 },
    { id: "hidden", type: "conversation.opened", time: time(1), afterSequence: 0 }];
  const rows = makeRows({
    messages: [message(1, 1), message(2, 6)], unreadAfter: null, events,
    notes: [{ id: "n", time: time(3), afterSequence: 1, text: "" }],
  });
  assert.deepEqual(rows.map((row) => row.key).slice(1), ["m1", "event-early", "note-n", "event-late", "m2"]);
});

test("an assignment by answering stands before the answer, live as after a reload", () => {
  const change = { assignee: { from: null, to: { id: "ada", name: "Ada" } } };
  const placeOf = (more) => threadEventOf(live("conversation.assigned", {}, { change: { ...change, ...more } })).afterSequence;
  assert.equal(placeOf({ byReply: true }), 1);
  assert.equal(placeOf({}), 2);
});

test("a group of messages begins and ends once, and an event ends it", () => {
  const shape = (events) => makeRows({
    messages: [message(1, 1), message(2, 1), message(3, 1)], notes: [], unreadAfter: null, events,
  }).filter((row) => row.type === "message").map((row) => [row.startsGroup, row.endsGroup]);
  assert.deepEqual(shape([]), [[true, false], [false, false], [false, true]]);
  assert.deepEqual(shape([{ id: "e", type: "conversation.closed", time: time(1), afterSequence: 1 }]),
    [[true, true], [true, false], [false, true]]);
});

for (const [data, words] of [
  [{ from: null, to: { type: "bot", id: "r" }, reason: "opened" }, "The bot Orders answers from here on"],
  [{ from: { type: "bot", id: "r" }, to: null, reason: "timeout" }, "The bot Orders did not answer in time: people answer from here on"],
  [{ from: { type: "bot", id: "x" }, to: null, reason: "error" }, "A bot failed: people answer from here on"],
  [{ from: { type: "bot", id: "r" }, to: null, reason: "passed" }, "People answer from here on"],
  [{ from: { type: "bot", id: "r" }, to: { type: "agent", id: "bo" }, reason: "taken_over" }, "You answer from here on"],
  [{ from: { type: "bot", id: "r" }, to: { type: "agent", id: "ada" }, reason: "taken_over" }, "Ada answers from here on"],
  [{ from: null, to: { type: "team", id: "t" }, reason: "passed" }, "Repairs answers from here on"],
  [{ from: null, to: { type: "bot", id: "r" }, reason: "returned" }, "Back to automatic answers: The bot Orders"],
  [{ from: null, to: null, offer: { type: "agent", id: "bo" }, reason: "offered" }, "Offered to you"],
]) {
  test(`control: ${words}`, () => {
    const event = threadEventOf({ id: "e", type: "conversation.control_changed", time: time(1), conversation: "c", data }, 4);
    assert.equal(event.afterSequence, 4);
    assert.equal(eventWords(event, {
      ...names, botNamed: (id) => (id === "r" ? { name: "Orders" } : null), memberNamed: (id) => (id === "ada" ? { name: "Ada" } : null),
    }), words);
  });
}

for (const [event, words] of [
  [live("conversation.assigned", { assignee: { id: "ada", name: "Ada" } }), "Ada took this conversation"],
  [live("conversation.assigned", { assignee: { id: "bo", name: "Bo" } }), "Ada assigned this to you"],
  [live("conversation.assigned", { assignee: { id: "cy", name: "Cy" } }, { by: { ...ada, id: "bo" } }), "You assigned this to Cy"],
  [live("conversation.assigned", {}), "Ada removed the assignment"],
  [live("conversation.labels_changed", {}, { change: { labels: { added: ["a", "b"], removed: [] } } }), "Ada added the labels Returns, VIP"],
  [live("conversation.labels_changed", {}, { change: { labels: { added: [], removed: ["a"] } } }), "Ada removed the label Returns"],
  [live("conversation.labels_changed", {}, { change: { labels: { added: ["a"], removed: ["b"] } } }), "Ada changed the labels: added Returns, removed VIP"],
  [live("conversation.labels_changed", {}, { change: { labels: { added: ["unknown"], removed: [] } } }), "Ada changed the labels"],
  [live("conversation.priority_changed", {}, { change: { priority: { from: "none", to: "urgent" } } }), "Ada set the priority: urgent"],
  [live("conversation.team_changed", {}, { change: { team: { from: null, to: "t" } } }), "Ada moved this to the team Repairs"],
  [live("conversation.team_changed", {}, { change: { team: { from: "t", to: null } } }), "Ada removed the team"],
  [live("conversation.team_changed", {}, { change: { team: { from: null, to: "unknown" } } }), "Ada changed the team"],
  [live("conversation.closed", { state: "closed" }), "Ada closed this conversation"],
  [live("conversation.closed", { state: "closed" }, { by: null }), "Closed"],
  [live("conversation.snoozed", { state: "snoozed" }), "Ada snoozed this until the customer answers"],
  [live("conversation.reopened", {}, { by: { type: "customer", id: "x", name: null } }), "Open again: Robin wrote"],
  [live("conversation.priority_changed", {}, { change: { priority: { from: "none", to: "high" } } }), "Ada set the priority: high"],
  [live("customer.left", {}), "Robin deleted the conversation"],
]) {
  test(`the thread says: ${words}`, () => {
    assert.equal(eventWords(threadEventOf(event), names), words);
  });
}

test("what a message shows is no line of its own", () => {
  assert.equal(threadEventOf(live("message.accepted", {})), null);
  assert.equal(threadEventOf({ id: "e", type: "conversation.closed", time: time(1), data: {} }), null);
});

test("every event that is shown has its words in both languages", () => {
  const keys = Object.keys(en).filter((key) => key.startsWith("thread.event.") && key.endsWith(".noone"));
  assert.ok(keys.length > 8);
  for (const key of keys) assert.ok(en[key.replace(/\.noone$/, "")] && ja[key], key);
});

test("only messages that were in view are seen, and each is reported once", () => {
  globalThis.document ??= { visibilityState: "visible" };
  const reported = [];
  const mark = new SeenMark((sequence) => reported.push(sequence));
  const messages = [message(1, 1), message(2, 2, { direction: "outbound" }), message(3, 3), message(4, 4)];
  const rect = (top, bottom) => ({ top, bottom, height: bottom - top });
  const log = { getBoundingClientRect: () => rect(0, 100) };
  const rows = { m1: rect(-90, -10), m3: rect(20, 60), m4: rect(80, 140) };
  const rowOf = (id) => rows[id] && { getBoundingClientRect: () => rows[id] };
  mark.look(log, rowOf, messages, 1);
  assert.deepEqual(reported, [3]);
  assert.deepEqual(mark.unseen(messages, 1).map((one) => one.sequence), [4]);
  mark.look(log, rowOf, messages, 1);
  rows.m4 = rect(40, 100);
  mark.look(log, rowOf, messages, 1);
  assert.deepEqual(reported, [3, 4]);
  assert.deepEqual(mark.unseen(messages, 1), []);
});

test("findings that say the same about places without a field are one", () => {
  const finding = (pointer, fix = "Use https.") => ({ rule: "r", severity: "error", fix, pointer });
  const all = [finding("/a"), finding("/b"), finding("/field"), finding("/c", "Other.")];
  const rows = alikeOnce(all, (pointer) => pointer === "/field");
  assert.deepEqual(rows.map((one) => [one.pointer, one.alike]), [["/a", 2], ["/field", undefined], ["/c", 1]]);
});
