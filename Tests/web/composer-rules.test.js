import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

test("every rule with a page has its fix in Japanese", async () => {
  const { default: fixes } = await import("../../web/composer/rule-fixes-ja.js");
  const rules = readdirSync(new URL("../../docs/rules/", import.meta.url))
    .filter((name) => name.endsWith(".md") && name !== "README.md" && name !== "malformed-json.md")
    .map((name) => name.slice(0, -3));
  assert.ok(rules.length > 30, `only ${rules.length} rules`);
  for (const rule of rules) assert.ok(fixes[`fix.${rule}`], rule);
});

test("every defect of the doctor has its text in Japanese", () => {
  const source = readFileSync(new URL("../../Sources/DeskDiagnosis/Doctor/Defect.swift", import.meta.url), "utf8");
  const ids = [...source.matchAll(/^ {8}case (\w+)(?: = "([\w-]+)")?$/gm)].map(([, name, id]) => id ?? name);
  assert.ok(ids.length > 30, `only ${ids.length} defects`);
  const words = readFileSync(new URL("../../web/composer/doctor-words.js", import.meta.url), "utf8");
  for (const id of ids) assert.ok(words.includes(`"${id}":`), id);
});

test("a Japanese reader learns where an unknown key belongs", async () => {
  const { fixWords } = await import("../../web/composer/rule-words.js");
  const { showLanguage } = await import("../../web/lib/i18n.js");
  await showLanguage("ja");
  const words = (fix) => fixWords({ rule: "unknown-key", pointer: "/interactiveData/data/price", fix });
  assert.equal(words('Move "price" to /interactiveData/data/listPicker, or remove it: here it has no effect.'),
    "「price」はここでは効果がありません。/interactiveData/data/listPicker に移すか、取り除いてください。");
  assert.match(words('Move "price" to the message itself, or remove it: here it has no effect.'), /最上位/);
  assert.match(words('Remove "price": no part of this message has a key of this name.'), /^「price」は.*取り除いて/);
});
