import assert from "node:assert/strict";
import { test } from "node:test";
import { fallbackText } from "../../web/composer/fallback.js";
import { attachmentSign, payloadText } from "../../web/composer/payloads.js";
import { appPayload } from "../../web/composer/kinds/app.js";
import { listPayload } from "../../web/composer/kinds/list.js";
import { paymentPayload, sessionName } from "../../web/composer/kinds/payment.js";
import { quickReplyPayload } from "../../web/composer/kinds/quick-reply.js";
import { richLinkPayload } from "../../web/composer/kinds/rich-link.js";
import { textPayload } from "../../web/composer/kinds/text.js";
import { timePayload } from "../../web/composer/kinds/time.js";

const context = { id: "m", requestID: "r", business: "b", customer: "urn:mbid:YQ==" };
const card = { title: "T", subtitle: "", style: "icon", picture: null };
const picture = { data: "QUJD", mimeType: "image/png", bytes: 3 };

test("every payload begins with the envelope of its conversation", () => {
  const payload = textPayload({ body: "hi", attachments: [], attachmentsFirst: true }, context);
  assert.deepEqual(payload, {
    v: 1, id: "m", type: "text", sourceId: "b", destinationId: "urn:mbid:YQ==", body: "hi",
  });
});

test("one U+FFFC represents each attachment, before or after the text", () => {
  const draft = { body: "hi", attachments: [{ name: "a" }, { name: "b" }], attachmentsFirst: true };
  assert.equal(textPayload(draft, context).body, `${attachmentSign.repeat(2)}hi`);
  const after = textPayload({ ...draft, attachmentsFirst: false }, context);
  assert.equal(after.body, `hi${attachmentSign.repeat(2)}`);
  assert.equal(after.attachments.length, 2);
});

test("blank quick replies are left out and no card text is sent", () => {
  const items = [{ identifier: "1", title: "Yes" }, { identifier: "2", title: " " }];
  const { interactiveData } = quickReplyPayload({ summary: "Well?", items }, context);
  assert.deepEqual(interactiveData.data["quick-reply"], {
    summaryText: "Well?", items: [{ identifier: "1", title: "Yes" }],
  });
  assert.equal("receivedMessage" in interactiveData, false);
});

test("a picture used twice travels once and every reference resolves", () => {
  const item = { identifier: "i", title: "A", subtitle: "", style: "icon", picture };
  const blank = { identifier: "z", title: "", subtitle: "", style: "icon", picture: null };
  const { interactiveData } = listPayload({
    received: { ...card, picture }, reply: card,
    sections: [{ title: "S", multiple: true, items: [item, blank] }],
  }, context);
  assert.deepEqual(interactiveData.data.images.map((image) => image.identifier), ["image-1"]);
  const [section] = interactiveData.data.listPicker.sections;
  assert.equal(section.items.length, 1);
  assert.equal(section.items[0].imageIdentifier, "image-1");
  assert.equal(section.items[0].order, 0);
  assert.equal(interactiveData.receivedMessage.imageIdentifier, "image-1");
});

const time = {
  received: card, reply: card, identifier: "e", title: "Visit", picture: null, zone: "Asia/Tokyo",
  fixedZone: true, place: { title: "Shop", latitude: "35.6", longitude: "139.7", radius: "100" },
  slots: [
    { identifier: "2", date: "2026-07-11", time: "09:00", minutes: 30 },
    { identifier: "1", date: "2026-07-11", time: "02:00", minutes: 15 },
    { identifier: "3", date: "", time: "", minutes: 15 },
  ],
};

test("slots leave as UTC, in order, with their duration in seconds", () => {
  const { event } = timePayload(time, context).interactiveData.data;
  assert.deepEqual(event.timeslots, [
    { identifier: "1", startTime: "2026-07-10T17:00+0000", duration: 900 },
    { identifier: "2", startTime: "2026-07-11T00:00+0000", duration: 1800 },
  ]);
  assert.equal(event.timezoneOffset, 540);
  assert.deepEqual(event.location, { title: "Shop", latitude: 35.6, longitude: 139.7, radius: 100 });
});

test("times between which the clocks change name no zone, for a card has one number for all of them", () => {
  const slots = ["2026-10-24", "2026-10-26"].map((date, index) => ({ identifier: String(index), date, time: "09:00", minutes: 30 }));
  const { event } = timePayload({ ...time, zone: "Europe/Berlin", slots }, context).interactiveData.data;
  assert.deepEqual(event.timeslots.map(({ startTime }) => startTime), ["2026-10-24T07:00+0000", "2026-10-26T08:00+0000"]);
  assert.equal("timezoneOffset" in event, false);
  const { event: summer } = timePayload({ ...time, zone: "Europe/Berlin", slots: slots.slice(0, 1) }, context).interactiveData.data;
  assert.equal(summer.timezoneOffset, 120);
});

test("a place without both coordinates has neither coordinates nor radius", () => {
  const place = { title: "Shop", latitude: "35.6", longitude: "", radius: "100" };
  const { event } = timePayload({ ...time, place }, context).interactiveData.data;
  assert.deepEqual(event.location, { title: "Shop" });
});

test("the total is the sum of the lines and the first shipping method", () => {
  const payload = paymentPayload({
    received: card, merchantIdentifier: "merchant.shop", merchantName: "Shop", country: "US",
    currency: "USD", networks: ["visa"], capabilities: ["supports3DS"],
    lineItems: [
      { label: "Tea", amount: "0.1", type: "final" }, { label: "Rebate", amount: "-0.05", type: "final" },
      { label: "", amount: "", type: "final" },
    ],
    shippingMethods: [{ identifier: "post", label: "Post", detail: "", amount: "5" }],
    billingFields: [], shippingFields: ["postalAddress"],
  }, context, { merchantSession: { s: 1 }, endpoints: { paymentGatewayUrl: "https://x" } });
  const { paymentRequest, merchantSession } = payload.interactiveData.data.payment;
  assert.equal(paymentRequest.total.amount, "5.05");
  assert.deepEqual(paymentRequest.lineItems.map((line) => line.amount), ["0.10", "-0.05", "5.00"]);
  assert.equal("requiredBillingContactFields" in paymentRequest, false);
  assert.deepEqual(merchantSession, { s: 1 });
});

test("an app message has no data, a numeric app id and its URL as typed", () => {
  const url = "?q=%20a&b=é\\\"";
  const payload = appPayload({
    team: "TEAM123456", extension: "com.shop.ext", appID: "123", appName: "Shop", url, icon: null,
    useLiveLayout: true, received: card, reply: { ...card, title: "" },
  }, context);
  assert.equal("data" in payload.interactiveData, false);
  assert.equal(payload.interactiveData.appId, 123);
  assert.equal(JSON.parse(payloadText(payload)).interactiveData.URL, url);
});

test("a rich link carries its picture with its type", () => {
  const payload = richLinkPayload(
    { url: "https://a.example", title: "A", picture, videoURL: "", videoType: "" }, context,
  );
  assert.deepEqual(payload.richLinkData.assets, { image: { data: "QUJD", mimeType: "image/png" } });
});

test("a card can be written as plain text", () => {
  // Versions of the language's own tables differ in the space before AM.
  const text = fallbackText(timePayload(time, context), "en").replaceAll("\u202f", " ");
  assert.equal(text, "Visit\nShop\n1. Jul 11, 2026, 2:00 AM\n2. Jul 11, 2026, 9:00 AM");
});

test("a merchant's session has as much of the name as it may", () => {
  assert.equal(sessionName("Yanaka Tea"), "Yanaka Tea");
  // 22 letters of 3 bytes.
  assert.equal(sessionName("東京都台東区谷中の小さなお茶と花の専門店です"), "東京都台東区谷中の小さなお茶と花の専門店で");
  assert.equal(sessionName("花 ".repeat(16)), "花 ".repeat(16).trim());
});
