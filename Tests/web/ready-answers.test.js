import assert from "node:assert/strict";
import { test } from "node:test";
import { addReadyAnswer, readyAnswer } from "../../web/console/ready-answers.js";
import { withoutValue } from "../../web/console/template-parameters.js";

const kinds = ["greeting", "outOfHours", "unanswered"];

for (const language of ["en", "ja"]) {
  for (const kind of kinds) {
    test(`the ready text of ${kind} in ${language} needs no value that the server lacks`, () => {
      const ready = readyAnswer(kind, language);
      assert.deepEqual(withoutValue(ready), []);
      assert.match(ready.name, /^[a-z0-9][a-z0-9.-]*$/);
    });
  }
}

test("a ready text is stored with its translation, which is there before the text can be sent", async () => {
  const stored = [];
  await addReadyAnswer({ post: async (path, body) => stored.push([path, body.business, body.name, body.payload.body]) }, "b", "greeting", "ja");
  assert.deepEqual(stored.map(([path, business, name]) => [path, business, name]), [
    ["/api/templates", "b", "auto-greeting.en"], ["/api/templates", "b", "auto-greeting"],
  ]);
  assert.equal(stored[0][3], readyAnswer("greeting", "en").payload.body);
});
