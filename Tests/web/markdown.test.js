import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

import { address, plainText, readMarkdown, slug } from "../../web/documents/markdown.js";

/** A tree in one line: `p("a ", strong("b"))`. */
const shown = (part) => (typeof part === "string" ? JSON.stringify(part) : `${part.tag}(${part.children.map(shown).join(", ")})`);
const read = (text) => readMarkdown(text).map(shown).join(" ");

test("a document becomes its headings, paragraphs, lists, tables and code", () => {
  for (const [text, wanted] of [
    ["# A `b` c", 'h1("A ", code("b"), " c")'],
    ["one\ntwo\n\nthree", 'p("one two") p("three")'],
    ["- a\n  b\n- c", 'ul(li("a b"), li("c"))'],
    ["1. a\n2. b\n\nend", 'ol(li("a"), li("b")) p("end")'],
    ["- a\n\n- b", 'ul(li("a"), li("b"))'],
    ["- a\n  - b", 'ul(li(p("a"), ul(li("b"))))'],
    ["```json\n{ \"a\": \"**x**\" }\n```\nafter", 'pre(code("{ \\"a\\": \\"**x**\\" }")) p("after")'],
    ["| a | b |\n|---|---|\n| `x|y` | |", 'table(thead(tr(th("a"), th("b"))), tbody(tr(td(code("x|y")), td())))'],
    ["> said\n> twice", 'blockquote(p("said twice"))'],
    ["---", "hr()"],
    ["text<!-- not shown -->", 'p("text")'],
  ]) assert.equal(read(text), wanted, text);
});

test("words are marked where marks open and close, and nowhere else", () => {
  for (const [text, wanted] of [
    ["**b** and *e* and _e_", 'p(strong("b"), " and ", em("e"), " and ", em("e"))'],
    ["snake_case_name, 2 * 3 * 4", 'p("snake_case_name, 2 * 3 * 4")'],
    ["[a `b`](c.md#d)", 'p(a("a ", code("b")))'],
    ["a \\* star, <b>no tag</b>", 'p("a * star, <b>no tag</b>")'],
    ["**never closed", 'p("**never closed")'],
  ]) assert.equal(read(text), wanted, text);
});

test("a heading has the name by which documents link to it", () => {
  assert.equal(slug("What a schema says"), "what-a-schema-says");
  assert.equal(readMarkdown("## `a`: the B, and C")[0].attributes.id, "a-the-b-and-c");
});

test("headings of the same words get numbers", () => {
  const ids = readMarkdown("# A\n## Limits\n## B\n## Limits\n## Limits").map(({ attributes }) => attributes.id);
  assert.deepEqual(ids, ["a", "limits", "b", "limits-1", "limits-2"]);
});

test("links lead to the pages of documents, a README is its folder, and nothing leads out of them", () => {
  for (const [href, here, wanted] of [
    ["web.md", "/docs/", "/docs/web"],
    ["rules/README.md", "/docs/", "/docs/rules/"],
    ["README.md", "/docs/rules/unknown-key", "/docs/rules/"],
    ["../limits.md#of-the-api", "/docs/rules/unknown-key", "/docs/limits#of-the-api"],
    ["openapi.json", "/docs/api", "/docs/openapi.json"],
    ["#errors", "/docs/api", "#errors"],
    ["/api/openapi.json", "/docs/api", "/api/openapi.json"],
    ["https://example.com/a?b=c", "/docs/api", "https://example.com/a?b=c"],
    ["../Sources/DeskAPI", "/docs/api", null],
    ["../../README.md", "/docs/adr/", null],
    ["javascript:alert(1)", "/docs/api", null],
    ["//example.com/a", "/docs/api", null],
  ]) assert.equal(address(href, here), wanted, href);
});

test("every document of the project is read, and none of its words is lost", () => {
  const root = new URL("../../docs/", import.meta.url);
  const names = readdirSync(root, { recursive: true }).filter((name) => name.endsWith(".md"));
  assert.ok(names.length > 100);
  const letters = (text) => text.replace(/[^\p{L}\p{N}]/gu, "");
  for (const name of names) {
    const text = readFileSync(new URL(name, root), "utf8");
    const blocks = readMarkdown(text);
    assert.equal(blocks[0]?.tag, "h1", name);
    const bare = text.replace(/<!--[\s\S]*?-->/g, "").replace(/^ *```.*$/gm, "").replace(/\]\([^)\s]+\)/g, "]")
      .replace(/^ *\d+\. /gm, "");
    assert.equal(letters(blocks.map(plainText).join("")), letters(bare), name);
  }
});
