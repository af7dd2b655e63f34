import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

const root = new URL("../../", import.meta.url);
const modules = readdirSync(new URL("web/", root), { recursive: true })
  .filter((name) => name.endsWith(".js"));

test("docs/web.md names every element with its file, and no other", () => {
  const defined = modules.flatMap((name) => {
    const text = readFileSync(new URL(`web/${name}`, root), "utf8");
    return [...text.matchAll(/customElements\.define\("([\w-]+)"/g)]
      .map((match) => `${match[1]} ${name}`);
  });
  const page = readFileSync(new URL("docs/web.md", root), "utf8");
  const named = [...page.matchAll(/^\| `([\w-]+)` \| `([\w/-]+\.js)` \|/gm)]
    .map((match) => `${match[1]} ${match[2]}`);
  assert.ok(defined.length > 0);
  assert.deepEqual(named.sort(), defined.sort());
});
