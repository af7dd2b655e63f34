/** The verifier in JavaScript that docs/webhooks/ offers, on the cases that every verifier is held to. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Events, Refused, verify } from "../../docs/webhooks/verify.js";

const { cases } = JSON.parse(readFileSync(new URL("../../docs/webhooks/test-vectors.json", import.meta.url), "utf8"));

test("genuine webhooks are accepted; forged, replayed, truncated and re-ordered ones are refused for their reason", () => {
  assert.ok(cases.length > 40);
  for (const { title, reason, verifiers, now, headers, body } of cases) {
    const judge = () => verify(headers, Buffer.from(body), verifiers, now);
    if (reason) assert.throws(judge, (error) => error instanceof Refused && error.message === reason, title);
    else assert.equal(judge(), headers["webhook-id"], title);
  }
});

test("the time of now is the machine's own", () => {
  const { headers, body, verifiers } = cases[0];
  assert.throws(() => verify(headers, Buffer.from(body), verifiers), { message: "too-old" });
});

test("an event that comes again is not new, and one behind a later one of its conversation is refused", () => {
  const events = new Events();
  const rows = [["e-5", "a", true], ["e-5", "a", false], ["e-9", "b", true], ["e-7", "a", true], ["e-6", "a", "re-ordered"], ["e-8", "b", "re-ordered"],
    ["e-5", "a", false], ["e-3", null, true], ["e-2", null, true], ["test-c", "a", true], ["test-c", "a", false]];
  for (const [id, conversation, expected] of rows) {
    if (typeof expected === "string") assert.throws(() => events.isNew(id, { conversation }), { message: expected }, id);
    else assert.equal(events.isNew(id, { conversation }), expected, id);
  }
});
