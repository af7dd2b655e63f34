import assert from "node:assert/strict";
import { test } from "node:test";
import { previewDraft } from "../../web/phone/preview-draft.js";

test("a draft of the usual length is shown as it is", () => {
  const draft = { type: "text", body: "Words", attachments: [{ name: "a" }], odd: null, count: 7 };
  assert.equal(previewDraft(draft), draft);
  for (const odd of [null, 7, "x", []]) assert.equal(previewDraft(odd), odd);
});

test("a word of a megabyte is cut, and what is beside it keeps its place", () => {
  const { type, body } = previewDraft({ type: "text", body: "w".repeat(1_000_000) });
  assert.equal(type, "text");
  assert.equal(body.length, 20_001 - "text".length);
  assert.ok(body.endsWith("w…"));
});

test("many texts together are cut, and so is a list of very many entries", () => {
  const items = Array.from({ length: 5_000 }, () => ({ title: "t".repeat(1_000) }));
  const shown = previewDraft({ items }).items;
  assert.equal(shown.length, 500);
  assert.ok(shown.reduce((sum, { title }) => sum + title.length, 0) <= 20_000 + 500);
  assert.equal(shown[0].title.length, 1_000);
});

test("a picture is whole however large it is", () => {
  const data = "iVBORw0KGgo".repeat(10_000);
  const draft = { type: "interactive", interactiveData: { appIcon: data, data: { images: [{ identifier: "1", data }] }, receivedMessage: { title: "w".repeat(30_000) } } };
  const shown = previewDraft(draft).interactiveData;
  assert.equal(shown.appIcon, data);
  assert.equal(shown.data.images[0].data, data);
  assert.ok(shown.receivedMessage.title.length < 20_000);
});

test("a draft that is nested as deep as text can be is cut, and no page ends with it", () => {
  const deep = JSON.parse(`${"[".repeat(100_000)}1${"]".repeat(100_000)}`);
  let found = previewDraft({ body: deep }).body;
  let depth = 0;
  while (Array.isArray(found)) [found, depth] = [found[0], depth + 1];
  assert.equal(found, null);
  assert.ok(depth < 100);
});
