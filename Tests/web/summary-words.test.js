import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { afterEach, test } from "node:test";
import { setLanguage } from "../../web/lib/i18n.js";
import { summaryWords } from "../../web/lib/summary-words.js";

afterEach(() => setLanguage("en"));

test("the server's own words in a line are said in the language of the page", async () => {
  await setLanguage("ja");
  for (const [summary, kind, line] of [
    ["Chose Hojicha, Cup", "list", "Hojicha, Cupを選択しました"],
    ["List: Which tea?", "list", "リスト：Which tea?"],
    ["Times", "time", "日時"],
    ["Quick reply: Paid?", "quickReply", "クイック返信：Paid?"],
    ["Paid", "payment", "支払い済み"],
    ["Answered the form", "form", "フォームに回答しました"],
    ["Signed in", "authentication", "サインインしました"],
    ["Link: https://shop.example", "richLink", "リンク：https://shop.example"],
    ["Picture", "text", "写真"],
    ["Picture, File, Audio…", "text", "写真、ファイル、音声…"],
  ]) assert.equal(summaryWords(summary, kind), line, summary);
});

test("a chosen time is said in the language of the page, whatever that of the customer is", async () => {
  const plain = (text) => text.replace(/[\u202f\u00a0]/g, " ");
  const times = ["Chose Tue, Dec 1, 2026, 9:30 AM", "Chose 2026年12月1日(火) 9:30", "Chose the last one"];
  const said = () => times.map((one) => plain(summaryWords(one, "time")));
  assert.deepEqual(said(), ["Chose Tue, Dec 1, 2026, 9:30 AM", "Chose Tue, Dec 1, 2026, 9:30 AM", "Chose the last one"]);
  await setLanguage("ja");
  assert.deepEqual(said(), ["2026年12月1日(火) 9:30を選択しました", "2026年12月1日(火) 9:30を選択しました", "the last oneを選択しました"]);
});

test("a chosen time that names no place is said at the reader's, as on the card", async () => {
  const zone = process.env.TZ;
  process.env.TZ = "Europe/Berlin";
  try {
    const plain = (text) => text.replace(/[\u202f\u00a0]/g, " ");
    const said = () => ["Chose Tue, Dec 1, 2026, 5:00 PM UTC", "Chose 2026年12月1日(火) 23:05 UTC"].map((one) => plain(summaryWords(one, "time")));
    await setLanguage("en");
    assert.deepEqual(said(), ["Chose Tue, Dec 1, 2026, 6:00 PM", "Chose Wed, Dec 2, 2026, 12:05 AM"]);
    await setLanguage("ja");
    assert.deepEqual(said(), ["2026年12月1日(火) 18:00を選択しました", "2026年12月2日(水) 0:05を選択しました"]);
  } finally {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  }
});

test("what a Japanese customer chose or did is said in English on an English page", () => {
  for (const [summary, kind, line] of [
    ["Wonderfulを選択しました", "quickReply", "Chose Wonderful"], ["煎茶, 湯呑みを選択しました", "list", "Chose 煎茶, 湯呑み"],
    ["フォームに回答しました", "form", "Answered the form"], ["支払い済み", "payment", "Paid"], ["サインインしませんでした", "authentication", "Did not sign in"],
    ["赤いものを選択しました", "text", "赤いものを選択しました"],
  ]) assert.equal(summaryWords(summary, kind), line, summary);
});

test("what people wrote is never translated", async () => {
  await setLanguage("ja");
  for (const [summary, kind] of [
    ["Chose the red one myself", "text"], ["Paid", "text"], ["List: milk, eggs", "text"], ["Picture this", "text"],
    ["Picture, Tea", "text"], ["", "list"], ["Tea shop: Your order", "app"], ["Chosen already", "unheardOf"],
  ]) assert.equal(summaryWords(summary, kind), summary);
});

test("in English a line is the server's", () => {
  assert.equal(summaryWords("Chose Hojicha, Cup", "list"), "Chose Hojicha, Cup");
});

test("each kind is called as the server calls it, in both languages", async () => {
  const folder = new URL("../../Sources/DeskMessages/Kinds/", import.meta.url);
  const names = [];
  for (const file of await readdir(folder)) {
    const code = await readFile(new URL(file, folder), "utf8");
    for (const [, kind, english, japanese] of code.matchAll(
      /\.(\w+), name: Wording\(english: "([^"]+)", japanese: "([^"]+)"\)/g)) names.push({ kind, english, japanese });
  }
  assert.ok(names.length >= 9, `only ${names.length} kinds were found`);
  await setLanguage("ja");
  for (const { kind, english, japanese } of names.filter((one) => one.kind !== "text")) {
    assert.equal(summaryWords(english, kind), japanese, kind);
    assert.equal(summaryWords(`${english}: x`, kind), `${japanese}：x`, kind);
  }
});
