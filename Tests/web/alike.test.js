import assert from "node:assert/strict";
import { test } from "node:test";
import { alikeTogether } from "../../web/thread/alike.js";

test("warnings that ask for the same are one, with all their places", () => {
  const https = (name) => ({ rule: "not-https", pointer: `/endpoints/${name}`, found: `"http://${name}"`, fix: "Serve it over https." });
  const found = alikeTogether([https("a"), { rule: "long", pointer: "/title", found: "99", fix: "Cut it." }, https("b")]);
  assert.deepEqual(found.map(({ rule, places }) => [rule, places.map(({ pointer }) => pointer)]), [
    ["not-https", ["/endpoints/a", "/endpoints/b"]], ["long", ["/title"]]]);
  assert.deepEqual(alikeTogether([]), []);
});
