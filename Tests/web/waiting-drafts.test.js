import assert from "node:assert/strict";
import { test } from "node:test";
import { WaitingDrafts } from "../../web/console/waiting-drafts.js";

test("what was written of a waiting message is given back once, and of the newest twenty only", () => {
  const drafts = new WaitingDrafts();
  for (let number = 0; number < 21; number += 1) drafts.keep(`m${number}`, { kind: "text", body: String(number), card: null });
  assert.equal(drafts.remove("m0"), null);
  assert.equal(drafts.remove("m20").body, "20");
  assert.equal(drafts.remove("m20"), null);
});
