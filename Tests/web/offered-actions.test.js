import assert from "node:assert/strict";
import { test } from "node:test";
import { offeredActions, shortcuts } from "../../web/console/shortcuts.js";

const session = (...permissions) => ({ businesses: [{ id: "shop", permissions }, { id: "other", permissions: [] }] });
const ids = (...rest) => offeredActions(...rest).map(({ id }) => id);

test("who may only read is offered to move, to find and to select, and nothing that changes or writes", () => {
  const offered = ids(session("conversations.read"), { business: "shop" });
  for (const id of ["next", "previous", "search", "select", "find", "side", "templates", "sheet"]) assert.ok(offered.includes(id), id);
  const left = shortcuts.map(({ id }) => id).filter((id) => !offered.includes(id) && !id.startsWith("kind."));
  assert.deepEqual(left.sort(), [
    "assign", "assignee", "close", "labels", "macro", "note", "pending", "priority", "reply", "saveView", "snooze", "takeOver", "template", "unassign", "undo",
  ]);
  assert.equal(offered.some((id) => id.startsWith("kind.")), false);
});

test("of the open conversation the business decides, and without one any that permits it", () => {
  const agent = session("conversations.handle", "messages.send");
  assert.ok(ids(agent).includes("close"));
  assert.ok(ids(agent, { business: "shop" }).includes("kind.text"));
  assert.equal(ids(agent, { business: "other" }).includes("close"), false);
});

test("who may write notes alone has the note, and the key of the answer leads to it", () => {
  const offered = ids(session("conversations.handle"), { business: "shop" });
  assert.ok(offered.includes("note") && offered.includes("reply"));
  assert.equal(offered.includes("template"), false);
});
