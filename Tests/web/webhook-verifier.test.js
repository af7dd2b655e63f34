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

test("an event that comes again is not new, and one that comes late, as a replay brings it, is", () => {
  const events = new Events();
  const rows = [["e-5", "a", false, true], ["e-5", "a", false, false], ["e-9", "b", false, true], ["e-7", "a", false, true],
    ["e-6", "a", true, true], ["e-6", "a", true, false], ["e-8", "b", true, true], ["e-5", "a", true, false],
    ["e-3", null, false, true], ["e-2", null, false, true], ["test-c", "a", false, true], ["test-c", "a", false, false]];
  for (const [id, conversation, isLate, isNew] of rows) {
    assert.equal(events.isLate(id, { conversation }), isLate, id);
    assert.equal(events.isNew(id, { conversation }), isNew, id);
  }
});
