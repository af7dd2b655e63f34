import assert from "node:assert/strict";
import { test } from "node:test";
import { inLanguage, languageOf, withoutTranslations } from "../../web/composer/template-languages.js";
import { templateName, templatePayload } from "../../web/composer/template-parts.js";
import { startersFor } from "../../web/console/starter-templates.js";
import { fillPreview, findAutomatic, findParameters, UNCERTAIN, valueName } from "../../web/console/template-parameters.js";

test("a template keeps nothing of one sending", () => {
  const payload = {
    v: 1, id: "m", type: "text", sourceId: "b", destinationId: "urn:mbid:x", locale: "en_US", body: "\uFFFCHello", attachments: [{ id: "a" }],
  };
  assert.deepEqual(templatePayload(payload), { type: "text", body: "Hello" });
});

for (const [title, kind, taken, name] of [
  ["Order is ready", "text", [], "order-is-ready"], ["Grüße!", "text", [], "gru-e"], ["Café", "text", ["cafe"], "cafe-2"],
  ["ご注文", "quickReply", [], "quick-reply"], ["ご注文", "quickReply", ["quick-reply", "quick-reply-2"], "quick-reply-3"],
]) {
  test(`the title ${title} becomes the name ${name}`, () => assert.equal(templateName(title, kind, taken), name));
}

for (const [label, taken, name] of [
  ["Order number", [], "order_number"], ["Order number", ["order_number"], "order_number2"], ["2. Tag", [], "tag"], ["注文番号", [], "value"],
  ["日付", ["value"], "value2"],
]) {
  test(`a value called ${label} is named ${name}`, () => {
    assert.equal(valueName(label, taken), name);
    assert.match(name, /^[A-Za-z][A-Za-z0-9_]*$/);
  });
}

test("a translation is chosen by the nearest language, and is no entry of its own", () => {
  const all = ["hi", "hi.ja", "hi.zh-hans", "report.de", "hi.ja.old"].map((name) => ({ name }));
  const names = all.map(({ name }) => name);
  assert.equal(languageOf("hi.ja", names), "ja");
  assert.equal(languageOf("report.de", names), null);
  assert.deepEqual(withoutTranslations(all).map(({ name }) => name), ["hi", "report.de"]);
  for (const [locale, chosen] of [["ja_JP", "hi.ja"], ["zh_Hans_CN", "hi.zh-hans"], ["de_DE", "hi"], [null, "hi"], ["", "hi"]]) {
    assert.equal(inLanguage(all, all[0], locale).name, chosen, String(locale));
  }
});

for (const language of ["en", "ja"]) {
  test(`the ten starters in ${language} describe every value they name, and say what stands for an unknown one`, () => {
    const all = startersFor("b", language);
    assert.equal(all.length, 10);
    assert.equal(new Set(all.map(({ name }) => name)).size, 10);
    for (const { name, title, payload, parameters } of all) {
      const text = JSON.stringify(payload);
      const described = new Map(parameters.map((one) => [one.name, one]));
      assert.ok(title && title.length <= 100, name);
      assert.deepEqual(findParameters(text).filter((one) => !described.has(one)), [], name);
      for (const one of findAutomatic(text).filter((value) => UNCERTAIN.has(value))) assert.ok(described.get(one)?.default, `${name}: ${one}`);
      assert.ok(fillPreview(text, described), name);
      for (const one of described.keys()) assert.ok(text.includes(`{{${one}`), `${name} does not use ${one}`);
    }
  });
}
