import assert from "node:assert/strict";
import { test } from "node:test";
import { contrast, makeAccent, readColour } from "../../web/lib/accent.js";
import { withQuery } from "../../web/lib/api.js";
import { Backoff } from "../../web/lib/backoff.js";
import { isNews } from "../../web/lib/event-id.js";
import { languages, registerStrings, setLanguage, t } from "../../web/lib/i18n.js";
import { safeHref, splitLinks } from "../../web/lib/link-text.js";
import { dayKey, formatZone, readTime, writeProtocolTime } from "../../web/lib/time.js";
import { makeUUID } from "../../web/lib/uuid.js";
import sharedEN from "../../web/i18n/en/shared.js";
import sharedJA from "../../web/i18n/ja/shared.js";
import phoneEN from "../../web/i18n/en/phone.js";
import phoneJA from "../../web/i18n/ja/phone.js";
import { learnTime, serverNow } from "../../web/lib/server-clock.js";

for (const [part, en, ja] of [["shared", sharedEN, sharedJA], ["phone", phoneEN, phoneJA]]) {
  test(`every text of ${part} is there in both languages, with the same places to fill`, () => {
    assert.deepEqual(Object.keys(ja).sort(), Object.keys(en).sort());
    const places = (text) => [...new Set(
      (typeof text === "string" ? text : text.other).match(/\{\w+\}/g) ?? [])].sort();
    for (const key of Object.keys(en)) assert.deepEqual(places(ja[key]), places(en[key]), key);
  });
}

test("a text counts in the way of its language, and a missing one shows its key", async () => {
  await registerStrings({
    en: { "test.n": { one: "{count} row", other: "{count} rows" } },
    ja: { "test.n": { other: "{count}行" } },
  });
  await setLanguage("en");
  assert.equal(t("test.n", { count: 1 }), "1 row");
  assert.equal(t("test.n", { count: 2 }), "2 rows");
  await setLanguage("ja");
  assert.equal(t("test.n", { count: 1 }), "1行");
  await setLanguage("xx");
  assert.equal(t("test.absent"), "test.absent");
  await setLanguage("en");
  assert.deepEqual(Object.keys(languages), ["en", "ja"]);
});

test("a language is loaded when it is chosen, once, and without its texts the page keeps its own", async () => {
  const loads = [];
  let isConnected = true;
  const load = (language, text) => async () => {
    loads.push(language);
    if (!isConnected) throw new Error("offline");
    return { default: { "test.late": text } };
  };
  await registerStrings({ en: load("en", "late"), ja: load("ja", "遅い") });
  assert.deepEqual(loads, ["en"]);
  isConnected = false;
  await setLanguage("ja");
  assert.equal(t("test.late"), "late");
  isConnected = true;
  await Promise.all([setLanguage("ja"), setLanguage("ja")]);
  assert.equal(t("test.late"), "遅い");
  assert.deepEqual(loads, ["en", "ja", "ja"]);
  const both = [setLanguage("en"), setLanguage("ja"), setLanguage("en")];
  await Promise.all(both);
  assert.equal(t("test.late"), "late");
  assert.deepEqual(loads, ["en", "ja", "ja"]);
});

for (const [text, expected] of [
  ["see https://a.example/b?c=d.", ["see ", "https://a.example/b?c=d", "."]],
  ["（https://a.example）へ", ["（", "https://a.example", "）へ"]],
  ["https://a.example/118をご覧", ["https://a.example/118", "をご覧"]],
  ["(https://a.example/x_(y))", ["(", "https://a.example/x_(y)", ")"]],
  ["mail me@a.example now", ["mail ", "me@a.example", " now"]],
  ["to .first.last+x@a.b.example.", ["to ", ".first.last+x@a.b.example", "."]],
  ["me@a.example,you@b.example", ["me@a.example", ",", "you@b.example"]],
  ["日本me@a.example", ["日本", "me@a.example"]],
  ["a@b@c.example", ["a@", "b@c.example"]],
  ["(see https://a.example/x).", ["(see ", "https://a.example/x", ")."]],
  ["https://a.example/x_(y)).", ["https://a.example/x_(y)", ")."]],
  ["tel:+81312345678", ["tel:+81312345678"]],
  ["javascript:alert(1)", ["javascript:alert(1)"]],
  ["data:text/html,x", ["data:text/html,x"]],
  ["no link", ["no link"]],
]) {
  test(`"${text}" is cut at its links`, () => {
    assert.deepEqual(splitLinks(text).map((part) => part.text), expected);
  });
}

// A customer may send 64 KiB; what looks for links must not look at the rest of the text from each of its letters.
const LONGEST = 65_000;
for (const [what, text, links] of [
  ["one word", "a".repeat(LONGEST), 0],
  ["the end of an address that has no dot", `a@${"-".repeat(LONGEST)}`, 0],
  ["full stops behind an address", `https://a.example${".".repeat(LONGEST)}`, 1],
  ["full stops inside an address", `https://a.example/${".".repeat(LONGEST)}x`, 1],
  ["closing brackets behind an address", `https://a.example/${")".repeat(LONGEST)}`, 1],
  ["brackets that belong together", `https://a.example/${"(".repeat(LONGEST / 2)}${")".repeat(LONGEST / 2)}`, 1],
]) {
  test(`links are found at once in ${LONGEST} letters: ${what}`, () => {
    const begun = performance.now();
    const parts = splitLinks(text);
    assert.ok(performance.now() - begun < 1_000, `${Math.round(performance.now() - begun)} ms`);
    assert.equal(parts.filter((part) => part.href).length, links);
    assert.equal(parts.map((part) => part.text).join(""), text);
  });
}

for (const [address, expected] of [
  ["https://a.example/", "https://a.example/"], ["javascript:alert(1)", null],
  [" javascript:alert(1)", null], ["JaVaScRiPt:alert(1)", null], ["data:text/html,x", null],
  ["vbscript:x", null], ["file:///etc/passwd", null], ["blob:https://a/b", null], ["", null],
  ["tel:+1", "tel:+1"],
]) {
  test(`${JSON.stringify(address)} ${expected ? "may" : "may not"} be followed`, () => {
    assert.equal(safeHref(address), expected);
  });
}

for (const [text, expected] of [
  ["2026-05-01T09:00+0000", "2026-05-01T09:00:00.000Z"],
  ["2026-05-01T09:00:30Z", "2026-05-01T09:00:30.000Z"],
  ["2026-05-01T09:00:30.250+09:00", "2026-05-01T00:00:30.250Z"],
  ["2026-05-01T09:00-0330", "2026-05-01T12:30:00.000Z"],
  ["2026-05-01T09:00", null], ["tomorrow", null], ["", null], [null, null],
]) {
  test(`the time ${text} is read`, () => {
    assert.equal(readTime(text)?.toISOString() ?? null, expected);
  });
}

test("a time of ours is written as the protocol has it, and days follow the zone", () => {
  const date = new Date("2026-05-01T23:30:00Z");
  assert.equal(writeProtocolTime(date), "2026-05-01T23:30+0000");
  assert.equal(dayKey(date, 540), "2026-05-02");
  assert.equal(dayKey(date, 0), "2026-05-01");
  assert.deepEqual([540, 0, -210].map(formatZone), ["GMT+9", "GMT", "GMT−3:30"]);
});

for (const [id, seen, expected] of [
  ["e-2", "e-1", true], ["e-1", "e-1", false], ["e-1", "e-2", false], ["f-1", "e-9", true],
  ["e-10", "e-9", true], ["e-1", null, true], ["a-b-3", "a-b-4", false],
]) {
  test(`${id} ${expected ? "is" : "is no"} news after ${seen}`, () => {
    assert.equal(isNews(id, seen), expected);
  });
}

test("waits double up to the ceiling and begin again after a success", () => {
  const backoff = new Backoff({ firstMilliseconds: 100, maxMilliseconds: 1000, random: () => 1 });
  assert.deepEqual([1, 2, 3, 4, 5, 6].map(() => backoff.next()), [100, 200, 400, 800, 1000, 1000]);
  backoff.reset();
  assert.equal(backoff.next(), 100);
});

test("whatever colour a business has, text in it and on it can be read", () => {
  const grounds = { light: [255, 255, 255], dark: [16, 18, 24] };
  for (const colour of ["#ffffff", "#000000", "#ffee00", "#ff0000", "#00ff00", "#4353ff", "#808080", "nonsense"]) {
    for (const isDark of [false, true]) {
      const accent = makeAccent(colour, isDark);
      const ground = isDark ? grounds.dark : grounds.light;
      assert.ok(contrast(readColour(accent.fill), readColour(accent.ink)) >= 4.5, `${colour} fill`);
      assert.ok(contrast(readColour(accent.text), ground) >= 4.5, `${colour} text`);
      assert.ok(contrast(readColour(accent.text), readColour(accent.soft)) >= 4.5, `${colour} soft`);
    }
  }
});

test("ids are UUIDs of version 4 without a secure context", () => {
  const ids = new Set(Array.from({ length: 500 }, makeUUID));
  assert.equal(ids.size, 500);
  for (const id of ids) {
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }
});

test("a query leaves out empty values", () => {
  assert.equal(withQuery("/a", { b: 1, c: null, d: "", e: "ü&" }), "/a?b=1&e=%C3%BC%26");
  assert.equal(withQuery("/a?x=1", { b: 2 }), "/a?x=1&b=2");
});

test("the time of the server is that of its answers, where a device's clock is wrong by more than they are under way", () => {
  const now = Date.now();
  const differs = () => Math.round((serverNow().getTime() - Date.now()) / 60_000);
  for (const [minutes, expected] of [[300, 300], [-300, -300], [0.9, 0]]) {
    learnTime(new Date(now + minutes * 60_000).toUTCString(), now);
    assert.equal(differs(), expected);
  }
  learnTime(new Date(now + 3_600_000).toUTCString(), now);
  for (const none of [null, "soon"]) learnTime(none, now);
  assert.equal(differs(), 60, "an answer without a time changes nothing");
  learnTime(new Date(now).toUTCString(), now);
});
