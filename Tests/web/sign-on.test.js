import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { readReason, reasonKey, signOnReasons } from "../../web/console/sign-on.js";

const root = new URL("../../", import.meta.url);
const read = (path) => readFileSync(new URL(path, root), "utf8");

test("the page has a sentence for each reason that the server knows, in both languages, and for no other", () => {
  const declared = read("Sources/DeskAPI/SignOn/SignOnRefusal.swift").matchAll(/^ {8}case (\w+)$/gm);
  assert.deepEqual([...declared].map((match) => match[1]).sort(), [...signOnReasons].sort());
  for (const language of ["en", "ja"]) {
    const texts = read(`web/i18n/${language}/sign-on.js`);
    for (const reason of signOnReasons) assert.ok(texts.includes(`"console.sso.${reason}":`), `${language} ${reason}`);
  }
});

test("a reason is read from the fragment of the address, and from nothing else", () => {
  assert.equal(readReason("#sso=unknown"), "unknown");
  for (const other of ["", "#", "#sso=", "#sso=made-up", "#sso=constructor", "#invite=unknown", "sso=unknown", "#sso=unknown&a=b"]) {
    assert.equal(readReason(other), null, other);
  }
});

test("a provider that is down leaves the password where there is one", () => {
  const provider = { name: "Example", isOnly: false, signOutUrl: null };
  assert.equal(reasonKey("unreachable", provider), "console.sso.unreachableOr");
  assert.equal(reasonKey("unreachable", { ...provider, isOnly: true }), "console.sso.unreachable");
  assert.equal(reasonKey("expired", provider), "console.sso.expired");
});
