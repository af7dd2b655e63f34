import assert from "node:assert/strict";
import { test } from "node:test";
import { addressTo, foreignMembers, withMessageID, wrapInteractive } from "../../web/composer/addressing.js";

const envelope = { id: "m", requestID: "r", business: "b", customer: "c" };

test("stated members of another conversation are named and replaced, nothing else moves", () => {
  const text = '{ "sourceId":"x","id": "old", "destinationId" :"c", "n":1.0 }';
  assert.deepEqual(foreignMembers(text, envelope), ["sourceId"]);
  assert.equal(addressTo(text, envelope), '{ "sourceId":"b","id": "old", "destinationId" :"c", "n":1.0 }');
  assert.equal(withMessageID(text, "new"), text.replace('"old"', '"new"'));
});

test("members that are not stated are not added", () => {
  const text = '{"type":"text","body":"hi"}';
  assert.equal(addressTo(withMessageID(text, "m"), envelope), text);
  assert.deepEqual(foreignMembers("{", envelope), []);
});

test("a bare app message gets its envelope, a whole message stays as it is", () => {
  const bare = '{\n  "bid": "x:y:z",\n  "URL": "?a=1"\n}\n';
  const read = JSON.parse(wrapInteractive(bare, envelope));
  assert.deepEqual(read, {
    v: 1, id: "m", type: "interactive", sourceId: "b", destinationId: "c", interactiveData: { bid: "x:y:z", URL: "?a=1" },
  });
  const whole = '{"v":1,"bid":"x"}';
  assert.equal(wrapInteractive(whole, envelope), whole);
});
