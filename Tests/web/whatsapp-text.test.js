import assert from "node:assert/strict";
import { test } from "node:test";
import { languageWords, missingIn, textOf } from "../../web/composer/whatsapp-text.js";

const template = {
  name: "order_ready", language: "en_US", category: "UTILITY", header: { format: "TEXT", text: "Order {{1}}" },
  body: "Hi {{2}}, {{01}} is ready, {{ 2 }}!", footer: "Tea shop",
  buttons: [
    { type: "QUICK_REPLY", text: "Thanks", value: null }, { type: "URL", text: "Track", value: "https://tea.example/o/{{1}}" },
    { type: "COPY_CODE", text: "Copy", value: null },
  ],
  parameters: ["header.1", "body.1", "body.2", "button.1", "button.2"].map((key) => ({ key })), isFillable: true,
};
const values = { "header.1": "A-7", "body.1": "Green tea", "body.2": "Ada", "button.1": "7", "button.2": "TEA10" };

test("a template becomes the text that the server stores", () => {
  assert.equal(textOf(template, values),
    "Order A-7\n\nHi Ada, Green tea is ready, Ada!\n\nTea shop\n\n[Thanks]\n[Track] https://tea.example/o/7\n[Copy] TEA10");
});

test("what has no value yet stands there in its braces, and is missing", () => {
  const text = textOf(template, { "body.2": "Ada", "body.1": " " });
  assert.match(text, /^Order \{\{1\}\}\n\nHi Ada, {3}is ready/);
  assert.match(text, /\[Track\] https:\/\/tea.example\/o\/\{\{1\}\}\n\[Copy\]$/);
  assert.deepEqual(missingIn(template, { ...values, "body.1": " " }).map(({ key }) => key), ["body.1"]);
});

test("a picture above the text is its address", () => {
  const body = { ...template, header: { format: "IMAGE", text: null }, body: "Look", footer: null, buttons: [] };
  assert.equal(textOf(body, { header: "https://tea.example/a.png" }), "https://tea.example/a.png\n\nLook");
  assert.equal(textOf(body, {}), "Look");
});

test("languages are words, and what is none stays as it is", () => {
  assert.equal(languageWords("pt_BR", "en"), "Brazilian Portuguese");
  assert.equal(languageWords("ja", "ja"), "日本語");
  assert.equal(languageWords("!", "en"), "!");
});
