import assert from "node:assert/strict";
import { test } from "node:test";
import { belongs, changeFilter, chosenOf, filterOf, isByWait, isSameList, isServers, narrowings, queryOf, readFilter, savedOf, wholeList, writeFilter } from "../../web/console/list-filter.js";

const ID = (digit) => `${digit.repeat(8)}-${digit.repeat(4)}-4${digit.repeat(3)}-8${digit.repeat(3)}-${digit.repeat(12)}`;
const conversation = {
  business: ID("1"), state: "open", assignee: { id: "ada", name: "Ada" }, team: null, labels: [ID("a"), ID("b")],
  priority: "high", waitingSince: "2026-11-22T10:00:00.000Z", left: false,
};

test("a filter that is written into an address is read back the same", () => {
  for (const change of [
    {}, { view: "mine" }, { view: "waiting", business: ID("1") }, { labels: [ID("a"), ID("b")] }, { assignee: "none", order: "wait" },
    { state: "any", priorities: ["urgent", "high"], team: ID("c") }, { assignee: ID("d"), view: "closed" },
    { attributes: [["tier", "gold & silver"], ["guests", 5]], language: "ja", channel: "upstream", text: "a b", order: "oldest", saved: ID("e") },
  ]) {
    const filter = { ...wholeList, ...change };
    assert.deepEqual(readFilter(writeFilter(filter)), filter);
  }
  assert.equal(writeFilter(wholeList), "");
  assert.equal(writeFilter({ ...wholeList, priorities: ["urgent", "high"] }), "?priority=urgent,high");
});

test("what cannot be in an address is left out", () => {
  assert.deepEqual(readFilter("?view=other&state=x&assignee=you&label=1,2&priority=urgent,best&order=name&business=*&team="),
    { ...wholeList, priorities: ["urgent"] });
  const many = ["0", "1", "2", "3", "4", "5", "6"].map(ID);
  assert.equal(readFilter(`?label=${many.join(",")}`).labels.length, 5);
});

for (const [change, isIn] of [
  [{}, true], [{ view: "mine" }, true], [{ view: "unassigned" }, false], [{ view: "waiting" }, true], [{ view: "closed" }, false],
  [{ view: "closed", state: "any" }, true], [{ state: "snoozed" }, false], [{ business: ID("2") }, false],
  [{ assignee: "none" }, false], [{ assignee: "ada" }, true], [{ assignee: "bo" }, false], [{ view: "unassigned", assignee: "me" }, true],
  [{ team: "none" }, true], [{ team: ID("c") }, false], [{ labels: [ID("a")] }, true], [{ labels: [ID("a"), ID("b")] }, true],
  [{ labels: [ID("a"), ID("c")] }, false], [{ priorities: ["high", "low"] }, true], [{ priorities: ["none"] }, false],
]) {
  test(`an open conversation of one's own is ${isIn ? "" : "not "}in ${JSON.stringify(change)}`, () => {
    assert.equal(belongs(conversation, { ...wholeList, ...change }, "ada"), isIn);
  });
}

test("which conversations bots have only the server knows", () => {
  const view = (id) => ({ ...wholeList, view: id });
  assert.ok(isServers(view("withBot")) && isServers({ ...wholeList, assignee: "bot" }));
  assert.ok(belongs(conversation, view("withBot"), "ada") && !belongs({ ...conversation, state: "closed" }, view("withBot"), "ada"));
  assert.ok(!isServers(view("unassigned")) && isServers(view("unassigned"), true) && !isServers(view("mine"), true));
  assert.equal(queryOf(view("withBot"))["filter[assignee]"], "bot");
  assert.equal(readFilter("?assignee=bot").assignee, "bot");
});

test("only those who wait and have not left are in a list by wait", () => {
  const filter = { ...wholeList, order: "wait" };
  assert.ok(isByWait(filter));
  assert.ok(belongs(conversation, filter, "ada"));
  assert.ok(!belongs({ ...conversation, waitingSince: null }, filter, "ada"));
  assert.ok(!belongs({ ...conversation, left: true }, filter, "ada"));
  assert.equal(queryOf(filter)["filter[waiting]"], "true");
});

test("only open conversations are listed by their wait", () => {
  for (const change of [{ order: "wait", state: "closed" }, { view: "waiting", state: "any" }, { order: "wait", view: "snoozed" }]) {
    assert.ok(!isByWait({ ...wholeList, ...change }));
    assert.equal(queryOf({ ...wholeList, ...change })["filter[waiting]"], "");
  }
});

test("the server is asked for what the list shows", () => {
  assert.deepEqual(queryOf({ ...wholeList, view: "mine", labels: [ID("a"), ID("b")], priorities: ["urgent", "high"] }), {
    business: "", sort: "", "filter[state]": "open", "filter[assignee]": "me", "filter[team]": "", "filter[label]": `${ID("a")},${ID("b")}`,
    "filter[priority]": "urgent,high", "filter[waiting]": "", "filter[attributes]": "", "filter[channel]": "", "filter[language]": "", "filter[text]": "",
  });
  assert.equal(queryOf({ ...wholeList, attributes: [["tier", "gold"], ["guests", 5]] })["filter[attributes]"], '{"tier":"gold","guests":5}');
});

test("a filter that is kept as a saved view is the same list when it is opened", () => {
  for (const change of [
    {}, { view: "mine" }, { view: "waiting", business: ID("1") }, { view: "mentions" }, { view: "closed", order: "oldest" },
    { labels: [ID("a")], priorities: ["urgent"], team: "none", language: "ja", text: "parcel", channel: "phone" },
    { state: "any", assignee: ID("d"), attributes: [["tier", "gold"], ["guests", 5]] }, { order: "wait" }, { due: "0" }, { due: "60", labels: [ID("a")] },
  ]) {
    const filter = { ...wholeList, ...change };
    const opened = filterOf({ id: ID("e"), business: filter.business || null, filter: savedOf(filter) });
    assert.ok(isSameList(opened, filter), JSON.stringify(change));
    assert.deepEqual(queryOf(opened), queryOf(filter));
    assert.equal(opened.saved, ID("e"));
    assert.ok(!isSameList({ ...opened, priorities: ["low"] }, filter));
  }
});

test("a list of values, a language or words is narrowed by them", () => {
  const customer = { ...conversation, attributes: { tier: "gold", guests: 5 }, customer: { locale: "ja_JP" } };
  const isIn = (change) => belongs(customer, { ...wholeList, ...change }, "ada");
  assert.ok(isIn({ attributes: [["tier", "gold"], ["guests", 5]], language: "ja" }));
  assert.ok(!isIn({ attributes: [["guests", "5"]] }));
  assert.ok(!isIn({ language: "en" }));
  assert.ok(isServers({ ...wholeList, text: "parcel" }));
  assert.ok(!isServers({ ...wholeList, language: "ja" }));
});

test("another view begins anew, in the same business", () => {
  const narrow = { ...wholeList, business: ID("1"), labels: [ID("a")], priorities: ["high"], order: "wait" };
  assert.deepEqual(changeFilter(narrow, { view: "mine" }), { ...wholeList, business: ID("1"), view: "mine" });
});

test("labels, team and colleague of one business are none of another's", () => {
  const narrow = { ...wholeList, view: "snoozed", business: ID("1"), labels: [ID("a")], team: ID("c"), assignee: ID("d"), priorities: ["high"] };
  assert.deepEqual(changeFilter(narrow, { business: ID("2") }), { ...wholeList, view: "snoozed", business: ID("2"), priorities: ["high"] });
  assert.equal(changeFilter({ ...narrow, assignee: "me" }, { business: ID("2") }).assignee, "me");
});

test("each part that narrows a view can be taken away alone", () => {
  const narrow = { ...wholeList, labels: [ID("a"), ID("b")], priorities: ["high"], state: "any" };
  const parts = narrowings(narrow);
  assert.deepEqual(parts.map(({ name, value }) => [name, value]),
    [["state", "any"], ["labels", ID("a")], ["labels", ID("b")], ["priorities", "high"]]);
  assert.deepEqual(parts[1].without, { ...narrow, labels: [ID("b")] });
  assert.deepEqual(narrowings(wholeList), []);
});

test("the navigation has one label or one team of the open conversations", () => {
  const chosen = (change) => chosenOf({ ...wholeList, ...change });
  assert.deepEqual(chosen({ labels: [ID("a")] }), { name: "labels", id: ID("a") });
  assert.deepEqual(chosen({ team: ID("c"), business: ID("1") }), { name: "teams", id: ID("c") });
  for (const change of [{}, { team: "none" }, { labels: [ID("a"), ID("b")] }, { labels: [ID("a")], priorities: ["high"] },
    { labels: [ID("a")], view: "closed" }, { assignee: "me" }]) assert.equal(chosen(change), null);
});

test("those that are due within a time are open ones, and the server is asked for them alone", () => {
  const now = Date.now();
  const due = (minutes) => ({ ...conversation, answerDue: { kind: "first", at: new Date(now + minutes * 60_000).toISOString() } });
  const filter = readFilter("?due=30&state=closed");
  assert.ok(belongs(due(20), filter, "ada") && belongs(due(-5), filter, "ada"));
  assert.ok(!belongs(due(40), filter, "ada") && !belongs({ ...conversation, answerDue: null }, filter, "ada"));
  assert.ok(!belongs(due(5), readFilter("?due=0"), "ada"));
  const query = queryOf(filter);
  assert.deepEqual([query["filter[dueWithin]"], query["filter[due]"], query["filter[state]"]], ["30", undefined, ""]);
  assert.deepEqual(savedOf(filter), { dueWithin: 30 });
  assert.equal(readFilter("?due=soon").due, "");
});
