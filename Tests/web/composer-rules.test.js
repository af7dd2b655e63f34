import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const source = readFileSync(new URL("../../web/composer/rule-words.js", import.meta.url), "utf8");

test("every rule with a page has its fix in Japanese", () => {
  const rules = readdirSync(new URL("../../docs/rules/", import.meta.url))
    .filter((name) => name.endsWith(".md") && name !== "README.md" && name !== "malformed-json.md")
    .map((name) => name.slice(0, -3));
  assert.ok(rules.length > 30, `only ${rules.length} rules`);
  for (const rule of rules) assert.ok(source.includes(`"${rule}":`), rule);
});

test("every defect of the doctor has its text in Japanese", () => {
  const source = readFileSync(new URL("../../Sources/DeskDiagnosis/Doctor/Defect.swift", import.meta.url), "utf8");
  const ids = [...source.matchAll(/^ {8}case (\w+)(?: = "([\w-]+)")?$/gm)].map(([, name, id]) => id ?? name);
  assert.ok(ids.length > 30, `only ${ids.length} defects`);
  const words = readFileSync(new URL("../../web/composer/doctor-words.js", import.meta.url), "utf8");
  for (const id of ids) assert.ok(words.includes(`"${id}":`), id);
});
