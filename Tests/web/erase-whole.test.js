import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { makePanelPage } from "./panel-page.js";
import { turn } from "./small-dom.js";

const page = makePanelPage();
const { ReadAgain } = await import("../../web/lib/read-again.js");
const { customerName } = await import("../../web/lib/names.js");
const { registerStrings } = await import("../../web/lib/i18n.js");
const { WholeErasure, countWords, isName } = await import("../../web/console/erase-whole.js");
await registerStrings({ en: () => import("../../web/i18n/en/shared.js"), ja: () => import("../../web/i18n/ja/shared.js") });

const answered = async (status, body) => {
  await turn();
  const one = page.asked.shift();
  one.answer(status, body);
  for (let more = 0; more < 5; more += 1) await turn();
  return one.path;
};

test("what thousands of events have changed is read at once, and once more behind the last of them", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const read = [];
  const again = new ReadAgain((id) => read.push(id), 1_000);
  for (let event = 0; event < 1_000; event += 1) again.ask("a");
  again.ask("b");
  assert.deepEqual(read, ["a", "b"]);
  mock.timers.tick(1_000);
  assert.deepEqual(read, ["a", "b", "a"]);
  mock.timers.tick(1_000);
  again.ask("a");
  assert.deepEqual(read, ["a", "b", "a", "a"]);
  mock.timers.reset();
});

test("a person who was erased is called so, until there is a name again", () => {
  const customer = { id: "urn:mbid:ab12", name: null, erased: true };
  assert.equal(customerName({ customer, contact: { name: null } }), "Erased person");
  assert.equal(customerName({ customer, contact: { name: "Mrs Oki" } }), "Mrs Oki");
  assert.equal(customerName({ customer: { ...customer, erased: undefined }, contact: { name: null } }), "Customer AB12");
});

test("an erasure goes on until all is erased, and after a failure where it stopped", async () => {
  const seen = [];
  const erasure = new WholeErasure("/api/conversations/c/erasure", (erased) => seen.push(erased));
  const step = (messages, next) => ({ complete: next === null, messages, notes: 1, scheduled: 0, next });
  const first = erasure.run().catch((problem) => problem.status);
  assert.equal(await answered(200, step(300, "c.300.500")), "/api/conversations/c/erasure");
  assert.equal(await answered(503, { code: "unavailable" }), "/api/conversations/c/erasure?from=c.300.500");
  assert.equal(await first, 503);
  const second = erasure.run();
  assert.equal(await answered(200, step(200, null)), "/api/conversations/c/erasure?from=c.300.500");
  await second;
  assert.deepEqual(seen, [301, 502]);
  assert.equal(page.asked.length, 0);
});

test("the name is recognized however it is written, and another is not", () => {
  assert.ok(isName("  mrs  SATO ", "Mrs Sato"));
  assert.ok(isName("Ｍｒｓ　Ｓａｔｏ", "Mrs Sato"));
  assert.ok(!isName("Mrs Oki", "Mrs Sato") && !isName("", "Mrs Sato"));
});

test("what goes is said without what there is none of", () => {
  const none = { conversations: 1, messages: 0, notes: 0, files: 0, scheduled: 0, drafts: 0, suggestions: 0 };
  assert.deepEqual(countWords(none), []);
  assert.deepEqual(countWords({ ...none, conversations: 2, messages: 1, files: 3 }), ["2 conversations", "1 message", "3 files"]);
});
