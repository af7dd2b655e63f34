import assert from "node:assert/strict";
import { test } from "node:test";
import { pictureSize, pictureSource, readFace } from "../../web/cards/card-model.js";
import { chosenIn, kindOf } from "../../web/cards/kinds.js";
import { readApp } from "../../web/cards/kinds/app.js";
import { readList } from "../../web/cards/kinds/list.js";
import payment, { readPayment } from "../../web/cards/kinds/payment.js";
import { readQuickReply } from "../../web/cards/kinds/quick-reply.js";
import { readRichLink } from "../../web/cards/kinds/rich-link.js";
import { readEvent } from "../../web/cards/kinds/time.js";
import { readAttachments } from "../../web/cards/attachments.js";
import { splitBody } from "../../web/cards/text-view.js";
import { readTime } from "../../web/lib/time.js";

const PNG_1X1 =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const BID = "com.apple.messages.MSMessageExtensionBalloonPlugin:0000000000:com.apple.icloud.apps.messages.business.extension";
const interactive = (data, more = {}) =>
  ({ type: "interactive", interactiveData: { bid: BID, data, ...more } });

const EXAMPLES = {
  text: { type: "text", body: "hello" },
  richLink: {
    type: "richLink",
    richLinkData: { url: "https://www.example.com/a", title: "A", assets: { image: { data: PNG_1X1, mimeType: "image/png" } } },
  },
  list: interactive({
    images: [{ identifier: "i", data: PNG_1X1 }],
    listPicker: { sections: [
      { title: "Second", order: 1, items: [{ identifier: "c", title: "C", order: 0 }] },
      { title: "First", order: 0, multipleSelection: true, items: [
        { identifier: "b", title: "B", order: 1 },
        { identifier: "a", title: "A", order: 0, imageIdentifier: "i" }] }] },
  }, { receivedMessage: { title: "Pick", style: "large", imageIdentifier: "i" } }),
  time: interactive({ event: {
    identifier: "e", title: "Ride", timezoneOffset: 540,
    location: { title: "Shop", latitude: 35.4, longitude: 139.6, radius: "100" },
    timeslots: [
      { identifier: "late", startTime: "2026-12-02T09:00+0000", duration: 1800 },
      { identifier: "early", startTime: "2026-12-01T09:00+0000", duration: 1800 }] } }),
  quickReply: interactive({ "quick-reply": {
    summaryText: "Which?", items: [{ identifier: "1", title: "One" }, { identifier: "2", title: "Two" }] } }),
  payment: interactive({ payment: { paymentRequest: {
    merchantName: "Shop", currencyCode: "EUR", lineItems: [{ label: "L", amount: "1.00", type: "pending" }],
    total: { label: "Shop", amount: "1.00", type: "final" },
    shippingMethods: [{ identifier: "s", label: "S", detail: "d", amount: "0" }] } } }),
  app: { type: "interactive", interactiveData: {
    bid: "com.apple.messages.MSMessageExtensionBalloonPlugin:TEAM123456:com.example.ext", appId: 12,
    appName: "Fit", URL: "?a=b", receivedMessage: { title: "T" } } },
  form: interactive({ dynamic: { data: { pages: [] } } }),
  authentication: interactive({ authenticate: { oauth2: {} } }),
  invitation: interactive({ notification: {} }),
  reference: { type: "interactive", interactiveDataRef: { title: "R" } },
  unknown: interactive({}),
};

for (const [kind, payload] of Object.entries(EXAMPLES)) {
  test(`a ${kind} payload is read as ${kind}`, () => assert.equal(kindOf(payload), kind));
}

test("a payment whose state and status contradict each other was not paid", () => {
  const answer = (state, status) => interactive({ payment: { state, status } });
  assert.equal(payment.isSettledBy(answer("success", "STATUS_SUCCESS")), true);
  assert.equal(payment.isSettledBy(answer("success")), true);
  assert.equal(payment.isSettledBy(answer("success", "STATUS_FAILURE")), false);
  assert.equal(payment.isSettledBy(answer("paymentNotCompleted", "STATUS_SUCCESS")), false);
});

test("sections and rows stand in their order, with their pictures", () => {
  const { sections, count } = readList(EXAMPLES.list);
  assert.equal(count, 3);
  assert.deepEqual(sections.map(({ title }) => title), ["First", "Second"]);
  assert.deepEqual(sections[0].items.map(({ identifier }) => identifier), ["a", "b"]);
  assert.ok(sections[0].items[0].picture.source.startsWith("data:image/png;base64,"));
  assert.equal(sections[0].isMultiple, true);
});

test("slots stand by time and the place keeps its point", () => {
  const event = readEvent(EXAMPLES.time, readTime);
  assert.deepEqual(event.slots.map(({ identifier }) => identifier), ["early", "late"]);
  assert.equal(event.offset, 540);
  assert.deepEqual(event.place, { title: "Shop", latitude: 35.4, longitude: 139.6, radius: 100 });
});

for (const [name, data, expected] of [
  ["a list", { listPicker: { sections: [
    { title: "You Selected", order: 0, items: [{ identifier: "b" }] },
    { title: "Others", order: 1, items: [{ identifier: "a" }] }] } }, ["b"]],
  ["a time", { event: { timeslots: [{ identifier: "late" }] } }, ["late"]],
  ["a quick reply", { "quick-reply": { selectedIndex: 1, selectedIdentifier: "2", items: [
    { identifier: "1", title: "One" }, { identifier: "2", title: "Two" }] } }, ["2"]],
  ["a quick reply by index alone", { "quick-reply": { selectedIndex: 0, items: [
    { identifier: "1", title: "One" }] } }, ["1"]],
  ["nothing", {}, []],
]) {
  test(`the answer to ${name} names what was chosen`, () => {
    assert.deepEqual([...chosenIn(interactive(data))], expected);
  });
}

test("a picture's size is read from its first bytes", () => {
  assert.deepEqual(pictureSize(PNG_1X1), { width: 1, height: 1 });
  const jpeg = Buffer.from([
    0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc0, 0, 17, 8, 0, 210, 1, 24, 3, 0, 0, 0, 0, 0, 0, 0, 0,
  ]).toString("base64");
  assert.deepEqual(pictureSize(jpeg), { width: 280, height: 210 });
});

for (const [width, height, layout] of [[90, 90, "icon"], [300, 300, "square"], [789, 450, "large"]]) {
  test(`a rich link with a picture of ${width} by ${height} has the ${layout} layout`, () => {
    const bytes = Buffer.from(PNG_1X1, "base64");
    bytes.writeUInt32BE(width, 16);
    bytes.writeUInt32BE(height, 20);
    const link = structuredClone(EXAMPLES.richLink);
    link.richLinkData.assets.image.data = bytes.toString("base64");
    assert.equal(readRichLink(link).layout, layout);
    assert.equal(readRichLink(link).host, "example.com");
  });
}

for (const text of ["", "abc", "<svg onload=alert(1)>", "javascript:alert(1)", 7, null]) {
  test(`${JSON.stringify(text)} is no picture`, () => assert.equal(pictureSource(text), null));
}

const A = { name: "a" };
const B = { name: "b" };
for (const [body, attachments, expected] of [
  ["x\u{fffc}y", [A], [{ text: "x" }, { attachment: A }, { text: "y" }]],
  ["\u{fffc}\u{fffc}", [A, B], [{ attachment: A }, { attachment: B }]],
  ["no place", [A], [{ text: "no place" }, { attachment: A }]],
  ["\u{fffc}\u{fffc}\u{fffc}", [A], [{ attachment: A }]],
  ["", [], []],
  [undefined, [A], [{ attachment: A }]],
]) {
  test(`${JSON.stringify(body)} with ${attachments.length} attachments is cut in place`, () => {
    assert.deepEqual(splitBody(body, attachments), expected);
  });
}

test("line breaks at the ends of 65,000 letters go at once, and those inside stay", () => {
  const begun = performance.now();
  const inside = `a${"\n".repeat(65_000)}b`;
  assert.deepEqual(splitBody(`\n\n${inside}\n\n`, []), [{ text: inside }]);
  assert.ok(performance.now() - begun < 1_000, `${Math.round(performance.now() - begun)} ms`);
});

test("a file that is missing keeps its place, and the others keep theirs", () => {
  const payload = { attachments: [{ name: "gone.png" }, { name: "b.png" }, { name: "c.png" }] };
  const kept = [{ id: "B", name: "b.png" }];
  assert.deepEqual(readAttachments(payload, kept, [0, 2]).map(({ id, name }) => [id, name]),
    [[null, "gone.png"], ["B", "b.png"], [null, "c.png"]]);
  assert.deepEqual(readAttachments(payload, kept).map(({ id }) => id), ["B", null, null]);
});

test("a file's name turns nothing around and hides nothing, whoever sent it", () => {
  const names = ["bill\u202efdp.exe", "a\u2066b\u2069.txt", "a\r\nb.txt", "\u200e\u200f", "ご注文 1.pdf"];
  const shown = readAttachments({ attachments: names.map((name) => ({ name })) }, []).map(({ name }) => name);
  assert.deepEqual(shown.slice(0, 3), ["billfdp.exe", "ab.txt", "ab.txt"]);
  assert.ok(shown[3].length > 2 && !shown[3].includes("\u200e"), "one that is nothing else is called a file");
  assert.equal(shown[4], "ご注文 1.pdf");
  assert.equal(readAttachments({}, [{ id: "A", name: names[0] }])[0].name, "billfdp.exe");
});

test("no half-typed payload makes a reader throw", () => {
  const seed = Number(process.env.FRONTDESK_SEED ?? 20_261_121);
  let state = seed;
  const chance = (limit) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % limit;
  };
  const odd = [null, undefined, 0, -1, NaN, "", "x", [], {}, true, [null], { a: null }, "9".repeat(50)];
  const spoil = (value) => {
    if (chance(7) === 0) return odd[chance(odd.length)];
    if (Array.isArray(value)) return value.map(spoil);
    if (value !== null && typeof value === "object") {
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, spoil(inner)]));
    }
    return typeof value === "string" && chance(4) === 0 ? value.slice(0, chance(value.length + 1)) : value;
  };
  for (let round = 0; round < 3000; round += 1) {
    for (const payload of Object.values(EXAMPLES)) {
      const spoiled = spoil(payload);
      try {
        kindOf(spoiled);
        readFace(spoiled);
        readList(spoiled);
        readEvent(spoiled, readTime);
        readPayment(spoiled);
        readApp(spoiled);
        readQuickReply(spoiled);
        readRichLink(spoiled);
        chosenIn(spoiled);
      } catch (error) {
        assert.fail(`seed ${seed}, round ${round}: ${error}\n${JSON.stringify(spoiled)}`);
      }
    }
  }
});
