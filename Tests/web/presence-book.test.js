import assert from "node:assert/strict";
import { test } from "node:test";
import { PresenceBook } from "../../web/console/presence-book.js";

const frame = (who, state, conversation = "c") => ({ conversation, state, who: { id: who, name: who } });
const shown = (book, id = "c") => book.at(id).map((one) => `${one.id} ${one.state}`);

test("a colleague stays where they are until they go, however long that is", (context) => {
  context.mock.timers.enable({ apis: ["Date", "setTimeout"] });
  const book = new PresenceBook();
  book.take(frame("a", "looking"));
  book.take(frame("b", "writing"));
  context.mock.timers.tick(24 * 3_600_000);
  assert.deepEqual(shown(book), ["a looking", "b writing"]);
  book.take(frame("a", "idle"));
  assert.deepEqual(shown(book), ["b writing"]);
});

test("what the server says when the line opens replaces what was known", () => {
  const book = new PresenceBook();
  book.take(frame("a", "looking"));
  book.take(frame("a", "looking", "other"));
  book.clear();
  book.take(frame("b", "looking"));
  assert.deepEqual(shown(book), ["b looking"]);
  assert.deepEqual(shown(book, "other"), []);
});
