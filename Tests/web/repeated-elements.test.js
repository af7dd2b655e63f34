import assert from "node:assert/strict";
import { test } from "node:test";
import { FreshNames } from "../../web/composer/fresh-names.js";
import { draftOfPayload } from "../../web/composer/payload-drafts.js";
import { kinds } from "../../web/composer/kinds.js";
import { identifierOfItems, markRepeated, readRepeated, standInSlot, writeRepeated } from "../../web/composer/repeated-elements.js";
import { ownBundle } from "../../web/composer/payloads.js";

const ENVELOPE = { id: "m", requestID: "r", business: "b", customer: "c" };
const card = (data) => ({
  type: "interactive", interactiveData: {
    bid: ownBundle, data: { version: "1.0", requestIdentifier: "r", ...data },
    receivedMessage: { title: "Which one?", style: "icon" }, replyMessage: { title: "Yours", style: "icon" },
  },
});
const slot = { identifier: "{{times.position}}", startTime: "{{times.start|utc}}", duration: "{{times.seconds|number}}" };
const fixed = { identifier: "a", startTime: "2031-05-02T09:00+0000", duration: 1800 };
const event = (...timeslots) => card({ event: { identifier: "e", title: "{{what}}", timeslots } });
const section = (...items) => card({ listPicker: { sections: [{ title: "Tea", items }] } });
const question = (...items) => ({ type: "interactive", interactiveData: {
  bid: ownBundle, data: { version: "1.0", requestIdentifier: "r", "quick-reply": { summaryText: "?", items } } } });
const item = (identifier, title, more = {}) => ({ identifier, title, style: "icon", ...more });

/** What its form makes of a payload; null where no form has it. */
function throughForm(payload) {
  const read = readRepeated(payload);
  const found = read && draftOfPayload(read.payload, ENVELOPE);
  if (!found) return null;
  const draft = markRepeated(found.draft, read.repeated);
  const { v, id, sourceId, destinationId, ...made } = writeRepeated(kinds.find(({ kind }) => kind === found.kind).make(draft, ENVELOPE), draft);
  return { draft, made };
}

for (const [name, payload, part] of [
  ["a slot of which the items say start and length", event({ "{{times}}": slot }), (data) => data.event.timeslots],
  ["a slot of one length for all, beside a fixed one", event(fixed, { "{{times}}": { ...slot, duration: 900 } }), (data) => data.event.timeslots],
  ["a row of a list", section(item("x", "Sencha"), { "{{teas}}": item("t-{{teas.position}}", "{{teas.name}}", { subtitle: "{{teas.price}}" }) }),
    (data) => data.listPicker.sections[0].items],
  ["a quick reply", question({ "{{answers}}": { identifier: "{{answers.position}}", title: "{{answers.text}}" } }), (data) => data["quick-reply"].items],
]) {
  test(`a form has ${name} and writes it as it was`, () => {
    const { made } = throughForm(payload);
    assert.deepEqual(part(made.interactiveData.data), part(payload.interactiveData.data));
  });
}

test("a repeated slot is known by its list and by the values of the items", () => {
  const { draft } = throughForm(event({ "{{ times }}": slot }));
  const { list, start, length } = draft.slots[0];
  assert.deepEqual({ list, start, length }, { list: "times", start: "times.start", length: "times.seconds" });
});

for (const [name, payload] of [
  ["a slot that begins at a written time", event({ "{{times}}": { ...slot, startTime: "2031-05-02T09:00+0000" } })],
  ["a time within other words", event({ "{{times}}": { ...slot, startTime: "at {{times.start|utc}}" } })],
  ["two elements of one identifier", section({ "{{teas}}": item("{{teas.position}}", "a") }, { "{{teas}}": item("{{teas.position}}", "b") })],
  ["a place that is counted", section({ "{{teas}}": item("a", "b", { order: "{{teas.position|number}}" }) })],
  ["a section for each item", card({ listPicker: { sections: [{ "{{teas}}": { title: "a", items: [item("a", "b")] } }] } })],
  ["an element that is no object", event({ "{{times}}": "often" })],
  ["a text", null],
]) {
  test(`no form repeats ${name}`, () => assert.equal(throughForm(payload), null));
}

test("a card without repetitions is left as its form makes it", () => {
  const payload = section(item("x", "Sencha"));
  const { draft, made } = throughForm(payload);
  assert.equal(writeRepeated(payload, draft), payload);
  assert.equal(made.interactiveData.data.listPicker.sections[0].items[0].order, 0);
});

test("a new slot stands behind all others, and its identifier is another for each item", () => {
  const draft = { slots: [{ identifier: identifierOfItems("slot-2", "times"), list: "times", start: "times.start", ...standInSlot("Asia/Tokyo") }] };
  const { make } = kinds.find(({ kind }) => kind === "time");
  const made = writeRepeated(make({
    received: { title: "t" }, reply: { title: "r" }, identifier: "e", title: "", picture: null, zone: "Asia/Tokyo", fixedZone: false, place: { title: "" }, ...draft,
  }, ENVELOPE), draft);
  assert.deepEqual(made.interactiveData.data.event.timeslots, [
    { "{{times}}": { identifier: "slot-2-{{times.position}}", startTime: "{{times.start|utc}}", duration: 1800 } }]);
});

test("a new element has another identifier than those for the items of any list, and than those of a template opened again", () => {
  const slots = [{ identifier: identifierOfItems("slot-1", "times") }, { identifier: "own" }, {}];
  const second = new FreshNames("slot").next(slots);
  assert.equal(second, "slot-2");
  slots.push({ identifier: identifierOfItems(second, "places.open") });
  assert.equal(new FreshNames("slot").next(slots), "slot-3");
});
