import assert from "node:assert/strict";
import { test } from "node:test";
import { fillPlaceholders, findPlaceholders, knownValue } from "../../web/composer/placeholders.js";

const text = `{
  "bid": "com.x:<team-identifier>:<extension-identifier>", "appId": "<app-id>",
  "URL": "?a=<token>&b=<token>", "note": "1 < 2 > 0", "<key>": true
}`;

test("placeholders are found in strings only, each once, in order", () => {
  assert.deepEqual(findPlaceholders(text), [
    { name: "team-identifier", count: 1, isNumber: false },
    { name: "extension-identifier", count: 1, isNumber: false },
    { name: "app-id", count: 1, isNumber: true },
    { name: "token", count: 2, isNumber: false },
  ]);
});

test("values go in as JSON text and the rest keeps its bytes", () => {
  const filled = fillPlaceholders(text, new Map([["token", 'a"b\\'], ["team-identifier", "T1"], ["app-id", "42"]]));
  const read = JSON.parse(filled);
  assert.equal(read.URL, '?a=a"b\\&b=a"b\\');
  assert.equal(read.bid, "com.x:T1:<extension-identifier>");
  assert.equal(read.appId, 42);
  assert.equal(fillPlaceholders(text, new Map()), text);
});

test("a value that looks like a replacement pattern or a placeholder stays as it is", () => {
  const filled = fillPlaceholders('["<token>"]', new Map([["token", "$& <token>"]]));
  assert.deepEqual(JSON.parse(filled), ["$& <token>"]);
});

test("the open conversation answers for the names it knows", () => {
  const known = { business: "b", customer: "c", freshID: () => "u" };
  const names = ["business-id", "destinationId", "message_id", "team-identifier"];
  assert.deepEqual(names.map((name) => knownValue(name, known)), ["b", "c", "u", null]);
});
