import assert from "node:assert/strict";
import { test } from "node:test";
import { isQuiet, noticeOf } from "../../web/console/notice-rules.js";

const customer = { id: "m1", direction: "inbound", time: "2026-11-23T10:00:00.000Z" };
const now = (more) => ({ state: "open", assignee: null, waitingSince: customer.time, ...more });
const said = (conversationState, message = customer) => ({ type: "message.accepted", conversation: "c", data: { message, conversationState } });

for (const [name, event, expected] of [
  ["a message in a conversation of one's own", said(now({ assignee: { id: "ada" } })), "mine"],
  ["a message in a colleague's conversation", said(now({ assignee: { id: "bo" } })), undefined],
  ["the first message that waits without an assignee", said(now()), "unassigned"],
  ["a further message that waits without an assignee", said(now({ waitingSince: "2026-11-23T09:00:00.000Z" })), undefined],
  ["a message in a closed conversation", said(now({ state: "closed" })), undefined],
  ["an answer of a colleague", said(now({ assignee: { id: "ada" } }), { ...customer, direction: "outbound" }), undefined],
  ["being assigned by a colleague",
    { type: "conversation.assigned", conversation: "c", data: { conversation: { assignee: { id: "ada" } }, by: { id: "bo" } } }, "assigned"],
  ["being assigned by the server",
    { type: "conversation.assigned", conversation: "c", data: { conversation: { assignee: { id: "ada" } }, by: { type: "server" } } }, "assigned"],
  ["assigning to oneself",
    { type: "conversation.assigned", conversation: "c", data: { conversation: { assignee: { id: "ada" } }, by: { id: "ada" } } }, undefined],
  ["another's assignment",
    { type: "conversation.assigned", conversation: "c", data: { conversation: { assignee: { id: "cy" } }, by: { id: "bo" } } }, undefined],
  ["losing an assignment", { type: "conversation.assigned", conversation: "c", data: { conversation: { assignee: null }, by: { id: "bo" } } }, undefined],
  ["a note that mentions one",
    { type: "note.added", conversation: "c", data: { note: { author: { id: "bo" }, mentions: [{ id: "cy" }, { id: "ada" }] } } }, "mention"],
  ["a note that mentions others", { type: "note.added", conversation: "c", data: { note: { author: { id: "bo" }, mentions: [{ id: "cy" }] } } }, undefined],
  ["a note without mentions", { type: "note.added", conversation: "c", data: { note: { author: { id: "bo" } } } }, undefined],
  ["a note of one's own", { type: "note.added", conversation: "c", data: { note: { author: { id: "ada" }, mentions: [{ id: "ada" }] } } }, undefined],
  ["an edit that mentions one", { type: "note.edited", time: "2026-11-23T10:05:00.000Z", conversation: "c", data: {
    note: { author: { id: "bo" }, mentions: [{ id: "ada", since: "2026-11-23T10:05:00.000Z" }] } } }, "mention"],
  ["an edit of a note that mentioned one before", { type: "note.edited", time: "2026-11-23T10:05:00.000Z", conversation: "c", data: {
    note: { author: { id: "bo" }, mentions: [{ id: "ada", since: "2026-11-23T10:00:00.000Z" }, { id: "cy", since: "2026-11-23T10:05:00.000Z" }] } } }, undefined],
  ["the end of a snooze that no one is assigned to", { type: "conversation.reopened", conversation: "c", data: {
    conversation: { assignee: null }, by: { type: "server", id: "" } } }, "unassigned"],
  ["the end of a snooze of a colleague's conversation", { type: "conversation.reopened", conversation: "c", data: {
    conversation: { assignee: { id: "bo" } }, by: { type: "server", id: "" } } }, undefined],
  ["the end of a snooze of a conversation that one follows and no one is assigned to", { type: "conversation.reopened", conversation: "c", data: {
    conversation: { assignee: null, watchers: [{ id: "ada" }] }, by: { type: "server", id: "" } } }, "reopened"],
  ["a colleague's reopening of a conversation without an assignee", { type: "conversation.reopened", conversation: "c", data: {
    conversation: { assignee: null }, by: { type: "agent", id: "bo" } } }, undefined],
  ["closing", { type: "conversation.closed", conversation: "c", data: {} }, undefined],
  ["another's assignment of a conversation one takes part in", { type: "conversation.assigned", conversation: "c", data: {
    conversation: { assignee: { id: "cy" }, participants: [{ id: "ada" }] }, by: { id: "bo" } } }, "handed"],
  ["losing a conversation to another", { type: "conversation.assigned", conversation: "c", data: {
    conversation: { assignee: null }, change: { assignee: { from: { id: "ada" }, to: null } }, by: { type: "server" } } }, "handed"],
  ["closing what one follows", { type: "conversation.closed", conversation: "c", data: {
    conversation: { assignee: null, watchers: [{ id: "ada" }] }, by: { id: "bo" } } }, "closed"],
  ["closing it oneself", { type: "conversation.closed", conversation: "c", data: {
    conversation: { assignee: { id: "ada" } }, by: { id: "ada" } } }, undefined],
  ["closing what others take part in", { type: "conversation.closed", conversation: "c", data: {
    conversation: { assignee: { id: "bo" }, participants: [{ id: "cy" }] }, by: { id: "bo" } } }, undefined],
  ["a conversation of one's own that is open again", { type: "conversation.reopened", conversation: "c", data: {
    conversation: { assignee: { id: "ada" } }, by: { type: "customer" } } }, "reopened"],
  ["a team for a conversation of one's own", { type: "conversation.team_changed", conversation: "c", data: {
    conversation: { assignee: { id: "ada" } }, by: { id: "bo" } } }, "moved"],
  ["being removed", { type: "conversation.participants_changed", conversation: "c", data: {
    conversation: { assignee: null, participants: [] }, change: { participants: { added: [], removed: [{ id: "ada" }] } }, by: { id: "bo" } } }, "participants"],
  ["another's following", { type: "conversation.watchers_changed", conversation: "c", data: {
    conversation: { assignee: { id: "ada" }, watchers: [{ id: "bo" }] }, by: { id: "bo" } } }, undefined],
  ["a new name of a customer one looks after", { type: "contact.saved", data: {
    contact: { id: "c" }, change: { name: { from: null, to: "Tia" } }, concerned: ["ada"], by: { id: "bo" } } }, "renamed"],
  ["notes about a contact", { type: "contact.saved", data: { contact: { id: "c" }, change: { notes: true }, concerned: ["ada"], by: { id: "bo" } } }, undefined],
  ["a bot that hands over to people", { type: "conversation.control_changed", conversation: "c", data: {
    from: { type: "bot", id: "b" }, to: null, reason: "passed", by: { type: "key", id: "k" } } }, "unassigned"],
  ["a bot that does not answer in time", { type: "conversation.control_changed", conversation: "c", data: {
    from: { type: "bot", id: "b" }, to: { type: "team", id: "t" }, reason: "timeout", by: { type: "server", id: "" } } }, "unassigned"],
  ["a bot that hands over to a person, who is assigned", { type: "conversation.control_changed", conversation: "c", data: {
    from: { type: "bot", id: "b" }, to: { type: "agent", id: "ada" }, reason: "passed", by: { type: "key", id: "k" } } }, undefined],
  ["a conversation that a bot has first", { type: "conversation.control_changed", conversation: "c", data: {
    from: null, to: { type: "bot", id: "b" }, reason: "opened", by: { type: "server", id: "" } } }, undefined],
  ["an event of the business", { type: "label.saved", data: {} }, undefined],
]) {
  test(`${name} ${expected ? `is a notice: ${expected}` : "is no notice"}`, () => {
    assert.equal(noticeOf(event, "ada", () => true)?.reason, expected);
  });
}

test("who only reads in a business is not notified of a customer who waits there", () => {
  const handles = (business) => business === "shop";
  assert.equal(noticeOf({ ...said(now()), business: "shop" }, "ada", handles)?.reason, "unassigned");
  assert.equal(noticeOf({ ...said(now()), business: "office" }, "ada", handles), null);
  assert.equal(noticeOf({ ...said(now({ assignee: { id: "ada" } })), business: "office" }, "ada", handles)?.reason, "mine");
});

for (const [hours, clock, expected] of [
  [{ isOn: true, from: "20:00", until: "08:00" }, "23:30", true],
  [{ isOn: true, from: "20:00", until: "08:00" }, "07:59", true],
  [{ isOn: true, from: "20:00", until: "08:00" }, "08:00", false],
  [{ isOn: true, from: "20:00", until: "08:00" }, "12:00", false],
  [{ isOn: true, from: "12:00", until: "13:00" }, "12:00", true],
  [{ isOn: true, from: "12:00", until: "13:00" }, "13:00", false],
  [{ isOn: true, from: "12:00", until: "12:00" }, "12:00", false],
  [{ isOn: false, from: "00:00", until: "23:59" }, "12:00", false],
]) {
  test(`${clock} is ${expected ? "" : "not "}quiet from ${hours.from} until ${hours.until}${hours.isOn ? "" : ", which is off"}`, () => {
    assert.equal(isQuiet(hours, new Date(`2026-11-23T${clock}:00`)), expected);
  });
}
