import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { FreshNames } from "../../web/composer/fresh-names.js";
import { draftOfPayload } from "../../web/composer/payload-drafts.js";
import { appPayload } from "../../web/composer/kinds/app.js";
import { authenticationPayload } from "../../web/composer/kinds/authentication.js";
import { blankPage, formPayload } from "../../web/composer/kinds/form.js";
import { listPayload } from "../../web/composer/kinds/list.js";
import { paymentPayload } from "../../web/composer/kinds/payment.js";
import { quickReplyPayload } from "../../web/composer/kinds/quick-reply.js";
import { richLinkPayload } from "../../web/composer/kinds/rich-link.js";
import { timePayload } from "../../web/composer/kinds/time.js";

const context = { id: "m", requestID: "r", business: "b", customer: "urn:mbid:YQ==" };
const examples = new URL("../../Schemas/examples/outbound/", import.meta.url);
const example = (path) => JSON.parse(readFileSync(new URL(`${path}.json`, examples), "utf8"));
const makers = {
  quickReply: quickReplyPayload, list: listPayload, time: timePayload, richLink: richLinkPayload, app: appPayload,
  form: formPayload, authentication: authenticationPayload,
  payment: (draft, envelope) => paymentPayload(draft, envelope, null),
};

const fitting = [
  ["list-picker/valid-two-sections", "list"],
  ["quick-reply/valid-three", "quickReply"],
  ["rich-link/valid-picture", "richLink"],
  ["time-picker/valid-three", "time"],
  ["time-picker/valid-plain", "time"],
  ["form/valid-three-pages", "form"],
  ["form/valid-picker", "form"],
  ["form/valid-dates", "form"],
  ["authentication/valid-redirect", "authentication"],
  ["authentication/valid-key", "authentication"],
];
for (const [path, kind] of fitting) {
  test(`${path} opens the form of its kind and leaves it saying the same`, () => {
    const payload = example(path);
    const found = draftOfPayload(payload, context);
    assert.equal(found?.kind, kind);
    const again = draftOfPayload(makers[kind](found.draft, context), context);
    assert.deepEqual(again, found);
  });
}

const card = { title: "T", subtitle: "S", style: "icon", picture: { data: "iVBORw0KGgo=", mimeType: "image/png", bytes: 9 }, alternateTitle: "" };
const payment = {
  received: card, merchantIdentifier: "merchant.shop", merchantName: "Shop", country: "JP", currency: "JPY", networks: ["visa"],
  capabilities: ["supports3DS"], lineItems: [{ label: "Tea", amount: "800", type: "final" }],
  shippingMethods: [{ identifier: "post", label: "Post", detail: "", amount: "200" }], billingFields: [], shippingFields: ["name"],
};
test("a payment request and an app message made by the forms come back as the drafts they were", () => {
  assert.deepEqual(draftOfPayload(makers.payment(payment, context), context), { kind: "payment", draft: payment });
  const words = { ...card, style: "", picture: null, imageTitle: "I", imageSubtitle: "", secondarySubtitle: "", tertiarySubtitle: "" };
  const app = {
    team: "ABCDE12345", extension: "com.example.x", appID: "12", appName: "X", url: "?a=1", icon: null, useLiveLayout: false,
    received: words, reply: { ...words, title: "R" },
  };
  assert.deepEqual(draftOfPayload(appPayload(app, context), context), { kind: "app", draft: app });
});

const rest = [
  ["a session identifier", "quick-reply/valid-two"],
  ["a merchant session of its own", "payment/valid-shipping"],
  ["a picture described in other words", "list-picker/valid-pictures"],
  ["answers of another spelling", "form/valid-page-items"],
  ["both versions of a sign-in", "authentication/valid-both-versions"],
  ["old names", "list-picker/valid-msp-version-lenient"],
];
for (const [what, path] of rest) {
  test(`${what} would be lost in a form, so the payload stays JSON: ${path}`, () => {
    assert.equal(draftOfPayload(example(path), context), null);
  });
}

test("a form of every kind of page comes back as the draft it was, with its branches", () => {
  const item = (identifier, title, next = "", value = "") => ({ identifier, title, value, next, picture: null });
  const page = (key, parts) => ({ ...blankPage(key), question: `What about ${key}?`, ...parts });
  const draft = {
    received: card, reply: { ...card, title: "R" }, isPrivate: true, showsSummary: true,
    splash: { header: "Hi", text: "Some questions", button: "Go", picture: card.picture },
    pages: [
      page("a", { items: [item("1", "Yes", "d"), item("2", "No", "", "n")] }),
      page("b", { type: "input", required: true, multiline: true, limit: "300", hint: "h", keyboard: "emailAddress", content: "emailAddress" }),
      page("c", { type: "datePicker", dateFormat: "dd.MM.yyyy", minimumDate: "2026-01-02", maximumDate: "2026-12-31", next: "end" }),
      page("d", { type: "picker", pickerTitle: "Shop", selectedIndex: 1, items: [item("3", "North"), item("4", "South")], next: "b" }),
      page("e", { multiple: true, items: [item("5", "One"), item("6", "Two")] }),
    ],
  };
  assert.deepEqual(draftOfPayload(formPayload(draft, context), context), { kind: "form", draft });
  const { pages } = formPayload(draft, context).interactiveData.data.dynamic.data;
  assert.deepEqual(pages.map(({ nextPageIdentifier, submitForm }) => nextPageIdentifier ?? submitForm), ["b", "c", true, "b", true]);
  assert.equal(pages[0].items[0].nextPageIdentifier, "d");
});

test("a payload that is not built as it should be has no form and does no harm", () => {
  const payload = example("list-picker/valid-two-sections");
  for (const broken of [null, 7, "x", [], {}]) {
    const data = { ...payload.interactiveData.data, listPicker: broken };
    assert.equal(draftOfPayload({ ...payload, interactiveData: { ...payload.interactiveData, data } }, context), null);
  }
});

test("a total that is not the sum of the lines stays JSON", () => {
  const payload = makers.payment(payment, context);
  payload.interactiveData.data.payment.paymentRequest.total.amount = "999";
  assert.equal(draftOfPayload(payload, context), null);
});

test("fresh names skip those in use", () => {
  const names = new FreshNames("item");
  assert.deepEqual([names.next([{ identifier: "item-1" }, { identifier: "item-3" }]), names.next([{ identifier: "item-3" }])], ["item-2", "item-4"]);
  names.reset();
  assert.equal(names.next(), "item-1");
});
