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
