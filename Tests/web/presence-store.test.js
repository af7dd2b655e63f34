import assert from "node:assert/strict";
import { test } from "node:test";
import { PresenceStore } from "../../web/console/presence-store.js";

const frame = (who, state, conversation = "c") => ({ conversation, state, who: { id: who, name: who } });
const shown = (store, id = "c") => store.at(id).map((one) => `${one.id} ${one.state}`);

test("a colleague stays where they are until they go, however long that is", (context) => {
  context.mock.timers.enable({ apis: ["Date", "setTimeout"] });
  const store = new PresenceStore();
  store.apply(frame("a", "looking"));
  store.apply(frame("b", "writing"));
  context.mock.timers.tick(24 * 3_600_000);
  assert.deepEqual(shown(store), ["a looking", "b writing"]);
  store.apply(frame("a", "idle"));
  assert.deepEqual(shown(store), ["b writing"]);
});

test("the server's state at the opening of a connection replaces the earlier one", () => {
  const store = new PresenceStore();
  store.apply(frame("a", "looking"));
  store.apply(frame("a", "looking", "other"));
  store.clear();
  store.apply(frame("b", "looking"));
  assert.deepEqual(shown(store), ["b looking"]);
  assert.deepEqual(shown(store, "other"), []);
});

test("what the agent does is said again over a new connection, while idle as away, and not after it ended", () => {
  const sent = [];
  const store = new PresenceStore(({ conversation, state }) => sent.push(`${conversation} ${state}`));
  store.repeat(false);
  store.say("c", "looking");
  store.say("c", "writing");
  store.repeat(true);
  store.repeat(false);
  store.say("c", "idle");
  store.repeat(false);
  assert.deepEqual(sent, ["c looking", "c writing", "c away", "c writing", "c idle"]);
});
