import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { saidByPage } from "../../web/console/customer-facts.js";
import { originsOf } from "../../web/console/widget-draft.js";
import { pageData } from "../../web/phone/page-data.js";
import { placeOf, readRoute } from "../../web/phone/route.js";
import { source } from "./widget-launcher.js";

const file = (name) => readFileSync(new URL(`../../web/widget/${name}`, import.meta.url), "utf8");

test("the script leaves the answer of the server 6 KB of what may be loaded before the widget is opened", () => {
  assert.ok(gzipSync(source, { level: 9 }).length < 15 * 1024 - 6 * 1024);
});

test("the script has one place for its styles and one for its parts, and the styles are in it whole", () => {
  for (const place of ['"STYLES"', '"PARTS"']) assert.equal(file("widget.js").split(place).length, 2);
  let found;
  new Function("sheet", source.match(/sheet\.replaceSync\(.*\);/)[0])({ replaceSync: (text) => { found = text; } });
  assert.equal(found, file("widget.css"));
});

test("the script imports nothing and writes no markup", () => {
  for (const word of [/^\s*import /m, /\bimport\(/, /innerHTML/, /outerHTML/, /insertAdjacentHTML/, /\beval\b/, /setAttribute\("style/]) {
    assert.doesNotMatch(source, word);
  }
});

// The one part of the script that computes: it is cut out, for the script runs in pages alone.
const fits = new Function(`${source.match(/const fits = [\s\S]*?\n {2}\};/)[0]} return fits;`)();

for (const [pattern, path, expected] of [
  ["/cart", "/cart", true], ["/cart", "/cart/", false], ["/cart", "/", false], ["*", "/", true], ["*", "/a/b", true],
  ["/p/*", "/p/1", true], ["/p/*", "/p/", true], ["/p/*", "/p", false], ["*/end", "/a/end", true], ["*/end", "/a/ends", false],
  ["/a*b*c", "/aXbYc", true], ["/a*b*c", "/abc", true], ["/a*b*c", "/acb", false], ["/aba*aba", "/aba", false],
  ["/a*a", "/a", false], ["/*", "/日本", true], ["/a.c", "/abc", false], ["/a**b", "/ab", true], ["/a*bc*c", "/abc", false],
]) {
  test(`the pattern ${pattern} ${expected ? "fits" : "does not fit"} ${path}`, () => {
    assert.equal(fits(pattern, path), expected);
  });
}

test("a long pattern is compared at once", () => {
  const started = performance.now();
  assert.equal(fits("*a".repeat(100), "a".repeat(99) + "b".repeat(100_000)), false);
  assert.ok(performance.now() - started < 1_000);
});

test("origins are taken out of lines and of whole addresses", () => {
  assert.deepEqual(originsOf(" https://shop.example\nhttps://b.example:8443/cart?x=1#y , http://localhost:8000/ "),
    ["https://shop.example", "https://b.example:8443", "http://localhost:8000"]);
  assert.deepEqual(originsOf("shop.example\n*"), ["shop.example", "*"]);
  assert.deepEqual(originsOf("  \n"), []);
});

test("the frame has another place than the customer's own page", () => {
  assert.deepEqual(readRoute({ pathname: "/w/x-1", search: "", hash: "#g=7&locale=ja-JP" }),
    { page: "chat", business: "x-1", entry: {}, body: "", generation: "7", locale: "ja-JP" });
  assert.equal(readRoute({ pathname: "/w/x-1", search: "", hash: "#g=7&from=6" }).from, "6");
  assert.equal(readRoute({ pathname: "/w/x-1", search: "", hash: "#g=7&from=6&held=x1" }).held, "x1");
  assert.equal(readRoute({ pathname: "/w/x-1", search: "", hash: "#g=7&named=1" }).isNamed, true);
  assert.deepEqual(placeOf("x-1"), { base: "/api/phone/x-1", key: "fd.phone.x-1" });
  assert.deepEqual(placeOf("x-1", "7"), { base: "/api/widget/x-1/phone", key: "fd.widget.x-1.7" });
  assert.deepEqual(placeOf("x-1", ""), { base: "/api/widget/x-1/phone", key: "fd.widget.x-1." });
});

test("what a page says is brought into the form that the server accepts", () => {
  assert.deepEqual(pageData({ name: " Ada ", email: 7, path: "/cart", attributes: {
    tier: "gold", orders: 3, vip: true, Bad: "x", "9": "x", long: "x".repeat(300), far: 1e16, none: null, list: [1], nan: NaN,
  } }), { name: "Ada", email: "7", path: "/cart", attributes: { tier: "gold", orders: 3, vip: "true", long: "x".repeat(200) } });
  assert.equal(pageData({ name: "字".repeat(100) }).name, "字".repeat(66));
  for (const nothing of [null, undefined, 7, "x", {}, { name: "" }, { attributes: {} }, { attributes: { Bad: "x" } }]) {
    assert.equal(pageData(nothing), null);
  }
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`key${at}`, at]));
  assert.equal(Object.keys(pageData({ attributes: many }).attributes).length, 20);
});

test("the newest thing that a page said is shown, and nothing of an erased message", () => {
  const page = { name: "Ada", email: null, path: "/cart", attributes: { n: 2 } };
  assert.deepEqual(saidByPage([{ page: { ...page, name: "Old" } }, { page }, {}]), [
    { key: "name", name: "", value: "Ada" }, { key: "path", name: "", value: "/cart" }, { key: "attribute", name: "n", value: "2" }]);
  assert.deepEqual(saidByPage([{ page, erasedAt: "2026-01-01T00:00:00Z" }, {}]), []);
});
