import assert from "node:assert/strict";
import { test } from "node:test";
import { Availability } from "../../web/console/availability.js";
import { IDLE_MINUTES } from "../../web/console/idle-watch.js";
import { Roster } from "../../web/console/roster.js";

const IDLE_MILLISECONDS = IDLE_MINUTES * 60_000;

/** The availability of an agent "me", with the frames that it sends. */
function made(availability = "online", put = async () => {}) {
  const sent = [];
  const session = { agent: { id: "me" }, availability };
  const own = new Availability(session, (frame) => sent.push(frame.state), put);
  return { own, sent, session };
}

const said = (who, state, business = "shop") => ({ kind: "availability", business, who: { id: who }, state });

test("an agent is away after a time without a key or a press, and back by the next one", (context) => {
  context.mock.timers.enable({ apis: ["Date", "setTimeout"] });
  const { own, sent } = made();
  const page = new EventTarget();
  const turns = [];
  own.addEventListener("idle", () => turns.push(own.isIdle));
  own.start(page);
  context.mock.timers.tick(IDLE_MILLISECONDS - 1_000);
  // A press is one however little the pointer moved.
  page.dispatchEvent(Object.assign(new Event("pointerdown"), { movementX: 0, movementY: 0 }));
  context.mock.timers.tick(IDLE_MILLISECONDS - 1_000);
  assert.equal(own.shown, "online");
  context.mock.timers.tick(1_000);
  assert.equal(own.shown, "away");
  // The page below a resting pointer changed.
  page.dispatchEvent(Object.assign(new Event("pointermove"), { movementX: 0, movementY: 0 }));
  assert.equal(own.shown, "away");
  page.dispatchEvent(Object.assign(new Event("pointermove"), { movementX: 1, movementY: 0 }));
  assert.equal(own.shown, "online");
  context.mock.timers.tick(IDLE_MILLISECONDS - 1_000);
  // The simulated phone is used, whose keys and presses stay in its frame.
  page.dispatchEvent(new Event("phone-used"));
  context.mock.timers.tick(IDLE_MILLISECONDS - 1_000);
  assert.equal(own.shown, "online");
  context.mock.timers.tick(1_000);
  own.stop();
  page.dispatchEvent(new Event("keydown"));
  assert.deepEqual(sent, ["away", "online", "away"]);
  assert.deepEqual(turns, [true, false, true]);
});

test("a page that its browser freezes is away at once, since it can say nothing later", (context) => {
  context.mock.timers.enable({ apis: ["Date", "setTimeout"] });
  const { own, sent } = made();
  const page = new EventTarget();
  own.start(page);
  page.dispatchEvent(new Event("freeze"));
  assert.deepEqual(sent, ["away"]);
  page.dispatchEvent(new Event("freeze"));
  context.mock.timers.tick(2 * IDLE_MILLISECONDS);
  assert.deepEqual(sent, ["away"]);
  page.dispatchEvent(new Event("focus"));
  context.mock.timers.tick(IDLE_MILLISECONDS);
  assert.deepEqual(sent, ["away", "online", "away"]);
});

test("an idle page says so again when the connection opens again", (context) => {
  context.mock.timers.enable({ apis: ["Date", "setTimeout"] });
  const { own, sent } = made();
  own.start(new EventTarget());
  own.begin();
  assert.deepEqual(sent, []);
  context.mock.timers.tick(IDLE_MILLISECONDS);
  own.begin();
  assert.deepEqual(sent, ["away", "away"]);
});

test("a choice goes before idleness, and one that is refused is taken back", async (context) => {
  context.mock.timers.enable({ apis: ["Date", "setTimeout"] });
  const { own, session } = made("busy", async () => { throw new Error("refused"); });
  own.start(new EventTarget());
  context.mock.timers.tick(IDLE_MILLISECONDS);
  assert.equal(own.shown, "busy");
  const choice = own.choose("invisible");
  assert.equal(own.shown, "invisible");
  await assert.rejects(choice, /refused/);
  assert.equal(own.shown, "busy");
  assert.equal(session.availability, "busy");
});

test("of the choices of several pages the latest counts, in whatever order they arrive", () => {
  const { own, session } = made();
  own.apply({ kind: "choice", who: { id: "me" }, state: "busy", version: 7 });
  own.apply({ kind: "choice", who: { id: "me" }, state: "away", version: 6 });
  own.apply({ kind: "choice", who: { id: "bo" }, state: "invisible", version: 9 });
  assert.equal(own.chosen, "busy");
  assert.equal(session.availability, "busy");
});

test("a colleague is what the server said last, for each business, until the connection ends", () => {
  const { own } = made();
  own.apply(said("bo", "online"));
  own.apply(said("bo", "away", "other"));
  assert.deepEqual([own.of("shop", "bo"), own.of("other", "bo"), own.of("shop", "cy")], ["online", "away", undefined]);
  own.clear();
  assert.equal(own.of("shop", "bo"), undefined);
});

/** A roster of a console whose server answers with `rows`. */
function rosterOf(rows) {
  const { own } = made();
  const state = Object.assign(new EventTarget(), { availability: own, live: { state: "live" } });
  let reads = 0;
  const roster = new Roster("shop", state, async () => {
    reads += 1;
    return { data: rows.map(([id, now, open]) => ({ agent: { id, name: id }, state: now, open })) };
  });
  return { roster, state, own, reads: () => reads };
}

test("a roster knows what was read until a frame says otherwise, and puts those who are there first", async () => {
  const { roster, own } = rosterOf([["bo", "offline", 4], ["cy", "away", 0], ["di", "offline", 1]]);
  assert.equal(roster.openOf("bo"), null);
  await roster.start();
  assert.deepEqual([roster.stateOf("bo"), roster.openOf("bo"), roster.stateOf("cy")], ["offline", 4, "away"]);
  own.apply(said("di", "busy"));
  const members = ["bo", "cy", "di"].map((id) => ({ id, name: id }));
  assert.deepEqual(members.sort((one, other) => roster.compare(one, other)).map(({ id }) => id), ["di", "cy", "bo"]);
});

test("a roster's numbers are read again after events of conversations of its business, once for many", async (context) => {
  const { roster, state, reads } = rosterOf([["bo", "online", 1]]);
  await roster.start();
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const happen = (business, data) => state.dispatchEvent(Object.assign(new Event("happened"), { detail: { business, data } }));
  happen("other", { conversation: {} });
  happen("shop", { label: {} });
  context.mock.timers.tick(5_000);
  assert.equal(reads(), 1);
  for (let turn = 0; turn < 5; turn += 1) happen("shop", { conversationState: {} });
  context.mock.timers.tick(5_000);
  assert.equal(reads(), 2);
  roster.stop();
  happen("shop", { conversationState: {} });
  context.mock.timers.tick(5_000);
  assert.equal(reads(), 2);
});
