import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { isPrivate, readForm, readSelections } from "../../web/cards/form-model.js";
import { formatDay, isoDay, readDay } from "../../web/lib/form-dates.js";
import { fieldAttributes } from "../../web/phone/form-keyboards.js";
import { FormWalk } from "../../web/phone/form-walk.js";
import { isWholeMatch } from "../../web/phone/whole-match.js";

const example = (name) => JSON.parse(readFileSync(
  new URL(`../../Schemas/examples/${name}.json`, import.meta.url), "utf8"));
const now = new Date(2026, 10, 21, 12);
const formOf = (data, dynamic = {}) => readForm({
  interactiveData: { data: { dynamic: { ...dynamic, data } } },
});
const walkOf = (...pages) => new FormWalk(
  formOf({ startPageIdentifier: pages[0].pageIdentifier, pages }), { now });

test("the path through a form branches by the chosen item, and its answers are those of a device", () => {
  const walk = new FormWalk(readForm(example("outbound/form/valid-three-pages")), { now });
  assert.equal(walk.place, "splash");
  assert.equal(walk.next(), false);
  assert.equal(walk.page.identifier, "p1");
  assert.deepEqual(walk.problem(), { code: "choose" });
  walk.value = ["b"];
  walk.next();
  assert.equal(walk.page.identifier, "p2");
  assert.deepEqual(walk.problem(), { code: "required" });
  walk.value = "The queue";
  walk.next();
  assert.equal(walk.page.identifier, "p3");
  assert.equal(walk.isLast, true);
  walk.value = "2026-11-20";
  assert.equal(walk.next(), false, "a summary follows");
  assert.equal(walk.place, "summary");
  assert.deepEqual(walk.summary, [
    { question: "How was it?", answers: ["Bad"] },
    { question: "What went wrong?", answers: ["The queue"] },
    { question: "When was it?", answers: ["11/20/2026"] },
  ]);
  assert.deepEqual(walk.answers, [
    { page: "p1", items: ["b"] }, { page: "p2", text: "The queue" },
    { page: "p3", text: "11/20/2026" },
  ]);
  assert.equal(walk.next(), true, "nothing follows the summary but sending");
});

test("a change out of the summary returns to it, unless it leads to another page", () => {
  const walk = new FormWalk(readForm(example("outbound/form/valid-three-pages")), { now });
  walk.next();
  walk.value = ["b"];
  walk.next();
  walk.value = "The queue";
  walk.next();
  walk.next();
  walk.change(1);
  walk.value = "The price";
  walk.next();
  assert.equal(walk.place, "summary");
  walk.change(0);
  walk.back();
  assert.equal(walk.place, "summary", "back leaves the change");
  walk.change(0);
  walk.value = ["g"];
  walk.next();
  assert.equal(walk.page.identifier, "p3");
  walk.next();
  assert.deepEqual(walk.answers.map((answer) => answer.page), ["p1", "p3"]);
  walk.change(0);
  walk.value = ["b"];
  walk.next();
  assert.equal(walk.value, "The price", "what was typed on the other way is still there");
});

test("back goes page by page to the splash and keeps the answers", () => {
  const walk = new FormWalk(readForm(example("outbound/form/valid-three-pages")), { now });
  assert.equal(walk.canGoBack, false);
  walk.next();
  walk.value = ["g"];
  walk.next();
  walk.back();
  assert.deepEqual(walk.value, ["g"]);
  walk.back();
  assert.equal(walk.place, "splash");
  walk.next();
  assert.deepEqual(walk.value, ["g"]);
});

test("a form without a summary ends with its last page; submitForm makes any page the last", () => {
  const walk = walkOf(
    { pageIdentifier: "a", type: "select", submitForm: true, nextPageIdentifier: "b",
      items: [{ identifier: "x" }, { identifier: "y", nextPageIdentifier: "b" }] },
    { pageIdentifier: "b", type: "input" });
  walk.value = ["x"];
  assert.equal(walk.isLast, true);
  walk.value = ["y"];
  assert.equal(walk.isLast, false);
  walk.next();
  assert.equal(walk.next(), true);
  assert.deepEqual(walk.answers, [{ page: "a", items: ["y"] }, { page: "b", text: "" }]);
});

test("several chosen items branch nowhere and go out in the order in which they were offered", () => {
  const walk = walkOf(
    { pageIdentifier: "a", type: "select", multipleSelection: true, nextPageIdentifier: "b",
      items: [{ identifier: "x", nextPageIdentifier: "c" }, { identifier: "y" }] },
    { pageIdentifier: "b", type: "picker", selectedItemIndex: "1",
      pageItems: [{ identifier: "n", title: "N" }, { identifier: "s", title: "S" }] },
    { pageIdentifier: "c", type: "input" });
  assert.equal(walk.problem(), null, "none of several may be chosen");
  walk.value = ["y", "x"];
  walk.next();
  assert.deepEqual([walk.page.identifier, walk.value], ["b", ["s"]]);
  assert.deepEqual(walk.answers, [{ page: "a", items: ["x", "y"] }, { page: "b", items: ["s"] }]);
});

test("a form that leads in circles ends", () => {
  const walk = walkOf({ pageIdentifier: "a", type: "input", nextPageIdentifier: "a" });
  let count = 0;
  while (!walk.next() && count < 1000) count += 1;
  assert.equal(walk.answers.length, 200);
});

test("a form whose start is no page is shown as broken", () => {
  assert.equal(new FormWalk(formOf({ startPageIdentifier: "x", pages: [] })).place, "broken");
  assert.equal(new FormWalk(readForm(null)).place, "broken");
});

for (const [options, value, problem] of [
  [{}, "2026-11-22", { code: "tooLate", limit: "11/21/2026" }],
  [{}, "2026-11-21", null],
  [{}, "", { code: "noDate" }],
  [{ minimumDate: "01.12.2026", dateFormat: "dd.MM.yyyy" }, "2027-05-01", null],
  [{ minimumDate: "01.12.2026", dateFormat: "dd.MM.yyyy" }, "2026-11-30",
    { code: "tooEarly", limit: "01.12.2026" }],
  [{ startDate: "2026-12-05 00:00:00" }, "2027-01-01", null],
  [{ maximumDate: "11/01/2026" }, "2026-11-02", { code: "tooLate", limit: "11/01/2026" }],
]) {
  test(`a date page of ${JSON.stringify(options)} says ${problem?.code ?? "yes"} to "${value}"`, () => {
    const walk = walkOf({ pageIdentifier: "d", type: "datePicker", options });
    walk.value = value;
    assert.deepEqual(walk.problem(), problem);
  });
}

for (const [options, first] of [
  [{}, "2026-11-21"], [{ startDate: "12/05/2026" }, "2026-12-05"],
  [{ maximumDate: "11/01/2026" }, "2026-11-01"], [{ minimumDate: "12/01/2026" }, "2026-12-01"],
]) {
  test(`a date page of ${JSON.stringify(options)} begins with ${first}`, () => {
    assert.equal(walkOf({ pageIdentifier: "d", type: "datePicker", options }).value, first);
  });
}

for (const [page, text, problem] of [
  [{}, "x".repeat(31), { code: "tooLong", limit: 30 }], [{}, "x".repeat(30), null],
  [{}, "😀".repeat(30), null],
  [{ inputType: "multiline" }, "x".repeat(301), { code: "tooLong", limit: 300 }],
  [{ maximumCharacterCount: 2 }, "abc", { code: "tooLong", limit: 2 }],
  [{ required: true }, "", { code: "required" }], [{}, "", null],
]) {
  test(`an input page of ${JSON.stringify(page)} says ${problem?.code ?? "yes"} to ${text.length} characters`, () => {
    const walk = walkOf({ pageIdentifier: "i", type: "input", options: page });
    walk.value = text;
    assert.deepEqual(walk.problem(), problem);
  });
}

for (const [pattern, text, isMatch] of [
  ["[0-9]{5}", "12345", true], ["[0-9]{5}", "123456", false], ["^[0-9]{5}$", "12345", true],
  ["a|b", "ab", false], ["\\-\\_", "-_", true], ["(", "anything", null],
]) {
  test(`the pattern ${pattern} says ${isMatch} to "${text}"`, () => {
    assert.equal(isWholeMatch(pattern, text), isMatch);
  });
}

test("a pattern is read with and without the quotes of a JSON string", () => {
  const read = (regex) => formOf({ pages: [{ type: "input", options: { regex } }] }).pages[0].pattern;
  assert.equal(read("^\\d+$"), "^\\d+$");
  assert.equal(read("\"^\\\\d+$\""), "^\\d+$");
  assert.equal(read(undefined), "");
});

for (const [format, text] of [
  ["MM/dd/yyyy", "03/09/2026"], ["dd.MM.yyyy", "09.03.2026"], ["yyyy-MM-dd", "2026-03-09"],
  ["d/M/yy", "9/3/26"], ["MMM d, yyyy", "Mar 9, 2026"], ["EEEE d MMMM", "Monday 9 March"],
  ["d 'of' MMMM", "9 of March"],
]) {
  test(`${format} writes ${text}`, () => assert.equal(formatDay("2026-03-09", format), text));
}

for (const [text, format, iso] of [
  ["03/09/2026", "MM/dd/yyyy", "2026-03-09"], ["9.3.2026", "dd.MM.yyyy", "2026-03-09"],
  ["2026-03-09 10:00:00", "MM/dd/yyyy", "2026-03-09"], ["02/30/2026", "MM/dd/yyyy", null],
  ["tomorrow", "MM/dd/yyyy", null], ["", "MM/dd/yyyy", null], ["Mar 9, 2026", "MMM d, yyyy", null],
]) {
  test(`"${text}" in ${format} is ${iso}`, () => assert.equal(readDay(text, format), iso));
}

test("today is the day of this machine's calendar", () => {
  assert.equal(isoDay(new Date(2026, 0, 5, 23, 59)), "2026-01-05");
});

for (const [page, expected] of [
  [{ keyboard: "numberPad" }, { inputmode: "numeric" }],
  [{ keyboard: "EmailAddress" }, { inputmode: "email", autocapitalize: "off" }],
  [{ content: "newPassword" }, { type: "password", autocomplete: "new-password" }],
  [{ content: "givenName" }, { autocomplete: "given-name", autocapitalize: "words" }],
  [{ content: "oneTimeCode", keyboard: "decimalPad" }, { autocomplete: "one-time-code", inputmode: "decimal" }],
]) {
  test(`a field for ${JSON.stringify(page)} shows it`, () => {
    const given = fieldAttributes({ keyboard: "", content: "", isMultiline: false, ...page });
    for (const [name, value] of Object.entries(expected)) assert.equal(given[name], value);
  });
}

test("the UIKit spelling of a keyboard is the protocol's", () => {
  const { pages } = formOf({ pages: [{ options: { keyboardType: "UIKeyboardTypePhonePad" } }] });
  assert.equal(fieldAttributes(pages[0]).inputmode, "tel");
});

test("an answer is read back question by question", () => {
  assert.deepEqual(readSelections(example("inbound/form-reply/valid-two")), [
    { question: "How was it?", answers: ["Good"] },
    { question: "When was it?", answers: ["12/01/2026"] },
  ]);
  assert.equal(isPrivate(example("inbound/form-reply/valid-two")), false);
});

test("a form that was begun goes on from what was kept of it, as text", () => {
  const form = readForm(example("outbound/form/valid-three-pages"));
  const kept = (walk) => JSON.parse(JSON.stringify(walk.kept));
  const again = (walk) => new FormWalk(form, { now, kept: kept(walk) });
  const walk = new FormWalk(form, { now });
  assert.equal(again(walk).place, "splash");
  walk.next();
  walk.value = ["b"];
  walk.next();
  walk.value = "The queue";
  const second = again(walk);
  assert.deepEqual([second.place, second.page.identifier, second.value], ["page", "p2", "The queue"]);
  second.back();
  assert.deepEqual(second.value, ["b"]);
  second.next();
  second.next();
  second.value = "2026-11-20";
  second.next();
  const third = again(second);
  assert.equal(third.place, "summary");
  assert.deepEqual(third.answers, second.answers);
  const other = new FormWalk(form, { now, kept: { values: [["p1", "b"], ["p2", ["b"]], null], path: ["p1", "p3"], at: 7, place: "summary" } });
  assert.deepEqual([other.place, other.page.identifier, other.value], ["page", "p1", []], "what does not fit the form is left out");
  assert.equal(new FormWalk(form, { now, kept: "?" }).place, "splash");
});

test("an item without an identifier is named by its place", () => {
  const walk = walkOf({
    pageIdentifier: "p", type: "select", multipleSelection: true,
    items: [{ title: "A" }, { title: "B", identifier: null }, { title: "C", identifier: "c" }],
  });
  walk.value = ["c", "1"];
  assert.deepEqual(walk.answers, [{ page: "p", items: ["1", "c"] }]);
});

test("a limit that lets nothing through is none", () => {
  for (const [stated, limit] of [["100", 100], [7, 7], [0, 30], [-1, 30], ["-1", 30], [null, 30], ["x", 30]]) {
    const walk = walkOf({ pageIdentifier: "p", type: "input", options: { maximumCharacterCount: stated } });
    walk.value = "a".repeat(limit);
    assert.equal(walk.problem(), null, String(stated));
    walk.value += "a";
    assert.deepEqual(walk.problem(), { code: "tooLong", limit }, String(stated));
  }
});
