import { readPayment, record, words } from "../cards/card-model.js";
import { paymentView } from "../cards/payment-view.js";
import { api } from "../lib/api.js";
import { h, replace } from "../lib/dom.js";
import { icon } from "../lib/icons.js";
import { t } from "../lib/i18n.js";
import { formatMoney } from "../lib/time.js";
import { confirmButton } from "./answer-sheets.js";
import { openSheet } from "./bottom-sheet.js";

const FAILURES = [
  "STATUS_FAILURE", "STATUS_INVALID_BILLING_POSTAL_ADDRESS",
  "STATUS_INVALID_SHIPPING_POSTAL_ADDRESS", "STATUS_INVALID_SHIPPING_CONTACT",
  "STATUS_PIN_REQUIRED", "STATUS_PIN_INCORRECT", "STATUS_PIN_LOCKOUT",
];

const LONG = ["addressLines", "emailAddress", "phoneNumber"];

/**
 * The payment sheet of a phone, plainly a test: contact, delivery, total, and how it shall end.
 * @param {any} message
 * @param {import("./answer-sheets.js").Answer} answer
 */
export function openPaymentSheet(message, answer) {
  const model = readPayment(message.payload);
  const bill = { lines: model.lines, total: model.total, currency: model.currency };
  const chosen = { outcome: "success", status: FAILURES[0], method: model.methods[0] ?? null };
  const contact = contactFields(model.shippingFields.concat(model.billingFields));
  const billNode = h("div", { class: "pay-bill", "aria-live": "polite" }, paymentView(bill));
  const confirm = confirmButton((id) => {
    answer(id, { payment: {
      outcome: chosen.outcome,
      ...(chosen.outcome === "failure" ? { status: chosen.status } : {}),
      ...(chosen.outcome !== "canceled" && chosen.method
        ? { shippingMethod: chosen.method.identifier } : {}),
      ...(chosen.outcome !== "canceled" && contact.isAsked
        ? { shippingContact: contact.read() } : {}),
    } }, t(`phone.pay.${chosen.outcome}`));
    sheet.close();
  });
  const status = h("select", {
    class: "fd-input", id: "pay-status", onChange: () => {
      chosen.status = status.value;
    },
  }, FAILURES.map((name) => h("option", { value: name }, `${t(`phone.pay.${name}`)} (${name})`)));
  const statusField = h("div", { class: "fd-field", hidden: true },
    h("label", { for: "pay-status" }, t("phone.pay.status")), status);
  const refresh = () => {
    statusField.hidden = chosen.outcome !== "failure";
    const amount = formatMoney(bill.total.amount, bill.currency);
    confirm.set(true, chosen.outcome === "success" ? t("phone.pay.confirm", { amount })
      : chosen.outcome === "failure" ? t("phone.pay.confirmFail", { amount })
        : t("phone.pay.confirmCancel"));
  };
  const update = methodUpdater(message.payload, (news) => {
    if (news.newTotal) bill.total = readLine(news.newTotal);
    if (Array.isArray(news.newLineItems)) bill.lines = news.newLineItems.map(readLine);
    replace(billNode, paymentView(bill));
    refresh();
  });
  refresh();
  const sheet = openSheet({
    title: model.merchant || t("phone.sheet.payment"), kind: "is-payment", footer: confirm.node,
    content: [
      h("p", { class: "test-banner" }, icon("alert", 18),
        h("span", null, h("strong", null, t("phone.pay.banner")), " ", t("phone.pay.bannerHint"))),
      contact.isAsked && section(t(contact.hasAddress ? "phone.pay.shippingAddress" : "phone.pay.contact"),
        contact.node),
      model.methods.length > 0 && section(t("phone.pay.method"), choices("pay-method", t("phone.pay.method"),
        model.methods.map((method) => ({
          value: method.identifier, title: method.label, hint: method.detail,
          side: formatMoney(method.amount, model.currency),
        })), chosen.method?.identifier, (value) => {
          chosen.method = model.methods.find((method) => method.identifier === value);
          update(chosen.method);
        })),
      section(t("phone.pay.summary"), billNode),
      section(t("phone.pay.outcome"), [
        choices("pay-outcome", t("phone.pay.outcome"), ["success", "failure", "canceled"].map((value) => ({
          value, title: t(`phone.pay.${value}`), hint: "", side: "",
        })), chosen.outcome, (value) => {
          chosen.outcome = value;
          refresh();
        }),
        statusField,
      ]),
    ],
  });
}

/**
 * Asks the merchant what another delivery costs. Only our own test merchant is asked: the page
 * talks to no one else.
 */
function methodUpdater(payload, take) {
  const data = record(record(record(payload).interactiveData).data);
  const address = words(record(record(data.payment).endpoints).shippingMethodUpdateUrl);
  let last = 0;
  return async (method) => {
    let url;
    try {
      url = new URL(address);
    } catch {
      return;  // Safe: no such endpoint, so the total stays.
    }
    if (!url.pathname.startsWith("/pay/")) return;
    last += 1;
    const turn = last;
    try {
      // By path: the public name of the house may differ from the one this phone uses.
      const news = await api.post(url.pathname + url.search, {
        version: "1.0", requestIdentifier: words(data.requestIdentifier),
        payment: { shippingMethod: {
          identifier: method.identifier, label: method.label, detail: method.detail,
          amount: method.amount, type: "Final",
        } },
      });
      if (turn === last) take(record(news));
    } catch {
      // Safe: without an answer the total stays as requested, as on a device.
    }
  };
}

function readLine(value) {
  const { label, amount, type } = record(value);
  return { label: words(label), amount: words(amount), isPending: type === "pending" };
}

function section(title, content) {
  return h("section", { class: "pay-section", "aria-label": title }, h("h3", null, title), content);
}

function choices(name, label, entries, current, choose) {
  return h("div", { role: "radiogroup", "aria-label": label }, h("ul", { class: "fd-rows" }, entries.map((entry) => h("li", null,
    h("label", { class: "fd-row" },
      h("span", { class: "fd-row-words" }, h("strong", null, entry.title),
        entry.hint && h("small", null, entry.hint)),
      entry.side && h("span", { class: "pay-side" }, entry.side),
      h("input", {
        type: "radio", name, value: entry.value, ".checked": entry.value === current,
        onChange: () => choose(entry.value),
      }),
      h("span", { class: "fd-tick" }, icon("check", 15)))))));
}

/** The fields that the request asks for, filled with an invented person. */
function contactFields(asked) {
  const has = (...names) => asked.some((name) => names.includes(name));
  const fields = [];
  const add = (key, label, sample, autocomplete, type = "text") => fields.push({
    key, input: h("input", {
      class: "fd-input", id: `pay-${key}`, type, value: sample, autocomplete, maxlength: 200,
    }), label,
  });
  const sample = (key) => t(`phone.pay.sample.${key}`);
  if (has("name", "phoneticName")) {
    add("givenName", t("phone.pay.name"), sample("given"), "off");
    add("familyName", t("phone.pay.family"), sample("family"), "off");
  }
  const hasAddress = has("post", "postalAddress");
  if (hasAddress) {
    add("addressLines", t("phone.pay.street"), sample("street"), "off");
    add("locality", t("phone.pay.city"), sample("city"), "off");
    add("postalCode", t("phone.pay.postalCode"), sample("postalCode"), "off");
    add("countryCode", t("phone.pay.country"), sample("country"), "off");
  }
  if (has("email")) add("emailAddress", t("phone.pay.email"), "alex@example.com", "off", "email");
  if (has("phone")) add("phoneNumber", t("phone.pay.phone"), sample("phone"), "off", "tel");
  return {
    isAsked: fields.length > 0, hasAddress,
    node: h("div", { class: "pay-contact" }, fields.map((field) =>
      h("div", { class: `fd-field${LONG.includes(field.key) ? " is-long" : ""}` },
        h("label", { for: field.input.id }, field.label), field.input))),
    read: () => Object.fromEntries(fields.filter(({ input }) => input.value.trim() !== "")
      .map(({ key, input }) => [key, key === "addressLines" ? [input.value.trim()] : input.value.trim()])),
  };
}
