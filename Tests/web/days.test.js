import assert from "node:assert/strict";
import { test } from "node:test";
import { clocksOf, dayOf, firstWeekday, readClock, readEnd, readDay, shiftDay, shiftMonth, weeksOf, writeClock, writeEnd, writeDay } from "../../web/lib/days.js";

const today = "2026-11-23";

for (const [text, locale, expected] of [
  ["2026-11-24", "en", "2026-11-24"],
  ["11/24/2026", "en", "2026-11-24"],
  ["11/24/26", "en", "2026-11-24"],
  ["24.11.2026", "de", "2026-11-24"],
  ["2026/11/24", "ja", "2026-11-24"],
  ["２０２６年１１月２４日", "ja", "2026-11-24"],
  ["20261124", "en", "2026-11-24"],
  ["12/1", "en", "2026-12-01"],
  ["1/5", "ja", "2027-01-05"],
  ["11/23", "en", "2026-11-23"],
  ["2/29", "en", ""],
  ["2/30/2027", "en", ""],
  ["11/24/202", "en", ""],
  ["tomorrow", "en", ""],
  ["", "en", ""],
]) {
  test(`in ${locale} "${text}" is read as ${expected || "no day"}`, () => assert.equal(readDay(text, locale, today), expected));
}

test("a day that was written is read again, in every order", () => {
  for (const locale of ["en", "ja", "de", "en-GB", "ar-EG-u-nu-latn"]) {
    assert.equal(readDay(writeDay("2027-02-03", locale), locale, today), "2027-02-03", locale);
  }
  assert.equal(writeDay("", "en"), "");
});

for (const [text, expected] of [
  ["9", "09:00"], ["930", "09:30"], ["0930", "09:30"], ["9:30", "09:30"], ["9.30 pm", "21:30"], ["9:30 PM", "21:30"],
  ["12 am", "00:00"], ["12:15pm", "12:15"], ["21h15", "21:15"], ["9時", "09:00"], ["午後9時30分", "21:30"], ["２１：３０", "21:30"],
  ["24:00", ""], ["9:60", ""], ["13 pm", ""], ["soon", ""], ["", ""],
]) {
  test(`"${text}" is read as ${expected || "no time"}`, () => assert.equal(readClock(text), expected));
}

test("a time that was written is read again", () => {
  for (const locale of ["en", "ja", "de"]) assert.equal(readClock(writeClock("16:05", locale)), "16:05", locale);
});

test("days and months are counted over their ends", () => {
  assert.equal(shiftDay("2026-12-31", 1), "2027-01-01");
  assert.equal(shiftMonth("2026-01-31", 1), "2026-02-28");
  assert.equal(shiftMonth("2028-01-31", 1), "2028-02-29");
  assert.equal(shiftMonth("2026-01-31", -2), "2025-11-30");
  assert.equal(dayOf(2026, 13, 1), "");
});

test("the weeks of a month are whole and begin with the first weekday", () => {
  const weeks = weeksOf("2026-11-23", 1);
  assert.equal(weeks.length, 6);
  assert.equal(weeks[0][0], "2026-10-26");
  assert.equal(weeks.at(-1)[6], "2026-12-06");
  assert.equal(weeksOf("2026-02-10", 0).length, 4);
  for (const week of weeksOf("2026-12-15", 0)) assert.equal(week.length, 7);
  assert.ok(weeksOf("2026-12-15", 0).flat().includes("2026-12-31"));
  assert.equal(firstWeekday("en-US"), 0);
});

test("the times of a day are in order and all of it", () => {
  const clocks = clocksOf(15);
  assert.equal(clocks.length, 96);
  assert.deepEqual([clocks[0], clocks[1], clocks.at(-1)], ["00:00", "00:15", "23:45"]);
});

for (const [text, clock] of [["24:00", "24:00"], ["24", "24:00"], ["24時", "24:00"], ["00:00", "24:00"], ["0:00", "24:00"], ["18:00", "18:00"], ["24:01", ""], ["", ""]]) {
  test(`the end ${JSON.stringify(text)} is ${JSON.stringify(clock)}`, () => {
    assert.equal(readEnd(text), clock);
    assert.equal(readEnd(writeEnd(clock, "en")), clock);
  });
}
